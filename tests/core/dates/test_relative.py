"""Dates that count back from the fetch."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.make import utc

from storyheat.core.dates.relative import read_relative
from storyheat.core.model import Precision

NOON = utc("2026-10-26 12:00")
SHANGHAI = ZoneInfo("Asia/Shanghai")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 hours ago", "2026-10-26 09:00"),
        ("· 1 hour ago", "2026-10-26 11:00"),
        ("an hour ago", "2026-10-26 11:00"),
        ("45 secs ago", "2026-10-26 11:59"),
        ("5m ago", "2026-10-26 11:55"),
        ("12分钟前", "2026-10-26 11:48"),
        ("3 小时前", "2026-10-26 09:00"),
        ("刚刚", "2026-10-26 12:00"),
        ("just now", "2026-10-26 12:00"),
        ("3時間前", "2026-10-26 09:00"),
        ("2시간 전", "2026-10-26 10:00"),
        ("vor einer Stunde", "2026-10-26 11:00"),
        ("il y a 5 minutes", "2026-10-26 11:55"),
        ("un'ora fa", "2026-10-26 11:00"),
        ("hace 2 horas", "2026-10-26 10:00"),
        ("há uma hora", "2026-10-26 11:00"),
        ("5 минут назад", "2026-10-26 11:55"),
        ("час назад", "2026-10-26 11:00"),
        ("昨天 08:30", "2026-10-25 00:30"),
        ("today 20:15", "2026-10-26 12:15"),
        ("Yesterday at 3:05 PM", "2026-10-25 07:05"),
        ("Heute, 09:15 Uhr", "2026-10-26 01:15"),
        ("hoje 12:10 a.m.", "2026-10-25 16:10"),
    ],
)
def test_minutes_and_hours_give_a_time(text: str, expected: str) -> None:
    claim = read_relative(text, NOON, SHANGHAI).published
    assert claim is not None
    assert claim.relative
    assert claim.precision is Precision.TIME
    assert claim.at.replace(second=0) == utc(expected)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("yesterday", "2026-10-24 16:00"),
        ("昨日", "2026-10-24 16:00"),
        ("前天", "2026-10-23 16:00"),
        ("today", "2026-10-25 16:00"),
        ("2 days ago", "2026-10-23 16:00"),
        ("vor 3 Tagen", "2026-10-22 16:00"),
        ("1 день назад", "2026-10-24 16:00"),
    ],
)
def test_days_give_a_day_of_the_source(text: str, start: str) -> None:
    claim = read_relative(text, NOON, SHANGHAI).published
    assert claim is not None
    assert (claim.at, claim.precision, claim.relative) == (utc(start), Precision.DAY, True)
    assert claim.day_end is not None
    assert (claim.day_end - claim.at).total_seconds() == 86_399
    assert claim.zone_known


def test_without_a_zone_a_day_is_that_of_utc_and_says_so() -> None:
    claim = read_relative("yesterday", NOON).published
    assert claim is not None
    assert (claim.at, claim.zone_known) == (utc("2026-10-25 00:00"), False)


@pytest.mark.parametrize("text", ["", "now", "3", "5 m", "a month ago", "2 weeks ago", "yesterday's news", "x" * 100])
def test_what_names_no_moment_is_unknown(text: str) -> None:
    assert read_relative(text, NOON) == (None, None)


@pytest.mark.parametrize(("text", "why"), [("40 days ago", "too long ago"), ("today 13:05 PM", "no such time")])
def test_what_cannot_be_is_unknown_and_says_why(text: str, why: str) -> None:
    reading = read_relative(text, NOON)
    assert reading.published is None
    assert why in (reading.remark or "")


@given(st.text(max_size=80), st.integers(min_value=0, max_value=4_000_000_000))
def test_no_text_is_an_error_and_none_lies_ahead(text: str, seconds: int) -> None:
    at = datetime.fromtimestamp(seconds, UTC)
    claim = read_relative(text, at).published
    assert claim is None or claim.precision is Precision.DAY or claim.at <= at


def test_a_long_text_is_not_looked_at() -> None:
    assert read_relative("3 hours" + " " * 300 + "ago", NOON).published is None
