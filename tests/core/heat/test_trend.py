"""Heat now, the peak of a period, and the 24-hour change; the widget of the story page."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.core.stories.story_make import NOON, aged, all_watched, hours, polled, report

from storyheat.core.heat.evidence import gather
from storyheat.core.heat.rule import HeatRule, half_up, heat_at, receipt
from storyheat.core.heat.series import PERIODS
from storyheat.core.heat.standing import Watches
from storyheat.core.heat.trend import Change, ChangeParams, change_24h, peak, trend
from storyheat.core.model import ChangeStanding, Role, SourceId, Standing

RULE = HeatRule()
WEEK = PERIODS["7d"]


# -- the widget ---------------------------------------------------------------------------------


def utc(day: int, hour: int, minute: int) -> datetime:
    """An instant of October 2026."""
    return datetime(2026, 10, day, hour, minute, tzinfo=UTC)


WIDGET = gather([report("B", utc(25, 23, 30)), report("A", utc(26, 22, 50))])
WIDGET_AT = utc(27, 23, 45)
WIDGET_WATCHES: Watches = {SourceId(source): polled(utc(27, 0, 10), utc(27, 23, 40)) for source in ("a", "b")}


def test_the_widget() -> None:
    shown = trend(WIDGET, WIDGET_WATCHES, WIDGET_AT, WEEK, RULE)
    assert shown.current == pytest.approx(4.869, abs=5e-4)
    assert str(half_up(shown.current)) == "5"
    assert shown.peak.value == pytest.approx(15.025, abs=5e-4)
    assert str(half_up(shown.peak.value)) == "15"
    assert (shown.peak.at, shown.peak.standing) == (utc(26, 23, 0), Standing.REBUILT)
    assert [(term.voice, str(half_up(term.points, 2))) for term in shown.peak.terms] == [
        ("A", "9.95"),
        ("B", "5.07"),
    ]
    assert shown.change == Change(None, None, ChangeStanding.UNOBSERVED, "not watched 24 hours ago")


def test_the_neighbours_of_the_widget() -> None:
    assert (
        receipt(WIDGET, utc(26, 23, 0), RULE).terms == trend(WIDGET, WIDGET_WATCHES, WIDGET_AT, WEEK, RULE).peak.terms
    )
    assert heat_at(WIDGET, utc(27, 23, 0), RULE) == pytest.approx(7.512, abs=5e-4)
    second = timedelta(seconds=1)
    assert len(receipt(WIDGET, utc(27, 23, 30) - second, RULE).terms) == 2
    assert [term.voice for term in receipt(WIDGET, utc(27, 23, 30), RULE).terms] == ["A"]


# -- peak ---------------------------------------------------------------------------------------


def test_of_equal_peaks_the_earliest_is_taken() -> None:
    story = gather([report("A", NOON), report("A", NOON + hours(5))])
    found = peak(story, all_watched("a"), NOON + hours(6), WEEK, RULE)
    assert (found.value, found.at) == (10, NOON)


def test_the_end_may_be_the_peak_without_being_a_full_hour() -> None:
    found = peak(aged(0.25), all_watched("v0"), NOON - hours(0.125), WEEK, RULE)
    assert found.at == NOON - hours(0.125)
    assert found.value == heat_at(aged(0.25), found.at, RULE)


def test_what_lies_before_the_period_counts_only_as_far_as_it_reaches_in() -> None:
    story = aged(30, 1)
    found = peak(story, all_watched("v0", "v1"), NOON - hours(2), hours(24), RULE)
    assert found.at == NOON - hours(25)  # the first full hour after the period's beginning
    assert found.value == heat_at(story, found.at, RULE)


def test_a_cold_story_peaks_at_zero_at_its_first_hour() -> None:
    found = peak(gather([report("A", NOON, role=Role.MENTION)]), {}, NOON, hours(24), RULE)
    assert (found.value, found.at, found.standing, found.terms) == (0, NOON - hours(23), Standing.UNKNOWN, ())
    assert peak(gather([]), {}, NOON, "all", RULE).at == NOON


# -- change -------------------------------------------------------------------------------------


def test_change_over_watched_voices() -> None:
    change = change_24h(aged(30, 1), all_watched("v0", "v1"), NOON, RULE)
    base = 10 * 2 ** (-6 / 24)
    now = 10 * 2 ** (-30 / 24) + 10 * 2 ** (-1 / 24)
    assert change.points == pytest.approx(now - base)
    assert change.percent == pytest.approx(100 * (now - base) / base)
    assert (change.standing, change.reason) == (ChangeStanding.OK, None)


@pytest.mark.parametrize(("age", "standing"), [(24, ChangeStanding.OK), (23.99, ChangeStanding.YOUNG)])
def test_a_story_is_young_until_a_report_was_effective_24_hours_ago(age: float, standing: ChangeStanding) -> None:
    assert change_24h(aged(age), all_watched("v0"), NOON, RULE).standing == standing


def test_young_goes_before_all_else_and_gives_no_numbers() -> None:
    young = Change(None, None, ChangeStanding.YOUNG, "new in the last 24 hours")
    assert change_24h(aged(1), {}, NOON, RULE) == young
    assert change_24h(gather([]), {}, NOON, RULE) == young
    assert change_24h(gather([report("A", NOON - hours(40), role=Role.COPY)]), {}, NOON, RULE) == young


def test_from_zero_there_are_points_but_no_per_cent() -> None:
    change = change_24h(aged(80, 1), all_watched("v0", "v1"), NOON, RULE)
    assert change.points == heat_at(aged(1), NOON, RULE)
    assert (change.percent, change.standing, change.reason) == (None, ChangeStanding.ZERO, "was at zero")


def test_zero_at_both_ends_meets_the_test_even_unwatched() -> None:
    assert change_24h(aged(80), {}, NOON, RULE) == Change(0, None, ChangeStanding.ZERO, "was at zero")


def test_heat_that_has_gone_is_a_fall_by_all() -> None:
    change = change_24h(aged(50), all_watched("v0"), NOON, RULE)
    assert (change.points, change.percent) == (-heat_at(aged(26), NOON, RULE), -100)


@pytest.mark.parametrize(("watched", "standing"), [(4, ChangeStanding.OK), (3, ChangeStanding.UNOBSERVED)])
def test_watched_voices_must_carry_four_fifths(watched: int, standing: ChangeStanding) -> None:
    story = aged(*[31.6] * 5)  # exactly 80 %, which floating point here makes a little less
    change = change_24h(story, all_watched(*(f"v{n}" for n in range(watched))), NOON, RULE)
    assert change.standing == standing
    if standing == ChangeStanding.OK:  # the fifth voice is in neither number
        four = aged(*[31.6] * 4)
        assert change.points == heat_at(four, NOON, RULE) - heat_at(four, NOON - hours(24), RULE)
        assert change.percent == pytest.approx(-50)


def test_the_share_is_a_parameter() -> None:
    watches = all_watched("v0")
    assert change_24h(aged(30, 30), watches, NOON, RULE).standing == ChangeStanding.UNOBSERVED
    half = change_24h(aged(30, 30), watches, NOON, RULE, ChangeParams(least_share=0.5))
    assert half.standing == ChangeStanding.OK


def test_the_test_holds_at_both_ends() -> None:
    watches = all_watched("v0")  # V1 is not watched
    newer = aged(30, 1)  # V1 carries most of the heat now and none of it then
    assert change_24h(newer, watches, NOON, RULE).standing == ChangeStanding.UNOBSERVED
    older = gather([report("V0", NOON), report("V0", NOON - hours(70)), report("V1", NOON - hours(70))])
    assert change_24h(older, watches, NOON, RULE).standing == ChangeStanding.UNOBSERVED


def test_a_voice_is_watched_through_the_source_it_spoke_through_and_silent_through_all() -> None:
    spoke = report("A", NOON - hours(1), source="a1")
    before = report("A", NOON - hours(100), source="a2")
    still = report("B", NOON - hours(30))
    story = gather([spoke, before, still])
    # 24 hours ago A was silent: both its sources must have been watched to know that.
    assert change_24h(story, all_watched("a1", "b"), NOON, RULE).standing == ChangeStanding.UNOBSERVED
    assert change_24h(story, all_watched("a1", "a2", "b"), NOON, RULE).standing == ChangeStanding.OK
    # It spoke 24 hours ago and speaks now through a1: a2 is not asked.
    again = gather([spoke, before, still, report("A", NOON - hours(25), source="a1", item="x")])
    assert change_24h(again, all_watched("a1", "b"), NOON, RULE).standing == ChangeStanding.OK
