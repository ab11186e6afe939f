"""The command `sources check`: what is wrong with each feed, and what to do."""

from typing import Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import SOME_FAILED, Config, Db, Json, Quiet, Tz, Verbose
from storyheat.cli.screen import progress, show, show_json, width
from storyheat.errors import NotFound


def check_sources(
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="The sources to look at [default: all].")
    ] = None,
    poll: Annotated[bool, typer.Option("--poll", help="Ask them now, due or not, and then tell.")] = False,
    db: Db = None,
    config: Config = None,
    tz: Tz = None,
    as_json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """What is wrong with each feed, and what to do.

    By what is stored; nothing is asked, unless with --poll. -q shows only what is not well, -v remarks too.
    """
    from storyheat.answers.sources import sources
    from storyheat.cli.health import check_lines
    from storyheat.present import objects

    failed = poll and _poll(ids, db, config, tz, quiet=quiet or as_json)
    with common.asking(db, config, tz) as asked:
        settings = asked.settings
        answer = sources(asked.questions, asked.followed, asked.at, settings.polling, ids or None)
    if as_json:
        show_json(objects.sources(answer))
    else:
        show(*check_lines(answer, settings.timezone, width(), quiet=quiet, verbose=verbose))
    if failed:
        raise typer.Exit(SOME_FAILED)


def _poll(ids: list[str] | None, db: Db, config: Config, tz: Tz, *, quiet: bool) -> bool:
    """One run that asks these sources; whether any of their feeds failed. Raises RunAtWork."""
    from storyheat.ingest.http import HttpFetcher
    from storyheat.store.database import open_database
    from storyheat.store.runlock import run_lock
    from storyheat.wiring import make_pipeline

    settings = common.settings_of(db, config, tz, config_required=True)
    for unknown in sorted(set(ids or ()) - {source.id for source in settings.sources}):
        raise NotFound(f'{settings.config} has no source "{unknown}" to poll; `storyheat sources` lists them')
    with run_lock(settings.database):
        database = open_database(settings.database, create=True)
        try:
            pipeline = make_pipeline(settings, database, HttpFetcher(settings.network), settings.sources)
            with progress("Feeds", quiet) as told:
                report = pipeline.run(common.present_instant(), only=ids or None, force=True, progress=told)
        finally:
            database.close()
    return bool(report.failures)
