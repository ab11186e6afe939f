"""What the pages say: times, numbers, changes, ages, and texts cut to size."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from tests.make import source, utc

from storyheat.answers.age import Age, Behind
from storyheat.core.heat.rule import HeatRule
from storyheat.core.heat.trend import REASONS, Change
from storyheat.core.model import ChangeStanding, Level, Voice
from storyheat.present.page import languages, numbers, times
from storyheat.present.page.age import age_view
from storyheat.present.page.hot import change_view, narrowest, story_title, topic_name
from storyheat.present.page.people import level_badge, level_counts, speaker
from storyheat.present.page.rule import in_a_sentence, rule_view
from storyheat.present.page.timeline import excerpt

NOW = utc("2026-11-12 14:35")
SHANGHAI = ZoneInfo("Asia/Shanghai")


def test_times_name_day_month_and_clock_and_the_year_where_it_is_far() -> None:
    at = utc("2026-11-10 17:00")
    assert times.moment(at, UTC, NOW) == "Tue 10 Nov, 17:00"
    assert times.moment(at, SHANGHAI, NOW) == "Wed 11 Nov, 01:00"
    assert times.moment(utc("2025-01-03 08:05"), UTC, NOW) == "Fri 3 Jan 2025, 08:05"
    assert times.whole(at, SHANGHAI) == "Wed 11 Nov 2026, 01:00 UTC+08:00"
    times_shown = {"2026-11-12 09:00": "09:00", "2026-11-11 19:30": "Wed 19:30", "2026-11-01 10:00": "1 Nov 10:00"}
    assert {text: times.clock(utc(text), UTC, NOW) for text in times_shown} == times_shown
    assert times.long_day(date(2026, 11, 12), date(2026, 11, 12)) == "Thursday 12 November"
    assert times.long_day(date(2025, 11, 12), date(2026, 11, 12)) == "Wednesday 12 November 2025"
    assert [times.age(hours) for hours in (0.34, 4.92, 33.0)] == ["20 min", "4 h 55 min", "33 h 00 min"]


@pytest.mark.parametrize(
    ("start", "shown"),
    [
        ("2026-11-12 02:00", "12 Nov 2026"),
        ("2026-11-05 14:35", "5–12 Nov 2026"),
        ("2026-10-28 00:00", "28 Oct – 12 Nov 2026"),
        ("2025-12-20 00:00", "20 Dec 2025 – 12 Nov 2026"),
    ],
)
def test_spans_of_days(start: str, shown: str) -> None:
    assert times.between(utc(start), NOW, UTC) == shown


def test_numbers_have_commas_and_a_wide_minus() -> None:
    assert [numbers.grouped(value) for value in (0.5, 2335, -1234.4)] == ["1", "2,335", "−1,234"]
    assert [numbers.signed(value) for value in (1595.2, -0.4, -15)] == ["+1,595", "0", "−15"]


def test_a_change_has_a_figure_or_a_reason() -> None:
    def view(standing: ChangeStanding, points: float | None = None, percent: float | None = None) -> tuple[object, ...]:
        made = change_view(Change(points, percent, standing, REASONS.get(standing)))
        return made.text, made.sign, made.under, made.is_known

    assert view(ChangeStanding.OK, 8.0, 23.2) == ("+23%", "a-up", None, True)
    assert view(ChangeStanding.OK, -8.0, -50.0) == ("−50%", "a-down", None, True)
    assert view(ChangeStanding.OK, 0.0, 0.0) == ("0%", None, None, True)
    assert view(ChangeStanding.YOUNG) == ("—", None, "new in the last 24 hours", False)
    assert view(ChangeStanding.ZERO, 63.0) == ("+63 pts", None, "was at zero", True)


def test_the_age_of_the_data_in_words() -> None:
    fine = age_view(Age(NOW, NOW - timedelta(minutes=2), 14, ()), UTC, of_story=True)
    assert fine.head == "Data are 2 minutes old."
    assert fine.rest == "All 14 sources of this story answered when they were due; last poll 14:33 UTC (2 minutes ago)."
    assert age_view(Age(NOW, NOW, 1, ()), UTC, of_story=False).rest.startswith("The source answered when it was due")
    never = age_view(Age(NOW, None, 3, ()), UTC, of_story=False)
    assert (never.head, never.is_known) == ("No source was polled yet.", False)
    late = [
        Behind(source(name), NOW - timedelta(hours=hours), timedelta(minutes=30), "503 from the server")
        for name, hours in (("ledger", 3), ("post", 30), ("wire", 4), ("board", 5))
    ]
    stale = age_view(Age(NOW, NOW - timedelta(minutes=2), 43, tuple(late)), UTC, of_story=False)
    assert stale.head == "Data are stale: 4 sources behind."
    assert [one.since for one in stale.named] == ["since 11:35", "since Wed 08:35", "since 10:35"]
    assert stale.more == 1
    assert stale.behind[0].told == "last answer 11:35, due every 30 minutes; now: 503 from the server"
    never = age_view(Age(NOW, None, 2, (Behind(source("a"), None, timedelta(hours=2), None),)), UTC, of_story=False)
    assert (never.behind[0].told, never.named[0].since) == ("no answer yet, due every 2 hours", "never answered")


def test_names_of_speakers() -> None:
    community, links = source("agora", community=True), source("links", aggregator=True)
    assert speaker(community, Voice("agora/olga")).text == "Agora / olga"
    assert speaker(community, Voice("agora")).text == "Agora"
    assert speaker(links, Voice("Delta Post")).text == "Delta Post, via Links"
    assert speaker(source("河报"), Voice("河报")).lang == "zh"
    assert [count for _, count in level_counts([Level.PRESS, Level.PRESS, Level.FIRST_PARTY])] == [1, 2]
    assert not level_badge(Level.DISCUSSION).filled


def test_languages_and_titles() -> None:
    assert languages.name("zh-Hans") == "中文"
    assert languages.name("tlh") == "tlh"
    assert story_title("哈伦德大桥封闭维修", ("en", "zh-Hans")).lang == "zh-Hans"
    assert story_title("Harlund bridge closed", ("en", "zh-Hans")).lang is None
    assert story_title("Brücke gesperrt", ("de",)).lang == "de"
    assert story_title("Harlund 2", ("de", "en")).lang is None
    assert story_title("", ()).text == "(without a title)"
    assert topic_name("artificial-intelligence") == "Artificial intelligence"


def test_texts_are_cut_between_words() -> None:
    assert excerpt("short") == "short"
    long = excerpt("word " * 200)
    assert len(long) <= 360
    assert long.endswith("word…")
    assert len(excerpt("字" * 500)) == 180


def test_the_filter_that_leaves_out_most() -> None:
    found = narrowest({"topics": 1, "min_voices": 5})
    assert found is not None
    assert (found.name, found.label, found.told) == ("voices", "least number of voices", "5 stories")
    assert narrowest({"topics": 0}) is None
    assert narrowest({}) is None


def test_the_rule_with_its_parameters() -> None:
    assert in_a_sentence(HeatRule()) == (
        "Ten points are one independent voice speaking right now; "
        "a voice fades by half in 24 hours and is out after 48."
    )
    smooth = rule_view(HeatRule(half_life_hours=12, window_hours=None))
    assert smooth.window == "for ever, fading"
    assert [one.shown for one in rule_view(HeatRule()).examples] == ["10", "5", "17", "18", "27", "0"]


def test_a_moment_keeps_its_instant() -> None:
    assert times.short(datetime(2026, 3, 29, 1, 30, tzinfo=UTC), ZoneInfo("Europe/Berlin"), NOW) == "29 Mar 03:30"
