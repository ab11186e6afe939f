"""What a listing says beside the one before it: holes, hurry, moving dates."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.make import feed_url, source, utc

from storyheat.core.feeds.listings import hole_before, hurry_after, stamped, strikes_after
from storyheat.core.feeds.polling import FeedState, PollParams

NOW = utc("2026-11-10 12:00")
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
PARAMS = PollParams(min_interval=20 * MINUTE)
FRESH = FeedState(id=1, source=source("wire"), url=feed_url("wire"))
WATCHED = replace(FRESH, listing=(1, 2, 3, 4), last_success_at=NOW - 2 * HOUR)


def test_a_listing_that_shares_nothing_with_the_one_before_leaves_a_hole() -> None:
    assert hole_before(WATCHED, [5, 6]) == NOW - 2 * HOUR
    assert hole_before(WATCHED, [4, 5]) is None


def test_an_empty_listing_proves_nothing() -> None:
    assert hole_before(WATCHED, []) is None
    assert hole_before(FRESH, [1]) is None


@given(st.lists(st.sampled_from(["moved", "quiet", "silent", "redated"]), max_size=12))
def test_two_polls_that_move_dates_cost_the_trust_and_quiet_ones_bring_it_back(polls: list[str]) -> None:
    state, run = FRESH, 0
    for poll in polls:
        dated, later = {"moved": (3, 2), "quiet": (2, 1), "silent": (0, 0), "redated": (1, 1)}[poll]
        state = replace(state, restamp_strikes=strikes_after(state, dated, later, PARAMS))
        run = 0 if poll == "quiet" else run + (poll == "moved")
        assert 0 <= state.restamp_strikes <= PARAMS.max_strikes
        if run >= 2:
            assert state.dates_move(PARAMS)
    for _ in range(PARAMS.max_strikes - 1):
        state = replace(state, restamp_strikes=strikes_after(state, 2, 1, PARAMS))
    assert not state.dates_move(PARAMS)


@pytest.mark.parametrize(
    ("ages", "verdict"),
    [
        ((10, 10, 10), True),
        ((10, 40, 69), True),
        ((10, 40, 71), False),  # published one after the other
        ((660, 660, 660), False),  # published together, a while ago
        ((-30, -30, -30), True),  # the scraper's clock runs ahead of ours
        ((10, 10), False),  # too few to tell
    ],
)
def test_a_first_document_dated_the_moment_it_was_made_is_recognised(ages: tuple[int, ...], verdict: bool) -> None:
    assert stamped([NOW - timedelta(seconds=age) for age in ages], NOW, PARAMS) is verdict


@pytest.mark.parametrize(
    ("hurry", "listing", "expected"),
    [
        (None, [5, 6, 7, 8], HOUR),  # all scrolled off within two hours: asked every hour
        (None, [4, 5, 6, 7], 80 * MINUTE),  # a quarter is left: the list turns over in 2:40
        (None, [3, 4, 5, 6], None),  # half of it: no danger
        (30 * MINUTE, [5, 6, 7, 8], 30 * MINUTE),  # never slower for a loss
        (10 * MINUTE, [5, 6, 7, 8], 20 * MINUTE),  # but not below the least interval
        (HOUR, [1, 2, 3, 4], 75 * MINUTE),  # calm: slower again, step by step
        (20 * HOUR, [1, 2, 3, 4], None),  # beyond the longest interval it means nothing
        (HOUR, [], HOUR),  # an empty listing proves nothing
    ],
)
def test_the_faster_a_list_turns_over_the_sooner_it_is_asked_for(
    hurry: timedelta | None, listing: list[int], expected: timedelta | None
) -> None:
    assert hurry_after(replace(WATCHED, hurry=hurry), listing, NOW, PARAMS) == expected


def test_an_absence_of_days_is_no_hurry_and_a_first_listing_neither() -> None:
    slept = replace(WATCHED, last_success_at=NOW - timedelta(days=3))
    assert hurry_after(slept, [5], NOW, PARAMS) is None
    assert hurry_after(FRESH, [5], NOW, PARAMS) is None
    assert hurry_after(replace(WATCHED, last_success_at=NOW), [5], NOW, PARAMS) is None  # a clock set back
