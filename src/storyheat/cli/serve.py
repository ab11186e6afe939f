"""The command that shows the page: serve."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import Usual
from storyheat.cli.screen import log, tell
from storyheat.errors import UsageError

NEEDED = ("fastapi", "jinja2", "uvicorn")


def register(app: typer.Typer) -> None:
    """Adds the command."""
    common.add(app, serve, "storyheat serve --port 8080")


def serve(
    usual: Usual,
    host: Annotated[
        str, typer.Option("--host", metavar="HOST", help="Where to listen; anything but this machine is said.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", metavar="PORT", min=0, max=65535, help="0: any that is free.")] = 8000,
) -> None:
    """The web page, until SIGTERM or Ctrl-C.

    Reads the database beside whatever writes it. Shows times in the zone of --tz unless a reader chooses another.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise UsageError(f'the page needs {", ".join(missing)}: pip install "storyheat[web]"')
    from storyheat.settings import DEFAULT_CONFIG
    from storyheat.web.app import make_app
    from storyheat.web.live import Live
    from storyheat.web.security import is_loopback
    from storyheat.web.server import address_of, listen
    from storyheat.web.server import serve as serve_app

    watched = usual.config or Path(os.environ.get("STORYHEAT_CONFIG") or DEFAULT_CONFIG)
    app = Live(watched, lambda: make_app(usual.settings(), common.present_instant, log, host), log)
    with listen(host, port) as listener, _ends_quietly():
        if not usual.quiet:
            tell(f"storyheat is at {address_of(listener)} (Ctrl-C ends it)")
        if not is_loopback(host):
            tell(f"listening on {host}: other machines can read these pages, and no password is asked for")
        serve_app(app, listener, log_requests=usual.verbose)


@contextmanager
def _ends_quietly() -> Iterator[None]:
    """The server passes on the signal that ended it; what was asked for is no failure."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.signal(number, lambda number, frame: None) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
