"""Article pages and robots.txt in the database: what is still to be read, and what a run's visits add."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, delete, exists, insert, select, update

from storyheat.core.feeds.robots import Robots
from storyheat.core.items.articles import ArticleIntake, ArticleRecord, Candidate
from storyheat.core.items.facts import Item
from storyheat.core.model import ItemId, Source, SourceId, Url
from storyheat.store.facts import FeedRow, RobotsRow
from storyheat.store.intake import ARTICLE, ENTRY, ITEM, item_of, items_by_id, store_changes
from storyheat.store.rows import batches, table
from storyheat.store.source_tallies import count_out

ROBOTS, FEED = table(RobotsRow), table(FeedRow)


def unread(
    connection: Connection, sources: Sequence[Source], only: frozenset[str] | None, since: datetime, now: datetime
) -> list[Candidate]:
    """The items without a text that a feed with `fulltext: true` lists and whose page was not read yet.

    `since`: their earliest effective time; `only`: ids of the sources meant; None: all.
    """
    wanted = {
        (source.id, feed.url)
        for source in sources
        if source.enabled and (only is None or source.id in only)
        for feed in source.feeds
        if feed.fulltext
    }
    if not wanted:
        return []
    rows = connection.execute(select(FEED.c.id, FEED.c.source_id, FEED.c.url))
    feeds = sorted(row.id for row in rows if (SourceId(row.source_id), Url(row.url)) in wanted)
    listed = exists().where(ENTRY.c.item_id == ITEM.c.id, ENTRY.c.feed_id.in_(feeds))
    query = (
        select(ITEM, ARTICLE.c.attempts, ARTICLE.c.next_try_at)
        .outerjoin(ARTICLE, ARTICLE.c.url == ITEM.c.url)
        .where(ITEM.c.text == "", ITEM.c.url.is_not(None), ITEM.c.effective_at >= since, listed)
        .where(ARTICLE.c.url.is_(None) | (ARTICLE.c.next_try_at <= now))
        .order_by(ITEM.c.id)
    )
    return [Candidate(item_of(row), row.attempts or 0, row.next_try_at) for row in connection.execute(query)]


def known_by_address(connection: Connection, keys: Iterable[str]) -> dict[str, Item]:
    """The items known by these folded addresses: it is their identity, or their page gave it."""
    ids = owners_of_addresses(connection, keys)
    items = items_by_id(connection, ids.values())
    return {key: items[item] for key, item in ids.items()}


def owners_of_addresses(connection: Connection, keys: Iterable[str]) -> dict[str, ItemId]:
    """The item that each folded address belongs to, an identity before a page's word."""
    found: dict[str, ItemId] = {}
    for some in batches(sorted(set(keys))):
        named = select(ARTICLE.c.address_key, ARTICLE.c.item_id).where(ARTICLE.c.address_key.in_(some))
        for row in connection.execute(named.order_by(ARTICLE.c.fetched_at.desc(), ARTICLE.c.url.desc())):
            found[row.address_key] = ItemId(row.item_id)  # the first page that gave it comes last
        for row in connection.execute(select(ITEM.c.identity, ITEM.c.id).where(ITEM.c.identity.in_(some))):
            found[row.identity] = ItemId(row.id)
    return found


def store_articles(connection: Connection, intake: ArticleIntake, now: datetime) -> None:
    """Writes what the visits of a run brought. A new item that is another one gives its entries to that and goes."""
    store_changes(connection, intake.changed.values(), intake.revisions, now)
    for new, same in intake.folded.items():
        connection.execute(update(ENTRY).where(ENTRY.c.item_id == new).values(item_id=same))
        count_out(connection, [new])
        connection.execute(delete(ITEM).where(ITEM.c.id == new))
    for record in intake.records:
        connection.execute(delete(ARTICLE).where(ARTICLE.c.url == record.url))
        connection.execute(insert(ARTICLE).values(**_values(record)))


def _values(record: ArticleRecord) -> dict[str, object]:
    return {
        "url": record.url,
        "item_id": record.item,
        "address_key": record.address_key,
        "elsewhere": record.elsewhere,
        "outcome": record.outcome,
        "failure_kind": None if record.failure is None else record.failure.kind.value,
        "failure_message": None if record.failure is None else record.failure.message,
        "fetched_at": record.fetched_at,
        "attempts": record.attempts,
        "next_try_at": record.next_try_at,
        "etag": record.etag,
        "last_modified": record.last_modified,
    }


def robots_since(connection: Connection, since: datetime) -> list[Robots]:
    """The rules that were asked for after an instant, by origin."""
    query = select(ROBOTS).where(ROBOTS.c.fetched_at > since).order_by(ROBOTS.c.origin)
    return [Robots(row.origin, row.rules, row.fetched_at, row.trouble) for row in connection.execute(query)]


def store_robots(connection: Connection, fetched: Iterable[Robots]) -> None:
    """Writes rules that were asked for, in place of older ones."""
    for robots in fetched:
        connection.execute(delete(ROBOTS).where(ROBOTS.c.origin == robots.origin))
        connection.execute(insert(ROBOTS).values(**asdict(robots)))
