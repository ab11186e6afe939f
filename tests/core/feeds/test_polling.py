"""When a feed is asked again, and where."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.make import feed_url, source, utc

from storyheat.core.feeds.polling import (
    FeedState,
    Polled,
    PollParams,
    after_failure,
    after_success,
    asked_for_rest,
    feeds_to_ask,
    gives_up_move,
    is_due,
    left_alone,
    next_due,
    planned_interval,
    put_off,
    request_for,
    with_words_on_move,
)
from storyheat.core.feeds.rhythm import RhythmParams
from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply, FetchRequest, ParsedFeed, Url

NOW = utc("2026-11-10 12:00")  # a Tuesday
PARAMS = PollParams(
    default_interval=timedelta(minutes=30), min_interval=timedelta(minutes=10), rhythm=RhythmParams(jitter_share=0)
)
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
        (5 * MINUTE, 30 * MINUTE),  # what a feed asks for can only make it slower
        (2 * HOUR, 2 * HOUR),
        (timedelta(days=3), timedelta(days=1)),
    ],
)
def test_a_feed_may_ask_for_a_slower_rhythm_within_bounds(hint: timedelta | None, interval: timedelta) -> None:
    assert planned_interval(replace(FRESH, poll_hint=hint), NOW, PARAMS) == interval


def test_the_interval_of_the_source_goes_before_all_wishes() -> None:
    own = replace(FRESH, source=source("wire", poll_interval=3 * MINUTE), poll_hint=HOUR)
    assert planned_interval(own, NOW, PARAMS) == 3 * MINUTE


def test_the_least_interval_holds_for_the_default_too() -> None:
    assert planned_interval(FRESH, NOW, PollParams(default_interval=MINUTE, min_interval=10 * MINUTE)) == 10 * MINUTE


@pytest.mark.parametrize(
    ("gap", "silence", "interval"),
    [
        (HOUR, HOUR, 15 * MINUTE),  # a quarter of the usual gap
        (4 * HOUR, HOUR, HOUR),
        (timedelta(days=7), HOUR, 2 * HOUR),  # who speaks rarely is heard soon all the same
        (timedelta(days=7), timedelta(days=50), 12 * HOUR),  # unless it has long been silent
        (timedelta(days=7), timedelta(days=500), 24 * HOUR),
    ],
)
def test_the_rhythm_adapts_to_the_gaps_between_news(gap: timedelta, silence: timedelta, interval: timedelta) -> None:
    hours = tuple(NOW - silence - gap * number for number in reversed(range(6)))
    assert planned_interval(replace(FRESH, news_hours=hours), NOW, PARAMS) == interval
    assert planned_interval(replace(FRESH, news_hours=hours[:4]), NOW, PARAMS) == 30 * MINUTE  # too few to tell
    slow = replace(FRESH, news_hours=hours, poll_hint=HOUR)
    assert planned_interval(slow, NOW, PARAMS) == max(interval, HOUR)
    assert planned_interval(replace(FRESH, news_hours=hours), NOW, PollParams()) == max(interval, HOUR)


def test_jitter_is_each_feeds_own_and_only_where_nobody_set_the_interval() -> None:
    params = PollParams(default_interval=HOUR)
    feeds = [replace(FRESH, url=Url(f"https://wire.example/{number}")) for number in range(50)]
    waited = [waits(after_success(feed, success(feed), (), 0, NOW, params)) for feed in feeds]
    assert all(56 * MINUTE <= wait <= 59 * MINUTE for wait in waited)
    assert len(set(waited)) > 30
    assert waited == [waits(after_success(feed, success(feed), (), 0, NOW, params)) for feed in feeds]
    own = [replace(feed, source=source("wire", poll_interval=HOUR)) for feed in feeds]
    assert {waits(after_success(feed, success(feed), (), 0, NOW, params)) for feed in own} == {59 * MINUTE}


# -- which, together with which -------------------------------------------------------------------


def test_who_is_asked() -> None:
    def asked(*feeds: FeedState, **choice: Any) -> list[int]:
        chosen = {"resting": (), "only": None, "force": False, **choice}
        return [feed.id for feed in feeds_to_ask(feeds, now=NOW, params=PARAMS, **chosen)]

    due, later = FRESH, replace(FRESH, id=2, url=Url("https://b.example/"), next_poll_at=NOW + HOUR)
    gone = replace(FRESH, id=3, url=Url("https://c.example/"), gone=True)
    twin = replace(FRESH, id=4, source=source("other"), next_poll_at=NOW + HOUR)  # at the address of the first
    assert asked(due, later, gone, twin) == [1, 4]
    assert asked(due, later, gone, twin, force=True) == [1, 2, 4]
    spelled = replace(twin, url=Url(URL.replace("https://", "HTTPS://") + "#x"))
    assert asked(due, later, gone, spelled) == [1, 4]
    assert asked(due, later, gone, only={"nobody"}) == []
    resting = replace(later, id=5, url=Url("https://wire.example/b"), left_alone_until=NOW + HOUR)
    assert asked(due, later, resting, force=True) == [1, 2]  # the rest was of the host that a redirect led to
    assert asked(due, later, resting, force=True, resting={"wire.example"}) == [2]
    for until in (NOW, NOW + timedelta(days=100)):  # past; planned by a clock that ran ahead
        assert asked(replace(resting, left_alone_until=until), force=True) == [5]


def test_one_request_for_an_address_is_conditional_where_all_hold_the_same_reply() -> None:
    twin = replace(WATCHED, id=2)
    assert request_for([WATCHED, twin]) == FetchRequest(1, URL, '"old"', "Mon")
    assert request_for([WATCHED, replace(FRESH, id=2)]) == FetchRequest(1, URL)


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
    gone = after_failure(WATCHED, failure(FailureKind.GONE), NOW, PARAMS)
    assert (gone.gone, gone.next_poll_at, gone.failures_in_row) == (True, None, 4)
    assert not after_failure(WATCHED, failure(FailureKind.STATUS), NOW, PARAMS).gone


MOVED = replace(WATCHED, moved_url=Url("https://new.example/feed"), failures_in_row=0)


@pytest.mark.parametrize(
    ("kind", "status", "before", "given_up"),
    [
        (FailureKind.GONE, 410, 0, True),
        (FailureKind.STATUS, 404, 0, True),
        (FailureKind.DNS, None, 0, True),
        (FailureKind.HTML, 200, 0, True),
        (FailureKind.STATUS, 500, 1, False),
        (FailureKind.STATUS, 500, 2, True),
        (FailureKind.TIMEOUT, None, 2, True),
        (FailureKind.RATE_LIMITED, 429, 9, False),
    ],
)
def test_an_address_that_a_feed_has_moved_to_is_given_up_when_it_dies(
    kind: FailureKind, status: int | None, before: int, given_up: bool
) -> None:
    feed = replace(MOVED, failures_in_row=before)
    polled = failure(kind, feed, status=status)
    after = after_failure(feed, polled, NOW, PARAMS)
    assert after.ask_url == (URL if given_up else MOVED.moved_url)
    assert (after.gone, after.etag) == (False, None if given_up else '"old"')
    assert after.failures_in_row == before + 1
    told = with_words_on_move(polled, PARAMS).failure
    assert told is not None
    assert ("configured address is asked again" in told.message) is given_up


def test_what_has_not_moved_or_not_failed_is_not_given_up() -> None:
    assert not gives_up_move(WATCHED, Failure(FailureKind.GONE, "no"), 410, PARAMS)
    assert not gives_up_move(MOVED, None, 200, PARAMS)
    assert with_words_on_move(success(MOVED), PARAMS).failure is None


@pytest.mark.parametrize(
    ("rest", "wait"), [(2 * HOUR, 2 * HOUR), (timedelta(days=30), timedelta(days=7)), (None, 29 * MINUTE)]
)
def test_a_feed_that_waits_for_its_host_counts_no_failure(rest: timedelta | None, wait: timedelta) -> None:
    reply = FetchReply(1, FetchOutcome.NOT_ASKED, URL, retry_after=rest)
    feed = put_off(WATCHED, reply, NOW, PARAMS)
    assert feed.failures_in_row == WATCHED.failures_in_row
    assert waits(feed) == wait
    assert feed.left_alone_until == (None if rest is None else NOW + wait)


def test_a_feed_that_loses_entries_is_asked_more_often_within_bounds() -> None:
    daily = tuple(NOW - timedelta(days=day) for day in range(6, 0, -1))
    for hurry, interval in ((None, 2 * HOUR), (HOUR, HOUR), (MINUTE, 10 * MINUTE), (9 * HOUR, 2 * HOUR)):
        feed = replace(WATCHED, news_hours=daily, hurry=hurry)
        assert planned_interval(feed, NOW, PARAMS) == interval
    wish = replace(WATCHED, news_hours=daily, hurry=HOUR, poll_hint=5 * HOUR)
    assert planned_interval(wish, NOW, PARAMS) == 5 * HOUR


def test_a_host_that_was_asked_too_often_rests_even_if_it_names_no_time() -> None:
    replies = [failure(FailureKind.RATE_LIMITED).reply, failure(FailureKind.FORBIDDEN).reply]
    assert asked_for_rest(replies[:1], NOW, PARAMS) == {"wire.example": NOW + PARAMS.unnamed_rest}
    assert asked_for_rest(replies[1:], NOW, PARAMS) == {}


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
    until = asked_for_rest([polled.reply for polled in polls], NOW, PARAMS)
    assert until == {"wire.example": NOW + 2 * HOUR}
    found = left_alone(feeds, until)
    assert [(feed.id, waits(feed)) for feed in found] == [(1, 2 * HOUR), (2, 2 * HOUR), (3, 3 * HOUR)]
    assert {feed.left_alone_until for feed in found} == {NOW + 2 * HOUR}


# -- a clock that was set back, and what is due next ------------------------------------------------


def test_a_feed_whose_last_success_lies_ahead_is_due() -> None:
    ahead = replace(WATCHED, last_success_at=NOW + 24 * HOUR, next_poll_at=NOW + 25 * HOUR)
    assert is_due(ahead, NOW, PARAMS)
    assert not is_due(replace(ahead, last_success_at=NOW + MINUTE), NOW, PARAMS)  # a clock set by a second or two


def test_a_failure_takes_a_success_that_lies_ahead_back_to_now() -> None:
    ahead = replace(WATCHED, first_success_at=NOW - HOUR, last_success_at=NOW + 24 * HOUR, next_poll_at=NOW + 25 * HOUR)
    after = after_failure(ahead, failure(FailureKind.DNS, ahead), NOW, PARAMS)
    assert (after.first_success_at, after.last_success_at) == (NOW - HOUR, NOW)
    assert not is_due(after, NOW, PARAMS)
    never = after_failure(FRESH, failure(FailureKind.DNS, FRESH), NOW, PARAMS)
    assert (never.first_success_at, never.last_success_at) == (None, None)


def test_what_is_due_next_is_the_first_feed_that_may_be_asked() -> None:
    soon, later = replace(WATCHED, next_poll_at=NOW + MINUTE), replace(WATCHED, next_poll_at=NOW + HOUR)
    assert next_due([later, soon], {}, NOW, PARAMS) == NOW + MINUTE
    assert next_due([FRESH, later], {}, NOW, PARAMS) == NOW
    assert next_due([FRESH], {"wire.example": NOW + HOUR}, NOW, PARAMS) == NOW + HOUR
    alone = replace(soon, left_alone_until=NOW + 2 * HOUR)
    assert next_due([alone, replace(FRESH, gone=True)], {}, NOW, PARAMS) == NOW + 2 * HOUR
    assert next_due([], {}, NOW, PARAMS) is None
