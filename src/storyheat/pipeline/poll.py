"""The first stage of a run: asks the feeds that are due and stores what they say as facts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256

from storyheat.core.facts import Intake
from storyheat.core.intake import read_claims, take_in
from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply, FetchRequest, Source
from storyheat.core.polling import FeedState, Polled, PollParams, is_due, left_alone
from storyheat.errors import DocumentError
from storyheat.ingest.document import parse_document
from storyheat.pipeline.stopwatch import Stopwatch
from storyheat.ports import Fetcher
from storyheat.store import feeds, intake
from storyheat.store.database import Database

Progress = Callable[[int, int], None]
"""Told after each reply: how many came, and how many are asked for."""


@dataclass(frozen=True, slots=True)
class PollResult:
    """What the poll stage did. `skipped`: enabled feeds that were not due."""

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
) -> PollResult:
    """Polls what is due (with `force` all that is not gone) and stores it in one transaction.

    `only`: ids of sources; None: all. `watch` gets the laps fetch, parse and store.
    """
    with database.write() as connection:
        feeds.sync_sources(connection, sources, params)
        states = feeds.feed_states(connection, sources)
    wanted = [state for state in states if only is None or state.source.id in only]
    due = [state for state in wanted if (force and not state.gone) or is_due(state, now, params)]
    polls = _ask(due, fetcher, now, progress, watch)
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
        after = [*taken.feeds, *left_alone(current.values(), polls, now, params)]
        feeds.write_polls(connection, polls, after, taken.holes, taken.new_items_of, now)
    return PollResult(polls, taken, len(states) - len(due))


def _ask(
    due: Sequence[FeedState], fetcher: Fetcher, now: datetime, progress: Progress, watch: Stopwatch
) -> tuple[Polled, ...]:
    by_key: Mapping[int, FeedState] = {state.id: state for state in due}
    requests = [FetchRequest(state.id, state.ask_url, state.etag, state.last_modified) for state in due]
    polls: list[Polled] = []

    def on_reply(reply: FetchReply) -> None:
        with watch("parse"):
            polls.append(read_reply(by_key[reply.key], reply))
        progress(len(polls), len(requests))

    with watch("fetch"):
        fetcher.fetch(requests, now, on_reply)
    watch.seconds["fetch"] -= watch.seconds.get("parse", 0.0)  # replies are parsed while others are under way
    return tuple(sorted(polls, key=lambda polled: polled.feed.id))


def read_reply(feed: FeedState, reply: FetchReply) -> Polled:
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
        )
    except DocumentError as error:
        return Polled(feed, reply, failure=Failure(FailureKind(error.kind), error.message))
    return Polled(feed, reply, parsed=parsed, body_sha256=digest)
