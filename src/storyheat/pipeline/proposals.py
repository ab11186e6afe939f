"""What the clusterer would do otherwise, now that more is told: proposals that a person accepts with a command."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from storyheat.core.clustering.consolidate import MergeProposal, SplitProposal, propose_merges, propose_splits
from storyheat.core.clustering.model import Doc
from storyheat.core.clustering.placing import doc_of
from storyheat.core.model import ItemId, StoryId
from storyheat.pipeline.memory import ClusterMemory
from storyheat.pipeline.place import PlaceParams
from storyheat.store.corrections import parted_by_hand, placed_by_hand, remembered_reports
from storyheat.store.database import Transaction
from storyheat.store.feeds import stored_sources
from storyheat.store.placing import derived_up_to


@dataclass(frozen=True, slots=True)
class Proposals:
    """Merges and splits, the surest first; none about what a person decided otherwise."""

    merges: Sequence[MergeProposal] = ()
    splits: Sequence[SplitProposal] = ()


def propose(connection: Transaction, background: Mapping[str, float], params: PlaceParams) -> Proposals:
    """Looks at the open stories again. Writes nothing."""
    placed = derived_up_to(connection, "cluster")
    if placed is None:
        return Proposals()
    after, number = placed[0], params.cluster.state.restated
    memory, sources = ClusterMemory(connection, background, params.cluster, params.embedder), stored_sources(connection)
    apart, held = parted_by_hand(connection), placed_by_hand(connection)
    seen: dict[str, list[Doc]] = {}

    def reports(story: str) -> Sequence[Doc]:
        if story not in seen:
            items = remembered_reports(connection, StoryId(story), after, number)
            seen[story] = [doc_of(item, sources[item.source]) for item in items]
            memory.know(seen[story])
        return seen[story]

    return Proposals(
        propose_merges(memory.clusterer, reports, lambda one, other: (StoryId(one), StoryId(other)) in apart),
        propose_splits(memory.clusterer, reports, lambda item: ItemId(item) in held),
    )
