"""Recordings of feeds played on a simulated clock: what is read, when who is asked, and that it repeats."""

from datetime import timedelta
from pathlib import Path

import pytest
from tests.make import Post, feed_url, json_feed, rss, source, utc, write_recording
from tests.planted import DAILY, HOUR, NOON, WIRE, WORLD
from tests.runs import new_database, pipeline_of

from storyheat.core.model import FetchOutcome, FetchReply, FetchRequest, Url
from storyheat.errors import NotFound, UsageError
from storyheat.pipeline.report import RunReport
from storyheat.replay import RecordedFetcher, read_recording, recorded_sources, replay
from storyheat.store.check import digest


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two sources: `wire` with three snapshots two hours apart, `daily` (JSON) with one."""
    (tmp_path / "recording" / ".git").mkdir(parents=True)
    (tmp_path / "recording" / "empty").mkdir()
    (tmp_path / "recording" / "README.md").write_text("not a source")
    return write_recording(
        tmp_path / "recording",
        {
            "wire": {
                NOON: rss(WIRE),
                NOON + 2 * HOUR: rss(WORLD, WIRE),
                NOON + 4 * HOUR: rss(Post("Ferret wins", "https://wire.example/f", NOON + 4 * HOUR, "f"), WORLD),
            },
            "daily": {NOON + HOUR: json_feed(DAILY)},
        },
    )


def played(
    folder: Path, name: str, every: timedelta | None = None, until: str | None = None
) -> tuple[list[RunReport], str]:
    """The reports of a replay into a new database, and its digest."""
    database = new_database(folder.parent, name)
    recording = read_recording(folder)
    sources = recorded_sources(recording, [source("wire", owner="house")], every)
    pipeline = pipeline_of(database, RecordedFetcher(recording, sources), sources)
    reports = list(replay(pipeline, recording, every, utc(until) if until else None))
    mark = digest(database)
    database.close()
    return reports, mark


def test_each_snapshot_is_a_poll_at_its_time(folder: Path) -> None:
    reports, _ = played(folder, "a.db")
    assert [report.started_at for report in reports] == [NOON + hours * HOUR for hours in (0, 1, 2, 4)]
    assert [report.updated for report in reports] == [1] * 4  # the other source is not asked then
    assert [report.items_new for report in reports] == [1, 1, 1, 1]


def test_at_ticks_every_source_shows_its_newest_snapshot(folder: Path) -> None:
    reports, _ = played(folder, "a.db", timedelta(minutes=90), "2026-11-10 18:00")
    found = [(report.started_at - NOON, report.updated, report.unchanged) for report in reports]
    assert found == [
        (0 * HOUR, 1, 0),  # daily has no snapshot yet
        (1.5 * HOUR, 1, 1),
        (3 * HOUR, 1, 1),
        (4.5 * HOUR, 1, 1),
        (6 * HOUR, 0, 2),
    ]


def test_a_replay_ends_where_it_is_told(folder: Path) -> None:
    assert len(played(folder, "a.db", None, "2026-11-10 13:30")[0]) == 2


def test_a_replay_is_repeatable(folder: Path) -> None:
    assert played(folder, "a.db")[1] == played(folder, "b.db")[1]
    assert played(folder, "c.db", HOUR)[1] == played(folder, "d.db", HOUR)[1]


def test_sources_have_the_settings_of_their_id_and_the_gap_as_rhythm(folder: Path) -> None:
    recording = read_recording(folder)
    assert recording.source_ids() == ["daily", "wire"]
    daily, wire = recorded_sources(recording, [source("wire", owner="house", enabled=False)], None)
    assert (wire.owner, wire.enabled, wire.feeds[0].url, wire.poll_interval) == (
        "house",
        True,
        feed_url("wire"),
        2 * HOUR,
    )
    assert (daily.name, daily.feeds[0].url) == ("daily", "https://daily.recorded.invalid/feed")
    assert daily.poll_interval == timedelta(days=1)
    assert [one.poll_interval for one in recorded_sources(recording, [], HOUR)] == [HOUR, HOUR]


def test_two_sources_with_one_address_stay_apart(folder: Path) -> None:
    same = [source("daily"), source("wire", feeds=source("daily").feeds)]
    daily, wire = recorded_sources(read_recording(folder), same, None)
    assert daily.feeds[0].url == feed_url("daily")
    assert wire.feeds[0].url == "https://wire.recorded.invalid/feed"


def test_a_snapshot_that_was_shown_is_not_modified(folder: Path) -> None:
    recording = read_recording(folder)
    sources = recorded_sources(recording, [], None)
    url = Url("https://wire.recorded.invalid/feed")
    replies: list[FetchReply] = []
    fetcher = RecordedFetcher(recording, sources)
    fetcher.fetch([FetchRequest(1, url)], NOON + HOUR, replies.append)
    fetcher.fetch([FetchRequest(1, url, replies[0].etag)], NOON + HOUR, replies.append)
    fetcher.fetch([FetchRequest(1, url, replies[0].etag)], NOON + 3 * HOUR, replies.append)
    assert [reply.outcome for reply in replies] == [FetchOutcome.BODY, FetchOutcome.NOT_MODIFIED, FetchOutcome.BODY]
    assert [len(reply.body) > 0 for reply in replies] == [True, False, True]


def test_a_folder_without_snapshots_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"no folder .*missing"):
        read_recording(tmp_path / "missing")
    with pytest.raises(NotFound, match="holds no snapshots"):
        read_recording(tmp_path)


@pytest.mark.parametrize("name", ["latest.xml", "20261399T000000Z.xml", "20261110T120000.xml"])
def test_a_snapshot_whose_name_is_no_instant_is_said(tmp_path: Path, name: str) -> None:
    (tmp_path / "wire").mkdir()
    (tmp_path / "wire" / name).write_text("")
    with pytest.raises(UsageError, match="name snapshots like"):
        read_recording(tmp_path)


def test_ticks_count_from_the_first_snapshot(folder: Path) -> None:
    assert list(read_recording(folder).ticks(3 * HOUR, None)) == [NOON, NOON + 3 * HOUR]
