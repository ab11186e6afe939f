"""When a feed is asked again, and where."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from storyheat.core.addresses.urls import host_of, same_request
from storyheat.core.feeds.rhythm import RhythmParams, adapted_interval, jitter
from storyheat.core.model import (
    Failure,
    FailureKind,
    FetchOutcome,
    FetchReply,
    FetchRequest,
    PageRules,
    ParsedFeed,
    Source,
    Url,
)


@dataclass(frozen=True, slots=True)
class PollParams:
    """The rhythm of polling. The first three are settings; the others are our own choice."""

    default_interval: timedelta = timedelta(minutes=60)
    min_interval: timedelta = timedelta(minutes=60)  # what site owners ask of feed readers; a source may set less
    max_interval: timedelta = timedelta(hours=24)
    max_backoff: timedelta = timedelta(hours=24)  # a failing feed is still asked once a day
    max_rest: timedelta = timedelta(days=7)  # the longest Retry-After that is obeyed
    unnamed_rest: timedelta = timedelta(minutes=15)  # of a host that was asked too often and names no time
    longest_wait: timedelta = timedelta(days=15)  # what is planned later was planned by a clock that ran ahead,
    clock_slack: timedelta = timedelta(minutes=5)  # and so was what follows a success this much in the future
    early: timedelta = timedelta(minutes=1)  # cron never fires to the second: planned so much early,
    early_share: float = 0.1  # but by no more than this share of the interval
    restamp_strikes: int = 2  # polls that moved the dates of known entries until its dates are not trusted
    restamp_entries: int = 2  # of that so many at least: editors redate a single piece to show it again
    moved_patience: int = 3  # failures in a row at the address a feed has moved to, until the old one is asked again
    max_strikes: int = 4  # so many quiet polls bring the trust back
    stamp_entries: int = 3  # a first document of at least so many dated entries,
    stamp_span: timedelta = timedelta(minutes=1)  # all dated within this span of each other
    stamp_age: timedelta = timedelta(minutes=10)  # and this close to the fetch, was stamped by a scraper
    rhythm: RhythmParams = RhythmParams()


@dataclass(frozen=True, slots=True)
class FeedState:
    """What is stored of a feed between two polls."""

    id: int
    source: Source
    url: Url  # as configured
    moved_url: Url | None = None
    gone: bool = False
    site: Url | None = None
    etag: str | None = None
    last_modified: str | None = None
    body_sha256: str | None = None
    body_changed_at: datetime | None = None  # when a body first had this checksum
    listing: tuple[int, ...] = ()  # entry ids of the last listing that had any
    news_hours: tuple[datetime, ...] = ()  # the newest hours that had news, oldest first
    poll_hint: timedelta | None = None  # the rhythm its last document asked for
    skip_hours: frozenset[int] = field(default_factory=frozenset)  # UTC hours it asks not to be polled in
    skip_days: frozenset[int] = field(default_factory=frozenset)  # weekdays likewise, Monday = 0
    next_poll_at: datetime | None = None
    left_alone_until: datetime | None = None  # its host asked for that with Retry-After
    interval: timedelta = timedelta(minutes=30)  # as planned at the last success
    hurry: timedelta | None = None  # not asked more rarely, or entries would come and go unseen; None: no danger
    failures_in_row: int = 0
    first_success_at: datetime | None = None
    last_success_at: datetime | None = None
    restamp_strikes: int = 0

    @property
    def ask_url(self) -> Url:
        """The address to ask: the secret one, else where a permanent redirect led, else the configured one."""
        return self.secret_url or self.moved_url or self.url

    @property
    def secret_url(self) -> Url | None:
        """The address as it is asked, where that may neither be stored nor shown."""
        configured = self.source.feed(self.url)
        return None if configured is None else configured.secret_url

    @property
    def request(self) -> str:
        """What two feeds have in common that one request can answer, however their addresses are spelled."""
        return same_request(self.ask_url)

    def dates_move(self, params: PollParams) -> bool:
        """Whether the feed stamps known entries anew with every poll, so that its dates mean nothing."""
        return self.restamp_strikes >= params.restamp_strikes


@dataclass(frozen=True, slots=True)
class Polled:
    """One poll of one feed: the reply, and what it parsed to.

    `parsed` is None where there was nothing to parse: not modified, an unchanged body, or a failure.
    """

    feed: FeedState
    reply: FetchReply
    parsed: ParsedFeed | None = None
    body_sha256: str | None = None
    failure: Failure | None = None  # of the request or of the document
    quiet: bool = False  # read, and nothing in it was new or edited

    @property
    def outcome(self) -> str:
        """updated, unchanged, not_modified or failed, as the table `fetch` names it."""
        if self.failure is not None:
            return "failed"
        if self.reply.outcome is FetchOutcome.NOT_MODIFIED:
            return "not_modified"
        return "unchanged" if self.parsed is None or self.quiet else "updated"


def is_due(feed: FeedState, now: datetime, params: PollParams) -> bool:
    """Whether to ask the feed in a run at `now`."""
    if feed.gone or feed.next_poll_at is None:
        return not feed.gone
    set_back = feed.last_success_at is not None and feed.last_success_at > now + params.clock_slack
    return set_back or feed.next_poll_at <= now or feed.next_poll_at - now > params.longest_wait


def next_due(
    feeds: Iterable[FeedState], rests: Mapping[str, datetime], now: datetime, params: PollParams
) -> datetime | None:
    """When the first of the feeds will be due; None: there is none. `rests`: until when hosts are left alone."""
    found = []
    for feed in feeds:
        if not feed.gone:
            at = now if feed.next_poll_at is None or is_due(feed, now, params) else feed.next_poll_at
            rest = rests.get(host_of(feed.ask_url) or "")
            own = feed.left_alone_until if _rests(feed, now, params) else None
            found.append(max(at, rest or at, own or at))
    return min(found, default=None)


def feeds_to_ask(
    feeds: Sequence[FeedState],
    resting: Collection[str],
    now: datetime,
    params: PollParams,
    *,
    only: Collection[str] | None,
    force: bool,
) -> list[FeedState]:
    """The feeds to ask in a run at `now`: those that are due, or with `force` all; none that is gone.

    `only`: ids of the sources meant; None: all. The hosts that are `resting` asked to be left alone, and are,
    whatever is forced; so is a feed that a redirect leads to one. A feed at the same address as one that is
    asked comes along: its news is in the reply.
    """
    free = [feed for feed in feeds if not (feed.gone or _rests(feed, now, params) or host_of(feed.ask_url) in resting)]
    meant = [feed for feed in free if only is None or feed.source.id in only]
    asked = {feed.request for feed in meant if force or is_due(feed, now, params)}
    return [feed for feed in free if feed.request in asked]


def request_for(feeds: Sequence[FeedState], rules: PageRules | None = None) -> FetchRequest:
    """The one request for feeds at one address; its key is the number of the first.

    It is conditional where they all hold the same reply: else "not modified" would be wrong for some of them.
    `rules`: for an address that is a page.
    """
    first = feeds[0]
    held = {(feed.etag, feed.last_modified, feed.body_sha256 is None) for feed in feeds}
    if len(held) > 1:
        return FetchRequest(first.id, first.ask_url, rules=rules)
    return FetchRequest(first.id, first.ask_url, first.etag, first.last_modified, rules)


def _rests(feed: FeedState, now: datetime, params: PollParams) -> bool:
    return feed.left_alone_until is not None and now < feed.left_alone_until <= now + params.longest_wait


def gives_up_move(feed: FeedState, failure: Failure | None, status: int | None, params: PollParams) -> bool:
    """Whether a failure at the address that a feed has moved to for good makes us ask the configured one again.

    One that says that there is no feed, at once; another when it lasts; one that says "too often" never.
    """
    if failure is None or feed.moved_url is None or failure.kind is FailureKind.RATE_LIMITED:
        return False
    dead = failure.kind in _NO_FEED_THERE or status == _NOT_FOUND
    return dead or feed.failures_in_row + 1 >= params.moved_patience


def with_words_on_move(polled: Polled, params: PollParams) -> Polled:
    """The poll; where it makes us give up an address that a feed has moved to, its failure says so."""
    failure = polled.failure
    if failure is None or not gives_up_move(polled.feed, failure, polled.reply.status, params):
        return polled
    return replace(polled, failure=replace(failure, message=f"{failure.message}; {_ASKED_AS_CONFIGURED}"))


def after_failure(feed: FeedState, polled: Polled, now: datetime, params: PollParams) -> FeedState:
    """The state after a poll that gave nothing usable: validators and listing stay, the next poll waits longer.

    What a server asks for with Retry-After holds to the second; without it a server that says "too often" or
    "forbidden" is asked half as often at once. One that says "gone" is not asked again.
    """
    kind = None if polled.failure is None else polled.failure.kind
    failures = feed.failures_in_row + 1
    if gives_up_move(feed, polled.failure, polled.reply.status, params):
        feed = replace(feed, moved_url=None, etag=None, last_modified=None)  # those came from another server
    elif kind is FailureKind.GONE:
        return replace(feed, failures_in_row=failures, next_poll_at=None, left_alone_until=None, gone=True)
    interval, rest = planned_interval(feed, now, params), polled.reply.retry_after
    slow_down = rest is None and kind in (FailureKind.RATE_LIMITED, FailureKind.FORBIDDEN)
    doublings = min(failures if slow_down else failures - 1, 16)  # 2**16 minutes are more than any cap
    wait = min(interval * 2**doublings, max(params.max_backoff, interval))
    next_poll_at = _not_skipped(now + wait - _early(wait, feed, params), feed)
    left_alone_until = None if rest is None else now + min(rest, params.max_rest)
    return replace(
        feed,
        failures_in_row=failures,
        next_poll_at=max(next_poll_at, left_alone_until or next_poll_at),
        left_alone_until=left_alone_until,
        # A success that lies ahead was noted by a clock that has been set right since.
        first_success_at=feed.first_success_at and min(feed.first_success_at, now),
        last_success_at=feed.last_success_at and min(feed.last_success_at, now),
    )


def put_off(feed: FeedState, reply: FetchReply, now: datetime, params: PollParams) -> FeedState:
    """The state of a feed that was not asked, because its host had another one told to leave it alone: no failure.

    It waits as long as the host wishes; where it named no time, as long as after any poll.
    """
    if reply.retry_after is not None:
        until = now + min(reply.retry_after, params.max_rest)
        return replace(feed, next_poll_at=until, left_alone_until=until)
    interval = planned_interval(feed, now, params)
    return replace(feed, next_poll_at=_not_skipped(now + interval - _early(interval, feed, params), feed))


def after_success(
    feed: FeedState, polled: Polled, listing: Sequence[int], strikes: int, now: datetime, params: PollParams
) -> FeedState:
    """The state after a usable reply. `listing` is empty when nothing was parsed or listed: then the old one stays.

    The next poll comes after the planned interval, not while the reply is fresh, and in no hour or day that
    the feed asks to be left alone in.
    """
    reply, parsed = polled.reply, polled.parsed
    body = reply.outcome is FetchOutcome.BODY
    if parsed is not None:
        asked = replace(feed, poll_hint=parsed.poll_hint, skip_hours=parsed.skip_hours, skip_days=parsed.skip_days)
    else:
        asked = feed
    interval = planned_interval(asked, now, params)
    next_poll_at = now + interval - _early(interval, asked, params)
    if reply.fresh_for is not None:
        next_poll_at = max(next_poll_at, now + min(reply.fresh_for, params.max_interval))
    next_poll_at = _not_skipped(next_poll_at, asked)
    return replace(
        asked,
        moved_url=reply.moved_to if reply.moved_to and body and feed.secret_url is None else feed.moved_url,
        site=parsed.site if parsed is not None and parsed.site else feed.site,
        etag=reply.etag if body else reply.etag or feed.etag,
        last_modified=reply.last_modified if body else reply.last_modified or feed.last_modified,
        body_sha256=polled.body_sha256 or feed.body_sha256,
        body_changed_at=feed.body_changed_at if polled.body_sha256 in (None, feed.body_sha256) else now,
        listing=tuple(listing) or feed.listing,
        next_poll_at=next_poll_at,
        left_alone_until=None,
        interval=max(interval, next_poll_at - now),
        failures_in_row=0,
        first_success_at=min(feed.first_success_at or now, now),  # a clock that ran ahead may have been set right
        last_success_at=now,
        restamp_strikes=strikes,
    )


def planned_interval(feed: FeedState, now: datetime, params: PollParams) -> timedelta:
    """The source's own interval as it stands; else by the feed's rhythm and wishes, kept within bounds.

    Its rhythm is told from the hours that had news (until there are enough of them the default is taken); it is
    quicker where entries would come and go unseen. What the feed asks for can only make it slower.
    """
    if feed.source.poll_interval is not None:
        return feed.source.poll_interval
    own = adapted_interval(feed.news_hours, now, params.rhythm) or params.default_interval
    own = min(own, feed.hurry or own)
    wanted = max(own, feed.poll_hint or own)
    return min(max(wanted, params.min_interval), params.max_interval)


def _early(wait: timedelta, feed: FeedState, params: PollParams) -> timedelta:
    """How much before its end a wait of our own choosing may end, in whole seconds.

    A bit for cron, and where nobody set the interval by hand another bit that is each feed's own: feeds first
    asked in one moment shall not be asked in one moment for ever.
    """
    early = min(params.early, timedelta(seconds=int(wait.total_seconds() * params.early_share)))
    if feed.source.poll_interval is None:
        early += jitter(feed.url, wait, params.rhythm)
    return early


def _not_skipped(at: datetime, feed: FeedState) -> datetime:
    """The instant, or the first full hour after it that the feed does not ask to be left alone in.

    A feed that rules out every hour of the week is not believed.
    """
    hour = at
    for _ in range(_WEEK_HOURS):
        if hour.hour not in feed.skip_hours and hour.weekday() not in feed.skip_days:
            return hour
        hour = hour.replace(minute=0, second=0) + timedelta(hours=1)
    return at


def asked_for_rest(replies: Iterable[FetchReply], now: datetime, params: PollParams) -> dict[str, datetime]:
    """The hosts that asked in one of the replies to be left alone, and until when: those that answered so,
    whichever were asked."""
    until: dict[str, datetime] = {}
    for reply in replies:
        host, rest = host_of(reply.final_url), reply.retry_after
        if rest is None and reply.failure is not None and reply.failure.kind is FailureKind.RATE_LIMITED:
            rest = params.unnamed_rest
        if host is not None and rest is not None:
            until[host] = max(now + min(rest, params.max_rest), until.get(host, now))
    return until


def left_alone(feeds: Iterable[FeedState], until: Mapping[str, datetime]) -> list[FeedState]:
    """Of `feeds` those at a host that asked to be left alone, with a next poll not before.

    Retry-After is said by a host and holds for all feeds there.
    """
    found = []
    for feed in feeds:
        rests = until.get(host_of(feed.ask_url) or "")
        if rests is not None:
            next_poll_at = max(rests, feed.next_poll_at or rests)
            found.append(replace(feed, next_poll_at=next_poll_at, left_alone_until=rests))
    return found


_WEEK_HOURS = 7 * 24
_NOT_FOUND = 404  # the HTTP status
_NO_FEED_THERE = frozenset(
    {
        FailureKind.DNS,
        FailureKind.GONE,
        FailureKind.HTML,
        FailureKind.NOT_A_FEED,
        FailureKind.REDIRECT,
        FailureKind.REFUSED_ADDRESS,
    }
)
_ASKED_AS_CONFIGURED = "it had moved there for good; from now on its configured address is asked again"
