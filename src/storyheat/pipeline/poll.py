"""The first stage of a run: asks the feeds that are due and stores what they say as facts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from storyheat.core.facts import Intake
from storyheat.core.intake import read_claims, take_in
from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply, Selectors, Source, Url
from storyheat.core.polling import FeedState, Polled, PollParams, asked_for_rest, feeds_to_ask, left_alone, request_for
from storyheat.errors import DocumentError
from storyheat.ingest.document import DEFAULT_PARAMS, DocumentParams, parse_document
from storyheat.pipeline.robots import refused_pages
from storyheat.pipeline.stopwatch import Stopwatch
from storyheat.ports import Fetcher
from storyheat.store import feeds, intake
from storyheat.store.database import Database

Progress = Callable[[int, int], None]
"""Told after each reply: how many came, and how many are asked for."""


@dataclass(frozen=True, slots=True)
class PollResult:
    """What the poll stage did. `skipped`: enabled feeds, of the sources asked for, that were not due."""

    polls: tuple[Polled, ...]
    intake: Intake
    skipped: int


def poll(
    database: Database,
    sources: Sequence[Source],
    fetcher: Fetcher,
    now: datetime,
    params: PollParams,
    watch: Stopwatch,
    *,
    only: frozenset[str] | None = None,
    force: bool = False,
    progress: Progress = lambda done, total: None,
    limits: DocumentParams = DEFAULT_PARAMS,
) -> PollResult:
    """Polls what is due (with `force` all that may be asked) and stores it in one transaction.

    `only`: ids of sources; None: all. `watch` gets the laps fetch, parse and store.
    """
    with database.write() as connection:
        feeds.sync_sources(connection, sources, params)
        states = feeds.feed_states(connection, sources)
        resting = feeds.resting_hosts(connection, now, params)
    due = feeds_to_ask(states, resting, now, params, only=only, force=force)
    polls = _ask(database, due, fetcher, now, limits, progress, watch)
    with watch("store"), database.write() as connection:
        # Another run may have polled the same feeds while this one was waiting for replies.
        current = {state.id: state for state in feeds.feed_states(connection, sources)}
        polls = tuple(replace(polled, feed=current.get(polled.feed.id, polled.feed)) for polled in polls)
        claimed = read_claims(polls)
        known = intake.known_for(connection, claimed)
        everyone = feeds.stored_sources(connection)
        taken = take_in(polls, claimed, known, everyone, now, params)
        intake.store_intake(connection, taken, now)
        polls = tuple(replace(polled, quiet=polled.feed.id in taken.quiet) for polled in polls)
        current |= {state.id: state for state in taken.feeds}
        rests = asked_for_rest([polled.reply for polled in polls], now, params)
        feeds.store_rests(connection, rests, now)
        after = [*taken.feeds, *left_alone(current.values(), rests)]
        feeds.write_polls(connection, polls, after, taken.holes, taken.new_items_of, now)
    asked_for = sum(only is None or state.source.id in only for state in states)
    return PollResult(polls, taken, asked_for - len(due))


def _ask(
    database: Database,
    due: Sequence[FeedState],
    fetcher: Fetcher,
    now: datetime,
    limits: DocumentParams,
    progress: Progress,
    watch: Stopwatch,
) -> tuple[Polled, ...]:
    """One request for each address, however many feeds name it; its reply is read for each of them.

    Index pages are for readers, so their sites' robots.txt is obeyed; feeds are for programs.
    """
    together: dict[Url, list[FeedState]] = {}
    for state in due:
        together.setdefault(state.ask_url, []).append(state)
    by_key = {group[0].id: group for group in together.values()}
    pages = [url for url, group in together.items() if all(_selectors(state) for state in group)]
    with watch("fetch"):
        refused = refused_pages(database, fetcher, pages, now)
    requests = [request_for(group) for group in by_key.values() if group[0].ask_url not in refused]
    polls = [
        Polled(state, replace(reply, key=state.id, final_url=url), failure=reply.failure)
        for url, reply in refused.items()
        for state in together[url]
    ]

    def on_reply(reply: FetchReply) -> None:
        with watch("parse"):
            polls.extend(read_reply(feed, reply, now, limits) for feed in by_key[reply.key])
        progress(len(polls), len(due))

    with watch("fetch"):
        fetcher.fetch(requests, now, on_reply)
    watch.seconds["fetch"] -= watch.seconds.get("parse", 0.0)  # replies are parsed while others are under way
    return tuple(sorted(polls, key=lambda polled: polled.feed.id))


def _selectors(feed: FeedState) -> Selectors | None:
    configured = feed.source.feed(feed.url)
    return configured.select if configured is not None and configured.kind == "html" else None


def read_reply(feed: FeedState, reply: FetchReply, now: datetime, limits: DocumentParams = DEFAULT_PARAMS) -> Polled:
    """Makes of a reply what it says: parsed entries, nothing new, or a failure in words."""
    if reply.outcome is FetchOutcome.NOT_MODIFIED and feed.body_sha256 is None:
        unasked = Failure(FailureKind.STATUS, "the server says nothing changed, but we hold nothing of this feed yet")
        return Polled(feed, reply, failure=unasked)
    if reply.failure is not None or reply.outcome is not FetchOutcome.BODY:
        return Polled(feed, reply, failure=reply.failure)
    digest = sha256(reply.body).hexdigest()
    if digest == feed.body_sha256:
        return Polled(feed, reply, body_sha256=digest)
    try:
        parsed = parse_document(
            reply.body,
            url=reply.final_url,
            content_type=reply.content_type,
            source_timezone=feed.source.timezone,
            selectors=_selectors(feed),
            fetched_at=now,
            params=limits,
        )
    except DocumentError as error:
        return Polled(feed, reply, failure=Failure(FailureKind(error.kind), error.message))
    return Polled(feed, reply, parsed=parsed, body_sha256=digest)
