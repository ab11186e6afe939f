"""The small line beside a story in a list: two days on a scale of their own."""

from collections.abc import Sequence
from dataclasses import dataclass

from storyheat.core.heat.series import Hour
from storyheat.core.model import Standing
from storyheat.present.page.chart import ChartParams, Dot, Line, Pen, Point, areas, lines, lonely

HEIGHT = 28.0  # pixels
PARAMS = ChartParams(top=0.0, bottom=HEIGHT, headroom=HEIGHT / 10, least_top=1e-9)


@dataclass(frozen=True, slots=True)
class Spark:
    """A small line. `now`: the dot at its end, where that is known."""

    areas: tuple[str, ...]
    lines: tuple[Line, ...]
    dots: tuple[Dot, ...]
    now: Dot | None


def spark(hours: Sequence[Hour], now: Hour) -> Spark:
    """The line of at least one full hour, oldest first, and of the instant after them."""
    points = [point_of(hour) for hour in hours if hour.at < now.at] + [point_of(now)]
    pen = Pen(points, points[0].at, now.at, PARAMS)
    value = points[-1].value
    dot = None if value is None else Dot(100.0, pen.y(value))
    return Spark(tuple(areas(points, pen)), tuple(lines(points, pen)), tuple(lonely(points[:-1], pen)), dot)


def point_of(hour: Hour) -> Point:
    """What is known of an hour: no value where nothing was watched."""
    return Point(hour.at, None if hour.standing is Standing.UNKNOWN else hour.heat, hour.standing)
