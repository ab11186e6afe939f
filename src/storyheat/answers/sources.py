"""How the sources are doing: the values behind `storyheat sources`."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from storyheat.core.feeds.doctor import FeedHealth, Finding, examine
from storyheat.core.feeds.polling import PollParams
from storyheat.core.feeds.rhythm import usual_gap
from storyheat.core.feeds.watch import reach
from storyheat.core.model import Source, SourceId, Url
from storyheat.errors import NotFound
from storyheat.store.heartbeat import Heartbeat
from storyheat.store.queries import Questions


class Health(StrEnum):
    """How a feed is doing, the worst first; of a source: the worst of its followed feeds."""

    GONE = "gone"  # the server said so for good
    FAILING = "failing"  # the last poll gave nothing usable
    BEHIND = "behind"  # not polled for longer than its rhythm allows
    NEW = "new"  # never polled
    DATES_MOVE = "dates_move"  # stamps known entries anew with every poll
    OK = "ok"
    PAUSED = "paused"  # not followed


@dataclass(frozen=True, slots=True)
class FeedAnswer:
    """One feed, how it is doing, and what the doctor finds, the worst first."""

    feed: FeedHealth
    health: Health
    findings: tuple[Finding, ...] = ()
    usual_gap: timedelta | None = None  # between its news; None: not known yet


@dataclass(frozen=True, slots=True)
class SourceAnswer:
    """One source with its feeds. `newest_at`: effective time of its newest item; None: it has none."""

    source: Source
    health: Health
    feeds: tuple[FeedAnswer, ...]
    items: int
    newest_at: datetime | None
    configured: bool = True  # False: only what it brought is left


@dataclass(frozen=True, slots=True)
class SourcesAnswer:
    """All sources at an instant, by id."""

    at: datetime
    sources: tuple[SourceAnswer, ...]
    daemon: Heartbeat | None = None  # None: no daemon ever looked after them


def sources(
    questions: Questions,
    configured: Iterable[Source] | None,
    at: datetime,
    params: PollParams,
    only: Collection[str] | None = None,
) -> SourcesAnswer:
    """The health of every source, stored or only configured. `only`: ids of those meant; None: all.

    `configured` None: there is no configuration to say what is followed. Raises NotFound for an id of no source.
    """
    as_written = None if configured is None else {source.id: source for source in configured}
    known = _known(as_written, questions.sources)
    feeds: dict[SourceId, list[FeedAnswer]] = {}
    healths = [_as_written(feed, as_written) for feed in questions.feed_healths()]
    owned: dict[str, list[FeedHealth]] = {}
    for feed in healths:
        owned.setdefault(feed.owner, []).append(feed)
    for feed in healths:
        found, gap = examine(feed, owned[feed.owner], at, params), usual_gap(feed.news_hours, params.rhythm)
        feeds.setdefault(feed.source, []).append(FeedAnswer(feed, health_of(feed, at, params), found, gap))
    counts, newest = questions.item_counts(), questions.newest_item_times()
    for unknown in sorted(set(only or ()) - set(known)):
        raise NotFound(f'there is no source "{unknown}"; `storyheat sources` lists them')
    meant = [one for one in sorted(known) if only is None or one in only]
    answers = [_source(known[one], feeds, counts, newest) for one in meant]
    answers = [replace(one, configured=as_written is None or one.source.id in as_written) for one in answers]
    return SourcesAnswer(at, tuple(answers), questions.heartbeat())


def _known(as_written: Mapping[SourceId, Source] | None, stored: Mapping[SourceId, Source]) -> dict[SourceId, Source]:
    """Every source, as the configuration has it, else as it was followed last."""
    if as_written is None:
        return dict(stored)
    found = {one: replace(source, enabled=False) for one, source in stored.items()}
    for one, source in as_written.items():
        found[one] = replace(source, site=source.site or (stored[one].site if one in stored else None))
    return found


def _as_written(feed: FeedHealth, as_written: Mapping[SourceId, Source] | None) -> FeedHealth:
    """What is stored of a feed with what the configuration says of it: the next run will go by that."""
    if as_written is None:
        return feed
    source = as_written.get(feed.source)
    if source is None:
        return replace(feed, enabled=False)
    enabled = source.enabled and source.feed(Url(feed.url)) is not None
    return replace(feed, enabled=enabled, by_hand=source.poll_interval is not None)


def _source(
    source: Source,
    feeds: Mapping[SourceId, list[FeedAnswer]],
    counts: Mapping[SourceId, int],
    newest: Mapping[SourceId, datetime],
) -> SourceAnswer:
    own = tuple(feeds.get(source.id, ()))
    order = list(Health)
    worst = min((one.health for one in own if one.feed.enabled), key=order.index, default=None)
    if worst is None:
        worst = Health.NEW if source.enabled and not own else Health.PAUSED
    return SourceAnswer(source, worst, own, counts.get(source.id, 0), newest.get(source.id))


def health_of(feed: FeedHealth, at: datetime, params: PollParams) -> Health:
    """How one feed is doing at an instant."""
    if not feed.enabled:
        return Health.PAUSED
    if feed.gone:
        return Health.GONE
    if feed.failures_in_row:
        return Health.FAILING
    if feed.last_success_at is None:
        return Health.NEW
    if at - feed.last_success_at > reach(feed.interval):
        return Health.BEHIND
    return Health.DATES_MOVE if feed.restamp_strikes >= params.restamp_strikes else Health.OK
