"""When a feed is asked again, and what its replies say of how well it is watched."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.make import feed_url, source, utc

from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply, ParsedFeed, Url
from storyheat.core.polling import (
    FeedState,
    Polled,
    PollParams,
    after_failure,
    after_success,
    hole_before,
    is_due,
    left_alone,
    planned_interval,
    stamped,
    strikes_after,
)

NOW = utc("2026-11-10 12:00")  # a Tuesday
PARAMS = PollParams(default_interval=timedelta(minutes=30))
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
URL = feed_url("wire")
FRESH = FeedState(id=1, source=source("wire"), url=URL)
WATCHED = replace(
    FRESH,
    etag='"old"',
    last_modified="Mon",
    body_sha256="old",
    listing=(1, 2),
    failures_in_row=3,
    first_success_at=NOW - HOUR,
    last_success_at=NOW - HOUR,
)


def document(**fields: Any) -> ParsedFeed:
    return ParsedFeed(format="rss20", title=None, site=None, language=None, entries=(), **fields)


def success(feed: FeedState = WATCHED, parsed: ParsedFeed | None = None, **fields: Any) -> Polled:
    outcome = fields.pop("outcome", FetchOutcome.BODY)
    return Polled(feed, FetchReply(1, outcome, URL, **fields), parsed, None if parsed is None else "new")


def failure(kind: FailureKind, feed: FeedState = WATCHED, **fields: Any) -> Polled:
    failed = Failure(kind, "no")
    return Polled(feed, FetchReply(1, FetchOutcome.FAILED, URL, failure=failed, **fields), failure=failed)


def succeeded(polled: Polled, listing: tuple[int, ...] = (2, 3), now: datetime = NOW) -> FeedState:
    return after_success(polled.feed, polled, listing, 0, now, PARAMS)


def waits(state: FeedState) -> timedelta:
    assert state.next_poll_at is not None
    return state.next_poll_at - NOW


# -- outcomes -------------------------------------------------------------------------------------


def test_outcomes_have_the_words_of_the_table() -> None:
    assert success(parsed=document()).outcome == "updated"
    assert success().outcome == "unchanged"
    assert success(outcome=FetchOutcome.NOT_MODIFIED).outcome == "not_modified"
    assert failure(FailureKind.DNS).outcome == "failed"


def test_asked_is_where_a_permanent_redirect_led() -> None:
    moved = Url("https://new.example/feed")
    assert FRESH.ask_url == URL
    assert replace(FRESH, moved_url=moved).ask_url == moved


# -- when -----------------------------------------------------------------------------------------


def test_due_when_new_or_when_its_time_has_come_but_never_when_gone() -> None:
    def due(feed: FeedState) -> bool:
        return is_due(feed, NOW, PARAMS)

    assert due(FRESH)
    assert due(replace(FRESH, next_poll_at=NOW))
    assert not due(replace(FRESH, next_poll_at=NOW + timedelta(seconds=1)))
    assert not due(replace(FRESH, gone=True))
    assert not due(replace(FRESH, gone=True, next_poll_at=NOW))


def test_what_a_clock_planned_that_ran_ahead_is_not_waited_for() -> None:
    assert not is_due(replace(FRESH, next_poll_at=NOW + timedelta(days=15)), NOW, PARAMS)
    assert is_due(replace(FRESH, next_poll_at=NOW + timedelta(days=16)), NOW, PARAMS)


@pytest.mark.parametrize(
    ("hint", "interval"),
    [
        (None, 30 * MINUTE),
        (5 * MINUTE, 30 * MINUTE),  # nobody is asked more often than by default
        (2 * HOUR, 2 * HOUR),
        (timedelta(days=3), timedelta(days=1)),
    ],
)
def test_a_feed_may_ask_for_a_slower_rhythm_within_bounds(hint: timedelta | None, interval: timedelta) -> None:
    assert planned_interval(replace(FRESH, poll_hint=hint), PARAMS) == interval


def test_the_interval_of_the_source_goes_before_all_wishes() -> None:
    own = replace(FRESH, source=source("wire", poll_interval=3 * MINUTE), poll_hint=HOUR)
    assert planned_interval(own, PARAMS) == 3 * MINUTE


def test_the_least_interval_holds_for_the_default_too() -> None:
    assert planned_interval(FRESH, PollParams(default_interval=MINUTE, min_interval=10 * MINUTE)) == 10 * MINUTE


def test_a_wait_of_our_own_ends_a_minute_early_since_cron_is_never_to_the_second() -> None:
    assert waits(succeeded(success(parsed=document()))) == 29 * MINUTE
    short = replace(WATCHED, source=source("wire", poll_interval=MINUTE))
    assert waits(succeeded(success(short, document()))) == timedelta(seconds=54)


def test_the_wish_of_the_last_document_outlives_replies_without_one() -> None:
    slow = succeeded(success(parsed=document(poll_hint=2 * HOUR)))
    assert slow.interval == 2 * HOUR
    assert succeeded(success(slow, outcome=FetchOutcome.NOT_MODIFIED)).interval == 2 * HOUR
    assert succeeded(success(slow, document())).interval == 30 * MINUTE


def test_a_fresh_reply_is_not_asked_for_again_to_the_second_but_at_least_once_a_day() -> None:
    assert waits(succeeded(success(fresh_for=HOUR))) == HOUR
    assert succeeded(success(fresh_for=HOUR)).interval == HOUR
    assert waits(succeeded(success(fresh_for=MINUTE))) == 29 * MINUTE
    assert waits(succeeded(success(fresh_for=timedelta(days=300)))) == timedelta(days=1)


@pytest.mark.parametrize(
    ("skips", "at"),
    [
        ({"skip_hours": {13}}, "2026-11-10 12:29"),
        ({"skip_hours": {12, 13}}, "2026-11-10 14:00"),
        ({"skip_days": {1}}, "2026-11-11 00:00"),
        ({"skip_hours": set(range(12)), "skip_days": {1}}, "2026-11-11 12:00"),
        ({"skip_days": set(range(7))}, "2026-11-10 12:29"),  # never: not believed
    ],
)
def test_hours_and_days_that_a_feed_skips_are_left_out(skips: dict[str, set[int]], at: str) -> None:
    parsed = document(**{name: frozenset(values) for name, values in skips.items()})
    state = succeeded(success(parsed=parsed))
    assert state.next_poll_at == utc(at)
    assert state.interval == max(30 * MINUTE, utc(at) - NOW)
    later = succeeded(success(state, outcome=FetchOutcome.NOT_MODIFIED))
    assert later.next_poll_at == utc(at)


# -- after a success ------------------------------------------------------------------------------


def test_a_success_renews_everything_and_forgets_failures() -> None:
    site = Url("https://wire.example/")
    state = succeeded(success(parsed=replace(document(), site=site), etag='"new"'))
    assert (state.etag, state.last_modified, state.body_sha256) == ('"new"', None, "new")
    assert (state.listing, state.site, state.failures_in_row) == ((2, 3), site, 0)
    assert (state.first_success_at, state.last_success_at) == (NOW - HOUR, NOW)


def test_a_304_keeps_what_it_does_not_replace() -> None:
    state = succeeded(success(outcome=FetchOutcome.NOT_MODIFIED, etag='"b"', moved_to=Url("https://x.example/")), ())
    assert (state.etag, state.last_modified, state.body_sha256) == ('"b"', "Mon", "old")
    assert (state.listing, state.moved_url, state.last_success_at) == ((1, 2), None, NOW)


def test_an_unchanged_body_renews_the_validators_and_moves_the_address() -> None:
    moved = Url("https://new.example/feed")
    state = succeeded(success(etag='"v2"', moved_to=moved), ())
    assert (state.etag, state.last_modified, state.moved_url) == ('"v2"', None, moved)


def test_the_first_success_is_kept_and_comes_before_the_last() -> None:
    assert succeeded(success(FRESH)).first_success_at == NOW
    assert succeeded(success()).first_success_at == NOW - HOUR
    ahead = replace(WATCHED, first_success_at=NOW + HOUR)  # the clock has been set right since
    assert succeeded(success(ahead)).first_success_at == NOW


# -- after a failure ------------------------------------------------------------------------------


def test_failures_double_the_wait_up_to_a_day_and_keep_what_is_known() -> None:
    state, found = replace(WATCHED, failures_in_row=0), []
    for _ in range(20):
        state = after_failure(state, failure(FailureKind.TIMEOUT, state, etag='"x"'), NOW, PARAMS)
        found.append(waits(state) + MINUTE)
    assert found[:6] == [30 * MINUTE, HOUR, 2 * HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR]
    assert set(found[6:]) == {24 * HOUR}
    assert state == replace(WATCHED, failures_in_row=20, next_poll_at=state.next_poll_at)


@pytest.mark.parametrize("kind", [FailureKind.RATE_LIMITED, FailureKind.FORBIDDEN])
def test_a_server_that_says_too_often_is_asked_half_as_often_at_once(kind: FailureKind) -> None:
    calm = replace(WATCHED, failures_in_row=0)
    assert waits(after_failure(calm, failure(kind, calm), NOW, PARAMS)) == 59 * MINUTE


def test_retry_after_holds_to_the_second_up_to_a_week() -> None:
    calm = replace(WATCHED, failures_in_row=0)
    for asked, waited in ((2 * HOUR, 2 * HOUR), (MINUTE, 29 * MINUTE), (timedelta(days=90), timedelta(days=7))):
        polled = failure(FailureKind.RATE_LIMITED, calm, retry_after=asked)
        assert waits(after_failure(calm, polled, NOW, PARAMS)) == waited


def test_a_slow_source_that_fails_is_not_asked_more_often_than_when_it_works() -> None:
    weekly = replace(WATCHED, source=source("wire", poll_interval=timedelta(days=7)))
    assert waits(after_failure(weekly, failure(FailureKind.DNS), NOW, PARAMS)) == timedelta(days=7) - MINUTE


def test_410_is_for_good_and_404_is_not() -> None:
    assert after_failure(WATCHED, failure(FailureKind.GONE), NOW, PARAMS).gone
    assert not after_failure(WATCHED, failure(FailureKind.STATUS), NOW, PARAMS).gone


def test_retry_after_holds_for_every_feed_of_the_host() -> None:
    def at(number: int, url: str, next_poll_at: datetime | None = None) -> FeedState:
        return FeedState(number, source(f"s{number}"), Url(url), next_poll_at=next_poll_at)

    feeds = [
        at(1, "https://wire.example/a"),
        at(2, "https://www.wire.example/b", NOW),
        at(3, "https://wire.example/c", NOW + 3 * HOUR),
        at(4, "https://other.example/"),
        at(5, "nonsense"),
    ]
    polls = [
        failure(FailureKind.RATE_LIMITED, retry_after=2 * HOUR),
        failure(FailureKind.RATE_LIMITED, retry_after=HOUR),
        failure(FailureKind.DNS),
        Polled(FRESH, FetchReply(1, FetchOutcome.FAILED, Url(""), retry_after=HOUR)),
    ]
    found = left_alone(feeds, polls, NOW, PARAMS)
    assert [(feed.id, waits(feed)) for feed in found] == [(1, 2 * HOUR), (2, 2 * HOUR)]


# -- what listings and dates say ------------------------------------------------------------------


def test_a_listing_that_shares_nothing_with_the_one_before_leaves_a_hole() -> None:
    assert hole_before(WATCHED, [3, 4]) == NOW - HOUR
    assert hole_before(WATCHED, [2, 3]) is None


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
