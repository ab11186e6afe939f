"""The command `sources check`: what is wrong with each feed, and what to do."""

from typing import Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import SOME_FAILED, UsualJson
from storyheat.cli.screen import progress, show, show_json, width
from storyheat.errors import NotFound


def check_sources(
    usual: UsualJson,
    ids: Annotated[
        list[str] | None, typer.Argument(metavar="ID", help="The sources to look at [default: all].")
    ] = None,
    poll: Annotated[bool, typer.Option("--poll", help="Ask them now, due or not, and then tell.")] = False,
) -> None:
    """What is wrong with each feed, and what to do.

    By what is stored; nothing is asked, unless with --poll. -q shows only what is not well, -v remarks too.
    """
    from storyheat.answers.sources import sources
    from storyheat.cli.health import check_lines
    from storyheat.present import objects

    failed = poll and _poll(ids, usual)
    with common.asking(usual) as asked:
        settings = asked.settings
        answer = sources(asked.questions, asked.followed, asked.at, settings.polling, ids or None)
    if usual.as_json:
        show_json(objects.sources(answer))
    else:
        show(*check_lines(answer, settings.timezone, width(), quiet=usual.quiet, verbose=usual.verbose))
    if failed:
        raise typer.Exit(SOME_FAILED)


def _poll(ids: list[str] | None, usual: UsualJson) -> bool:
    """One run that asks these sources; whether any of their feeds failed. Raises RunAtWork."""
    from storyheat.ingest.http import HttpFetcher
    from storyheat.store.database import open_database
    from storyheat.store.runlock import run_lock
    from storyheat.wiring import make_pipeline

    settings = usual.settings(config_required=True)
    for unknown in sorted(set(ids or ()) - {source.id for source in settings.sources}):
        raise NotFound(f'{settings.config} has no source "{unknown}" to poll; `storyheat sources` lists them')
    with run_lock(settings.database), open_database(settings.database, create=True) as database:
        pipeline = make_pipeline(settings, database, HttpFetcher(settings.network), settings.sources)
        with progress("Feeds", usual.quiet or usual.as_json) as told:
            report = pipeline.run(common.present_instant(), only=ids or None, force=True, progress=told)
    return bool(report.failures)
