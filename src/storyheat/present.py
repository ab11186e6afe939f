"""Values as words and numbers for people: rounding, signs, times with their zone, small charts out of text."""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo

from storyheat.core.heat import half_up
from storyheat.core.markup import one_line
from storyheat.core.model import ChangeStanding, Level, Standing
from storyheat.core.series import Hour
from storyheat.core.trend import Change, Trend

MINUS = "\u2212"  # as wide as a plus, and not a hyphen
DASH = "—"
UNTITLED = "(without a title)"

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_NEEDS_YEAR = timedelta(days=300)  # a month and day alone mean the nearest one
_SHORT_REASONS = {
    ChangeStanding.YOUNG: "new",
    ChangeStanding.UNOBSERVED: "not watched",
    ChangeStanding.ZERO: "was at zero",
}
LEVELS = {Level.FIRST_PARTY: "First-party", Level.PRESS: "Press", Level.DISCUSSION: "Discussion"}
STANDINGS = {
    Standing.OBSERVED: "watched",
    Standing.PARTIAL: "watched in part",
    Standing.REBUILT: "rebuilt from what feeds still listed at the first poll",
    Standing.UNKNOWN: "not watched",
}


def rounded(value: float, places: int = 0) -> str:
    """A number for people, halves away from zero."""
    return str(half_up(value, places)).replace("-", MINUS)


def signed(value: float, places: int = 0) -> str:
    """A rounded number with its sign; zero has none."""
    number = half_up(value, places)
    return f"+{number}" if number > 0 else rounded(value, places)


def change_text(change: Change) -> str:
    """`+23%`, `−40%`, `0%`, or a dash (then the reason belongs beside it)."""
    return DASH if change.percent is None else f"{signed(change.percent)}%"


def change_in_brief(change: Change) -> str:
    """The change for a narrow column: the dash with its reason in a word or two."""
    text = change_text(change)
    return text if change.reason is None else f"{text} {_SHORT_REASONS[change.standing]}"


def change_in_words(change: Change) -> str:
    """The change with its reason, and the points where only per cent are missing."""
    text = change_text(change)
    if change.reason is None:
        return text
    points = "" if change.points is None else f"; {signed(change.points)} points"
    return f"{text} ({change.reason}{points})"


def clock(at: datetime, zone: tzinfo, now: datetime) -> str:
    """`Oct 26 23:00` in a zone; with the year where `now` is far."""
    local = at.astimezone(zone)
    year = f" {local.year}" if abs(now - at) > _NEEDS_YEAR else ""
    return f"{_MONTHS[local.month - 1]} {local.day}{year} {local:%H:%M}"


def stamp(at: datetime, zone: tzinfo) -> str:
    """`2026-10-26 23:00 UTC`: a whole time with its zone."""
    local = at.astimezone(zone)
    return f"{local:%Y-%m-%d %H:%M} {zone_name(zone, local)}"


def day(at: datetime, zone: tzinfo) -> str:
    """`Mon Oct 26 2026`, the day of an instant in a zone."""
    local = at.astimezone(zone)
    return f"{_WEEKDAYS[local.weekday()]} {_MONTHS[local.month - 1]} {local.day} {local.year}"


def iso_day(at: datetime, zone: tzinfo) -> str:
    """`2026-10-26`, the day of an instant in a zone."""
    return at.astimezone(zone).date().isoformat()


def zone_name(zone: tzinfo, at: datetime) -> str:
    """`UTC`, `CET`, or `UTC+03:00` where the zone has no letters of its own at that time."""
    name = at.astimezone(zone).tzname() or ""
    return name if name.isalpha() else _offset(zone, at)


def _offset(zone: tzinfo, at: datetime) -> str:
    minutes = int((at.astimezone(zone).utcoffset() or timedelta()).total_seconds()) // 60
    sign = "-" if minutes < 0 else "+"
    return f"UTC{sign}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def span(length: timedelta) -> str:
    """`40 seconds`, `10 minutes`, `3 hours`, `2 days`: the largest unit of which there are two, rounded down."""
    seconds = int(length.total_seconds())
    for name, size in (("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= 2 * size:
            return count(seconds // size, name)
    return count(seconds, "second")


def ago(at: datetime, now: datetime) -> str:
    """`3 hours ago`, `in 10 minutes`, `now`."""
    if abs(now - at) < timedelta(seconds=30):
        return "now"
    return f"{span(now - at)} ago" if at < now else f"in {span(at - now)}"


def count(number: int, name: str, plural: str | None = None) -> str:
    """`1 voice`, `2 voices`, `3 stories`."""
    return f"{number} {name}" if number == 1 else f"{number} {plural or name + 's'}"


def title(text: str) -> str:
    """A title as one line that no terminal obeys."""
    return one_line(text) or UNTITLED


def widget(trend: Trend, zone: tzinfo, now: datetime) -> dict[str, str | None]:
    """The three figures as they are shown, and why there is a dash."""
    return {
        "current": rounded(trend.current),
        "peak": rounded(trend.peak.value),
        "peak_at": clock(trend.peak.at, zone, now),
        "change_24h": change_text(trend.change),
        "change_reason": trend.change.reason,
        "timezone": str(zone),
    }


# -- charts -----------------------------------------------------------------------------------------

_BARS = "▁▂▃▄▅▆▇█"
GAP = "·"


def spark(hours: Sequence[Hour], cells: int) -> str:
    """The hours as a row of bars, the highest of each cell; a blank where nothing is known."""
    parts = [_highest(part) for part in split(hours, cells)]
    top = max((part.heat for part in parts if part is not None), default=0.0)
    return "".join(" " if part is None else _BARS[_step(part.heat, top, len(_BARS) - 1)] for part in parts)


_FILLS = {Standing.OBSERVED: "█", Standing.PARTIAL: "▒", Standing.REBUILT: "░"}


def chart(hours: Sequence[Hour], cells: int, rows: int) -> list[str]:
    """The hours as columns, the top row first; rebuilt ones lighter, a dot where nothing is known.

    A column that is not zero is at least one row high; the lowest row of a zero is `_`.
    """
    parts = [_highest(part) for part in split(hours, cells)]
    top = max((part.heat for part in parts if part is not None), default=0.0)
    heights = [0 if part is None or part.heat <= 0 else max(1, _step(part.heat, top, rows)) for part in parts]
    lines = []
    for row in range(rows, 0, -1):
        line = ""
        for part, height in zip(parts, heights, strict=True):
            if part is None:
                line += GAP if row == 1 else " "
            elif height >= row:
                line += _FILLS[part.standing]
            else:
                line += "_" if row == 1 else " "
        lines.append(line)
    return lines


def split(hours: Sequence[Hour], cells: int) -> list[Sequence[Hour]]:
    """The hours in groups of one size, at most `cells` of them; the newest group is full."""
    size = max(1, -(-len(hours) // cells))
    first = len(hours) % size
    groups = [hours[:first]] if first else []
    return groups + [hours[start : start + size] for start in range(first, len(hours), size)]


def _highest(hours: Sequence[Hour]) -> Hour | None:
    """The hour that stands for a group: the highest of those we know something about."""
    known = [hour for hour in hours if hour.standing is not Standing.UNKNOWN]
    return max(known, key=lambda hour: hour.heat, default=None)


def _step(value: float, top: float, steps: int) -> int:
    return 0 if top <= 0 else int(half_up(steps * value / top))
