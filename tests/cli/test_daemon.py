"""`daemon` as a process, with the scheduler of daily life: it polls, beats, and ends when it is told to."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from tests.command import storyheat
from tests.make import Post, rss, utc
from werkzeug import Request, Response

from storyheat.store.runlock import daemon_lock

FEED = rss(Post("A tower of Lego in Torvik", "https://one.example/1", utc("2026-11-01 10:00"), text="Twelve metres."))
PATIENCE = 60.0  # seconds for a start on a busy machine


class Process:
    """A daemon in a process of its own; its log is read as it comes."""

    def __init__(self, options: list[str]) -> None:
        command = [sys.executable, "-m", "storyheat", "daemon", *options]
        environment = {**os.environ, "TZ": "UTC"}
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env=environment, start_new_session=True
        )
        self.lines: list[str] = []
        self.news = threading.Condition()
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            with self.news:
                self.lines.append(line.rstrip())
                self.news.notify()

    def says(self, words: str) -> str:
        """Waits for a line with these words."""
        with self.news:
            assert self.news.wait_for(lambda: any(words in line for line in self.lines), PATIENCE), self.lines
            return next(line for line in self.lines if words in line)

    def run(self) -> int:
        """The process of the run that is at work."""
        found = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], check=True, capture_output=True, text=True)
        pairs = [line.split() for line in found.stdout.splitlines()]
        [run] = [int(pid) for pid, parent in pairs if int(parent) == self.process.pid]
        return run

    def end(self, number: int) -> tuple[int, float]:
        """Sends a signal; the exit code and how long it took."""
        began = time.monotonic()
        self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        self.reader.join()
        return code, time.monotonic() - began


def is_there(pid: int) -> bool:
    """Whether a process has not ended yet."""
    found = subprocess.run(["ps", "-o", "state=", "-p", str(pid)], check=False, capture_output=True, text=True)
    return found.stdout.strip()[:1] not in ("", "Z")


def wait_until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end


@pytest.fixture
def options(tmp_path: Path, httpserver: HTTPServer) -> list[str]:
    """A configuration with one feed on loopback."""
    config = tmp_path / "feeds.yaml"
    config.write_text(
        f"sources:\n  - {{id: one, feeds: [{{url: '{httpserver.url_for('/one')}'}}]}}\n"
        f"network: {{allow_hosts: ['{httpserver.host}:{httpserver.port}'], pause_seconds: 0}}\n",
        "utf-8",
    )
    return [f"--config={config}", f"--db=sqlite:///{tmp_path / 'storyheat.db'}"]


@pytest.fixture
def start(options: list[str]) -> Iterator[Callable[[], Process]]:
    """Starts daemons; what is left of them goes in the end."""
    started: list[Process] = []

    def begin() -> Process:
        started.append(Process(options))
        return started[-1]

    yield begin
    for one in started:
        one.process.kill()
        one.process.wait()
        one.reader.join()
        assert one.process.stderr is not None
        one.process.stderr.close()


def test_it_polls_beats_and_ends_on_a_signal(
    start: Callable[[], Process], options: list[str], httpserver: HTTPServer
) -> None:
    httpserver.expect_request("/one").respond_with_data(FEED, content_type="application/rss+xml")
    daemon = start()
    daemon.says("feeds: 1 updated")
    told = storyheat("sources", "--json", *options).json
    assert told["daemon"]["lives"]
    assert told["daemon"]["pid"] == daemon.process.pid
    assert "daemon: lives since" in storyheat("sources", *options).out
    second = storyheat("daemon", *options)
    assert (second.code, "another daemon looks after" in second.err) == (1, True)
    daemon.process.send_signal(signal.SIGHUP)
    daemon.says("the settings were read again: 1 feed of 1 source")
    daemon.says("feeds: 0 updated")
    code, seconds = daemon.end(signal.SIGTERM)
    assert (code, daemon.lines[-1][20:]) == (0, "  ended")
    assert seconds < 10
    assert "daemon: ended" in storyheat("sources", *options).out
    assert storyheat("db", "check", *options).code == 0


class Silence:
    """A server that has the feed and does not answer until it is told to: its runs hang in the network."""

    def __init__(self, httpserver: HTTPServer) -> None:
        self.asked, self.free = threading.Event(), threading.Event()
        httpserver.expect_request("/one").respond_with_handler(self._answer)

    def _answer(self, _: Request) -> Response:
        self.asked.set()
        self.free.wait(PATIENCE)
        return Response(FEED)


@pytest.fixture
def silence(httpserver: HTTPServer) -> Iterator[Silence]:
    made = Silence(httpserver)
    yield made
    made.free.set()


def is_sound(options: list[str]) -> bool:
    return all(storyheat(*asked, *options).code == 0 for asked in (["db", "check"], ["rebuild", "--check"]))


@pytest.mark.parametrize("to", ["the daemon", "its terminal", "all of them"])
def test_it_ends_in_the_middle_of_a_request_with_nothing_half_written(
    start: Callable[[], Process], options: list[str], silence: Silence, to: str
) -> None:
    daemon = start()
    assert silence.asked.wait(PATIENCE)
    run = daemon.run()
    began = time.monotonic()
    if to == "its terminal":
        os.killpg(daemon.process.pid, signal.SIGINT)
    else:
        for process in [run, daemon.process.pid] if to == "all of them" else [daemon.process.pid]:
            os.kill(process, signal.SIGTERM)
    assert daemon.process.wait(PATIENCE) == 0
    assert time.monotonic() - began < 10
    assert not is_there(run)
    daemon.reader.join()
    assert "in the middle of a run" in daemon.lines[-1]
    assert len(daemon.lines) == 2, "beside that only that it began"
    assert is_sound(options)


def test_a_run_ends_with_a_daemon_that_is_killed_and_the_next_one_goes_on(
    start: Callable[[], Process], options: list[str], silence: Silence
) -> None:
    daemon = start()
    assert silence.asked.wait(PATIENCE)
    run = daemon.run()
    daemon.end(signal.SIGKILL)
    wait_until(lambda: not is_there(run))
    assert is_sound(options)
    silence.free.set()
    start().says("feeds: 1 updated")


def test_a_run_that_is_killed_is_a_line_and_a_wait(
    start: Callable[[], Process], options: list[str], silence: Silence
) -> None:
    daemon = start()
    assert silence.asked.wait(PATIENCE)
    os.kill(daemon.run(), signal.SIGKILL)
    daemon.says("failed: the run was killed: out of memory, unless somebody did it (signal 9)")
    told = storyheat("sources", "--json", *options).json["daemon"]
    assert (told["lives"], told["errors_in_row"]) == (True, 1)
    silence.free.set()
    daemon.process.send_signal(signal.SIGHUP)  # looks at once
    daemon.says("feeds: 1 updated")
    assert is_sound(options)


def test_a_daemon_that_cannot_begin_says_so_in_a_line(options: list[str], tmp_path: Path) -> None:
    with daemon_lock(options[1].removeprefix("--db=")):
        told = storyheat("daemon", *options)
    assert (told.code, len(told.err.splitlines())) == (1, 1)
    (tmp_path / "feeds.yaml").unlink()
    assert storyheat("daemon", *options).code == 2
