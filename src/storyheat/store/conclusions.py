"""The tables of conclusions: all that `rebuild` makes again from the facts."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, LargeBinary, Text
from sqlmodel import SQLModel

from storyheat.store.columns import Instant, Number, Record, column
from storyheat.store.facts import instant, one_of


class CopyRow(SQLModel, table=True):
    """An item whose text is another's; the set's original is the least by (effective time, id)."""

    __tablename__ = "copy"
    __table_args__ = (
        instant("decided_at"),
        CheckConstraint("similarity > 0 AND similarity <= 1", name="similarity_share"),
        Index("copy_of_set", "set_id"),
        {"sqlite_strict": True},
    )

    item_id: str = column(Text, ForeignKey("item.id"), primary_key=True, comment="member of the set")
    set_id: str = column(Text, ForeignKey("item.id"), comment="first stored member, names the set")
    like_id: str = column(Text, ForeignKey("item.id"), comment="the item it was compared with")
    similarity: float = column(Number, comment="share of common word runs, 0 to 1")
    decided_at: datetime = column(Instant, comment="the run that decided it")


class SketchRow(SQLModel, table=True):
    """Fingerprints of item texts: equal bands make two items worth comparing."""

    __tablename__ = "sketch"
    __table_args__ = ({"sqlite_strict": True, "sqlite_with_rowid": False},)

    band: int = column(Integer, primary_key=True, comment="64-bit fingerprint of part of a text")
    item_id: str = column(Text, ForeignKey("item.id"), primary_key=True, comment="item with that band")


class StoryRow(SQLModel, table=True):
    """A story: one event and what follows from it. The id lasts."""

    __tablename__ = "story"
    __table_args__ = (
        instant("decided_at"),
        {"sqlite_strict": True},
    )

    id: str = column(Text, primary_key=True, comment="s and eleven letters, from the founding item")
    founding_item_id: str = column(Text, ForeignKey("item.id"), comment="its first report")
    decided_at: datetime = column(Instant, comment="the run that founded it")


class MembershipRow(SQLModel, table=True):
    """One decision about an item and a story, append-only: the newest of a pair holds."""

    __tablename__ = "membership"
    __table_args__ = (
        one_of("role", ("report", "mention", "copy", "none")),
        instant("decided_at"),
        Index("membership_of_item", "item_id", "story_id", "id"),
        Index("membership_of_story", "story_id", "item_id", "id"),
        {"sqlite_strict": True},
    )

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the decision, in order")
    item_id: str = column(Text, ForeignKey("item.id"), comment="which item")
    story_id: str = column(Text, ForeignKey("story.id"), comment="in which story")
    role: str = column(Text, comment="report, mention, copy; none: no longer in it")
    decided_at: datetime = column(Instant, comment="the run that decided it")
    decided_by: str = column(Text, comment="machine, or who corrected it")
    because: dict[str, Any] = column(Record, comment="JSON record of the features behind it")


class LonerRow(SQLModel, table=True):
    """An item in no story (a round-up that touches none), with the reason: placed, not forgotten."""

    __tablename__ = "loner"
    __table_args__ = (instant("decided_at"), {"sqlite_strict": True})

    item_id: str = column(Text, ForeignKey("item.id"), primary_key=True, comment="which item")
    decided_at: datetime = column(Instant, comment="the run that decided it")
    because: dict[str, Any] = column(Record, comment="JSON record of the features behind it")


class MergeRow(SQLModel, table=True):
    """The younger of two merged stories and where its id leads now; append-only."""

    __tablename__ = "merge"
    __table_args__ = (
        instant("decided_at"),
        CheckConstraint("younger_id <> older_id", name="merge_of_two"),
        {"sqlite_strict": True},
    )

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the decision, in order")
    younger_id: str = column(Text, ForeignKey("story.id"), comment="lives on as an alias")
    older_id: str = column(Text, ForeignKey("story.id"), comment="keeps its id")
    decided_at: datetime = column(Instant, comment="the run that decided it")
    decided_by: str = column(Text, comment="machine, or who corrected it")
    because: dict[str, Any] = column(Record, comment="JSON record of the features behind it")


class MeasureRow(SQLModel, table=True):
    """The figures of a story that is hot at the last run. A story without heat has no row here."""

    __tablename__ = "measure"
    __table_args__ = (
        instant("measured_at"),
        instant("first_at"),
        instant("last_at"),
        instant("peak_at"),
        one_of("peak_standing", ("observed", "partial", "rebuilt", "unknown")),
        one_of("change_standing", ("ok", "young", "unobserved", "zero")),
        Index("measure_hottest", "heat"),
        {"sqlite_strict": True},
    )

    story_id: str = column(Text, ForeignKey("story.id"), primary_key=True, comment="which story")
    measured_at: datetime = column(Instant, comment="the instant these figures are for: the last run")
    first_at: datetime = column(Instant, comment="effective time of its first item")
    last_at: datetime = column(Instant, comment="effective time of its newest counted report")
    voices: int = column(Integer, comment="voices counted, all time")
    reports: int = column(Integer, comment="reports counted, all time")
    mentions: int = column(Integer, comment="items that touch it")
    copies: int = column(Integer, comment="items with another's text")
    heat: float = column(Number, comment="points at measured_at; 10 = one voice speaking right now")
    peak: float = column(Number, comment="largest heat of the last 7 days, points")
    peak_at: datetime = column(Instant, comment="when that was")
    peak_standing: str = column(Text, comment="what we know about that hour")
    change_points: float | None = column(Number, null=True, comment="change over 24 hours, points; NULL: see standing")
    change_percent: float | None = column(Number, null=True, comment="the same in per cent; NULL: see standing")
    change_standing: str = column(Text, comment="ok, young, unobserved or zero")


class HeatRow(SQLModel, table=True):
    """The heat of a story at a full hour; kept only where a story has two or more voices."""

    __tablename__ = "heat"
    __table_args__ = (
        instant("at"),
        one_of("standing", ("observed", "partial", "rebuilt", "unknown")),
        {"sqlite_strict": True, "sqlite_with_rowid": False},
    )

    story_id: str = column(Text, ForeignKey("story.id"), primary_key=True, comment="which story")
    at: datetime = column(Instant, primary_key=True, comment="full hour, UTC")
    heat: float = column(Number, comment="points")
    voices: int = column(Integer, comment="voices inside the window")
    new_reports: int = column(Integer, comment="reports counted in the hour that ends here")
    standing: str = column(Text, comment="observed, partial, rebuilt or unknown")


class StoryStateRow(SQLModel, table=True):
    """What the clusterer remembers of an open story: bounded, enough to go on after a restart."""

    __tablename__ = "story_state"
    __table_args__ = ({"sqlite_strict": True},)

    story_id: str = column(Text, ForeignKey("story.id"), primary_key=True, comment="which story")
    state: bytes = column(LargeBinary, comment="versioned bytes of the clusterer")


class TermRow(SQLModel, table=True):
    """In how many stories a term occurs (the part that comes from this database)."""

    __tablename__ = "term"
    __table_args__ = ({"sqlite_strict": True, "sqlite_with_rowid": False},)

    term: str = column(Text, primary_key=True, comment="folded term; the empty term counts the stories")
    stories: float = column(Number, comment="stories that have it; a further member adds a share")


class WatchedRow(SQLModel, table=True):
    """Up to which success of a feed the stored heat knows what was watched."""

    __tablename__ = "watched"
    __table_args__ = (instant("last_success_at"), {"sqlite_strict": True})

    feed_id: int = column(Integer, ForeignKey("feed.id"), primary_key=True, comment="which feed")
    last_success_at: datetime = column(Instant, comment="its last success when heat was last measured")


class DerivationRow(SQLModel, table=True):
    """By which rule, version and parameters the conclusions were made, and up to which facts."""

    __tablename__ = "derivation"
    __table_args__ = (instant("up_to"), {"sqlite_strict": True})

    what: str = column(Text, primary_key=True, comment="cluster or heat")
    rule: str = column(Text, comment="name, version and parameters")
    up_to: datetime = column(Instant, comment="instant of the last run that used it")
