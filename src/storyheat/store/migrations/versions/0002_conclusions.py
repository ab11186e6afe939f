"""Makes the tables of conclusions."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import TypeEngine

revision = "0002"
down_revision = "0001"

NUMBER: TypeEngine[float] = sa.Double().with_variant(sa.REAL(), "sqlite")


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
        "term",
        sa.Column("term", sa.Text(), nullable=False),
        sa.Column("stories", NUMBER, nullable=False),
        sa.PrimaryKeyConstraint("term"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
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
        sa.CheckConstraint("standing IN ('observed', 'partial', 'rebuilt', 'unknown')", name="standing_known"),
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
        sa.CheckConstraint("change_standing IN ('ok', 'young', 'unobserved', 'zero')", name="change_standing_known"),
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
        sa.Column("correction_id", sa.Integer(), nullable=True),
        sa.Column("by_hand", sa.Integer(), nullable=False),
        sa.Column("because", sa.Text(), nullable=False),
        sa.CheckConstraint("decided_at LIKE '____-__-__T__:__:__Z'", name="decided_at_instant"),
        sa.CheckConstraint("by_hand IN (0, 1)", name="flags_are_0_or_1"),
        sa.ForeignKeyConstraint(
            ["correction_id"],
            ["correction.id"],
        ),
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
    op.create_index(
        "membership_of_correction",
        "membership",
        ["correction_id"],
        unique=False,
        sqlite_where=sa.text("correction_id IS NOT NULL"),
    )
    op.create_table(
        "merge",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("into_id", sa.Text(), nullable=True),
        sa.Column("decided_at", sa.Text(), nullable=False),
        sa.Column("decided_by", sa.Text(), nullable=False),
        sa.Column("correction_id", sa.Integer(), nullable=True),
        sa.Column("because", sa.Text(), nullable=False),
        sa.CheckConstraint("decided_at LIKE '____-__-__T__:__:__Z'", name="decided_at_instant"),
        sa.CheckConstraint("story_id <> into_id", name="merge_of_two"),
        sa.ForeignKeyConstraint(
            ["correction_id"],
            ["correction.id"],
        ),
        sa.ForeignKeyConstraint(
            ["into_id"],
            ["story.id"],
        ),
        sa.ForeignKeyConstraint(
            ["story_id"],
            ["story.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_strict=True,
    )
    op.create_index("merge_into", "merge", ["into_id"], unique=False)
    op.create_index("merge_of_story", "merge", ["story_id", "id"], unique=False)
    op.create_table(
        "item_vector",
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("text_mark", sa.Text(), nullable=False),
        sa.Column("title", sa.LargeBinary(), nullable=False),
        sa.Column("lead", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("item_id"),
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
    op.create_table(
        "bystander",
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("told_at", sa.Text(), nullable=False),
        sa.CheckConstraint("told_at LIKE '____-__-__T__:__:__Z'", name="told_at_instant"),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
        ),
        sa.ForeignKeyConstraint(
            ["story_id"],
            ["story.id"],
        ),
        sa.PrimaryKeyConstraint("story_id", "item_id"),
        sqlite_strict=True,
    )
    op.create_table(
        "disagreement",
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("first_item_id", sa.Text(), nullable=False),
        sa.Column("second_item_id", sa.Text(), nullable=False),
        sa.Column("first_figure", sa.Text(), nullable=False),
        sa.Column("second_figure", sa.Text(), nullable=False),
        sa.Column("first_sentence", sa.Text(), nullable=False),
        sa.Column("second_sentence", sa.Text(), nullable=False),
        sa.Column("told_at", sa.Text(), nullable=False),
        sa.CheckConstraint("told_at LIKE '____-__-__T__:__:__Z'", name="told_at_instant"),
        sa.ForeignKeyConstraint(
            ["first_item_id"],
            ["item.id"],
        ),
        sa.ForeignKeyConstraint(
            ["second_item_id"],
            ["item.id"],
        ),
        sa.ForeignKeyConstraint(
            ["story_id"],
            ["story.id"],
        ),
        sa.PrimaryKeyConstraint("story_id", "first_item_id", "second_item_id", "first_figure", "second_figure"),
        sqlite_strict=True,
    )
    op.create_table(
        "development",
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("figures", sa.Text(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("subject_item_id", sa.Text(), nullable=True),
        sa.Column("said_by", sa.Text(), nullable=False),
        sa.Column("told_at", sa.Text(), nullable=False),
        sa.CheckConstraint("told_at LIKE '____-__-__T__:__:__Z'", name="told_at_instant"),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
        ),
        sa.ForeignKeyConstraint(
            ["story_id"],
            ["story.id"],
        ),
        sa.ForeignKeyConstraint(
            ["subject_item_id"],
            ["item.id"],
        ),
        sa.PrimaryKeyConstraint("story_id", "item_id"),
        sqlite_strict=True,
    )
    op.create_table(
        "headline",
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("told_at", sa.Text(), nullable=False),
        sa.CheckConstraint("told_at LIKE '____-__-__T__:__:__Z'", name="told_at_instant"),
        sa.ForeignKeyConstraint(
            ["item_id"],
            ["item.id"],
        ),
        sa.ForeignKeyConstraint(
            ["story_id"],
            ["story.id"],
        ),
        sa.PrimaryKeyConstraint("story_id"),
        sqlite_strict=True,
    )
    op.create_table(
        "story_name",
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.Column("in_title", sa.Integer(), nullable=False),
        sa.Column("told_at", sa.Text(), nullable=False),
        sa.CheckConstraint("told_at LIKE '____-__-__T__:__:__Z'", name="told_at_instant"),
        sa.ForeignKeyConstraint(
            ["story_id"],
            ["story.id"],
        ),
        sa.CheckConstraint("in_title IN (0, 1)", name="flags_are_0_or_1"),
        sa.PrimaryKeyConstraint("story_id", "name"),
        sqlite_strict=True,
        sqlite_with_rowid=False,
    )
    op.create_index("story_name_of", "story_name", ["name", "story_id"], unique=False)
    op.create_table(
        "searched",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=True),
        sa.Column("indexed_at", sa.Text(), nullable=False),
        sa.CheckConstraint("indexed_at LIKE '____-__-__T__:__:__Z'", name="indexed_at_instant"),
        sa.ForeignKeyConstraint(["item_id"], ["item.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("number"),
        sqlite_strict=True,
    )
    op.create_index("searched_at", "searched", ["indexed_at"], unique=False)
    op.create_index("searched_item", "searched", ["item_id"], unique=True)
    op.create_table(
        "source_tally",
        sa.Column("source_id", sa.Text(), nullable=False),
        sa.Column("item_count", sa.Integer(), nullable=False),
        sa.CheckConstraint("item_count >= 0", name="item_count_not_negative"),
        sa.ForeignKeyConstraint(["source_id"], ["source.id"]),
        sa.PrimaryKeyConstraint("source_id"),
        sqlite_strict=True,
    )
    op.execute("INSERT INTO source_tally SELECT source_id, count(*) FROM item GROUP BY source_id")
    op.create_table(
        "brief",
        sa.Column("input_key", sa.Text(), nullable=False),
        sa.Column("story_id", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("made_at", sa.Text(), nullable=False),
        sa.Column("reports", sa.Text(), nullable=False),
        sa.Column("statements", sa.Text(), nullable=False),
        sa.Column("dropped", sa.Text(), nullable=False),
        sa.Column("trouble", sa.Text(), nullable=True),
        sa.CheckConstraint("made_at LIKE '____-__-__T__:__:__Z'", name="made_at_instant"),
        sa.CheckConstraint("trouble IS NULL OR statements = '[]'", name="trouble_leaves_nothing"),
        sa.PrimaryKeyConstraint("input_key"),
        sqlite_strict=True,
    )
    op.create_index("brief_of_story", "brief", ["story_id", "made_at"], unique=False)
    if op.get_context().dialect.name == "sqlite":
        op.execute(
            "CREATE VIRTUAL TABLE search_index USING fts5(title, body, content = '', detail = column, "
            "tokenize = 'porter unicode61 remove_diacritics 2')"
        )
