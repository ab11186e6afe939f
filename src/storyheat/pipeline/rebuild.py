"""Makes all conclusions again from the facts, or says where the stored ones differ from that."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

from storyheat.core.heat.rule import HeatRule
from storyheat.pipeline.measure import measure
from storyheat.pipeline.place import PlaceParams, place
from storyheat.pipeline.tell import TellParams, tell
from storyheat.store.check import compare_conclusions, forget_conclusions, unfinished
from storyheat.store.database import Database, open_database
from storyheat.store.horizons import horizon
from storyheat.store.placing import derived_up_to
from storyheat.store.source_tallies import recount
from storyheat.store.story_log import corrections


def rebuild(database: Database, background: Mapping[str, float], params: PlaceParams, rule: HeatRule) -> None:
    """Forgets all conclusions and makes them again, in one transaction; the facts are not touched.

    Corrections by hand are facts: each is applied again after the run that it was made after.
    """
    with database.write() as connection:
        placed, measured = derived_up_to(connection, "cluster"), derived_up_to(connection, "heat")
        forget_conclusions(connection)
        recount(connection)
        if placed is not None:
            place(connection, placed[0], background, params, corrections(connection, horizon(connection, "decisions")))
            tell(connection, placed[0], TellParams(background, params.cluster.names))
        if measured is not None:
            measure(connection, measured[0], rule)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Where stored conclusions differ from remade ones, in words; nothing is compared while a run is `unfinished`."""

    differences: tuple[str, ...] = ()
    unfinished: bool = False


def compare(database: Database, background: Mapping[str, float], params: PlaceParams, rule: HeatRule) -> Comparison:
    """Compares the stored conclusions with remade ones. Changes nothing.

    All happens in temporary copies of one state, so that nobody has to wait for it and no run comes between.
    """
    with TemporaryDirectory(prefix="storyheat-") as folder:
        paths = Path(folder) / "stored.db", Path(folder) / "remade.db"
        database.copy_to(paths[0])
        copyfile(*paths)
        stored, remade = (open_database(f"sqlite:///{path}") for path in paths)
        try:
            with stored.read() as before:
                if unfinished(before):
                    return Comparison(unfinished=True)
                rebuild(remade, background, params, rule)
                with remade.read() as after:
                    return Comparison(tuple(compare_conclusions(before, after)))
        finally:
            stored.close()
            remade.close()
