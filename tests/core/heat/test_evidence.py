"""What counts, what does not and why, and which report of a voice speaks."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from tests.core.stories.story_make import NOON, hours, report

from storyheat.core.heat.evidence import (
    Exclusion,
    gather,
    instant_of,
    seconds_of,
    why_never_counted,
    why_not_counted,
)
from storyheat.core.model import Role, Voice


@pytest.mark.parametrize(
    ("role", "excluded", "reason"),
    [
        (Role.REPORT, None, None),
        (Role.MENTION, None, "a mention: it touches the story but is not about it"),
        (Role.COPY, None, "a copy of another item"),
        (Role.REPORT, Exclusion.WITHDRAWN, "withdrawn"),
        (Role.REPORT, Exclusion.MOVED_OUT, "moved out by hand"),
        (Role.REPORT, Exclusion.BACKLOG, "backlog: undated in the feed's first fetch"),
        (Role.COPY, Exclusion.WITHDRAWN, "withdrawn"),
    ],
)
def test_each_item_that_does_not_count_has_a_reason(role: Role, excluded: Exclusion | None, reason: str | None) -> None:
    item = report("A", NOON, role=role, excluded=excluded)
    assert why_never_counted(item) == reason
    assert why_not_counted(item, NOON) == reason
    assert [one.item for one in gather([item]).reports] == ([] if reason else [item.item])


def test_a_report_counts_from_its_effective_time_on_and_for_ever() -> None:
    item = report("A", NOON)
    assert why_not_counted(item, NOON - timedelta(seconds=1)) == "effective only after this time"
    assert why_not_counted(item, NOON) is None
    assert why_not_counted(item, NOON + timedelta(days=99)) is None


def test_reports_between_two_instants_exclude_the_first_and_include_the_last() -> None:
    evidence = gather(report(voice, NOON + hours(n)) for n, voice in enumerate("ABC"))
    noon = seconds_of(NOON)
    assert [one.voice for one in evidence.between(noon, noon + 7200)] == ["B", "C"]
    assert evidence.count_between(noon, noon + 7200) == 2
    assert evidence.times_between(noon, noon + 3600) == (noon, noon + 3600)


def test_of_one_voice_at_one_time_the_heavier_report_is_last_and_then_the_lesser_id() -> None:
    light = report("A", NOON, item="i1", weight=0.5)
    heavy_late_id = report("A", NOON, item="i3", weight=2)
    heavy = report("A", NOON, item="i2", weight=2)
    older = report("A", NOON - hours(1), item="i0", weight=9)
    evidence = gather([heavy, older, heavy_late_id, light])
    assert evidence.reports == (older, light, heavy_late_id, heavy)
    assert evidence.items == (older, light, heavy, heavy_late_id)


def test_sources_of_a_story_are_those_of_all_that_stands_in_it() -> None:
    evidence = gather(
        [
            report("A", NOON, source="a2"),
            report("A", NOON + hours(50), source="a1", role=Role.MENTION),
            report("A", NOON, source="a3", excluded=Exclusion.MOVED_OUT),
            report("B", NOON, source="b", excluded=Exclusion.WITHDRAWN),
        ]
    )
    assert evidence.sources == ("a1", "a2", "b")
    assert evidence.sources_of(Voice("A")) == ("a1", "a2")
    assert evidence.sources_of(Voice("Z")) == ()


def test_seconds_are_the_same_in_every_zone() -> None:
    assert seconds_of(NOON.astimezone(timezone(timedelta(hours=8)))) == seconds_of(NOON)
    assert instant_of(seconds_of(NOON)) == NOON
    assert instant_of(-1) == datetime(1969, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_a_naive_time_is_refused() -> None:
    with pytest.raises(TypeError):
        seconds_of(NOON.replace(tzinfo=None))
