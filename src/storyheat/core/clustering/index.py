"""Which open stories are worth a closer look for an item: postings of terms, and closing by time."""

import heapq
from collections.abc import Iterable, Set
from dataclasses import dataclass, field

from storyheat.core.clustering.dormant import Dormant, DormantParams, Sleeper
from storyheat.core.clustering.meaning import Meaning, MeaningIndex
from storyheat.core.clustering.postings import Postings
from storyheat.core.clustering.state import StoryState
from storyheat.core.clustering.vectors import Vector
from storyheat.core.text.language import differ

_SLACK, _SMALL = 4, 100  # heap entries per story, and in all, before the heaps are made anew


@dataclass(frozen=True, slots=True)
class IndexParams:
    """Budgets that keep the cost of one item flat, and the life of a story."""

    query_terms: int = 24  # heaviest terms of an item that are looked up; prototype
    postings: int = 1500  # entries read for one item, in all; prototype
    candidates: int = 8  # stories looked at more closely; prototype
    foreign: int = 4  # the same for stories in other languages that are about the same; own choice
    akin: int = 2  # the same for those in the item's language, which words mostly find; own choice
    alike_cosine: float = 0.3  # of vectors, from which on stories are about the same; below it pairs hardly ever are
    closed_after: int = 7 * 86_400  # seconds without an item; the length of a news event's echo, prototype
    dormant: DormantParams = field(default_factory=DormantParams)
    open_stories: int = 20_000  # beyond it the one longest untouched is closed; own choice, for memory


class Index:
    """The open stories by id, with postings of the terms of their centroids.

    What it answers depends only on the set of stories in it, never on the order they came in.
    """

    def __init__(self, stories: Iterable[StoryState | Sleeper], params: IndexParams) -> None:
        self._params = params
        self.stories: dict[str, StoryState] = {}
        self._postings = Postings()
        self._meanings = MeaningIndex()
        self._referring: dict[str, dict[str, None]] = {}  # reference → stories that have it
        self._ends: list[tuple[int, str]] = []  # heap of (last at some time, story): may be out of date
        self._touches: list[tuple[int, str]] = []  # heap of (touched at some time, story): may be out of date
        self.clock: int | None = None  # newest time of any story
        self.dormant = Dormant(params.dormant)
        self._closed: list[str] = []
        sleepers = []
        for story in stories:
            if isinstance(story, Sleeper):
                sleepers.append(story)  # whether one is forgotten, the open ones tell
            else:
                self.put(story, {})
        for sleeper in sleepers:
            self.dormant.put(sleeper)
        self._close()

    def put(self, story: StoryState, before: Vector) -> None:
        """Adds a story, or renews one whose centroid was `before`."""
        self.stories[story.id] = story
        self._postings.put(story.id, before, story.centroid, story.length)
        for reference in story.references:
            self._referring.setdefault(reference, {})[story.id] = None
        if story.meaning is None:
            self._meanings.remove(story.id)
        else:
            self._meanings.put(story.id, story.meaning)
        heapq.heappush(self._touches, (story.touched, story.id))
        if story.last is not None:
            heapq.heappush(self._ends, (story.last, story.id))
        self.advance(story.last)
        if len(self._touches) + len(self._ends) > _SLACK * len(self.stories) + _SMALL:
            self._touches = sorted((state.touched, name) for name, state in self.stories.items())
            self._ends = sorted((state.last, name) for name, state in self.stories.items() if state.last is not None)

    def remove(self, story: str) -> StoryState | None:
        """Takes a story out; None if it is not open."""
        state = self.stories.pop(story, None)
        if state is not None:
            self._meanings.remove(story)
            for reference in state.references:
                del self._referring[reference][story]
                if not self._referring[reference]:
                    del self._referring[reference]
            self._postings.remove(story, state.centroid)
        return state

    def newest_touch(self) -> int:
        """The rank of the last change of any story, open or dormant; 0 without stories."""
        return max([self.dormant.newest_touch(), *(story.touched for story in self.stories.values())])

    def set_clock(self) -> None:
        """Sets the clock to the newest time of the stories that are open."""
        self.clock = max([story.last for story in self.stories.values() if story.last is not None], default=None)

    def advance(self, at: int | None) -> None:
        """Moves the clock to an instant, unless it is further, and closes what has been silent too long by then."""
        if at is not None:
            self.clock = at if self.clock is None else max(self.clock, at)
        self._close()

    def wake(self, story: str) -> StoryState | None:
        """Takes a dormant story out, to be put back as an open one; None if there is none of this id."""
        state = self.dormant.take(story)
        if state is not None:
            state.dormant = False
        return state

    def take_closed(self) -> list[Sleeper]:
        """The stories that closed since the last call, as far as they are dormant now."""
        closed = [sleeper for story in self._closed if (sleeper := self.dormant.get(story)) is not None]
        self._closed = []
        return closed

    def sleepers(self, query: Vector, at: int | None) -> list[StoryState]:
        """The dormant stories nearest to a query, best first, that an item of this time may wake."""
        limit = self._params.dormant.dormant_after
        near = self.dormant.nearest(query, self._params.query_terms)
        return [state for state in near if at is not None and gap(state, at) <= limit]

    def _close(self) -> None:
        """Closes what has been silent too long, and the longest untouched beyond the bound."""
        while self._ends and self.clock is not None and self._ends[0][0] < self.clock - self._params.closed_after:
            _, story = heapq.heappop(self._ends)
            state = self.stories.get(story)
            if state is not None and state.last is not None and state.last < self.clock - self._params.closed_after:
                self._lay_down(state)
        while len(self.stories) > self._params.open_stories:
            touched, story = heapq.heappop(self._touches)
            state = self.stories.get(story)
            if state is not None and state.touched == touched:
                self._lay_down(state)
        if self.clock is not None:
            self.dormant.forget(self.clock)

    def _lay_down(self, state: StoryState) -> None:
        self.remove(state.id)
        self.dormant.lay_down(state)
        self._closed.append(state.id)

    def candidates(self, query: Vector, at: int | None) -> list[tuple[float, StoryState]]:
        """The stories nearest to a query (heaviest terms first) as (cosine, state), best first.

        A term whose postings would break the budget is passed over. Stories further than `closed_after` from
        `at` are left out. The cosine is over the looked-up terms only.
        """
        params = self._params
        best: list[tuple[float, StoryState]] = []
        for score, name in self._postings.nearest(query, params.query_terms, params.postings):
            state = self.stories[name]
            if gap(state, at) <= params.closed_after:
                best.append((score, state))
                if len(best) == params.candidates:
                    break
        return best

    def referring(self, reference: str) -> Set[str]:
        """The ids of the stories that point to the same."""
        return self._referring.get(reference, {}).keys()

    def alike(self, meaning: Meaning, language: str | None, at: int | None) -> list[StoryState]:
        """The stories that are about the same, best first: some of other languages, and some in this one."""
        left = {True: self._params.foreign, False: self._params.akin}
        found: list[StoryState] = []
        for _, name in self._meanings.nearest(meaning, self._params.alike_cosine):
            state = self.stories[name]
            foreign = is_foreign(state, language)
            if left[foreign] and gap(state, at) <= self._params.closed_after:
                left[foreign] -= 1
                found.append(state)
                if not any(left.values()):
                    break
        return found


def is_foreign(story: StoryState, language: str | None) -> bool:
    """True where no report of the story can be in this language."""
    return all(differ(language, other) for other in story.languages)


def gap(story: StoryState, at: int | None) -> int:
    """Seconds between an instant and the span of a story; 0 inside it, or where a time is unknown."""
    if at is None or story.first is None or story.last is None:
        return 0
    return max(0, story.first - at, at - story.last)
