"""What is hot at an instant: the list behind `storyheat top`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import islice

from storyheat.answers.summary import Summary, summaries
from storyheat.core.evidence import seconds_of
from storyheat.core.figures import memory
from storyheat.core.heat import HOUR, HeatRule, heat_at
from storyheat.core.model import ChangeStanding, StoryId
from storyheat.core.series import DEFAULT_PERIOD, PERIODS, Hour, hours_between
from storyheat.store.queries import Questions

SPARK_HOURS = 48  # the window of the default rule: all that makes the heat shown
STEP = 100  # stories looked at whole at once, hottest first, until the list is full


class Order(StrEnum):
    """By what the list is sorted, the largest or newest first."""

    HEAT = "heat"
    RISING = "rising"
    PEAK = "peak"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class TopWish:
    """What list is wanted. An empty filter leaves everything in; several values of one are alternatives."""

    number: int = 20
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
    """A story of the list, with its last 48 full hours, oldest first."""

    story: Summary
    hours: tuple[Hour, ...]


@dataclass(frozen=True, slots=True)
class TopAnswer:
    """The list at an instant. `newest`: effective time of the newest item of all; None: there is none."""

    at: datetime
    period: str
    order: Order
    stories: tuple[Listed, ...]
    newest: datetime | None


def top(questions: Questions, wish: TopWish, at: datetime, rule: HeatRule) -> TopAnswer:
    """The stories with heat at `at` that fit the wish, as many as wanted.

    Only the reports inside the window are read to find and sort them; whole stories only as far as needed.
    """
    fitting = _hottest_first(questions, wish, at, rule)
    if wish.order is Order.HEAT:
        chosen = list(islice(fitting, wish.number))
    else:
        chosen = sorted(fitting, key=lambda story: _key(story, wish.order))[: wish.number]
    return TopAnswer(
        at=at,
        period=wish.period,
        order=wish.order,
        stories=tuple(Listed(story, _spark(story, questions, at, rule)) for story in chosen),
        newest=None if chosen else questions.newest_effective_time(),
    )


def _hottest_first(questions: Questions, wish: TopWish, at: datetime, rule: HeatRule) -> Iterator[Summary]:
    heats = [
        (-heat, -evidence.times[-1], story)
        for story, evidence in questions.reports_between(at - memory(rule), at).items()
        if evidence.times and (heat := heat_at(evidence, at, rule)) > 0
    ]
    ordered = [story for _, _, story in sorted(heats)]
    for start in range(0, len(ordered), STEP):
        step = ordered[start : start + STEP]
        yield from (one for one in _whole(questions, step, wish, at, rule) if wish.fits(one))


def _whole(
    questions: Questions, stories: Iterable[StoryId], wish: TopWish, at: datetime, rule: HeatRule
) -> list[Summary]:
    return summaries(questions, stories, at, PERIODS[wish.period], rule)


def _key(story: Summary, order: Order) -> tuple[float, float, float, str]:
    """Sorts the largest first; ties as in the list by heat: hottest, newest report, id.

    A story younger than a day had no heat a day ago, so all it has is its rise; one whose change cannot be
    told comes after those where it can.
    """
    trend, figures = story.figures.trend, story.figures
    if order is Order.PEAK:
        first = -trend.peak.value
    elif order is Order.NEW:
        first = -float(seconds_of(figures.first_at))
    elif trend.change.standing is ChangeStanding.YOUNG:
        first = -trend.current
    else:
        first = float("inf") if trend.change.points is None else -trend.change.points
    return (first, -trend.current, -float(seconds_of(figures.last_at)), story.id)


def _spark(story: Summary, questions: Questions, at: datetime, rule: HeatRule) -> tuple[Hour, ...]:
    last = seconds_of(at) // HOUR * HOUR
    seconds = range(last - (SPARK_HOURS - 1) * HOUR, last + 1, HOUR)
    return hours_between(story.evidence, questions.watches, seconds, rule)


def _speaks(language: str, wanted: str) -> bool:
    return f"{language}-".casefold().startswith(f"{wanted}-".casefold())
