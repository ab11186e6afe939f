"""Times and spans as people type them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.dates.instants import read_instant, read_span

NOW = datetime(2026, 10, 27, 23, 45, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")  # at NOW it is 00:45 on the 28th there


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("now", "2026-10-27T23:45:00+00:00"),
        ("2026-10-26T23:00:00Z", "2026-10-26T23:00:00+00:00"),
        ("20261026T230000Z", "2026-10-26T23:00:00+00:00"),
        ("2026-10-26T23:00:00.750Z", "2026-10-26T23:00:00+00:00"),
        ("2026-10-26T23:00+02:00", "2026-10-26T21:00:00+00:00"),
        ("2026-10-26 23:00", "2026-10-26T22:00:00+00:00"),  # the zone of the reader
        ("2026-10-26", "2026-10-25T23:00:00+00:00"),
        ("3h ago", "2026-10-27T20:45:00+00:00"),
        ("2 days ago", "2026-10-25T23:45:00+00:00"),
        ("an hour ago", "2026-10-27T22:45:00+00:00"),
        ("  90   Minutes  ago ", "2026-10-27T22:15:00+00:00"),
        ("today", "2026-10-27T23:00:00+00:00"),
        ("yesterday 18:00", "2026-10-27T17:00:00+00:00"),
        ("yesterday 7", "2026-10-27T06:00:00+00:00"),
        ("today 00:00:30", "2026-10-27T23:00:30+00:00"),
    ],
)
def test_instants(text: str, instant: str) -> None:
    assert read_instant(text, NOW, BERLIN).isoformat() == instant


@pytest.mark.parametrize(
    "text",
    ["", "soon", "ago", "3 ago", "0h ago", "3 fortnights ago", "today 25:00", "yesterday noon", "2026-13-01",
     "999999999 weeks ago", "0001-01-01"],
)  # fmt: skip
def test_what_is_no_time_is_refused_with_a_hint(text: str) -> None:
    with pytest.raises(ValueError, match="is no time; write it like"):
        read_instant(text, NOW, BERLIN)


def test_a_local_time_that_exists_twice_is_the_first_of_the_two() -> None:
    assert read_instant("2026-10-25 02:30", NOW, BERLIN) == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30s", 30),
        ("10m", 600),
        ("10 min", 600),
        ("6h", 21_600),
        ("2 Days", 172_800),
        ("1w", 604_800),
        ("a day", 86_400),
    ],
)
def test_spans(text: str, seconds: int) -> None:
    assert read_span(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "10", "m", "-5m", "0m", "1.5h", "10 parsecs", "999999999w"])
def test_what_is_no_span_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="span of time"):
        read_span(text)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = read_instant(text, NOW, BERLIN)
    except ValueError:
        return
    assert found.tzinfo is UTC
    assert found.microsecond == 0
