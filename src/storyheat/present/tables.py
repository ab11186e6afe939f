"""Tables for spreadsheets: numbers stay numbers, and no text from a feed becomes a formula."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

from storyheat.answers.story import HeatAnswer, StoryAnswer
from storyheat.answers.top import TopAnswer
from storyheat.present import objects
from storyheat.present.objects import instant

# The wide forms too: spreadsheets for East Asian scripts read them as the narrow ones.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
Cell = str | float | int | None

TOP_COLUMNS = (
    "rank", "id", "title", "url", "topics", "languages", "first_at", "last_at", "voices", "reports", "mentions",
    "copies", "heat", "peak", "peak_at", "peak_standing", "change_24h_points", "change_24h_percent",
    "change_24h_standing", "change_24h_reason", "latest_development", "latest_development_at",
)  # fmt: skip
STORY_COLUMNS = (
    "story", "id", "effective_at", "published_at", "first_seen_at", "role", "level", "source", "voice", "title", "url",
    "language", "counted", "not_counted_because", "weight", "copy_of", "selected", "summary",
)  # fmt: skip


def cell(value: Cell) -> Cell:
    """A value as it may stand in a cell: text that a spreadsheet would compute gets a leading apostrophe."""
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return value


def table(head: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """The rows as CSV with a header line."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()


def top_csv(answer: TopAnswer) -> str:
    """The hot list, a row a story, numbers unrounded; what is unknown is an empty cell, a list is joined by `; `."""
    rows = []
    for rank, one in enumerate(objects.top(answer)["stories"], 1):
        latest = one["latest_development"] or {}
        values = {
            **one,
            "rank": rank,
            "heat": one["heat"]["current"],
            **{f"peak_{name}": value for name, value in one["heat"]["peak"].items()},
            "peak": one["heat"]["peak"]["value"],
            **{f"change_24h_{name}": value for name, value in one["heat"]["change_24h"].items()},
            "latest_development": latest.get("title"),
            "latest_development_at": latest.get("at"),
        }
        rows.append(_row(values, TOP_COLUMNS))
    return table(TOP_COLUMNS, rows)


def story_csv(answer: StoryAnswer) -> str:
    """The timeline of a story, a row an item, newest first; cells as in `top_csv`."""
    items = [{**objects.item(one), "story": answer.story.id} for one in answer.items]
    return table(STORY_COLUMNS, [_row(one, STORY_COLUMNS) for one in items])


def _row(values: Mapping[str, Any], columns: Sequence[str]) -> list[Cell]:
    return [_cell_of(values[name]) for name in columns]


def _cell_of(value: Any) -> Cell:
    """A value of a JSON object as one cell: yes and no as 1 and 0."""
    if isinstance(value, list):
        return "; ".join(value)
    return int(value) if isinstance(value, bool) else value


def heat_csv(answer: HeatAnswer) -> str:
    """The full hours of the period, oldest first, times in UTC; `behind` joined by blanks."""
    return table(
        ("at", "heat", "voices", "new_reports", "standing", "behind"),
        [
            (
                instant(hour.at),
                hour.heat,
                hour.voices,
                hour.new_reports,
                hour.standing.value,
                " ".join(hour.behind),
            )
            for hour in answer.series.hours
        ],
    )
