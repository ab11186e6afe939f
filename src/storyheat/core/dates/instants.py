"""Instants and spans as people type them: ISO, a date, `3h ago`, `yesterday 18:00`; `10m`."""

import re
from datetime import UTC, datetime, time, timedelta, tzinfo

_UNITS = {
    "s": 1, "sec": 1, "second": 1,
    "m": 60, "min": 60, "minute": 60,
    "h": 3600, "hr": 3600, "hour": 3600,
    "d": 86_400, "day": 86_400,
    "w": 604_800, "week": 604_800,
}  # fmt: skip
_SPAN = re.compile(r"(\d{1,9}|an?)\s*([a-z]+)")
_CLOCK = re.compile(r"(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?")
_DAYS = {"today": 0, "yesterday": 1}

AT_HINT = 'write it like 2026-10-26T23:00Z, 2026-10-26, "3h ago" or "yesterday 18:00"'
SPAN_HINT = "write it like 30s, 10m, 6h or 2d"


def read_instant(text: str, now: datetime, zone: tzinfo) -> datetime:
    """The instant that `text` names, UTC, whole seconds.

    What names no zone is in `zone`; a bare day is its first second there. Raises ValueError with a hint.
    """
    words = " ".join(text.split())
    folded = words.casefold()
    try:
        if folded == "now":
            return now
        if folded.endswith(" ago"):
            return now - read_span(folded.removesuffix(" ago"))
        day, _, clock = folded.partition(" ")
        if day in _DAYS:
            date = now.astimezone(zone).date() - timedelta(days=_DAYS[day])
            return _utc(datetime.combine(date, _clock(clock) if clock else time(), zone))
        found = datetime.fromisoformat(words)
        return _utc(found if found.tzinfo else found.replace(tzinfo=zone))
    except (ValueError, OverflowError) as error:
        raise ValueError(f'"{words}" is no time; {AT_HINT}') from error


def read_span(text: str) -> timedelta:
    """The span that `text` names, whole seconds, more than none. Raises ValueError with a hint."""
    match = _SPAN.fullmatch(text.strip().casefold())
    unit = match and (_UNITS.get(match[2]) or _UNITS.get(match[2].removesuffix("s")))
    if not match or not unit:
        raise ValueError(f'"{text}" is no span of time; {SPAN_HINT}')
    count = int(match[1]) if match[1].isdigit() else 1
    try:
        span = timedelta(seconds=count * unit)
    except OverflowError as error:
        raise ValueError(f'"{text}" is too long a span of time') from error
    if not span:
        raise ValueError(f'"{text}" is no span of time; {SPAN_HINT}')
    return span


def _clock(text: str) -> time:
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise ValueError(text)
    return time(int(match[1]), int(match[2] or 0), int(match[3] or 0))


def _utc(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(microsecond=0)
