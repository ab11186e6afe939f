"""Makes one correction by hand: keeps it, and lets memberships, ids, the clusterer's memory and heat follow at once."""

from collections.abc import Mapping

from storyheat.core.corrections.rules import Correction
from storyheat.core.heat.rule import HeatRule
from storyheat.pipeline.apply import apply
from storyheat.pipeline.measure import remeasure
from storyheat.pipeline.memory import ClusterMemory
from storyheat.pipeline.place import PlaceParams
from storyheat.pipeline.tell import TellParams, retell
from storyheat.store.corrections import keep
from storyheat.store.database import Transaction
from storyheat.store.feeds import stored_sources


def correct(
    connection: Transaction, asked: Correction, background: Mapping[str, float], params: PlaceParams, rule: HeatRule
) -> Correction:
    """The correction with the number under which it is kept. Heat is measured as of the last run."""
    correction = keep(connection, asked)
    memory = ClusterMemory(connection, background, params.cluster, params.embedder)
    changed = apply(connection, correction, memory, stored_sources(connection))
    memory.store()
    retell(connection, changed.stories, TellParams(background, params.cluster.names))
    remeasure(connection, changed.stories, rule)
    return correction
