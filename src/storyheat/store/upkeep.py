"""The tables of upkeep: how far back the data reaches, what is remembered of what was let go, and who keeps house."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, LargeBinary, Text
from sqlmodel import SQLModel

from storyheat.store.columns import Instant, Number, column
from storyheat.store.facts import instant, one_of

KINDS = ("decisions", "fetches", "hours", "house", "html", "items", "runs", "texts")


class HorizonRow(SQLModel, table=True):
    """How far back one kind of data reaches; without a row nothing of it was let go yet."""

    __tablename__ = "horizon"
    __table_args__ = (one_of("what", KINDS), instant("since_at"), {"sqlite_strict": True})

    what: str = column(
        Text,
        primary_key=True,
        comment="fetches, hours, html, items, runs or texts: older ones were let go; decisions: those up to it are "
        "settled, so rebuild leaves them as they are; house: the day that house was last kept",
    )
    since_at: datetime = column(Instant, comment="the instant")


class TombstoneRow(SQLModel, table=True):
    """What is remembered of an item that was let go: it is not new if it comes back."""

    __tablename__ = "tombstone"
    __table_args__ = ({"sqlite_strict": True},)

    key: int | None = column(
        Integer, primary_key=True, default=None, comment="63-bit fingerprint of an address, guid or entry it had"
    )


class SettledStateRow(SQLModel, table=True):
    """What the clusterer remembered of an open story when decisions were settled: where rebuild begins."""

    __tablename__ = "settled_state"
    __table_args__ = ({"sqlite_strict": True},)

    story_id: str = column(Text, primary_key=True, comment="which story")
    state: bytes = column(LargeBinary, comment="as in story_state")


class SettledTermRow(SQLModel, table=True):
    """In how many stories a term occurred when decisions were settled."""

    __tablename__ = "settled_term"
    __table_args__ = ({"sqlite_strict": True, "sqlite_with_rowid": False},)

    term: str = column(Text, primary_key=True, comment="as in term")
    stories: float = column(Number, comment="as in term")


class SearchedRow(SQLModel, table=True):
    """Under which number the search index knows an item as it is now."""

    __tablename__ = "searched"
    __table_args__ = (
        instant("indexed_at"),
        Index("searched_at", "indexed_at"),
        Index("searched_item", "item_id", unique=True),
        {"sqlite_strict": True},
    )

    number: int | None = column(Integer, primary_key=True, default=None, comment="row of `search_index`")
    item_id: str | None = column(
        Text,
        ForeignKey("item.id", ondelete="SET NULL"),
        null=True,
        comment="whose; NULL: gone, or under a newer number",
    )
    indexed_at: datetime = column(Instant, comment="the run that indexed it")


class SourceTallyRow(SQLModel, table=True):
    """How many items a source has: counted as they come and go."""

    __tablename__ = "source_tally"
    __table_args__ = (CheckConstraint("item_count >= 0", name="item_count_not_negative"), {"sqlite_strict": True})

    source_id: str = column(Text, ForeignKey("source.id"), primary_key=True, comment="which source")
    item_count: int = column(Integer, comment="items stored")


class DaemonRow(SQLModel, table=True):
    """The daemon that looks after this database, or did last: its heartbeat."""

    __tablename__ = "daemon"
    __table_args__ = (
        CheckConstraint("id = 1", name="daemon_is_one"),
        instant("started_at"),
        instant("last_beat_at"),
        instant("last_run_at"),
        instant("next_wake_at"),
        instant("ended_at"),
        {"sqlite_strict": True},
    )

    id: int | None = column(Integer, primary_key=True, default=None, comment="1: there is one row at most")
    host: str = column(Text, comment="name of the machine")
    pid: int = column(Integer, comment="number of the process on it")
    started_at: datetime = column(Instant, comment="when it began")
    last_beat_at: datetime = column(Instant, comment="when it last said that it lives")
    last_run_at: datetime | None = column(Instant, null=True, comment="instant of its last whole run; NULL: none yet")
    next_wake_at: datetime | None = column(Instant, null=True, comment="when it runs next; NULL: a run is at work")
    errors_in_row: int = column(Integer, comment="runs that failed since the last whole one")
    last_error: str | None = column(Text, null=True, comment="why the last of them failed; NULL: none did")
    ended_at: datetime | None = column(Instant, null=True, comment="when it ended as asked; NULL: it did not")
