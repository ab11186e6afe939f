"""Questions about sources: how each feed is doing, and how much there is in all."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection, func, select

from storyheat.core.model import SourceId
from storyheat.store.facts import FeedRow, FetchRow, ItemRow, SourceRow
from storyheat.store.rows import table

SOURCE, FEED, FETCH, ITEM = table(SourceRow), table(FeedRow), table(FetchRow), table(ItemRow)


@dataclass(frozen=True, slots=True)
class FeedHealth:
    """One feed with its last poll. `enabled`: it and its source are followed."""

    source: SourceId
    url: str
    enabled: bool
    gone: bool
    failures_in_row: int
    restamp_strikes: int
    interval: timedelta
    next_poll_at: datetime | None
    first_success_at: datetime | None
    last_success_at: datetime | None
    last_poll_at: datetime | None  # None: never polled
    last_outcome: str | None
    last_failure_kind: str | None
    last_failure: str | None
    entries: int | None  # listed when it was last parsed; None: never
    remarks: tuple[str, ...]


def feed_healths(connection: Connection) -> list[FeedHealth]:
    """Every feed ever followed, by (source, address)."""
    newest = select(func.max(FETCH.c.id)).where(FETCH.c.feed_id == FEED.c.id).correlate(FEED).scalar_subquery()
    parsed = (
        select(FETCH.c.entries)
        .where(FETCH.c.feed_id == FEED.c.id, FETCH.c.entries.is_not(None))
        .order_by(FETCH.c.id.desc())
        .limit(1)
        .correlate(FEED)
        .scalar_subquery()
    )
    query = (
        select(
            FEED,
            SOURCE.c.enabled.label("source_enabled"),
            parsed.label("listed"),
            FETCH.c.at.label("polled_at"),
            FETCH.c.outcome,
            FETCH.c.failure_kind,
            FETCH.c.failure_message,
            FETCH.c.remarks,
        )
        .join(SOURCE, SOURCE.c.id == FEED.c.source_id)
        .outerjoin(FETCH, FETCH.c.id == newest)
        .order_by(FEED.c.source_id, FEED.c.url)
    )
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
        )
        for row in connection.execute(query)
    ]


def item_counts(connection: Connection) -> dict[SourceId, int]:
    """How many items belong to each source; sources without one are left out."""
    query = select(ITEM.c.source_id, func.count()).group_by(ITEM.c.source_id)
    return {SourceId(row[0]): int(row[1]) for row in connection.execute(query)}


def newest_item_times(connection: Connection) -> dict[SourceId, datetime]:
    """The effective time of the newest item of each source."""
    query = select(ITEM.c.source_id, func.max(ITEM.c.effective_at).label("at")).group_by(ITEM.c.source_id)
    return {SourceId(row.source_id): row.at for row in connection.execute(query)}


def newest_effective_time(connection: Connection) -> datetime | None:
    """The effective time of the newest item of all; None: nothing was ever stored."""
    return connection.execute(select(ITEM.c.effective_at).order_by(ITEM.c.effective_at.desc()).limit(1)).scalar()
