"""The tables of facts: what was configured, fetched and seen. Nothing here is ever recomputed."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, Text, UniqueConstraint, text
from sqlmodel import SQLModel

from storyheat.store.columns import INSTANT_SHAPE, Flag, Instant, Number, Record, column


def one_of(name: str, values: tuple[str, ...]) -> CheckConstraint:
    """A named check that a text column holds one of the given words."""
    words = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{name} IN ({words})", name=f"{name}_known")


def instant(name: str) -> CheckConstraint:
    """A named check that a text column holds an instant as we spell it (or is unknown)."""
    return CheckConstraint(f"{name} LIKE '{INSTANT_SHAPE}'", name=f"{name}_instant")


def flags(*names: str) -> CheckConstraint:
    """A named check that columns hold 0 or 1."""
    return CheckConstraint(" AND ".join(f"{name} IN (0, 1)" for name in names), name="flags_are_0_or_1")


_READ = text("entries IS NOT NULL")  # the fetches that brought a document to read


class SourceRow(SQLModel, table=True):
    """A publication or person we follow, as the configuration has it."""

    __tablename__ = "source"
    __table_args__ = (
        one_of("level", ("first_party", "press", "discussion")),
        flags("enabled", "digest", "community", "aggregator"),
        CheckConstraint("weight >= 0", name="weight_not_negative"),
        {"sqlite_strict": True},
    )

    id: str = column(Text, primary_key=True, comment="slug from feeds.yaml")
    name: str = column(Text, comment="name to show")
    owner: str = column(Text, comment="sources of one owner are one voice")
    site: str | None = column(Text, null=True, comment="home page; NULL: unknown")
    enabled: bool = column(Flag, comment="1: polled; 0: paused or no longer in feeds.yaml")
    level: str = column(Text, comment="first_party, press or discussion")
    digest: bool = column(Flag, comment="1: its items are mentions")
    community: bool = column(Flag, comment="1: the author is the voice")
    aggregator: bool = column(Flag, comment="1: the original publisher is the voice")
    language: str | None = column(Text, null=True, comment="BCP 47; NULL: unknown")
    timezone: str | None = column(Text, null=True, comment="IANA zone for dates without one; NULL: UTC")
    topics: list[str] = column(Record, comment="JSON list of topics")
    speaks_for: list[str] = column(Record, comment="JSON list of names it speaks for besides its own")
    weight: float = column(Number, comment="points of a fresh report are 10 times this")


class FeedRow(SQLModel, table=True):
    """An address of a source that is fetched, with all the state that polling needs."""

    __tablename__ = "feed"
    __table_args__ = (
        UniqueConstraint("source_id", "url", name="feed_of_source"),
        flags("enabled", "gone"),
        instant("next_poll_at"),
        instant("left_alone_until"),
        instant("body_changed_at"),
        instant("first_success_at"),
        instant("last_success_at"),
        Index("feed_due", "next_poll_at"),
        {"sqlite_strict": True},
    )

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the feed")
    source_id: str = column(Text, ForeignKey("source.id"), comment="whose feed it is")
    url: str = column(Text, comment="configured address")
    read_by: str = column(Text, comment="fingerprint of the settings its documents are read by; a new one: read anew")
    moved_url: str | None = column(
        Text, null=True, comment="where a permanent redirect led; NULL: not moved, or given up"
    )
    enabled: bool = column(Flag, comment="0: no longer in feeds.yaml")
    gone: bool = column(Flag, comment="1: the server said 410, not asked again")
    site: str | None = column(Text, null=True, comment="the page the feed says it belongs to")
    etag: str | None = column(Text, null=True, comment="of the last usable reply, byte for byte")
    last_modified: str | None = column(Text, null=True, comment="of the last usable reply, byte for byte")
    body_sha256: str | None = column(Text, null=True, comment="of the last usable body")
    body_changed_at: datetime | None = column(
        Instant, null=True, comment="the run that first saw that body; NULL: none yet"
    )
    listing: list[int] = column(Record, comment="JSON list: the entries in the last listing that had any")
    news_hours: list[str] = column(Record, comment="JSON list: the newest hours that had news, oldest first")
    poll_hint_seconds: int | None = column(Integer, null=True, comment="rhythm its document asks for; NULL: none")
    skip_hours: list[int] = column(Record, comment="JSON list: UTC hours it asks not to be polled in")
    skip_days: list[int] = column(Record, comment="JSON list: weekdays likewise, Monday is 0")
    next_poll_at: datetime | None = column(
        Instant, null=True, comment="not asked before; NULL: at once, or never if it is gone"
    )
    left_alone_until: datetime | None = column(
        Instant, null=True, comment="its host asked for that (Retry-After); not even forced; NULL: it did not"
    )
    interval_seconds: int = column(Integer, comment="seconds between polls, as planned at the last success")
    hurry_seconds: int | None = column(
        Integer, null=True, comment="not more between polls, or entries come and go unseen; NULL: no danger"
    )
    failures_in_row: int = column(Integer, comment="failed polls since the last success")
    first_success_at: datetime | None = column(Instant, null=True, comment="first usable reply; NULL: none yet")
    last_success_at: datetime | None = column(Instant, null=True, comment="last usable reply; NULL: none yet")
    restamp_strikes: int = column(Integer, comment="polls that moved dates of known entries, less quiet ones")


class FetchRow(SQLModel, table=True):
    """One poll of one feed: what came of it, in words where it failed."""

    __tablename__ = "fetch"
    __table_args__ = (
        one_of("outcome", ("updated", "unchanged", "not_modified", "failed")),
        instant("at"),
        Index("fetch_of_feed", "feed_id", "at"),
        Index("fetch_read", "feed_id", "id", sqlite_where=_READ),
        {"sqlite_strict": True},
    )

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the fetch")
    feed_id: int = column(Integer, ForeignKey("feed.id"), comment="which feed")
    at: datetime = column(Instant, comment="the run's instant")
    outcome: str = column(Text, comment="updated, unchanged (nothing new or edited), not_modified (304) or failed")
    status: int | None = column(Integer, null=True, comment="HTTP status; NULL: no reply")
    failure_kind: str | None = column(Text, null=True, comment="kind of failure; NULL: none")
    failure_message: str | None = column(Text, null=True, comment="the failure in words")
    final_url: str = column(Text, comment="address that answered")
    bytes: int = column(Integer, comment="bytes of the body, decompressed")
    entries: int | None = column(Integer, null=True, comment="entries listed; NULL: not parsed")
    new_items: int = column(Integer, comment="items first seen here")
    without_id: int | None = column(
        Integer, null=True, comment="entries without an id where there should be one; NULL: not parsed"
    )
    shared_ids: int | None = column(
        Integer, null=True, comment="entries with the id of another article; NULL: not parsed"
    )
    future_dates: int | None = column(Integer, null=True, comment="entries dated in the future; NULL: not parsed")
    remarks: list[str] = column(Record, comment="JSON list: what was repaired or doubtful in the document")
    seconds: float = column(Number, comment="seconds the request took (measured)")


class RestingHostRow(SQLModel, table=True):
    """A host that asked to be left alone (Retry-After, or status 429), and until when."""

    __tablename__ = "resting_host"
    __table_args__ = (instant("until_at"), {"sqlite_strict": True})

    host: str = column(Text, primary_key=True, comment="name of the host, without www.")
    until_at: datetime = column(Instant, comment="nothing is asked of it before")


class HoleRow(SQLModel, table=True):
    """A span in which entries of a feed may have come and gone unseen."""

    __tablename__ = "hole"
    __table_args__ = (
        instant("from_at"),
        instant("to_at"),
        CheckConstraint("from_at < to_at", name="hole_forward"),
        {"sqlite_strict": True},
    )

    feed_id: int = column(Integer, ForeignKey("feed.id"), primary_key=True, comment="which feed")
    from_at: datetime = column(Instant, primary_key=True, comment="last success before the hole")
    to_at: datetime = column(Instant, comment="the fetch that shared no entry with it")


class ItemRow(SQLModel, table=True):
    """The article behind entries, with what heat needs to know of it."""

    __tablename__ = "item"
    __table_args__ = (
        UniqueConstraint("identity", name="item_identity"),
        one_of("published_precision", ("time", "day")),
        instant("published_at"),
        instant("first_seen_at"),
        instant("effective_at"),
        flags("backlog"),
        CheckConstraint("effective_at <= first_seen_at", name="effective_not_after_seen"),
        Index("item_effective", "effective_at"),
        Index("item_first_seen", "first_seen_at", "id"),
        Index("item_of_source", "source_id", "effective_at"),
        {"sqlite_strict": True},
    )

    id: str = column(Text, primary_key=True, comment="i and eleven letters, from the identity")
    identity: str = column(Text, comment="what makes it this article: address, or guid of a source")
    url: str | None = column(Text, null=True, comment="address to open; NULL: none given")
    title: str = column(Text, comment="plain text; empty: none given")
    summary: str = column(Text, comment="plain text")
    text: str = column(Text, comment="plain text of the article where the feed gives it")
    html: str = column(Text, comment="the feed's own content, sanitised")
    language: str | None = column(Text, null=True, comment="BCP 47; NULL: unknown")
    source_id: str = column(Text, ForeignKey("source.id"), comment="the source it belongs to")
    author: str | None = column(Text, null=True, comment="as the entry names them")
    publisher: str | None = column(Text, null=True, comment="original publisher named by an aggregator")
    publisher_url: str | None = column(Text, null=True, comment="its address")
    published_at: datetime | None = column(Instant, null=True, comment="as first claimed; NULL: no usable date")
    published_precision: str | None = column(Text, null=True, comment="time, or day: the local midnight of a bare day")
    first_seen_at: datetime = column(Instant, comment="the run that stored it")
    effective_at: datetime = column(Instant, comment="counts from here; may move earlier, never later")
    effective_because: str = column(Text, comment="why this instant, in words")
    backlog: bool = column(Flag, comment="1: undated in the feed's first fetch; shown, never counted")
    withdrawn_at: datetime | None = column(Instant, null=True, comment="taken back by its source; NULL: not")


class EntryRow(SQLModel, table=True):
    """One element of one feed as published, and the item it stands for."""

    __tablename__ = "entry"
    __table_args__ = (
        UniqueConstraint("feed_id", "entry_key", name="entry_of_feed"),
        instant("first_seen_at"),
        Index("entry_item", "item_id"),
        Index("entry_guid", "feed_id", "guid"),
        Index("entry_link", "link_key"),
        {"sqlite_strict": True},
    )

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the entry")
    feed_id: int = column(Integer, ForeignKey("feed.id"), comment="which feed lists it")
    entry_key: str = column(Text, comment="what makes it this entry of its feed")
    item_id: str = column(Text, ForeignKey("item.id"), comment="the article behind it")
    guid: str | None = column(Text, null=True, comment="as published; NULL: none or blank")
    link: str | None = column(Text, null=True, comment="as published, resolved")
    link_key: str | None = column(Text, null=True, comment="the address folded for comparison")
    first_seen_at: datetime = column(Instant, comment="the run that stored it")
    claimed_at: datetime | None = column(Instant, null=True, comment="newest published time the feed claimed")
    content_sha: str = column(Text, comment="of title, summary and text, to see edits")


class ArticleRow(SQLModel, table=True):
    """An article page that was asked for because the feed gives no text; what it said stands in its item."""

    __tablename__ = "article"
    __table_args__ = (
        one_of("outcome", ("read", "no_text", "failed")),
        instant("fetched_at"),
        instant("next_try_at"),
        Index("article_item", "item_id"),
        Index("article_address", "address_key"),
        {"sqlite_strict": True},
    )

    url: str = column(Text, primary_key=True, comment="address asked")
    item_id: str = column(Text, ForeignKey("item.id"), comment="whose article it is")
    address_key: str | None = column(
        Text, null=True, comment="the address its page gives for itself (rel=canonical), folded; NULL: none"
    )
    elsewhere: str | None = column(Text, null=True, comment="page of another site it was taken from; NULL: none named")
    outcome: str = column(Text, comment="read, no_text (the page has none) or failed")
    failure_kind: str | None = column(Text, null=True, comment="kind of failure; NULL: none")
    failure_message: str | None = column(Text, null=True, comment="the failure in words")
    fetched_at: datetime = column(Instant, comment="the run that asked last")
    attempts: int = column(Integer, comment="how often it was asked for")
    next_try_at: datetime | None = column(Instant, null=True, comment="not asked before; NULL: never again")
    etag: str | None = column(Text, null=True, comment="of the reply, byte for byte")
    last_modified: str | None = column(Text, null=True, comment="of the reply, byte for byte")


class RobotsRow(SQLModel, table=True):
    """The rules of a site for programs, asked once a day before its pages are."""

    __tablename__ = "robots"
    __table_args__ = (instant("fetched_at"), {"sqlite_strict": True})

    origin: str = column(Text, primary_key=True, comment="scheme, host and port")
    rules: str | None = column(Text, null=True, comment="its robots.txt; empty: it has none; NULL: it gave none")
    trouble: str | None = column(Text, null=True, comment="why it gave none, in words; NULL: it did")
    fetched_at: datetime = column(Instant, comment="the run that asked last")


class RevisionRow(SQLModel, table=True):
    """One change of one field of an item, kept for good: what it said before and after."""

    __tablename__ = "revision"
    __table_args__ = (
        one_of("field", ("title", "summary", "text", "effective_at", "source_id", "url", "backlog")),
        instant("decided_at"),
        Index("revision_item", "item_id", "decided_at"),
        {"sqlite_strict": True},
    )

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the revision, in order")
    item_id: str = column(Text, ForeignKey("item.id"), comment="which item")
    decided_at: datetime = column(Instant, comment="the run that saw it")
    field: str = column(Text, comment="what changed")
    before: str | None = column(Text, null=True, comment="the value until then")
    after: str | None = column(Text, null=True, comment="the value from then on")
    because: str = column(Text, comment="what made it change, in words")


class CorrectionRow(SQLModel, table=True):
    """One correction by hand, append-only: what a person decided about stories. An undo names what it undoes."""

    __tablename__ = "correction"
    __table_args__ = (
        one_of("kind", ("merge", "move", "split", "pin", "unpin", "undo")),
        instant("at"),
        instant("after_at"),
        {"sqlite_strict": True},
    )

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the correction, in order")
    at: datetime = column(Instant, comment="when it was made")
    after_at: datetime = column(Instant, comment="the run whose items were the last placed when it was made")
    who: str = column(Text, comment="login name, or as --by says")
    kind: str = column(Text, comment="merge, move, split, pin, unpin or undo")
    arguments: dict[str, Any] = column(Record, comment="JSON record of the stories and items, by whole ids")
    why: str | None = column(Text, null=True, comment="as --why says; NULL: not said")


class RunRow(SQLModel, table=True):
    """One run of the pipeline and its report."""

    __tablename__ = "run"
    __table_args__ = (instant("started_at"), {"sqlite_strict": True})

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the run")
    started_at: datetime = column(Instant, comment="the run's instant")
    report: dict[str, Any] = column(Record, comment="JSON as `ingest --json` prints it, without durations")
    seconds: float = column(Number, comment="seconds it took (measured)")
