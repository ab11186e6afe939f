"""The command that runs for good: daemon."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from storyheat.cli import common
from storyheat.cli.common import Usual
from storyheat.cli.screen import log


def register(app: typer.Typer) -> None:
    """Adds the command."""
    common.add(app, daemon, "storyheat daemon 2>> storyheat.log")


def daemon(usual: Usual) -> None:
    """Poll for good.

    Each feed by its own rhythm, until SIGTERM or Ctrl-C. Logs one line a run to standard error.
    """
    from storyheat.daemon.keeper import Daemon
    from storyheat.daemon.process import RunProcess
    from storyheat.daemon.scheduler import serve

    runs = RunProcess()
    keeper = Daemon(lambda: usual.settings(config_required=True), runs.make, common.present_instant, log)
    with _signals(stop=keeper.stop, reload=keeper.reload):
        serve(keeper, time.sleep, runs.end)
    raise typer.Exit(1 if keeper.given_up else 0)


@contextmanager
def _signals(stop: Callable[[], None], reload: Callable[[], None]) -> Iterator[None]:
    """Has SIGTERM and Ctrl-C call `stop`, and SIGHUP, where there is one, `reload`."""
    calls = {signal.SIGTERM: stop, signal.SIGINT: stop}
    if hasattr(signal, "SIGHUP"):
        calls[signal.SIGHUP] = reload
    before = {number: signal.signal(number, lambda number, _: calls[signal.Signals(number)]()) for number in calls}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
