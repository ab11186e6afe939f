"""The middle stage of a run: finds copies, and puts every new item into its stories."""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from storyheat.core.clustering.model import ClusterParams, Doc
from storyheat.core.clustering.placing import Placed, doc_of, in_turn, place_batch
from storyheat.core.corrections.rules import Correction
from storyheat.core.items.copies import Candidate, CopyParams, sketch
from storyheat.core.items.facts import Item
from storyheat.core.model import ItemId, Source, SourceId, StoryId
from storyheat.pipeline.apply import apply
from storyheat.pipeline.memory import ClusterMemory, model_of
from storyheat.ports import Embedder
from storyheat.store import horizons, placing
from storyheat.store.corrections import remembered_reports
from storyheat.store.database import Transaction
from storyheat.store.feeds import stored_sources


@dataclass(frozen=True, slots=True)
class PlaceResult:
    """What the stage decided, in counts."""

    copies: int = 0
    stories_new: int = 0
    stories_grown: int = 0


@dataclass(frozen=True, slots=True)
class PlaceParams:
    """What tunes placing."""

    cluster: ClusterParams
    copies: CopyParams
    embedder: Embedder | None = None  # None: lexical mode

    @property
    def signature(self) -> str:
        """Name and parameters, kept with the conclusions."""
        mode = f"semantic/1 by {model_of(self.embedder)}" if self.embedder else "lexical/1"
        threshold, names = self.cluster.threshold, self.cluster.names.mark
        return f"{mode}, threshold {threshold:g}, names {names}, copies from {self.copies.similarity:g}"


def place(
    connection: Transaction,
    now: datetime,
    background: Mapping[str, float],
    params: PlaceParams,
    corrections: Iterable[Correction] = (),
) -> PlaceResult:
    """Places everything that is stored and not placed yet, oldest run first.

    `corrections`: those to replay in a rebuild, in their order, each after the run that it was made after.
    """
    before = placing.derived_up_to(connection, "cluster")
    since = None if before is None else before[0]
    if since is not None and since > now:  # the clock was set back: from here on times do not tell the order of runs
        horizons.settle(connection, since)
        since = None  # everything is looked through once
    batches, replayed = placing.unplaced_batches(connection, since), deque(corrections)
    placing.note_derived(connection, "cluster", params.signature, now)
    if not batches and not replayed:
        return PlaceResult()
    work = _Placing(connection, background, params)
    if work.memory.strange:
        work.remean(now)
    result = work.run(batches, replayed)
    settled = horizons.horizon(connection, "decisions")
    if settled is not None and now <= settled:  # until the clock is there again, every decision is settled
        horizons.settle(connection, settled)
    return result


class _Placing:
    """The working state of one `place`."""

    def __init__(self, connection: Transaction, background: Mapping[str, float], params: PlaceParams) -> None:
        self.connection, self.params = connection, params
        self.sources: Mapping[SourceId, Source] = stored_sources(connection)
        self.memory = ClusterMemory(connection, background, params.cluster, params.embedder)

    def run(self, batches: list[placing.Batch], corrections: deque[Correction]) -> PlaceResult:
        copies = new = grown = 0
        for batch in batches:
            while corrections and corrections[0].after < batch.at:
                apply(self.connection, corrections.popleft(), self.memory, self.sources)
            placed = self._batch(batch)
            copies += len(placed.copies)
            new += len(placed.founded)
            grown += len(placed.grown)
        for correction in corrections:
            apply(self.connection, correction, self.memory, self.sources)
        self.memory.store()
        return PlaceResult(copies, new, grown)

    def remean(self, now: datetime) -> None:
        """Tells anew what the open stories are about, after a change of the encoder or of the mode."""
        number = self.params.cluster.state.restated

        def reports(story: str) -> list[Doc]:
            return [self._doc(item) for item in remembered_reports(self.connection, StoryId(story), now, number)]

        self.memory.remean(reports, now)

    def _doc(self, item: Item) -> Doc:
        return doc_of(item, self.sources[item.source])

    def _batch(self, batch: placing.Batch) -> Placed:
        versions = placing.items_as_of(self.connection, (*batch.new, *batch.moved), batch.at)
        items = sorted([versions[item] for item in batch.new], key=in_turn)
        self.memory.expect(self._doc(item) for item in items)
        sketches = {item.id: sketch(item.title, _body(item), self.params.copies) for item in items}
        shared = placing.items_with_bands(self.connection, (band for one in sketches.values() for band in one.bands))
        for item in items:
            for band in sketches[item.id].bands:
                shared[band].add(item.id)
        # Only what meets another item is worth loading: most bands hold nothing but the item itself.
        meets = {item for found in shared.values() if len(found) > 1 for item in found}
        known = {**placing.items_as_of(self.connection, meets - set(versions), batch.at), **versions}
        book = placing.read_book(self.connection, (*meets, *batch.moved))
        placed_so_far: set[ItemId] = {item for item in meets if item not in sketches}

        def candidates(item: Item) -> Iterable[Candidate]:
            found = {other for band in sketches[item.id].bands for other in shared[band]} & placed_so_far
            placed_so_far.add(item.id)
            for other in sorted(found):
                seen = sketches.get(other) or sketch(known[other].title, _body(known[other]), self.params.copies)
                yield Candidate(other, book.copy_sets.get(other, other), known[other].effective_at, seen)

        def items_of(wanted: Iterable[ItemId]) -> Mapping[ItemId, Item]:
            return placing.items_as_of(self.connection, wanted, batch.at)

        placed = place_batch(
            items,
            batch.moved,
            sketches,
            candidates,
            items_of,
            book,
            self.memory,
            self.sources,
            self.params.copies,
        )
        placing.write_placed(self.connection, placed, batch.at)
        placing.write_sketches(self.connection, sketches)
        return placed


def _body(item: Item) -> str:
    return item.text or item.summary
