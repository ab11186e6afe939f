"""Which open stories are worth a closer look for an item: postings of terms, and closing by time."""

import heapq
from collections.abc import Iterable
from dataclasses import dataclass

from storyheat.core.cluster_state import StoryState
from storyheat.core.vectors import Vector

_SLACK, _SMALL = 4, 100  # heap entries per story, and in all, before the heaps are made anew


@dataclass(frozen=True, slots=True)
class IndexParams:
    """Budgets that keep the cost of one item flat, and the life of a story."""

    query_terms: int = 24  # heaviest terms of an item that are looked up; prototype
    postings: int = 1500  # entries read for one item, in all; prototype
    candidates: int = 8  # stories looked at more closely; prototype
    closed_after: int = 7 * 86_400  # seconds without an item; the length of a news event's echo, prototype
    open_stories: int = 20_000  # beyond it the one longest untouched is closed; own choice, for memory


class Index:
    """The open stories by id, with postings of the terms of their centroids.

    What it answers depends only on the set of stories in it, never on the order they came in.
    """

    def __init__(self, stories: Iterable[StoryState], params: IndexParams) -> None:
        self._params = params
        self.stories: dict[str, StoryState] = {}
        self._postings: dict[str, dict[str, float]] = {}  # term → story → its weight in the unit centroid
        self._ends: list[tuple[int, str]] = []  # heap of (last at some time, story): may be out of date
        self._touches: list[tuple[int, str]] = []  # heap of (touched at some time, story): may be out of date
        self.clock: int | None = None  # newest time of any story
        for story in stories:
            self.put(story, {})

    def put(self, story: StoryState, before: Vector) -> None:
        """Adds a story, or renews one whose centroid was `before`."""
        self.stories[story.id] = story
        for term in before.keys() - story.centroid.keys():
            self._drop(term, story.id)
        length = story.length
        for term, weight in story.centroid.items():
            self._postings.setdefault(term, {})[story.id] = weight / length
        heapq.heappush(self._touches, (story.touched, story.id))
        if story.last is not None:
            heapq.heappush(self._ends, (story.last, story.id))
            self.clock = story.last if self.clock is None else max(self.clock, story.last)
        self._close()
        if len(self._touches) + len(self._ends) > _SLACK * len(self.stories) + _SMALL:
            self._touches = sorted((state.touched, name) for name, state in self.stories.items())
            self._ends = sorted((state.last, name) for name, state in self.stories.items() if state.last is not None)

    def remove(self, story: str) -> StoryState | None:
        """Takes a story out; None if it is not open."""
        state = self.stories.pop(story, None)
        if state is not None:
            for term in state.centroid:
                self._drop(term, story)
        return state

    def _drop(self, term: str, story: str) -> None:
        entries = self._postings[term]
        del entries[story]
        if not entries:
            del self._postings[term]

    def _close(self) -> None:
        """Closes what has been silent too long, and the longest untouched beyond the bound."""
        while self._ends and self.clock is not None and self._ends[0][0] < self.clock - self._params.closed_after:
            _, story = heapq.heappop(self._ends)
            state = self.stories.get(story)
            if state is not None and state.last is not None and state.last < self.clock - self._params.closed_after:
                self.remove(story)
        while len(self.stories) > self._params.open_stories:
            touched, story = heapq.heappop(self._touches)
            state = self.stories.get(story)
            if state is not None and state.touched == touched:
                self.remove(story)

    def candidates(self, query: Vector, at: int | None) -> list[tuple[float, StoryState]]:
        """The stories nearest to a query (heaviest terms first) as (cosine, state), best first.

        A term whose postings would break the budget is passed over. Stories further than `closed_after` from
        `at` are left out. The cosine is over the looked-up terms only.
        """
        budget = self._params.postings
        scores: dict[str, float] = {}
        for term in list(query)[: self._params.query_terms]:
            entries = self._postings.get(term)
            if entries is None or len(entries) > budget:
                continue
            budget -= len(entries)
            weight = query[term]
            for story, share in entries.items():
                scores[story] = scores.get(story, 0.0) + weight * share
        ranked = [(-score, story) for story, score in scores.items()]
        heapq.heapify(ranked)
        best: list[tuple[float, StoryState]] = []
        while ranked and len(best) < self._params.candidates:
            score, name = heapq.heappop(ranked)
            state = self.stories[name]
            if gap(state, at) <= self._params.closed_after:
                best.append((-score, state))
        return best


def gap(story: StoryState, at: int | None) -> int:
    """Seconds between an instant and the span of a story; 0 inside it, or where a time is unknown."""
    if at is None or story.first is None or story.last is None:
        return 0
    return max(0, story.first - at, at - story.last)
