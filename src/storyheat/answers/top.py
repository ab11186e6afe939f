"""What is hot at an instant: the list behind `storyheat top`."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from itertools import islice

from storyheat.answers.developments import DevelopmentAnswer, latest_developments, level_of
from storyheat.answers.summary import Summary, summaries
from storyheat.core.heat.evidence import Evidence, instant_of, seconds_of
from storyheat.core.heat.figures import memory
from storyheat.core.heat.rule import HOUR, HeatRule, heat_at
from storyheat.core.heat.series import DEFAULT_PERIOD, PERIODS, Hour, hours_between
from storyheat.core.heat.standing import Watches
from storyheat.core.heat.trend import change_24h, peak
from storyheat.core.model import ChangeStanding, ItemId, Level, StoryId
from storyheat.store.queries import Questions

SPARK_HOURS = 48  # the window of the default rule: all that makes the heat shown
STEP = 100  # stories looked at whole at once, in order, until the list is full; first as many as it may need
EVIDENCE_STEP = 2000  # stories whose items are held at once to find the order; for memory


class Order(StrEnum):
    """By what the list is sorted, the largest or newest first."""

    HEAT = "heat"
    RISING = "rising"
    PEAK = "peak"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class TopWish:
    """What list is wanted. An empty filter leaves everything in; several values of one are alternatives.

    `skip`: how many stories that fit come before the list.
    """

    number: int = 20
    skip: int = 0
    period: str = DEFAULT_PERIOD
    order: Order = Order.HEAT
    topics: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    min_voices: int = 1

    def fits(self, story: Summary) -> bool:
        """Whether a story passes the filters. A language also means its variants: `zh` fits `zh-Hans`."""
        topics = {topic.casefold() for topic in story.topics}
        return (
            story.figures.voices >= self.min_voices
            and (not self.topics or any(topic.casefold() in topics for topic in self.topics))
            and (not self.sources or any(source in story.sources for source in self.sources))
            and (
                not self.languages
                or any(_speaks(language, wanted) for language in story.languages for wanted in self.languages)
            )
        )


@dataclass(frozen=True, slots=True)
class Listed:
    """A story of the list, with its last 48 full hours, oldest first, and the instant of the list itself."""

    story: Summary
    hours: tuple[Hour, ...]
    now: Hour
    latest: DevelopmentAnswer | None  # newest development
    levels: tuple[Level, ...]  # of each voice that was counted by then: that of its newest report in this story


@dataclass(frozen=True, slots=True)
class TopAnswer:
    """The list at an instant. `hot`: stories with heat, whatever is wanted; `more`: others that fit come after these.

    `newest`: effective time of the newest item of all, told where the list is empty; None: there is none.
    """

    at: datetime
    period: str
    order: Order
    stories: tuple[Listed, ...]
    hot: int
    more: bool
    newest: datetime | None


def top(questions: Questions, wish: TopWish, at: datetime, rule: HeatRule) -> TopAnswer:
    """The stories with heat at `at` that fit the wish, as many as wanted.

    Only the reports inside the window are read to find and sort them; whole stories only as far as needed.
    """
    hot = _in_order(questions, wish, at, rule)
    first = wish.skip + wish.number + 1
    fitting = (
        story
        for step in (hot[:first], *_batched(hot[first:], STEP))
        for story in summaries(questions, step, at, PERIODS[wish.period], rule)
        if wish.fits(story)
    )
    found = list(islice(fitting, wish.skip, wish.skip + wish.number + 1))
    chosen = found[: wish.number]
    ids = [story.id for story in chosen]
    latest, bystanders = latest_developments(questions, ids, at), questions.bystanders(ids)
    return TopAnswer(
        at=at,
        period=wish.period,
        order=wish.order,
        stories=tuple(
            Listed(
                story,
                *_spark(story, questions, at, rule),
                latest.get(story.id),
                tuple(_levels(story, questions, bystanders, at)),
            )
            for story in chosen
        ),
        hot=len(hot),
        more=len(found) > len(chosen),
        newest=None if chosen else questions.newest_effective_time(),
    )


def without_each(questions: Questions, wish: TopWish, at: datetime, rule: HeatRule) -> Mapping[str, int]:
    """How many stories would fit if one filter were dropped, by the name of its field in the wish; it looks at all."""
    wider = {
        "topics": replace(wish, topics=()),
        "languages": replace(wish, languages=()),
        "sources": replace(wish, sources=()),
        "min_voices": replace(wish, min_voices=1),
    }
    dropped = {name: other for name, other in wider.items() if other != wish}
    counts = dict.fromkeys(dropped, 0)
    for step in _batched(_in_order(questions, replace(wish, order=Order.HEAT), at, rule), STEP):
        for story in summaries(questions, step, at, PERIODS[wish.period], rule):
            for name, other in dropped.items():
                counts[name] += other.fits(story)
    return counts


def _in_order(questions: Questions, wish: TopWish, at: datetime, rule: HeatRule) -> list[StoryId]:
    """All stories with heat at `at`. Ties as in the list by heat: hottest, newest report, id."""
    seconds = seconds_of(at)
    opens = seconds - round(memory(rule).total_seconds())
    # Of whole hours, so that what is read serves the next minute, too.
    whole = (instant_of(opens // HOUR * HOUR), instant_of(-(-seconds // HOUR) * HOUR))
    hot = {
        story: (-heat, -evidence.times_between(opens, seconds)[-1])
        for story, evidence in questions.reports_between(*whole).items()
        if (heat := heat_at(evidence, at, rule)) > 0 and evidence.count_between(opens, seconds)
    }
    first: dict[StoryId, float] = dict.fromkeys(hot, 0.0)
    if wish.order is not Order.HEAT:
        for step in _batched(sorted(hot), EVIDENCE_STEP):
            for story, evidence in questions.evidence(step).items():
                first[story] = _rank(evidence, questions.watches, wish, at, rule)
    return sorted(hot, key=lambda story: (first[story], *hot[story], story))


def _rank(evidence: Evidence, watches: Watches, wish: TopWish, at: datetime, rule: HeatRule) -> float:
    """The least for what comes first in an order other than by heat.

    A story younger than a day had no heat a day ago, so all it has is its rise; one whose change cannot be
    told comes after those where it can.
    """
    if wish.order is Order.PEAK:
        return -peak(evidence, watches, at, PERIODS[wish.period], rule).value
    if wish.order is Order.NEW:
        return -float(seconds_of(evidence.items[0].effective_at))
    change = change_24h(evidence, watches, at, rule)
    if change.standing is ChangeStanding.YOUNG:
        return -heat_at(evidence, at, rule)
    return float("inf") if change.points is None else -change.points


def _levels(
    story: Summary, questions: Questions, bystanders: Set[tuple[StoryId, ItemId]], at: datetime
) -> Iterator[Level]:
    newest = {one.voice: one for one in story.evidence.reports if one.effective_at <= at}
    for one in newest.values():
        yield level_of(questions.sources[one.source], one.item, story.id, bystanders)


def _spark(story: Summary, questions: Questions, at: datetime, rule: HeatRule) -> tuple[tuple[Hour, ...], Hour]:
    now = seconds_of(at)
    last = now // HOUR * HOUR

    def full_hours() -> tuple[Hour, ...]:
        hours = range(last - (SPARK_HOURS - 1) * HOUR, last + 1, HOUR)
        return hours_between(story.evidence, questions.watches, hours, rule)

    return (
        questions.made(("spark", story.id, last, rule), full_hours),
        hours_between(story.evidence, questions.watches, range(now, now + 1), rule)[0],
    )


def _speaks(language: str, wanted: str) -> bool:
    return f"{language}-".casefold().startswith(f"{wanted}-".casefold())


def _batched(stories: Sequence[StoryId], size: int) -> Iterator[Sequence[StoryId]]:
    """The stories in runs of at most `size`."""
    return (stories[start : start + size] for start in range(0, len(stories), size))
