"""Which stories have a term, and how heavy it is in each: what finds the stories nearest to an item."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from storyheat.core.clustering.vectors import SCALE, Vector

_SHIFT = 32  # bits of an entry for the weight, in steps of 1 / SCALE; the place of the story stands above them
_WEIGHT = (1 << _SHIFT) - 1
_SORTED_FIRST = 12  # stories put in order at once; most callers want no more


class Postings:
    """Term → the stories whose centroid has it.

    A story has a number, its *place*, as long as it is here. An entry is one integer of 64 bits, place and weight;
    the entries of a term stand in order of place. So the entries of all terms of an item are summed at once.
    """

    def __init__(self) -> None:
        self._entries: dict[str, array[int]] = {}
        self._places: dict[str, int] = {}
        self._stories: list[str] = []  # by place; "": free
        self._free: list[int] = []
        self._lengths: NDArray[np.float64] = np.ones(64)  # of the centroids, by place

    def put(self, story: str, before: Vector, centroid: Vector, length: float) -> None:
        """Adds a story, or renews one whose centroid was `before`. `length`: of the centroid."""
        place = self._place_of(story)
        self._lengths[place] = length
        for term in before.keys() - centroid.keys():
            self._drop(term, place)
        entries, high = self._entries, place << _SHIFT
        for term, weight in centroid.items():
            if term in before and before[term] == weight:
                continue
            entry = high + round(weight * SCALE)
            known = entries.get(term)
            if known is None:
                entries[term] = array("q", (entry,))
                continue
            at = bisect_left(known, high)
            if at < len(known) and known[at] >> _SHIFT == place:
                known[at] = entry
            else:
                known.insert(at, entry)

    def remove(self, story: str, centroid: Vector) -> None:
        """Takes a story out that has this centroid."""
        place = self._places.pop(story)
        for term in centroid:
            self._drop(term, place)
        self._stories[place] = ""
        self._free.append(place)

    def nearest(self, query: Vector, terms: int, budget: int) -> Iterator[tuple[float, str]]:
        """(cosine over the heaviest `terms` of a query, story), best first; ties go to the smaller id.

        At most `budget` entries are read; a term with more than what is left of it is passed over.
        """
        chosen: list[array[int]] = []
        weights: list[float] = []
        numbers: list[int] = []
        for term in islice(query, terms):
            entries = self._entries.get(term)
            if entries is not None and (number := len(entries)) <= budget:
                budget -= number
                chosen.append(entries)
                weights.append(query[term])
                numbers.append(number)
        if not chosen:
            return
        packed = np.frombuffer(b"".join(chosen), np.int64)
        places = packed >> _SHIFT
        shares = (packed & _WEIGHT) / SCALE / self._lengths[places]
        weighted = np.repeat(weights, numbers) * shares
        scores = np.asarray(np.bincount(places, weighted), np.float64)
        found = np.flatnonzero(scores > 0.0)  # of yes and no, which are looked through faster than numbers
        if len(found) > _SORTED_FIRST:
            reached = scores[found]
            first = reached >= np.partition(reached, -_SORTED_FIRST)[-_SORTED_FIRST]
            yield from self._sorted(scores, found[first])
            found = found[~first]
        yield from self._sorted(scores, found)

    def _sorted(self, scores: NDArray[np.float64], places: NDArray[np.int64]) -> Iterator[tuple[float, str]]:
        pairs = zip(scores[places].tolist(), places.tolist(), strict=True)
        for negated, story in sorted([(-score, self._stories[place]) for score, place in pairs]):
            yield -negated, story

    def _place_of(self, story: str) -> int:
        place = self._places.get(story)
        if place is None:
            if self._free:
                place = self._free.pop()
                self._stories[place] = story
            else:
                place = len(self._stories)
                self._stories.append(story)
                if place == len(self._lengths):
                    self._lengths = np.concatenate([self._lengths, np.ones(place)])
            self._places[story] = place
        return place

    def _drop(self, term: str, place: int) -> None:
        entries = self._entries[term]
        if len(entries) == 1:
            del self._entries[term]
        else:
            del entries[bisect_left(entries, place << _SHIFT)]
