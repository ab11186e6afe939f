"""The hourly series and the standing of its hours."""

from datetime import datetime, timedelta

import pytest
from tests.core.stories.story_make import NOON, TEN_MINUTES, aged, all_watched, hours, polled, report

from storyheat.core.feeds.watch import FeedWatch, Watch
from storyheat.core.heat.evidence import gather, seconds_of
from storyheat.core.heat.rule import HOUR, HeatRule, heat_at
from storyheat.core.heat.series import DEFAULT_PERIOD, PERIODS, Period, hours_between, series
from storyheat.core.heat.standing import Knowledge, standing_at
from storyheat.core.model import Role, SourceId, Standing

RULE = HeatRule()
A, B = SourceId("a"), SourceId("b")
OBSERVED, PARTIAL, REBUILT, UNKNOWN = Standing.OBSERVED, Standing.PARTIAL, Standing.REBUILT, Standing.UNKNOWN


# -- standing -----------------------------------------------------------------------------------

TWO = gather([report("A", NOON), report("B", NOON + hours(1))])
LATE = polled(NOON + hours(6), NOON + hours(99))  # first fetched six hours after noon
FULL = polled(NOON - hours(99), NOON + hours(99))
LOST = polled(NOON - hours(99), NOON + hours(99), (NOON + hours(1), NOON + hours(5)))
NEVER = Watch((FeedWatch(None, None, TEN_MINUTES),))


@pytest.mark.parametrize(
    ("a", "b", "at", "known"),
    [
        (FULL, FULL, 2, Knowledge(OBSERVED)),
        (FULL, LOST, 2, Knowledge(PARTIAL, (B,))),
        (LOST, LOST, 2, Knowledge(UNKNOWN, (A, B))),
        (LATE, LATE, 2, Knowledge(REBUILT, (A, B))),
        (LATE, LATE, 6, Knowledge(OBSERVED)),
        (LATE, FULL, 2, Knowledge(PARTIAL, (A,))),
        (LATE, LOST, 2, Knowledge(UNKNOWN, (A, B))),  # one had begun and one had not: nothing vouches
        (LATE, NEVER, 2, Knowledge(REBUILT, (A, B))),
        (FULL, LOST, 0.5, Knowledge(OBSERVED)),  # B has not spoken yet: it is not needed
        (LOST, FULL, 48.5, Knowledge(OBSERVED)),  # A is out of the window
        # None needed: before the first report and after the last has left the window.
        (FULL, NEVER, -1, Knowledge(OBSERVED)),
        (LATE, LATE, -1, Knowledge(UNKNOWN, (A, B))),
        (FULL, FULL, 60, Knowledge(OBSERVED)),
        (NEVER, LOST, 60, Knowledge(OBSERVED)),
        (FULL, FULL, 101, Knowledge(UNKNOWN, (A, B))),
    ],
)
def test_standing(a: Watch, b: Watch, at: float, known: Knowledge) -> None:
    assert standing_at(TWO, {A: a, B: b}, NOON + hours(at), RULE) == known


def test_a_source_without_a_watch_was_never_fetched() -> None:
    assert standing_at(TWO, {}, NOON + hours(2), RULE) == Knowledge(REBUILT, (A, B))
    assert standing_at(TWO, {A: FULL}, NOON + hours(2), RULE) == Knowledge(PARTIAL, (B,))


def test_an_overtaken_report_still_needs_its_source() -> None:
    story = gather([report("A", NOON, source="a"), report("A", NOON + hours(1), source="b")])
    assert standing_at(story, {A: LOST, B: FULL}, NOON + hours(2), RULE) == Knowledge(PARTIAL, (A,))


def test_mentions_and_copies_need_no_source_but_can_vouch_for_silence() -> None:
    story = gather([report("A", NOON), report("B", NOON, role=Role.MENTION)])
    assert standing_at(story, {A: FULL, B: NEVER}, NOON, RULE) == Knowledge(OBSERVED)
    assert standing_at(story, {A: LATE, B: FULL}, NOON - hours(1), RULE) == Knowledge(OBSERVED)


# -- series -------------------------------------------------------------------------------------


def test_the_named_periods() -> None:
    assert list(PERIODS) == ["24h", "3d", "7d", "30d", "all"]
    assert PERIODS[DEFAULT_PERIOD] == timedelta(days=7)


@pytest.mark.parametrize(
    ("at", "period", "first", "last", "count"),
    [
        (NOON, hours(24), NOON - hours(23), NOON, 24),
        (NOON + hours(0.75), hours(24), NOON - hours(23), NOON, 24),
        (NOON + timedelta(seconds=1), hours(24), NOON - hours(23), NOON, 24),
        (NOON, "all", NOON - hours(30), NOON, 31),  # first report 29.5 hours before noon
        (NOON - hours(29.25), "all", NOON - hours(30), NOON - hours(30), 1),
    ],
)
def test_full_hours_of_a_period(at: datetime, period: Period, first: datetime, last: datetime, count: int) -> None:
    made = series(aged(29.5, 3), all_watched("v0", "v1"), at, period, RULE)
    assert (made.hours[0].at, made.hours[-1].at, len(made.hours)) == (first, last, count)
    assert all(one.at.utcoffset() == timedelta(0) for one in made.hours)
    assert made.now.at == at


@pytest.mark.parametrize(
    ("at", "period"),
    [
        (NOON - hours(40), "all"),  # before the first report
        (NOON + hours(0.5), hours(0.25)),  # no full hour inside
    ],
)
def test_a_period_may_hold_no_full_hour(at: datetime, period: Period) -> None:
    assert series(aged(29.5), {}, at, period, RULE).hours == ()


def test_a_story_without_reports_has_no_hours_of_its_own() -> None:
    story = gather([report("A", NOON, role=Role.MENTION)])
    made = series(story, all_watched("a"), NOON, "all", RULE)
    assert made.hours == ()
    assert (made.now.heat, made.now.voices, made.now.standing) == (0, 0, OBSERVED)
    assert [one.heat for one in series(story, {}, NOON, hours(3), RULE).hours] == [0, 0, 0]


def test_each_hour_tells_heat_voices_new_reports_and_standing() -> None:
    story = gather(
        [
            report("A", NOON),  # on the full hour: new in the hour that ends here
            report("A", NOON + hours(0.5)),
            report("B", NOON + hours(1)),
            report("C", NOON + hours(1.5), role=Role.COPY),
        ]
    )
    watches = {A: FULL, B: LOST}
    made = series(story, watches, NOON + hours(2.25), hours(4), RULE)
    assert [(one.at - NOON, one.voices, one.new_reports, one.standing, one.behind) for one in made.hours] == [
        (hours(-1), 0, 0, OBSERVED, ()),
        (hours(0), 1, 1, OBSERVED, ()),
        (hours(1), 2, 2, OBSERVED, ()),
        (hours(2), 2, 0, PARTIAL, (B,)),
    ]
    assert [one.heat for one in made.hours] == [heat_at(story, one.at, RULE) for one in made.hours]
    assert (made.now.at, made.now.voices, made.now.new_reports) == (NOON + hours(2.25), 2, 0)


def test_the_end_is_the_last_full_hour_when_it_is_one() -> None:
    made = series(aged(3), all_watched("v0"), NOON, hours(24), RULE)
    assert made.hours[-1] == made.now


def test_single_hours_are_the_same_values_as_in_a_series() -> None:
    story, watches = aged(29.5, 3), all_watched("v0", "v1")
    made = series(story, watches, NOON, hours(24), RULE)
    some = range(seconds_of(NOON) - 3 * HOUR, seconds_of(NOON), HOUR)
    assert hours_between(story, watches, some, RULE) == made.hours[-4:-1]
