"""The rule of heat: how loud the voices of a story are at an instant, and the receipt that proves it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from math import exp2, fsum

from storyheat.core.heat.evidence import Evidence, StoryItem, seconds_of, why_not_counted
from storyheat.core.model import ItemId, SourceId, Voice

HOUR = 3600  # seconds
POINTS_PER_VOICE = 10.0  # the unit: one voice of weight 1 that speaks right now

_OVERTAKEN = "its voice speaks through another report"


@dataclass(frozen=True, slots=True)
class HeatRule:
    """The rule with its parameters; stored with all that is derived by it. Raises ValueError if impossible.

    A voice loses half its points every `half_life_hours` and is out at an age of `window_hours` (to the
    second); None: it fades for ever, without a step. Origin of the defaults: the design of heat.
    """

    name: str = "voices-decay"
    version: int = 1
    half_life_hours: float = 24.0
    window_hours: float | None = 48.0

    def __post_init__(self) -> None:
        if not self.half_life_hours > 0:
            raise ValueError("the half-life of heat must be above 0 hours")
        if self.window_hours is not None and not self.window_hours > 0:
            raise ValueError("the window of heat must be above 0 hours (or null: none)")

    @property
    def in_words(self) -> str:
        """Name, version and parameters, as kept with all that is derived by the rule."""
        window = "no window" if self.window_hours is None else f"window {self.window_hours:g} h"
        return f"{self.name}/{self.version}, half-life {self.half_life_hours:g} h, {window}"

    def opens_after(self, seconds: int) -> float:
        """What is effective after this is inside the window at `seconds` (both in seconds since 1970)."""
        return float("-inf") if self.window_hours is None else seconds - round(self.window_hours * HOUR)

    def points(self, weight: float, age_seconds: int) -> float:
        """The points of a voice of this weight whose newest report is that old."""
        return POINTS_PER_VOICE * weight * exp2(-age_seconds / (self.half_life_hours * HOUR))


@dataclass(frozen=True, slots=True)
class Term:
    """One voice in a receipt: the report that speaks for it, how old that is, and the points it gives."""

    voice: Voice
    item: ItemId
    source: SourceId
    effective_at: datetime
    age_hours: float
    weight: float
    points: float


@dataclass(frozen=True, slots=True)
class Remark:
    """An item that gives a receipt no points, and why."""

    item: ItemId
    because: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """How a heat came about: every item of the story stands in exactly one of the three lists.

    `terms` by falling points, then voice; their points add up to `heat`. `spent`: counted reports that give
    nothing now, being overtaken or too old. `not_counted`: what never counts, or not yet. The two lists of
    remarks are ordered by (effective time, item).
    """

    at: datetime
    heat: float
    terms: tuple[Term, ...]
    spent: tuple[Remark, ...]
    not_counted: tuple[Remark, ...]


def speaking(evidence: Evidence, seconds: int, rule: HeatRule) -> dict[Voice, StoryItem]:
    """The voices inside the window at an instant, each with the report that speaks for it."""
    return speakers(evidence.between(rule.opens_after(seconds), seconds))


def speakers(reports: Iterable[StoryItem]) -> dict[Voice, StoryItem]:
    """The voices of counted reports, in the order of `Evidence.reports`, each with the one that speaks for it."""
    return {item.voice: item for item in reports}


def sum_of(reports: dict[Voice, StoryItem], seconds: int, rule: HeatRule) -> float:
    """The heat of the given voices. The sum is exact before its one rounding, so no order can change it."""
    return fsum(rule.points(one.weight, seconds - seconds_of(one.effective_at)) for one in reports.values())


def heat_at(evidence: Evidence, at: datetime, rule: HeatRule) -> float:
    """The heat of a story at an instant, in points, unrounded."""
    seconds = seconds_of(at)
    return sum_of(speaking(evidence, seconds, rule), seconds, rule)


def terms_at(evidence: Evidence, at: datetime, rule: HeatRule) -> tuple[Term, ...]:
    """The voices that make the heat at an instant, by falling points, then voice."""
    seconds = seconds_of(at)
    terms = []
    for voice, item in speaking(evidence, seconds, rule).items():
        age = seconds - seconds_of(item.effective_at)
        points = rule.points(item.weight, age)
        terms.append(Term(voice, item.item, item.source, item.effective_at, age / HOUR, item.weight, points))
    return tuple(sorted(terms, key=lambda term: (-term.points, term.voice)))


def receipt(evidence: Evidence, at: datetime, rule: HeatRule) -> Receipt:
    """The heat at an instant with all that makes it, and what does not and why."""
    opens_after = rule.opens_after(seconds_of(at))
    terms = terms_at(evidence, at, rule)
    heard = {term.item for term in terms}
    spent, not_counted = [], []
    for item in evidence.items:
        because = why_not_counted(item, at)
        if because is not None:
            not_counted.append(Remark(item.item, because))
        elif item.item not in heard:
            in_window = seconds_of(item.effective_at) > opens_after
            because = _OVERTAKEN if in_window else f"{rule.window_hours:g} hours old or older"
            spent.append(Remark(item.item, because))
    heat = fsum(term.points for term in terms)
    return Receipt(at, heat, terms, tuple(spent), tuple(not_counted))


def half_up(value: float, places: int = 0) -> Decimal:
    """A number rounded for people, halves away from zero as at school; never a negative zero.

    It starts from the shortest decimal that means the same float, so that 4.85 becomes 4.9.
    """
    step = Decimal(1).scaleb(-places)
    return Decimal(repr(float(value))).quantize(step, ROUND_HALF_UP) + Decimal(0)
