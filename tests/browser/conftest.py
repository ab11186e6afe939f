"""A real browser before a real server on loopback; without a browser these tests are skipped, and say so."""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, sync_playwright
from starlette.types import ASGIApp
from tests.web.conftest import app, engine, logged, news  # noqa: F401 - fixtures

from storyheat.web.server import address_of, listen

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip
NAMES = ("chromium", "chromium-browser", "google-chrome")


@contextmanager
def serving(app: ASGIApp) -> Iterator[str]:  # noqa: F811
    """The address of a running server, without a slash at its end."""
    listener = listen("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="error", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield address_of(listener).rstrip("/")
    server.should_exit = True
    thread.join(20)
    listener.close()


@pytest.fixture(scope="session")
def base(app: ASGIApp) -> Iterator[str]:  # noqa: F811
    """The address of a server over the news."""
    with serving(app) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for the tests of a module: its event loop would be in the way of other tests."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no browser: install chromium (Debian: apt-get install chromium)")
    with sync_playwright() as started:
        made = started.chromium.launch(executable_path=found, args=list(FLAGS))
        yield made
        made.close()


@pytest.fixture
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where screenshots go, to be looked at."""
    return tmp_path_factory.mktemp("screenshots")
