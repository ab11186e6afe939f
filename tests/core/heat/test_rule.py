"""The rule of heat and its receipt: golden values, edges, and what the document says about them."""

from datetime import timedelta
from pathlib import Path

import pytest
from tests.core.stories.story_make import NOON, aged, hours, report

from storyheat.core.heat.evidence import Exclusion, gather
from storyheat.core.heat.rule import HeatRule, half_up, heat_at, receipt
from storyheat.core.model import Role

RULE = HeatRule()
SMOOTH = HeatRule(window_hours=None)
SECOND = timedelta(seconds=1)
DOCUMENT = Path(__file__).parents[3] / "docs" / "heat.md"

GOLDEN = [
    ((0,), "10.000", "10"),
    ((24,), "5.000", "5"),
    ((10, 1), "17.207", "17"),
    ((6, 0), "18.409", "18"),
    ((1, 2, 10), "26.646", "27"),
    ((44,) * 10 + (4,), "36.971", "37"),
    ((47.99,), "2.501", "3"),
    ((48,), "0.000", "0"),
]


@pytest.mark.parametrize(("ages", "heat", "shown"), GOLDEN)
def test_golden_values(ages: tuple[float, ...], heat: str, shown: str) -> None:
    value = heat_at(aged(*ages), NOON, RULE)
    assert f"{value:.3f}" == heat
    assert str(half_up(value)) == shown


def test_the_document_shows_the_golden_values() -> None:
    text = DOCUMENT.read_text("utf-8")
    for _, heat, shown in GOLDEN:
        assert f"| {heat} | {shown} |" in text


def test_the_document_shows_the_receipt_of_its_example() -> None:
    story = gather(
        [
            report("Lena's blog", NOON - hours(30)),
            report("Daily Star", NOON - hours(24), weight=0.5),
            report("The Herald", NOON - hours(3), item="herald-1"),
            report("The Herald", NOON, item="herald-2"),
            report("Morning round-up", NOON - hours(1), role=Role.MENTION),
        ]
    )
    proof = receipt(story, NOON, RULE)
    text = DOCUMENT.read_text("utf-8")
    for term in proof.terms:
        row = f"| {term.voice} | {term.age_hours:g} h | {term.weight:g} | {half_up(term.points, 2)} |"
        assert row in text
    assert f"**{half_up(proof.heat, 2)}**" in text
    assert [f"{remark.item}: {remark.because}" for remark in proof.spent] == [
        "herald-1: its voice speaks through another report"
    ]


def test_a_voice_is_out_at_the_age_of_the_window() -> None:
    story = aged(0)
    assert heat_at(story, NOON + hours(48) - SECOND, RULE) == pytest.approx(2.5, abs=1e-3)
    assert heat_at(story, NOON + hours(48), RULE) == 0
    odd = HeatRule(window_hours=1.1)  # 3960.0000000000005 seconds in floating point
    assert heat_at(story, NOON + timedelta(seconds=3959), odd) > 0
    assert heat_at(story, NOON + timedelta(seconds=3960), odd) == 0


def test_without_a_window_a_voice_fades_for_ever() -> None:
    story = aged(0)
    assert heat_at(story, NOON + hours(48), SMOOTH) == 2.5
    assert heat_at(story, NOON + hours(240), SMOOTH) == 10 / 1024
    assert heat_at(story, NOON + timedelta(days=365 * 200), SMOOTH) == 0.0
    assert receipt(story, NOON + hours(240), SMOOTH).spent == ()


def test_what_is_effective_later_does_not_count_yet() -> None:
    assert heat_at(aged(0), NOON - SECOND, RULE) == 0
    assert heat_at(aged(0), NOON, RULE) == 10


def test_speaking_again_makes_a_voice_fresh_and_its_newest_report_decides_the_weight() -> None:
    story = gather([report("A", NOON - hours(24), weight=3), report("A", NOON, source="a2", weight=0.5)])
    assert heat_at(story, NOON - SECOND, RULE) == pytest.approx(15, abs=1e-3)
    assert heat_at(story, NOON, RULE) == 5


def test_at_one_time_the_larger_weight_decides() -> None:
    story = gather([report("A", NOON, item=item, weight=weight) for item, weight in (("x", 2), ("y", 1))])
    assert heat_at(story, NOON, RULE) == 20
    assert [term.item for term in receipt(story, NOON, RULE).terms] == ["x"]


def test_a_voice_without_weight_is_heard_and_gives_nothing() -> None:
    proof = receipt(gather([report("A", NOON, weight=0)]), NOON, RULE)
    assert proof.heat == 0
    assert [(term.voice, term.points) for term in proof.terms] == [("A", 0)]


def test_an_empty_story_is_cold() -> None:
    proof = receipt(gather([]), NOON, RULE)
    assert (proof.heat, proof.terms, proof.spent, proof.not_counted) == (0, (), (), ())


def test_a_receipt_names_every_item_once() -> None:
    story = gather(
        [
            report("C", NOON - hours(1)),
            report("B", NOON - hours(1)),
            report("A", NOON - hours(0.5), item="now"),
            report("A", NOON - hours(2), item="before"),
            report("D", NOON - hours(48), item="old"),
            report("E", NOON + hours(1), item="later"),
            report("F", NOON - hours(3), item="mention", role=Role.MENTION),
            report("F", NOON - hours(4), item="copy", role=Role.COPY),
            report("G", NOON - hours(5), item="gone", excluded=Exclusion.WITHDRAWN),
        ]
    )
    proof = receipt(story, NOON, RULE)
    assert [(term.voice, term.age_hours) for term in proof.terms] == [("A", 0.5), ("B", 1), ("C", 1)]
    assert proof.heat == sum(term.points for term in proof.terms)
    assert [(remark.item, remark.because) for remark in proof.spent] == [
        ("old", "48 hours old or older"),
        ("before", "its voice speaks through another report"),
    ]
    assert [(remark.item, remark.because) for remark in proof.not_counted] == [
        ("gone", "withdrawn"),
        ("copy", "a copy of another item"),
        ("mention", "a mention: it touches the story but is not about it"),
        ("later", "effective only after this time"),
    ]


@pytest.mark.parametrize(("half_life", "window"), [(0, 48), (-1, 48), (float("nan"), 48), (24, 0), (24, -1)])
def test_an_impossible_rule_is_refused(half_life: float, window: float) -> None:
    with pytest.raises(ValueError, match="above 0 hours"):
        HeatRule(half_life_hours=half_life, window_hours=window)


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (2.5, 0, "3"),
        (2.4999, 0, "2"),
        (-2.5, 0, "-3"),
        (-0.4, 0, "0"),
        (0.0, 0, "0"),
        (15.025, 1, "15.0"),
        (4.85, 1, "4.9"),
        (-0.04, 1, "0.0"),
        (1e-9, 0, "0"),
        (7, 2, "7.00"),
    ],
)
def test_numbers_are_rounded_half_up(value: float, places: int, text: str) -> None:
    assert str(half_up(value, places)) == text


def test_a_rule_in_words() -> None:
    assert HeatRule().in_words == "voices-decay/1, half-life 24 h, window 48 h"
    assert HeatRule(half_life_hours=7.5, window_hours=None).in_words == "voices-decay/1, half-life 7.5 h, no window"
