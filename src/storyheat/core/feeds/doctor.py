"""The feed doctor: what is stored of a feed → what is wrong with it, and what to do, in words.

Each feed is judged by its own rhythm: the usual gap between its news, not a number for all.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from storyheat.core.addresses.urls import identity_key, without_credentials
from storyheat.core.feeds.polling import PollParams
from storyheat.core.feeds.rhythm import longest_gap, usual_gap
from storyheat.core.feeds.watch import reach
from storyheat.core.model import FailureKind, ParsedFeed, Precision, SourceId, Url


class FindingKind(StrEnum):
    """What may be wrong with a feed, the worst first."""

    GONE = "gone"
    REFUSED_ADDRESS = "refused_address"
    CHALLENGE = "challenge"
    HTML = "html"
    FAILING = "failing"
    BEHIND = "behind"
    EMPTY = "empty"
    SCROLLS_OFF = "scrolls_off"
    FROZEN = "frozen"
    SILENT = "silent"
    MOVING_DATES = "moving_dates"
    FUTURE_DATES = "future_dates"
    SHARED_IDS = "shared_ids"
    WITHOUT_ID = "without_id"
    TWIN = "twin"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a feed: a sentence of what is seen, and one of what to do."""

    kind: FindingKind
    seen: str
    todo: str

    @property
    def is_mild(self) -> bool:
        """Whether the feed may well stay as it is: what is odd is coped with, and nothing can be done here."""
        return self.kind in (FindingKind.SHARED_IDS, FindingKind.WITHOUT_ID)


@dataclass(frozen=True, slots=True)
class DoctorParams:
    """When something is worth a word. Origin: our own choice, where nothing else is said."""

    silent_gaps: int = 5  # silent: no news for so many usual gaps,
    silent_longest: int = 2  # for so many times the longest gap met,
    silent_least: timedelta = timedelta(days=4)  # and for this long: a long weekend is no silence
    empty_gaps: int = 2  # empty: nothing listed for so many usual gaps,
    empty_least: timedelta = timedelta(days=2)  # and for this long: an error of a day passes
    frozen_factor: int = 4  # frozen: so many times as long as silent
    frozen_unknown: timedelta = timedelta(days=90)  # or, without a known rhythm, the same bytes for this long
    future: timedelta = timedelta(hours=1)  # a clock may be wrong by this much
    future_day: timedelta = timedelta(days=1)  # a bare day may begin so much earlier elsewhere
    holes_within: timedelta = timedelta(days=14)  # what scrolled off before is past
    hole_polls: int = 2  # a hole longer than so many intervals comes of our own absence, not of the rhythm
    twin_least: int = 5  # entries that both feeds of a pair must list
    twin_share: float = 0.9  # of the shorter listing that stands in the other one too


@dataclass(frozen=True, slots=True)
class FeedHealth:
    """One feed as stored, with its last poll. `enabled`: it and its source are followed."""

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
    owner: str = ""  # of its source
    by_hand: bool = False  # `poll_minutes` says how often it is asked
    moved_url: str | None = None
    left_alone_until: datetime | None = None
    failing_since: datetime | None = None  # first failed poll after the last success
    body_changed_at: datetime | None = None
    empty_since: datetime | None = None  # first list without entries after the last with some; None: it has some
    news_hours: tuple[datetime, ...] = ()  # oldest first
    without_id: int = 0  # of the entries of the document last parsed
    shared_ids: int = 0
    future_dates: int = 0
    holes: tuple[tuple[datetime, datetime], ...] = ()  # (from, to), oldest first
    items: frozenset[str] = frozenset()  # listed; only where its owner has several feeds


@dataclass(frozen=True, slots=True)
class Oddities:
    """What is odd about the entries of one document: how many of them have it."""

    without_id: int
    shared_ids: int
    future_dates: int


def oddities(parsed: ParsedFeed, now: datetime, params: DoctorParams | None = None) -> Oddities:
    """Counts what a feed should mend: missing ids, ids that name several articles, dates in the future.

    An id is missed where the format wants one (Atom, JSON Feed), where other entries have one, or where there is
    no address either: then nothing but the title tells the entry from others.
    """
    params = params or DoctorParams()
    wanted = parsed.format.startswith(("atom", "json")) or any(entry.guid for entry in parsed.entries)
    articles: dict[str, set[str]] = defaultdict(set)
    for entry in parsed.entries:
        if entry.guid:
            link = entry.canonical or entry.link
            articles[entry.guid].add((link and identity_key(link)) or f"title {entry.title}")
    ahead = {Precision.TIME: now + params.future, Precision.DAY: now + params.future_day}
    return Oddities(
        without_id=sum(not entry.guid and (wanted or entry.link is None) for entry in parsed.entries),
        shared_ids=sum(len(articles[entry.guid]) > 1 for entry in parsed.entries if entry.guid),
        future_dates=sum(
            entry.published is not None and entry.published.at > ahead[entry.published.precision]
            for entry in parsed.entries
        ),
    )


def examine(
    feed: FeedHealth,
    others: Iterable[FeedHealth],
    at: datetime,
    polling: PollParams,
    params: DoctorParams | None = None,
) -> tuple[Finding, ...]:
    """What is wrong with a feed at an instant, the worst first; nothing for one that is not followed.

    `others`: the feeds it may be a twin of; itself among them does no harm.
    """
    if not feed.enabled:
        return ()
    params = params or DoctorParams()
    found = [*_reachable(feed, at), *_document(feed, polling), *_address(feed, others, params)]
    if not feed.gone and not feed.failures_in_row:
        found += _lost(feed, at, polling, params)
        found += list(_empty(feed, polling, params)) or _quiet(feed, at, polling, params)
    return tuple(sorted(found, key=lambda one: list(FindingKind).index(one.kind)))


def _reachable(feed: FeedHealth, at: datetime) -> Iterator[Finding]:
    """Whether it answers with something usable."""
    if feed.gone:
        yield Finding(FindingKind.GONE, "the server said that it is gone for good; it is not asked again", _TODO_GONE)
    elif feed.failures_in_row:
        kind = FailureKind(feed.last_failure_kind or FailureKind.STATUS)
        once = feed.failures_in_row == 1
        since = "" if feed.failing_since is None else f"{', on' if once else ' since'} {_day(feed.failing_since)}"
        times = "once" if once else f"{feed.failures_in_row} times in a row"
        seen = f"failed {times}{since}: {feed.last_failure}"
        yield Finding(_OWN_KIND.get(kind, FindingKind.FAILING), seen, TODO[kind])
    elif feed.last_success_at is not None and at - feed.last_success_at > reach(feed.interval):
        seen = f"not polled for {_span(at - feed.last_success_at)}, although it is asked every {_span(feed.interval)}"
        yield Finding(FindingKind.BEHIND, seen, "let cron or the daemon run storyheat all the time")


def _document(feed: FeedHealth, polling: PollParams) -> Iterator[Finding]:
    """Whether what it says can be believed."""
    entries = feed.entries or 0
    if feed.restamp_strikes >= polling.restamp_strikes:
        seen = "its dates move with every poll for unchanged entries, so new items count from when they were seen"
        yield Finding(FindingKind.MOVING_DATES, seen, "nothing has to be done; the site may have a better feed")
    if feed.future_dates:
        seen = f"{feed.future_dates} of {entries} entries are dated in the future; they count from when they were seen"
        todo = "if its clock is ahead by whole hours, tell the site: it writes local time as if it were UTC"
        yield Finding(FindingKind.FUTURE_DATES, seen, todo)
    if feed.shared_ids:
        seen = f"{feed.shared_ids} of {entries} entries have the id of another article; they are told apart by address"
        yield Finding(FindingKind.SHARED_IDS, seen, "nothing has to be done; the site should give each its own id")
    if feed.without_id:
        seen = f"{feed.without_id} of {entries} entries have no id; they are told apart by address, else by title"
        yield Finding(FindingKind.WITHOUT_ID, seen, "nothing has to be done; the site should give each its own id")


def _address(feed: FeedHealth, others: Iterable[FeedHealth], params: DoctorParams) -> Iterator[Finding]:
    """Whether its address is the right one, and needed at all."""
    for other in sorted(others, key=lambda one: (one.source, one.url)):
        same = len(feed.items & other.items)
        shorter = min(len(feed.items), len(other.items))
        of_owner = other.enabled and other.owner == feed.owner and (other.source, other.url) != (feed.source, feed.url)
        if of_owner and shorter >= params.twin_least and same >= params.twin_share * shorter:
            seen = f"{same} of its {len(feed.items)} entries stand in {_shown(other.url)} of {other.source} too"
            yield Finding(FindingKind.TWIN, seen, "follow only one of the two: what both list counts once anyway")
    if feed.moved_url is not None and feed.moved_url != feed.url:
        moved = _shown(feed.moved_url)
        yield Finding(
            FindingKind.MOVED, f"it moved for good to {moved}, where it is asked", f"write url: {moved} in feeds.yaml"
        )


def _lost(feed: FeedHealth, at: datetime, polling: PollParams, params: DoctorParams) -> Iterator[Finding]:
    """Whether entries come and go between two polls."""
    lost = [
        (start, end)
        for start, end in feed.holes
        if at - end <= params.holes_within and end - start <= params.hole_polls * feed.interval
    ]
    if lost:
        times = "once" if len(lost) == 1 else f"{len(lost)} times"
        within = _span(params.holes_within)
        seen = f"{times} in the last {within} nothing of the list of the poll before was left: items may be missing"
        half = min(end - start for start, end in lost) / 2
        todo = f"poll_minutes: {max(1, int(half.total_seconds()) // 60)} at {feed.source}"
        by_itself = not feed.by_hand and half >= polling.min_interval
        todo = (
            f"wait: it is asked more often by itself; if it lasts, {todo}" if by_itself else f"poll more often: {todo}"
        )
        yield Finding(FindingKind.SCROLLS_OFF, seen, todo)


def _empty(feed: FeedHealth, polling: PollParams, params: DoctorParams) -> Iterator[Finding]:
    """Whether it answers well, and lists nothing any more. Time without a poll does not count."""
    if feed.empty_since is None or feed.last_success_at is None:
        return
    gap = usual_gap(feed.news_hours, polling.rhythm)
    lasts = feed.last_success_at - feed.empty_since
    if lasts >= max(params.empty_gaps * (gap or timedelta()), params.empty_least):
        usually = "" if gap is None else f"; usually there is news every {_span(gap)}"
        seen = (
            f"empty since {_day(feed.empty_since)}: for {_span(lasts)} it has answered well and listed nothing{usually}"
        )
        yield Finding(FindingKind.EMPTY, seen, _TODO_EMPTY)


def _quiet(feed: FeedHealth, at: datetime, polling: PollParams, params: DoctorParams) -> Iterator[Finding]:
    """Whether it says less than it used to."""
    if feed.last_success_at is None:
        return
    same = timedelta() if feed.body_changed_at is None else at - feed.body_changed_at
    gap = usual_gap(feed.news_hours, polling.rhythm)
    if gap is None:
        if same >= params.frozen_unknown:
            yield Finding(FindingKind.FROZEN, f"it sends the very same bytes since {_span(same)}", _TODO_FROZEN)
        return
    silence = at - feed.news_hours[-1]
    longest = longest_gap(feed.news_hours)
    limit = max(params.silent_gaps * gap, params.silent_longest * longest, params.silent_least)
    seen = (
        f"nothing new since {_day(feed.news_hours[-1])}, {_span(silence)} ago; usually there is news every {_span(gap)}"
    )
    if silence > params.frozen_factor * limit:
        bytes_too = f"; the very same bytes since {_span(same)}" if same > limit else ""
        yield Finding(FindingKind.FROZEN, seen + bytes_too, _TODO_FROZEN)
    elif silence > limit:
        yield Finding(FindingKind.SILENT, seen, "look at its site: if there is news, find the feed that has it")


def _shown(url: str) -> str:
    return without_credentials(Url(url))


def _day(at: datetime) -> str:
    return at.date().isoformat()


def _span(span: timedelta) -> str:
    """`3 days`, `5 hours`, `40 minutes`: the largest unit of which there are two, rounded down."""
    seconds = int(span.total_seconds())
    for name, size in (("days", 86_400), ("hours", 3600)):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}"
    return f"{seconds // 60} minutes"


_OWN_KIND = {
    FailureKind.GONE: FindingKind.GONE,
    FailureKind.REFUSED_ADDRESS: FindingKind.REFUSED_ADDRESS,
    FailureKind.CHALLENGE: FindingKind.CHALLENGE,
    FailureKind.HTML: FindingKind.HTML,
}
_TODO_GONE = "remove it from feeds.yaml, or look for a new feed on its site"
_TODO_EMPTY = "look at its site: if there is news, look there for the feed that has it; else wait: it is asked on"
_TODO_FROZEN = "look at its site: if there is news, the feed is broken or has been replaced; else remove it"
_WAIT = "wait: it is asked again by itself; if it lasts, open the address in a browser"
TODO: Mapping[FailureKind, str] = {
    FailureKind.DNS: "check the host name, and whether other sources are reached; if the site is gone, remove it",
    FailureKind.CONNECT: _WAIT,
    FailureKind.TLS: "wait for the site to mend its certificate, and check this machine's clock",
    FailureKind.TIMEOUT: "wait: it is asked again by itself; if it is always slow, raise network.total_seconds",
    FailureKind.TOO_LARGE: "raise network.max_bytes if it really is so large, or look for a shorter feed of the site",
    FailureKind.TRUNCATED: _WAIT,
    FailureKind.ENCODING: "tell the site: it compresses in a way that nobody asked for",
    FailureKind.REDIRECT: "open the address in a browser, and write the one it ends at in feeds.yaml",
    FailureKind.REFUSED_ADDRESS: "correct the address; if the host is yours, add it to network.allow_hosts",
    FailureKind.STATUS: "open the address in a browser; if it is gone there too, look for a new feed on the site",
    FailureKind.GONE: _TODO_GONE,
    FailureKind.RATE_LIMITED: "ask it less often: raise poll_minutes of the source",
    FailureKind.FORBIDDEN: "set network.user_agent_contact, and ask the site to let feed readers pass",
    FailureKind.EMPTY: _WAIT,
    FailureKind.HTML: "open the address in a browser, and look there for the feed's own address",
    FailureKind.CHALLENGE: "ask the site to let feed readers pass, or look for another feed of it",
    FailureKind.SELECTORS: "open the page in a browser, and correct the selectors of the feed in feeds.yaml",
    FailureKind.ROBOTS: "look for a feed of the site, or ask the site whether its page may be read",
    FailureKind.NOT_A_FEED: "open the address in a browser; `storyheat parse` shows what is made of the document",
}
