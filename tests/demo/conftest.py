"""The demo week, played once for all tests that look at it, whichever process they run in."""

import fcntl
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.command import storyheat

from storyheat.core.model import Source
from storyheat.demo.play import CONFIG
from storyheat.demo.week import LAST_POLL, Post, read_week
from storyheat.settings import load_settings
from storyheat.store.database import open_database

AT = f"--at={LAST_POLL:%Y-%m-%dT%H:%MZ}"


@dataclass(frozen=True)
class Played:
    """What a played week left: its database, what `demo --json` printed, and the folder of `--keep`."""

    database: Path
    printed: dict[str, Any]
    kept: Path

    def json(self, *arguments: str) -> Any:
        """What a command says of it."""
        return storyheat(*arguments, "--json", f"--db={self.database}").json

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the database answers."""
        with open_database(f"sqlite:///{self.database}") as database, database.read() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(query)]

    def columns(self, view: str) -> list[str]:
        """The names of the columns of a view or table, in order."""
        return [str(row[1]) for row in self.rows(f"PRAGMA table_info({view})")]

    def seats(self) -> dict[str, tuple[str, str]]:
        """By address of an item that reports or copies: the story it stands in, and its role."""
        told = self.rows("SELECT url, story_id, role FROM story_items WHERE role <> 'mention'")
        return {url: (story, role) for url, story, role in told}

    def story_of(self, url: str) -> Any:
        """The story in which the item of an address stands, as `story --json` tells it at the end of the week."""
        return self.json("story", self.seats()[url][0], AT)


@pytest.fixture(scope="session")
def sources() -> tuple[Source, ...]:
    """The sources of the week."""
    return load_settings({}, config=CONFIG).sources


@pytest.fixture(scope="session")
def posts(sources: tuple[Source, ...]) -> tuple[Post, ...]:
    """The posts of the week."""
    return read_week(sources)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Played:
    """The week, played by the first process that asks for it; the others wait for that."""
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "demo"
    (folder / "week").mkdir(parents=True, exist_ok=True)
    printed = folder / "printed.json"
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not printed.exists():
            ran = storyheat("demo", "--json", f"--db={folder / 'week' / 'demo.db'}", f"--keep={folder / 'kept'}")
            assert (ran.code, ran.err) == (0, "")
            printed.write_text(json.dumps(ran.json), "utf-8")
    return Played(folder / "week" / "demo.db", json.loads(printed.read_text("utf-8")), folder / "kept")
