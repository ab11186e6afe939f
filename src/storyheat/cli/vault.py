"""The commands that copy and measure the database: db backup, db restore, db stats."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from storyheat.cli import common
from storyheat.cli.common import UsualJson
from storyheat.cli.screen import padded, show, show_json

if TYPE_CHECKING:
    from storyheat.store.stats import Stats

_SHOWN_TABLES = 8  # the largest ones; -v shows all


def register(group: typer.Typer) -> None:
    """Adds the commands to the group `db`."""
    common.add(group, backup, "storyheat db backup /backups/storyheat.db --force")
    common.add(group, restore, "storyheat db restore /backups/storyheat.db")
    common.add(group, stats, "storyheat db stats")


def backup(
    usual: UsualJson,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes.")],
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it is there.")] = False,
) -> None:
    """Make a consistent copy.

    Also while a run is at work. The copy is checked before it is called one.
    """
    from storyheat.present.words import byte_count, count
    from storyheat.store.backup import back_up
    from storyheat.store.database import open_database

    settings = usual.settings()
    with open_database(settings.database) as database:
        copied = back_up(database, file, force=force)
    if usual.as_json:
        told = {"bytes": copied.bytes, "items": copied.items, "schema_version": copied.version}
        show_json({"schema": "storyheat.backup/1", "file": str(file), **told})
    elif not usual.quiet:
        show(f"{file}: a sound copy, {count(copied.items, 'item')}, {byte_count(copied.bytes)}")


def restore(
    usual: UsualJson,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy made by db backup.")],
) -> None:
    """Bring a copy back.

    It is checked first. What was there is kept beside it.
    """
    from storyheat.present.words import count
    from storyheat.store.backup import restore as bring_back
    from storyheat.store.database import database_name
    from storyheat.store.versions import HEAD

    settings = usual.settings()
    copied, kept = bring_back(file, settings.database, common.present_instant())
    if usual.as_json:
        told = {"kept": None if kept is None else str(kept), "items": copied.items, "schema_version": copied.version}
        show_json({"schema": "storyheat.restore/1", "file": str(file), **told})
    elif not usual.quiet:
        show(f"{database_name(settings.database)}: restored from {file}, {count(copied.items, 'item')}")
        if kept is not None:
            show(f"What was there is kept as {kept}.")
        if copied.version != HEAD:
            show('The copy is of an older schema: run "storyheat db upgrade".')


def stats(usual: UsualJson) -> None:
    """Tell the size.

    Rows and bytes by table, and how far back the data reaches.
    """
    from storyheat.store.database import open_database
    from storyheat.store.stats import stats as measure

    settings = usual.settings()
    with open_database(settings.database) as database:
        found = measure(database)
    if usual.as_json:
        show_json(_as_json(found))
    else:
        show(*_lines(found, verbose=usual.verbose, quiet=usual.quiet))


def _as_json(found: "Stats") -> dict[str, Any]:
    from storyheat.present.objects import instant, maybe

    return {
        "schema": "storyheat.stats/1",
        "bytes": found.bytes,
        "free_bytes": found.free_bytes,
        "log_bytes": found.log_bytes,
        "items": found.items,
        "bytes_per_item": found.bytes / found.items if found.items else None,
        "body_bytes_per_item": found.body_bytes / found.items if found.items else None,
        "oldest_item_at": maybe(found.oldest_item_at),
        "newest_item_at": maybe(found.newest_item_at),
        "horizons": {what: instant(at) for what, at in found.horizons.items()},
        "tables": [
            {"name": one.name, "rows": one.rows, "bytes": one.bytes, "index_bytes": one.index_bytes}
            for one in found.tables
        ],
    }


_HORIZONS = {
    "html": "HTML of items first seen before {} was let go",
    "texts": "texts of items first seen before {} were let go",
    "items": "cold stories with all items first seen before {} were let go",
    "hours": "hours of heat before {} were let go",
    "fetches": "polls before {} were let go",
    "runs": "lines of the log of runs before {} were let go",
    "decisions": "decisions up to {} are settled: rebuild leaves them as they are",
}


def _lines(found: "Stats", *, verbose: bool, quiet: bool) -> Iterator[str]:
    from storyheat.present.objects import instant
    from storyheat.present.words import byte_count, count

    free = f", {byte_count(found.free_bytes)} of it free" if found.free_bytes else ""
    log = f", and {byte_count(found.log_bytes)} in the log beside it" if found.log_bytes else ""
    yield f"{count(found.items, 'item')}, {byte_count(found.bytes)}{free}{log}"
    if found.items and found.oldest_item_at and found.newest_item_at:
        whole, body = (byte_count(number / found.items) for number in (found.bytes, found.body_bytes))
        yield f"{whole} an item, of which texts and HTML are {body}"
        yield f"items first seen from {instant(found.oldest_item_at)} to {instant(found.newest_item_at)}"
    if quiet:
        return
    yield from (
        words.format(instant(found.horizons[what])) for what, words in _HORIZONS.items() if what in found.horizons
    )
    shown = found.tables if verbose else found.tables[:_SHOWN_TABLES]
    names = max(len(one.name) for one in shown)
    for one in shown:
        line = f"  {padded(one.name, names)}  {one.rows:>9} rows"
        if one.bytes is not None and one.index_bytes is not None:
            line += f"  {byte_count(one.bytes):>8}, indexes {byte_count(one.index_bytes)}"
        yield line
