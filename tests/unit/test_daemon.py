"""The daemon on a simulated clock: when it runs, what it logs, and what it does when something goes wrong."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.fakes import ScriptedFetcher
from tests.make import Post, feed_url, rss, utc
from tests.scripted import script

from storyheat.core.feeds.waking import WakeParams
from storyheat.core.model import FetchRequest
from storyheat.daemon.keeper import Daemon
from storyheat.daemon.order import Broken, CutOff, Failed, Order, Outcome
from storyheat.daemon.run import make_run
from storyheat.errors import ConfigError
from storyheat.settings import load_settings
from storyheat.store.database import open_database
from storyheat.store.heartbeat import Heartbeat, heartbeat
from storyheat.store.runlock import run_lock

NOON = utc("2026-11-10 12:00")
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
CONFIG = "sources:\n  - {id: wire, poll_minutes: 30, feeds: [{url: 'https://wire.example/feed'}]}\n"
FEED = rss(Post("A tower of Lego in Torvik", "https://wire.example/1", NOON, text="Twelve metres."))


@dataclass
class World(ScriptedFetcher):
    """A simulated machine: clock, servers, disk and log; and the scheduler, which does what it is told.

    Runs are made in this process, unless they end by what is given as `accident`.
    """

    folder: Path = Path()
    now: datetime = NOON
    log: list[str] = field(default_factory=list)
    runs: list[datetime] = field(default_factory=list)
    accident: Outcome | None = None
    takes: timedelta = timedelta()  # how long a fetch lasts

    def __post_init__(self) -> None:
        super().__init__({feed_url("wire"): FEED})
        self.configure(CONFIG)
        self.daemon = Daemon(
            lambda: load_settings({}, config=self.folder / "feeds.yaml", database=self.url, timezone="UTC"),
            self.make_run,
            lambda: self.now,
            self.log.append,
        )
        self.plan = self.now

    def make_run(self, order: Order) -> Outcome:
        assert self.daemon.look() is None, "nothing is planned while a run is at work"
        return self.accident or make_run(order, lambda settings: self)

    @property
    def url(self) -> str:
        return f"sqlite:///{self.folder / 'storyheat.db'}"

    def configure(self, text: str) -> None:
        (self.folder / "feeds.yaml").write_text(text, "utf-8")

    def fetch(self, requests: Sequence[FetchRequest], *rest: Any) -> None:
        self.now += self.takes
        super().fetch(requests, *rest)

    def run(self) -> None:
        """What the scheduler does when a plan is due."""
        self.runs.append(self.now)
        self.plan = self.daemon.run()

    def live(self, span: timedelta) -> None:
        """Lets time pass."""
        end = self.now + span
        while self.plan <= end and not self.daemon.ending:
            self.now = max(self.now, self.plan)
            self.run()
        self.now = max(self.now, end)

    def look(self) -> bool:
        """One look of the main thread; whether it planned anew. What it plans is run."""
        at = self.daemon.look()
        if at is not None:
            self.run()
        return at is not None

    @property
    def asked_at(self) -> list[datetime]:
        """When the feed was asked, by the table `fetch`."""
        database = open_database(self.url)
        with database.read() as connection:
            rows = connection.exec_driver_sql("SELECT at FROM fetch ORDER BY id").scalars().all()
        database.close()
        return [datetime.fromisoformat(row) for row in rows]

    @property
    def heart(self) -> Heartbeat:
        """What the database says of the daemon."""
        database = open_database(self.url)
        with database.read() as connection:
            found = heartbeat(connection)
        database.close()
        assert found is not None
        return found


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(folder=tmp_path)
    made.daemon.begin()
    return made


def test_a_feed_is_polled_by_its_own_rhythm_and_every_run_is_a_line(world: World) -> None:
    world.live(2 * HOUR)
    gaps = [later - earlier for earlier, later in zip(world.asked_at, world.asked_at[1:], strict=False)]
    assert len(gaps) == 4
    assert all(timedelta(minutes=28) < gap <= timedelta(minutes=30) for gap in gaps)
    first, *lines = world.log
    assert first.startswith("2026-11-10T12:00:00Z  storyheat ")
    assert "1 feed of 1 source" in first
    assert len(lines) == len(world.runs)
    assert lines[0].startswith(
        "2026-11-10T12:00:00Z  feeds: 1 updated, 0 unchanged, 0 failed, 0 not due; items: 1 new, 0 revised"
    )
    assert lines[0].endswith(", next 2026-11-10T12:10:00Z")
    assert all(later - earlier <= WakeParams().most for earlier, later in zip(world.runs, world.runs[1:], strict=False))


def test_the_heartbeat_tells_what_it_does(world: World) -> None:
    world.live(5 * MINUTE)
    beat = world.heart
    assert (beat.started_at, beat.last_run_at, beat.next_wake_at) == (NOON, NOON, NOON + 10 * MINUTE)
    assert (beat.errors_in_row, beat.ended_at) == (0, None)
    assert world.daemon.look() is None
    assert world.heart.last_beat_at == NOON + 5 * MINUTE
    assert world.heart.lives(NOON + 6 * MINUTE)
    assert not world.heart.lives(NOON + HOUR)
    world.daemon.end()
    assert not world.heart.lives(NOON + 5 * MINUTE)


def test_after_sleep_there_is_one_run_and_the_feed_is_asked_once(world: World) -> None:
    """Case 83: the machine slept, and what was missed is made up once."""
    played = script("83-schedule-overrun-and-misfire")["config"]["sleep"]
    asleep, awake = (datetime.fromisoformat(played[name]) for name in ("frm", "to"))
    world.now = world.plan = asleep
    world.live(MINUTE)
    world.now = awake
    before = len(world.asked_at)
    assert world.look() is True
    assert "the clock jumped, or the machine slept" in world.log[-2]
    world.live(3 * MINUTE)
    assert world.asked_at[before:] == [awake]
    assert world.look() is False


def test_a_clock_set_back_a_day_stops_nothing(world: World) -> None:
    world.live(3 * HOUR)
    world.now -= DAY
    assert world.look() is True
    assert world.asked_at[-1] == world.now
    world.live(3 * HOUR)
    assert len([at for at in world.asked_at if at < NOON]) in (6, 7)


def test_a_run_longer_than_the_gap_is_followed_by_one_run(world: World) -> None:
    world.takes = 3 * HOUR
    world.live(MINUTE)
    assert world.now == NOON + 3 * HOUR
    world.takes = timedelta()
    world.live(10 * MINUTE)
    assert world.runs == [NOON, NOON + 3 * HOUR + MINUTE]
    assert world.asked_at == world.runs  # the poll that was missed is made up for, once


def test_another_run_is_waited_for(world: World) -> None:
    with run_lock(world.url):
        world.live(MINUTE)
    assert world.asked_at == []
    assert "another run is at work" in world.log[-1]
    assert world.plan - world.now <= WakeParams().busy
    world.live(MINUTE)
    assert len(world.asked_at) == 1


def test_settings_are_read_again_when_they_change(world: World) -> None:
    world.live(MINUTE)
    assert world.look() is False
    world.configure(CONFIG + "  - {id: daily, feeds: [{url: 'https://daily.example/feed'}]}\n")
    assert world.look() is True
    assert world.log[-2].endswith("the settings were read again: 2 feeds of 2 sources")
    assert feed_url("daily") in world.asked_urls


def test_broken_settings_leave_the_old_ones_and_are_said_once(world: World) -> None:
    world.live(MINUTE)
    world.configure("sources: [\n")
    assert world.look() is True
    [words] = [line for line in world.log if "stay as they were" in line]
    assert "feeds.yaml" in words
    assert world.look() is False
    world.live(HOUR)
    assert len([line for line in world.log if "stay as they were" in line]) == 1
    assert len(world.asked_at) == 3
    (world.folder / "feeds.yaml").unlink()
    assert world.look() is True
    world.configure(CONFIG)
    world.look()
    assert world.daemon.settings.sources[0].id == "wire"


def test_a_signal_has_the_settings_read_again(world: World) -> None:
    world.live(MINUTE)
    world.daemon.reload()
    assert world.look() is True
    assert "read again" in world.log[-2]
    assert world.look() is False


def test_what_is_expected_to_go_wrong_is_a_line_and_it_goes_on(world: World) -> None:
    world.live(MINUTE)
    path = world.folder / "storyheat.db"
    path.rename(world.folder / "away.db")
    path.mkdir()
    world.live(HOUR)
    failures = [line for line in world.log if "  failed: " in line]
    assert len(failures) > 3
    assert not world.daemon.given_up
    assert "cannot be opened" in failures[0]
    path.rmdir()
    (world.folder / "away.db").rename(path)
    world.live(10 * MINUTE)
    assert len(world.asked_at) == 2
    assert world.heart.last_error is None


def test_a_bug_is_logged_with_its_trace_and_too_many_end_the_daemon(world: World) -> None:
    world.accident = Broken("Bug", "  somewhere\nBug: the moon is full\n")
    world.run()
    assert any("somewhere" in line for line in world.log)
    assert any("the moon is full" in line for line in world.log)
    assert (world.heart.errors_in_row, world.daemon.given_up) == (1, False)
    assert world.heart.last_error == "a bug: Bug; what was stored before it stays"
    world.accident = None
    world.live(2 * MINUTE)
    assert world.heart.errors_in_row == 0
    world.accident = Broken("Bug")
    world.live(3 * HOUR)
    assert world.daemon.given_up
    world.daemon.end()
    assert world.heart.ended_at is None
    assert "gave up" in world.log[-1]


def test_runs_that_are_killed_never_end_the_daemon(world: World) -> None:
    world.accident = Failed("the run was killed")
    world.live(3 * HOUR)
    assert not world.daemon.given_up
    assert len(world.runs) > WakeParams().most_errors
    assert all("  failed: the run was killed; next 2026-" in line for line in world.log[1:])
    world.accident = None
    world.live(10 * MINUTE)
    assert len(world.asked_at) == 1
    assert world.heart.errors_in_row == 0


def test_a_run_that_is_cut_off_is_told_at_the_end(world: World) -> None:
    world.accident = CutOff()
    world.daemon.stop()
    world.run()
    assert len(world.log) == 1  # only that it began
    world.daemon.end()
    assert world.log[-1].endswith("ended in the middle of a run; the next one makes up for it")
    assert world.heart.ended_at == NOON


def test_without_settings_it_does_not_begin(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        Daemon(
            lambda: load_settings({}, config=tmp_path / "none.yaml", timezone="UTC"),
            lambda order: CutOff(),
            lambda: NOON,
            lambda line: None,
        )


def test_briefs_that_cannot_be_written_are_a_line_of_the_log(tmp_path: Path) -> None:
    world = World(folder=tmp_path)
    world.configure(CONFIG + "summaries: {automatic: true}\n")
    world.run()
    world.run()
    assert world.log[-1].startswith("2026-11-10T12:00:00Z  briefs: no language model is set up: set STORYHEAT_LLM_URL")
