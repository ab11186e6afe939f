"""The command that shows it all without a network: demo."""

import os
import shlex
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import UsualJson
from storyheat.cli.run import Sums
from storyheat.cli.screen import progress, show, show_json, width
from storyheat.errors import DatabaseError, UsageError, WorkError

if TYPE_CHECKING:
    from storyheat.cli.common import Asked
    from storyheat.core.model import StoryId
    from storyheat.settings import Settings

DATABASE = "sqlite:///storyheat-demo.db"  # never by STORYHEAT_DB: invented news has no place among real ones
LISTED = 10  # stories of the hot list; with one story below they are read at a glance
PREFIX = 6  # letters of an id in the commands that are suggested
STORY_PAGES = ("story", "explain", "heat")
LINE = 80  # columns


def register(app: typer.Typer) -> None:
    """Adds the command of this module."""
    common.add(app, demo, "storyheat demo --keep demo-week")


def demo(
    usual: UsualJson,
    keep: Annotated[
        Path | None, typer.Option("--keep", metavar="DIR", help="Keep what was served, for replay, cluster and eval.")
    ] = None,
) -> None:
    """A week of invented news, polled in half a minute.

    Served on this machine and polled for real, on a simulated clock. Prints the hot list at its end and one story.
    The database is storyheat-demo.db, or the one of --db if that holds nothing else; settings and network are its own.
    """
    from storyheat.demo.play import CONFIG
    from storyheat.demo.week import LAST_POLL
    from storyheat.present.objects import instant
    from storyheat.settings import load_settings
    from storyheat.store.database import sqlite_path

    settings = load_settings(os.environ, config=CONFIG, database=usual.db or DATABASE, timezone=usual.tz)
    path = sqlite_path(settings.database)
    if path is None:
        raise UsageError("--db: the demo writes an SQLite file of its own; write sqlite:///PATH")
    _refuse_others(path, settings)
    if keep is not None:
        _make_folder(keep)
    with _folder_beside(path) as folder:
        fresh = Path(folder) / path.name
        sums = _played(settings, fresh, keep, quiet=usual.quiet or usual.as_json)
        for leftover in ("-wal", "-shm"):  # of the database that goes; SQLite would take them for the new one's
            path.with_name(path.name + leftover).unlink(missing_ok=True)
        fresh.replace(path)
    with common.asking(replace(usual, db=settings.database, config=CONFIG), instant(LAST_POLL)) as asked:
        show_week(asked, sums, path, as_json=usual.as_json, quiet=usual.quiet, verbose=usual.verbose)


def _refuse_others(path: Path, settings: "Settings") -> None:
    """Raises DatabaseError where the file holds anything but a demo, UsageError where it is none."""
    from storyheat.store.database import open_database
    from storyheat.store.queries import ask

    if path.exists() and not path.is_file():
        raise UsageError(f"{path} is no plain file: name another with --db")
    if not path.exists() or not path.stat().st_size:
        return
    with open_database(settings.database) as database, ask(database) as questions:
        others = sorted(set(questions.sources) - {source.id for source in settings.sources})
    if others:
        raise DatabaseError(f"{path} holds other sources ({others[0]}): give the demo a file of its own with --db")


def _folder_beside(path: Path) -> TemporaryDirectory[str]:
    """Where the new database grows up, so that nothing is left of one that was not finished."""
    try:
        return TemporaryDirectory(prefix=".storyheat-demo-", dir=path.parent)
    except OSError as error:
        raise DatabaseError(
            f"cannot write in {path.parent} ({error.strerror}): name another place with --db"
        ) from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkError(f"cannot make the folder {folder} ({error.strerror}): name another with --keep") from error


def _played(settings: "Settings", path: Path, keep: Path | None, *, quiet: bool) -> Sums:
    """Plays the week into a new database, and what was served into a folder."""
    from storyheat.demo import play
    from storyheat.demo.server import WeekServer
    from storyheat.demo.week import FIRST_POLL, read_week
    from storyheat.ingest.http import HttpFetcher
    from storyheat.ports import Fetcher
    from storyheat.store.database import open_database
    from storyheat.wiring import make_pipeline

    posts, sums, total = read_week(settings.sources), Sums(), len(play.ticks())
    with (
        open_database(f"sqlite:///{path}", create=True) as database,
        WeekServer(settings.sources, posts, FIRST_POLL) as server,
        progress("Hours", quiet) as told,
    ):
        fetcher: Fetcher = HttpFetcher(play.through(server, settings.network), resolve=play.on_loopback)
        if keep is not None:
            play.keep_labels(keep, posts, settings.sources)
            fetcher = play.KeepingFetcher(fetcher, settings.sources, keep / "snapshots")
        pipeline = make_pipeline(settings, database, fetcher, settings.sources)
        for done, report in enumerate(play.play(pipeline, server), 1):
            sums.add(report)
            told(done, total)
    return sums


def show_week(asked: "Asked", sums: Sums, path: Path, *, as_json: bool, quiet: bool, verbose: bool) -> None:
    """Prints what became of the week: the hot list, one story, the feeds, and how to go on."""
    from storyheat.answers.sources import sources
    from storyheat.answers.story import story
    from storyheat.answers.top import TopWish, top
    from storyheat.cli.health import source_lines
    from storyheat.cli.hot import top_lines
    from storyheat.cli.pages import story_lines
    from storyheat.present import objects

    settings, zone = asked.settings, asked.settings.timezone
    wish = TopWish(number=LISTED)
    hot = top(asked.questions, wish, asked.at, settings.heat)
    most = max(hot.stories, key=lambda one: one.story.figures.voices).story.id  # of several the hottest
    one = story(asked.questions, most, wish.period, asked.at, settings.heat)
    feeds = sources(asked.questions, settings.sources, asked.at, settings.polling)
    if as_json:
        show_json(
            {
                "schema": "storyheat.demo/1",
                "database": str(path),
                "replay": sums.as_json(),
                "top": objects.top(hot),
                "story": objects.story(one, zone),
                "sources": objects.sources(feeds),
            }
        )
        return
    if not quiet:
        show(sums.in_words("A week of invented news"), "")
    show(*top_lines(hot, wish, zone, width(), quiet=quiet, verbose=verbose), "")
    show(*story_lines(one, zone, width(), quiet=quiet, verbose=verbose), "")
    if not quiet:
        show("Feeds that need a look", *source_lines(feeds, zone, width(), quiet=True, verbose=False), "")
        show(*_what_next(path, most, objects.instant(asked.at)))


def next_commands(path: Path, story: "StoryId", at: str) -> list[str]:
    """What to ask of the database next, as one would type it behind the program's name."""
    time = f"--at {at.removesuffix(':00Z')}Z"
    asked = [
        f"{command} {time}" for command in ("top --sort peak", *(f"{name} {story[:PREFIX]}" for name in STORY_PAGES))
    ]
    return [f"{command} --db {shlex.quote(str(path))}" for command in (*asked, "rebuild --check")]


def _what_next(path: Path, story: "StoryId", at: str) -> Iterator[str]:
    """How to go on, in lines that fit an old terminal."""
    near, program = Path(_from_here(path)), _program()
    yield f"All of it is invented, and lies in {near}."
    yield "Look around in it, as of the end of that week:"
    for command in next_commands(near, story, at):
        line = f"  {program} {command}"
        yield from [line] if len(line) <= LINE else line.replace(" --db", " \\\n      --db").split("\n")
    yield f'  sqlite3 {shlex.quote(str(near))} "select * from top_stories"'


def _program() -> str:
    """How this program was called, so that it can be called again."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return "python -m storyheat"
    found = shutil.which(called.name)
    if found is not None and called.exists() and Path(found).samefile(called):
        return called.name
    return shlex.quote(_from_here(called))


def _from_here(path: Path) -> str:
    """A path as one would type it in the working folder."""
    whole, here = path.absolute(), Path.cwd()
    return str(whole.relative_to(here)) if whole.is_relative_to(here) else str(path)
