"""Makes the tables of facts."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0001"
down_revision = None

NUMBER: TypeEngine[float] = sa.Double().with_variant(sa.REAL(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.Text(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("seconds", NUMBER, nullable=False),
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
        sa.Column("speaks_for", sa.Text(), nullable=False),
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
        "feed",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("read_by", sa.Text(), nullable=False),
        sa.Column("moved_url", sa.Text(), nullable=True),
        sa.Column("enabled", sa.Integer(), nullable=False),
        sa.Column("gone", sa.Integer(), nullable=False),
        sa.Column("site", sa.Text(), nullable=True),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.Text(), nullable=True),
        sa.Column("body_sha256", sa.Text(), nullable=True),
        sa.Column("body_changed_at", sa.Text(), nullable=True),
        sa.Column("listing", sa.Text(), nullable=False),
        sa.Column("news_hours", sa.Text(), nullable=False),
        sa.Column("poll_hint_seconds", sa.Integer(), nullable=True),
        sa.Column("skip_hours", sa.Text(), nullable=False),
        sa.Column("skip_days", sa.Text(), nullable=False),
        sa.Column("next_poll_at", sa.Text(), nullable=True),
        sa.Column("left_alone_until", sa.Text(), nullable=True),
        sa.Column("interval_seconds", sa.Integer(), nullable=False),
        sa.Column("hurry_seconds", sa.Integer(), nullable=True),
        sa.Column("failures_in_row", sa.Integer(), nullable=False),
        sa.Column("first_success_at", sa.Text(), nullable=True),
        sa.Column("last_success_at", sa.Text(), nullable=True),
        sa.Column("restamp_strikes", sa.Integer(), nullable=False),
        sa.CheckConstraint("first_success_at LIKE '____-__-__T__:__:__Z'", name="first_success_at_instant"),
        sa.CheckConstraint("last_success_at LIKE '____-__-__T__:__:__Z'", name="last_success_at_instant"),
        sa.CheckConstraint("next_poll_at LIKE '____-__-__T__:__:__Z'", name="next_poll_at_instant"),
        sa.CheckConstraint("left_alone_until LIKE '____-__-__T__:__:__Z'", name="left_alone_until_instant"),
        sa.CheckConstraint("body_changed_at LIKE '____-__-__T__:__:__Z'", name="body_changed_at_instant"),
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
    op.create_index("item_of_source", "item", ["source_id", "effective_at"], unique=False)
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
        sa.Column("without_id", sa.Integer(), nullable=True),
        sa.Column("shared_ids", sa.Integer(), nullable=True),
        sa.Column("future_dates", sa.Integer(), nullable=True),
        sa.Column("remarks", sa.Text(), nullable=False),
        sa.Column("seconds", NUMBER, nullable=False),
        sa.CheckConstraint("at LIKE '____-__-__T__:__:__Z'", name="at_instant"),
        sa.CheckConstraint("outcome IN ('updated', 'unchanged', 'not_modified', 'failed')", name="outcome_known"),
        sa.ForeignKeyConstraint(
            ["feed_id"],
            ["feed.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("fetch_of_feed", "fetch", ["feed_id", "at"], unique=False)
    read = sa.text("entries IS NOT NULL")
    op.create_index("fetch_read", "fetch", ["feed_id", "id"], unique=False, sqlite_where=read)
    op.create_table(
        "resting_host",
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("until_at", sa.Text(), nullable=False),
        sa.CheckConstraint("until_at LIKE '____-__-__T__:__:__Z'", name="until_at_instant"),
        sa.PrimaryKeyConstraint("host"),
        sqlite_strict=True,
    )
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
        "article",
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("address_key", sa.Text(), nullable=True),
        sa.Column("elsewhere", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("failure_kind", sa.Text(), nullable=True),
        sa.Column("failure_message", sa.Text(), nullable=True),
        sa.Column("fetched_at", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.Text(), nullable=True),
        sa.Column("etag", sa.Text(), nullable=True),
        sa.Column("last_modified", sa.Text(), nullable=True),
        sa.CheckConstraint("outcome IN ('read', 'no_text', 'failed')", name="outcome_known"),
        sa.CheckConstraint("fetched_at LIKE '____-__-__T__:__:__Z'", name="fetched_at_instant"),
        sa.CheckConstraint("next_try_at LIKE '____-__-__T__:__:__Z'", name="next_try_at_instant"),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
        ),
        sa.PrimaryKeyConstraint("url"),
        sqlite_strict=True,
    )
    op.create_index("article_item", "article", ["item_id"], unique=False)
    op.create_index("article_address", "article", ["address_key"], unique=False)
    op.create_table(
        "robots",
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=True),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.Column("fetched_at", sa.Text(), nullable=False),
        sa.CheckConstraint("fetched_at LIKE '____-__-__T__:__:__Z'", name="fetched_at_instant"),
        sa.PrimaryKeyConstraint("origin"),
        sqlite_strict=True,
    )
    op.create_table(
        "correction",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("after_at", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("arguments", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=True),
        sa.CheckConstraint("at LIKE '____-__-__T__:__:__Z'", name="at_instant"),
        sa.CheckConstraint("after_at LIKE '____-__-__T__:__:__Z'", name="after_at_instant"),
        sa.CheckConstraint("kind IN ('merge', 'move', 'split', 'pin', 'unpin', 'undo')", name="kind_known"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_table(
        "poll",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answers", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.Text(), nullable=False),
        sa.Column("closed_at", sa.Text(), nullable=True),
        sa.Column("removed_at", sa.Text(), nullable=True),
        sa.CheckConstraint("asked_at LIKE '____-__-__T__:__:__Z'", name="asked_at_instant"),
        sa.CheckConstraint("closed_at LIKE '____-__-__T__:__:__Z'", name="closed_at_instant"),
        sa.CheckConstraint("removed_at LIKE '____-__-__T__:__:__Z'", name="removed_at_instant"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_table(
        "poll_answer",
        sa.Column("poll_id", sa.Integer(), nullable=False),
        sa.Column("browser", sa.Text(), nullable=False),
        sa.Column("answer", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.CheckConstraint("at LIKE '____-__-__T__:__:__Z'", name="at_instant"),
        sa.CheckConstraint("answer >= 0", name="answer_is_a_place"),
        sa.ForeignKeyConstraint(
            ["poll_id"],
            ["poll.id"],
        ),
        sa.PrimaryKeyConstraint("poll_id", "browser"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("poll_answer_given", "poll_answer", ["poll_id", "answer"], unique=False)
    op.create_table(
        "selection",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("mark", sa.Text(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.CheckConstraint("at LIKE '____-__-__T__:__:__Z'", name="at_instant"),
        sa.CheckConstraint("mark IN ('selected', 'removed', 'rule')", name="mark_known"),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("selection_of_item", "selection", ["item_id"], unique=False)
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
            "field IN ('title', 'summary', 'text', 'effective_at', 'source_id', 'url', 'backlog')", name="field_known"
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
        "horizon",
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("since_at", sa.Text(), nullable=False),
        sa.CheckConstraint(
            "what IN ('decisions', 'fetches', 'hours', 'house', 'html', 'items', 'runs', 'texts')", name="what_known"
        ),
        sa.CheckConstraint("since_at LIKE '____-__-__T__:__:__Z'", name="since_at_instant"),
        sa.PrimaryKeyConstraint("what"),
        sqlite_strict=True,
    )
    op.create_table(
        "tombstone",
        sa.Column("key", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key"),
        sqlite_strict=True,
    )
    op.create_table(
        "settled_state",
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("state", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("story_id"),
        sqlite_strict=True,
    )
    op.create_table(
        "settled_term",
        sa.Column("term", sa.Text(), nullable=False),
        sa.Column("stories", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("term"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_table(
        "daemon",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("pid", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.Text(), nullable=False),
        sa.Column("last_beat_at", sa.Text(), nullable=False),
        sa.Column("last_run_at", sa.Text(), nullable=True),
        sa.Column("next_wake_at", sa.Text(), nullable=True),
        sa.Column("errors_in_row", sa.Integer(), nullable=False),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.Column("ended_at", sa.Text(), nullable=True),
        sa.CheckConstraint("id = 1", name="daemon_is_one"),
        sa.CheckConstraint("ended_at LIKE '____-__-__T__:__:__Z'", name="ended_at_instant"),
        sa.CheckConstraint("last_beat_at LIKE '____-__-__T__:__:__Z'", name="last_beat_at_instant"),
        sa.CheckConstraint("last_run_at LIKE '____-__-__T__:__:__Z'", name="last_run_at_instant"),
        sa.CheckConstraint("next_wake_at LIKE '____-__-__T__:__:__Z'", name="next_wake_at_instant"),
        sa.CheckConstraint("started_at LIKE '____-__-__T__:__:__Z'", name="started_at_instant"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_table(
        "model_request",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("tokens", sa.Integer(), nullable=False),
        sa.CheckConstraint("at LIKE '____-__-__T__:__:__Z'", name="at_instant"),
        sa.CheckConstraint("tokens >= 0", name="tokens_not_negative"),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("model_request_at", "model_request", ["at"], unique=False)
