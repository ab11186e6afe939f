"""The facts as values: items, entries, revisions and holes, as the store keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from storyheat.core.feeds.polling import FeedState
from storyheat.core.items.identity import KnownEntry
from storyheat.core.model import ItemId, Published, SourceId, Url


@dataclass(frozen=True, slots=True)
class StoredEntry(KnownEntry):
    """An entry as stored, with what is needed to see edits and moved dates."""

    content_sha: str


@dataclass(frozen=True, slots=True)
class Item:
    """An item as stored."""

    id: ItemId
    identity: str
    url: Url | None
    title: str
    summary: str
    text: str
    html: str
    language: str | None
    source: SourceId
    author: str | None
    publisher: str | None
    publisher_url: Url | None
    published: Published | None
    first_seen_at: datetime
    effective_at: datetime
    effective_because: str
    backlog: bool


@dataclass(frozen=True, slots=True)
class Revision:
    """One change of one field of an item."""

    item: ItemId
    field: str
    before: str | None
    after: str | None
    because: str


@dataclass(frozen=True, slots=True)
class Known:
    """What the store holds that the run's entries may mean: entries by guid, key or link, and their items."""

    entries: tuple[StoredEntry, ...] = ()
    items: Mapping[ItemId, Item] = field(default_factory=dict)
    by_identity: Mapping[str, ItemId] = field(default_factory=dict)
    let_go: frozenset[int] = frozenset()  # of the keys that the claims have those of items that were let go


@dataclass(frozen=True, slots=True)
class Hole:
    """A span in which entries of a feed may have come and gone unseen."""

    feed_id: int
    from_at: datetime
    to_at: datetime


@dataclass(slots=True)
class Intake:
    """What one poll of many feeds adds to the facts."""

    items: list[Item] = field(default_factory=list)
    changed_items: dict[ItemId, Item] = field(default_factory=dict)
    revisions: list[Revision] = field(default_factory=list)
    entries: list[StoredEntry] = field(default_factory=list)  # new ones
    links: dict[int, Url | None] = field(default_factory=dict)  # entry id → link as published
    changed_entries: dict[int, StoredEntry] = field(default_factory=dict)
    feeds: list[FeedState] = field(default_factory=list)
    holes: list[Hole] = field(default_factory=list)
    quiet: set[int] = field(default_factory=set)  # feeds whose document held nothing new or edited
    new_items_of: dict[int, int] = field(default_factory=dict)  # feed id → items first seen there
