"""A disk that is full, a database that may not be written or is held by another: words, nothing lost, and on."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, event
from tests.fakes import ScriptedFetcher
from tests.make import Post, feed_url, rss, source
from tests.planted import NOON
from tests.runs import pipeline_of

from storyheat.errors import DatabaseBusy, DatabaseError
from storyheat.pipeline.rebuild import Comparison, compare
from storyheat.pipeline.run import Pipeline
from storyheat.store.check import digest, problems
from storyheat.store.database import Database, open_database

HOUR = timedelta(hours=1)
LONG = " ".join(f"word{number}" for number in range(4000))


class Disk:
    """A database on a disk that a test can fill, or protect."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "storyheat.db"
        self.database = open_database(f"sqlite:///{self.path}", create=True, busy_seconds=0)
        self.fetcher = ScriptedFetcher()
        self.pages: int | None = None
        self.read_only = False
        event.listen(self.database.engine, "begin", self._limit)

    def _limit(self, connection: Connection) -> None:
        limit = 2**30 if self.pages is None else self.pages
        connection.exec_driver_sql(f"PRAGMA max_page_count = {limit}")
        connection.exec_driver_sql(f"PRAGMA query_only = {int(self.read_only)}")

    def fill(self) -> None:
        """Leaves no page to grow by."""
        with self.database.read() as connection:
            self.pages = int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())

    def pipeline(self, number: int) -> Pipeline:
        """A run that finds an article of this number, with a long text."""
        post = Post(f"Piece {number} of Torvik", f"https://wire.example/{number}", NOON, text=f"{number} {LONG}")
        self.fetcher.answers[feed_url("wire")] = rss(post)
        return pipeline_of(self.database, self.fetcher, [source("wire")])


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    made = Disk(tmp_path)
    made.pipeline(0).run(NOON, force=True)
    yield made
    made.database.close()


def is_whole(database: Database, pipeline: Pipeline) -> bool:
    compared = compare(database, pipeline.background, pipeline.placing, pipeline.rule)
    return problems(database) == [] and compared == Comparison()


def test_a_full_disk_is_said_and_loses_nothing(disk: Disk) -> None:
    before = digest(disk.database)
    disk.fill()
    with pytest.raises(DatabaseError, match="cannot grow, the disk is full: free some space"):
        disk.pipeline(1).run(NOON + HOUR, force=True)
    assert digest(disk.database) == before
    disk.pages = None
    assert disk.pipeline(1).run(NOON + HOUR, force=True).items_new == 1
    assert is_whole(disk.database, disk.pipeline(1))


def test_a_database_held_by_another_program_is_said_and_the_next_run_goes_on(disk: Disk) -> None:
    with closing(sqlite3.connect(disk.path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(DatabaseBusy, match="held by another program"):
            disk.pipeline(1).run(NOON + HOUR, force=True)
        other.execute("ROLLBACK")
    assert disk.pipeline(1).run(NOON + HOUR, force=True).items_new == 1
    assert is_whole(disk.database, disk.pipeline(1))


def test_a_database_that_may_not_be_written_is_said(disk: Disk) -> None:
    disk.read_only = True
    with pytest.raises(DatabaseError, match="cannot be written: check the rights"):
        disk.pipeline(1).run(NOON + HOUR)
    disk.read_only = False
    disk.database.engine.dispose()  # connections remember it
    assert disk.pipeline(1).run(NOON + HOUR, force=True).items_new == 1
    assert is_whole(disk.database, disk.pipeline(1))


def test_a_clock_set_back_a_day_goes_on_and_leaves_a_true_rebuild(disk: Disk) -> None:
    disk.pipeline(1).run(NOON + 24 * HOUR)
    report = disk.pipeline(2).run(NOON)  # not forced: what was planned by the clock that ran ahead is no plan
    assert (report.items_new, report.skipped) == (1, 0)
    assert is_whole(disk.database, disk.pipeline(2))
    for number, hours in ((3, 1), (4, 23), (5, 25), (6, 27)):  # until the clock is where it was, and on
        disk.pipeline(number).run(NOON + hours * HOUR, force=True)
        assert is_whole(disk.database, disk.pipeline(number))


def test_a_clock_set_back_before_a_quiet_run_leaves_a_true_rebuild(disk: Disk) -> None:
    disk.pipeline(1).run(NOON + 24 * HOUR)
    disk.pipeline(1).run(NOON, force=True)  # nothing new to place
    disk.pipeline(2).run(NOON + HOUR, force=True)
    assert is_whole(disk.database, disk.pipeline(2))
