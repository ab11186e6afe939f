"""Applies one correction by hand: when it is made, and again in every rebuild."""

from collections.abc import Mapping

from storyheat.core.clustering.placing import doc_of
from storyheat.core.corrections.effects import Effects, effects
from storyheat.core.corrections.rules import Correction
from storyheat.core.model import Source, SourceId
from storyheat.pipeline.memory import ClusterMemory
from storyheat.store.corrections import ledger_for, remembered_reports, write_effects
from storyheat.store.database import Transaction


def apply(
    connection: Transaction, correction: Correction, memory: ClusterMemory, sources: Mapping[SourceId, Source]
) -> Effects:
    """Adds to the logs what a correction changes, and lets the clusterer remember its stories as they are now."""
    ledger = ledger_for(connection, correction.order, correction.after)
    changed = effects(correction.order, correction.number, ledger)
    write_effects(connection, correction, changed)
    for story in changed.stories:
        reports = remembered_reports(connection, story, correction.after, memory.params.state.restated)
        memory.restate(story, [doc_of(item, sources[item.source]) for item in reports])
    return changed
