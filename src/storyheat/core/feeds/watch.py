"""Which sources were watched when: whether silence at an instant means that nothing was said."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

_NEXT = datetime.resolution  # the first instant after another


@dataclass(frozen=True, slots=True)
class WatchParams:
    """How long a success lasts: a feed is behind when nothing came for longer than its reach."""

    polls: int = 3  # poll intervals; origin: the design of heat
    least: timedelta = timedelta(minutes=90)  # for feeds polled often; origin: the design of heat


def reach(poll_interval: timedelta, params: WatchParams | None = None) -> timedelta:
    """How long after a successful fetch a feed polled at this interval still counts as watched."""
    params = params or WatchParams()
    return max(params.polls * poll_interval, params.least)


@dataclass(frozen=True, slots=True)
class FeedWatch:
    """What was watched of one feed.

    `first_success`, `last_success`: its first and last usable replies, None if there was none (either both
    or neither). `reach`: see there. `holes`: (from, to) pairs of successful fetches. At both ends the feed
    was fetched and seen, so the ends are watched; the open span between them is the hole.
    `followed`: False when it is asked no more (gone, or out of the configuration). Its silence then says
    nothing against the other feeds of its source.
    """

    first_success: datetime | None
    last_success: datetime | None
    reach: timedelta
    holes: tuple[tuple[datetime, datetime], ...] = ()
    followed: bool = True

    def started(self, at: datetime) -> bool:
        """Whether it had been fetched successfully by then."""
        return self.first_success is not None and self.first_success <= at

    def behind(self, at: datetime) -> bool:
        """Whether its last success is too long ago at that instant (or there was none)."""
        return self.last_success is None or at - self.last_success > self.reach


@dataclass(frozen=True)
class Watch:
    """What was watched of one source, feed by feed."""

    feeds: tuple[FeedWatch, ...] = ()

    @property
    def first_success(self) -> datetime | None:
        """The first successful fetch of any of its feeds; None if there was none."""
        return min((feed.first_success for feed in self.feeds if feed.first_success), default=None)

    def begun(self, at: datetime) -> bool:
        """Whether any of its feeds had been fetched successfully by then."""
        return any(feed.started(at) for feed in self.feeds)

    def watched_at(self, at: datetime) -> bool:
        """Whether the source was watched at an instant.

        Some feed was fetched by then and is not behind, and no feed fetched by then is in a hole or, while
        it is followed, behind: what is missing in one feed of a source can be just what it said.
        """
        turns, states = self._turns
        place = bisect_right(turns, at)
        return place > 0 and states[place - 1]

    @cached_property
    def _turns(self) -> tuple[list[datetime], list[bool]]:
        """From which instants on that may be otherwise, in order, and how it is then; of equal ones the last holds.

        Charts ask for the same source hour by hour and story by story.
        """
        turns: list[tuple[datetime, int, int]] = []  # instant, which feed, holes of it that begin there
        for number, feed in enumerate(self.feeds):
            if feed.first_success is not None:
                turns.append((feed.first_success, number, 0))
            if feed.last_success is not None:
                turns.append((feed.last_success + feed.reach + _NEXT, number, 0))
            for start, end in feed.holes:
                turns += [(start + _NEXT, number, 1), (end, number, -1)]
        turns.sort()
        holes, states = [0] * len(self.feeds), list[bool]()
        for at, number, begun in turns:
            holes[number] += begun
            states.append(self._watched(at, holes))
        return [at for at, _, _ in turns], states

    def _watched(self, at: datetime, holes: Sequence[int]) -> bool:
        """The same; `holes`: in how many each feed is."""
        watching = False
        for feed, inside in zip(self.feeds, holes, strict=True):
            if feed.started(at):
                behind = feed.behind(at)
                if inside > 0 or (behind and feed.followed):
                    return False
                watching = watching or not behind
        return watching


UNWATCHED = Watch()
