"""Times as the pages write them: day, month and clock, the year where it is missed, the zone where it stands alone."""

from datetime import date, datetime, timedelta, tzinfo

from storyheat.present.words import zone_name

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_LONG_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_LONG_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_NEEDS_YEAR = timedelta(days=300)  # a day and month alone mean the nearest one


def moment(at: datetime, zone: tzinfo, now: datetime) -> str:
    """`Tue 10 Nov, 17:00`; with the year where `now` is far."""
    local = at.astimezone(zone)
    return f"{WEEKDAYS[local.weekday()]} {_date(local, now)}, {_time(local)}"


def short(at: datetime, zone: tzinfo, now: datetime) -> str:
    """`10 Nov 17:00`; with the year where `now` is far."""
    local = at.astimezone(zone)
    return f"{_date(local, now)} {_time(local)}"


def short_date(at: datetime, zone: tzinfo, now: datetime) -> str:
    """`10 Nov`; with the year where `now` is far."""
    return _date(at.astimezone(zone), now)


def _date(local: datetime, now: datetime) -> str:
    year = f" {local.year}" if abs(now - local) > _NEEDS_YEAR else ""
    return f"{local.day} {MONTHS[local.month - 1]}{year}"


def _time(local: datetime) -> str:
    return f"{local.hour:02}:{local.minute:02}"  # a third of the time that a format with % takes


def whole(at: datetime, zone: tzinfo) -> str:
    """`Thu 12 Nov 2026, 14:35 UTC`: a time that stands alone."""
    local = at.astimezone(zone)
    day = f"{WEEKDAYS[local.weekday()]} {local.day} {MONTHS[local.month - 1]} {local.year}"
    return f"{day}, {_time(local)} {zone_name(zone, at)}"


def clock(at: datetime, zone: tzinfo, now: datetime) -> str:
    """`14:10` on the day of `now`, `Wed 19:30` in the six days before, `3 Nov 19:30` otherwise."""
    local = at.astimezone(zone)
    days = (now.astimezone(zone).date() - local.date()).days
    if days == 0:
        return f"{_time(local)}"
    return f"{WEEKDAYS[local.weekday()]} {_time(local)}" if 0 < days < 7 else short(at, zone, now)


def long_day(day: date, now: date) -> str:
    """`Thursday 12 November`; with the year where it is not that of `now`."""
    year = f" {day.year}" if day.year != now.year else ""
    return f"{_LONG_WEEKDAYS[day.weekday()]} {day.day} {_LONG_MONTHS[day.month - 1]}{year}"


def between(start: datetime, end: datetime, zone: tzinfo) -> str:
    """`5–12 Nov 2026`, `28 Oct – 12 Nov 2026`, `20 Dec 2026 – 3 Jan 2027`: the days of a span in a zone."""
    first, last = start.astimezone(zone), end.astimezone(zone)
    ending = f"{last.day} {MONTHS[last.month - 1]} {last.year}"
    if first.date() == last.date():
        return ending
    if (first.year, first.month) == (last.year, last.month):
        return f"{first.day}–{ending}"
    year = f" {first.year}" if first.year != last.year else ""
    return f"{first.day} {MONTHS[first.month - 1]}{year} – {ending}"


def age(hours: float) -> str:
    """`20 min`, `4 h 55 min`, `33 h 00 min`: how old a report is, by the minute."""
    minutes = int(hours * 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"
