"""The middle stage of a run: finds copies, and puts every new item into its stories."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from storyheat.core.cluster import Clusterer
from storyheat.core.cluster_model import ClusterParams
from storyheat.core.copies import Candidate, CopyParams, sketch
from storyheat.core.facts import Item
from storyheat.core.model import ItemId, Source, SourceId
from storyheat.core.placing import Placed, place_batch
from storyheat.core.text import read
from storyheat.store import clusters, placing
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

    @property
    def signature(self) -> str:
        """Name and parameters, kept with the conclusions."""
        return f"lexical/1, threshold {self.cluster.threshold:g}, copies from {self.copies.similarity:g}"


def place(connection: Transaction, now: datetime, background: Mapping[str, float], params: PlaceParams) -> PlaceResult:
    """Places everything that is stored and not placed yet, oldest run first."""
    before = placing.derived_up_to(connection, "cluster")
    # After a clock that ran ahead was set right, everything is looked through once.
    since = None if before is None or before[0] > now else before[0]
    batches = placing.unplaced_batches(connection, since)
    placing.note_derived(connection, "cluster", params.signature, now)
    if not batches:
        return PlaceResult()
    return _Placing(connection, background, params).run(batches)


class _Placing:
    """The working state of one `place`."""

    def __init__(self, connection: Transaction, background: Mapping[str, float], params: PlaceParams) -> None:
        self.connection, self.background, self.params = connection, background, params
        self.sources: Mapping[SourceId, Source] = stored_sources(connection)

    def run(self, batches: list[placing.Batch]) -> PlaceResult:
        versions = {
            batch.at: placing.items_as_of(self.connection, (*batch.new, *batch.moved), batch.at) for batch in batches
        }
        terms = {
            term
            for batch in batches
            for item in batch.new
            for term in read(versions[batch.at][item].title, _body(versions[batch.at][item])).terms()
        }
        states = clusters.open_stories(self.connection)
        counts = clusters.counts_for(self.connection, terms)
        clusterer = Clusterer(self.background, counts, states, self.params.cluster)
        copies = new = grown = 0
        for batch in batches:
            placed = self._batch(batch, versions[batch.at], clusterer)
            copies += len(placed.copies)
            new += len(placed.founded)
            grown += len(placed.grown)
        closed = sorted({state.id for state in states} - clusterer.open_ids)
        changed = [state for state in clusterer.take_changes() if state.id in clusterer.open_ids]
        clusters.write_states(self.connection, changed, closed)
        clusters.write_counts(self.connection, counts, self.params.cluster.weigh.least_count)
        return PlaceResult(copies, new, grown)

    def _batch(self, batch: placing.Batch, versions: Mapping[ItemId, Item], clusterer: Clusterer) -> Placed:
        items = [versions[item] for item in batch.new]
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
                yield Candidate(other, book.copy_sets.get(other, other), known[other].effective_at, seen.tokens)

        def items_of(wanted: Iterable[ItemId]) -> Mapping[ItemId, Item]:
            return placing.items_as_of(self.connection, wanted, batch.at)

        placed = place_batch(
            items,
            batch.moved,
            sketches,
            candidates,
            items_of,
            book,
            clusterer,
            self.sources,
            self.params.copies,
        )
        placing.write_placed(self.connection, placed, batch.at)
        placing.write_sketches(self.connection, sketches)
        return placed


def _body(item: Item) -> str:
    return item.text or item.summary
