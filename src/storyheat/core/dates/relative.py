"""Dates that are told from the moment of reading: "3 hours ago", "12分钟前", "yesterday 08:30"."""

import re
import unicodedata
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from types import MappingProxyType

from storyheat.core.dates.published import DateReading
from storyheat.core.model import Precision, Published
from storyheat.core.text.markup import clean

_MAX_CHARS = 60  # the longest real one, with an icon's label, has about 30
_MAX_UNCLEAN = 4 * _MAX_CHARS  # with blanks and invisible signs
_MAX_DAYS = 31  # beyond that a page says "a month ago", which names no day
_NOW = re.compile(
    r"just now|right now|moments? ago|刚刚|剛剛|刚才|たった今|방금( 전)?|только что|gerade eben|soeben|"
    r"à l['’]instant|proprio ora|adesso|ahora mismo|agora mesmo|agora há pouco",
    re.IGNORECASE,
)
_ONE = r"an?|one|einer?|einem|une?|un['’]|una|uma?|um"
_MINUTES = r"minutes?|mins?\.?|m(?=\sago)|分钟|分鐘|分|분|минут[ауы]?|мин\.?|minuten?|minut[io]|minutos?"
_HOURS = r"hours?|hrs?\.?|h|个?小时|個?小時|个?钟头|時間|시간|час(?:а|ов)?|stunden?|std\.?|heures?|or[ae]|horas?"
_DAYS = r"days?|d(?=\sago)|天|日|일|день|дня|дней|tag(?:en)?|jours?|giorn[io]|d[ií]as?"
_SECONDS = r"seconds?|secs?\.?|s(?=\sago)|秒钟?|秒鐘?|초|секунд[ауы]?|сек\.?|sekunden?|secondes?|second[io]|segundos?"
_UNIT = rf"(?:(?P<seconds>{_SECONDS})|(?P<minutes>{_MINUTES})|(?P<hours>{_HOURS})|(?P<days>{_DAYS}))"
_SPANS = tuple(  # a number, a unit, and the words around them that say "ago"
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?P<n>\d{{1,3}}|{_ONE})\s?{_UNIT}\s?(?:ago|前|之前|以前|전|назад|fa|atrás)",
        rf"(?:vor|il y a|hace|há)\s(?P<n>\d{{1,3}}|{_ONE})\s?{_UNIT}",
        rf"(?P<n>){_UNIT} назад",  # an hour ago: Russian leaves the number out
    )
)
_DAYS_BACK = MappingProxyType(
    {
        0: r"today|今天|今日|오늘|сегодня|heute|aujourd['’]hui|oggi|hoy|hoje",
        1: r"yesterday|昨天|昨日|어제|вчера|gestern|hier|ieri|ayer|ontem",
        2: r"前天|一昨日|그저께|позавчера|vorgestern|avant-hier|l['’]altro ieri|anteayer|anteontem",
    }
)
_NAMED_DAY = re.compile("|".join(f"(?P<back{back}>{words})" for back, words in _DAYS_BACK.items()), re.IGNORECASE)
_CLOCK = re.compile(
    r"[\s,]*(?:at|um|à|alle(?: ore)?|a las|às|в)?\s*(?P<h>[01]?\d|2[0-3])\s?[:h.：]\s?(?P<m>[0-5]\d)"
    r"(?:[:.：]?[0-5]\d)?\s?(?P<half>[ap]\.?m\.?)?(?:\s?uhr)?",
    re.IGNORECASE,
)


def read_relative(text: str, fetched_at: datetime, source_zone: tzinfo | None = None) -> DateReading:
    """What a date says that counts back from `fetched_at` (aware); without a claim where it does not.

    Minutes and hours give an exact time, days a bare day in `source_zone` (UTC without it). "A month ago" names
    no day. The claim is marked `relative`: it is exact to its unit only and moves from reading to reading.
    """
    if len(text) > _MAX_UNCLEAN:
        return DateReading(None, None)
    plain = " ".join(clean(unicodedata.normalize("NFKC", text)).split()).strip(" ·|•-–—,.()")
    if not plain or len(plain) > _MAX_CHARS:
        return DateReading(None, None)
    at = fetched_at.astimezone(UTC).replace(microsecond=0)
    if _NOW.fullmatch(plain):
        return DateReading(Published(at, relative=True), None)
    for pattern in _SPANS:
        found = pattern.fullmatch(plain)
        if found:
            number = int(found["n"]) if found["n"].isdecimal() else 1
            unit = next(unit for unit in ("seconds", "minutes", "hours", "days") if found[unit])
            return _back(timedelta(**{unit: number}), unit == "days", at, source_zone)
    named = _NAMED_DAY.match(plain)
    return DateReading(None, None) if named is None else _named(named, plain[named.end() :], at, source_zone)


def _back(span: timedelta, bare_day: bool, at: datetime, zone: tzinfo | None) -> DateReading:
    if not bare_day:
        return DateReading(Published(at - span, relative=True), None)
    if span.days > _MAX_DAYS:
        return DateReading(None, "too long ago to name a day")
    return DateReading(_day(at.astimezone(zone or UTC).date() - span, zone), None)


def _named(named: re.Match[str], rest: str, at: datetime, zone: tzinfo | None) -> DateReading:
    """Today, yesterday or the day before, with a time or without."""
    back = next(back for back in _DAYS_BACK if named[f"back{back}"])
    day = at.astimezone(zone or UTC).date() - timedelta(days=back)
    if not rest:
        return DateReading(_day(day, zone), None)
    clock = _CLOCK.fullmatch(rest)
    if clock is None:
        return DateReading(None, None)
    hour, half = int(clock["h"]), (clock["half"] or "").lower()
    if half and not 1 <= hour <= 12:
        return DateReading(None, "no such time of day")
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    moment = datetime.combine(day, time(hour, int(clock["m"])), zone or UTC).astimezone(UTC)
    return DateReading(Published(moment, zone_known=zone is not None, relative=True), None)


def _day(day: date, zone: tzinfo | None) -> Published:
    start, end = (datetime.combine(day, clock, zone or UTC).astimezone(UTC) for clock in (time(), time(23, 59, 59)))
    return Published(start, Precision.DAY, zone is not None, end, relative=True)
