"""The process of one run: takes its order from the daemon that started it, tells it the outcome, and ends with it."""

import os
import pickle
import signal
import sys
import traceback
from collections.abc import Callable
from threading import Thread
from types import TracebackType
from typing import TextIO

from storyheat.daemon.order import Broken, Order, Outcome, told
from storyheat.daemon.process import SIGNALS
from storyheat.daemon.run import make_run
from storyheat.ingest.http import HttpFetcher
from storyheat.ports import Fetcher
from storyheat.settings import Settings


def work(fetcher_of: Callable[[Settings], Fetcher]) -> None:
    """Makes the run that standard input orders, and tells its outcome on standard output: one line of JSON.

    Standard input stays open as long as the daemon lives. Signals are the daemon's business: it ends this process.
    """
    _pass_over_signals()
    answer = _taken_over()

    def tell(outcome: Outcome) -> None:
        answer.write(told(outcome))
        answer.flush()

    def broken(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        tell(Broken(kind.__name__, "".join(traceback.format_exception(error))))

    sys.excepthook = broken
    with open(0, "rb", closefd=False) as orders:
        order: Order = pickle.load(orders)  # noqa: S301 - the daemon wrote it, through a pipe that only it has
    Thread(target=_end_with_daemon, daemon=True).start()
    tell(make_run(order, fetcher_of))


def _pass_over_signals() -> None:
    """Has signals do nothing. What this process starts heeds them: it inherits neither handlers nor the mask."""
    for number in SIGNALS:
        signal.signal(number, lambda number, frame: None)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)  # held back until here, see `process`


def _taken_over() -> TextIO:
    """Standard output for the outcome alone: whatever else writes there writes to nobody."""
    answer, nowhere = os.fdopen(os.dup(1), "w", encoding="ascii"), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return answer


def _end_with_daemon() -> None:
    """Waits for the end of standard input: the daemon is gone, so this process ends, and what it started."""
    os.read(0, 1)
    if sys.platform != "win32":
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    work(lambda settings: HttpFetcher(settings.network))
