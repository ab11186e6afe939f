"""The tables of conclusions: all that `rebuild` makes again from the facts."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, LargeBinary, Text, text
from sqlmodel import SQLModel

from storyheat.store.columns import Flag, Instant, Number, Record, column
from storyheat.store.facts import flags, instant, one_of

_BY_HAND = text("correction_id IS NOT NULL")


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
    """A story: one event and what follows from it. The id lasts; where it leads now, `merge` says."""

    __tablename__ = "story"
    __table_args__ = (
        instant("decided_at"),
        {"sqlite_strict": True},
    )

    id: str = column(Text, primary_key=True, comment="s and eleven letters, from the founding item")
    founding_item_id: str = column(Text, ForeignKey("item.id"), comment="its first report")
    decided_at: datetime = column(Instant, comment="the run that founded it, or the correction")


class MembershipRow(SQLModel, table=True):
    """One decision about an item and a story, append-only: the newest of a pair holds."""

    __tablename__ = "membership"
    __table_args__ = (
        one_of("role", ("report", "mention", "copy", "none")),
        instant("decided_at"),
        Index("membership_of_item", "item_id", "story_id", "id"),
        Index("membership_of_story", "story_id", "item_id", "id"),
        Index("membership_of_correction", "correction_id", sqlite_where=_BY_HAND),
        flags("by_hand"),
        {"sqlite_strict": True},
    )

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the decision, in order")
    item_id: str = column(Text, ForeignKey("item.id"), comment="which item")
    story_id: str = column(Text, ForeignKey("story.id"), comment="in which story")
    role: str = column(Text, comment="report, mention, copy; none: no longer in it")
    decided_at: datetime = column(Instant, comment="the run that decided it, or the correction")
    decided_by: str = column(Text, comment="machine, or who corrected it")
    correction_id: int | None = column(
        Integer, ForeignKey("correction.id"), null=True, comment="the correction that decided it; NULL: the machine did"
    )
    by_hand: bool = column(Flag, comment="1: a person decided it, so the machine leaves it alone")
    because: dict[str, Any] = column(Record, comment="JSON record of the features behind it")


class LonerRow(SQLModel, table=True):
    """An item in no story (a round-up that touches none), with the reason: placed, not forgotten."""

    __tablename__ = "loner"
    __table_args__ = (instant("decided_at"), {"sqlite_strict": True})

    item_id: str = column(Text, ForeignKey("item.id"), primary_key=True, comment="which item")
    decided_at: datetime = column(Instant, comment="the run that decided it")
    because: dict[str, Any] = column(Record, comment="JSON record of the features behind it")


class MergeRow(SQLModel, table=True):
    """One decision about where the id of a story leads, append-only: the newest of an id holds."""

    __tablename__ = "merge"
    __table_args__ = (
        instant("decided_at"),
        CheckConstraint("story_id <> into_id", name="merge_of_two"),
        Index("merge_of_story", "story_id", "id"),
        Index("merge_into", "into_id"),
        {"sqlite_strict": True},
    )

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the decision, in order")
    story_id: str = column(Text, ForeignKey("story.id"), comment="whose id it is")
    into_id: str | None = column(
        Text, ForeignKey("story.id"), null=True, comment="the story it leads to; NULL: it is a story of its own (again)"
    )
    decided_at: datetime = column(Instant, comment="the run that decided it, or the correction")
    decided_by: str = column(Text, comment="machine, or who corrected it")
    correction_id: int | None = column(
        Integer, ForeignKey("correction.id"), null=True, comment="the correction that decided it; NULL: the machine did"
    )
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


class DevelopmentRow(SQLModel, table=True):
    """A point in a story where something new became known; confirmed if the subject or a second voice says it."""

    __tablename__ = "development"
    __table_args__ = (instant("told_at"), {"sqlite_strict": True})

    story_id: str = column(Text, ForeignKey("story.id"), primary_key=True, comment="in which story")
    item_id: str = column(Text, ForeignKey("item.id"), primary_key=True, comment="the report that shows it")
    figures: list[str] = column(Record, comment="JSON list of the new figures, as printed")
    terms: list[str] = column(Record, comment="JSON list of the new names or words, folded")
    subject_item_id: str | None = column(
        Text, ForeignKey("item.id"), null=True, comment="report in which the subject itself says it; NULL: none"
    )
    said_by: list[str] = column(Record, comment="JSON list of reports of other voices that say it too")
    told_at: datetime = column(Instant, comment="newest decision that it rests on")


class HeadlineRow(SQLModel, table=True):
    """By which of its reports a story is called, where that is not the founding item."""

    __tablename__ = "headline"
    __table_args__ = (instant("told_at"), {"sqlite_strict": True})

    story_id: str = column(Text, ForeignKey("story.id"), primary_key=True, comment="which story")
    item_id: str = column(Text, ForeignKey("item.id"), comment="whose title it is")
    told_at: datetime = column(Instant, comment="newest decision that it rests on")


class StoryNameRow(SQLModel, table=True):
    """A name by which a story of several reports is told; stories that share rare ones are related."""

    __tablename__ = "story_name"
    __table_args__ = (
        instant("told_at"),
        flags("in_title"),
        Index("story_name_of", "name", "story_id"),
        {"sqlite_strict": True, "sqlite_with_rowid": False},
    )

    story_id: str = column(Text, ForeignKey("story.id"), primary_key=True, comment="which story")
    name: str = column(Text, primary_key=True, comment="folded; one that opens with = names a series of events")
    shown: str = column(Text, comment="as a report prints it; of a series which one")
    in_title: bool = column(Flag, comment="1: a report has it in its title")
    told_at: datetime = column(Instant, comment="newest decision that it rests on")


class BystanderRow(SQLModel, table=True):
    """An item of a first-party source in a story that is not about it: discussion there."""

    __tablename__ = "bystander"
    __table_args__ = (instant("told_at"), {"sqlite_strict": True})

    story_id: str = column(Text, ForeignKey("story.id"), primary_key=True, comment="in which story")
    item_id: str = column(Text, ForeignKey("item.id"), primary_key=True, comment="which item")
    told_at: datetime = column(Instant, comment="newest decision that it rests on")


class DisagreementRow(SQLModel, table=True):
    """Two figures of one thing that two voices of a story state, and that contradict each other."""

    __tablename__ = "disagreement"
    __table_args__ = (instant("told_at"), {"sqlite_strict": True})

    story_id: str = column(Text, ForeignKey("story.id"), primary_key=True, comment="in which story")
    first_item_id: str = column(Text, ForeignKey("item.id"), primary_key=True, comment="the report that came first")
    second_item_id: str = column(Text, ForeignKey("item.id"), primary_key=True, comment="the report that came later")
    first_figure: str = column(Text, primary_key=True, comment="what the first states, as printed")
    second_figure: str = column(Text, primary_key=True, comment="what the second states, as printed")
    first_sentence: str = column(Text, comment="in which sentence")
    second_sentence: str = column(Text, comment="in which sentence")
    told_at: datetime = column(Instant, comment="newest decision that it rests on")


class StoryStateRow(SQLModel, table=True):
    """What the clusterer remembers of an open story: bounded, enough to go on after a restart."""

    __tablename__ = "story_state"
    __table_args__ = ({"sqlite_strict": True},)

    story_id: str = column(Text, ForeignKey("story.id"), primary_key=True, comment="which story")
    state: bytes = column(LargeBinary, comment="versioned bytes of the clusterer")


class ItemVectorRow(SQLModel, table=True):
    """What an item is about, in semantic mode: vectors of its title and lead as signed bytes, one a dimension.

    Made once for an item and a model, and kept through a `rebuild`; those of two models never stand together.
    """

    __tablename__ = "item_vector"
    __table_args__ = ({"sqlite_strict": True},)

    item_id: str = column(
        Text, ForeignKey("item.id", ondelete="CASCADE"), primary_key=True, comment="whose; it goes with the item"
    )
    model: str = column(Text, comment="of the encoder, with its version")
    text_mark: str = column(Text, comment="fingerprint of the words that were embedded")
    title: bytes = column(LargeBinary, comment="vector of the title, or of the beginning of the lead")
    lead: bytes = column(LargeBinary, comment="vector of the lead, or of the title where there is none")


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

    what: str = column(Text, primary_key=True, comment="cluster, meaning, telling or heat")
    rule: str = column(Text, comment="name, version and parameters")
    up_to: datetime = column(Instant, comment="instant of the last run that used it")
