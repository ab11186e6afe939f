"""Closed stories, kept in few bytes each, so that a report that shares rare words with one can wake it."""

import heapq
import json
import zlib
from collections.abc import Set
from dataclasses import dataclass
from struct import Struct

from storyheat.core.clustering.state import StoryState, from_bytes, shortened
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


VERSION = 0x44  # no version of an open story's state
_HEAD = Struct("<BqqH")  # version, last, touched, length of id and keys


@dataclass(frozen=True, slots=True)
class Sleeper:
    """One closed story: by what it is found, and the rest packed, to be unpacked when it may wake."""

    id: str
    keys: tuple[str, ...]  # its heaviest terms
    last: int  # seconds since 1970 UTC
    touched: int  # rank of its last change
    packed: bytes

    def to_bytes(self) -> bytes:
        """This story as bytes, the same for equal stories."""
        found_by = json.dumps([self.id, *self.keys], ensure_ascii=False).encode("utf-8", "surrogatepass")
        return _HEAD.pack(VERSION, self.last, self.touched, len(found_by)) + found_by + self.packed

    def state(self) -> StoryState:
        """What is remembered of the story."""
        return from_bytes(zlib.decompress(self.packed))


def remembered(data: bytes, shared: dict[str, str]) -> StoryState | Sleeper:
    """The open or closed story that `to_bytes` wrote. Raises ValueError for another version or no story at all.

    `shared`: see `from_bytes`.
    """
    if data[:1] != bytes([VERSION]):
        return from_bytes(data, shared)
    _, last, touched, length = _HEAD.unpack_from(data)
    end = _HEAD.size + length
    story, *keys = json.loads(data[_HEAD.size : end].decode("utf-8", "surrogatepass"))
    return Sleeper(story, tuple([shared.setdefault(key, key) for key in keys]), last, touched, data[end:])


class Dormant:
    """Closed stories by id. What it answers depends only on the set of stories in it."""

    def __init__(self, params: DormantParams) -> None:
        self._params = params
        self._sleepers: dict[str, Sleeper] = {}
        self._keys: dict[str, dict[str, None]] = {}  # term → stories
        self._ends: list[tuple[int, str]] = []  # heap of (last, story): may be out of date

    @property
    def ids(self) -> Set[str]:
        """The ids of the stories."""
        return self._sleepers.keys()

    def lay_down(self, story: StoryState) -> None:
        """Adds a story that has closed, shortened; one without times is not kept, as nothing would end its sleep."""
        if story.last is not None:
            keys = tuple(story.centroid)[: self._params.keys]
            short = shortened(story, self._params.dormant_terms)
            self.put(Sleeper(story.id, keys, story.last, story.touched, zlib.compress(short.to_bytes(), 1)))

    def put(self, sleeper: Sleeper) -> None:
        """Adds a story as it was stored."""
        self._sleepers[sleeper.id] = sleeper
        for key in sleeper.keys:
            self._keys.setdefault(key, {})[sleeper.id] = None
        heapq.heappush(self._ends, (sleeper.last, sleeper.id))

    def forget(self, clock: int) -> None:
        """Forgets what has been silent for too long at `clock`, and the longest silent beyond the bound."""
        oldest = clock - self._params.dormant_after
        while self._ends and (self._ends[0][0] < oldest or len(self._sleepers) > self._params.dormant_stories):
            last, story = heapq.heappop(self._ends)
            if story in self._sleepers and self._sleepers[story].last == last:
                self._drop(story)

    def take(self, story: str) -> StoryState | None:
        """Takes a story out; None if it is not here."""
        return self._drop(story).state() if story in self._sleepers else None

    def get(self, story: str) -> Sleeper | None:
        """A story as it is to be stored; None if it is not here."""
        return self._sleepers.get(story)

    def nearest(self, query: Vector, terms: int) -> list[StoryState]:
        """The stories whose keys have most of the weight of an item's heaviest terms, best first."""
        found: dict[str, list[float]] = {}
        for term in list(query)[:terms]:
            stories = self._keys.get(term, {})
            if len(stories) <= self._params.key_stories:
                for story in stories:
                    found.setdefault(story, []).append(query[term])
        ranked = [(-sum(shared), story) for story, shared in found.items() if len(shared) >= self._params.shared_keys]
        return [self._sleepers[story].state() for _, story in heapq.nsmallest(self._params.woken, ranked)]

    def _drop(self, story: str) -> Sleeper:
        sleeper = self._sleepers.pop(story)
        for key in sleeper.keys:
            del self._keys[key][story]
            if not self._keys[key]:
                del self._keys[key]
        return sleeper

    def newest_touch(self) -> int:
        """The rank of the last change of any story; 0 without stories."""
        return max([sleeper.touched for sleeper in self._sleepers.values()], default=0)
