"""The hours of a story as columns of text: the peak is marked above them, developments by their numbers below."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, tzinfo

from rich.text import Text

from storyheat.answers.story import StoryAnswer
from storyheat.cli.screen import Line
from storyheat.core.heat.series import Hour
from storyheat.present import charts, words

MOST_CELLS, ROWS, AXIS = 70, 6, 6  # of columns, of lines, and of what stands left of them
LEGEND = "█ watched  ▒ in part  ░ rebuilt  · unknown"
SEVERAL = "+"  # developments in one column, or one of two digits


def chart_lines(answer: StoryAnswer, zone: tzinfo, width: int | None) -> Iterator[Line]:
    """The hours of the answer's period, the newest at the right."""
    hours = answer.series.hours
    if not hours:
        return
    if hours[-1].at < answer.series.now.at:
        hours = (*hours, answer.series.now)
    cells = max(10, min(MOST_CELLS, (width or 80) - AXIS - 2))
    groups = charts.split(hours, cells)
    top, rows = charts.highest(hours), charts.chart(hours, cells, ROWS)
    peak = _column(groups, answer.story.figures.trend.peak.at)
    if top > 0 and peak is not None:
        yield Text(" " * AXIS + _peak_mark(peak, len(groups)), style="bold")
    for number, row in enumerate(rows):
        label = words.rounded(top) if number == 0 else "0" if number == len(rows) - 1 else ""
        yield Text(f"{label:>5} ") + Text(row, style="red")
    marks = _development_marks(groups, [one.what.at for one in answer.developments])
    if marks.strip():
        yield " " * AXIS + marks
    first, last = (words.clock(hours[place].at, zone, answer.at) for place in (0, -1))
    gap = max(1, len(rows[0]) - len(first) - len(last))
    yield Text(" " * AXIS + first + " " * gap + last, style="dim")
    size = max(len(group) for group in groups)
    each = f"{answer.period}, a column is {words.count(size, 'hour')} ({words.zone_name(zone, answer.at)})"
    whole = f"{each}   {LEGEND}"
    for line in [whole] if width is None or AXIS + len(whole) <= width else [each, LEGEND]:
        yield Text(" " * AXIS + line, style="dim")
    if marks.strip():
        several = f", {SEVERAL} several" if SEVERAL in marks else ""
        yield Text(" " * AXIS + f"numbers: developments{several}", style="dim")
    yield ""


def _column(groups: Sequence[Sequence[Hour]], at: datetime) -> int | None:
    """The column of an instant: that of the first hour not before it; None: it lies outside."""
    if at <= groups[0][0].at - timedelta(hours=1):
        return None
    return next((place for place, group in enumerate(groups) if group[-1].at >= at), None)


def _peak_mark(column: int, columns: int) -> str:
    """`▼ peak`, or `peak ▼` where there is no room behind it."""
    mark = "▼ peak"
    return " " * column + mark if column + len(mark) <= columns else f"{'peak ▼':>{column + 1}}"


def _development_marks(groups: Sequence[Sequence[Hour]], times: Sequence[datetime]) -> str:
    """The number of each development in its column."""
    cells = [" "] * len(groups)
    for number, at in enumerate(times, 1):
        column = _column(groups, at)
        if column is not None:
            cells[column] = str(number) if cells[column] == " " and number < 10 else SEVERAL
    return "".join(cells).rstrip()
