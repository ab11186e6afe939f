"""What items are about, as exact vectors, and how stories in two languages meet by them."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fakes import ConceptEmbedder

from storyheat.core.clustering.clusterer import Clusterer
from storyheat.core.clustering.dormant import Sleeper, remembered
from storyheat.core.clustering.index import IndexParams
from storyheat.core.clustering.meaning import (
    HEAD_CHARS,
    LEAD_CHARS,
    Meaning,
    MeaningIndex,
    StoryMeaning,
    coarse,
    cosine,
    embedded_texts,
    meaning_of,
)
from storyheat.core.clustering.model import ClusterParams, Doc, Placement
from storyheat.core.clustering.semantic_weights import SemanticParams
from storyheat.core.clustering.state import StoryState
from storyheat.core.clustering.vectors import Counts
from storyheat.core.text.language import differ, primary

START = datetime(2026, 3, 1, 8, tzinfo=UTC)
CONCEPTS = {
    "ferry": 0, "渡轮": 0, "aground": 1, "搁浅": 1, "fog": 2, "大雾": 2, "rescued": 3, "获救": 3,
    "quarry": 4, "采石场": 4, "opens": 5, "开张": 5, "jobs": 6, "就业": 6,
}  # fmt: skip
EMBEDDER = ConceptEmbedder(CONCEPTS)
FERRY = (
    "Ferry runs aground off Tolland",
    "In thick fog a ferry ran aground; 212 people were rescued by the coast guard.",
)
FERRY_ZH = ("大雾中渡轮搁浅", "一艘渡轮在大雾中搁浅，船上212人全部获救。")
QUARRY_ZH = ("采石场开张", "新的采石场开张，带来三百个就业岗位。")


def meaning(title: str, text: str) -> Meaning:
    return meaning_of(embedded_texts(title, text), EMBEDDER.embed)


def clusterer(counts: Counts | None = None, states: Iterable[StoryState | Sleeper] = ()) -> Clusterer:
    return Clusterer({}, counts, states, meaning_of=lambda doc: meaning(doc.title, doc.text))


def doc(name: str, told: tuple[str, str], hours: int = 0, **fields: Any) -> Doc:
    return Doc(name, START + timedelta(hours=hours), *told, **fields)


def place(by: Clusterer, *docs: Doc) -> list[Placement]:
    return [by.place(one, one.id) for one in docs]


def test_a_report_in_another_language_joins_and_one_of_something_else_founds() -> None:
    ferry, zh, quarry = place(clusterer(), doc("a", FERRY), doc("b", FERRY_ZH, 2), doc("c", QUARRY_ZH, 3))
    assert (zh.story, zh.founded) == ("a", False)
    assert quarry.founded
    assert ferry.founded
    features = zh.because["features"]
    assert isinstance(features, dict)
    assert zh.because["z"] == pytest.approx(sum(value * weight for value, weight in features.values()))
    assert features["meaning"][0] > 0.9


def test_without_vectors_nothing_meets_across_languages() -> None:
    assert [one.founded for one in place(Clusterer({}), doc("a", FERRY), doc("b", FERRY_ZH, 2))] == [True, True]


@pytest.mark.parametrize(("text", "column"), [("The coast guard came in the fog.", "lead"), ("", "bare")])
def test_within_a_language_words_and_meaning_make_one_score(text: str, column: str) -> None:
    first, second = doc("a", ("Ferry aground", text)), doc("b", ("Ferry rescued in Tolland", text), 1)
    lexical, semantic = (place(by, first, second)[1].because["features"] for by in (Clusterer({}), clusterer()))
    assert isinstance(lexical, dict)
    assert isinstance(semantic, dict)
    blend = getattr(SemanticParams(), column)
    assert semantic["mass" if column == "bare" else "lm"][1] == pytest.approx(
        blend.words * lexical["mass" if column == "bare" else "lm"][1]
    )
    assert semantic["meaning"][1] == blend.meaning


def test_vectors_pass_through_bytes() -> None:
    made = meaning(*FERRY)
    again = Meaning.from_bytes(*made.to_bytes())
    assert (again.title.tolist(), again.lead.tolist()) == (made.title.tolist(), made.lead.tolist())
    assert again.whole.tolist() == made.whole.tolist()


def test_a_story_of_long_ago_is_not_met() -> None:
    assert [one.founded for one in place(clusterer(), doc("a", FERRY), doc("b", FERRY_ZH, 24 * 9))] == [True, True]


def test_a_story_read_back_from_its_bytes_decides_alike() -> None:
    first = clusterer()
    place(first, doc("a", FERRY))
    states = [remembered(state.to_bytes(), {}) for state in first.take_changes()]
    second = clusterer(Counts(first.counts.total, dict(first.counts.df)), states)
    assert second.place(doc("b", FERRY_ZH, 1), "b") == first.place(doc("b", FERRY_ZH, 1), "b")
    assert [one.to_bytes() for one in second.take_changes()] == [one.to_bytes() for one in first.take_changes()]


def test_what_a_story_is_about_can_be_made_anew_or_forgotten() -> None:
    both = [doc("a", FERRY), doc("b", FERRY_ZH, 2)]
    made = clusterer()
    place(made, *both)
    before = [state.to_bytes() for state in made.take_changes()]
    made.remean("a", both)
    assert [state.to_bytes() for state in made.take_changes()] == before
    forgetful = Clusterer({}, made.counts, [remembered(one, {}) for one in before])
    forgetful.remean("a", both)
    (story,) = forgetful.take_changes()
    assert isinstance(story, StoryState)
    assert story.meaning is None


def test_a_link_or_a_quotation_in_common_leads_to_a_story_and_counts() -> None:
    told = ("Orbix opens Lantern", "The engine is free.")
    pointing = ("Замечено", "Подробнее: https://wire.example/2026/lantern-opens")
    by = Clusterer({})
    first = by.place(doc("a", told, url="https://wire.example/2026/lantern-opens", source="wire"), "a")
    second = by.place(doc("b", pointing, 1, source="blog"), "b")
    same_source = by.place(doc("c", pointing, 2, source="wire"), "c")
    late = by.place(doc("d", pointing, 24 * 9, source="other"), "d")
    assert first.founded
    features = second.because["features"]
    assert isinstance(features, dict)
    assert features["references"][0] == 0.5
    assert second.because["nearest"] == "a"
    assert same_source.because["features"]["references"][0] == 0.0  # type: ignore[index]
    assert late.founded


@pytest.mark.parametrize(
    ("one", "other", "sure"),
    [("en", "zh", True), ("en", "en", False), ("en", "de", True), (None, "zh", True), ("de", None, False),
     (None, None, False), ("sr", None, False)],
)  # fmt: skip
def test_two_languages_differ_where_that_is_sure(one: str | None, other: str | None, sure: bool) -> None:
    assert differ(one, other) is sure
    assert differ(other, one) is sure


def test_a_tag_has_a_primary_language() -> None:
    assert (primary("zh-Hant-TW"), primary("pt_BR"), primary("EN")) == ("zh", "pt", "en")


def test_texts_are_cut_and_stand_in_for_each_other() -> None:
    assert embedded_texts("Ferry", "Ferry: aground") == ("Ferry", "aground")
    assert embedded_texts("", "aground") == ("aground", "aground")
    assert embedded_texts("Ferry", "") == ("Ferry", "Ferry")
    assert len(embedded_texts("x", "fog " * 1000)[1]) == LEAD_CHARS
    assert embedded_texts("", "fog " * 1000)[0] == ("fog " * 1000)[:HEAD_CHARS]
    assert len(embedded_texts("x", "雾" * 2000)[1]) == LEAD_CHARS // 3


def test_an_item_without_words_is_like_nothing() -> None:
    assert cosine(meaning("", "").whole, meaning(*FERRY).whole) == 0.0
    assert EMBEDDER.embed([""])[0].any() == False  # noqa: E712 - a numpy bool


def test_a_title_and_a_lead_are_embedded_once_each() -> None:
    counting = ConceptEmbedder(CONCEPTS)
    meaning_of(embedded_texts("fog", ""), counting.embed)
    meaning_of(embedded_texts("fog", "ferry"), counting.embed)
    assert counting.asked == ["fog", "fog", "ferry"]


VECTORS = st.lists(st.floats(-1, 1), min_size=8, max_size=8).filter(lambda v: sum(abs(x) for x in v) > 0.1)


@given(VECTORS, VECTORS)
def test_whole_steps_keep_the_cosine(a: list[float], b: list[float]) -> None:
    one, other = np.array(a) / 3, np.array(b) / 3
    exact = float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))
    spread_one, spread_other = (np.repeat(v, 64) for v in (one, other))  # as many dimensions as an encoder has
    assert cosine(coarse(spread_one), coarse(spread_other)) == pytest.approx(exact, abs=0.03)


@given(st.lists(VECTORS, min_size=1, max_size=6))
def test_a_story_is_the_sum_of_its_reports_in_any_order_after_the_first(vectors: list[list[float]]) -> None:
    reports = [Meaning(coarse(np.array(v)), coarse(np.array(v[::-1]))) for v in vectors]
    there = StoryMeaning.of(reports)
    back = StoryMeaning.of([reports[0], *reports[:0:-1]])
    assert there.packed() == back.packed() == StoryMeaning.unpacked(there.packed()).packed()


@given(st.lists(st.tuples(st.integers(0, 5), st.one_of(st.none(), VECTORS)), max_size=30), VECTORS)
def test_the_index_finds_what_a_search_through_all_would(
    steps: list[tuple[int, list[float] | None]], query: list[float]
) -> None:
    index, stories = MeaningIndex(), dict[str, StoryMeaning]()
    for number, vector in steps:
        name = f"s{number}"
        if vector is None:
            stories.pop(name, None)
            index.remove(name)
        else:
            stories[name] = StoryMeaning.of([Meaning(coarse(np.array(vector)), coarse(np.array(vector)))])
            index.put(name, stories[name])
    asked = Meaning(coarse(np.array(query)), coarse(np.array(query)))
    expected = {
        name: cosine(asked.whole, coarse(one.whole.astype(np.float64))) for name, one in stories.items()
    }  # fmt: skip
    found = index.nearest(asked, 0.3)
    assert {name for _, name in found} == {name for name, value in expected.items() if value >= 0.3}
    assert found == sorted(found, key=lambda pair: (-pair[0], pair[1]))
    assert all(value == pytest.approx(expected[name]) for value, name in found)


def test_the_index_grows() -> None:
    index = MeaningIndex()
    one = meaning(*FERRY)
    for number in range(200):
        index.put(f"s{number:03}", StoryMeaning.of([one]))
    assert [name for _, name in index.nearest(one, 0.9)] == [f"s{number:03}" for number in range(200)]


def test_a_link_stays_known_while_one_of_its_stories_does() -> None:
    address = "https://wire.example/2026/lantern-opens"
    by = Clusterer({})
    by.restate("a", [doc("a", ("Orbix opens Lantern", "The engine is free."), url=address)])
    by.restate("b", [doc("b", ("Rain in Tolland", "Nobody knows why."), 1, url=address)])
    by.restate("b", [])
    pointing = by.place(doc("c", ("Замечено", f"Подробнее: {address}"), 2), "c")
    assert pointing.because["nearest"] == "a"


def test_of_stories_that_are_about_the_same_only_so_many_are_looked_at() -> None:
    params = ClusterParams(index=IndexParams(foreign=1, akin=1))
    by = Clusterer({}, params=params, meaning_of=lambda one: meaning(one.title, one.text))
    for number in range(3):
        by.restate(f"en{number}", [doc(f"en{number}", FERRY)])
        by.restate(f"zh{number}", [doc(f"zh{number}", FERRY_ZH)])
    old = doc("old", FERRY, -24 * 30)
    by.restate("old", [old])
    item = by.prepare(doc("x", FERRY_ZH, 1), by.read(doc("x", FERRY_ZH, 1)))
    assert item.meaning is not None
    found = by._index.alike(item.meaning, "zh", item.at)
    assert sorted(story.id[:2] for story in found) == ["en", "zh"]
