"""The first stage of a run: asks the feeds that are due and stores what they say as facts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256

from storyheat.core.addresses.secrets import Secrets
from storyheat.core.addresses.urls import host_of
from storyheat.core.feeds.polling import (
    FeedState,
    Polled,
    PollParams,
    asked_for_rest,
    feeds_to_ask,
    left_alone,
    put_off,
    request_for,
    with_words_on_move,
)
from storyheat.core.feeds.robots import DEFAULT_PARAMS as ROBOTS
from storyheat.core.items.facts import Intake
from storyheat.core.items.intake import read_claims, take_in, tombstone_keys
from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply, Selectors, Source
from storyheat.errors import DocumentError
from storyheat.ingest.document import DEFAULT_PARAMS, DocumentParams, parse_document
from storyheat.ingest.robots import SiteRules
from storyheat.pipeline.stopwatch import Stopwatch
from storyheat.ports import Fetcher
from storyheat.store import articles, feeds, horizons, intake
from storyheat.store.database import Database

Progress = Callable[[int, int], None]
"""Told after each reply: how many came, and how many are asked for."""


@dataclass(frozen=True, slots=True)
class PollResult:
    """What the poll stage did. `skipped`: enabled feeds of the sources asked for that were not due or put off."""

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
    secrets: Secrets = Secrets(),
) -> PollResult:
    """Polls what is due (with `force` all that may be asked) and stores it in one transaction, without any secret.

    `only`: ids of sources; None: all. `watch` gets the laps fetch, parse and store.
    """
    with database.write() as connection:
        feeds.sync_sources(connection, sources, params, limits.max_entries)
        states = feeds.feed_states(connection, sources)
        resting = feeds.resting_hosts(connection, now, params)
        rules = SiteRules(articles.robots_since(connection, now - ROBOTS.keep), now, secrets.in_words)
    hosts = {host for state in states if (host := host_of(state.ask_url)) and secrets.in_words(host) in resting}
    due = feeds_to_ask(states, hosts, now, params, only=only, force=force)
    asked = _ask(due, fetcher, rules, now, limits, secrets, progress, watch)
    with watch("store"), database.write() as connection:
        # Another run may have polled the same feeds while this one was waiting for replies.
        current = {state.id: state for state in feeds.feed_states(connection, sources)}
        polls = tuple(
            with_words_on_move(replace(polled, feed=current.get(polled.feed.id, polled.feed)), params)
            for polled in asked.polls
        )
        claimed = read_claims(polls)
        let_go = horizons.let_go(connection, tombstone_keys(polls, claimed))
        listings = {polled.feed.id: polled.feed.listing for polled in polls}
        known = replace(intake.known_for(connection, claimed, listings), let_go=let_go)
        everyone = feeds.stored_sources(connection)
        taken = take_in(polls, claimed, known, everyone, now, params)
        intake.store_intake(connection, taken, now)
        polls = tuple(replace(polled, quiet=polled.feed.id in taken.quiet) for polled in polls)
        waiting = [put_off(current.get(feed.id, feed), reply, now, params) for feed, reply in asked.put_off]
        current |= {state.id: state for state in (*taken.feeds, *waiting)}
        rests = asked_for_rest([polled.reply for polled in polls], now, params)
        feeds.store_rests(connection, {secrets.in_words(host): until for host, until in rests.items()}, now)
        articles.store_robots(connection, rules.learned)
        after = [*taken.feeds, *waiting, *left_alone(current.values(), rests)]
        feeds.write_polls(connection, polls, after, taken.holes, taken.new_items_of, now)
    asked_for = sum(only is None or state.source.id in only for state in states)
    return PollResult(polls, taken, asked_for - len(due) + len(waiting))


@dataclass(slots=True)
class _Asked:
    """What became of the feeds that were due: polled, or put off because their host wants to be left alone."""

    polls: list[Polled] = field(default_factory=list)
    put_off: list[tuple[FeedState, FetchReply]] = field(default_factory=list)


def _ask(
    due: Sequence[FeedState],
    fetcher: Fetcher,
    rules: SiteRules,
    now: datetime,
    limits: DocumentParams,
    secrets: Secrets,
    progress: Progress,
    watch: Stopwatch,
) -> _Asked:
    """One request for each address, however many feeds name it; its reply is read for each of them.

    Index pages are for readers, so their sites' robots.txt is obeyed; feeds are for programs.
    """
    together: dict[str, list[FeedState]] = {}
    for state in due:
        together.setdefault(state.request, []).append(state)
    by_key = {group[0].id: group for group in together.values()}
    requests = [request_for(group, rules if all(map(_selectors, group)) else None) for group in by_key.values()]
    asked = _Asked()

    def on_reply(reply: FetchReply) -> None:
        with watch("parse"):
            for feed in by_key[reply.key]:
                if reply.outcome is FetchOutcome.NOT_ASKED:
                    asked.put_off.append((feed, reply))
                else:
                    asked.polls.append(read_reply(feed, reply, now, limits, secrets))
        progress(len(asked.polls) + len(asked.put_off), len(due))

    with watch("fetch"):
        fetcher.fetch(requests, now, on_reply)
    watch.seconds["fetch"] -= watch.seconds.get("parse", 0.0)  # replies are parsed while others are under way
    asked.polls.sort(key=lambda polled: polled.feed.id)
    return asked


def _selectors(feed: FeedState) -> Selectors | None:
    configured = feed.source.feed(feed.url)
    return configured.select if configured is not None and configured.kind == "html" else None


def read_reply(
    feed: FeedState,
    reply: FetchReply,
    now: datetime,
    limits: DocumentParams = DEFAULT_PARAMS,
    secrets: Secrets = Secrets(),
) -> Polled:
    """Makes of a reply what it says: parsed entries, nothing new, or a failure in words; all without secrets."""
    if reply.outcome is FetchOutcome.NOT_MODIFIED and feed.body_sha256 is None:
        unasked = Failure(FailureKind.STATUS, "the server says nothing changed, but we hold nothing of this feed yet")
        return Polled(feed, reply, failure=unasked)
    if reply.failure is not None or reply.outcome is not FetchOutcome.BODY:
        return Polled(feed, reply, failure=secrets.in_failure(reply.failure))
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
        return Polled(feed, reply, failure=secrets.in_failure(Failure(FailureKind(error.kind), error.message)))
    return Polled(feed, reply, parsed=secrets.in_document(parsed), body_sha256=digest)
