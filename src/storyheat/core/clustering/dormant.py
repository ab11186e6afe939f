"""Closed stories, kept in few bytes each, so that a report that shares rare words with one can wake it."""

import heapq
import zlib
from collections.abc import Set
from dataclasses import dataclass

from storyheat.core.clustering.state import StoryState, from_bytes
from storyheat.core.clustering.vectors import Vector


@dataclass(frozen=True, slots=True)
class DormantParams:
    """What is kept of closed stories, and for how long."""

    dormant_after: int = 180 * 86_400  # seconds since its last item until it is forgotten; 400 days: gva_dev +.002 F1
    dormant_stories: int = 20_000  # beyond it the one longest silent is forgotten; own choice, for memory
    dormant_terms: int = 40  # kept of a story's centroid, names and first report; own choice, for memory
    keys: int = 12  # heaviest terms by which a story is found; 24 find no more, on gva_dev
    shared_keys: int = 2  # of an item's terms that must lead to a story; own choice, one says too little
    key_stories: int = 200  # a key of more stories is passed over; own choice, for speed
    woken: int = 3  # stories looked at for one item; own choice, for speed


@dataclass(frozen=True, slots=True)
class _Sleeper:
    packed: bytes
    keys: tuple[str, ...]
    last: int
    touched: int


class Dormant:
    """Closed stories by id. What it answers depends only on the set of stories in it."""

    def __init__(self, params: DormantParams) -> None:
        self._params = params
        self._sleepers: dict[str, _Sleeper] = {}
        self._keys: dict[str, dict[str, None]] = {}  # term → stories
        self._ends: list[tuple[int, str]] = []  # heap of (last, story): may be out of date

    @property
    def ids(self) -> Set[str]:
        """The ids of the stories."""
        return self._sleepers.keys()

    def put(self, story: StoryState) -> None:
        """Adds a story that has closed, shortened; one without times is not kept, as nothing would end its sleep."""
        if story.last is None:
            return
        keys = tuple(story.centroid)[: self._params.keys]
        self._sleepers[story.id] = _Sleeper(zlib.compress(story.to_bytes(), 1), keys, story.last, story.touched)
        for key in keys:
            self._keys.setdefault(key, {})[story.id] = None
        heapq.heappush(self._ends, (story.last, story.id))

    def forget(self, clock: int) -> None:
        """Forgets what has been silent for too long at `clock`, and the longest silent beyond the bound."""
        oldest = clock - self._params.dormant_after
        while self._ends and (self._ends[0][0] < oldest or len(self._sleepers) > self._params.dormant_stories):
            last, story = heapq.heappop(self._ends)
            if story in self._sleepers and self._sleepers[story].last == last:
                self._drop(story)

    def take(self, story: str) -> StoryState | None:
        """Takes a story out; None if it is not here."""
        return _unpacked(self._drop(story)) if story in self._sleepers else None

    def nearest(self, query: Vector, terms: int) -> list[StoryState]:
        """The stories whose keys have most of the weight of an item's heaviest terms, best first."""
        found: dict[str, list[float]] = {}
        for term in list(query)[:terms]:
            stories = self._keys.get(term, {})
            if len(stories) <= self._params.key_stories:
                for story in stories:
                    found.setdefault(story, []).append(query[term])
        ranked = [(-sum(shared), story) for story, shared in found.items() if len(shared) >= self._params.shared_keys]
        return [_unpacked(self._sleepers[story]) for _, story in heapq.nsmallest(self._params.woken, ranked)]

    def _drop(self, story: str) -> _Sleeper:
        sleeper = self._sleepers.pop(story)
        for key in sleeper.keys:
            del self._keys[key][story]
            if not self._keys[key]:
                del self._keys[key]
        return sleeper

    def newest_touch(self) -> int:
        """The rank of the last change of any story; 0 without stories."""
        return max([sleeper.touched for sleeper in self._sleepers.values()], default=0)


def _unpacked(sleeper: _Sleeper) -> StoryState:
    return from_bytes(zlib.decompress(sleeper.packed))
