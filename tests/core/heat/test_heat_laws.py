"""The laws of heat, for stories of any shape: they hold whatever comes, in whatever order."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import fsum
from random import Random
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.stories.story_make import TEN_MINUTES, all_watched

from storyheat.core.feeds.watch import FeedWatch, Watch
from storyheat.core.heat.evidence import Exclusion, StoryItem, gather
from storyheat.core.heat.rule import HeatRule, heat_at, receipt
from storyheat.core.heat.series import Period, full_hours, hours_between, series
from storyheat.core.heat.standing import Watches
from storyheat.core.heat.trend import change_24h, peak, trend
from storyheat.core.model import ChangeStanding, ItemId, Role, SourceId, Voice

START = datetime(2026, 10, 23, 0, 0, tzinfo=UTC)  # Europe's clocks go back on the 25th
MINUTES = 5 * 24 * 60
LAW = settings(derandomize=True, deadline=None, max_examples=100)
VOICES = {"a1": "A", "a2": "A", "b": "B", "c": "C", "d": "D"}

minutes = st.integers(0, MINUTES)
instants = minutes.map(lambda number: START + timedelta(minutes=number))
weights = st.sampled_from([0.0, 0.3, 1.0, 1.0, 2.5])
rules = st.builds(
    HeatRule,
    half_life_hours=st.sampled_from([1.0, 7.3, 24.0]),
    window_hours=st.sampled_from([None, 0.5, 13.7, 48.0]),
)
periods: st.SearchStrategy[Period] = st.sampled_from([timedelta(hours=24), timedelta(days=3), "all"])


@st.composite
def watch_of_source(draw: st.DrawFn) -> Watch:
    """A source of up to two feeds, each with up to one hole."""
    feeds = []
    for _ in range(draw(st.integers(0, 2))):
        marks = sorted(draw(st.lists(minutes, min_size=4, max_size=4, unique=True)))
        first, start, end, last = (START + timedelta(minutes=mark) for mark in marks)
        feeds.append(FeedWatch(first, last, TEN_MINUTES, ((start, end),), draw(st.booleans())))
    return Watch(tuple(feeds))


watches_of: st.SearchStrategy[Watches] = st.dictionaries(
    st.sampled_from(sorted(VOICES)).map(SourceId), watch_of_source()
)


@st.composite
def stories(draw: st.DrawFn, ids: str = "i", only_reports: bool = False) -> list[StoryItem]:
    """Items of up to four voices in five sources, a source's weight being fixed."""
    weight = {source: draw(weights) for source in sorted(VOICES)}
    made = []
    for number in range(draw(st.integers(0, 8))):
        source = draw(st.sampled_from(sorted(VOICES)))
        made.append(
            StoryItem(
                item=ItemId(f"{ids}{number}"),
                source=SourceId(source),
                voice=Voice(VOICES[source]),
                role=Role.REPORT if only_reports else draw(st.sampled_from([Role.REPORT, *Role])),
                effective_at=draw(instants),
                weight=weight[source],
                excluded=None if only_reports else draw(st.sampled_from([None, None, None, *Exclusion])),
            )
        )
    return made


def by_the_book(items: Sequence[StoryItem], at: datetime, rule: HeatRule) -> float:
    """The definition of heat, said once more in the plainest way."""
    total = 0.0
    for voice in {item.voice for item in items}:
        mine = [
            (item.effective_at, item.weight)
            for item in items
            if item.voice == voice and item.role == Role.REPORT and item.excluded is None and item.effective_at <= at
        ]
        if mine:
            last, weight = max(mine)
            age = (at - last).total_seconds() / 3600
            if rule.window_hours is None or age < round(rule.window_hours * 3600) / 3600:
                total += 10 * weight * 2 ** (-age / rule.half_life_hours)
    return total


@LAW
@given(stories(), instants, rules)
def test_heat_is_what_its_definition_says(items: list[StoryItem], at: datetime, rule: HeatRule) -> None:
    assert heat_at(gather(items), at, rule) == pytest.approx(by_the_book(items, at, rule), abs=1e-9)


@LAW
@given(stories(), watches_of, instants, periods, rules, st.randoms(use_true_random=False))
def test_neither_order_of_arrival_nor_cut_into_polls_matters(
    items: list[StoryItem],
    watches: Watches,
    at: datetime,
    period: Period,
    rule: HeatRule,
    random: Random,
) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)
    once, again = gather(items), gather(iter(shuffled))
    assert trend(once, watches, at, period, rule) == trend(again, watches, at, period, rule)
    assert receipt(once, at, rule) == receipt(again, at, rule)
    assert series(once, watches, at, period, rule) == series(again, watches, at, period, rule)


@LAW
@given(stories(), watches_of, instants, periods, rules)
def test_the_value_the_series_and_the_receipt_are_one_number(
    items: list[StoryItem], watches: Watches, at: datetime, period: Period, rule: HeatRule
) -> None:
    story = gather(items)
    made = series(story, watches, at, period, rule)
    for hour in (*made.hours, made.now):
        proof = receipt(story, hour.at, rule)
        assert hour.heat == heat_at(story, hour.at, rule) == proof.heat
        assert proof.heat == fsum(term.points for term in proof.terms)
        assert hour.voices == len(proof.terms)
    hours = full_hours(story, at, period)
    middle = len(hours) // 2  # kept hours and those computed later fit together, to the last bit
    parts = (hours_between(story, watches, part, rule) for part in (hours[:middle], hours[middle:]))
    assert tuple(hour for part in parts for hour in part) == made.hours


@LAW
@given(stories(), instants, rules)
def test_a_receipt_accounts_for_every_item_once(items: list[StoryItem], at: datetime, rule: HeatRule) -> None:
    proof = receipt(gather(items), at, rule)
    named = [one.item for part in (proof.terms, proof.spent, proof.not_counted) for one in part]
    assert sorted(named) == sorted(item.item for item in items)


@LAW
@given(stories(), watches_of, instants, periods, rules)
def test_the_peak_is_the_largest_value_of_the_series(
    items: list[StoryItem], watches: Watches, at: datetime, period: Period, rule: HeatRule
) -> None:
    story = gather(items)
    made = series(story, watches, at, period, rule)
    largest = max((*made.hours, made.now), key=lambda hour: hour.heat)  # the first of equals
    found = peak(story, watches, at, period, rule)
    assert (found.value, found.at, found.standing) == (largest.heat, largest.at, largest.standing)


@LAW
@given(stories(), stories(ids="x"), st.sampled_from([Role.COPY, Role.MENTION]), instants, rules)
def test_copies_and_mentions_never_change_heat(
    items: list[StoryItem], others: list[StoryItem], role: Role, at: datetime, rule: HeatRule
) -> None:
    silent = [_replace(item, role=role) for item in others]
    plain, more = gather(items), gather(items + silent)
    assert [hour.heat for hour in series(plain, {}, at, timedelta(days=3), rule).hours] == [
        hour.heat for hour in series(more, {}, at, timedelta(days=3), rule).hours
    ]


@LAW
@given(stories(), instants, weights, instants, rules)
def test_one_more_independent_voice_never_lowers_heat(
    items: list[StoryItem], when: datetime, weight: float, at: datetime, rule: HeatRule
) -> None:
    newcomer = StoryItem(ItemId("new"), SourceId("n"), Voice("N"), Role.REPORT, when, weight)
    assert heat_at(gather([*items, newcomer]), at, rule) >= heat_at(gather(items), at, rule)


@LAW
@given(stories(), instants, st.integers(1, 5), instants, rules)
def test_many_posts_of_a_voice_at_one_time_are_one(
    items: list[StoryItem], when: datetime, count: int, at: datetime, rule: HeatRule
) -> None:
    posts = [StoryItem(ItemId(f"p{number}"), SourceId("b"), Voice("B"), Role.REPORT, when) for number in range(count)]
    assert heat_at(gather(items + posts), at, rule) == heat_at(gather(items + posts[:1]), at, rule)


@LAW
@given(stories(only_reports=True), stories(ids="x", only_reports=True), instants, rules)
def test_a_merge_is_the_union_of_voices_and_not_the_sum(
    one: list[StoryItem], other: list[StoryItem], at: datetime, rule: HeatRule
) -> None:
    one, other = ([_replace(item, weight=1.0) for item in items] for items in (one, other))
    merged, left, right = (
        {term.voice: term.points for term in receipt(gather(items), at, rule).terms}
        for items in (one + other, one, other)
    )
    assert merged == {voice: max(left.get(voice, 0), right.get(voice, 0)) for voice in left.keys() | right.keys()}


@LAW
@given(stories(), stories(ids="x"), watches_of, instants, periods, rules)
def test_a_split_restores_both(
    one: list[StoryItem],
    other: list[StoryItem],
    watches: Watches,
    at: datetime,
    period: Period,
    rule: HeatRule,
) -> None:
    gone = [_replace(item, excluded=Exclusion.MOVED_OUT) for item in other]
    split, before = gather(one + gone), gather(one)
    assert series(split, watches, at, period, rule) == series(before, watches, at, period, rule)
    assert trend(split, watches, at, period, rule) == trend(before, watches, at, period, rule)


@LAW
@given(stories(), watches_of, instants, periods, rules, st.sampled_from(["Europe/Berlin", "America/New_York"]))
def test_summer_time_does_not_matter(
    items: list[StoryItem], watches: Watches, at: datetime, period: Period, rule: HeatRule, zone: str
) -> None:
    local = ZoneInfo(zone)
    there = gather(_replace(item, effective_at=item.effective_at.astimezone(local)) for item in items)
    here = gather(items)
    assert series(there, watches, at.astimezone(local), period, rule) == series(here, watches, at, period, rule)
    assert trend(there, watches, at.astimezone(local), period, rule) == trend(here, watches, at, period, rule)


@LAW
@given(stories(), instants, rules)
def test_with_everything_watched_the_change_is_the_plain_difference(
    items: list[StoryItem], at: datetime, rule: HeatRule
) -> None:
    story, watches = gather(items), all_watched(*VOICES, until=START + timedelta(minutes=MINUTES))
    change = change_24h(story, watches, at, rule)
    base = heat_at(story, at - timedelta(hours=24), rule)
    if change.standing != ChangeStanding.YOUNG:
        assert change.points == heat_at(story, at, rule) - base
        assert change.standing == (ChangeStanding.OK if base else ChangeStanding.ZERO)


def _replace(item: StoryItem, **changes: object) -> StoryItem:
    fields = {name: getattr(item, name) for name in StoryItem.__slots__}
    return StoryItem(**{**fields, **changes})
