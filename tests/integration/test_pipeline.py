"""Whole runs on a simulated clock: the planted world, interruption, the cut of polls, bad feeds, 304 and the like."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.fakes import NOT_MODIFIED, ScriptedFetcher, too_often
from tests.make import Post, feed_url, rss, source, write_recording
from tests.planted import HOUR, NOON, SOURCES, WIRE, WORLD, documents, restamped
from tests.runs import Runs, new_database, pipeline_of

from storyheat.core.feeds.watch import FeedWatch, Watch
from storyheat.core.heat.rule import HeatRule
from storyheat.core.model import Failure, FailureKind, Feed, SourceId, Url
from storyheat.pipeline.measure import rule_signature
from storyheat.pipeline.place import place
from storyheat.pipeline.poll import poll
from storyheat.pipeline.rebuild import Comparison, compare
from storyheat.pipeline.stopwatch import Stopwatch
from storyheat.replay import RecordedFetcher, read_recording, recorded_sources, replay
from storyheat.settings import load_settings
from storyheat.store.check import digest, problems, table_prints
from storyheat.store.database import Database
from storyheat.store.schema import CONCLUSION_TABLES, FACT_TABLES

MINUTE = timedelta(minutes=1)
STORY = (
    "SELECT items.story_id FROM story_items AS items JOIN item ON item.id = items.item_id "
    "WHERE item.url = 'https://wire.example/a/1'"
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = new_database(tmp_path)
    yield opened
    assert problems(opened) == []
    opened.close()


def rows(database: Database, sql: str) -> list[tuple[Any, ...]]:
    with database.read() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(sql)]


def planted(database: Database, **fields: Any) -> tuple[Runs, ScriptedFetcher]:
    fetcher = ScriptedFetcher(documents(), **fields)
    return Runs(pipeline_of(database, fetcher, SOURCES)), fetcher


def one_source(database: Database, *answers: Any) -> tuple[Runs, ScriptedFetcher]:
    fetcher = ScriptedFetcher({feed_url("wire"): answer for answer in answers})
    return Runs(pipeline_of(database, fetcher, [source("wire")])), fetcher


def prints(database: Database) -> dict[str, str]:
    """A fingerprint of every table but the logs."""
    with database.read() as connection:
        names = [str(name) for name in (*FACT_TABLES, *CONCLUSION_TABLES)]
        return table_prints(connection, tuple(names))


# -- the planted world ----------------------------------------------------------------------------


def test_the_planted_story_has_the_heat_of_the_pocket_calculator(database: Database) -> None:
    runs, _ = planted(database)
    report = runs.at(NOON).as_json()
    assert report["feeds"] == {"updated": 8, "unchanged": 0, "failed": 0, "skipped": 0}
    assert report["items"] == {"new": 9, "revised": 0, "copies": 1}
    assert report["stories"] == {"new": 3, "grown": 0, "merged": 0}  # the bridge, the apple tree, the knots
    roles = dict(rows(database, f"SELECT source, role FROM story_items WHERE story_id IN ({STORY})"))
    assert roles == {
        "Wire": "report", "World": "report", "Daily": "report", "Ahead": "report",
        "Late": "report",  # undated in its feed's first fetch: backlog, so not counted
        "Copycat": "copy", "Digest": "mention",
    }  # fmt: skip
    # The house (wire at 08:00, world at 10:00) last spoke 2 hours ago, daily 1 hour ago, ahead just now, since
    # its date lies in the future: 10 · (2^(−2/24) + 2^(−1/24) + 1) = 9.439 + 9.715 + 10.
    (figures,) = rows(
        database, f"SELECT heat, voices, reports, mentions, copies FROM measure WHERE story_id IN ({STORY})"
    )
    assert figures == (pytest.approx(29.154, abs=0.001), 3, 4, 1, 1)
    heat = rows(database, f"SELECT at, heat, voices, standing FROM heat WHERE story_id IN ({STORY}) ORDER BY at")
    assert heat == [
        ("2026-11-10T08:00:00Z", 10.0, 1, "rebuilt"),
        ("2026-11-10T09:00:00Z", pytest.approx(9.715, abs=0.001), 1, "rebuilt"),
        ("2026-11-10T10:00:00Z", 10.0, 1, "rebuilt"),  # the house again: fresher, not hotter
        ("2026-11-10T11:00:00Z", pytest.approx(19.715, abs=0.001), 2, "rebuilt"),
        ("2026-11-10T12:00:00Z", pytest.approx(29.154, abs=0.001), 3, "observed"),
    ]


def test_a_piece_whose_date_moves_with_every_poll_cools_down(database: Database) -> None:
    runs, fetcher = planted(database)
    for hours in range(3):
        fetcher.answers[feed_url("bumper")] = restamped(hours)
        runs.at(NOON + hours * HOUR, force=True)
    assert rows(database, "SELECT heat FROM top_stories WHERE title LIKE 'How to prune%'") == [(9.4,)]  # 2 hours old
    assert rows(database, "SELECT health FROM feed_health WHERE source = 'bumper'") == [("dates move",)]
    assert runs.reports[-1].items_new == 0


def test_a_story_that_has_cooled_leaves_the_list_and_keeps_its_hours(database: Database) -> None:
    runs, _ = planted(database)
    runs.at(NOON, NOON + 49 * HOUR)
    assert rows(database, "SELECT * FROM measure") == []
    kept = rows(database, "SELECT min(at), max(at), count(*) FROM heat")
    assert kept == [("2026-11-10T08:00:00Z", "2026-11-12T11:00:00Z", 52)]  # ahead spoke at noon, out 48 hours later


# -- interruption ---------------------------------------------------------------------------------


def step_by_step(database: Database, *, placed: bool) -> None:
    """A run at noon that is killed after its first or second stage, then a whole one."""
    runs, fetcher = planted(database)
    pipeline = runs.pipeline
    poll(database, pipeline.sources, fetcher, NOON, pipeline.polling, Stopwatch())
    if placed:
        with database.write() as connection:
            place(connection, NOON, pipeline.background, pipeline.placing)
    second_run(runs, fetcher)


def second_run(runs: Runs, fetcher: ScriptedFetcher) -> None:
    again = Post(
        "Harbour Bridge pylon in Port Elling gets steel braces", "https://wire.example/a/2", NOON, "w2", WIRE.text[:150]
    )
    fetcher.answers[feed_url("wire")] = rss(again, WIRE)
    fetcher.answers[feed_url("late")] = rss(
        Post("Berta cracks Harbour Bridge pylon", "https://late.example/1", NOON - 3 * HOUR, "l1")
    )
    runs.at(NOON + HOUR)


@pytest.mark.parametrize("placed", [False, True])
def test_a_run_killed_between_stages_is_made_up_for(database: Database, tmp_path: Path, placed: bool) -> None:
    runs, fetcher = planted(database)
    runs.at(NOON)
    second_run(runs, fetcher)
    (tmp_path / "other").mkdir()
    other = new_database(tmp_path / "other")
    step_by_step(other, placed=placed)
    assert prints(other) == prints(database)
    other.close()


def test_what_is_stored_is_what_the_facts_give(database: Database) -> None:
    runs, fetcher = planted(database)
    runs.at(NOON)
    second_run(runs, fetcher)
    pipeline = runs.pipeline
    assert compare(database, pipeline.background, pipeline.placing, pipeline.rule) == Comparison()


def test_the_same_history_twice_leaves_the_same_digest(database: Database, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = new_database(tmp_path / "other")
    for one, backwards in ((database, False), (other, True)):
        runs, fetcher = planted(one, backwards=backwards)
        runs.at(NOON)
        second_run(runs, fetcher)
    assert digest(database) == digest(other)
    other.close()


def test_a_run_right_after_a_run_changes_nothing_but_the_log(database: Database) -> None:
    runs, _ = planted(database)
    runs.at(NOON)
    before = prints(database)
    assert runs.at(NOON).skipped == 8
    assert prints(database) == before


def test_a_clock_that_ran_ahead_loses_nothing_once_it_is_set_right(database: Database) -> None:
    runs, fetcher = one_source(database, rss(WIRE))
    runs.at(NOON + timedelta(days=3650))
    fetcher.answers[feed_url("wire")] = rss(WIRE, replace(WORLD, at=NOON - HOUR))
    runs.at(NOON)
    assert rows(database, "SELECT count(*) FROM story_items") == [(2,)]
    assert rows(database, "SELECT round(heat, 1) FROM measure") == [(9.7,)]


def test_a_feed_followed_no_more_has_the_past_of_its_source_measured_again() -> None:
    def signature(followed: bool, *others: FeedWatch) -> str:
        left = FeedWatch(NOON - HOUR, NOON, HOUR, followed=followed)
        return rule_signature(HeatRule(), {}, {SourceId("wire"): Watch((left, *others))})

    other = FeedWatch(NOON, NOON + HOUR, HOUR)
    assert signature(True, other) != signature(False, other)
    assert signature(True) == signature(False)  # alone its silence tells nothing either way


# -- how the input is cut -------------------------------------------------------------------------


def hourly_recording(folder: Path) -> Path:
    """Every source lists its post from the hour after it was published."""
    posts = {
        "wire": WIRE,
        "world": WORLD,
        "daily": Post(
            **{**vars(WORLD), "title": "Daily: " + WORLD.title, "link": "https://daily.example/1", "at": NOON}
        ),
        "gazette": Post(
            "Apple harvest", "https://gazette.example/1", NOON - 2 * HOUR, "g1", "Growers in Torvale pick early apples."
        ),
    }
    old = Post(
        "An old piece about lighthouses", "https://all.example/old", NOON - 300 * HOUR, "old", "Lamps and lenses."
    )
    snapshots: dict[str, dict[datetime, str]] = {}
    for name, post in posts.items():
        mine = replace(old, link=f"https://{name}.example/old", title=f"{old.title}, by {name}")
        assert isinstance(post.at, datetime)
        snapshots[name] = {NOON - 6 * HOUR: rss(mine), post.at + MINUTE: rss(post, mine)}
    return write_recording(folder, snapshots)


def test_two_cuts_of_one_history_give_the_same_values(tmp_path: Path) -> None:
    folder = hourly_recording(tmp_path / "recording")
    endings = []
    for every in (timedelta(minutes=10), HOUR, 3 * HOUR, 12 * HOUR):
        database = new_database(tmp_path, f"{every.total_seconds():.0f}.db")
        recording = read_recording(folder)
        sources = recorded_sources(recording, SOURCES, every)
        pipeline = pipeline_of(database, RecordedFetcher(recording, sources), sources)
        reports = list(replay(pipeline, recording, every, NOON + 6 * HOUR))
        assert sum(report.items_new for report in reports) == 8
        endings.append(
            (
                rows(database, "SELECT story_id, item_id, role FROM story_items ORDER BY 1, 2"),
                rows(database, "SELECT story_id, at, heat, voices, new_reports FROM heat ORDER BY 1, 2"),
                rows(database, "SELECT story_id, heat, peak, peak_at, voices, reports FROM measure ORDER BY 1"),
            )
        )
        database.close()
    assert endings[1:] == endings[:1] * 3
    assert len(endings[0][1]) > 10


# -- feeds that fail or have nothing new ----------------------------------------------------------


def test_one_bad_feed_is_a_row_and_the_others_go_on(database: Database) -> None:
    runs, fetcher = planted(database)
    fetcher.answers[feed_url("daily")] = Failure(FailureKind.TLS, "certificate has expired")
    fetcher.answers[feed_url("world")] = "<html><body>Sorry</body></html>"
    report = runs.at(NOON)
    assert [(one.source, one.kind) for one in report.failures] == [("daily", "tls"), ("world", "html")]
    assert (report.updated, report.items_new) == (6, 7)
    failed = rows(database, "SELECT source, health, last_failure FROM feed_health WHERE failures_in_row > 0")
    assert failed[0] == ("daily", "failing", "certificate has expired")
    assert [row[0] for row in failed] == ["daily", "world"]


def test_a_bad_reply_loses_nothing_that_is_stored(database: Database) -> None:
    runs, fetcher = one_source(database, {"body": rss(WIRE), "etag": '"a"'})
    runs.at(NOON)
    before = rows(database, "SELECT * FROM item"), rows(database, "SELECT listing, etag, body_sha256 FROM feed")
    for answer in ("", "<html></html>", Failure(FailureKind.TIMEOUT, "too slow"), b"\x00\x01"):
        fetcher.answers[feed_url("wire")] = answer
        runs.at(NOON + HOUR, force=True)
    assert (
        rows(database, "SELECT * FROM item"),
        rows(database, "SELECT listing, etag, body_sha256 FROM feed"),
    ) == before
    assert rows(database, "SELECT failures_in_row FROM feed") == [(4,)]
    fetcher.answers[feed_url("wire")] = NOT_MODIFIED
    runs.at(NOON + 2 * HOUR, force=True)
    assert rows(database, "SELECT failures_in_row FROM feed") == [(0,)]


def test_an_unchanged_body_is_not_read_again(database: Database) -> None:
    runs, fetcher = one_source(database, {"body": rss(WIRE), "etag": '"a"'})
    runs.at(NOON)
    fetcher.answers[feed_url("wire")] = {"body": rss(WIRE), "etag": '"b"'}
    report = runs.at(NOON + HOUR)
    assert (report.updated, report.unchanged) == (0, 1)
    assert rows(database, "SELECT outcome, entries FROM fetch ORDER BY id") == [("updated", 1), ("unchanged", None)]
    assert rows(database, "SELECT etag FROM feed") == [('"b"',)]


def test_one_request_for_an_address_however_it_is_spelled(database: Database) -> None:
    plain = "https://wire.example/rss"
    spellings = [plain, f"{plain}#x", plain.replace("https", "HTTPS"), "https://Wire.example:443/./rss"]
    sources = [source(f"s{number}", feeds=(Feed(Url(url)),)) for number, url in enumerate(spellings)]
    fetcher = ScriptedFetcher(dict.fromkeys(spellings, rss(WIRE)))
    report = Runs(pipeline_of(database, fetcher, sources)).at(NOON)
    assert (fetcher.asked_urls, report.updated) == ([plain], 4)


def test_a_304_keeps_the_listing_so_that_no_hole_appears(database: Database) -> None:
    runs, fetcher = one_source(database, {"body": rss(WIRE), "etag": '"a"'})
    runs.at(NOON)
    listing = rows(database, "SELECT listing FROM feed")
    fetcher.answers[feed_url("wire")] = NOT_MODIFIED
    runs.at(NOON + HOUR)
    assert fetcher.asked[-1].etag == '"a"'
    assert rows(database, "SELECT listing FROM feed") == listing
    fetcher.answers[feed_url("wire")] = rss(WORLD, WIRE)
    runs.at(NOON + 2 * HOUR)
    assert rows(database, "SELECT * FROM hole") == []
    fetcher.answers[feed_url("wire")] = rss(Post("Ferret wins", "https://wire.example/a/9", NOON, "w9"))
    runs.at(NOON + 5 * HOUR)
    assert rows(database, "SELECT from_at, to_at FROM hole") == [("2026-11-10T14:00:00Z", "2026-11-10T17:00:00Z")]


def test_a_host_that_asks_to_be_left_alone_is_left_alone_with_all_its_feeds(database: Database) -> None:
    urls = [f"https://wire.example/{name}" for name in ("a", "b")]
    sources = [source(f"s{n}", feeds=(Feed(Url(url)),)) for n, url in enumerate(urls)]
    fetcher = ScriptedFetcher({urls[0]: too_often(7200), urls[1]: rss(WIRE)})
    runs = Runs(pipeline_of(database, fetcher, sources))
    runs.at(NOON)
    runs.at(NOON + 119 * MINUTE)
    assert len(fetcher.asked) == 2
    runs.at(NOON + 2 * HOUR)
    assert fetcher.asked_urls[2:] == urls


def test_a_source_out_of_the_configuration_is_kept_and_not_asked(database: Database) -> None:
    runs, fetcher = planted(database)
    runs.at(NOON)
    fewer = Runs(pipeline_of(database, fetcher, [one for one in SOURCES if one.id != "daily"]))
    fewer.at(NOON + HOUR)
    assert feed_url("daily") not in fetcher.asked_urls[8:]
    assert rows(database, "SELECT health FROM feed_health WHERE source = 'daily'") == [("paused",)]
    assert rows(database, "SELECT count(*) FROM item") == [(9,)]
    runs.at(NOON + 2 * HOUR)
    assert feed_url("daily") in fetcher.asked_urls[15:]


def test_only_the_named_sources_are_polled(database: Database) -> None:
    runs, fetcher = planted(database)
    progress: list[tuple[int, int]] = []
    runs.pipeline.run(NOON, only=["wire", "world"], progress=lambda done, total: progress.append((done, total)))
    assert fetcher.asked_urls == [feed_url("wire"), feed_url("world")]
    assert progress == [(1, 2), (2, 2)]


def test_two_runs_over_one_feed_at_once_store_it_once(database: Database) -> None:
    """The second run reads the feeds before the first has written, and writes after it."""
    runs, fetcher = one_source(database, rss(WIRE))
    runs.at(NOON)

    class Overtaken(ScriptedFetcher):
        def fetch(self, *args: Any) -> None:
            runs.at(NOON + HOUR)
            super().fetch(*args)

    fetcher.answers[feed_url("wire")] = rss(WORLD)
    slow = pipeline_of(database, Overtaken({feed_url("wire"): rss(WORLD)}), [source("wire")])
    slow.run(NOON + HOUR - MINUTE)
    assert rows(database, "SELECT count(*) FROM item") == [(2,)]
    assert rows(database, "SELECT from_at, to_at FROM hole") == [("2026-11-10T12:00:00Z", "2026-11-10T13:00:00Z")]


def test_items_stored_by_a_slow_run_that_died_are_placed_by_the_next(database: Database) -> None:
    runs, fetcher = one_source(database, rss(WIRE))
    runs.at(NOON)
    pipeline = runs.pipeline
    fetcher.answers[feed_url("wire")] = rss(WORLD, WIRE)
    poll(database, pipeline.sources, fetcher, NOON - MINUTE, pipeline.polling, Stopwatch(), force=True)
    runs.at(NOON + MINUTE)
    assert rows(database, "SELECT count(*) FROM story_items") == [(2,)]


def test_a_secret_address_is_asked_and_never_stored(database: Database, tmp_path: Path) -> None:
    (tmp_path / "feeds.yaml").write_text(
        "sources:\n"
        '  - {id: a, feeds: [{url: "https://${WHO}:${WORD}@a.example/feed"}, {url: "https://me:${WORD}@b.example/two"}]}\n'
        '  - {id: c, feeds: [{url: "https://c.example/feed?token=${WORD}"}]}\n'
    )
    sources = load_settings({"WHO": "someone", "WORD": "swordfish"}, config=tmp_path / "feeds.yaml").sources
    wire = rss(Post("One", "https://c.example/1", NOON))
    moved = {
        "body": wire,
        "moved_to": "https://c.example/new?token=swordfish",
        "final_url": "https://c.example/new?token=swordfish",
    }
    away = Failure(FailureKind.DNS, "the host has no address")
    logins = {"https://someone:swordfish@a.example/feed": away, "https://me:swordfish@b.example/two": away}
    fetcher = ScriptedFetcher({**logins, "https://c.example/feed?token=swordfish": moved})
    report = Runs(pipeline_of(database, fetcher, sources)).at(NOON, NOON + 3 * HOUR)
    assert "https://someone:swordfish@a.example/feed" in fetcher.asked_urls
    assert fetcher.asked_urls.count(Url("https://c.example/feed?token=swordfish")) == 2
    assert [one.url for one in report.failures] == ["https://a.example/feed", "https://b.example/two"]
    with database.read() as connection:
        dump = "\n".join(connection.connection.driver_connection.iterdump())  # type: ignore[union-attr]
    assert "https://c.example/feed?token=${WORD}" in dump
    assert "swordfish" not in dump
    assert "someone" not in dump
