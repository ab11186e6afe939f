#!/usr/bin/env python3
"""Kills the daemon and `ingest` at random moments of a simulated week, and compares the end with that of a whole one.

    .venv/bin/python scripts/kill.py --kills 50 --seed 1

Twelve invented sources are recorded for eight days. A child process plays them through the real daemon (or, like cron,
through one `ingest` after another) on a simulated clock that it keeps in a file; the parent kills it with SIGKILL after
a random time and starts the next one, which goes on at the same simulated instant. Of a daemon and the process of its
run it kills one, the other, or both; a run whose daemon is gone must end by itself, and a daemon makes a run that was
killed once more. Items are kept for short spans, so that keeping house is cut off too. In the end the digest must be
that of a child nobody killed, the database sound, and `rebuild --check` clean. Exit code 1: something differs.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from storyheat.core.feeds.waking import WakeParams
from storyheat.core.items.retention import DAY, Retention
from storyheat.daemon.child import work
from storyheat.daemon.keeper import Daemon
from storyheat.daemon.order import Failed, Order, Outcome
from storyheat.daemon.process import RunProcess
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
    end = START + (DAYS - 1) * DAY
    if mode == "daemon":
        runs = RunProcess(command(folder, database.stem, "run"))

        def until_whole(order: Order) -> Outcome:
            """A run at this very instant, however often it is killed: a real daemon would wait a minute."""
            while isinstance(outcome := runs.make(order), Failed):
                pass
            return outcome

        daemon = Daemon(lambda: settings, until_whole, clock, lambda line: None, WakeParams(most=TICK))
        while clock() <= end:
            clock.go_to(daemon.run())
        return
    fetcher = RecordedFetcher(recording, sources)
    while clock() <= end:
        with run_lock(settings.database):
            opened = open_database(settings.database, create=True)
            make_pipeline(settings, opened, fetcher, sources).run(clock())
            opened.close()
        clock.go_to(clock() + TICK)


def run(folder: Path, name: str) -> None:
    """The process of one run; the parent finds it by the file that it writes."""
    file = _run_file(folder, name)
    file.with_suffix(".new").write_text(str(os.getpid()))
    file.with_suffix(".new").replace(file)
    recording = read_recording(folder / "recorded")
    work(lambda settings: RecordedFetcher(recording, settings.sources))


def _run_file(folder: Path, name: str) -> Path:
    return folder / f"{name}.run"


def command(folder: Path, name: str, mode: str) -> list[str]:
    """What starts a child."""
    return [sys.executable, __file__, "--child", mode, "--folder", str(folder), "--name", name]


# -- the parent -----------------------------------------------------------------------------------


def child(folder: Path, name: str, mode: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command(folder, name, mode))


def whole(folder: Path, mode: str) -> tuple[str, float]:
    """The digest of a week that nobody disturbs, and the seconds it takes."""
    began = time.monotonic()
    if child(folder, f"whole-{mode}", mode).wait() != 0:
        raise SystemExit("the child failed")
    return ending(folder, f"whole-{mode}"), time.monotonic() - began


def killed(folder: Path, mode: str, kills: int, seconds: float, dice: random.Random) -> Iterator[tuple[str, datetime]]:
    """Kills one child after the other; who it was each time, and the simulated instant.

    A child has a random time once it is at work, so that the kills spread over the week however slow the machine is.
    """
    name = f"killed-{mode}"
    clock = folder / f"{name}.clock"
    share = seconds / (kills + 1)
    process = child(folder, name, mode)
    for _ in range(kills):
        before = Clock(clock).now
        while dice.random() < PATIENT and process.poll() is None and Clock(clock).now == before:
            time.sleep(LOOK_SECONDS)
        try:
            process.wait(dice.uniform(0, 2 * share))
            break
        except subprocess.TimeoutExpired:
            at_work = run_at_work(folder, name)
            whom = mode if at_work is None else dice.choice((mode, "run", "both"))
            if whom != "run":
                process.kill()
                process.wait()
            if at_work is not None and whom != mode:
                with suppress(ProcessLookupError):
                    os.kill(at_work, signal.SIGKILL)
            yield whom, Clock(clock).now
            if whom != "run":
                wait_for_its_run(folder, name)
                process = child(folder, name, mode)
    if process.wait() != 0:
        raise SystemExit("the child failed")


def run_at_work(folder: Path, name: str) -> int | None:
    """The process of the run that a daemon has started; None: there is none."""
    with suppress(OSError):  # none was started yet, or it is gone
        number = int(_run_file(folder, name).read_text())
        if name in Path(f"/proc/{number}/cmdline").read_text():
            return number
    return None


def wait_for_its_run(folder: Path, name: str) -> None:
    """Makes sure that a run ends by itself when its daemon is gone."""
    end = time.monotonic() + GONE_SECONDS
    while run_at_work(folder, name) is not None:
        if time.monotonic() > end:
            raise SystemExit("a run outlived its daemon")
        time.sleep(LOOK_SECONDS)


GONE_SECONDS = 10.0
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
    arguments.add_argument("--child", choices=("daemon", "ingest", "run"), help=argparse.SUPPRESS)
    arguments.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    arguments.add_argument("--name", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.child == "run":
        run(given.folder, given.name)
        return 0
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
            kills = list(killed(folder, mode, given.kills // 2, seconds, dice))
            instants = [at for _, at in kills]
            same = mark == ending(folder, f"killed-{mode}") != "broken"
            differs += not same
            of_whom = ", ".join(
                f"{number} of {whom}" for whom, number in sorted(Counter(whom for whom, _ in kills).items())
            )
            reached = f"{min(instants):%b %d %H:%M} to {max(instants):%b %d %H:%M}" if instants else "never"
            print(
                f"{mode}: {len(kills)} kills ({of_whom}; simulated {reached}), whole week {seconds:.0f} s, "
                f"digest {mark[:12]}: {'equal' if same else 'DIFFERENT'}",
                flush=True,
            )
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main())
