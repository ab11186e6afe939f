"""Questions about sources: how each feed is doing, and how much there is in all."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, Row, func, select

from storyheat.core.feeds.doctor import FeedHealth
from storyheat.core.model import SourceId
from storyheat.store.columns import instant_from_text
from storyheat.store.facts import EntryRow, FeedRow, FetchRow, HoleRow, ItemRow, SourceRow
from storyheat.store.rows import batches, table

SOURCE, FEED, FETCH, ITEM = table(SourceRow), table(FeedRow), table(FetchRow), table(ItemRow)
ENTRY, HOLE = table(EntryRow), table(HoleRow)


def feed_healths(connection: Connection) -> list[FeedHealth]:
    """Every feed ever followed, by (source, address)."""
    own = FETCH.c.feed_id == FEED.c.id
    newest = select(func.max(FETCH.c.id)).where(own).correlate(FEED).scalar_subquery()
    read = select(func.max(FETCH.c.id)).where(own, FETCH.c.entries.is_not(None)).correlate(FEED).scalar_subquery()
    failing = (
        select(func.min(FETCH.c.at))
        .where(own, FETCH.c.at > func.coalesce(FEED.c.last_success_at, ""), FETCH.c.outcome == "failed")
        .correlate(FEED)
        .scalar_subquery()
    )
    full = select(func.max(FETCH.c.id)).where(own, FETCH.c.entries > 0).correlate(FEED).scalar_subquery()
    empty = (
        select(func.min(FETCH.c.at))
        .where(own, FETCH.c.entries == 0, FETCH.c.id > func.coalesce(full, 0))
        .correlate(FEED)
        .scalar_subquery()
    )
    parsed = FETCH.alias("parsed")
    query = (
        select(
            FEED,
            SOURCE.c.enabled.label("source_enabled"),
            SOURCE.c.owner,
            failing.label("failing_since"),
            empty.label("empty_since"),
            parsed.c.entries.label("listed"),
            parsed.c.without_id,
            parsed.c.shared_ids,
            parsed.c.future_dates,
            FETCH.c.at.label("polled_at"),
            FETCH.c.outcome,
            FETCH.c.failure_kind,
            FETCH.c.failure_message,
            FETCH.c.remarks,
        )
        .join(SOURCE, SOURCE.c.id == FEED.c.source_id)
        .outerjoin(FETCH, FETCH.c.id == newest)
        .outerjoin(parsed, parsed.c.id == read)
        .order_by(FEED.c.source_id, FEED.c.url)
    )
    rows = list(connection.execute(query))
    holes: dict[int, list[tuple[datetime, datetime]]] = defaultdict(list)
    for hole in connection.execute(select(HOLE).order_by(HOLE.c.feed_id, HOLE.c.from_at)):
        holes[hole.feed_id].append((hole.from_at, hole.to_at))
    items = _listed_items(connection, rows)
    return [
        FeedHealth(
            source=SourceId(row.source_id),
            url=row.url,
            enabled=row.enabled and row.source_enabled,
            gone=row.gone,
            failures_in_row=row.failures_in_row,
            restamp_strikes=row.restamp_strikes,
            interval=timedelta(seconds=row.interval_seconds),
            next_poll_at=row.next_poll_at,
            first_success_at=row.first_success_at,
            last_success_at=row.last_success_at,
            last_poll_at=row.polled_at,
            last_outcome=row.outcome,
            last_failure_kind=row.failure_kind,
            last_failure=row.failure_message,
            entries=row.listed,
            remarks=tuple(row.remarks or ()),
            owner=row.owner,
            moved_url=row.moved_url,
            left_alone_until=row.left_alone_until,
            failing_since=row.failing_since,
            body_changed_at=row.body_changed_at,
            empty_since=row.empty_since if row.listing else None,  # else it never listed anything
            news_hours=tuple(instant_from_text(text) for text in row.news_hours),
            without_id=row.without_id or 0,
            shared_ids=row.shared_ids or 0,
            future_dates=row.future_dates or 0,
            holes=tuple(holes[row.id]),
            items=items.get(row.id, frozenset()),
        )
        for row in rows
    ]


def _listed_items(connection: Connection, rows: Sequence[Row[tuple[object, ...]]]) -> dict[int, frozenset[str]]:
    """The items that each feed lists, for owners with several feeds: those may list the same."""
    feeds_of = Counter(row.owner for row in rows if row.enabled and row.source_enabled)
    entries = {number: row.id for row in rows if feeds_of[row.owner] > 1 for number in row.listing}
    found: dict[int, set[str]] = defaultdict(set)
    for some in batches(sorted(entries)):
        for row in connection.execute(select(ENTRY.c.id, ENTRY.c.item_id).where(ENTRY.c.id.in_(some))):
            found[entries[row.id]].add(row.item_id)
    return {feed: frozenset(items) for feed, items in found.items()}


def newest_item_times(connection: Connection) -> dict[SourceId, datetime]:
    """The effective time of the newest item of each source."""
    newest = select(func.max(ITEM.c.effective_at)).where(ITEM.c.source_id == SOURCE.c.id).correlate(SOURCE)
    rows = connection.execute(select(SOURCE.c.id, newest.scalar_subquery().label("at")))
    return {SourceId(row.id): row.at for row in rows if row.at is not None}


def newest_effective_time(connection: Connection) -> datetime | None:
    """The effective time of the newest item of all; None: nothing was ever stored."""
    return connection.execute(select(ITEM.c.effective_at).order_by(ITEM.c.effective_at.desc()).limit(1)).scalar()
