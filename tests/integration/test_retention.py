"""What is let go, when, and what must not change by it: weeks of runs with short spans of keeping."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from tests.fakes import ScriptedFetcher
from tests.make import Post, feed_url, rss, source, utc
from tests.runs import new_database, settings_of

from storyheat.core.items.retention import DAY, Retention
from storyheat.pipeline.rebuild import Comparison, compare, rebuild
from storyheat.pipeline.report import RunReport
from storyheat.pipeline.run import Pipeline
from storyheat.store.check import digest, problems
from storyheat.store.database import Database
from storyheat.wiring import make_pipeline

START = utc("2026-03-01 06:00")
SHORT = Retention(html=2 * DAY, texts=6 * DAY, items=12 * DAY, hours=6 * DAY, fetches=5 * DAY, runs=30 * DAY, proof=DAY)
SOURCES = (source("wire"), source("daily"), source("digest", digest=True))
SYLLABLES = ("bar", "den", "fol", "gri", "hul", "kem", "lis", "mor", "nav", "ost", "pel", "quo", "rus", "tam", "vek")
KINDS = ("ferry", "tunnel", "library", "orchard", "tannery", "lighthouse", "viaduct", "market", "quarry", "brewery")


def name(day: int, of: int) -> str:
    """An invented name that only the event of one day knows."""
    number = 7919 * (day + 1) + 104_729 * of
    return "".join(SYLLABLES[number // 15**place % 15] for place in range(3)).capitalize()


def event(day: int) -> dict[str, str]:
    """The event of a day as two voices tell it, unlike that of any other day: title → text."""
    town, other, person, thing = name(day, 1), name(day, 2), name(day, 3), KINDS[day % 10]
    return {
        f"{town} {thing} burns down, {person} suspects lightning": (
            f"A fire destroyed the {thing} of {town} in the night. {person}, who runs it, suspects lightning. The "
            f"firemen of {other} came too late, since the bridge between {town} and {other} was closed."
        ),
        f"Fire in {town}: {person} loses the {thing}": (
            f"Nothing is left of the {thing} that {person} built in {town}. Neighbours from {other} saw the flames at "
            f"four in the morning and rang the bells of {town}; nobody was hurt."
        ),
    }


def listed(day: int) -> dict[str, str]:
    """What the feeds list on a day: their last three pieces."""
    days = range(max(0, day - 2), day + 1)
    at = {one: START + one * DAY - timedelta(hours=2) for one in days}
    told = {one: list(event(one).items()) for one in days}
    wire = [Post(told[n][0][0], f"https://wire.example/{n}", at[n], f"w{n}", told[n][0][1]) for n in days]
    daily = [Post(told[n][1][0], f"https://daily.example/{n}", at[n], None, told[n][1][1]) for n in days]
    short = Post(
        "The day in short", f"https://digest.example/{day}", at[day], None, f"{told[day][0][0]}. Pears are ripe."
    )
    return {feed_url("wire"): rss(*reversed(wire)), feed_url("daily"): rss(*daily), feed_url("digest"): rss(short)}


class Weeks:
    """A database after so many days, with a run every twelve hours."""

    def __init__(self, folder: Path, retention: Retention, file: str = "storyheat.db") -> None:
        self.database = new_database(folder, file)
        self.fetcher = ScriptedFetcher()
        self.pipeline = self.with_retention(retention)
        self.reports: list[RunReport] = []

    def with_retention(self, retention: Retention) -> Pipeline:
        """The pipeline that keeps house by these spans."""
        return make_pipeline(settings_of(self.database, retention=retention), self.database, self.fetcher, SOURCES)

    def live(self, days: range) -> "Weeks":
        """Runs at six and at eighteen."""
        for day in days:
            self.fetcher.answers = dict(listed(day))
            self.reports += [self.pipeline.run(at, force=True) for at in (at_day(day), at_day(day) + DAY / 2)]
        return self

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with self.database.read() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(sql)]

    def compared(self) -> Comparison:
        pipeline = self.pipeline
        return compare(self.database, pipeline.background, pipeline.placing, pipeline.rule)


def at_day(day: int) -> datetime:
    return START + day * DAY


@pytest.fixture
def weeks(tmp_path: Path) -> Iterator[Weeks]:
    made = Weeks(tmp_path, SHORT)
    yield made
    assert problems(made.database) == []
    made.database.close()


def test_weeks_of_keeping_house_leave_what_rebuild_would_make(weeks: Weeks) -> None:
    for day in range(30):
        weeks.live(range(day, day + 1))
        if day % 4 == 3:
            assert weeks.compared() == Comparison(), f"day {day}"
    (first,) = weeks.rows("SELECT min(first_seen_at) FROM item")[0]
    assert first >= "2026-03-13"  # twelve days, and at most a stride of four more
    assert weeks.rows("SELECT count(*) FROM item WHERE text <> '' AND first_seen_at < '2026-03-22'") == [(0,)]
    assert weeks.rows("SELECT count(*) FROM item WHERE html <> '' AND first_seen_at < '2026-03-28'") == [(0,)]
    assert weeks.rows("SELECT count(*) FROM heat WHERE at < '2026-03-24'") == [(0,)]
    assert weeks.rows("SELECT count(*) FROM heat")[0][0] > 0
    assert weeks.rows("SELECT count(*) FROM fetch WHERE at < '2026-03-25'") == [(0,)]
    assert weeks.rows("SELECT count(*) FROM tombstone")[0][0] > 30
    gone = [report.let_go for report in weeks.reports]
    assert sum(one.items for one in gone) >= 30
    assert sum(one.stories for one in gone) >= 10


def test_a_rebuild_keeps_what_is_settled_and_makes_the_rest_anew(weeks: Weeks) -> None:
    weeks.live(range(20))
    before = digest(weeks.database)
    pipeline = weeks.pipeline
    rebuild(weeks.database, pipeline.background, pipeline.placing, pipeline.rule)
    assert digest(weeks.database) == before


def test_an_item_that_comes_back_is_not_new(weeks: Weeks) -> None:
    weeks.live(range(22))
    assert weeks.rows("SELECT count(*) FROM item WHERE url LIKE '%/1'") == [(0,)]
    weeks.fetcher.answers = dict(listed(1))
    report = weeks.pipeline.run(at_day(22), force=True)
    assert (report.items_new, report.unchanged) == (0, 3)
    # The same article elsewhere, and under another address with the old guid, is not new either.
    wire, _ = event(1)
    weeks.fetcher.answers = {
        feed_url("daily"): rss(Post(wire, "https://wire.example/1?utm_source=x", at_day(1), "other", "")),
        feed_url("wire"): rss(Post("A new one", "https://wire.example/new", at_day(22), None, "Pears.")),
        feed_url("digest"): rss(),
    }
    report = weeks.pipeline.run(at_day(22) + DAY / 2, force=True)
    assert report.items_new == 1
    assert weeks.rows("SELECT url FROM item WHERE first_seen_at > '2026-03-22T18'") == [("https://wire.example/new",)]


def test_what_was_corrected_by_hand_stays(weeks: Weeks) -> None:
    weeks.live(range(3))
    (story,) = weeks.rows("SELECT story_id FROM story_items WHERE url = 'https://wire.example/0'")[0]
    with weeks.database.write() as connection:
        connection.exec_driver_sql(f"UPDATE membership SET decided_by = 'ada' WHERE story_id = '{story}'")
    weeks.live(range(3, 30))
    assert weeks.rows(f"SELECT count(*) > 0 FROM story_items WHERE story_id = '{story}'") == [(1,)]
    assert weeks.rows("SELECT count(*) FROM item WHERE url = 'https://wire.example/5'") == [(0,)]


def test_nothing_goes_where_all_is_kept_for_good(tmp_path: Path) -> None:
    forever = replace(SHORT, html=None, texts=None, items=None, hours=None, fetches=None, runs=None)
    weeks = Weeks(tmp_path, forever).live(range(25))
    assert not any(report.let_go for report in weeks.reports)
    assert weeks.rows("SELECT what FROM horizon") == [("house",)]
    weeks.database.close()


def test_a_clock_that_jumps_ahead_empties_nothing(weeks: Weeks) -> None:
    weeks.live(range(4))
    before = weeks.rows("SELECT count(*) FROM item WHERE text <> ''")
    weeks.fetcher.answers = dict(listed(3))
    for hours in (0, 6, 12, 18):
        report = weeks.pipeline.run(at_day(3650) + timedelta(hours=hours), force=True)
        assert not report.let_go
    assert weeks.rows("SELECT count(*) FROM item WHERE text <> ''") == before


def test_a_clock_set_back_after_settling_leaves_a_true_rebuild(weeks: Weeks) -> None:
    weeks.live(range(16))
    assert weeks.rows("SELECT count(*) FROM horizon WHERE what = 'decisions'") == [(1,)]
    (settled,) = weeks.rows("SELECT since_at FROM horizon WHERE what = 'decisions'")[0]
    back = datetime.fromisoformat(settled) - DAY
    weeks.fetcher.answers = dict(listed(16))
    assert weeks.pipeline.run(back, force=True).items_new > 0
    weeks.live(range(17, 24))
    assert weeks.compared() == Comparison()


class Killed(Exception):
    """Stands for the end of the process."""


class Mortal(Database):
    """A database whose process ends before its n-th transaction."""

    left = 0

    def write(self) -> Any:
        return self._or_die(super().write)

    def write_trusted(self) -> Any:
        return self._or_die(super().write_trusted)

    def _or_die(self, begin: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            raise Killed
        return begin()


@pytest.fixture(scope="module")
def weeks_old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a database after seventeen days."""
    weeks = Weeks(tmp_path_factory.mktemp("weeks"), SHORT).live(range(17))
    weeks.database.close()
    return Path(weeks.database.name)


@pytest.fixture(scope="module")
def whole(weeks_old: Path) -> str:
    """The digest after a further day that nothing cut off, in which items go."""
    copyfile(weeks_old, weeks_old.with_name("whole.db"))
    weeks = Weeks(weeks_old.parent, SHORT, "whole.db").live(range(17, 18))
    gone = weeks.reports[0].let_go
    assert min(gone.items, gone.html, gone.fetches) > 0
    mark = digest(weeks.database)
    weeks.database.close()
    return mark


@pytest.mark.parametrize("transactions", range(2, 12))
def test_keeping_house_that_is_cut_off_goes_on(weeks_old: Path, whole: str, tmp_path: Path, transactions: int) -> None:
    """The run is killed before one of its transactions and made again at the same instant."""
    copyfile(weeks_old, tmp_path / "storyheat.db")
    cut = Weeks(tmp_path, SHORT)
    mortal = Mortal(cut.database.engine, cut.database.name)
    mortal.left = transactions
    cut.fetcher.answers = dict(listed(17))
    with pytest.raises(Killed):
        replace(cut.pipeline, database=mortal).run(at_day(17), force=True)
    cut.pipeline.run(at_day(17))
    cut.pipeline.run(at_day(17) + DAY / 2, force=True)
    assert digest(cut.database) == whole
    cut.database.close()
