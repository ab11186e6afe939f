"""What an item states: figures, names, words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.stories.statements import MAX_SENTENCES, Figure, figures_in, statements


def said(sentence: str) -> list[str]:
    return [figure.said for figure in figures_in(sentence, frozenset())]


def only(sentence: str) -> Figure:
    (figure,) = figures_in(sentence, frozenset())
    return figure


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("One cluster serves 155 trillion tokens a day.", ["155 trillion tokens a day"]),
        ("单集群每天处理155万亿词元", ["155万亿词元"]),
        ("It sold 41,000 home batteries for $2.6 billion", ["41,000 home batteries", "$2.6 billion"]),
        ("Throughput is 1.06 times that of March", ["1.06 times that of March"]),
        ("12 dead, 30 hurt", ["12 dead", "30 hurt"]),
    ],
)
def test_a_number_with_what_it_counts_is_a_figure(sentence: str, expected: list[str]) -> None:
    assert said(sentence) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "It happened on 26 October",
        "It happened on October 26",
        "In 2026 everybody knew",
        "The 12th package",
        "第12轮制裁",
        "10月26日发布",
        "A 17 year-old wins",
        "十七岁少女夺冠",
        "Version 4 is out",
        "Release 2.2 fixes a crash",
        "Zephyr-4 reaches orbit",
        "The answer is 42.",
        "The score was 3:1 at half time",
    ],
)
def test_dates_ages_ordinals_versions_and_names_are_no_figures(sentence: str) -> None:
    assert said(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "step"),
    [
        ("155 trillion tokens", 1e12),
        ("7.4 million people", 1e5),
        ("1,500 people", 100.0),
        ("150 people", 1.0),
        ("0 people", 1.0),
    ],
)
def test_the_step_of_a_figure_is_the_place_of_its_last_digit_that_says_something(sentence: str, step: float) -> None:
    assert only(sentence).step == pytest.approx(step)


def test_equal_figures_have_one_key_in_every_spelling() -> None:
    keys = {only(text).key for text in ("155T tokens", "155 trillion tokens", "155万亿词元")}
    assert len(keys) == 1


def test_title_and_text_are_told_apart() -> None:
    says = statements(
        "Lathe cuts prices by 30%",
        "Lathe cuts prices by 30%. The firm from Torvik has 12 rivals. It began with 4 people. Later 800 joined.",
    )
    assert tuple(sentence.text for sentence in says.sentences) == (
        "The firm from Torvik has 12 rivals.",
        "It began with 4 people.",
        "Later 800 joined.",
    )
    assert says.title_figures == {"30%"}
    assert says.lead_figures == {"30%", "12", "4"}
    assert [figure.key for figure in says.figures] == ["30%", "12", "4", "800"]
    assert "torvik" in says.names & says.text - says.title
    assert "pric" in says.title
    assert "rival" in says.lead
    assert not says.asks


@pytest.mark.parametrize("title", ["Can it last?", "How the heron was found", "顾客买账吗", "为什么是现在"])
def test_a_title_that_asks_or_explains_is_known(title: str) -> None:
    assert statements(title, "").asks


@given(st.text(max_size=300), st.text(max_size=600))
def test_any_text_can_be_read(title: str, text: str) -> None:
    says = statements(title, text)
    assert len(says.sentences) <= MAX_SENTENCES
    assert says.title_figures <= says.lead_figures <= {figure.key for figure in says.figures}
    assert says.title | says.lead | says.names <= says.words
