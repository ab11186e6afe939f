"""The first schema: all facts and conclusions of the pipeline."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

NUMBER = sa.Double().with_variant(sa.REAL(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "derivation",
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("up_to", sa.Text(), nullable=False),
        sa.CheckConstraint("up_to LIKE '____-__-__T__:__:__Z'", name="up_to_instant"),
        sa.PrimaryKeyConstraint("what"),
        sqlite_strict=True,
    )
    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.Text(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.CheckConstraint("started_at LIKE '____-__-__T__:__:__Z'", name="started_at_instant"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_table(
        "source",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("site", sa.Text(), nullable=True),
        sa.Column("enabled", sa.Integer(), nullable=False),
        sa.Column("level", sa.Text(), nullable=False),
        sa.Column("digest", sa.Integer(), nullable=False),
        sa.Column("community", sa.Integer(), nullable=False),
        sa.Column("aggregator", sa.Integer(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("timezone", sa.Text(), nullable=True),
        sa.Column("topics", sa.Text(), nullable=False),
        sa.Column("weight", NUMBER, nullable=False),
        sa.CheckConstraint("level IN ('first_party', 'press', 'discussion')", name="level_known"),
        sa.CheckConstraint(
            "enabled IN (0, 1) AND digest IN (0, 1) AND community IN (0, 1) AND aggregator IN (0, 1)",
            name="flags_are_0_or_1",
        ),
        sa.CheckConstraint("weight >= 0", name="weight_not_negative"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_table(
        "term",
        sa.Column("term", sa.Text(), nullable=False),
        sa.Column("stories", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("term"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "feed",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("moved_url", sa.Text(), nullable=True),
        sa.Column("enabled", sa.Integer(), nullable=False),
        sa.Column("gone", sa.Integer(), nullable=False),
        sa.Column("site", sa.Text(), nullable=True),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.Text(), nullable=True),
        sa.Column("body_sha256", sa.Text(), nullable=True),
        sa.Column("listing", sa.Text(), nullable=False),
        sa.Column("poll_hint_seconds", sa.Integer(), nullable=True),
        sa.Column("skip_hours", sa.Text(), nullable=False),
        sa.Column("skip_days", sa.Text(), nullable=False),
        sa.Column("next_poll_at", sa.Text(), nullable=True),
        sa.Column("interval_seconds", sa.Integer(), nullable=False),
        sa.Column("failures_in_row", sa.Integer(), nullable=False),
        sa.Column("first_success_at", sa.Text(), nullable=True),
        sa.Column("last_success_at", sa.Text(), nullable=True),
        sa.Column("restamp_strikes", sa.Integer(), nullable=False),
        sa.CheckConstraint("first_success_at LIKE '____-__-__T__:__:__Z'", name="first_success_at_instant"),
        sa.CheckConstraint("last_success_at LIKE '____-__-__T__:__:__Z'", name="last_success_at_instant"),
        sa.CheckConstraint("next_poll_at LIKE '____-__-__T__:__:__Z'", name="next_poll_at_instant"),
        sa.CheckConstraint("enabled IN (0, 1) AND gone IN (0, 1)", name="flags_are_0_or_1"),
        sa.ForeignKeyConstraint(
            ["source_id"],
            ["source.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("source_id", "url", name="feed_of_source"),
        sqlite_strict=True,
    )
    op.create_index("feed_due", "feed", ["next_poll_at"], unique=False)
    op.create_table(
        "item",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("identity", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("html", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("publisher", sa.Text(), nullable=True),
        sa.Column("publisher_url", sa.Text(), nullable=True),
        sa.Column("published_at", sa.Text(), nullable=True),
        sa.Column("published_precision", sa.Text(), nullable=True),
        sa.Column("first_seen_at", sa.Text(), nullable=False),
        sa.Column("effective_at", sa.Text(), nullable=False),
        sa.Column("effective_because", sa.Text(), nullable=False),
        sa.Column("backlog", sa.Integer(), nullable=False),
        sa.Column("withdrawn_at", sa.Text(), nullable=True),
        sa.CheckConstraint("effective_at LIKE '____-__-__T__:__:__Z'", name="effective_at_instant"),
        sa.CheckConstraint("first_seen_at LIKE '____-__-__T__:__:__Z'", name="first_seen_at_instant"),
        sa.CheckConstraint("published_at LIKE '____-__-__T__:__:__Z'", name="published_at_instant"),
        sa.CheckConstraint("published_precision IN ('time', 'day')", name="published_precision_known"),
        sa.CheckConstraint("backlog IN (0, 1)", name="flags_are_0_or_1"),
        sa.CheckConstraint("effective_at <= first_seen_at", name="effective_not_after_seen"),
        sa.ForeignKeyConstraint(
            ["source_id"],
            ["source.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("identity", name="item_identity"),
        sqlite_strict=True,
    )
    op.create_index("item_effective", "item", ["effective_at"], unique=False)
    op.create_index("item_first_seen", "item", ["first_seen_at", "id"], unique=False)
    op.create_table(
        "copy",
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("set_id", sa.Text(), nullable=False),
        sa.Column("like_id", sa.Text(), nullable=False),
        sa.Column("similarity", NUMBER, nullable=False),
        sa.Column("decided_at", sa.Text(), nullable=False),
        sa.CheckConstraint("decided_at LIKE '____-__-__T__:__:__Z'", name="decided_at_instant"),
        sa.CheckConstraint("similarity > 0 AND similarity <= 1", name="similarity_share"),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
        ),
        sa.ForeignKeyConstraint(
            ["like_id"],
            ["item.id"],
        ),
        sa.ForeignKeyConstraint(
            ["set_id"],
            ["item.id"],
        ),
        sa.PrimaryKeyConstraint("item_id"),
        sqlite_strict=True,
    )
    op.create_index("copy_of_set", "copy", ["set_id"], unique=False)
    op.create_table(
        "entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("feed_id", sa.Integer(), nullable=False),
        sa.Column("entry_key", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("guid", sa.Text(), nullable=True),
        sa.Column("link", sa.Text(), nullable=True),
        sa.Column("link_key", sa.Text(), nullable=True),
        sa.Column("first_seen_at", sa.Text(), nullable=False),
        sa.Column("claimed_at", sa.Text(), nullable=True),
        sa.Column("content_sha", sa.Text(), nullable=False),
        sa.CheckConstraint("first_seen_at LIKE '____-__-__T__:__:__Z'", name="first_seen_at_instant"),
        sa.ForeignKeyConstraint(
            ["feed_id"],
            ["feed.id"],
        ),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("feed_id", "entry_key", name="entry_of_feed"),
        sqlite_strict=True,
    )
    op.create_index("entry_guid", "entry", ["feed_id", "guid"], unique=False)
    op.create_index("entry_item", "entry", ["item_id"], unique=False)
    op.create_index("entry_link", "entry", ["link_key"], unique=False)
    op.create_table(
        "fetch",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("feed_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=True),
        sa.Column("failure_kind", sa.Text(), nullable=True),
        sa.Column("failure_message", sa.Text(), nullable=True),
        sa.Column("final_url", sa.Text(), nullable=False),
        sa.Column("bytes", sa.Integer(), nullable=False),
        sa.Column("entries", sa.Integer(), nullable=True),
        sa.Column("new_items", sa.Integer(), nullable=False),
        sa.Column("remarks", sa.Text(), nullable=False),
        sa.Column("seconds", NUMBER, nullable=False),
        sa.CheckConstraint("at LIKE '____-__-__T__:__:__Z'", name="at_instant"),
        sa.CheckConstraint(
            "outcome IN ('updated', 'unchanged', 'not_modified', 'failed')", name="outcome_known"
        ),
        sa.ForeignKeyConstraint(
            ["feed_id"],
            ["feed.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("fetch_of_feed", "fetch", ["feed_id", "at"], unique=False)
    op.create_table(
        "hole",
        sa.Column("feed_id", sa.Integer(), nullable=False),
        sa.Column("from_at", sa.Text(), nullable=False),
        sa.Column("to_at", sa.Text(), nullable=False),
        sa.CheckConstraint("from_at LIKE '____-__-__T__:__:__Z'", name="from_at_instant"),
        sa.CheckConstraint("to_at LIKE '____-__-__T__:__:__Z'", name="to_at_instant"),
        sa.CheckConstraint("from_at < to_at", name="hole_forward"),
        sa.ForeignKeyConstraint(
            ["feed_id"],
            ["feed.id"],
        ),
        sa.PrimaryKeyConstraint("feed_id", "from_at"),
        sqlite_strict=True,
    )
    op.create_table(
        "loner",
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("decided_at", sa.Text(), nullable=False),
        sa.Column("because", sa.Text(), nullable=False),
        sa.CheckConstraint("decided_at LIKE '____-__-__T__:__:__Z'", name="decided_at_instant"),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
        ),
        sa.PrimaryKeyConstraint("item_id"),
        sqlite_strict=True,
    )
    op.create_table(
        "revision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("decided_at", sa.Text(), nullable=False),
        sa.Column("field", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=True),
        sa.Column("after", sa.Text(), nullable=True),
        sa.Column("because", sa.Text(), nullable=False),
        sa.CheckConstraint("decided_at LIKE '____-__-__T__:__:__Z'", name="decided_at_instant"),
        sa.CheckConstraint(
            "field IN ('title', 'summary', 'text', 'effective_at', 'source_id', 'url', 'backlog')",
            name="field_known",
        ),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("revision_item", "revision", ["item_id", "decided_at"], unique=False)
    op.create_table(
        "sketch",
        sa.Column("band", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
        ),
        sa.PrimaryKeyConstraint("band", "item_id"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "story",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("founding_item_id", sa.Text(), nullable=False),
        sa.Column("decided_at", sa.Text(), nullable=False),
        sa.CheckConstraint("decided_at LIKE '____-__-__T__:__:__Z'", name="decided_at_instant"),
        sa.ForeignKeyConstraint(
            ["founding_item_id"],
            ["item.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_table(
        "watched",
        sa.Column("feed_id", sa.Integer(), nullable=False),
        sa.Column("last_success_at", sa.Text(), nullable=False),
        sa.CheckConstraint("last_success_at LIKE '____-__-__T__:__:__Z'", name="last_success_at_instant"),
        sa.ForeignKeyConstraint(
            ["feed_id"],
            ["feed.id"],
        ),
        sa.PrimaryKeyConstraint("feed_id"),
        sqlite_strict=True,
    )
    op.create_table(
        "heat",
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("heat", NUMBER, nullable=False),
        sa.Column("voices", sa.Integer(), nullable=False),
        sa.Column("new_reports", sa.Integer(), nullable=False),
        sa.Column("standing", sa.Text(), nullable=False),
        sa.CheckConstraint("at LIKE '____-__-__T__:__:__Z'", name="at_instant"),
        sa.CheckConstraint(
            "standing IN ('observed', 'partial', 'rebuilt', 'unknown')", name="standing_known"
        ),
        sa.ForeignKeyConstraint(
            ["story_id"],
            ["story.id"],
        ),
        sa.PrimaryKeyConstraint("story_id", "at"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "measure",
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("measured_at", sa.Text(), nullable=False),
        sa.Column("first_at", sa.Text(), nullable=False),
        sa.Column("last_at", sa.Text(), nullable=False),
        sa.Column("voices", sa.Integer(), nullable=False),
        sa.Column("reports", sa.Integer(), nullable=False),
        sa.Column("mentions", sa.Integer(), nullable=False),
        sa.Column("copies", sa.Integer(), nullable=False),
        sa.Column("heat", NUMBER, nullable=False),
        sa.Column("peak", NUMBER, nullable=False),
        sa.Column("peak_at", sa.Text(), nullable=False),
        sa.Column("peak_standing", sa.Text(), nullable=False),
        sa.Column("change_points", NUMBER, nullable=True),
        sa.Column("change_percent", NUMBER, nullable=True),
        sa.Column("change_standing", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "change_standing IN ('ok', 'young', 'unobserved', 'zero')", name="change_standing_known"
        ),
        sa.CheckConstraint("first_at LIKE '____-__-__T__:__:__Z'", name="first_at_instant"),
        sa.CheckConstraint("last_at LIKE '____-__-__T__:__:__Z'", name="last_at_instant"),
        sa.CheckConstraint("measured_at LIKE '____-__-__T__:__:__Z'", name="measured_at_instant"),
        sa.CheckConstraint("peak_at LIKE '____-__-__T__:__:__Z'", name="peak_at_instant"),
        sa.CheckConstraint(
            "peak_standing IN ('observed', 'partial', 'rebuilt', 'unknown')", name="peak_standing_known"
        ),
        sa.ForeignKeyConstraint(
            ["story_id"],
            ["story.id"],
        ),
        sa.PrimaryKeyConstraint("story_id"),
        sqlite_strict=True,
    )
    op.create_index("measure_hottest", "measure", ["heat"], unique=False)
    op.create_table(
        "membership",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("decided_at", sa.Text(), nullable=False),
        sa.Column("decided_by", sa.Text(), nullable=False),
        sa.Column("because", sa.Text(), nullable=False),
        sa.CheckConstraint("decided_at LIKE '____-__-__T__:__:__Z'", name="decided_at_instant"),
        sa.CheckConstraint("role IN ('report', 'mention', 'copy', 'none')", name="role_known"),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
        ),
        sa.ForeignKeyConstraint(
            ["story_id"],
            ["story.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("membership_of_item", "membership", ["item_id", "story_id", "id"], unique=False)
    op.create_index("membership_of_story", "membership", ["story_id", "item_id", "id"], unique=False)
    op.create_table(
        "merge",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("younger_id", sa.Text(), nullable=False),
        sa.Column("older_id", sa.Text(), nullable=False),
        sa.Column("decided_at", sa.Text(), nullable=False),
        sa.Column("decided_by", sa.Text(), nullable=False),
        sa.Column("because", sa.Text(), nullable=False),
        sa.CheckConstraint("decided_at LIKE '____-__-__T__:__:__Z'", name="decided_at_instant"),
        sa.CheckConstraint("younger_id <> older_id", name="merge_of_two"),
        sa.ForeignKeyConstraint(
            ["older_id"],
            ["story.id"],
        ),
        sa.ForeignKeyConstraint(
            ["younger_id"],
            ["story.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_table(
        "story_state",
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["story_id"],
            ["story.id"],
        ),
        sa.PrimaryKeyConstraint("story_id"),
        sqlite_strict=True,
    )
