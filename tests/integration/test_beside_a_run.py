"""What others do with the database while a run is at work: readers that stay, and copies made at every step."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, event
from tests.command import storyheat
from tests.fakes import ScriptedFetcher
from tests.planted import HOUR, NOON, SOURCES, documents
from tests.runs import new_database, pipeline_of

from storyheat.pipeline.rebuild import Comparison, compare
from storyheat.store.check import digest, problems
from storyheat.store.database import Database, open_database
from storyheat.store.schema import views


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A database after one run."""
    made = new_database(tmp_path)
    pipeline_of(made, ScriptedFetcher(documents()), SOURCES).run(NOON)
    yield made
    made.close()


def run_again(database: Database) -> str:
    """A run when all feeds are due again, or what is left of it; the digest that it leaves."""
    pipeline = pipeline_of(database, ScriptedFetcher(documents(3)), SOURCES)
    pipeline.run(NOON + 3 * HOUR)
    assert problems(database) == []
    assert compare(database, pipeline.background, pipeline.placing, pipeline.rule) == Comparison()
    return digest(database)


def test_a_reader_that_stays_neither_blocks_a_run_nor_sees_half_of_it(database: Database) -> None:
    """As a browser of databases does that is left open on a table."""
    with closing(sqlite3.connect(database.name, isolation_level=None, timeout=0)) as reader:

        def seen() -> list[int]:
            return [reader.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in ("fetch", *names)]

        names = [name for name, _ in views()]
        reader.execute("BEGIN")
        before = seen()
        run_again(database)
        assert seen() == before
        reader.execute("COMMIT")
        assert seen()[0] == before[0] + len(SOURCES)
        busy, *_ = reader.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        assert busy == 0


def test_a_backup_at_any_step_of_a_run_is_sound_and_can_be_gone_on_with(database: Database, tmp_path: Path) -> None:
    """Each is made while a write of the run is still to be committed."""
    copies: list[Path] = []

    def copy(connection: Connection) -> None:
        file = tmp_path / f"copy{len(copies)}.db"
        ran = storyheat("db", "backup", file, f"--db=sqlite:///{database.name}")
        assert (ran.code, ran.err) == (0, "")
        copies.append(file)

    event.listen(database.engine, "commit", copy)
    whole = run_again(database)
    event.remove(database.engine, "commit", copy)
    states = set()
    for file in copies:
        copied = open_database(f"sqlite:///{file}")
        assert problems(copied) == []
        states.add(digest(copied))
        assert run_again(copied) == whole
        copied.close()
    assert len(states) > 3  # the run was met in the middle
