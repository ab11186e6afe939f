"""Makes all conclusions again from the facts, or says where the stored ones differ from that."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from storyheat.core.heat import HeatRule
from storyheat.pipeline.measure import measure
from storyheat.pipeline.place import PlaceParams, place
from storyheat.store.check import compare_conclusions, forget_conclusions
from storyheat.store.database import Database, open_database
from storyheat.store.placing import derived_up_to


def rebuild(database: Database, background: Mapping[str, float], params: PlaceParams, rule: HeatRule) -> None:
    """Forgets all conclusions and makes them again, in one transaction; the facts are not touched."""
    with database.write() as connection:
        placed, measured = derived_up_to(connection, "cluster"), derived_up_to(connection, "heat")
        forget_conclusions(connection)
        if placed is not None:
            place(connection, placed[0], background, params)
        if measured is not None:
            measure(connection, measured[0], rule)


def differences(database: Database, background: Mapping[str, float], params: PlaceParams, rule: HeatRule) -> list[str]:
    """Where the stored conclusions differ from remade ones, a line a table with examples. Changes nothing.

    The remaking happens in a temporary copy, so that nobody has to wait for it.
    """
    with TemporaryDirectory(prefix="storyheat-") as folder:
        path = Path(folder) / "copy.db"
        database.copy_to(path)
        copy = open_database(f"sqlite:///{path}")
        try:
            rebuild(copy, background, params, rule)
            with database.read() as stored, copy.read() as remade:
                return list(compare_conclusions(stored, remade))
        finally:
            copy.close()
