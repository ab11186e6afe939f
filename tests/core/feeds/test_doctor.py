"""What the feed doctor finds, one finding after the other."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.make import entry, utc

from storyheat.core.feeds.doctor import TODO, FeedHealth, Finding, FindingKind, Oddities, examine, oddities
from storyheat.core.feeds.polling import PollParams
from storyheat.core.model import FailureKind, ParsedFeed, Precision, Published, SourceId

NOW = utc("2026-11-10 12:00")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
URL = "https://user:secret@one.example/feed"
WELL = FeedHealth(
    source=SourceId("one"),
    url=URL,
    enabled=True,
    gone=False,
    failures_in_row=0,
    restamp_strikes=0,
    interval=HOUR,
    next_poll_at=NOW + HOUR / 2,
    first_success_at=NOW - 300 * DAY,
    last_success_at=NOW - HOUR / 2,
    last_poll_at=NOW - HOUR / 2,
    last_outcome="updated",
    last_failure_kind=None,
    last_failure=None,
    entries=20,
    remarks=(),
    owner="one",
    body_changed_at=NOW - HOUR / 2,
    news_hours=tuple(NOW - DAY * number for number in reversed(range(10))),
)


def found(*others: FeedHealth, **changes: Any) -> tuple[Finding, ...]:
    feed = replace(WELL, **changes)
    return examine(feed, [feed, *others], NOW, PollParams())


def the(*others: FeedHealth, **changes: Any) -> tuple[FindingKind, str]:
    """The one finding: its kind and what is seen."""
    (one,) = found(*others, **changes)
    assert one.todo
    assert "secret" not in one.seen + one.todo
    return one.kind, one.seen


def quiet(days: int, gap: timedelta = DAY) -> tuple[Any, ...]:
    """Hours of news that end so many days ago."""
    return tuple(NOW - days * DAY - gap * number for number in reversed(range(10)))


def test_nothing_is_found_about_a_feed_that_is_well_or_not_followed() -> None:
    assert found() == ()
    assert found(enabled=False, gone=True, failures_in_row=3) == ()
    assert found(first_success_at=None, last_success_at=None, last_poll_at=None, news_hours=()) == ()


# -- it does not answer ---------------------------------------------------------------------------


def test_gone() -> None:
    assert the(gone=True, failures_in_row=1)[0] is FindingKind.GONE


@pytest.mark.parametrize("kind", list(FailureKind))
def test_every_kind_of_failure_has_a_finding_and_something_to_do(kind: FailureKind) -> None:
    own = {FailureKind.CHALLENGE, FailureKind.HTML, FailureKind.REFUSED_ADDRESS, FailureKind.GONE}
    (finding,) = found(failures_in_row=3, failing_since=NOW - 3 * DAY, last_failure_kind=kind.value, last_failure="no")
    assert finding.kind == (kind.value if kind in own else "failing")
    assert finding.seen == "failed 3 times in a row since 2026-11-07: no"
    assert finding.todo == TODO[kind]


def test_a_single_failure() -> None:
    assert the(failures_in_row=1, last_failure="no") == (FindingKind.FAILING, "failed once: no")
    assert the(failures_in_row=1, last_failure="no", failing_since=NOW)[1] == "failed once, on 2026-11-10: no"


def test_behind() -> None:
    kind, seen = the(last_success_at=NOW - 5 * HOUR)
    assert (kind, seen) == (FindingKind.BEHIND, "not polled for 5 hours, although it is asked every 60 minutes")


# -- it says less than it used to -----------------------------------------------------------------


def test_silence_is_judged_by_the_feeds_own_rhythm() -> None:
    kind, seen = the(news_hours=quiet(6))
    assert kind is FindingKind.SILENT
    assert seen == "nothing new since 2026-11-04, 6 days ago; usually there is news every 24 hours"
    assert found(news_hours=quiet(6, 7 * DAY)) == ()
    assert found(news_hours=quiet(4, HOUR)) == ()  # a long weekend
    assert the(news_hours=quiet(5, HOUR))[0] is FindingKind.SILENT
    holiday = (*quiet(40)[:5], *quiet(10)[-5:])  # it was silent for a month before
    assert found(news_hours=holiday) == ()


def test_a_silence_that_lasts_is_a_frozen_feed() -> None:
    kind, seen = the(news_hours=quiet(200))
    assert kind is FindingKind.FROZEN
    assert seen.endswith("every 24 hours")
    assert the(news_hours=quiet(200), body_changed_at=NOW - 100 * DAY)[1].endswith(
        "; the very same bytes since 100 days"
    )


def test_the_same_bytes_for_months_are_a_frozen_feed_whatever_its_rhythm() -> None:
    kind, seen = the(news_hours=(), body_changed_at=NOW - 100 * DAY)
    assert (kind, seen) == (FindingKind.FROZEN, "it sends the very same bytes since 100 days")
    assert found(news_hours=(), body_changed_at=NOW - 20 * DAY) == ()
    assert found(news_hours=(), body_changed_at=None) == ()


def test_empty_where_it_listed_more_before() -> None:
    told = "empty since 2026-11-06: for 3 days it has answered well and listed nothing"
    kind, seen = the(empty_since=NOW - 4 * DAY, entries=0)
    assert (kind, seen) == (FindingKind.EMPTY, f"{told}; usually there is news every 24 hours")
    assert the(empty_since=NOW - 4 * DAY, entries=0, news_hours=()) == (FindingKind.EMPTY, told)
    assert found(empty_since=NOW - 2 * DAY, entries=0) == ()  # looked at half an hour ago
    assert found(empty_since=NOW - 4 * DAY, entries=0, news_hours=quiet(4, gap=3 * DAY)) == ()  # half of two gaps
    kinds = [one.kind for one in found(empty_since=NOW - 90 * DAY, entries=0, news_hours=quiet(90))]
    assert kinds == [FindingKind.EMPTY]  # and of the same cause silent, which says less
    assert found(empty_since=NOW - 4 * DAY, last_success_at=None, entries=0) == ()


def test_a_feed_that_fails_is_not_called_silent_as_well() -> None:
    assert the(failures_in_row=1, last_failure="no", news_hours=quiet(200))[0] is FindingKind.FAILING


def test_items_that_scroll_off_between_polls() -> None:
    hole = (NOW - 30 * HOUR, NOW - 29 * HOUR)
    kind, seen = the(holes=(hole,))
    assert kind is FindingKind.SCROLLS_OFF
    assert seen.startswith("once in the last 14 days")
    (finding,) = found(holes=(hole, (NOW - 10 * HOUR, NOW - 9 * HOUR)))
    assert finding.seen.startswith("2 times")
    assert finding.todo == "poll more often: poll_minutes: 30 at one"
    assert found(holes=((NOW - 30 * HOUR, NOW - 20 * HOUR),)) == ()  # we were away, not too slow
    assert found(holes=((NOW - 20 * DAY, NOW - 20 * DAY + HOUR),)) == ()  # long past


# -- what it says is odd --------------------------------------------------------------------------


def test_moving_dates_future_dates_and_ids() -> None:
    assert the(restamp_strikes=2)[0] is FindingKind.MOVING_DATES
    kind, seen = the(future_dates=2)
    assert (kind, seen[:43]) == (FindingKind.FUTURE_DATES, "2 of 20 entries are dated in the future; th")
    assert the(shared_ids=4)[0] is FindingKind.SHARED_IDS
    assert the(without_id=4)[0] is FindingKind.WITHOUT_ID
    (shared,), (moving,) = found(shared_ids=4), found(restamp_strikes=2)
    assert (shared.is_mild, moving.is_mild) == (True, False)
    kinds = [one.kind for one in found(restamp_strikes=2, future_dates=1, shared_ids=1, without_id=1, moved_url="x")]
    assert kinds == sorted(kinds, key=list(FindingKind).index)


def parsed(*entries: Any, form: str = "rss20") -> ParsedFeed:
    return ParsedFeed(format=form, title=None, site=None, language=None, entries=entries)


def test_missing_ids_count_where_there_should_be_one() -> None:
    plain = [entry("A", "https://one.example/a"), entry("B", "https://one.example/b")]
    assert oddities(parsed(*plain), NOW) == Oddities(0, 0, 0)
    assert oddities(parsed(*plain, form="atom10"), NOW).without_id == 2
    assert oddities(parsed(*plain, entry("C", "https://one.example/c", guid="c")), NOW).without_id == 2
    assert oddities(parsed(*plain, entry("D")), NOW).without_id == 1


def test_an_id_is_shared_when_it_names_two_articles() -> None:
    twice = [entry("A", "https://one.example/a", guid="1"), entry("A again", "https://one.example/a", guid="1")]
    assert oddities(parsed(*twice), NOW).shared_ids == 0
    assert oddities(parsed(*twice, entry("B", guid="1")), NOW).shared_ids == 3
    assert oddities(parsed(entry("A", guid="1"), entry("B", guid="1")), NOW).shared_ids == 2


def test_a_date_is_ahead_beyond_what_clocks_and_zones_explain() -> None:
    day = Published(NOW + 20 * HOUR, Precision.DAY)
    dates: list[Any] = [NOW, NOW + HOUR, NOW + 8 * HOUR, day, replace(day, at=NOW + 30 * HOUR), None]
    entries = [entry(f"{number}", guid=f"{number}", at=at) for number, at in enumerate(dates)]
    assert oddities(parsed(*entries), NOW).future_dates == 2


# -- its address ----------------------------------------------------------------------------------


def test_two_feeds_of_one_owner_that_list_the_same() -> None:
    items = frozenset("abcdefghij")
    other = replace(WELL, source=SourceId("two"), url="https://user:secret@one.example/all", items=items | {"k"})
    kind, seen = the(other, items=items)
    assert (kind, seen) == (
        FindingKind.TWIN,
        "10 of its 10 entries stand in https://…@one.example/all of two too",
    )
    assert found(other, items=frozenset("abcde") | {"x", "y"}) == ()
    assert found(other, items=frozenset("abc")) == ()
    assert found(replace(other, owner="else"), items=items) == ()
    assert found(replace(other, enabled=False), items=items) == ()


def test_a_permanent_move() -> None:
    (finding,) = found(moved_url="https://new.example/feed")
    assert finding.kind is FindingKind.MOVED
    assert finding.todo == "write url: https://new.example/feed in feeds.yaml"
    assert found(moved_url=URL) == ()
