"""The feed doctor over what real runs stored: every finding that needs the store to be made."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.fakes import NOT_MODIFIED, ScriptedFetcher
from tests.make import Post, atom, rss, source, utc
from tests.runs import Runs, new_database, pipeline_of

from storyheat.answers.sources import SourceAnswer, sources
from storyheat.core.feeds.polling import PollParams
from storyheat.core.model import Failure, FailureKind, Feed, Source, Url
from storyheat.store.database import Database
from storyheat.store.queries import ask

NOON = utc("2026-11-10 12:00")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
URL, SECOND = "https://wire.example/feed", "https://wire.example/all"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = new_database(tmp_path)
    yield opened
    opened.close()


def posts(*days: float, start: datetime = NOON) -> list[Post]:
    """A post so many days before (or, below zero, after) an instant."""
    return [Post(f"News of day {day}", f"https://wire.example/{day}", start - day * DAY, f"n{day}") for day in days]


def runs_of(database: Database, answers: dict[str, object], *feeds: str) -> tuple[Runs, ScriptedFetcher]:
    wire = source("wire", feeds=tuple(Feed(Url(url)) for url in feeds or (URL,)))
    fetcher = ScriptedFetcher(answers)  # type: ignore[arg-type]
    return Runs(pipeline_of(database, fetcher, [wire])), fetcher


def looked_at(database: Database, at: datetime, *configured: Source) -> SourceAnswer:
    with ask(database) as questions:
        (answer,) = sources(questions, configured or None, at, PollParams()).sources
    return answer


def kinds(database: Database, at: datetime) -> list[list[str]]:
    return [[finding.kind.value for finding in feed.findings] for feed in looked_at(database, at).feeds]


def test_a_feed_that_is_well_has_no_findings_and_a_rhythm(database: Database) -> None:
    runs, _ = runs_of(database, {URL: rss(*posts(*range(1, 8)))})
    runs.at(NOON)
    (feed,) = looked_at(database, NOON).feeds
    assert (feed.findings, feed.usual_gap) == ((), DAY)


def test_silent_then_frozen(database: Database) -> None:
    runs, fetcher = runs_of(database, {URL: {"body": rss(*posts(*range(1, 8))), "etag": '"a"'}})
    runs.at(NOON)
    fetcher.answers[URL] = NOT_MODIFIED
    for days, expected in ((2, []), (6, ["silent"]), (40, ["frozen"])):
        runs.at(NOON + days * DAY, force=True)
        assert kinds(database, NOON + days * DAY) == [expected]
    ((finding,),) = (feed.findings for feed in looked_at(database, NOON + 40 * DAY).feeds)
    assert "the very same bytes since 40 days" in finding.seen
    fetcher.answers[URL] = rss(*posts(0, *range(1, 8), start=NOON + 40 * DAY))
    runs.at(NOON + 41 * DAY, force=True)
    assert kinds(database, NOON + 41 * DAY) == [[]]


def test_empty_since_the_first_list_without_entries_after_the_last_with_some(database: Database) -> None:
    full, none = rss(*posts(*range(1, 8))), rss()
    runs, fetcher = runs_of(database, {URL: none})
    runs.at(NOON - DAY)
    assert kinds(database, NOON + 9 * DAY)[0] == ["behind"]  # it never listed any
    for day, body, expected in (
        (0, none, []),
        (1, full, []),
        (2, none, []),
        (3, NOT_MODIFIED, []),
        (4, none, ["empty"]),
    ):
        fetcher.answers[URL] = body
        runs.at(NOON + day * DAY, force=True)
        assert kinds(database, NOON + day * DAY) == [expected]
    ((finding,),) = (feed.findings for feed in looked_at(database, NOON + 4 * DAY).feeds)
    assert finding.seen.startswith("empty since 2026-11-12: ")
    fetcher.answers[URL] = rss(*posts(-4, *range(1, 8)))
    runs.at(NOON + 5 * DAY, force=True)
    assert kinds(database, NOON + 5 * DAY) == [[]]


def test_failing_since_the_first_failure_after_the_last_success(database: Database) -> None:
    runs, fetcher = runs_of(database, {URL: Failure(FailureKind.DNS, "no address")})
    runs.at(NOON - 9 * DAY)
    fetcher.answers[URL] = rss(*posts(*range(1, 8), start=NOON - 5 * DAY))
    runs.at(NOON - 5 * DAY)
    fetcher.answers[URL] = "<!DOCTYPE html><html><body>Welcome</body></html>"
    runs.at(NOON - 3 * DAY, NOON)
    ((finding,),) = (feed.findings for feed in looked_at(database, NOON).feeds)
    assert finding.kind == "html"
    assert finding.seen.startswith("failed 2 times in a row since 2026-11-07: ")


def test_odd_ids_and_dates_are_counted_in_the_document_last_read(database: Database) -> None:
    same = [Post("A", "https://wire.example/a", NOON, "1"), Post("B", "https://wire.example/b", NOON, "1")]
    odd = [*same, Post("C", "https://wire.example/c", NOON + 8 * HOUR)]
    runs, fetcher = runs_of(database, {URL: {"body": atom(*odd), "etag": '"a"'}})
    runs.at(NOON)
    fetcher.answers[URL] = NOT_MODIFIED
    runs.at(NOON + HOUR)
    assert kinds(database, NOON + HOUR) == [["future_dates", "shared_ids", "without_id"]]
    fetcher.answers[URL] = rss(same[0], *posts(1, 2))
    runs.at(NOON + 2 * HOUR)
    assert kinds(database, NOON + 2 * HOUR) == [[]]


def test_items_that_scroll_off_between_two_polls(database: Database) -> None:
    runs, fetcher = runs_of(database, {URL: rss(*posts(1, 2, 3))})
    runs.at(NOON)
    fetcher.answers[URL] = rss(*posts(0.1, 0.2, 0.3))
    runs.at(NOON + HOUR)
    ((finding,),) = (feed.findings for feed in looked_at(database, NOON + HOUR).feeds)
    assert finding.kind == "scrolls_off"
    assert finding.todo == "poll more often: poll_minutes: 30 at wire"


def test_two_feeds_of_one_owner_with_nearly_the_same_entries(database: Database) -> None:
    answers: dict[str, object] = {URL: rss(*posts(*range(1, 8))), SECOND: rss(*posts(*range(1, 9)))}
    runs, fetcher = runs_of(database, answers, URL, SECOND)
    runs.at(NOON)
    assert kinds(database, NOON) == [["twin"], ["twin"]]
    fetcher.answers[SECOND] = rss(*posts(*range(7, 20)))
    runs.at(NOON + HOUR, force=True)
    assert kinds(database, NOON + HOUR) == [[], []]


def test_a_permanent_move_and_moving_dates(database: Database) -> None:
    new = "https://new.example/feed"
    runs, fetcher = runs_of(database, {URL: {"body": rss(*posts(1, 2, 3)), "moved_to": Url(new)}})
    runs.at(NOON)
    for hours in (1, 2):
        fetcher.answers[new] = rss(*posts(1, 2, 3, start=NOON + hours * HOUR))
        runs.at(NOON + hours * HOUR)
    assert kinds(database, NOON + 2 * HOUR) == [["moving_dates", "moved"]]


def test_gone_and_behind(database: Database) -> None:
    runs, fetcher = runs_of(database, {URL: rss(*posts(*range(1, 8)))})
    runs.at(NOON)
    assert kinds(database, NOON + 13 * HOUR) == [["behind"]]
    fetcher.answers[URL] = Failure(FailureKind.GONE, "gone")
    runs.at(NOON + DAY)
    assert kinds(database, NOON + 9 * DAY) == [["gone"]]
