"""The commands that bring news in: init, ingest, replay."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from storyheat.cli import common
from storyheat.cli.common import SOME_FAILED, Usual, UsualJson
from storyheat.cli.screen import progress, show, show_json, tell
from storyheat.errors import NotFound, RunAtWork, WorkError

if TYPE_CHECKING:
    from storyheat.pipeline.report import RunReport
    from storyheat.settings import Settings


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    common.add(app, init, "storyheat init ~/news")
    common.add(app, ingest, "storyheat ingest --source lmsys --force")
    common.add(app, replay, "storyheat replay recorded --every 10m --until 2026-10-27T23:45:00Z")


def init(
    usual: Usual,
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where feeds.yaml goes.")] = Path(),
) -> None:
    """Write feeds.yaml and create the database.

    The file holds real sources, with comments. What exists is left as it is.
    """
    from storyheat.settings.shipped import shipped_feeds_yaml
    from storyheat.store.database import database_name, open_database, sqlite_path

    path = usual.config or folder / "feeds.yaml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        written = not path.exists()
        if written:
            path.write_text(shipped_feeds_yaml(), "utf-8")
    except OSError as error:
        raise WorkError(f"cannot write {path} ({error.strerror}): choose another folder") from error
    settings = replace(usual, db=usual.db or _database_in(folder), config=path).settings(config_required=True)
    file = sqlite_path(settings.database)
    created = file is None or not file.exists()
    open_database(settings.database, create=True).close()
    if not usual.quiet:
        name = database_name(settings.database)
        show(f"{path}: {'written' if written else 'was there, left as it is'}, {len(settings.sources)} sources")
        show(f"{name}: {'created' if created else 'was there, is sound'}")
        show('Next: "storyheat ingest" polls the sources, "storyheat top" shows what is hot.')


def _database_in(folder: Path) -> str | None:
    """The default database beside the settings; None leaves the choice to the environment."""
    import os

    if os.environ.get("STORYHEAT_DB") or folder == Path():
        return None
    return f"sqlite:///{folder / 'storyheat.db'}"


def ingest(
    usual: UsualJson,
    source: Annotated[
        list[str] | None, typer.Option("--source", metavar="ID", help="Poll only this source; may be repeated.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Poll what is not due as well.")] = False,
) -> None:
    """Poll what is due.

    Fetch, parse, store, cluster, measure. Safe from cron.
    """
    from storyheat.ingest.http import HttpFetcher
    from storyheat.pipeline.report import RunReport
    from storyheat.pipeline.run import STAGES
    from storyheat.store.database import database_name, open_database
    from storyheat.store.runlock import run_lock
    from storyheat.wiring import automatic_briefs, make_pipeline

    settings = usual.settings(config_required=True)
    wanted = source or None
    for unknown in sorted(set(wanted or ()) - {one.id for one in settings.sources}):
        raise NotFound(f'--source: {settings.config} has no source "{unknown}"; `storyheat sources` lists them')
    remarks = settings.remarks if usual.verbose else ()
    for remark in (*remarks, *(() if usual.quiet else _not_polled(settings, wanted))):
        tell(remark)
    now = common.present_instant()
    try:
        with common.running(), run_lock(settings.database), open_database(settings.database, create=True) as database:
            pipeline = make_pipeline(settings, database, HttpFetcher(settings.network), settings.sources)
            with progress("Feeds", usual.quiet or usual.as_json) as told:
                report = pipeline.run(now, only=wanted, force=force, progress=told)
    except RunAtWork as busy:
        if usual.as_json:
            idle = RunReport(started_at=now, seconds=dict.fromkeys(STAGES, 0.0))
            show_json({**idle.as_json(), "remark": str(busy)})
        elif not usual.quiet:
            show(f"another run is at work on {database_name(settings.database)}; nothing to do")
        return
    if usual.as_json:
        show_json(report.as_json())
    else:
        _print_report(report, quiet=usual.quiet, verbose=usual.verbose)
    briefs = automatic_briefs(settings, now)
    if briefs is not None and not usual.quiet:
        tell(briefs)
    if report.failures:
        if not report.updated + report.unchanged:
            raise WorkError(
                f"none of {len(report.failures)} feeds gave anything usable; "
                'check the network, then "storyheat sources" for each'
            )
        raise typer.Exit(SOME_FAILED)


def _not_polled(settings: "Settings", wanted: list[str] | None) -> Iterator[str]:
    """What is asked for and cannot be polled, a line each."""
    if not any(source.feeds for source in settings.sources):
        yield f'{settings.config} names no feed to poll: "storyheat sources add URL" follows one'
        return
    for source in settings.sources:
        if source.enabled and not source.feeds:
            yield f"{source.id} has no feeds: give it one in {settings.config}"
        elif not source.enabled and source.id in (wanted or ()):
            yield f'{source.id} is paused: "storyheat sources resume {source.id}" polls it again'


def _print_report(report: "RunReport", *, quiet: bool, verbose: bool) -> None:
    """The few lines of a run that a log keeps."""
    from storyheat.present.report import failure_lines, run_line

    if not quiet:
        show(run_line(report))
    show(*failure_lines(report, addresses=verbose))
    if verbose and not quiet:
        show("  seconds: " + ", ".join(f"{stage} {seconds:.2f}" for stage, seconds in report.seconds.items()))


def replay(
    usual: UsualJson,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Holds <source id>/<YYYYMMDDTHHMMSSZ>.xml.")],
    every: Annotated[str | None, typer.Option("--every", metavar="SPAN", help="Poll at this rhythm, like 10m.")] = None,
    until: Annotated[str | None, typer.Option("--until", metavar="TIME", help="The last instant to poll at.")] = None,
) -> None:
    """Play recorded feeds on a simulated clock.

    The real pipeline, without a network. Twice gives the same digest.
    """
    from storyheat import replay as replaying
    from storyheat.store.database import open_database
    from storyheat.store.queries import ask
    from storyheat.store.runlock import run_lock
    from storyheat.wiring import make_pipeline

    settings = usual.settings()
    step = None if every is None else common.span_of(every, "--every")
    end = None if until is None else common.instant_of(until, "--until", settings.timezone)
    recording = replaying.read_recording(folder)
    sources = replaying.recorded_sources(recording, settings.sources, step)
    total = sum(1 for _ in recording.ticks(step, end))
    sums = Sums()
    with common.running(), run_lock(settings.database), open_database(settings.database, create=True) as database:
        fetcher = replaying.RecordedFetcher(recording, sources)
        pipeline = make_pipeline(settings, database, fetcher, sources)
        with progress("Polls", usual.quiet or usual.as_json) as told:
            for done, report in enumerate(replaying.replay(pipeline, recording, step, end), 1):
                sums.add(report)
                told(done, total)
                if usual.verbose and not usual.as_json:
                    _print_report(report, quiet=usual.quiet, verbose=False)
        with ask(database) as questions:
            failing = [feed for feed in questions.feed_healths() if feed.enabled and feed.failures_in_row]
    if usual.as_json:
        show_json(sums.as_json())
    elif not usual.quiet:
        show(sums.in_words(str(folder)))
    if failing:  # at the end; a failure long ago that a later snapshot made good is history
        raise typer.Exit(SOME_FAILED)


@dataclass(slots=True)
class Sums:
    """The reports of a replay, added up."""

    runs: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None
    updated: int = 0
    unchanged: int = 0
    failed: int = 0
    items: int = 0
    revised: int = 0
    copies: int = 0
    stories: int = 0
    merged: int = 0

    def add(self, report: "RunReport") -> None:
        self.runs += 1
        self.first_at = self.first_at or report.started_at
        self.last_at = report.started_at
        self.updated += report.updated
        self.unchanged += report.unchanged
        self.failed += len(report.failures)
        self.items += report.items_new
        self.revised += report.items_revised
        self.copies += report.items_copies
        self.stories += report.stories_new
        self.merged += report.stories_merged

    def as_json(self) -> dict[str, Any]:
        from storyheat.present.objects import maybe

        return {
            "schema": "storyheat.replay/1",
            "runs": self.runs,
            "first_at": maybe(self.first_at),
            "last_at": maybe(self.last_at),
            "feeds": {"updated": self.updated, "unchanged": self.unchanged, "failed": self.failed},
            "items": {"new": self.items, "revised": self.revised, "copies": self.copies},
            "stories": {"new": self.stories, "merged": self.merged},
        }

    def in_words(self, folder: str) -> str:
        from storyheat.present.objects import instant
        from storyheat.present.words import count

        if self.first_at is None or self.last_at is None:
            return f"{folder}: no snapshot is that old; nothing was polled"
        return (
            f"{folder}: {count(self.runs, 'run')} from {instant(self.first_at)} to {instant(self.last_at)}  "
            f"feeds: {self.updated} updated, {self.unchanged} unchanged, {self.failed} failed; "
            f"items: {self.items} new, {self.revised} revised, {count(self.copies, 'copy', 'copies')}; "
            f"stories: {self.stories} new, {self.merged} merged"
        )
