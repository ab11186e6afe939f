"""When the daemon wakes."""

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st
from tests.make import utc

from storyheat.core.feeds.waking import WakeParams, clock_jumped, next_wake, wake_after_errors

NOW = utc("2026-11-10 12:00")
PARAMS = WakeParams()
MINUTE = timedelta(minutes=1)
SPANS = st.timedeltas(timedelta(days=-400), timedelta(days=400))


def test_it_wakes_for_the_next_feed_within_bounds() -> None:
    assert next_wake(NOW + 4 * MINUTE, NOW, PARAMS) == NOW + 4 * MINUTE
    assert next_wake(NOW - MINUTE, NOW, PARAMS) == NOW + PARAMS.least
    assert next_wake(NOW + timedelta(days=3), NOW, PARAMS) == NOW + PARAMS.most
    assert next_wake(None, NOW, PARAMS) == NOW + PARAMS.most


def test_after_errors_it_waits_longer_each_time() -> None:
    waits = [(wake_after_errors(errors, NOW, PARAMS) - NOW) / MINUTE for errors in (1, 2, 3, 4, 5, 1000)]
    assert waits == [1, 2, 4, 8, 10, 10]


def test_a_clock_that_was_set_back_or_a_long_sleep_ends_a_plan() -> None:
    wake = NOW + 5 * MINUTE
    assert not clock_jumped(NOW, wake, NOW - MINUTE, PARAMS)
    assert not clock_jumped(NOW, wake, wake + MINUTE, PARAMS)
    assert clock_jumped(NOW, wake, NOW - timedelta(days=1), PARAMS)
    assert clock_jumped(NOW, wake, NOW + timedelta(hours=6), PARAMS)


@given(SPANS, SPANS)
def test_whatever_the_clock_does_it_never_sleeps_for_long(due: timedelta, jump: timedelta) -> None:
    wake = next_wake(NOW + due, NOW, PARAMS)
    assert PARAMS.least <= wake - NOW <= PARAMS.most
    now = NOW + jump
    assert clock_jumped(NOW, wake, now, PARAMS) or -PARAMS.slack <= wake - now <= PARAMS.most + PARAMS.slack
