"""What all tests share: the folder of shared material, hypothesis' profile, and what a skipped test means."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import settings

NEED_WEB = ("web", "browser")  # folders whose tests need the extra
HAS_WEB = all(find_spec(name) is not None for name in ("fastapi", "jinja2", "uvicorn"))
ROOT = Path(__file__).resolve().parent.parent
REQUIRE_ALL = os.environ.get("STORYHEAT_REQUIRE_ALL") == "1"

# The same examples each time, however slow the machine: a check that fails must fail again.
settings.register_profile("storyheat", derandomize=True, deadline=None, max_examples=100, database=None)
settings.load_profile("storyheat")


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of test material that is not ours to publish; without it the test is skipped."""
    folder = Path(os.environ.get("STORYHEAT_SHARED") or ROOT.parent / "shared")
    if not (folder / "README.md").is_file():
        pytest.skip(f"no shared material at {folder} (STORYHEAT_SHARED names another place)")
    return folder


@pytest.fixture(scope="session")
def root() -> Path:
    """The project's folder."""
    return ROOT


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leaves out the tests of the page where what it needs is not installed."""
    missing = not HAS_WEB and collection_path.parent == ROOT / "tests" and collection_path.name in NEED_WEB
    return True if missing else None


def pytest_report_header() -> list[str]:
    """Says what is left out."""
    return [] if HAS_WEB else ["not run, since the extra web is not installed: tests/web, tests/browser"]


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Under STORYHEAT_REQUIRE_ALL=1 a run with skipped tests fails."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if REQUIRE_ALL and exitstatus == 0 and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        print("\nSTORYHEAT_REQUIRE_ALL=1: skipped tests count as failures")
