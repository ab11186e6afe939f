"""Measures pages and the JSON API against an endpoint that does nothing, of the same server in the same run.

    python scripts/bench/pages.py demo.db --requests 200 [--against large.db]

The server runs in a process of its own, on this machine, at the minute after the newest run of the database. Each
address is asked in three ways: `warm`, made before; `minute`, the first time in a minute; `run`, the first time after
something was stored (the file is touched, and nothing is written). Figures are medians in milliseconds of wall time
over one connection; `times` is the multiple of what the empty endpoint took in between. `cpu_…` say the same of the
processor's time that the server took, which other programs on the machine change less. Prints one JSON object; with
`--against` also for the second database, and how many times more of the processor each address takes there.
"""

import argparse
import http.client
import json
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import Any
from zoneinfo import ZoneInfo

from starlette.types import ASGIApp, Receive, Scope, Send

from storyheat.answers.top import TopWish, top
from storyheat.settings import Settings
from storyheat.store.database import open_database
from storyheat.store.queries import ask
from storyheat.web.app import make_app
from storyheat.web.server import listen, serve

MINUTES = 25  # after the run; then they begin again, so that what is shown is much the same


class Bench:
    """The application with three addresses before it: one that does nothing, one that brings the next minute, and one
    that tells the milliseconds of the processor taken so far."""

    def __init__(self, settings: Settings, at: datetime) -> None:
        self._minutes = 0
        self._at = at
        self._app: ASGIApp = make_app(settings, self._clock, lambda line: None)

    def _clock(self) -> datetime:
        return self._at + timedelta(minutes=self._minutes % MINUTES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or scope["path"] not in ("/bench/empty", "/bench/minute", "/bench/cpu"):
            await self._app(scope, receive, send)
            return
        self._minutes += scope["path"] == "/bench/minute"
        body = b"%.3f" % (time.process_time() * 1000) if scope["path"] == "/bench/cpu" else b""
        headers = [(b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def settings_of(path: Path) -> Settings:
    """Settings without a feeds.yaml."""
    return Settings(f"sqlite:///{path}", ZoneInfo("UTC"))


def newest(path: Path) -> tuple[datetime, str]:
    """The minute after the newest run, and the story that most voices tell then."""
    settings = settings_of(path)
    with closing(open_database(settings.database, read_only=True)) as database, ask(database) as questions:
        at = questions.tally(datetime.now(UTC), timedelta(days=1)).last_run_at
        assert at is not None, "no run has come to its end"
        listed = top(questions, TopWish(number=100), at, settings.heat).stories
    return at + timedelta(minutes=1), max(listed, key=lambda one: one.story.figures.voices).story.id


def run_server(path: Path, at: datetime, told: Connection) -> None:
    """Serves until the process is ended; tells its port."""
    with listen("127.0.0.1", 0) as listener:
        told.send(listener.getsockname()[1])
        serve(Bench(settings_of(path), at), listener, log_requests=False)


@contextmanager
def server(path: Path, at: datetime) -> Iterator[http.client.HTTPConnection]:
    """A connection to a server of its own."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=run_server, args=(path, at, theirs))
    process.start()
    connection = http.client.HTTPConnection("127.0.0.1", ours.recv(), timeout=60)
    try:
        yield connection
    finally:
        connection.close()
        process.terminate()
        process.join()


def asked(connection: http.client.HTTPConnection, address: str) -> bytes:
    """What the server answers."""
    connection.request("GET", address)
    reply = connection.getresponse()
    body = reply.read()
    assert reply.status == 200, f"{address}: {reply.status}"
    return body


def timed(connection: http.client.HTTPConnection, address: str) -> tuple[float, float]:
    """Milliseconds of one request: by the clock, and of the server's processor."""
    before = float(asked(connection, "/bench/cpu"))
    start = time.perf_counter()
    asked(connection, address)
    taken = (time.perf_counter() - start) * 1000
    after = float(asked(connection, "/bench/cpu"))
    telling = float(asked(connection, "/bench/cpu")) - after
    return taken, max(after - before - telling, 0.0)


def addresses(story: str, word: str) -> list[str]:
    """What is measured."""
    api = "/api/v1"
    return [
        "/",
        f"/story/{story}",
        f"/search?q={word}",
        "/sources",
        f"{api}/top",
        f"{api}/stories/{story}",
        f"{api}/stories/{story}/heat",
        f"{api}/stories/{story}/explain",
        f"{api}/search?q={word}",
        f"{api}/sources",
    ]


def measure(path: Path, requests: int, word: str) -> dict[str, Any]:
    """The figures of one database."""
    at, story = newest(path)
    found: dict[str, Any] = {}
    with server(path, at) as connection:
        for address in addresses(story, word):
            own: dict[str, Any] = {}
            for way in ("warm", "minute", "run"):
                empty, taken = list[tuple[float, float]](), list[tuple[float, float]]()
                asked(connection, address)
                for _ in range(requests if way == "warm" else max(5, requests // 10)):
                    if way == "run":
                        path.touch()
                    elif way == "minute":
                        asked(connection, "/bench/minute")
                    empty.append(timed(connection, "/bench/empty"))
                    taken.append(timed(connection, address))
                own[way] = {}
                for place, name in enumerate(("", "cpu_")):
                    took, nothing = (median(one[place] for one in each) for each in (taken, empty))
                    own[way] |= {f"{name}ms": round(took, 3), f"{name}empty_ms": round(nothing, 3)}
                    own[way][f"{name}times"] = round(took / nothing, 2)
            found[address.replace(story, "ID")] = own
    return found


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description="Pages and JSON against an empty endpoint.")
    parser.add_argument("database", type=Path, help="an SQLite file with at least one run")
    parser.add_argument("--against", type=Path, metavar="FILE", help="a second one, such as one of a million items")
    parser.add_argument("--requests", type=int, default=200, metavar="N", help="of each address, warm; a tenth else")
    parser.add_argument("--word", default="release", help="what is searched for")
    chosen = parser.parse_args()
    told: dict[str, Any] = {"database": measure(chosen.database.absolute(), chosen.requests, chosen.word)}
    if chosen.against is not None:
        told["against"] = measure(chosen.against.absolute(), chosen.requests, chosen.word)
        told["longer"] = {
            address: {
                way: round(told["against"][address][way]["cpu_ms"] / one["cpu_ms"], 2) for way, one in own.items()
            }
            for address, own in told["database"].items()
        }
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
