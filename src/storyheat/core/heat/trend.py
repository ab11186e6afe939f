"""A story's heat in three figures: how hot now, when it peaked, and how it changed in 24 hours."""

from dataclasses import dataclass
from datetime import datetime

from storyheat.core.heat.evidence import Evidence, StoryItem, instant_of, seconds_of
from storyheat.core.heat.rule import HOUR, HeatRule, Term, heat_at, speaking, sum_of, terms_at
from storyheat.core.heat.series import Period, full_hours
from storyheat.core.heat.standing import Watches, standing_at, watched
from storyheat.core.model import ChangeStanding, Standing, Voice

DAY = 24 * HOUR  # the span of the change, in seconds; part of its name

REASONS = {
    ChangeStanding.YOUNG: "new in the last 24 hours",
    ChangeStanding.UNOBSERVED: "not watched 24 hours ago",
    ChangeStanding.ZERO: "was at zero",
}


@dataclass(frozen=True, slots=True)
class ChangeParams:
    """When a 24-hour change may be told. Origin of the share: the design of heat."""

    least_share: float = 0.8  # of the heat at each end, carried by voices watched at both
    slack: float = 1e-9  # relative; so that exactly that share passes in floating point too


@dataclass(frozen=True, slots=True)
class Peak:
    """The largest heat of a period, when it was, what we know of that instant, and who made it."""

    value: float
    at: datetime
    standing: Standing
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """The 24-hour change: `points` and `percent` are None where the standing forbids them.

    `reason` says in words why a part is missing; None when nothing is.
    """

    points: float | None
    percent: float | None
    standing: ChangeStanding
    reason: str | None


@dataclass(frozen=True, slots=True)
class Trend:
    """What a list of stories shows of one: heat now, the peak of the period, the change over 24 hours."""

    current: float
    peak: Peak
    change: Change


def trend(evidence: Evidence, watches: Watches, at: datetime, period: Period, rule: HeatRule) -> Trend:
    """The three figures at an instant; cheap, since only the hours that can be the peak are computed."""
    return Trend(
        current=heat_at(evidence, at, rule),
        peak=peak(evidence, watches, at, period, rule),
        change=change_24h(evidence, watches, at, rule),
    )


def peak(evidence: Evidence, watches: Watches, at: datetime, period: Period, rule: HeatRule) -> Peak:
    """The largest of the full hours of the period and the value at `at`; the earliest at a tie.

    Between reports heat only falls. So only the first hour, the first hour from each report on, and `at`
    itself can be the peak.
    """
    hours, end = full_hours(evidence, at, period), seconds_of(at)
    candidates = {end}
    if hours:
        first, last = hours[0], hours[-1]
        candidates.add(first)
        candidates.update(-(-time // HOUR) * HOUR for time in evidence.times_between(first, last))
    value, negated = max((sum_of(speaking(evidence, time, rule), time, rule), -time) for time in candidates)
    when = instant_of(-negated)
    standing = standing_at(evidence, watches, when, rule).standing
    return Peak(value, when, standing, terms_at(evidence, when, rule))


def change_24h(
    evidence: Evidence, watches: Watches, at: datetime, rule: HeatRule, params: ChangeParams | None = None
) -> Change:
    """Heat now against heat 24 hours ago, over the voices that were watched at both instants."""
    params = params or ChangeParams()
    now = seconds_of(at)
    then = now - DAY
    if not evidence.times or evidence.times[0] > then:
        return _untold(ChangeStanding.YOUNG)
    voices_now, voices_then = speaking(evidence, now, rule), speaking(evidence, then, rule)
    told = {
        voice
        for voice in voices_now.keys() | voices_then.keys()
        if _heard(evidence, watches, voice, voices_now.get(voice), now)
        and _heard(evidence, watches, voice, voices_then.get(voice), then)
    }
    heat, heat_told = _whole_and_part(voices_now, told, now, rule)
    base, base_told = _whole_and_part(voices_then, told, then, rule)
    enough = params.least_share * (1 - params.slack)
    if heat_told < enough * heat or base_told < enough * base:
        return _untold(ChangeStanding.UNOBSERVED)
    points = heat_told - base_told
    if base_told == 0:
        return Change(points, None, ChangeStanding.ZERO, REASONS[ChangeStanding.ZERO])
    return Change(points, 100 * points / base_told, ChangeStanding.OK, None)


def _untold(standing: ChangeStanding) -> Change:
    return Change(None, None, standing, REASONS[standing])


def _heard(evidence: Evidence, watches: Watches, voice: Voice, report: StoryItem | None, seconds: int) -> bool:
    """Whether a voice was watched: in the source it speaks through, or, silent, in all it might."""
    sources = evidence.sources_of(voice) if report is None else (report.source,)
    return all(watched(watches, source, instant_of(seconds)) for source in sources)


def _whole_and_part(
    voices: dict[Voice, StoryItem], part: set[Voice], seconds: int, rule: HeatRule
) -> tuple[float, float]:
    """The heat of all voices and of those in `part`."""
    some = {voice: item for voice, item in voices.items() if voice in part}
    return sum_of(voices, seconds, rule), sum_of(some, seconds, rule)
