"""Values as people read them: rounding, signs, times, counts, charts, tables."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from math import fsum
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.clustering import score as cluster_score
from storyheat.core.heat.rule import half_up
from storyheat.core.heat.series import Hour
from storyheat.core.heat.trend import REASONS, Change
from storyheat.core.model import ChangeStanding, SourceId, Standing, StoryId
from storyheat.present import charts, reasons, schemas, tables, words

NOW = datetime(2026, 10, 27, 23, 45, tzinfo=UTC)


def change(percent: float | None, standing: ChangeStanding = ChangeStanding.OK, points: float | None = None) -> Change:
    return Change(points, percent, standing, REASONS.get(standing))


@pytest.mark.parametrize(
    ("percent", "shown"),
    [
        (23.2, "+23%"),
        (-40.0, "−40%"),
        (0.0, "0%"),
        (-0.4, "0%"),
        (0.4, "0%"),
        (0.5, "+1%"),
        (-2.5, "−3%"),
        (1e3, "+1000%"),
    ],
)
def test_a_change_is_signed_and_rounded_half_up(percent: float, shown: str) -> None:
    assert words.change_text(change(percent)) == words.change_in_words(change(percent)) == shown


def test_a_dash_has_its_reason_beside_it() -> None:
    young, hidden = change(None, ChangeStanding.YOUNG), change(None, ChangeStanding.UNOBSERVED)
    zero = change(None, ChangeStanding.ZERO, 9.6)
    assert [words.change_in_brief(one) for one in (young, hidden, zero)] == ["— new", "— not watched", "— was at zero"]
    assert words.change_in_words(young) == "— (new in the last 24 hours)"
    assert words.change_in_words(zero) == "— (was at zero; +10 points)"


@pytest.mark.parametrize(
    ("value", "places", "shown"),
    [(4.869, 0, "5"), (15.0247, 0, "15"), (4.85, 1, "4.9"), (-1.0, 1, "−1.0"), (0.5, 0, "1")],
)
def test_numbers(value: float, places: int, shown: str) -> None:
    assert words.rounded(value, places) == shown


def test_times_in_a_zone() -> None:
    at = datetime(2026, 10, 26, 23, 0, tzinfo=UTC)
    berlin, kathmandu = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Kathmandu")
    assert words.clock(at, UTC, NOW) == "Oct 26 23:00"
    assert words.clock(at, berlin, NOW) == "Oct 27 00:00"
    assert words.clock(at.replace(year=2025), UTC, NOW) == "Oct 26 2025 23:00"
    assert words.stamp(at, UTC) == "2026-10-26 23:00 UTC"
    assert words.stamp(at, berlin) == "2026-10-27 00:00 UTC+01:00"
    assert words.stamp(at, ZoneInfo("America/St_Johns")) == "2026-10-26 20:30 UTC-02:30"
    assert words.stamp(at, kathmandu) == "2026-10-27 04:45 UTC+05:45"
    assert words.day(at, berlin) == "Tue Oct 27 2026"
    assert words.iso_day(at, berlin) == "2026-10-27"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (1, "1 second"),
        (90, "90 seconds"),
        (120, "2 minutes"),
        (7199, "119 minutes"),
        (7200, "2 hours"),
        (200_000, "2 days"),
    ],
)
def test_spans(seconds: int, shown: str) -> None:
    assert words.span(timedelta(seconds=seconds)) == shown


def test_distances_in_time() -> None:
    assert words.ago(NOW - timedelta(hours=3), NOW) == "3 hours ago"
    assert words.ago(NOW + timedelta(minutes=10), NOW) == "in 10 minutes"
    assert words.ago(NOW, NOW) == "now"


def test_counts() -> None:
    assert (words.count(1, "voice"), words.count(0, "voice"), words.count(2, "copy", "copies")) == (
        "1 voice",
        "0 voices",
        "2 copies",
    )


@given(st.text())
def test_a_title_is_one_line_that_no_terminal_obeys(text: str) -> None:
    shown = words.title(text)
    assert shown
    assert shown.splitlines() == [shown]
    assert not any(ord(sign) < 32 or 127 <= ord(sign) < 160 or sign in "\u202a\u202e\u2066\u200f" for sign in shown)


# -- charts -------------------------------------------------------------------------------------


def hours(*heats: float | None) -> list[Hour]:
    """Watched hours of these heats; None: not watched."""
    return [
        Hour(
            at=NOW + timedelta(hours=number),
            heat=heat or 0.0,
            voices=1,
            new_reports=0,
            standing=Standing.UNKNOWN if heat is None else Standing.OBSERVED,
            behind=(SourceId("a"),) if heat is None else (),
        )
        for number, heat in enumerate(heats)
    ]


def test_a_spark_leaves_gaps_blank_and_shows_the_least_heat() -> None:
    assert charts.spark(hours(None, 0, 0.01, 5, 10), 5) == " ▁▂▅█"
    assert charts.spark(hours(1, 9, 0, 3), 2) == "█▃"
    assert charts.spark(hours(0, 0), 2) == "▁▁"
    assert charts.spark(hours(None), 1) == " "


def test_a_chart_by_rows() -> None:
    rebuilt = hours(4)[0]
    columns = [*hours(None, 0, 10, 0.1), Hour(rebuilt.at, 5.0, 1, 0, Standing.REBUILT, ())]
    assert charts.chart(columns, 5, 4) == ["  █  ", "  █  ", "  █ ░", "·_██░"]


def test_a_bar_for_one_hour() -> None:
    [watched, unknown] = hours(5, None)
    assert (charts.bar(watched, 10.0, 12), charts.bar(unknown, 10.0, 12)) == ("█" * 6, "")
    assert charts.bar(Hour(NOW, 10.0, 1, 0, Standing.PARTIAL, ()), 10.0, 3) == "▒▒▒"
    assert charts.highest([watched, Hour(NOW, 9.0, 1, 0, Standing.UNKNOWN, ())]) == 5.0


@given(st.integers(1, 400), st.integers(1, 80))
def test_hours_are_split_evenly_and_none_is_lost(count: int, cells: int) -> None:
    groups = charts.split(hours(*[1.0] * count), cells)
    assert len(groups) <= cells
    assert sum(len(group) for group in groups) == count
    assert len({len(group) for group in groups[1:]}) <= 1


# -- reasons ------------------------------------------------------------------------------------

TITLES = {StoryId("sold"): "A tower of Lego, twelve metres high, stands in Torvik", StoryId("snew"): "Pears"}


@pytest.mark.parametrize(
    ("record", "sentences"),
    [
        ({"threshold": 0.0}, ["No open story shared enough with it, so it founded a story of its own."]),
        (
            {
                "threshold": 0.0,
                "nearest": "sold",
                "z": 1.25,
                "runner_up": "snone",
                "runner_up_z": -2.0,
                "features": {"bias": [1.0, -4.0], "root_names": [0.9, 3.0], "gap": [1.0, -0.75], "ahead": [0.5, 6.6]},
            },
            [
                (
                    "The nearest story was sold “A tower of Lego, twelve metres high, st…”: score +1.25; "
                    "from 0.00 on an item joins, so it joined."
                ),
                "What spoke for it: a likeness with this story and no other, names in common with the first report.",
                "What spoke against it: days of silence between the story and it.",
                "The runner-up was snone: score −2.00.",
            ],
        ),
        (
            {
                "threshold": 0.5,
                "nearest": "snew",
                "z": 0.25,
                "features": {"anchors": [0.1, 2.0], "root_names": [0.5, 3.0], "lm": [1.2, 0.2], "ofold": [0.0, 0.6]},
            },
            [
                (
                    "The nearest story was snew “Pears”: score +0.25; from +0.50 on an item joins, "
                    "so it founded a story of its own."
                ),
                "What spoke for it: names in common with the first report.",
                "What was missing: names in common, names in common with the first report, ofold.",
            ],
        ),
        (
            {"sentence_cosine": 0.414, "sentence_limit": 0.3, "z": -1.0, "z_limit": 0.0, "kind": "digest"},
            [
                "Its source is a digest: such items touch stories and are about none.",
                "Its best sentence is like the story by 0.41 of 1; from 0.30 on an item mentions a story.",
                "Its score as a whole, several topics forgiven, is −1.00; from 0.00 on it mentions the story as well.",
            ],
        ),
        ({"kind": "list"}, ["It is a list: such items touch stories and are about none."]),
        ({"copy_of": "iold"}, ["Its text is that of iold."]),
        ({"original_by": "earliest", "copies": 2}, ["It is the original of 2 copies: earliest."]),
        ({"moved_from": None}, ["It was put here by hand."]),
        (
            {"moved_from": "snew", "pinned": 7},
            [
                "It was moved by hand from snew “Pears”.",
                "It is pinned here by correction c7: the machine leaves it alone.",
            ],
        ),
        ({"moved_to": None}, ["It was taken out by hand."]),
        ({"moved_to": "snew"}, ["It was moved by hand to snew “Pears”."]),
        ({"merged_into": "snew"}, ["Its story was merged into snew “Pears”."]),
        ({"merged_from": "snone"}, ["It came with snone, which was merged into this story."]),
        ({"put_back": 3}, ["It was put back when correction c3 was undone."]),
    ],
)
def test_a_decision_in_sentences(record: dict[str, object], sentences: list[str]) -> None:
    assert list(reasons.sentences(record, TITLES)) == sentences


def test_every_feature_has_words() -> None:
    assert set(reasons.FEATURES) == set(cluster_score.FEATURES)


def test_what_moved_the_score_most_comes_first_whatever_the_weights_are_now() -> None:
    record = {"z": 1.25, "features": {"gap": [0.5, -1.0], "bias": [1.0, -2.0], "ahead": [0.75, 5.0]}}
    shown = reasons.measured(record)
    assert [one.name for one in shown] == ["ahead", "bias", "gap"]
    assert sum(one.adds for one in shown) == record["z"]
    assert [one.lacks for one in shown] == [1.25, 0.0, 0.0]
    assert reasons.measured({"threshold": 0.0}) == []


@given(st.lists(st.floats(0, 1000), max_size=20), st.integers(0, 2))
def test_the_shown_parts_add_up_to_the_shown_sum(values: list[float], places: int) -> None:
    shown = words.shares(values, places)
    assert sum(map(Decimal, shown)) == half_up(fsum(values), places)
    assert all(
        abs(Decimal(one) - Decimal(repr(value))) <= Decimal(1).scaleb(-places)
        for one, value in zip(shown, values, strict=True)
    )


# -- tables and schemas -------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "\n=1", "＝1+1"])
def test_text_never_becomes_a_formula(text: str) -> None:
    assert tables.cell(text) == f"'{text}"


def test_numbers_and_plain_text_stay_as_they_are() -> None:
    assert [tables.cell(value) for value in (-4.5, 3, "a=b", "")] == [-4.5, 3, "a=b", ""]
    assert tables.table(("a", "b"), [("=x", -1.5)]) == "a,b\n'=x,-1.5\n"


@pytest.mark.parametrize("name", sorted(schemas.OBJECTS))
def test_the_published_schemas_are_those_of_the_code(name: str, root: Path) -> None:
    file = root / "docs" / "schemas" / schemas.file_name(name)
    assert file.read_text("utf-8") == schemas.file_text(name), "run: python -m storyheat.present.schemas docs/schemas"
