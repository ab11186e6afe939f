"""The figures of a story at an instant, and which of its hours are worth keeping."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from storyheat.core.heat.evidence import Evidence, seconds_of
from storyheat.core.heat.rule import HOUR, HeatRule
from storyheat.core.heat.series import Period
from storyheat.core.heat.standing import Watches
from storyheat.core.heat.trend import Trend, trend
from storyheat.core.model import Role, StoryId

KEPT_VOICES = 2  # hours are kept where so many speak: the heat of one voice is a single term, made on reading
FADED_HALF_LIVES = 14  # without a window: a voice under a ten-thousandth of its points is no longer looked for


@dataclass(frozen=True, slots=True)
class Figures:
    """What a list shows of one story: how many speak, since when, and the three figures of its heat.

    `first_at`: effective time of its first item; `last_at`: of its newest counted report, of its newest item
    where none counts. `voices` and `reports`: counted, all time.
    """

    story: StoryId
    first_at: datetime
    last_at: datetime
    voices: int
    reports: int
    mentions: int
    copies: int
    trend: Trend


def figures_of(
    story: StoryId, evidence: Evidence, watches: Watches, at: datetime, period: Period, rule: HeatRule
) -> Figures:
    """The figures at `at`. Items effective later are not told yet; `evidence` holds one that is."""
    told = [item for item in evidence.items if item.effective_at <= at] or list(evidence.items[:1])
    reports = [item for item in evidence.reports if item.effective_at <= at]
    return Figures(
        story=story,
        first_at=told[0].effective_at,
        last_at=(reports or told)[-1].effective_at,
        voices=len({item.voice for item in reports}),
        reports=len(reports),
        mentions=sum(item.role is Role.MENTION for item in told),
        copies=sum(item.role is Role.COPY for item in told),
        trend=trend(evidence, watches, at, period, rule),
    )


def memory(rule: HeatRule) -> timedelta:
    """How long after its newest report a story is looked for among the hot ones."""
    if rule.window_hours is not None:
        return timedelta(hours=rule.window_hours)
    return timedelta(hours=FADED_HALF_LIVES * rule.half_life_hours)


def kept_hours(evidence: Evidence, at: datetime, rule: HeatRule, since: datetime | None = None) -> range:
    """The full hours up to `at` that are stored, as seconds since 1970: from the first report to the last heat.

    Empty for a story of fewer than KEPT_VOICES voices. `since`: earlier hours were let go; None: none was.
    """
    if len({item.voice for item in evidence.reports}) < KEPT_VOICES:
        return range(0)
    earliest = evidence.times[0] if since is None else max(evidence.times[0], seconds_of(since))
    first = -(-earliest // HOUR) * HOUR
    silent_from = evidence.times[-1] + round(memory(rule).total_seconds())
    return range(first, min(silent_from, seconds_of(at) + 1), HOUR)
