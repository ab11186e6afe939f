"""The commands that look after the database: rebuild, db upgrade, db check."""

from typing import Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import UsualJson
from storyheat.cli.screen import show, show_json
from storyheat.cli.vault import register as add_copies
from storyheat.errors import WorkError

_UNFINISHED = (
    "a run is at work or was cut off, so nothing was compared: "
    'the next "storyheat ingest" makes up for it; then check again'
)


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    common.add(app, rebuild, "storyheat rebuild --check")
    group = typer.Typer(help="Care of the database.", rich_markup_mode=None, no_args_is_help=True)
    common.add(group, upgrade, "storyheat db upgrade --db sqlite:///news.db")
    common.add(group, check, "storyheat db check --digest")
    add_copies(group)
    app.add_typer(group, name="db")


def rebuild(
    usual: UsualJson,
    check: Annotated[bool, typer.Option("--check", help="Only compare, and say what differs.")] = False,
) -> None:
    """Make all conclusions anew.

    Copies, stories, memberships and heat, from the facts.
    """
    from storyheat.pipeline import rebuild as rebuilding
    from storyheat.store.database import open_database
    from storyheat.store.runlock import run_lock
    from storyheat.wiring import place_inputs

    settings = usual.settings()
    background, params = place_inputs(settings.clustering)
    with open_database(settings.database) as database:
        if check:
            compared = rebuilding.compare(database, background, params, settings.heat)
        else:
            with run_lock(settings.database):
                rebuilding.rebuild(database, background, params, settings.heat)
            compared = rebuilding.Comparison()
    found = list(compared.differences)
    if usual.as_json:
        told = {"checked_only": check, "differences": found, "unfinished": compared.unfinished}
        show_json({"schema": "storyheat.rebuild/1", **told})
    elif compared.unfinished:
        pass
    elif check and not found:
        if not usual.quiet:
            show("What is stored is what the facts give.")
    elif not check:
        if not usual.quiet:
            show("All conclusions were made anew from the facts.")
    else:
        show(*found)
    if compared.unfinished:
        raise WorkError(_UNFINISHED)
    if found:
        raise WorkError('stored conclusions differ from what the facts give; "storyheat rebuild" makes them anew')


def upgrade(usual: UsualJson) -> None:
    """Bring the schema to this version.

    A missing database is made.
    """
    from storyheat.store.database import open_any_version
    from storyheat.store.migrate import upgrade as run_migrations
    from storyheat.store.versions import HEAD

    settings = usual.settings()
    with open_any_version(settings.database) as database:
        steps = run_migrations(database)
    if usual.as_json:
        show_json({"schema": "storyheat.upgrade/1", "version": HEAD, "steps": list(steps)})
    elif not usual.quiet:
        done = f"upgraded through {', '.join(steps)}" if steps else "nothing to do"
        show(f"{database.name}: schema {HEAD}, {done}")


def check(
    usual: UsualJson,
    digest: Annotated[bool, typer.Option("--digest", help="Also print a checksum of the content.")] = False,
) -> None:
    """Look for damage.

    The digest leaves out measured durations: equal histories have equal ones.
    """
    from storyheat.store import check as checking
    from storyheat.store.database import open_database

    settings = usual.settings()
    with open_database(settings.database) as database:
        problems = checking.problems(database)
        mark = checking.digest(database) if digest else None
    if usual.as_json:
        show_json({"schema": "storyheat.check/1", "problems": problems, "digest": mark})
    else:
        show(*problems)
        if mark is not None:
            show(mark)
        elif not problems and not usual.quiet:
            show(f"{database.name}: sound")
    if problems:
        [only, *more] = problems
        raise WorkError(
            f"{database.name} has {len(problems)} problems; do what stands behind each"
            if more
            else f"{database.name}: {only}"
        )
