"""Items and entries in the database: what is known of a run's entries, and what the run adds."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, Row, bindparam, insert, select, update

from storyheat.core.items.facts import Intake, Item, Known, Revision, StoredEntry
from storyheat.core.items.identity import Claim
from storyheat.core.model import ItemId, Precision, Published, SourceId
from storyheat.store.facts import ArticleRow, EntryRow, ItemRow, RevisionRow
from storyheat.store.rows import SOME, batches, rows_of, table
from storyheat.store.source_tallies import count_in

ITEM, ENTRY, REVISION = table(ItemRow), table(EntryRow), table(RevisionRow)
ARTICLE = table(ArticleRow)

_ENTRIES = select(ENTRY, ITEM.c.title.label("item_title")).join(ITEM, ITEM.c.id == ENTRY.c.item_id)
_OF_FEED = _ENTRIES.where(ENTRY.c.feed_id == bindparam("feed"))
# Keys and guids are asked for apart: "one or the other" makes SQLite read all entries of the feed.
_BY_KEY, _BY_GUID = _OF_FEED.where(ENTRY.c.entry_key.in_(SOME)), _OF_FEED.where(ENTRY.c.guid.in_(SOME))
_BY_LINK, _BY_NUMBER = _ENTRIES.where(ENTRY.c.link_key.in_(SOME)), _ENTRIES.where(ENTRY.c.id.in_(SOME))


def known_for(
    connection: Connection, claimed: Mapping[int, Sequence[Claim]], listings: Mapping[int, Collection[int]]
) -> Known:
    """What is stored of the entries that the claims may mean, and the items behind them.

    `claimed` maps feed ids to the claims of the document just parsed, `listings` to the entries listed before it.
    """
    entries: dict[int, StoredEntry] = {}

    def add(rows: Iterable[Row[tuple[object, ...]]]) -> None:
        entries.update((row.id, _entry(row)) for row in rows)

    own = [(feed_id, claim) for feed_id in sorted(claimed) for claim in claimed[feed_id]]
    for feed_id in sorted(claimed):
        for some in batches(claimed[feed_id]):
            keys = [claim.entry_key for claim in some]
            guids = [claim.guid for claim in some if claim.guid is not None]
            add(connection.execute(_BY_KEY, {"feed": feed_id, "some": keys}))
            if guids:
                add(connection.execute(_BY_GUID, {"feed": feed_id, "some": guids}))
    add(rows_of(connection, _BY_LINK, (claim.link_key for _, claim in own if claim.link_key is not None)))
    unmet = [
        number
        for feed_id in _feeds_with_news(claimed, entries.values())
        for number in listings.get(feed_id, ())
        if number not in entries
    ]
    for numbers in batches(sorted(unmet)):
        add(connection.execute(_BY_NUMBER, {"some": numbers}))
    items: dict[ItemId, Item] = {}
    wanted = sorted({entry.item_id for entry in entries.values()})
    for ids in batches(wanted):
        items.update((item.id, item) for item in _items(connection, ITEM.c.id.in_(ids)))
    by_address: dict[str, ItemId] = {}
    for identities in batches(sorted({claim.identity for _, claim in own})):
        items.update((item.id, item) for item in _items(connection, ITEM.c.identity.in_(identities)))
        named = select(ARTICLE.c.address_key, ARTICLE.c.item_id).where(ARTICLE.c.address_key.in_(identities))
        for row in connection.execute(named.order_by(ARTICLE.c.fetched_at, ARTICLE.c.url)):
            by_address.setdefault(row.address_key, ItemId(row.item_id))  # its page says that this is its address
    items.update(items_by_id(connection, set(by_address.values()) - items.keys()))
    return Known(
        entries=tuple(entries[number] for number in sorted(entries)),
        items=items,
        by_identity=by_address | {item.identity: item.id for item in items.values()},
    )


def _feeds_with_news(claimed: Mapping[int, Sequence[Claim]], entries: Iterable[StoredEntry]) -> list[int]:
    """The feeds of which a claim has neither the key nor the guid nor the address of an entry of theirs."""
    met = {(e.feed_id, kind, value) for e in entries for kind, value in _names(e.entry_key, e.guid, e.link_key)}
    return [
        feed_id
        for feed_id in sorted(claimed)
        if any(
            met.isdisjoint((feed_id, *name) for name in _names(claim.entry_key, claim.guid, claim.link_key))
            for claim in claimed[feed_id]
        )
    ]


def _names(key: str, guid: str | None, link_key: str | None) -> list[tuple[str, str]]:
    return [(kind, value) for kind, value in (("key", key), ("guid", guid), ("link", link_key)) if value is not None]


def store_intake(connection: Connection, intake: Intake, now: datetime) -> None:
    """Writes new items, edits, entries and revisions."""
    if intake.items:
        connection.execute(insert(ITEM), [_item_values(item) for item in intake.items])
        count_in(connection, Counter(item.source for item in intake.items))
    store_changes(connection, intake.changed_items.values(), intake.revisions, now)
    if intake.entries:
        connection.execute(
            insert(ENTRY),
            [
                {
                    "id": entry.id,
                    "feed_id": entry.feed_id,
                    "entry_key": entry.entry_key,
                    "item_id": entry.item_id,
                    "guid": entry.guid,
                    "link": intake.links[entry.id],
                    "link_key": entry.link_key,
                    "first_seen_at": now,
                    "claimed_at": entry.claimed_at,
                    "content_sha": entry.content_sha,
                }
                for entry in intake.entries
            ],
        )
    for entry in intake.changed_entries.values():
        connection.execute(
            update(ENTRY)
            .where(ENTRY.c.id == entry.id)
            .values(
                guid=entry.guid,
                link_key=entry.link_key,
                claimed_at=entry.claimed_at,
                content_sha=entry.content_sha,
            )
        )


def store_changes(
    connection: Connection, changed: Iterable[Item], revisions: Iterable[Revision], now: datetime
) -> None:
    """Writes items that changed, and the log of what changed."""
    for item in changed:
        connection.execute(update(ITEM).where(ITEM.c.id == item.id).values(**_item_values(item)))
    rows = [
        {
            "item_id": revision.item,
            "decided_at": now,
            "field": revision.field,
            "before": revision.before,
            "after": revision.after,
            "because": revision.because,
        }
        for revision in revisions
    ]
    if rows:
        connection.execute(insert(REVISION), rows)


def items_by_id(connection: Connection, ids: Iterable[ItemId]) -> dict[ItemId, Item]:
    """The items with these ids, as stored now."""
    found: dict[ItemId, Item] = {}
    for batch in batches(sorted(set(ids))):
        found.update((item.id, item) for item in _items(connection, ITEM.c.id.in_(batch)))
    return found


def _items(connection: Connection, where: object) -> list[Item]:
    return [item_of(row) for row in connection.execute(select(ITEM).where(where).order_by(ITEM.c.id))]  # type: ignore[arg-type]


def item_of(row: Row[tuple[object, ...]]) -> Item:
    """The value of a row of the table `item`."""
    published = None
    if row.published_at is not None:
        published = Published(row.published_at, Precision(row.published_precision))
    return Item(
        id=ItemId(row.id),
        identity=row.identity,
        url=row.url,
        title=row.title,
        summary=row.summary,
        text=row.text,
        html=row.html,
        language=row.language,
        source=SourceId(row.source_id),
        author=row.author,
        publisher=row.publisher,
        publisher_url=row.publisher_url,
        published=published,
        first_seen_at=row.first_seen_at,
        effective_at=row.effective_at,
        effective_because=row.effective_because,
        backlog=row.backlog,
    )


def _item_values(item: Item) -> dict[str, object]:
    return {
        "id": item.id,
        "identity": item.identity,
        "url": item.url,
        "title": item.title,
        "summary": item.summary,
        "text": item.text,
        "html": item.html,
        "language": item.language,
        "source_id": item.source,
        "author": item.author,
        "publisher": item.publisher,
        "publisher_url": item.publisher_url,
        "published_at": None if item.published is None else item.published.at,
        "published_precision": None if item.published is None else item.published.precision.value,
        "first_seen_at": item.first_seen_at,
        "effective_at": item.effective_at,
        "effective_because": item.effective_because,
        "backlog": item.backlog,
    }


def _entry(row: Row[tuple[object, ...]]) -> StoredEntry:
    return StoredEntry(
        id=row.id,
        feed_id=row.feed_id,
        entry_key=row.entry_key,
        item_id=ItemId(row.item_id),
        guid=row.guid,
        link_key=row.link_key,
        title=row.item_title,
        claimed_at=row.claimed_at,
        content_sha=row.content_sha,
    )
