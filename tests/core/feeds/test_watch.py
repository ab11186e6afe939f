"""Whether a source was watched at an instant."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.stories.story_make import NOON, TEN_MINUTES, hours, polled

from storyheat.core.feeds.watch import UNWATCHED, FeedWatch, Watch, WatchParams, reach

SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("interval_minutes", "reach_minutes"), [(10, 90), (30, 90), (31, 93), (60, 180), (24 * 60, 72 * 60)]
)
def test_reach_is_three_polls_but_at_least_ninety_minutes(interval_minutes: int, reach_minutes: int) -> None:
    assert reach(timedelta(minutes=interval_minutes)) == timedelta(minutes=reach_minutes)


def test_reach_follows_its_parameters() -> None:
    assert reach(hours(1), WatchParams(polls=5, least=SECOND)) == hours(5)


def test_a_feed_is_watched_from_its_first_success_to_its_reach_after_the_last() -> None:
    watch = polled(NOON, NOON + hours(10))
    end = NOON + hours(11.5)
    assert [watch.watched_at(at) for at in (NOON - SECOND, NOON, NOON + hours(5), end, end + SECOND)] == [
        False,
        True,
        True,
        True,
        False,
    ]
    assert watch.first_success == NOON


@pytest.mark.parametrize(
    ("at", "watched"),
    [
        (NOON + hours(2), True),  # the success before the hole: all was seen up to here
        (NOON + hours(2) + SECOND, False),
        (NOON + hours(5) - SECOND, False),
        (NOON + hours(5), True),  # the fetch that ends it
        (NOON + hours(7), True),
        (NOON + hours(8.5), False),
    ],
)
def test_a_hole_is_open_at_both_ends(at: datetime, watched: bool) -> None:
    watch = polled(NOON, NOON + hours(10), (NOON + hours(2), NOON + hours(5)), (NOON + hours(8), NOON + hours(9)))
    assert watch.watched_at(at) is watched


def test_what_was_never_fetched_is_never_watched() -> None:
    never = FeedWatch(None, None, TEN_MINUTES)
    assert not Watch((never,)).watched_at(NOON)
    assert not Watch((never,)).begun(NOON)
    assert Watch((never,)).first_success is None
    assert not UNWATCHED.watched_at(NOON)
    assert never.behind(NOON)


def feed(first: float, last: float, hole: tuple[float, float] | None = None, followed: bool = True) -> FeedWatch:
    """A feed whose instants are hours after noon."""
    holes = () if hole is None else ((NOON + hours(hole[0]), NOON + hours(hole[1])),)
    return FeedWatch(NOON + hours(first), NOON + hours(last), TEN_MINUTES, holes, followed)


GOOD = feed(0, 24)


@pytest.mark.parametrize(
    ("other", "at", "watched"),
    [
        (feed(5, 24), 4, True),  # a feed that comes later does not darken the time before
        (feed(5, 24), 5, True),
        (feed(0, 2), 3.5, True),
        (feed(0, 2), 3.6, False),  # one of two feeds has fallen behind
        (feed(0, 2, followed=False), 3.6, True),  # but nobody waits for this one
        (feed(0, 24, (6, 9)), 7, False),
        (feed(0, 9, (6, 9), followed=False), 7, False),  # it was followed then, and had a hole
        (FeedWatch(None, None, TEN_MINUTES), 3, True),
    ],
)
def test_a_source_of_several_feeds_needs_all_that_had_begun(other: FeedWatch, at: float, watched: bool) -> None:
    for feeds in ((GOOD, other), (other, GOOD)):
        assert Watch(feeds).watched_at(NOON + hours(at)) is watched
        assert Watch(feeds).first_success == NOON


def test_feeds_that_are_all_given_up_watch_nothing_any_more() -> None:
    watch = Watch((feed(0, 2, followed=False),))
    assert watch.watched_at(NOON + hours(3))
    assert not watch.watched_at(NOON + hours(4))
    assert watch.begun(NOON + hours(4))


INSTANTS = st.integers(0, 40).map(lambda number: NOON + timedelta(minutes=number * 30))
FEEDS = st.builds(
    FeedWatch,
    first_success=st.none() | INSTANTS,
    last_success=st.none() | INSTANTS,
    reach=st.sampled_from([timedelta(minutes=90), hours(3)]),
    holes=st.lists(st.tuples(INSTANTS, INSTANTS), max_size=3).map(tuple),
    followed=st.booleans(),
)


@given(st.lists(FEEDS, max_size=3), INSTANTS, st.sampled_from([timedelta(), SECOND, -SECOND]))
def test_what_was_watched_is_as_it_is_defined(feeds: list[FeedWatch], at: datetime, beside: timedelta) -> None:
    at += beside
    started = [feed for feed in feeds if feed.started(at)]
    missing = any(
        any(start < at < end for start, end in feed.holes) or (feed.followed and feed.behind(at)) for feed in started
    )
    some = any(not feed.behind(at) for feed in started)
    assert Watch(tuple(feeds)).watched_at(at) is (some and not missing)
