"""When something new became known in a story, whether it is confirmed, and which figures contradict each other."""

import itertools
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.make import utc

from storyheat.core.model import ItemId, Level, Voice
from storyheat.core.stories.developments import DevelopmentParams, Told, developments
from storyheat.core.stories.disagreements import DisagreementParams, disagreements
from storyheat.core.stories.statements import statements
from storyheat.core.stories.told import Development

START = utc("2026-11-10 08:00")
COMMON = {"say": 0.3, "new": 0.3, "day": 0.3, "river": 0.01, "flood": 0.008, "mayor": 0.02, "resign": 0.004, "hom": 0.2}
PARAMS = DevelopmentParams()


def told(
    name: str,
    hours: float,
    title: str,
    text: str = "",
    *,
    voice: str | None = None,
    level: Level = Level.PRESS,
    language: str = "en",
) -> Told:
    at = START + timedelta(hours=hours)
    return Told(ItemId(name), at, Voice(voice or name), level, language, statements(title, text))


def of(*reports: Told, params: DevelopmentParams = PARAMS) -> list[Development]:
    return developments(reports, COMMON, params)


FIRST = told("a", 0, "River floods homes in Torvik", "The river came at night. Nobody was hurt.")


def test_the_first_report_is_a_development_and_a_retelling_is_none() -> None:
    again = told("b", 30, "Torvik: river floods homes", "At night the river came to Torvik.")
    (only,) = of(again, FIRST)
    assert only.item == "a"
    assert only.said_by == ("b",)
    assert only.confirmed


def test_a_new_figure_in_a_title_is_news() -> None:
    more = told("b", 1, "River in Torvik: 300 people flee", "The river drove 300 people away.")
    (_, second) = of(FIRST, more)
    assert (second.item, second.figures) == ("b", ("300 people flee",))


def test_a_new_name_is_news_if_the_text_has_it_too() -> None:
    named = told("b", 1, "Floods in Torvik reach the GateX works", "The river stands in the halls of GateX.")
    empty = told("b", 1, "Floods in Torvik reach the GateX works", "Nothing more is known.")
    assert [one.terms for one in of(FIRST, named)][1:] == [("gatex",)]
    assert of(FIRST, empty)[1:] == []


def test_new_words_are_news_later_but_not_right_after_a_development() -> None:
    later = told("b", 30, "Mayor of Torvik resigns after river floods", "She leaves.")
    (_, second) = of(FIRST, later)
    assert second.terms == ("resign", "mayor")
    echo = told("b", 1, "Mayor of Torvik resigns after river floods", "She leaves.")
    assert len(of(FIRST, echo)) == 1


def test_a_title_that_asks_tells_figures_only() -> None:
    asks = told("b", 30, "Why did the mayor of Torvik resign?", "Nobody knows.")
    counts = told("b", 30, "Why did 300 people flee?", "Nobody knows.")
    assert len(of(FIRST, asks)) == 1
    assert len(of(FIRST, counts)) == 2


def test_the_first_report_in_another_language_tells_no_new_words() -> None:
    chinese = told("b", 30, "托维克镇长因洪水辞职", "镇长宣布辞职。", language="zh")
    assert len(of(FIRST, chinese)) == 1


def test_one_voice_does_not_confirm_itself() -> None:
    own = told("b", 30, "Torvik: river floods homes", voice="a")
    (only,) = of(FIRST, own)
    assert only.said_by == ()
    assert not only.confirmed


def test_the_subject_confirms_what_it_says_itself() -> None:
    subject = told("b", 30, "Torvik: river floods homes", level=Level.FIRST_PARTY)
    (only,) = of(FIRST, subject)
    assert only.by_subject == "b"
    assert only.confirmed


def test_a_figure_is_confirmed_by_whoever_has_it_too_in_any_language() -> None:
    counted = told("b", 1, "300 people flee Torvik", "They left.")
    chinese = told("c", 2, "三百人撤离 Torvik", "当地300人撤离。", language="zh")
    assert of(FIRST, counted, chinese)[1].said_by == ("c",)


def test_across_languages_two_names_confirm_and_one_does_not() -> None:
    first = told("a", 0, "GateX buys NordBank", "It does.")
    both = told("b", 9, "GateX 收购 NordBank", "消息属实。", language="zh")
    single = told("b", 9, "GateX 收购对手", "消息属实。", language="zh")
    assert of(first, both)[0].said_by == ("b",)
    assert of(first, single)[0].said_by == ()


def test_a_name_alone_confirms_nothing() -> None:
    other = told("b", 30, "GateX opens a shop in Torvik", "GateX sells bread there now.")
    first = told("a", 0, "GateX halls under water", "The river came.")
    assert of(first, other)[0].said_by == ()


def test_of_a_large_story_the_first_and_the_newest_reports_are_looked_at() -> None:
    many = [told(f"r{n:02}", n * 24, f"{100 + n} people flee Torvik") for n in range(9)]
    found = of(*many, params=DevelopmentParams(reports=4))
    assert [one.item for one in found] == ["r00", "r01", "r07", "r08"]


def test_figures_of_two_voices_that_differ_stand_side_by_side() -> None:
    a = told("a", 0, "One cluster processes 155T tokens per day", "")
    b = told("b", 1, "A single cluster processes 150T tokens per day", "")
    (one,) = disagreements([b, a], DisagreementParams())
    assert (one.first.figure, one.second.figure) == ("155T tokens per day", "150T tokens per day")


@pytest.mark.parametrize(
    ("first", "second", "voice"),
    [
        (
            "One cluster processes 155T tokens per day",
            "A single cluster processes 150T tokens per day",
            "a",
        ),  # one voice
        ("One cluster processes 155T tokens per day", "One cluster processes 500T tokens per day", "b"),  # far apart
        ("One cluster of ours has 1,500 cards today", "One cluster of ours has 1,520 cards today", "b"),  # rounding
        ("One cluster processes 155T tokens per day", "One cluster processes 150T words per minute", "b"),  # of what
        ("One cluster processes 155T tokens per day", "It costs 150T tokens per day", "b"),  # another sentence
        ("One cluster processes 155T tokens per day", "One cluster has $150T tokens per day", "b"),  # another unit
        ("One cluster processes 155T tokens per day", "One cluster: 150T tokens per day, not 155T tokens per day", "b"),
    ],
)
def test_figures_that_do_not_contradict_each_other(first: str, second: str, voice: str) -> None:
    reports = [told("a", 0, first), told("b", 1, second, voice=voice)]
    assert disagreements(reports, DisagreementParams()) == []


@given(
    st.permutations(range(6)),
    st.lists(st.sampled_from(["300 people flee", "mayor resigns", "GateX sues", "river"]), min_size=6, max_size=6),
)
def test_the_order_in_which_reports_come_does_not_matter(order: list[int], titles: list[str]) -> None:
    reports = [told(f"i{n}", n * 5, f"{title} in Torvik", title) for n, title in enumerate(titles)]
    found = of(*[reports[n] for n in order])
    assert found == of(*reports)
    assert found[0].item == "i0"
    assert all(a.at <= b.at for a, b in itertools.pairwise(found))
