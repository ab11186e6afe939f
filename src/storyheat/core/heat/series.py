"""The heat of a story hour by hour, with what we know about each hour."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Literal

from storyheat.core.heat.evidence import Evidence, instant_of, seconds_of
from storyheat.core.heat.rule import HOUR, HeatRule, speakers, sum_of
from storyheat.core.heat.standing import Watches, standing_of
from storyheat.core.model import SourceId, Standing

Period = timedelta | Literal["all"]

PERIODS: Mapping[str, Period] = MappingProxyType(
    {
        "24h": timedelta(hours=24),
        "3d": timedelta(days=3),
        "7d": timedelta(days=7),
        "30d": timedelta(days=30),
        "all": "all",
    }
)
DEFAULT_PERIOD = "7d"


@dataclass(frozen=True, slots=True)
class Hour:
    """One instant of a series. `heat` in points, unrounded; it is a number even where nothing was watched.

    `voices`: inside the window. `new_reports`: counted ones effective in the hour that ends here.
    `behind`: sources that were needed and not watched, sorted.
    """

    at: datetime
    heat: float
    voices: int
    new_reports: int
    standing: Standing
    behind: tuple[SourceId, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """The full hours (UTC) of a period, oldest first, zeros included, and the instant it ends at."""

    hours: tuple[Hour, ...]
    now: Hour


def series(evidence: Evidence, watches: Watches, at: datetime, period: Period, rule: HeatRule) -> Series:
    """The full hours in (at − period, at], and the value at `at` itself (which may be a full hour too).

    "all" begins with the hour in which the first counted report was effective; without one it has no hours.
    """
    hours = hours_between(evidence, watches, full_hours(evidence, at, period), rule)
    return Series(hours, _hour(evidence, watches, seconds_of(at), rule))


def hours_between(evidence: Evidence, watches: Watches, seconds: range, rule: HeatRule) -> tuple[Hour, ...]:
    """The values at the given instants (seconds since 1970), in their order."""
    return tuple(_hour(evidence, watches, second, rule) for second in seconds)


def full_hours(evidence: Evidence, at: datetime, period: Period) -> range:
    """The full hours of a period that ends at `at`, as seconds since 1970."""
    end = seconds_of(at)
    if isinstance(period, timedelta):
        start = ((end - period // timedelta(seconds=1)) // HOUR + 1) * HOUR
    elif evidence.times:
        start = evidence.times[0] // HOUR * HOUR
    else:
        return range(0)
    return range(start, end + 1, HOUR)


def _hour(evidence: Evidence, watches: Watches, seconds: int, rule: HeatRule) -> Hour:
    at = instant_of(seconds)
    within = evidence.between(rule.opens_after(seconds), seconds)
    voices = speakers(within)
    known = standing_of(within, evidence, watches, at)
    return Hour(
        at=at,
        heat=sum_of(voices, seconds, rule),
        voices=len(voices),
        new_reports=evidence.count_between(seconds - HOUR, seconds),
        standing=known.standing,
        behind=known.behind,
    )
