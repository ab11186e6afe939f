"""Runs as processes of their own: what one needs of memory, and what breaks it, ends with it."""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import IO

from storyheat.daemon.order import Broken, CutOff, Failed, Order, Outcome, outcome_of

LONGEST_SECONDS = 6 * 3600.0  # more than the first poll of a thousand feeds and all it brings take; our own choice
STAYS = "what was stored before it stays"
SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def command() -> list[str]:
    """A run of this very program; nothing is imported from the folder it works in, unless the daemon itself is."""
    safe = [] if str(Path.cwd()) in sys.path else ["-P"]
    return [sys.executable, *safe, "-X", "faulthandler", "-m", "storyheat.daemon.child"]


class RunProcess:
    """Starts a process for each run and waits for it.

    `run`: a command that does what `child.work` does. A run that takes longer than `longest_seconds` is ended.
    The process leads a group of its own: Ctrl-C in a terminal does not reach it, and it is ended with all that it
    started. It ends by itself as soon as this process is gone.
    """

    def __init__(self, run: Sequence[str] | None = None, longest_seconds: float = LONGEST_SECONDS) -> None:
        self._run, self._longest_seconds = run or command(), longest_seconds
        self._lock = Lock()  # over the two below
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False

    def make(self, order: Order) -> Outcome:
        """Has a run made, and waits until nothing is left of its process."""
        content = pickle.dumps(order)
        try:
            with self._lock:
                if self._ended:
                    return CutOff()
                with _signals_held_back():
                    pipe = subprocess.PIPE
                    process = subprocess.Popen(self._run, stdin=pipe, stdout=pipe, start_new_session=True)
                self._process = process
        except OSError as error:
            return Failed(f"no process for the run could be started ({error.strerror})")
        with process:
            line, code = self._answer(process, content)
        with self._lock:
            self._process = None
        return self._outcome(line, code)

    def end(self) -> None:
        """Ends the run that is at work, if one is, and lets none begin any more."""
        with self._lock:
            self._ended = True
            if self._process is not None:
                _kill(self._process)

    def _answer(self, process: "subprocess.Popen[bytes]", order: bytes) -> tuple[bytes, int | None]:
        """What the process answers, and its exit code; None: it took too long."""
        assert process.stdin is not None
        assert process.stdout is not None
        code = None
        with ThreadPoolExecutor(2) as threads:
            line = threads.submit(process.stdout.read)
            threads.submit(_write, process.stdin, order)
            with suppress(subprocess.TimeoutExpired):
                code = process.wait(self._longest_seconds)
            _kill(process)  # also what it started and left behind, which may hold its end of the pipe
        with suppress(BrokenPipeError):  # it ended before it had read all
            process.stdin.close()
        return line.result(), code

    def _outcome(self, line: bytes, code: int | None) -> Outcome:
        if line.endswith(b"\n"):
            return outcome_of(line.decode())
        if self._ended:
            return CutOff()
        if code is None:
            return Failed(f"the run took more than {self._longest_seconds / 3600:.0f} hours and was ended; {STAYS}")
        if code < 0:
            killed = "killed: out of memory, unless somebody did it" if -code == signal.SIGKILL else "broken off"
            return Failed(f"the run was {killed} (signal {-code}); {STAYS}")
        return Broken(f"exit code {code}")


@contextmanager
def _signals_held_back() -> Iterator[None]:
    """A process that is started meanwhile begins with the daemon's signals held back, so none ends it as it loads."""
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _write(stream: IO[bytes], order: bytes) -> None:
    stream.write(order)
    stream.flush()


def _kill(process: "subprocess.Popen[bytes]") -> None:
    """Ends a run and all that it started. Nothing is half-written: each stage lands whole or not at all."""
    if sys.platform == "win32":
        process.kill()
        return
    with suppress(ProcessLookupError, PermissionError):  # the latter, on some systems: all of them have ended
        os.killpg(process.pid, signal.SIGKILL)
