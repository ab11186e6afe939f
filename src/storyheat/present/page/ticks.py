"""Where the x axis of a chart has ticks: at full hours, midnights, Mondays or firsts of a month, as many as fit."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from storyheat.present.page.times import MONTHS, WEEKDAYS

MOST_TICKS = 8
LEAST_ROOM = 5.0  # per cent of the width that a label needs at its right
_SIX_HOURLY = timedelta(hours=36)  # longest spans of each kind of tick
_TWELVE_HOURLY = timedelta(days=4)
_DAILY = timedelta(days=8)
_WEEKLY = timedelta(days=8 * 7)
_MONTH_STEPS = (1, 2, 3, 6, 12)


@dataclass(frozen=True, slots=True)
class Tick:
    """A place on the x axis in per cent. `weekday` is left out where it is narrow; an empty `text` shows no label."""

    x: float
    weekday: str
    text: str


def ticks(start: datetime, end: datetime, zone: tzinfo) -> tuple[Tick, ...]:
    """The ticks of [start, end] in a zone, at most MOST_TICKS."""
    span = end - start
    found = [(at, day) for at, day in _places(start, end, zone) if start <= at <= end]
    made = []
    for at, day in found[-MOST_TICKS:]:
        x = round(100 * ((at - start) / span), 2)
        local = at.astimezone(zone)
        weekday, text = _words(local, day, span)
        shown = x <= 100 - LEAST_ROOM
        made.append(Tick(x, weekday if shown else "", text if shown else ""))
    return tuple(made)


def _places(start: datetime, end: datetime, zone: tzinfo) -> Iterator[tuple[datetime, date]]:
    first, last, span = start.astimezone(zone).date(), end.astimezone(zone).date(), end - start
    if span > _WEEKLY:
        yield from _months(first, last, zone)
        return
    hours = (0, 6, 12, 18) if span <= _SIX_HOURLY else (0, 12) if span <= _TWELVE_HOURLY else (0,)
    day = first
    while day <= last:
        if span <= _DAILY or day.weekday() == 0:
            for hour in hours:
                yield _instant(day, hour, zone), day
        day += timedelta(days=1)


def _months(first: date, last: date, zone: tzinfo) -> Iterator[tuple[datetime, date]]:
    count = (last.year - first.year) * 12 + last.month - first.month
    step = next((step for step in _MONTH_STEPS if count / step <= MOST_TICKS), None)
    step = step or 12 * -(-count // (12 * MOST_TICKS))  # whole years
    for number in range(first.year * 12 + first.month - 1, last.year * 12 + last.month):
        if number % step == 0:
            day = date(number // 12, number % 12 + 1, 1)
            yield _instant(day, 0, zone), day


def _instant(day: date, hour: int, zone: tzinfo) -> datetime:
    return datetime.combine(day, time(hour), zone).astimezone(UTC)


def _words(local: datetime, day: date, span: timedelta) -> tuple[str, str]:
    if span > _WEEKLY:
        return "", f"{MONTHS[day.month - 1]} {day.year}" if day.month == 1 else MONTHS[day.month - 1]
    if span > _DAILY:
        return "", f"{day.day} {MONTHS[day.month - 1]}"
    if local.date() == day and local.hour < 6:
        return f"{WEEKDAYS[day.weekday()]} ", str(day.day)
    return "", f"{local:%H:%M}"
