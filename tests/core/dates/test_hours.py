"""Days with hours are those of events, or days on which something is open."""

import pytest

from storyheat.core.dates.article import dates_in
from storyheat.core.dates.hours import has_hours
from storyheat.core.dates.published import read_date


@pytest.mark.parametrize(
    "text",
    [
        "30. März 2020, 13:15 Uhr - 19:00 Uhr",
        "25.10.2026 10–18 Uhr",
        "25.10.2026 von 10 bis 18 Uhr",
        "25.10.2026, Beginn: 19 Uhr",
        "Oct 25, 2026 | 10am–6pm",
        "Oct 25, 2026 (Sun) 6 - 8 p.m.",
        "25 Oct 2026 9:00-17:00",
        "2026-10-25 09:00-17:00",
        "25 October 2026, doors open at 8 pm",
        "25 octobre 2026 de 18h30 à 20h",
        "25 de octubre de 2026, de 10:00 a 12:00",
        "25/10/2026 dalle ore 10 alle 18.30",
        "25 октября 2026 с 10:00 до 18:00",
        "2026年10月25日（日）10時～18時",
        "2026年10月25日 上午9点至下午5点",
        "10am–6pm, Sunday, 25 Oct 2026",
        "13:00 – 14:00 | 25.10.2026",
    ],
)
def test_a_day_with_hours_is_none_of_publication(text: str) -> None:
    assert dates_in(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "25 Oct 2026",
        "25 Oct 2026 10:15",
        "25 Oct 2026 - 10:15 - 11 comments",
        "25 Oct 2026 | 3 – 4 min",
        "25.10.2026, 10:15 Uhr | 2 Kommentare",
        "25 Oct 2026 10:15 am, updated 11:30 am",
        "2026-10-25 10:15:00-05:00",
        "2026-10-25 10:15-05:00",
        "2026年10月25日 10:15 来源",
        "Issue 3-4 | 25 Oct 2026",
    ],
)
def test_a_day_with_one_time_may_be(text: str) -> None:
    assert len(dates_in(text)) == 1


def test_hours_may_stand_behind_the_text() -> None:
    assert dates_in("25 Oct 2026", behind="10am–6pm") == []
    assert dates_in("25 Oct 2026", behind="by Jane Doe") == ["25 Oct 2026"]


@pytest.mark.parametrize(("text", "expected"), [("9:00–17:00", True), ("17:00", False), ("2026-10-25", False)])
def test_hours_alone(text: str, expected: bool) -> None:
    assert has_hours(text) is expected


@pytest.mark.parametrize(
    ("text", "is_read"),
    [
        ("25 Oct 2026 9:00-11:00", False),
        ("2026-10-25 09:00 - 11:00", False),
        ("2026-10-25T09:00-11:00", True),
        ("2026-10-25 09:00:00-11:00", True),
        ("2026-10-25 09:00-05:00", True),
        ("25 Oct 2026 5:00 -0800", True),
    ],
)
def test_hours_are_no_offset(text: str, is_read: bool) -> None:
    assert (read_date(text).published is not None) is is_read
