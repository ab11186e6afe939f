"""Sources and feeds in the database: kept in step with the settings, read before a poll, written after it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, insert, or_, select, update

from storyheat.core.feeds.doctor import oddities
from storyheat.core.feeds.polling import FeedState, Polled, PollParams, next_due
from storyheat.core.feeds.reading import reading_of
from storyheat.core.items.facts import Hole
from storyheat.core.model import Feed, Level, Source, SourceId, Url
from storyheat.store.columns import instant_from_text, instant_text
from storyheat.store.facts import FeedRow, FetchRow, HoleRow, RestingHostRow, RunRow, SourceRow
from storyheat.store.rows import table

SOURCE, FEED, FETCH = table(SourceRow), table(FeedRow), table(FetchRow)
_SOURCES = select(SOURCE).order_by(SOURCE.c.id)
_ADDRESSES = select(FEED.c.source_id, FEED.c.url, FEED.c.site).order_by(FEED.c.id)
HOLE, RUN, RESTING = table(HoleRow), table(RunRow), table(RestingHostRow)


def sync_sources(connection: Connection, sources: Sequence[Source], params: PollParams, max_entries: int) -> None:
    """Writes the configured sources and feeds; what is no longer configured stays, but is not polled.

    `max_entries`: of one document that are read.
    """
    stored = {row.id: row for row in connection.execute(select(SOURCE))}
    for source in sources:
        values = _source_values(source)
        if source.id not in stored:
            connection.execute(insert(SOURCE).values(id=source.id, **values))
        elif any(getattr(stored[source.id], name) != value for name, value in values.items()):
            connection.execute(update(SOURCE).where(SOURCE.c.id == source.id).values(**values))
    configured = {source.id for source in sources}
    for gone in sorted(row.id for row in stored.values() if row.enabled and row.id not in configured):
        connection.execute(update(SOURCE).where(SOURCE.c.id == gone).values(enabled=False))
    _sync_feeds(connection, sources, params, max_entries)


def _sync_feeds(connection: Connection, sources: Sequence[Source], params: PollParams, max_entries: int) -> None:
    stored = {(row.source_id, row.url): row for row in connection.execute(select(FEED))}
    wanted = {(str(source.id), str(feed.url)): (source, feed) for source in sources for feed in source.feeds}
    for key, (source, feed) in wanted.items():
        read_by = reading_of(source, feed, max_entries)
        if key not in stored:
            interval = source.poll_interval or params.default_interval
            connection.execute(
                insert(FEED).values(
                    source_id=key[0],
                    url=key[1],
                    read_by=read_by,
                    enabled=True,
                    gone=False,
                    listing=[],
                    news_hours=[],
                    skip_hours=[],
                    skip_days=[],
                    interval_seconds=int(interval.total_seconds()),
                    failures_in_row=0,
                    restamp_strikes=0,
                )
            )
            continue
        row = stored[key]
        if row.read_by != read_by:
            connection.execute(update(FEED).where(FEED.c.id == row.id).values(**_to_be_read_anew(row), read_by=read_by))
        if not row.enabled:
            connection.execute(update(FEED).where(FEED.c.id == row.id).values(enabled=True))
    for key, row in stored.items():
        if row.enabled and key not in wanted:
            connection.execute(update(FEED).where(FEED.c.id == row.id).values(enabled=False))


def _to_be_read_anew(row: Row[tuple[object, ...]]) -> dict[str, object]:
    """What a feed forgets when its documents are to be read in another way: that it holds one, and what stood in it.

    If it failed, it may work now, so it is asked in the next run.
    """
    forgotten: dict[str, object] = {"etag": None, "last_modified": None, "body_sha256": None, "listing": []}
    return forgotten | ({"next_poll_at": None} if row.failures_in_row else {})


def _source_values(source: Source) -> dict[str, object]:
    return {
        "name": source.name,
        "owner": source.owner,
        "site": source.site,
        "enabled": source.enabled,
        "level": source.level.value,
        "digest": source.digest,
        "community": source.community,
        "aggregator": source.aggregator,
        "language": source.language,
        "timezone": source.timezone,
        "topics": list(source.topics),
        "speaks_for": list(source.speaks_for),
        "weight": float(source.weight),
    }


def stored_sources(connection: Connection) -> dict[SourceId, Source]:
    """Every source ever followed, by id; without a configured site the one its feeds name themselves."""
    feeds: dict[str, list[Row[Any, Any, Any]]] = {}
    for row in connection.execute(_ADDRESSES):
        feeds.setdefault(row.source_id, []).append(row)
    found = {}
    for row in connection.execute(_SOURCES):
        own = feeds.get(row.id, [])
        site = row.site or next((feed.site for feed in own if feed.site), None) or _first_url(own)
        found[SourceId(row.id)] = Source(
            id=SourceId(row.id),
            name=row.name,
            owner=row.owner,
            feeds=tuple(Feed(Url(feed.url)) for feed in own),
            site=site,
            enabled=row.enabled,
            level=Level(row.level),
            digest=row.digest,
            community=row.community,
            aggregator=row.aggregator,
            language=row.language,
            timezone=row.timezone,
            topics=tuple(row.topics),
            speaks_for=tuple(row.speaks_for),
            weight=row.weight,
        )
    return found


def _first_url(feeds: Sequence[Row[Any, Any, Any]]) -> Url | None:
    return Url(str(feeds[0].url)) if feeds else None


def feed_states(connection: Connection, configured: Iterable[Source]) -> list[FeedState]:
    """The state of every enabled feed of the enabled configured sources, by (source, address)."""
    by_id: Mapping[str, Source] = {source.id: source for source in configured if source.enabled}
    query: Select[tuple[object, ...]] = select(FEED).where(FEED.c.enabled).order_by(FEED.c.source_id, FEED.c.url)
    return [feed_state(row, by_id[row.source_id]) for row in connection.execute(query) if row.source_id in by_id]


def feed_state(row: Row[tuple[object, ...]], source: Source) -> FeedState:
    """A feed as the polling core sees it; `source` as configured."""
    return FeedState(
        id=row.id,
        source=source,
        url=Url(row.url),
        moved_url=row.moved_url,
        gone=row.gone,
        site=row.site,
        etag=row.etag,
        last_modified=row.last_modified,
        body_sha256=row.body_sha256,
        body_changed_at=row.body_changed_at,
        listing=tuple(row.listing),
        news_hours=tuple(instant_from_text(text) for text in row.news_hours),
        poll_hint=None if row.poll_hint_seconds is None else timedelta(seconds=row.poll_hint_seconds),
        skip_hours=frozenset(row.skip_hours),
        skip_days=frozenset(row.skip_days),
        next_poll_at=row.next_poll_at,
        left_alone_until=row.left_alone_until,
        interval=timedelta(seconds=row.interval_seconds),
        hurry=None if row.hurry_seconds is None else timedelta(seconds=row.hurry_seconds),
        failures_in_row=row.failures_in_row,
        first_success_at=row.first_success_at,
        last_success_at=row.last_success_at,
        restamp_strikes=row.restamp_strikes,
    )


def write_polls(
    connection: Connection,
    polls: Sequence[Polled],
    after: Sequence[FeedState],
    holes: Sequence[Hole],
    new_items: Mapping[int, int],
    now: datetime,
) -> None:
    """Writes one row a poll and the state each feed is in after it; of two states of one feed the last holds."""
    rows = [
        {
            "feed_id": polled.feed.id,
            "at": now,
            "outcome": polled.outcome,
            "status": polled.reply.status,
            "failure_kind": None if polled.failure is None else polled.failure.kind.value,
            "failure_message": None if polled.failure is None else polled.failure.message,
            # Where the address is a secret, so may be those it leads to.
            "final_url": polled.reply.final_url if polled.feed.secret_url is None else polled.feed.url,
            "bytes": len(polled.reply.body),
            "entries": None if polled.parsed is None else len(polled.parsed.entries),
            "new_items": new_items.get(polled.feed.id, 0),
            **_oddities(polled, now),
            "remarks": [] if polled.parsed is None else list(polled.parsed.remarks),
            "seconds": polled.reply.seconds,
        }
        for polled in sorted(polls, key=lambda polled: polled.feed.id)
    ]
    if rows:
        connection.execute(insert(FETCH), rows)
    for state in after:
        connection.execute(
            update(FEED)
            .where(FEED.c.id == state.id)
            .values(
                moved_url=state.moved_url,
                gone=state.gone,
                site=state.site,
                etag=state.etag,
                last_modified=state.last_modified,
                body_sha256=state.body_sha256,
                body_changed_at=state.body_changed_at,
                listing=list(state.listing),
                news_hours=[instant_text(at) for at in state.news_hours],
                poll_hint_seconds=None if state.poll_hint is None else int(state.poll_hint.total_seconds()),
                skip_hours=sorted(state.skip_hours),
                skip_days=sorted(state.skip_days),
                next_poll_at=state.next_poll_at,
                left_alone_until=state.left_alone_until,
                interval_seconds=int(state.interval.total_seconds()),
                hurry_seconds=None if state.hurry is None else int(state.hurry.total_seconds()),
                failures_in_row=state.failures_in_row,
                first_success_at=state.first_success_at,
                last_success_at=state.last_success_at,
                restamp_strikes=state.restamp_strikes,
            )
        )
    if holes:
        for hole in holes:  # one that a clock left which was set back since
            known = (HOLE.c.feed_id == hole.feed_id, HOLE.c.from_at == hole.from_at)
            connection.execute(delete(HOLE).where(*known))
        connection.execute(
            insert(HOLE), [{"feed_id": h.feed_id, "from_at": h.from_at, "to_at": h.to_at} for h in holes]
        )


def resting_hosts(connection: Connection, now: datetime, params: PollParams) -> dict[str, datetime]:
    """The hosts that asked to be left alone at this instant, and until when."""
    query = select(RESTING).where(RESTING.c.until_at > now, RESTING.c.until_at <= now + params.longest_wait)
    return {row.host: row.until_at for row in connection.execute(query)}


def next_poll(
    connection: Connection, configured: Iterable[Source], now: datetime, params: PollParams
) -> datetime | None:
    """When the first feed of the configured sources will be due; None: there is none to poll."""
    return next_due(feed_states(connection, configured), resting_hosts(connection, now, params), now, params)


def store_rests(connection: Connection, until: Mapping[str, datetime], now: datetime) -> None:
    """Keeps until when hosts asked to be left alone; rests that are over are forgotten."""
    connection.execute(delete(RESTING).where(or_(RESTING.c.until_at <= now, RESTING.c.host.in_(sorted(until)))))
    if until:
        connection.execute(insert(RESTING), [{"host": host, "until_at": until[host]} for host in sorted(until)])


def _oddities(polled: Polled, now: datetime) -> dict[str, int | None]:
    if polled.parsed is None:
        return {"without_id": None, "shared_ids": None, "future_dates": None}
    found = oddities(polled.parsed, now)
    return {"without_id": found.without_id, "shared_ids": found.shared_ids, "future_dates": found.future_dates}


def note_run(connection: Connection, now: datetime, report: Mapping[str, object], seconds: float) -> None:
    """Keeps the report of a run that came to its end. `seconds`: how long it took."""
    connection.execute(insert(RUN).values(started_at=now, report=report, seconds=seconds))
