"""When the daemon wakes: for the next feed that is due, after trouble, and when the clock has jumped."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class WakeParams:
    """The bounds of the daemon's sleep. Origin: our own choice."""

    least: timedelta = timedelta(minutes=1)  # feeds that are due within it are polled together
    most: timedelta = timedelta(minutes=10)  # heat cools while nobody speaks, and others may have planned anew
    busy: timedelta = timedelta(seconds=20)  # until another run is over
    trouble: timedelta = timedelta(minutes=1)  # after the first error in a row; twice as long after each further one
    most_errors: int = 5  # errors nobody expected, in a row, after which it gives up
    slack: timedelta = timedelta(minutes=2)  # by which a clock may be set without a word


def next_wake(next_poll: datetime | None, now: datetime, params: WakeParams) -> datetime:
    """When to wake after a run that ended at `now`. `next_poll`: when a feed is due; None: there is none."""
    latest = now + params.most
    return max(now + params.least, min(next_poll or latest, latest))


def wake_after_errors(errors: int, now: datetime, params: WakeParams) -> datetime:
    """When to try again after so many errors in a row."""
    doublings = min(errors - 1, 16)  # 2**16 minutes are more than any bound
    return now + min(params.trouble * (1 << doublings), params.most)


def clock_jumped(planned_at: datetime, wake_at: datetime, now: datetime, params: WakeParams) -> bool:
    """Whether a plan made at one instant for another means nothing any more at `now`.

    A clock that was set back would let it wait for ever; one that went on while the machine slept has passed it.
    """
    return now < planned_at - params.slack or now > wake_at + params.slack
