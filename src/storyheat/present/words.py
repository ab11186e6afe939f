"""Values as words and numbers for people: rounding, signs, times with their zone, counts, names."""

from collections.abc import Sequence
from datetime import datetime, timedelta, tzinfo
from decimal import ROUND_FLOOR, Decimal
from math import fsum

from storyheat.core.heat.rule import half_up
from storyheat.core.heat.trend import Change, Trend
from storyheat.core.model import ChangeStanding, Level, Role, Standing
from storyheat.core.text.markup import one_line

MINUS = "\u2212"  # as wide as a plus, and not a hyphen
DASH = "—"
UNTITLED = "(without a title)"

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_NEEDS_YEAR = timedelta(days=300)  # a month and day alone mean the nearest one
_IN_A_SENTENCE = 40  # letters of a title
_SHORT_REASONS = {
    ChangeStanding.YOUNG: "new",
    ChangeStanding.UNOBSERVED: "not watched",
    ChangeStanding.ZERO: "was at zero",
}
LEVELS = {Level.FIRST_PARTY: "First-party", Level.PRESS: "Press", Level.DISCUSSION: "Discussion"}
ROLES = {Role.REPORT: "Report", Role.MENTION: "Mention", Role.COPY: "Copy"}
STANDINGS = {
    Standing.OBSERVED: "watched",
    Standing.PARTIAL: "watched in part",
    Standing.REBUILT: "rebuilt from what feeds still listed at the first poll",
    Standing.UNKNOWN: "not watched",
}
STANDINGS_IN_BRIEF = {
    Standing.OBSERVED: "observed",
    Standing.PARTIAL: "partial",
    Standing.REBUILT: "rebuilt from the feeds",
    Standing.UNKNOWN: "not watched",
}


def rounded(value: float, places: int = 0) -> str:
    """A number for people, halves away from zero."""
    return str(half_up(value, places)).replace("-", MINUS)


def signed(value: float, places: int = 0) -> str:
    """A rounded number with its sign; zero has none."""
    number = half_up(value, places)
    return f"+{number}" if number > 0 else rounded(value, places)


def shares(values: Sequence[float], places: int = 0) -> list[str]:
    """The parts of a sum, rounded so that what is shown adds up to the rounded sum.

    Each is rounded down, and the steps that are left go to those that lost most, of equal ones to the earlier.
    """
    step = Decimal(1).scaleb(-places)
    exact = [Decimal(repr(float(value))) for value in values]
    parts = [value.quantize(step, ROUND_FLOOR) for value in exact]
    left = int((half_up(fsum(values), places) - sum(parts)) / step)
    for number in sorted(range(len(parts)), key=lambda number: (parts[number] - exact[number], number))[:left]:
        parts[number] += step
    return [str(part).replace("-", MINUS) for part in parts]


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
    """`UTC` or `UTC+08:00`; the letters of other zones mean several places."""
    minutes = int((at.astimezone(zone).utcoffset() or timedelta()).total_seconds()) // 60
    if not minutes:
        return "UTC"
    return f"UTC{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


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


def byte_count(number: float) -> str:
    """`512 bytes`, `8.1 KB`, `69.6 MB`; a KB has 1000 bytes."""
    if number < 1000:
        return count(round(number), "byte")
    for unit in ("KB", "MB", "GB"):
        number /= 1000
        if number < 1000 or unit == "GB":
            break
    return f"{rounded(number, 1)} {unit}"


def title(text: str) -> str:
    """A title as one line that no terminal obeys."""
    return one_line(text) or UNTITLED


def quoted(text: str) -> str:
    """A title in quotation marks, short enough to stand in a sentence."""
    line = title(text)
    return f"“{line if len(line) <= _IN_A_SENTENCE else line[: _IN_A_SENTENCE - 1].rstrip() + '…'}”"


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
