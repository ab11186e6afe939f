"""The drawing of a heat chart: hours in, positions out. x is in per cent of the width, y in pixels from the top."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import count, groupby, pairwise

from storyheat.core.model import Standing
from storyheat.present.page import numbers, times
from storyheat.present.page.ticks import Tick, ticks

WEAKNESS = (Standing.OBSERVED, Standing.PARTIAL, Standing.REBUILT)  # a line is as weak as its weaker end


@dataclass(frozen=True, slots=True)
class ChartParams:
    """Sizes of a drawing in pixels, and the distances that keep labels apart. Origin: the design of the page."""

    top: float = 62  # of the plot; the pins stand above
    bottom: float = 268
    headroom: float = 26  # above the largest value, for the label of the peak
    least_top: float = 10  # points; less is drawn on an axis of that height
    most_steps: int = 4  # of the y axis
    label_rise: float = 11  # of a label above its dot
    label_drop: float = 20  # of a label below its dot
    label_gap: float = 15  # per cent between the peak and now, under which now has no label
    rising_hours: float = 6  # over which now is rising or falling
    named_gap: float = 14  # per cent from which a gap says "no data"
    pin_gap: float = 8  # per cent between two pins in one lane
    pin_edge: float = 2  # per cent that the centre of a pin stays away from the edges
    pin_lanes: tuple[float, ...] = (12, 38)  # y of their centres
    pin_radius: float = 9.5
    most_points: int = 800  # more are thinned,
    columns: int = 400  # to the first, last, least and largest of so many columns


DEFAULT = ChartParams()


@dataclass(frozen=True, slots=True)
class Point:
    """What is known of one instant. `value`: heat; None: not known."""

    at: datetime
    value: float | None
    standing: Standing


@dataclass(frozen=True, slots=True)
class Mark:
    """A development to be pinned. `confirmed`: its ring is drawn whole."""

    number: int
    at: datetime
    confirmed: bool


@dataclass(frozen=True, slots=True)
class Line:
    """One run of segments of equal standing, as path data in a box 1000 wide and as high as the plot."""

    standing: Standing
    path: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A point that is drawn as such."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Label:
    """A dot with words. `anchor` as in SVG."""

    x: float
    y: float
    text_y: float
    anchor: str
    text: str  # empty: the dot alone


@dataclass(frozen=True, slots=True)
class Gap:
    """A span that was not watched. `named`: wide enough to say so."""

    x: float
    width: float
    named: bool

    @property
    def middle(self) -> float:
        """Where its words stand."""
        return round(self.x + self.width / 2, 2)


@dataclass(frozen=True, slots=True)
class Pin:
    """One development, or several that stand too close. `stem`: where it points at; `x`, `y`: its centre."""

    numbers: tuple[int, ...]
    text: str
    stem: float
    x: float
    y: float
    stem_top: float
    confirmed: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A line of the y axis."""

    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A whole drawing. `top_value`: the heat at the upper edge of the plot."""

    params: ChartParams
    top_value: float
    steps: tuple[Step, ...]
    ticks: tuple[Tick, ...]
    gaps: tuple[Gap, ...]
    areas: tuple[str, ...]
    lines: tuple[Line, ...]
    dots: tuple[Dot, ...]
    pins: tuple[Pin, ...]
    peak: Label | None
    now: Label | None

    @property
    def height(self) -> float:
        """Of the plot."""
        return self.params.bottom - self.params.top


def draw(
    points: Sequence[Point],
    start: datetime,
    end: datetime,
    zone: tzinfo,
    marks: Sequence[Mark] = (),
    params: ChartParams = DEFAULT,
) -> Chart:
    """The chart of points in order of time, all inside [start, end]; start lies before end.

    The peak is the first of the largest known values.
    """
    pen = Pen(points, start, end, params)
    known = [point for point in points if point.value is not None]
    top = max(known, key=lambda point: (point.value or 0.0, -point.at.timestamp()), default=None)
    peak = None if top is None or not top.value else _peak(top, pen, zone, end)
    drawn = thinned(points, pen)
    return Chart(
        params=params,
        top_value=round(pen.top_value, 3),
        steps=tuple(steps(pen)),
        ticks=ticks(start, end, zone),
        gaps=tuple(_gaps(drawn, pen)),
        areas=tuple(areas(drawn, pen)),
        lines=tuple(lines(drawn, pen)),
        dots=tuple(lonely(drawn, pen)),
        pins=tuple(_pins(marks, pen)),
        peak=peak,
        now=_now(known, pen, peak),
    )


class Pen:
    """Where an instant and a value stand."""

    def __init__(self, points: Sequence[Point], start: datetime, end: datetime, params: ChartParams) -> None:
        self.start, self.end, self.params = start, end, params
        self.height = params.bottom - params.top
        largest = max((point.value for point in points if point.value is not None), default=0.0)
        self._spots: dict[datetime, str] = {}  # area and line pass through the same points
        self.top_value = max(largest, params.least_top) * self.height / (self.height - params.headroom)

    def x(self, at: datetime) -> float:
        """Per cent of the width."""
        return round(100 * ((at - self.start) / (self.end - self.start)), 2)

    def y(self, value: float) -> float:
        """Pixels from the top of the drawing."""
        return round(self.params.bottom - self.height * value / self.top_value, 1)

    def spot(self, point: Point) -> str:
        """The point in path data of the box of the plot."""
        found = self._spots.get(point.at)
        if found is None:
            found = self._spots[point.at] = self._spot(point.at, point.value or 0.0)
        return found

    def foot(self, point: Point) -> str:
        """The place on the x axis below the point, likewise."""
        return self._spot(point.at, 0.0)

    def _spot(self, at: datetime, value: float) -> str:
        return f"{1000 * ((at - self.start) / (self.end - self.start)):.1f},{self.y(value) - self.params.top:.1f}"


def steps(pen: Pen) -> Iterator[Step]:
    """The lines of the y axis: 1, 2 or 5 × 10^n apart, the least that gives few enough, from zero on."""
    step = next(
        factor * 10**power for power in count() for factor in (1, 2, 5)
        if pen.top_value <= pen.params.most_steps * factor * 10**power
    )  # fmt: skip
    for number in range(int(pen.top_value / step) + 1):
        yield Step(pen.y(number * step), numbers.axis(number * step))


def thinned(points: Sequence[Point], pen: Pen) -> Sequence[Point]:
    """All points, or of too many those that show: in each column and standing the first, last, least and largest."""
    if len(points) <= pen.params.most_points:
        return points

    def column(point: Point) -> tuple[int, Standing]:
        return int(pen.x(point.at) * pen.params.columns / 100), point.standing

    kept: list[Point] = []
    for _, run in groupby(points, column):
        own = list(run)
        least, largest = (pick(own, key=lambda point: point.value or 0.0) for pick in (min, max))
        kept += sorted({own[0].at: own[0], own[-1].at: own[-1], least.at: least, largest.at: largest}.values(),
                       key=lambda point: point.at)  # fmt: skip
    return kept


def _runs(points: Sequence[Point]) -> Iterator[list[Point]]:
    """The runs of neighbouring points that are known."""
    for is_known, run in groupby(points, lambda point: point.value is not None):
        if is_known:
            yield list(run)


def areas(points: Sequence[Point], pen: Pen) -> Iterator[str]:
    """What lies under the line, as path data: one area for each known run."""
    for run in _runs(points):
        if len(run) > 1:
            first, last = pen.foot(run[0]), pen.foot(run[-1])
            yield f"M{first} L{' '.join(pen.spot(point) for point in run)} L{last} Z"


def lines(points: Sequence[Point], pen: Pen) -> Iterator[Line]:
    """The segments between known neighbours, joined where their standing is one."""

    def weaker(pair: tuple[Point, Point]) -> Standing:
        return max((point.standing for point in pair), key=WEAKNESS.index)

    for run in _runs(points):
        for standing, pairs in groupby(pairwise(run), weaker):
            own = list(pairs)
            spots = [pen.spot(own[0][0]), *(pen.spot(end) for _, end in own)]
            yield Line(standing, "M" + " L".join(spots))


def lonely(points: Sequence[Point], pen: Pen) -> Iterator[Dot]:
    """Known points between unknown ones, which no segment shows."""
    for run in _runs(points):
        if len(run) == 1:
            yield Dot(pen.x(run[0].at), pen.y(run[0].value or 0.0))


def _gaps(points: Sequence[Point], pen: Pen) -> Iterator[Gap]:
    """From each last known point to the next; the edges end what has no neighbour."""
    edges = [0.0]
    for run in _runs(points):
        edges += [pen.x(run[0].at), pen.x(run[-1].at)]
    edges.append(100.0)
    first = next((pen.x(point.at) for point in points), 0.0)
    for left, right in zip(edges[::2], edges[1::2], strict=True):
        if right - left > 0 and not (left == 0.0 and right == first and len(edges) > 2):
            width = round(right - left, 2)
            yield Gap(left, width, width >= pen.params.named_gap)


def _peak(point: Point, pen: Pen, zone: tzinfo, end: datetime) -> Label:
    value, x = point.value or 0.0, pen.x(point.at)
    anchor = "start" if x < 25 else "end" if x > 75 else "middle"
    when = times.moment(point.at, zone, end).replace(",", "")
    y = pen.y(value)
    return Label(x, y, round(y - pen.params.label_rise, 1), anchor, f"Peak {numbers.grouped(value)}, {when}")


def _now(known: Sequence[Point], pen: Pen, peak: Label | None) -> Label | None:
    """The dot at the end, if that is known; its label above a rising line and below a falling one."""
    if not known or known[-1].at != pen.end:
        return None
    value = known[-1].value or 0.0
    if peak is not None and peak.x == 100.0:
        return None
    before = [point for point in known if pen.end - point.at >= timedelta(hours=pen.params.rising_hours)]
    rising = not before or value >= (before[-1].value or 0.0)
    y = pen.y(value)
    text_y = y - pen.params.label_rise if rising else min(y + pen.params.label_drop, pen.params.bottom - 6)
    close = peak is None or 100.0 - peak.x < pen.params.label_gap
    return Label(100.0, y, round(text_y, 1), "end", "" if close else f"Now {numbers.grouped(value)}")


def _pins(marks: Sequence[Mark], pen: Pen) -> Iterator[Pin]:
    """In two lanes: a pin too near to the one before goes into the other, and where both are full it joins it."""
    params = pen.params
    groups: list[tuple[int, list[Mark]]] = []
    newest = [float("-inf")] * len(params.pin_lanes)
    for mark in sorted(marks, key=lambda mark: (mark.at, mark.number)):
        if not pen.start <= mark.at <= pen.end:
            continue
        x = pen.x(mark.at)
        lane = next((lane for lane, last in enumerate(newest) if x - last >= params.pin_gap), None)
        if lane is None:
            groups[-1][1].append(mark)
            newest[groups[-1][0]] = x
        else:
            groups.append((lane, [mark]))
            newest[lane] = x
    for lane, own in groups:
        last, y = pen.x(own[-1].at), params.pin_lanes[lane]
        which = tuple(mark.number for mark in own)
        yield Pin(
            numbers=which,
            text=str(which[0]) if len(which) == 1 else f"{min(which)}–{max(which)}",
            stem=last,
            x=min(max(last, params.pin_edge), 100 - params.pin_edge),
            y=y,
            stem_top=y + params.pin_radius + 0.5,
            confirmed=any(mark.confirmed for mark in own),
        )
