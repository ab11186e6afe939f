"""Effective time: the claim if it is believable, else the time we first saw the item."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.items.effective import effective_time
from storyheat.core.model import Precision, Published

SEEN = datetime(2026, 10, 26, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY_LENGTH = timedelta(hours=23, minutes=59, seconds=59)


def day(start: datetime) -> Published:
    return Published(start, Precision.DAY, day_end=start + DAY_LENGTH)


def test_a_past_claim_holds() -> None:
    assert effective_time(Published(SEEN - HOUR), SEEN) == (SEEN - HOUR, True, "the published time")
    assert "read as UTC" in effective_time(Published(SEEN - HOUR, zone_known=False), SEEN).because
    assert effective_time(Published(SEEN), SEEN).at == SEEN


def test_a_future_claim_gives_first_seen() -> None:
    assert effective_time(Published(SEEN + HOUR), SEEN)[:2] == (SEEN, True)
    assert effective_time(day(SEEN + HOUR), SEEN)[:2] == (SEEN, True)
    assert "future" in effective_time(day(SEEN + HOUR), SEEN).because


def test_a_bare_day_counts_from_its_end_or_from_first_seen() -> None:
    yesterday, today = SEEN.replace(hour=0) - timedelta(days=1), SEEN.replace(hour=0)
    assert effective_time(day(yesterday), SEEN)[:2] == (yesterday + DAY_LENGTH, True)
    assert effective_time(day(today), SEEN)[:2] == (SEEN, True)


def test_without_a_claim_first_seen_is_taken_and_the_item_is_undated() -> None:
    assert effective_time(None, SEEN)[:2] == (SEEN, False)


@given(st.timedeltas(-timedelta(days=9000), timedelta(days=9000)), st.booleans())
def test_it_is_never_after_first_seen(offset: timedelta, bare_day: bool) -> None:
    claim = day(SEEN + offset) if bare_day else Published(SEEN + offset)
    assert effective_time(claim, SEEN).at <= SEEN
