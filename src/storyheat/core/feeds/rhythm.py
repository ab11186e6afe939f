"""How often a feed has news, and how often it is asked for that reason."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import pairwise
from statistics import median


@dataclass(frozen=True, slots=True)
class RhythmParams:
    """How a rhythm is told from the hours that had news. Origin: our own choice, where nothing else is said."""

    kept: int = 30  # hours remembered of a feed: a month of a daily one
    least: int = 5  # hours without which no rhythm is told
    polls_per_gap: int = 4  # news is found after an eighth of its usual gap, on average
    rare: timedelta = timedelta(hours=2)  # who speaks rarely may say what everyone waits for: not slower than this,
    silence_per_wait: int = 100  # until the silence is so many times as long
    crowded: float = 0.5  # less than this share of the last listing is left: soon entries come and go unseen
    calm_down: float = 1.25  # a hurried wait grows by this factor with every poll that finds more
    jitter_share: float = 0.05  # of a wait: by so much at most a poll comes early, so that feeds spread out


def remembered(known: Iterable[datetime], fresh: Iterable[datetime], params: RhythmParams) -> tuple[datetime, ...]:
    """The newest hours with news, oldest first: `known` ones and those in which the `fresh` instants lie.

    Hours, because a feed that publishes five pieces at once has news once.
    """
    hours = {at.replace(minute=0, second=0) for at in fresh}.union(known)
    return tuple(sorted(hours)[-params.kept :])


def usual_gap(hours: Sequence[datetime], params: RhythmParams) -> timedelta | None:
    """The median gap between the hours (oldest first); None where they are too few to tell."""
    if len(hours) < params.least:
        return None
    return timedelta(seconds=median((later - earlier).total_seconds() for earlier, later in pairwise(hours)))


def longest_gap(hours: Sequence[datetime]) -> timedelta:
    """The longest gap between two hours that follow each other; zero where there are none."""
    return max((later - earlier for earlier, later in pairwise(hours)), default=timedelta())


def adapted_interval(hours: Sequence[datetime], now: datetime, params: RhythmParams) -> timedelta | None:
    """How often a feed with news in these hours is asked; None where they are too few to tell.

    Several times within its usual gap, never more rarely than every few hours, unless it has long been silent.
    """
    gap = usual_gap(hours, params)
    if gap is None:
        return None
    silence = max(now - hours[-1], timedelta())
    wait = max(min(gap / params.polls_per_gap, params.rare), silence / params.silence_per_wait)
    return timedelta(seconds=int(wait.total_seconds()))


def hurried_wait(wait: timedelta | None, since: timedelta, left: float, params: RhythmParams) -> timedelta | None:
    """How often at least a feed is asked so that nothing scrolls off its list unseen; None: there is no danger.

    `wait`: the same before this poll; `since`: the time since the poll before; `left`: the share of the listing of
    then that still stands in it. Where little is left: half the time in which the list turns over.
    """
    if left < params.crowded:
        needed = since / (2 * (1 - left))
        return needed if wait is None else min(wait, needed)
    return None if wait is None else wait * params.calm_down


def jitter(address: str, wait: timedelta, params: RhythmParams) -> timedelta:
    """How much of a wait this feed is spared, whole seconds: always the same for one address and wait."""
    place = int.from_bytes(sha256(address.encode()).digest()[:4], "big") / 2**32
    return timedelta(seconds=int(wait.total_seconds() * params.jitter_share * place))
