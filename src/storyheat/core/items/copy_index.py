"""Finds the copies in a stream of items without a database: an index of sketches in memory."""

from collections import defaultdict, deque
from collections.abc import Callable
from datetime import datetime

from storyheat.core.items.copies import Candidate, CopyParams, Likeness, Sketch, find_copy
from storyheat.core.model import ItemId


class CopyIndex:
    """The sketches of a stream's items so far, those that a later copy may still be near enough to.

    Only bands are kept; the sketch of a candidate comes from `sketch_of` when it is needed.
    """

    def __init__(self, sketch_of: Callable[[ItemId], Sketch], params: CopyParams) -> None:
        self._sketch_of = sketch_of
        self._params = params
        self._by_band: dict[int, dict[ItemId, None]] = defaultdict(dict)
        self._kept: dict[ItemId, tuple[datetime, tuple[int, ...], ItemId]] = {}  # its time, bands and copy set
        self._order: deque[ItemId] = deque()

    def find_or_add(self, item: ItemId, sketch: Sketch, at: datetime) -> Likeness | None:
        """The set that an item's text belongs to, None if it is new; either way it is remembered.

        Items come in the order of time, the earliest of a set first: that is its original.
        """
        while self._order and at - self._kept[self._order[0]][0] > self._params.apart:
            self._forget(self._order.popleft())
        met = sorted({other for band in sketch.bands for other in self._by_band.get(band, ())})
        candidates = [
            Candidate(other, copy_set, when, self._sketch_of(other))
            for other in met
            for when, _, copy_set in (self._kept[other],)
        ]
        like = find_copy(item, sketch, at, candidates, self._params)
        for band in sketch.bands:
            self._by_band[band][item] = None
        self._kept[item] = (at, sketch.bands, item if like is None else like.copy_set)
        self._order.append(item)
        return like

    def _forget(self, item: ItemId) -> None:
        for band in set(self._kept.pop(item)[1]):
            del self._by_band[band][item]
            if not self._by_band[band]:
                del self._by_band[band]
