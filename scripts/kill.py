#!/usr/bin/env python3
"""Kills the daemon and `ingest` at random moments of a simulated week, and compares the end with that of a whole one.

    .venv/bin/python scripts/kill.py --kills 50 --seed 1

Twelve invented sources are recorded for eight days. A child process plays them through the real daemon (or, like cron,
through one `ingest` after another) on a simulated clock that it keeps in a file; the parent kills it with SIGKILL after
a random time and starts the next one, which goes on at the same simulated instant. Items are kept for short spans, so
that keeping house is cut off too. In the end the digest must be that of a child nobody killed, the database sound, and
`rebuild --check` clean. Exit code 1: something differs.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from storyheat.core.feeds.waking import WakeParams
from storyheat.core.items.retention import DAY, Retention
from storyheat.daemon import Daemon
from storyheat.pipeline.rebuild import compare
from storyheat.replay import RecordedFetcher, read_recording, recorded_sources
from storyheat.settings import Settings
from storyheat.store.check import digest, problems
from storyheat.store.database import open_database
from storyheat.store.runlock import run_lock
from storyheat.wiring import make_pipeline

START = datetime(2026, 3, 1, tzinfo=UTC)
DAYS = 8
HOUR = timedelta(hours=1)
SOURCES, LISTED = 12, 8
TICK = HOUR  # of cron, and the longest sleep of the daemon: a week in a minute or two
KEPT = Retention(
    html=DAY, texts=2 * DAY, items=4 * DAY, hours=2 * DAY, fetches=2 * DAY, runs=2 * DAY, proof=DAY, stride=6
)
SYLLABLES = ("bar", "den", "fol", "gri", "hul", "kem", "lis", "mor", "nav", "ost", "pel", "quo", "rus", "tam", "vek")
VERBS = ("opens", "closes", "loses", "finds", "sells", "paints", "moves", "mends")


# -- a recorded week ------------------------------------------------------------------------------


def record(folder: Path, seed: int) -> None:
    """Writes what each source lists at every full hour: a piece of its own now and then, and the events of all."""
    dice = random.Random(seed)
    listed: list[list[str]] = [[] for _ in range(SOURCES)]
    for hour in range(DAYS * 24):
        now = START + hour * HOUR
        if dice.random() < 0.3:
            names = ["".join(dice.choices(SYLLABLES, k=3)).capitalize() for _ in range(4)]
            for source in dice.sample(range(SOURCES), dice.randint(1, 5)):
                listed[source].insert(0, item(dice, source, hour, now, names))
        for source in range(SOURCES):
            if dice.random() < 0.1:
                listed[source].insert(0, item(dice, source, 1000 + hour, now, []))
            del listed[source][LISTED:]
            path = folder / f"s{source}"
            path.mkdir(parents=True, exist_ok=True)
            text = f'<rss version="2.0"><channel><title>S{source}</title>{"".join(listed[source])}</channel></rss>'
            (path / f"{now:%Y%m%dT%H%M%SZ}.xml").write_text(text, "utf-8")


def item(dice: random.Random, source: int, number: int, now: datetime, names: list[str]) -> str:
    """One element about an event with these names, or about something that nobody else tells."""
    own = names or ["".join(dice.choices(SYLLABLES, k=4)).capitalize() for _ in range(4)]
    words = [f"{one} {dice.choice(VERBS)} the {dice.choice(SYLLABLES)} of {other}." for one in own for other in own]
    dice.shuffle(words)
    date = format_datetime(now - timedelta(minutes=dice.randint(1, 50)))
    title = f"{own[0]} {dice.choice(VERBS)} {own[1]} near {own[2]}"
    link = f"https://s{source}.example/{number}"
    return (
        f"<item><title>{title}</title><link>{link}</link><pubDate>{date}</pubDate>"
        f"<description>{' '.join(words)}</description></item>"
    )


# -- the child ------------------------------------------------------------------------------------


class Clock:
    """A simulated clock in a file, which outlives its process."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.now = datetime.fromisoformat(file.read_text()) if file.exists() else START

    def __call__(self) -> datetime:
        return self.now

    def go_to(self, at: datetime) -> None:
        """Moves on; whole, or not at all."""
        made = self._file.with_suffix(".new")
        made.write_text(at.isoformat())
        made.replace(self._file)
        self.now = at


def play(folder: Path, database: Path, clock: Clock, mode: str) -> None:
    """Lives through the week from where the clock stands."""
    recording = read_recording(folder / "recorded")
    sources = recorded_sources(recording, (), HOUR)
    settings = Settings(f"sqlite:///{database}", ZoneInfo("UTC"), sources=sources, retention=KEPT)
    fetcher = RecordedFetcher(recording, sources)
    end = START + (DAYS - 1) * DAY
    if mode == "daemon":
        daemon = Daemon(lambda: settings, lambda _: fetcher, clock, lambda line: None, WakeParams(most=TICK))
        while clock() <= end:
            clock.go_to(daemon.run())
        return
    while clock() <= end:
        with run_lock(settings.database):
            opened = open_database(settings.database, create=True)
            make_pipeline(settings, opened, fetcher, sources).run(clock())
            opened.close()
        clock.go_to(clock() + TICK)


# -- the parent -----------------------------------------------------------------------------------


def child(folder: Path, name: str, mode: str) -> "subprocess.Popen[bytes]":
    command = [sys.executable, __file__, "--child", mode, "--folder", str(folder), "--name", name]
    return subprocess.Popen(command)


def whole(folder: Path, mode: str) -> tuple[str, float]:
    """The digest of a week that nobody disturbs, and the seconds it takes."""
    began = time.monotonic()
    if child(folder, f"whole-{mode}", mode).wait() != 0:
        raise SystemExit("the child failed")
    return ending(folder, f"whole-{mode}"), time.monotonic() - began


def killed(folder: Path, mode: str, kills: int, seconds: float, dice: random.Random) -> Iterator[datetime]:
    """Kills one child after the other; the simulated instants at which that happened.

    A child has a random time once it is at work, so that the kills spread over the week however slow the machine is.
    """
    name = f"killed-{mode}"
    clock = folder / f"{name}.clock"
    share = seconds / (kills + 1)
    for _ in range(kills):
        before = Clock(clock).now
        process = child(folder, name, mode)
        while dice.random() < PATIENT and process.poll() is None and Clock(clock).now == before:
            time.sleep(LOOK_SECONDS)
        try:
            process.wait(dice.uniform(0, 2 * share))
            if process.returncode != 0:
                raise SystemExit("the child failed")
            return
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            yield Clock(clock).now
    if child(folder, name, mode).wait() != 0:
        raise SystemExit("the child failed")


LOOK_SECONDS = 0.05
PATIENT = 0.999  # at each look: now and then a child is killed before it did anything


def ending(folder: Path, name: str) -> str:
    """The digest of a database that must be sound and what its facts give."""
    with open_database(f"sqlite:///{folder / name}.db") as database:
        pipeline = make_pipeline(Settings(f"sqlite:///{folder / name}.db", ZoneInfo("UTC")), database, NOBODY, ())
        found = problems(database)
        compared = compare(database, pipeline.background, pipeline.placing, pipeline.rule)
        if found or compared.differences or compared.unfinished:
            print(f"{name}: problems {found}, rebuild {compared}")
            return "broken"
        return digest(database)


class Nobody:
    """A fetcher that is never asked."""

    def fetch(self, *_: object) -> None:
        raise AssertionError


NOBODY = Nobody()


def main() -> int:
    """Runs both campaigns, or is the child of one."""
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--kills", type=int, default=50, help="in all, half of them of each kind")
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--child", choices=("daemon", "ingest"), help=argparse.SUPPRESS)
    arguments.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments.add_argument("--name", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.child:
        play(given.folder, given.folder / f"{given.name}.db", Clock(given.folder / f"{given.name}.clock"), given.child)
        return 0
    differs = 0
    with tempfile.TemporaryDirectory(prefix="storyheat-kill-") as name:
        folder = Path(name)
        record(folder / "recorded", given.seed)
        for mode in ("daemon", "ingest"):
            mark, seconds = whole(folder, mode)
            dice = random.Random(given.seed)
            instants = list(killed(folder, mode, given.kills // 2, seconds, dice))
            same = mark == ending(folder, f"killed-{mode}") != "broken"
            differs += not same
            reached = f"{min(instants):%b %d %H:%M} to {max(instants):%b %d %H:%M}" if instants else "never"
            print(
                f"{mode}: {len(instants)} kills (simulated {reached}), whole week {seconds:.0f} s, "
                f"digest {mark[:12]}: {'equal' if same else 'DIFFERENT'}",
                flush=True,
            )
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
