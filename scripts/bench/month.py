#!/usr/bin/env python3
"""Lets the daemon live through a simulated month of the made-up stream, and tells what it needs and whether it forgot.

    .venv/bin/python scripts/bench/month.py --days 30 --json month.json

The stream is told by a process of its own, and each run is one, as those of `storyheat daemon` are: what is measured
is the memory of the process that stays, after each run, and the peak of the runs. Each source is out of order now and
then, on one day nothing can be reached at all, and some sources stamp all that they list anew at every poll. Exit code
1: the memory that stays grew by more than a tenth after the fifth day, an item was lost, or the database is not what
its facts give.
"""

import argparse
import json
import random
import resource
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from multiprocessing import get_context
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from shutil import copy
from typing import Any
from zoneinfo import ZoneInfo

import documents
import machine
import stream

from storyheat.core.feeds.waking import WakeParams
from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply, FetchRequest
from storyheat.daemon.keeper import Daemon
from storyheat.daemon.process import RunProcess
from storyheat.settings import Settings

DAY = timedelta(days=1)
TICK = timedelta(hours=2)  # between two runs
LISTED_FOR = 3 * DAY  # entries are listed so long at least: longer than an outage and the wait after it
DARK = (12 * DAY, 12.75 * DAY)  # since the start: nothing can be reached
OUTAGES, LONGEST = 2, 24  # of each source in a month, in hours
MOVING = 8  # every so many sources stamp their entries anew at every poll
SETTLED = 3 * DAY  # before the end: what was listed until then must have been seen, after any outage
SETTLED_ON, MOST_GROWTH = 5, 1.1  # memory of the last day against this one
WORLD, PEAKS = "world", "peaks"  # in the month's folder: where the stream is told, and what the runs of a day needed


# -- the world, in a process of its own -----------------------------------------------------------


class World:
    """What the sources show at an instant that never goes back."""

    def __init__(self, params: stream.StreamParams, days: int) -> None:
        count = round(params.items_per_day * (days + 1))
        self._hours = stream.hours(count, params)
        self._coming = next(self._hours)
        self._shown: dict[str, list[stream.Item]] = {one.id: [] for one in stream.sources(params)}
        self._moving = sorted(self._shown)[::MOVING]
        dice = random.Random(params.seed)
        self._outages = {
            source: [_span(dice, days) for _ in range(OUTAGES)] + [(stream.START + DARK[0], stream.START + DARK[1])]
            for source in sorted(self._shown)
        }
        self.addresses: list[tuple[datetime, str]] = []  # of all that was listed, with the instant

    def reply(self, request: FetchRequest, source: str, now: datetime) -> FetchReply:
        """What the source answers."""
        self._go_to(now)
        if any(begin <= now < end for begin, end in self._outages[source]):
            failure = Failure(FailureKind.CONNECT, "no connection")
            return FetchReply(request.key, FetchOutcome.FAILED, request.url, failure=failure)
        listed = self._shown[source]
        if source in self._moving:
            listed = [replace(one, published=now) for one in listed]
        body = documents.document(source, listed)
        tag = f'"{sha256(body).hexdigest()[:16]}"'
        if request.etag == tag:
            return FetchReply(request.key, FetchOutcome.NOT_MODIFIED, request.url, status=304, etag=tag)
        return FetchReply(
            request.key, FetchOutcome.BODY, request.url,
            status=200, content_type="application/rss+xml", body=body, etag=tag,
        )  # fmt: skip

    def _go_to(self, now: datetime) -> None:
        while self._coming[0] <= now:
            end, fresh = self._coming
            for source, new in fresh.items():
                ids = {one.id for one in new}
                rest = [one for one in self._shown[source] if one.id not in ids]
                listed = [*new, *rest]
                self._shown[source] = [
                    one
                    for place, one in enumerate(listed)
                    if place < documents.LISTED or one.published > end - LISTED_FOR
                ]
                self.addresses += [(end, one.url) for one in new]
            self._coming = next(self._hours)


def _span(dice: random.Random, days: int) -> tuple[datetime, datetime]:
    begin = stream.START + timedelta(hours=dice.randrange(days * 24))
    return begin, begin + timedelta(hours=dice.randint(1, LONGEST))


def tell(params: stream.StreamParams, days: int, folder: Path, begun: Connection) -> None:
    """Answers one run after the other until somebody asks, with None, for the addresses of all that was listed."""
    world = World(params, days)
    source_of = {source.feeds[0].url: str(source.id) for source in documents.sources(params)}
    with Listener(str(folder / WORLD)) as listener:
        begun.send(None)
        while True:
            with listener.accept() as asked, suppress(EOFError):
                while (question := asked.recv()) is not None:
                    now, requests = question
                    asked.send([world.reply(request, source_of[request.url], now) for request in requests])
                asked.send(world.addresses)
                return


class AskedFetcher:
    """Asks the process that tells the stream."""

    def __init__(self, folder: Path) -> None:
        self._world = Client(str(folder / WORLD))

    def fetch(self, requests: Sequence[FetchRequest], now: datetime, on_reply: Callable[[FetchReply], None]) -> None:
        """See `ports.Fetcher`; a few at a time, as replies come from a network."""
        for start in range(0, len(requests), 8):
            self._world.send((now, [replace(one, rules=None) for one in requests[start : start + 8]]))
            for reply in self._world.recv():
                on_reply(reply)


# -- one run, in a process of its own -------------------------------------------------------------


def run(folder: Path) -> None:
    """Makes the run that the daemon orders, and notes its peak of memory."""
    from storyheat.daemon.child import work

    work(lambda _: AskedFetcher(folder))
    with (folder / PEAKS).open("a") as peaks:
        peaks.write(f"{_status('VmHWM')}\n")


# -- the daemon -----------------------------------------------------------------------------------


def live(settings: Settings, folder: Path, days: int) -> Iterator[dict[str, Any]]:
    """Lives through the days; what stood at the end of each."""
    now, lines = stream.START, list[str]()
    runs = RunProcess([sys.executable, __file__, "--run", str(folder)])
    daemon = Daemon(lambda: settings, runs.make, lambda: now, lines.append, WakeParams(least=TICK, most=TICK))
    for day in range(1, days + 1):
        began, stays = _cpu(), 0.0
        while now < stream.START + day * DAY:
            now = daemon.run()
            stays = max(stays, _status("VmRSS"))
        failed = [line for line in lines if "  failed: " in line]
        peaks = [float(peak) for peak in (folder / PEAKS).read_text().split()]
        (folder / PEAKS).unlink()
        yield {
            "day": day,
            "rss_mb": round(stays, 1),
            "run_peak_mb": round(max(peaks), 1),
            "runs": len(lines),
            "failed": failed,
            "cpu": round(_cpu() - began, 1),
        }
        lines.clear()


def _cpu() -> float:
    """Seconds of the processor, of this process and of all runs that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _status(name: str) -> float:
    """A figure of this process, in MB."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:")) / 1024


def ending(settings: Settings, addresses: Sequence[tuple[datetime, str]], until: datetime) -> dict[str, Any]:
    """What the month left behind."""
    # Loaded here: while the month lasts, this process is no larger than the daemon.
    from sqlalchemy import select

    from storyheat.pipeline.rebuild import compare
    from storyheat.store.check import problems
    from storyheat.store.database import open_database
    from storyheat.store.facts import EntryRow
    from storyheat.store.rows import table
    from storyheat.store.stats import stats
    from storyheat.wiring import make_pipeline

    with open_database(settings.database) as database:
        with database.read() as connection:
            stored = set(connection.execute(select(table(EntryRow).c.link)).scalars())
        listed = {url for at, url in addresses if at <= until}
        pipeline = make_pipeline(settings, database, NOBODY, ())
        compared = compare(database, pipeline.background, pipeline.placing, pipeline.rule)
        sizes = stats(database)
        return {
            "items": sizes.items,
            "listed": len(listed),
            "lost": sorted(listed - stored)[:10],
            "problems": list(problems(database)),
            "rebuild_differs": [str(one) for one in compared.differences],
            "unfinished": compared.unfinished,
            "bytes_per_item": sizes.bytes // sizes.items,
            "bytes_per_item_without_bodies": (sizes.bytes - sizes.body_bytes) // sizes.items,
        }


NOBODY: Any = None  # a fetcher that is never asked


def main() -> int:
    """Lives through the month and tells of it."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--days", type=int, default=30)
    options.add_argument("--sources", type=int, default=80)
    options.add_argument("--per-day", type=int, default=1000, help="items of all sources")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--json", type=Path, help="where to write what was found")
    options.add_argument("--keep", type=Path, help="where to copy the database of the last day to")
    options.add_argument("--run", type=Path, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.run:
        run(given.run)
        return 0
    params = stream.StreamParams(seed=given.seed, sources=given.sources, items_per_day=float(given.per_day))
    days = []
    with tempfile.TemporaryDirectory(prefix="storyheat-month-") as name:
        folder = Path(name)
        context = get_context("spawn")
        begun, begins = context.Pipe(duplex=False)
        world = context.Process(target=tell, args=(params, given.days, folder, begins), daemon=True)
        world.start()
        begun.recv()
        settings = Settings(f"sqlite:///{folder}/month.db", ZoneInfo("UTC"), sources=documents.sources(params))
        for day in live(settings, folder, given.days):
            days.append(day)
            print(*(f"{name} {value}" for name, value in day.items() if value != []), sep="; ", flush=True)
        with Client(str(folder / WORLD)) as asked:
            asked.send(None)
            addresses = asked.recv()
        world.join()
        found = ending(settings, addresses, stream.START + given.days * DAY - SETTLED)
        if given.keep:
            copy(folder / "month.db", given.keep)
    settled, last = days[min(SETTLED_ON, given.days) - 1], days[-1]
    growth, run_growth = (last[name] / settled[name] for name in ("rss_mb", "run_peak_mb"))
    about = {"machine": machine.described(), "commit": machine.commit()}
    told = {**about, "growth": round(growth, 3), "run_growth": round(run_growth, 3), **found}
    print(json.dumps(told, indent=2))
    if given.json:
        given.json.write_text(json.dumps({**told, "days": days}, indent=2) + "\n", "utf-8")
    bad = found["lost"] or found["problems"] or found["rebuild_differs"] or found["unfinished"] or growth > MOST_GROWTH
    return 1 if bad or any(day["failed"] for day in days) else 0


if __name__ == "__main__":
    sys.exit(main())
