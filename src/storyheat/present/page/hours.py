"""The hours of a story: the rows of the table behind its chart, and the chart with its words."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

from storyheat.answers.story import StoryAnswer
from storyheat.core.heat.evidence import Evidence, seconds_of
from storyheat.core.heat.rule import HOUR
from storyheat.core.heat.series import PERIODS, Hour
from storyheat.core.model import ItemId, Source, SourceId, Standing
from storyheat.present.objects import instant
from storyheat.present.page import numbers, times
from storyheat.present.page.chart import DEFAULT, Chart, Mark, Pen, Point, draw, thinned
from storyheat.present.page.people import speaker
from storyheat.present.page.spark import point_of
from storyheat.present.words import STANDINGS_IN_BRIEF, zone_name

DASH = "–"  # of a value that is not known; the standing beside it says why
NAMED_GAPS = 3  # spans not watched that the description names


@dataclass(frozen=True, slots=True)
class HourRow:
    """One instant. `value`: unrounded enough to draw with, empty where not known."""

    x: float
    value: str
    iso: str
    when: str
    heat: str
    voices: str
    new: str
    standing: str
    developments: str  # numbers, blank between
    who: str  # spoke in that hour


@dataclass(frozen=True, slots=True)
class HoursView:
    """Chart and table. `home`: the row that is read out first; `description`: of the chart, for those who hear it."""

    chart: Chart
    title: str
    description: str
    zone: str
    rows: tuple[HourRow, ...]
    home: int
    is_thinned: bool
    note: str | None  # where all is zero or nothing is known


def hours_view(answer: StoryAnswer, marks: Sequence[Mark], places: Mapping[ItemId, int], zone: tzinfo) -> HoursView:
    """The hours of the answer's period, ending at its instant."""
    end, all_hours = answer.at, answer.series.hours
    if not all_hours or all_hours[-1].at < end:
        all_hours = (*all_hours, answer.series.now)
    start = _start(answer, all_hours)
    points = [point_of(hour) for hour in all_hours]
    chart = draw(points, start, end, zone, marks)
    pen = Pen(points, start, end, DEFAULT)
    shown = {point.at for point in thinned(points, pen)}
    hours = [hour for hour in all_hours if hour.at in shown]
    fresh = _developments_of(marks, hours)
    rows = tuple(_row(hour, pen, answer, fresh.get(hour.at, ""), places, zone, is_now=hour.at == end) for hour in hours)
    peak_at = answer.story.figures.trend.peak.at
    home = next((place for place, hour in enumerate(hours) if hour.at == peak_at), len(hours) - 1)
    return HoursView(
        chart=chart,
        title=f"Heat at each full hour, {times.between(start, end, zone)}, {zone_name(zone, end)}",
        description=" ".join(_description(points, start, end, chart, zone)),
        zone=zone_name(zone, end),
        rows=rows,
        home=home,
        is_thinned=len(hours) < len(all_hours),
        note=_note(points, answer, zone),
    )


def _start(answer: StoryAnswer, hours: Sequence[Hour]) -> datetime:
    """Where the axis begins: a whole period ago, or for all at the first hour, a day ago at the latest."""
    period = PERIODS[answer.period]
    if isinstance(period, timedelta):
        return answer.at - period
    return min(hours[0].at, answer.at - timedelta(hours=24))


def _developments_of(marks: Sequence[Mark], hours: Sequence[Hour]) -> dict[datetime, str]:
    """The developments that fall into the time before each instant, by that instant."""
    found: dict[datetime, list[int]] = {}
    for mark in marks:
        at = next((hour.at for hour in hours if hour.at >= mark.at), None)
        if at is not None and mark.at > hours[0].at - timedelta(hours=1):
            found.setdefault(at, []).append(mark.number)
    return {at: " ".join(str(number) for number in sorted(own)) for at, own in found.items()}


def _row(
    hour: Hour,
    pen: Pen,
    answer: StoryAnswer,
    developments: str,
    places: Mapping[ItemId, int],
    zone: tzinfo,
    *,
    is_now: bool,
) -> HourRow:
    known = hour.standing is not Standing.UNKNOWN
    when = times.moment(hour.at, zone, answer.at)
    return HourRow(
        x=pen.x(hour.at),
        value=f"{hour.heat:.3f}" if known else "",
        iso=instant(hour.at),
        when=f"Now, {when}" if is_now else when,
        heat=numbers.grouped(hour.heat, 1) if known else DASH,
        voices=str(hour.voices) if known else DASH,
        new=str(hour.new_reports) if known else DASH,
        standing=standing_words(hour.standing, hour.behind, answer.sources),
        developments=developments,
        who=", ".join(_spoke(answer.story.evidence, hour, answer.sources, places)) if hour.new_reports else "",
    )


def standing_words(standing: Standing, behind: Sequence[SourceId], sources: Mapping[SourceId, Source]) -> str:
    """What is known of an instant; for a partial one which sources are missing."""
    said = STANDINGS_IN_BRIEF[standing]
    if standing is not Standing.PARTIAL:
        return said
    return f"{said}: {', '.join(sources[one].name if one in sources else one for one in behind)} missing"


def _spoke(
    evidence: Evidence, hour: Hour, sources: Mapping[SourceId, Source], places: Mapping[ItemId, int]
) -> Iterator[str]:
    seconds = seconds_of(hour.at)
    for report in evidence.between(seconds - HOUR, seconds):
        yield f"{speaker(sources[report.source], report.voice).text} (no. {places[report.item]})"


def _description(points: Sequence[Point], start: datetime, end: datetime, chart: Chart, zone: tzinfo) -> Iterator[str]:
    span = times.between(start, end, zone)
    known = [point for point in points if point.value is not None]
    if not known:
        yield f"Heat, {span}: nothing is known of any hour."
        return
    if all(not point.value for point in known):
        yield f"Heat, {span}: zero at every hour that is known."
    else:
        yield f"Heat, {span}, hour by hour. {chart.peak.text if chart.peak else ''} {zone_name(zone, end)}."
    last = known[-1]
    if last.at == end:
        yield f"Now {numbers.grouped(last.value or 0.0)}."
    gaps = [gap for gap in chart.gaps if gap.width > 0]
    if gaps:
        spans = [_span(gap.x, gap.width, start, end, zone) for gap in gaps[:NAMED_GAPS]]
        more = f" and in {len(gaps) - NAMED_GAPS} more spans" if len(gaps) > NAMED_GAPS else ""
        yield f"Nothing is known {', '.join(spans)}{more}."
    yield "All values are in the table below."


def _span(x: float, width: float, start: datetime, end: datetime, zone: tzinfo) -> str:
    left, right = (start + (end - start) * (part / 100) for part in (x, x + width))
    if x == 0.0:
        return f"before {times.moment(right, zone, end)}"
    if x + width >= 100.0:
        return f"after {times.moment(left, zone, end)}"
    return f"from {times.moment(left, zone, end)} to {times.moment(right, zone, end)}"


def _note(points: Sequence[Point], answer: StoryAnswer, zone: tzinfo) -> str | None:
    known = [point for point in points if point.value is not None]
    if not known:
        return "No hour of this period was watched, so nothing is drawn. A longer period may show more."
    if any(point.value for point in known):
        return None
    reports = answer.story.evidence.between(float("-inf"), seconds_of(answer.at))
    if not reports:
        return "No report of this story counts, so its heat is zero."
    return f"No report in this period. The last one was on {times.moment(reports[-1].effective_at, zone, answer.at)}."
