"""Numbers in words, and the parts of dates."""

import pytest

from storyheat.core.briefs.number_words import Calendar, blanked, calendar, number_words


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("three clouds and forty-two racks", [3, 42]),
        ("two thousand three hundred and five", [2305]),
        ("two million dollars", [2_000_000]),
        ("a million, a dozen, a car, an hour", [1_000_000, 12]),
        ("one of them, one hundred of them, twenty", [100, 20]),
        ("fifty of them; two thousand one of them", [50, 2000]),
        ("three hundred thousand", [300_000]),
        ("the third time, the tenth", [3, 10]),
        ("三家云厂商、两个机柜，三星统一", [3, 2]),
        ("hundreds of people", []),
        ("", []),
    ],
)
def test_numbers_in_words(text: str, values: list[float]) -> None:
    assert [one.value for one in number_words(text)] == values


def test_a_number_in_words_knows_its_place() -> None:
    text = "It has forty-two racks."
    (one,) = number_words(text)
    assert text[one.start : one.end] == "forty-two"
    assert blanked(text, [(one.start, one.end)]) == "It has           racks."


@pytest.mark.parametrize(
    ("text", "years", "months", "days"),
    [
        ("on October 24, 2026", {2026}, {10}, {24}),
        ("on 24 October 2026", {2026}, {10}, {24}),
        ("the 3rd of May", set(), {5}, {3}),
        ("in March", set(), {3}, set()),
        ("it may march, and 25% May", set(), {5}, set()),
        ("am 24. oktober 2026", {2026}, {10}, {24}),
        ("24 de octubre de 2026", {2026}, {10}, {24}),
        ("2026-10-24", {2026}, {10}, {24}),
        ("2026年10月24日", {2026}, {10}, {24}),
        ("Set of 25 set", set(), set(), set()),
        ("May 12.5 of it", set(), {5}, set()),
    ],
)
def test_dates_in_parts(text: str, years: set[int], months: set[int], days: set[int]) -> None:
    assert calendar(text) == Calendar(frozenset(years), frozenset(months), frozenset(days))
