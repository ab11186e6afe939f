"""Tables for spreadsheets: numbers stay numbers, and no text from a feed becomes a formula."""

import csv
import io
from collections.abc import Sequence

from storyheat.answers.story import HeatAnswer
from storyheat.present.objects import instant

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n")
Cell = str | float | int


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
