"""The drawing of a chart: lines by standing, gaps, axes, labels and pins, by example and by property."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.heat.series import Hour
from storyheat.core.model import Standing
from storyheat.present.page.chart import DEFAULT, Chart, Mark, Pen, Point, draw, thinned
from storyheat.present.page.numbers import axis
from storyheat.present.page.spark import HEIGHT, spark
from storyheat.present.page.ticks import MOST_TICKS, ticks

END = datetime(2026, 11, 12, 14, 35, tzinfo=UTC)
WEEK = timedelta(days=7)
KNOWN = (Standing.OBSERVED, Standing.PARTIAL, Standing.REBUILT)
LETTERS = {"o": Standing.OBSERVED, "p": Standing.PARTIAL, "r": Standing.REBUILT, "u": Standing.UNKNOWN}


def points(letters: str, values: Sequence[float] | None = None, end: datetime = END) -> list[Point]:
    """One point an hour that ends at `end`; each letter is a standing."""
    first = end - timedelta(hours=len(letters) - 1)
    return [
        Point(
            first + timedelta(hours=number),
            None if letter == "u" else 10.0 if values is None else values[number],
            LETTERS[letter],
        )
        for number, letter in enumerate(letters)
    ]


def drawn(letters: str, values: Sequence[float] | None = None, *marks: Mark) -> Chart:
    """A chart that begins one hour before its first point."""
    made = points(letters, values)
    return draw(made, made[0].at - timedelta(hours=1), END, UTC, marks)


def xs(path: str) -> list[float]:
    """The x of each spot of path data."""
    return [float(x) for x in re.findall(r"([\d.]+),[\d.]+", path)]


def test_a_segment_has_the_weaker_standing_of_its_ends() -> None:
    lines = drawn("oopprro").lines
    assert [(line.standing, len(xs(line.path))) for line in lines] == [
        (Standing.OBSERVED, 2),
        (Standing.PARTIAL, 3),
        (Standing.REBUILT, 4),
    ]
    assert [xs(line.path)[0] for line in lines[1:]] == [xs(line.path)[-1] for line in lines[:-1]]


def test_a_gap_lies_between_known_points_and_nothing_crosses_it() -> None:
    chart = drawn("oouuuuoo")
    [gap] = chart.gaps
    assert (gap.x, round(gap.x + gap.width, 2)) == (25.0, 87.5)
    assert gap.named
    assert [len(xs(line.path)) for line in chart.lines] == [2, 2]
    assert len(chart.areas) == 2


def test_gaps_at_the_edges_and_a_lonely_point() -> None:
    chart = drawn("uuouu")
    assert [(gap.x, round(gap.x + gap.width, 2)) for gap in chart.gaps] == [(0.0, 60.0), (60.0, 100.0)]
    assert not chart.lines
    assert [dot.x for dot in chart.dots] == [60.0]
    assert chart.now is None
    assert drawn("oooo").gaps == ()


def test_nothing_known_is_one_gap() -> None:
    chart = drawn("uuuu")
    assert [(gap.x, gap.width, gap.named) for gap in chart.gaps] == [(0.0, 100.0, True)]
    assert (chart.peak, chart.now, chart.lines) == (None, None, ())
    assert [step.text for step in chart.steps] == ["0", "5", "10"]


def test_zero_throughout_is_a_line_on_zero_without_a_peak() -> None:
    chart = drawn("ooo", [0, 0, 0])
    assert chart.peak is None
    assert chart.now is not None
    assert (chart.now.y, chart.now.text) == (DEFAULT.bottom, "")


@pytest.mark.parametrize(
    ("largest", "labels"),
    [
        (3, ["0", "5", "10"]),
        (59.13, ["0", "20", "40", "60"]),
        (101, ["0", "50", "100"]),
        (2335, ["0", "1,000", "2,000"]),
        (44_000, ["0", "20k", "40k"]),
        (7_300_000, ["0", "5M"]),
    ],
)
def test_the_y_axis_begins_at_zero_with_few_round_steps(largest: float, labels: list[str]) -> None:
    assert [step.text for step in drawn("oo", [0, largest]).steps] == labels


def test_labels_of_an_axis() -> None:
    assert [axis(value) for value in (0, 500, 5000, 10_000, 200_000, 1_000_000)] == [
        "0",
        "500",
        "5,000",
        "10k",
        "200k",
        "1M",
    ]


@pytest.mark.parametrize(("place", "anchor"), [(0, "start"), (10, "middle"), (19, "end")])
def test_the_peak_is_named_where_there_is_room(place: int, anchor: str) -> None:
    values = [1.0] * 20
    values[place] = 58.6
    peak = drawn("o" * 20, values).peak
    assert peak is not None
    assert peak.anchor == anchor
    assert re.fullmatch(r"Peak 59, (Wed 11|Thu 12) Nov \d\d:35", peak.text)
    assert peak.text_y == pytest.approx(peak.y - 11)
    assert peak.text_y > DEFAULT.top


def test_the_first_of_equal_peaks_is_marked_and_now_is_left_to_it() -> None:
    chart = drawn("ooo", [5, 9, 9])
    assert chart.peak is not None
    assert chart.peak.x == pytest.approx(66.67)
    chart = drawn("ooo", [5, 6, 9])
    assert chart.peak is not None
    assert chart.peak.x == 100.0
    assert chart.now is None


def test_now_is_named_above_a_rise_below_a_fall_and_not_near_the_peak() -> None:
    fall, rise = [9.0] + [5.0] * 10 + [2.0], [9.0] + [2.0] * 10 + [5.0]
    falling, rising = (drawn("o" * 12, values).now for values in (fall, rise))
    assert falling is not None
    assert rising is not None
    assert falling.text_y > falling.y
    assert rising.text_y < rising.y
    assert (falling.text, rising.text) == ("Now 2", "Now 5")
    near = drawn("o" * 12, [1.0] * 10 + [9.0, 8.0]).now
    assert near is not None
    assert near.text == ""


def test_pins_take_two_lanes_then_share_one() -> None:
    hours = [20, 19, 18.5, 18.2, 5, 0]
    marks = [Mark(number, END - timedelta(hours=hour), number != 6) for number, hour in enumerate(hours, 1)]
    pins = drawn("o" * 24, None, *marks).pins
    assert [pin.text for pin in pins] == ["1", "2–4", "5", "6"]
    assert [pin.y for pin in pins] == [12, 38, 12, 12]
    assert [pin.confirmed for pin in pins] == [True, True, True, False]
    assert (pins[-1].stem, pins[-1].x) == (100.0, 98.0)
    assert drawn("oo", None, Mark(1, END - WEEK, True)).pins == ()


@pytest.mark.parametrize(
    ("span", "zone", "expected"),
    [
        (timedelta(hours=24), "UTC", ["18:00", "Thu 12", "06:00", "12:00"]),
        (timedelta(days=3), "UTC", ["Tue 10", "12:00", "Wed 11", "12:00", "Thu 12", ""]),
        (WEEK, "UTC", ["Fri 6", "Sat 7", "Sun 8", "Mon 9", "Tue 10", "Wed 11", "Thu 12"]),
        (WEEK, "Asia/Shanghai", ["Fri 6", "Sat 7", "Sun 8", "Mon 9", "Tue 10", "Wed 11", "Thu 12"]),
        (timedelta(days=30), "UTC", ["19 Oct", "26 Oct", "2 Nov", "9 Nov"]),
        (timedelta(days=200), "UTC", ["May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov"]),
        (timedelta(days=800), "UTC", ["Jan 2025", "Jul", "Jan 2026", "Jul"]),
    ],
)
def test_ticks_by_span(span: timedelta, zone: str, expected: list[str]) -> None:
    assert [tick.weekday + tick.text for tick in ticks(END - span, END, ZoneInfo(zone))][-len(expected) :] == expected


def test_midnights_through_a_change_of_clocks() -> None:
    end = datetime(2026, 10, 27, 12, tzinfo=UTC)
    found = ticks(end - timedelta(days=5), end, ZoneInfo("Europe/Berlin"))
    assert [tick.weekday + tick.text for tick in found] == ["Fri 23", "Sat 24", "Sun 25", "Mon 26", "Tue 27"]
    gaps = [round(b.x - a.x, 1) for a, b in pairwise(found)]
    assert gaps == [20.0, 20.0, 20.8, 20.0]  # the day of 25 hours


def test_long_periods_keep_what_shows() -> None:
    values = [float(number % 97) for number in range(5000)]
    values[1234] = 500.0
    made = points("o" * 5000, values)
    pen = Pen(made, made[0].at, END, DEFAULT)
    kept = thinned(made, pen)
    assert len(kept) <= 4 * DEFAULT.columns + 4
    assert (kept[0], kept[-1]) == (made[0], made[-1])
    assert made[1234] in kept
    assert list(kept) == sorted(kept, key=lambda point: point.at)
    assert thinned(made[:800], pen) == made[:800]


SERIES = st.lists(
    st.tuples(st.sampled_from("oopru"), st.floats(0, 1e7, allow_nan=False)), min_size=2, max_size=60
)  # fmt: skip


@given(SERIES, st.lists(st.integers(0, 80), max_size=9))
def test_every_drawing_holds_its_rules(series: list[tuple[str, float]], hours: list[int]) -> None:
    letters, values = "".join(letter for letter, _ in series), [value for _, value in series]
    marks = [
        Mark(number, END - timedelta(hours=hour), bool(hour % 2)) for number, hour in enumerate(sorted(hours)[::-1], 1)
    ]
    chart = drawn(letters, values, *marks)
    made = points(letters, values)
    known = [point for point in made if point.value is not None]
    # each known point is drawn, and nothing is drawn inside a gap
    on_lines = {x for line in chart.lines for x in xs(line.path)} | {round(10 * dot.x, 1) for dot in chart.dots}
    pen = Pen(made, made[0].at - timedelta(hours=1), END, DEFAULT)
    assert len(on_lines) == len(known)
    for gap in chart.gaps:
        assert not any(10 * gap.x + 0.6 < x < 10 * (gap.x + gap.width) - 0.6 for x in on_lines)
    # all stands inside the plot, and the axis begins at zero
    for text in (*chart.areas, *(line.path for line in chart.lines)):
        assert all(0 <= float(y) <= chart.height for y in re.findall(r",([\d.]+)", text))
    assert chart.steps[0].y == DEFAULT.bottom
    assert 2 <= len(chart.steps) <= DEFAULT.most_steps + 1
    assert len(chart.ticks) <= MOST_TICKS
    # the peak is the largest known value, and every mark of the period has one pin
    if chart.peak is not None:
        assert chart.peak.y == min(pen.y(point.value or 0.0) for point in known)
    first = made[0].at - timedelta(hours=1)
    assert sorted(number for pin in chart.pins for number in pin.numbers) == [
        mark.number for mark in marks if mark.at >= first
    ]
    for lane in DEFAULT.pin_lanes:
        own = [pin.stem for pin in chart.pins if pin.y == lane]
        assert own == sorted(own)
    assert all(2 <= pin.x <= 98 for pin in chart.pins)


def test_a_small_line_has_its_own_scale_and_a_dot_at_now() -> None:
    hours = [
        Hour(END.replace(minute=0) - timedelta(hours=back), 2.0, 1, 0, Standing.OBSERVED, ())
        for back in range(47, -1, -1)
    ]
    now = Hour(END, 4.0, 1, 0, Standing.OBSERVED, ())
    small = spark(hours, now)
    assert small.now is not None
    assert small.now.y == pytest.approx(HEIGHT / 10)
    unknown = spark(hours, Hour(END, 4.0, 1, 0, Standing.UNKNOWN, ()))
    assert unknown.now is None
    assert len(unknown.lines) == 1
