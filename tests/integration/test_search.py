"""Search through the whole pipeline: new, revised and removed items, two languages, hostile questions."""

from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fakes import ScriptedFetcher
from tests.make import Post, feed_url, rss, source
from tests.planted import DAILY, DIGEST, HOUR, NOON, WIRE
from tests.runs import Runs, new_database, pipeline_of

from storyheat.answers.search import SearchAnswer, search
from storyheat.errors import UsageError
from storyheat.pipeline.index import index
from storyheat.store import search as store_search
from storyheat.store.database import Database
from storyheat.store.queries import ask

SOURCES = [source("wire"), source("daily"), source("digest", digest=True), source("qinghe", language="zh")]
TEA = Post(
    "青瓷茶事致歉：门店停业", "https://qinghe.example/1", NOON - HOUR, "q1", "监管部门抽查了青瓷茶事的原料。"
)  # fmt: skip


@pytest.fixture
def played(tmp_path: Path) -> tuple[Database, ScriptedFetcher, Runs]:
    """A database after one run."""
    fetcher = ScriptedFetcher(
        {
            feed_url("wire"): rss(WIRE),
            feed_url("daily"): rss(DAILY),
            feed_url("digest"): rss(DIGEST),
            feed_url("qinghe"): rss(TEA),
        }
    )
    runs = Runs(pipeline_of(new_database(tmp_path), fetcher, SOURCES))
    runs.at(NOON)
    return runs.pipeline.database, fetcher, runs


def found(database: Database, words: str, number: int = 10) -> SearchAnswer:
    with ask(database) as questions:
        return search(questions, words, number, NOON + 2 * HOUR, pipeline_of(database, ScriptedFetcher(), []).rule)


def titles(database: Database, words: str) -> list[str]:
    return [item.title for item in found(database, words).items]


Played = tuple[Database, ScriptedFetcher, Runs]


def test_all_words_must_occur_and_those_in_a_title_come_first(played: Played) -> None:
    database, _, _ = played
    assert titles(database, "harbour bridge") == [DAILY.title, WIRE.title, DIGEST.title]  # which is the newest
    assert titles(database, "storm -commuters") == [WIRE.title, DIGEST.title]
    assert set(titles(database, "harbour bridges cracking")) == {WIRE.title, DAILY.title, DIGEST.title}
    assert titles(database, "harbour lorries -commuters") == [WIRE.title]
    assert titles(database, "harbour zeppelin") == []


@pytest.mark.parametrize("words", ["青瓷", "茶", "原料", "青瓷茶事 停業"])
def test_chinese_words_are_found_short_ones_and_in_traditional_characters(played: Played, words: str) -> None:
    assert titles(played[0], words) == [TEA.title]


def test_a_long_chinese_word_is_found_in_one_piece_only(played: Played) -> None:
    database, fetcher, runs = played
    apart = Post("青瓷器展，瓷茶壶，茶事", "https://qinghe.example/2", NOON, "q2", "展出青瓷一百件。")
    fetcher.answers[feed_url("qinghe")] = rss(TEA, apart)
    runs.at(NOON + HOUR, force=True)
    assert titles(database, "青瓷茶事") == [TEA.title]
    assert set(titles(database, "青瓷")) == {TEA.title, apart.title}
    assert titles(database, "青瓷 -青瓷茶事") == [apart.title]


def test_stories_are_found_by_their_reports_and_items_name_their_stories(played: Played) -> None:
    answer = found(played[0], "pylon")
    ((story,),) = [[one.story.id for one in answer.stories]]
    assert answer.stories[0].hits == 2
    assert {item.title: answer.stories_of[item.id] for item in answer.items} == {
        WIRE.title: (story,),
        DAILY.title: (story,),
        DIGEST.title: (story,),
    }
    assert len(found(played[0], "pylon", number=1).items) == 1


def test_a_retitled_item_is_found_by_its_new_words_only(played: Played) -> None:
    database, fetcher, runs = played
    fetcher.answers[feed_url("qinghe")] = rss(Post("新标题来了", TEA.link, TEA.at, TEA.guid, "换了内容。"))
    runs.at(NOON + HOUR, force=True)
    assert titles(database, "新标题") == ["新标题来了"]
    assert titles(database, "青瓷") == []
    with database.read() as connection:
        assert store_search.waste(connection) == pytest.approx(1 / 5)


def test_a_wasteful_index_is_made_anew(played: Played) -> None:
    database, fetcher, runs = played
    for number in range(3):
        fetcher.answers[feed_url("qinghe")] = rss(Post(f"第{number}版", TEA.link, TEA.at, TEA.guid, "内容"))
        runs.at(NOON + (number + 1) * HOUR, force=True)
    with database.write() as connection:
        index(connection, NOON + timedelta(days=1))
        assert store_search.waste(connection) == 0.0
    assert titles(database, "harbour lorries -commuters") == [WIRE.title]


@pytest.mark.parametrize("words", ["", "  ", "-harbour", '"', "* ( )"])
def test_a_question_without_a_word_is_refused_with_words(played: Played, words: str) -> None:
    with pytest.raises(UsageError, match="give at least one word"):
        found(played[0], words)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.text(max_size=40))
def test_no_question_breaks_the_index(played: Played, words: str) -> None:
    try:
        found(played[0], f"x {words}")
    except UsageError:
        raise AssertionError("x is a word") from None
