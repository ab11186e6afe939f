"""Runs as processes of their own: what becomes of one that breaks, hangs, is ended, or leaves something behind."""

import os
import sys
import threading
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from tests.make import utc

from storyheat.daemon.order import Broken, Busy, CutOff, Done, Failed, Order, Outcome, outcome_of, told
from storyheat.daemon.process import RunProcess
from storyheat.settings import Settings
from storyheat.store.runlock import run_lock

NOON = utc("2026-11-10 12:00")


@pytest.fixture
def order(tmp_path: Path) -> Order:
    """An order for a run without sources."""
    return Order(Settings(f"sqlite:///{tmp_path / 'storyheat.db'}", ZoneInfo("UTC")), NOON)


def python(code: str) -> list[str]:
    """A command that is no run, but behaves like one that goes wrong."""
    return [sys.executable, "-c", code]


@pytest.mark.parametrize(
    "outcome",
    [
        Done("feeds: …", 1.5, NOON, "briefs: 2 written"),
        Done("feeds: …", 0.0, None, None),
        Busy(),
        Failed("the disk is full"),
        Broken("ZeroDivisionError", "  line\n\udcff\n"),
    ],
    ids=repr,
)
def test_an_outcome_goes_from_process_to_process_as_one_line(outcome: Outcome) -> None:
    line = told(outcome)
    assert line.splitlines(keepends=True) == [line]
    assert outcome_of(line) == outcome


def test_a_run_is_made_in_a_process_of_its_own(order: Order) -> None:
    outcome = RunProcess().make(order)
    assert isinstance(outcome, Done)
    assert outcome.line.startswith("2026-11-10T12:00:00Z  feeds: 0 updated")
    assert (outcome.due, outcome.briefs) == (None, None)
    with run_lock(order.settings.database):
        assert RunProcess().make(order) == Busy()


def test_a_bug_is_told_with_its_trace(order: Order) -> None:
    outcome = RunProcess(python("from storyheat.daemon.child import work; work(lambda settings: 1 // 0)")).make(order)
    assert isinstance(outcome, Broken)
    assert outcome.words == "ZeroDivisionError"
    assert outcome.trace.splitlines()[-1].startswith("ZeroDivisionError: ")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "killed: out of memory, unless somebody did it"),
        ("import os, sys; sys.stdin.buffer.read(9); os.abort()", "broken off (signal 6)"),
    ],
)
def test_a_crash_is_no_bug_of_ours(order: Order, code: str, words: str) -> None:
    outcome = RunProcess(python(code)).make(order)
    assert isinstance(outcome, Failed)
    assert words in outcome.words


def test_a_run_heeds_no_signal_from_its_first_moment_on(order: Order) -> None:
    code = "import os, signal; os.kill(os.getpid(), signal.SIGTERM); raise SystemExit(3)"
    assert RunProcess(python(code)).make(order) == Broken("exit code 3")


def test_half_an_answer_is_none(order: Order) -> None:
    assert RunProcess(python("print('{', end=''); raise SystemExit(3)")).make(order) == Broken("exit code 3")


def test_where_no_process_can_be_started_the_daemon_goes_on(order: Order, tmp_path: Path) -> None:
    outcome = RunProcess([str(tmp_path / "none")]).make(order)
    assert outcome == Failed("no process for the run could be started (No such file or directory)")


HANGS = "import sys, threading; sys.stderr.write('hangs'); threading.Event().wait()"


def test_a_run_that_hangs_is_ended(order: Order) -> None:
    outcome = RunProcess(python(HANGS), longest_seconds=0.1).make(order)
    assert outcome == Failed("the run took more than 0 hours and was ended; what was stored before it stays")


def test_it_is_cut_off_with_the_daemon_and_none_begins_after_it(order: Order, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    runs = RunProcess(python(f"open({str(fifo)!r}, 'w').close(); {HANGS}"))
    found: list[Outcome] = []
    waiting = threading.Thread(target=lambda: found.append(runs.make(order)))
    waiting.start()
    fifo.read_bytes()  # returns once the process is there
    runs.end()
    waiting.join()
    assert found == [CutOff()]
    assert runs.make(order) == CutOff()


@pytest.mark.parametrize("ends", ["", "os.kill(os.getpid(), 9)"], ids=["by itself", "killed"])
def test_what_a_run_started_ends_with_it(order: Order, tmp_path: Path, ends: str) -> None:
    """It would keep the daemon waiting, too, since it has the run's standard output."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    end = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    started = f"""if True:
        import os, threading
        fifo = open({str(fifo)!r}, "w")
        os.write(2, b".")
        threading.Event().wait()"""
    code = f"""if True:
        import os, subprocess, sys
        subprocess.Popen([sys.executable, "-c", {started!r}], stderr=subprocess.PIPE).stderr.read(1)
        {ends}"""
    RunProcess(python(code)).make(order)
    os.set_blocking(end, True)
    assert os.read(end, 1) == b""  # comes when nobody has the other end any more
    os.close(end)
