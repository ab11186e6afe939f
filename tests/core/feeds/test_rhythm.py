"""How often a feed has news: the hours remembered, the usual gap, jitter."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from tests.make import utc

from storyheat.core.feeds.rhythm import RhythmParams, adapted_interval, jitter, longest_gap, remembered, usual_gap

NOON = utc("2026-11-10 12:00")
HOUR = timedelta(hours=1)
PARAMS = RhythmParams()


def test_five_pieces_within_an_hour_are_news_once() -> None:
    burst = [NOON + timedelta(minutes=minutes) for minutes in (5, 10, 59, 60)]
    assert remembered((NOON - 24 * HOUR,), burst, PARAMS) == (NOON - 24 * HOUR, NOON, NOON + HOUR)


@given(st.lists(st.integers(0, 10_000), max_size=60), st.integers(0, 60))
def test_what_is_remembered_does_not_depend_on_how_the_news_came_in(minutes: list[int], cut: int) -> None:
    news = [NOON + timedelta(minutes=number) for number in minutes]
    at_once = remembered((), news, PARAMS)
    assert remembered(remembered((), news[:cut], PARAMS), news[cut:], PARAMS) == at_once
    assert list(at_once) == sorted(set(at_once))
    assert len(at_once) <= PARAMS.kept


def test_the_usual_gap_is_the_median_and_needs_some_hours() -> None:
    hours = tuple(NOON + HOUR * number for number in (0, 24, 48, 72, 300))
    assert (usual_gap(hours, PARAMS), longest_gap(hours)) == (24 * HOUR, 228 * HOUR)
    assert (usual_gap(hours[:4], PARAMS), longest_gap(hours[:1])) == (None, timedelta())
    assert adapted_interval(hours[:4], NOON, PARAMS) is None


def test_news_from_a_clock_that_ran_ahead_is_no_silence() -> None:
    hours = tuple(NOON + HOUR * number for number in range(5))
    assert adapted_interval(hours, NOON - 24 * HOUR, PARAMS) == timedelta(minutes=15)


@given(st.text(max_size=30), st.integers(0, 100_000))
def test_jitter_is_a_small_share_and_always_the_same(address: str, seconds: int) -> None:
    wait = timedelta(seconds=seconds)
    spared = jitter(address, wait, PARAMS)
    assert timedelta() <= spared <= wait * PARAMS.jitter_share
    assert spared == jitter(address, wait, PARAMS)
