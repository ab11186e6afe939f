"""The figures of a story in a list, and which of its hours are kept."""

from datetime import timedelta

from tests.core.stories.story_make import NOON, all_watched, hours, report

from storyheat.core.heat.evidence import EPOCH, Evidence, Exclusion, gather
from storyheat.core.heat.figures import Figures, figures_of, kept_hours, memory
from storyheat.core.heat.rule import HeatRule
from storyheat.core.heat.series import DEFAULT_PERIOD, PERIODS
from storyheat.core.model import Role, StoryId

RULE = HeatRule()
STORY = StoryId("s1")


def figures(evidence: Evidence) -> Figures:
    return figures_of(STORY, evidence, all_watched("a", "b"), NOON, PERIODS[DEFAULT_PERIOD], RULE)


def test_figures_count_voices_reports_and_the_rest() -> None:
    one = figures(
        gather(
            [
                report("A", NOON - hours(30)),
                report("A", NOON - hours(3)),
                report("B", NOON - hours(1)),
                report("C", NOON - hours(40), role=Role.MENTION),
                report("D", NOON - hours(0.5), role=Role.COPY),
                report("E", NOON, excluded=Exclusion.BACKLOG),
            ]
        )
    )
    assert (one.story, one.voices, one.reports, one.mentions, one.copies) == (STORY, 2, 3, 1, 1)
    assert (one.first_at, one.last_at) == (NOON - hours(40), NOON - hours(1))
    assert round(one.trend.current, 3) == 18.885  # 10 · 2^(−3/24) + 10 · 2^(−1/24)


def test_what_lies_ahead_is_not_told_yet() -> None:
    one = figures(gather([report("A", NOON - hours(2)), report("B", NOON + hours(1))]))
    assert (one.voices, one.reports, one.last_at) == (1, 1, NOON - hours(2))


def test_a_story_of_which_nothing_has_happened_yet_is_told_by_its_first_item() -> None:
    one = figures(gather([report("A", NOON + hours(1)), report("B", NOON + hours(2))]))
    assert (one.first_at, one.last_at, one.reports) == (NOON + hours(1), NOON + hours(1), 0)


def test_a_story_without_a_counted_report_ends_with_its_newest_item() -> None:
    one = figures(gather([report("A", NOON - hours(2), role=Role.MENTION), report("B", NOON, role=Role.MENTION)]))
    assert (one.first_at, one.last_at, one.trend.current) == (NOON - hours(2), NOON, 0)


def test_a_story_is_remembered_as_long_as_its_last_voice_has_heat() -> None:
    assert memory(RULE) == timedelta(hours=48)
    smooth = memory(HeatRule(window_hours=None))
    assert smooth == timedelta(days=14)  # 10 points are 0.0006 then


def test_hours_are_kept_from_the_first_report_until_the_last_voice_is_silent() -> None:
    evidence = gather([report("A", NOON - hours(60.5)), report("B", NOON - hours(59))])
    kept = kept_hours(evidence, NOON, RULE)
    assert EPOCH + timedelta(seconds=kept[0]) == NOON - hours(60)
    assert EPOCH + timedelta(seconds=kept[-1]) == NOON - hours(12)  # at 48 hours exactly the voice is out
    assert len(kept) == 49


def test_no_hour_beyond_now_is_kept() -> None:
    evidence = gather([report("A", NOON - hours(1)), report("B", NOON - hours(1))])
    assert [EPOCH + timedelta(seconds=one) for one in kept_hours(evidence, NOON, RULE)] == [NOON - hours(1), NOON]


def test_no_hours_are_kept_of_one_voice() -> None:
    assert len(kept_hours(gather([report("A", NOON), report("A", NOON - hours(5))]), NOON, RULE)) == 0
    assert len(kept_hours(gather([]), NOON, RULE)) == 0


def test_hours_that_were_let_go_are_not_made_again() -> None:
    evidence = gather([report("A", NOON - hours(30)), report("B", NOON - hours(20))])
    since = NOON - hours(4)
    assert list(kept_hours(evidence, NOON, RULE, since)) == list(kept_hours(evidence, NOON, RULE))[-5:]
    assert kept_hours(evidence, NOON, RULE, NOON - hours(500)) == kept_hours(evidence, NOON, RULE)
