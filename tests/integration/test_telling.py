"""What became known in a story, through the whole pipeline: developments, levels, headlines, and a rebuild of them."""

from datetime import UTC
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from tests.fakes import ScriptedFetcher
from tests.make import Post, feed_url, rss, source
from tests.planted import DAILY, HOUR, NOON, WIRE
from tests.runs import Runs, new_database, pipeline_of

from storyheat.answers.story import story
from storyheat.answers.top import TopWish, top
from storyheat.cli.pages import story_lines
from storyheat.core.heat.rule import HeatRule
from storyheat.core.model import Level
from storyheat.pipeline.rebuild import Comparison, compare
from storyheat.present import developments
from storyheat.present.objects import story as as_json
from storyheat.present.page.versus import versus_of
from storyheat.store.check import digest
from storyheat.store.database import Database
from storyheat.store.queries import ask

SOURCES = [
    source("wire"),
    source("daily"),
    source("gazette"),
    source("bridgeworks", level=Level.FIRST_PARTY, speaks_for=("Harbour Bridge",)),
    source("ferryline", level=Level.FIRST_PARTY),
]
COSTS = Post(
    "Harbour Bridge pylon in Port Elling: repair costs 48 million euros", "https://gazette.example/1", NOON + 5 * HOUR,
    "g1", "The repair of the Harbour Bridge pylon that storm Berta cracked in Port Elling costs 48 million euros.",
)  # fmt: skip
OWN = Post(
    "Repair of the cracked pylon costs 48 million euros", "https://bridgeworks.example/1", NOON + 6 * HOUR, "b1",
    "Harbour Bridge in Port Elling: after storm Berta the northern pylon needs new steel. It costs 48 million euros.",
)  # fmt: skip
DEARER = Post(
    "Harbour Bridge pylon in Port Elling: repair costs 61 million euros", "https://bridgeworks.example/2",
    NOON + 6 * HOUR, "b2", "Storm Berta cracked the pylon of the Harbour Bridge in Port Elling, and steel is dear.",
)  # fmt: skip
COMMENT = Post(
    "Storm Berta, the cracked pylon and Port Elling", "https://ferryline.example/1", NOON + 7 * HOUR, "f1",
    "A bridge with a cracked pylon is closed in Port Elling, and storm Berta is to blame. Mayor Quist sends lorries "
    "to the Elling tunnel.",
)  # fmt: skip


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Database, Runs]:
    """Eight hours of one story."""
    database = new_database(tmp_path_factory.mktemp("telling"))
    fetcher = ScriptedFetcher({feed_url(one.id): rss() for one in SOURCES})
    runs = Runs(pipeline_of(database, fetcher, SOURCES))
    news = {
        0: ("wire", WIRE),
        1: ("daily", DAILY),
        5: ("gazette", COSTS),
        6: ("bridgeworks", OWN),
        7: ("ferryline", COMMENT),
    }
    for hour in range(8):
        if hour in news:
            name, post = news[hour]
            fetcher.answers[feed_url(name)] = rss(post)
        runs.at(NOON + hour * HOUR, force=True)
    return database, runs


def test_what_became_known_is_told_with_who_says_it(told: tuple[Database, Runs]) -> None:
    database, runs = told
    with ask(database) as questions:
        ((named,),) = _rows(database, "SELECT story_id FROM story_items WHERE source = 'Wire'")
        answer = story(questions, str(named), "7d", NOON + 8 * HOUR, runs.pipeline.rule)
        earlier = story(questions, str(named), "7d", NOON + 5 * HOUR, runs.pipeline.rule)
    first, second = answer.developments
    assert (first.source.id, second.source.id) == ("wire", "gazette")
    assert first.what.confirmed
    assert second.what.figures == ("48 million euros",)
    assert developments.because(second) == "Bridgeworks, which the story is about, says it too"
    assert developments.news(second) == "48 million euros"
    levels = {str(one.facts.source): one.level for one in answer.items}
    assert (levels["bridgeworks"], levels["ferryline"]) == (Level.FIRST_PARTY, Level.DISCUSSION)
    assert answer.summary[-1].text.endswith("costs 48 million euros.")
    assert not earlier.developments[-1].what.confirmed
    assert developments.because(earlier.developments[-1]) == "only Gazette says so"


def test_figures_that_contradict_each_other_are_told_side_by_side(tmp_path: Path) -> None:
    database = new_database(tmp_path)
    fetcher = ScriptedFetcher({feed_url(one.id): rss() for one in SOURCES})
    runs = Runs(pipeline_of(database, fetcher, SOURCES))
    for hour, name, post in ((0, "wire", WIRE), (1, "daily", DAILY), (5, "gazette", COSTS), (6, "bridgeworks", DEARER)):
        fetcher.answers[feed_url(name)] = rss(post)
        runs.at(NOON + hour * HOUR, force=True)
    ((named,),) = _rows(database, "SELECT story_id FROM story_items WHERE source = 'Wire'")
    with ask(database) as questions:
        answer, earlier = (
            story(questions, str(named), "7d", NOON + hour * HOUR, runs.pipeline.rule) for hour in (8, 5)
        )
    [pair] = answer.disagreements
    assert (pair.first.figure, pair.second.figure) == ("48 million euros", "61 million euros")
    assert pair.second.sentence == DEARER.title
    assert earlier.disagreements == ()
    assert [one["second"]["figure"] for one in as_json(answer, ZoneInfo("UTC"))["disagreements"]] == [
        "61 million euros"
    ]
    lines = [
        line if isinstance(line, str) else line.plain
        for line in story_lines(answer, UTC, 60, quiet=False, verbose=False)
    ]
    assert any("61 million euros, says Bridgeworks" in line for line in lines)
    [(home, [versus])] = versus_of(answer, UTC).items()
    assert home == pair.second.item
    assert [side.figure.text for side in versus.sides] == ["48 million euros", "61 million euros"]
    pipeline = runs.pipeline
    assert compare(database, pipeline.background, pipeline.placing, pipeline.rule) == Comparison()


def test_it_is_the_same_after_a_rebuild(told: tuple[Database, Runs]) -> None:
    database, runs = told
    pipeline = runs.pipeline
    assert compare(database, pipeline.background, pipeline.placing, pipeline.rule) == Comparison()


def test_a_second_run_without_news_tells_nothing_anew(told: tuple[Database, Runs]) -> None:
    database, runs = told
    before = _rows(database, "SELECT * FROM development ORDER BY 1, 2")
    runs.at(NOON + 9 * HOUR)
    assert _rows(database, "SELECT * FROM development ORDER BY 1, 2") == before
    assert digest(database)


def test_the_view_for_people_names_what_was_new(told: tuple[Database, Runs]) -> None:
    database, _ = told
    rows = _rows(database, "SELECT source, confirmed, new_figures FROM latest_developments WHERE new_figures <> '[]'")
    assert ("Gazette", 1, '["48 million euros"]') in rows


def test_an_empty_folder_has_nothing_to_tell(tmp_path: Path) -> None:
    database = new_database(tmp_path)
    Runs(pipeline_of(database, ScriptedFetcher(), [])).at(NOON)
    assert _rows(database, "SELECT * FROM development") == []


def _rows(database: Database, sql: str) -> list[tuple[object, ...]]:
    with database.read() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(sql)]


def test_stories_that_share_names_are_related(tmp_path: Path) -> None:
    database = new_database(tmp_path)
    fetcher = ScriptedFetcher({feed_url(one.id): rss() for one in SOURCES})
    runs = Runs(pipeline_of(database, fetcher, SOURCES))
    fetcher.answers |= {feed_url("wire"): rss(WIRE), feed_url("daily"): rss(DAILY)}
    runs.at(NOON)
    week = 240 * HOUR
    ballot = [
        Post(
            "Mayor Ada Quist wins a second term", "https://wire.example/q", NOON + week, "q1",
            "Voters kept Ada Quist in office with 54 per cent on Sunday. Her rival Osk Brandt conceded at ten.",
        ),
        Post(
            "Second term for Ada Quist as Brandt concedes", "https://daily.example/q", NOON + week, "q2",
            "With 54 per cent of the vote Ada Quist stays mayor. Her rival Osk Brandt conceded on Sunday night.",
        ),
    ]  # fmt: skip
    fetcher.answers |= {feed_url("wire"): rss(ballot[0]), feed_url("daily"): rss(ballot[1])}
    runs.at(NOON + week, force=True)
    at = NOON + week
    with ask(database) as questions:
        [newer] = [one.story.id for one in top(questions, TopWish(), at, HeatRule()).stories]
        answer = story(questions, newer, "7d", at, HeatRule())
        [related] = answer.related
        assert related.why.startswith("shares ")
        assert "Quist" in related.why
        [back] = story(questions, related.id, "7d", at, HeatRule()).related
        assert back.id == newer
        assert story(questions, related.id, "7d", NOON, HeatRule()).related == ()  # the newer had not begun
    assert compare(database, runs.pipeline.background, runs.pipeline.placing, runs.pipeline.rule).differences == ()
    database.close()
