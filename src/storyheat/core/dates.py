"""Publication times as published: any spelling that is certain becomes an instant, every other is unknown."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import NamedTuple

from storyheat.core.east_asian_dates import PART_OF_DAY, hour_of_day, westernised
from storyheat.core.markup import clean
from storyheat.core.model import Precision, Published
from storyheat.core.month_names import MONTHS, WEEKDAYS, fold
from storyheat.core.zones import read_zone


@dataclass(frozen=True, slots=True)
class DateParams:
    """Which years a publication date may name."""

    first_year: int = 1500  # earlier: zero dates of generators (0001), or today in Persian and Islamic years
    last_year: int = 2199  # later ones (9999) mean "never"
    max_chars: int = 100  # the longest real spelling, a browser's own, has 70


DEFAULT_PARAMS = DateParams()


class DateReading(NamedTuple):
    """What a text says about time: a claim, or None with the reason in `remark`."""

    published: Published | None
    remark: str | None


class _Parts(NamedTuple):
    """A date found in a text, and what stands before and after it."""

    day: date | None  # None: no such day in the calendar
    before: str
    after: str


_ZERO_DAYS = frozenset(  # what programs write for "no date", each ± the day that a zone shift makes of it
    date(year, month, day)
    for year, month, day in (
        (1969, 12, 31), (1970, 1, 1), (1970, 1, 2), (1899, 12, 29), (1899, 12, 30), (1899, 12, 31),
        (1900, 1, 1), (1600, 12, 31), (1601, 1, 1),
    )
)  # fmt: skip
_EPOCH = re.compile(r"(\d{10})(?:\.\d+|\d{3}|\d{6})?")  # seconds, milliseconds, microseconds
_YEAR_TO_HOUR = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])")
_YMD = re.compile(r"(?<!\d)(\d{4})\s?[-/.年년]\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})(?!\d)\s?[日号號일.]?")
_COMPACT = re.compile(r"(?<![\d.])(\d{4})(\d{2})(\d{2})(?=T\d{4}|T\d{2}:|\d{6}(?!\d)|\s|$)", re.IGNORECASE)
_NUMERIC = re.compile(r"(?<![A-Za-z\d:])(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4})(?![\d:])")
_WORD = r"[^\W\d_]+(?:['’][^\W\d_]+)?\.?"
_DAY_MONTH_YEAR = re.compile(
    rf"(?<![\d:])(\d{{1,2}})(?:st|nd|rd|th|er|[oa](?=\s)|\.)?[\s,/-]*(?:(?:de|of|del|di)\s+)?({_WORD})"
    r"[\s,/-]*(?:(?:de|del)\s+)?(\d{4}|\d{2}(?!\s?(?:uhr|uur|h|hrs|[ap]m)\b))(?![\d:])",
    re.IGNORECASE,
)
_MONTH_DAY_YEAR = re.compile(
    rf"(?<![^\W_])({_WORD})[\s-]*(\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])[\s,-]+(\d{{4}})(?![\d:])", re.IGNORECASE
)
_MONTH_DAY_TIME_YEAR = re.compile(  # ctime: Mon Oct 26 10:00:00 2026, with or without a zone before the year
    rf"(?<![^\W_])({_WORD})\s+(\d{{1,2}})\s+(\d{{1,2}}:\d{{2}}:\d{{2}})((?:\s+[^\s\d]\S*)?)\s+(\d{{4}})$"
)
_YEAR_MONTH_DAY = re.compile(rf"(?<!\d)(\d{{4}})[\s,.-]+({_WORD})[\s-]*(\d{{1,2}})(?![\d:])\.?", re.IGNORECASE)
_TIME = re.compile(
    rf"(?P<half>[ap]\.?m\.?|{PART_OF_DAY})?\s*(?<!\d)(?P<h>\d{{1,2}})\s?"
    r"(?P<rest>[:.h時时点點시]\s?(?P<m>\d{2}(?!\d)|\d(?=\s?[分분])|[半반])\s?(?:分|분)?"
    r"(?:[:.]?\s?(?P<s>\d{2}(?!\d)|\d(?=\s?[秒초]))\s?(?:秒|초)?(?:[.,:]\d+)?)?|[h時时点點시](?![a-z\d]))?"
    r"\s*(?P<half2>[ap]\.?\s?m\b\.?)?",
    re.IGNORECASE,
)
_COMPACT_TIME = re.compile(r"(\d{2})(\d{2})(\d{2})?(?:[.,]\d+)?(?![\d:])")
_DAY_AND_TIME = re.compile(r"^\s*(?:,|[Tt](?=\s?\d)|-(?=\s))*\s*")  # what may stand between a date and its time
_END_OF_DAY = time(0, 0, 0, 999_999)  # stands for 24:00
_NO_HOUR = 99
_BEFORE_TIME = frozenset(
    {"", "at", "um", "klo", "kl", "as", "a", "las", "alle", "ore", "ora", "orele", "o", "le", "la", "on", "om", "the"}
    | {"г", "год", "года", "р", "в", "у", "о", "v", "dne", "godz", "saat", "στισ", "pukul", "jam", "luc"}
)
_AFTER_TIME = frozenset({"", "uhr", "uur", "h", "hrs", "horas", "г", "года", "р", "hod"})
_COMMENT = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")


def slash_order(texts: list[str]) -> bool | None:
    """Whether the day stands first in the `a/b/yyyy` dates of one feed; None: that cannot be told."""
    orders = set()
    for text in texts:
        if not _NUMERIC.search(text):
            continue
        bare, _ = _tidy(text[: DEFAULT_PARAMS.max_chars]) or ("", [])
        found = _NUMERIC.search(bare)
        if found and found[1] != found[3] and len(days := _possible_days(bare, found)) == 1:
            orders.add(days[0] == _day(found[4], found[3], found[1]))
    return orders.pop() if len(orders) == 1 else None


def read_date(
    text: str | None,
    source_zone: tzinfo | None = None,
    *,
    day_first: bool | None = None,
    params: DateParams = DEFAULT_PARAMS,
) -> DateReading:
    """Reads one date as published. Never raises, and never guesses: what is not certain is None.

    `source_zone` is used where the text names no zone, UTC without it (then `zone_known` is False).
    `day_first` tells the order of `a/b/yyyy` dates where one of them alone does not. A remark says why
    there is no claim, or what was doubtful; it is None for an empty text and for a plain success.
    """
    if text is None or not text.strip():
        return DateReading(None, None)
    outcome = _read(text, source_zone, day_first, params)
    if isinstance(outcome, DateReading):
        return outcome
    return DateReading(None, f"{outcome}: “{' '.join(text.split())[:60]}”")


def _read(text: str, source_zone: tzinfo | None, day_first: bool | None, params: DateParams) -> DateReading | str:
    """A reading, or the reason why there is none."""
    if len(text) > params.max_chars:
        return "too long to be a date"
    tidy = _tidy(text)
    if tidy is None:
        return "a calendar that is not read"
    bare, comments = tidy
    if _YEAR_TO_HOUR.fullmatch(bare):
        return "seconds since 1970, or a date without separators"
    if epoch := _EPOCH.fullmatch(bare):
        return DateReading(Published(datetime.fromtimestamp(int(epoch[1]), UTC)), None)
    parts = _find_date(bare, day_first)
    if isinstance(parts, str):
        return parts
    return _of_parts(parts, comments, source_zone, params)


def _of_parts(parts: _Parts, comments: list[str], source_zone: tzinfo | None, params: DateParams) -> DateReading | str:
    if parts.day is None:
        return "no such day"
    if not params.first_year <= parts.day.year <= params.last_year or parts.day in _ZERO_DAYS:
        return "a placeholder, not a date"
    return _with_time(parts.day, parts, comments, source_zone)


def _tidy(text: str) -> tuple[str, list[str]] | None:
    """The text in one spelling without what stands in brackets, and that apart; None: no calendar of ours."""
    plain = westernised(clean(unicodedata.normalize("NFKC", text.replace("\u2212", "-"))))
    if plain is None:
        return None
    comments = [rounded or square for rounded, square in _COMMENT.findall(plain)]
    return " ".join(_COMMENT.sub(" ", plain).split()), comments


def _find_date(text: str, day_first: bool | None) -> _Parts | str:
    """The date in a text, or the reason why there is none."""
    found = _YMD.search(text) or _COMPACT.search(text)
    if found:
        return _Parts(_day(found[1], found[2], found[3]), text[: found.start()], text[found.end() :])
    found = _NUMERIC.search(text)
    if found:
        return _numeric(text, found, day_first)
    found = _MONTH_DAY_TIME_YEAR.search(text)
    if found and (month := MONTHS.get(fold(found[1]))):
        day = _day(found[5], month, found[2])
        return _Parts(day, text[: found.start()], f" {found[3]}{found[4]}")
    for pattern, year, month_group, day_group in (
        (_DAY_MONTH_YEAR, 3, 2, 1), (_MONTH_DAY_YEAR, 3, 1, 2), (_YEAR_MONTH_DAY, 1, 2, 3),
    ):  # fmt: skip
        for found in pattern.finditer(text):
            named = MONTHS.get(fold(found[month_group]))
            if named:
                day = _day(_full_year(found[year]), named, found[day_group])
                return _Parts(day, text[: found.start()], text[found.end() :])
    return "date could not be read"


def _numeric(text: str, found: re.Match[str], day_first: bool | None) -> _Parts | str:
    """`a/b/yyyy` in the only order that is possible, or the one that the rest of the feed shows."""
    days = _possible_days(text, found)
    if len(days) > 1:
        if day_first is None:
            return "day and month cannot be told apart"
        days = days[:1] if day_first else days[1:]
    return _Parts(days[0] if days else None, text[: found.start()], text[found.end() :])


def _possible_days(text: str, found: re.Match[str]) -> list[date]:
    """The days that `a/b/yyyy` can mean, that with the day first first. A weekday beside it may settle it."""
    first, second = int(found[1]), int(found[3])
    orders = [(second, first)] if found[2] == "." else [(second, first), (first, second)]  # dots: the day first
    days = [day for month, number in dict.fromkeys(orders) if (day := _day(found[4], month, number))]
    words = {WEEKDAYS.get(fold(word)) for word in re.findall(_WORD, text)} - {None}
    fitting = [day for day in days if day.weekday() in words]
    return fitting if len(days) > 1 and len(words) == len(fitting) == 1 else days


def _full_year(digits: str) -> int:
    year = int(digits)
    if len(digits) == 4:
        return year
    return year + (2000 if year < 50 else 1900)  # RFC 2822, section 4.3


def _day(year: str | int, month: str | int, day: str | int) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        # Year 0 is no date for Python, but it is a zero date for us, not a slip of the pen.
        return date.min if int(year) == 0 else None


def _with_time(day: date, parts: _Parts, comments: list[str], source_zone: tzinfo | None) -> DateReading | str:
    """The claim of a day together with the time and zone that stand around it."""
    if any(c.isdigit() for c in parts.before):  # the time stands first: 10:00 GMT, 26 Oct 2026
        clock, rest = _read_time(f"{parts.before} {parts.after}")
    else:  # any other word before the date is a weekday in a language that we do not know
        clock, rest = _read_time(_DAY_AND_TIME.sub("", parts.after))
    if isinstance(clock, str):
        return clock
    moment = datetime.combine(day, clock or time())
    if clock == _END_OF_DAY:
        moment = datetime.combine(day + timedelta(days=1), time())
    named = _zone(rest, comments if clock else [], moment, source_zone)
    if named is None:
        return "unknown zone or text beside the date"
    zone, remark = named
    known = zone is not None or source_zone is not None
    zone = zone or source_zone or UTC
    if clock is not None:
        return DateReading(Published(_utc(moment, zone), zone_known=known), remark)
    end = datetime.combine(day, time(23, 59, 59))
    return DateReading(Published(_utc(moment, zone), Precision.DAY, known, _utc(end, zone)), remark)


def _zone(
    text: str, comments: list[str], moment: datetime, source_zone: tzinfo | None
) -> tuple[tzinfo | None, str | None] | None:
    """The zone that the rest of a date names: (None, None) if there is no rest, None if it cannot be read.

    The zone may be named twice (`+0800 CST`): then the offset holds. Weekdays are taken away only when
    nothing else helps, since `PT` is both a Polish Friday and a zone. Brackets count where nothing else
    names a zone.
    """
    words = [word for word in (piece.strip(",;|") for piece in text.split()) if fold(word) not in _AFTER_TIME]
    for rest in (words, [word for word in words if fold(word) not in WEEKDAYS]):
        if not rest:
            break
        offset_first = rest[0][0] in "+-" and not any(c.isdigit() for word in rest[1:] for c in word)
        named = read_zone(rest[0] if offset_first else " ".join(rest), moment, source_zone)
        if named is not None:
            return named
    else:
        return None
    for comment in comments:
        if fold(comment.strip()) not in WEEKDAYS:
            return read_zone(comment, moment, source_zone)
    return None, None


def _utc(moment: datetime, zone: tzinfo) -> datetime:
    return moment.replace(tzinfo=zone).astimezone(UTC)


def _read_time(text: str) -> tuple[time | str | None, str]:
    """The time at the start of `text` (None: none there; a text: why it is wrong), and what follows it."""
    compact = _COMPACT_TIME.match(text)
    if compact:
        return _clock(int(compact[1]), int(compact[2]), int(compact[3] or 0)), text[compact.end() :]
    text = _words_before_digits(text)
    found = _TIME.match(text)
    if not found or not (found["rest"] or found["half"] or found["half2"]):
        return None, text
    half = (found["half"] or found["half2"] or "").lower().replace(".", "").replace(" ", "")
    hour = _hour_of_day(int(found["h"]), half)
    minute = 30 if found["m"] in ("半", "반") else int(found["m"] or 0)
    return _clock(hour, minute, int(found["s"] or 0)), text[found.end() :]


def _words_before_digits(text: str) -> str:
    """The text without filling words at its start (`at 3:05 PM`); `am` may belong to the time."""
    words = text.split()
    while words and fold(words[0].strip(",;-|")) in _BEFORE_TIME | WEEKDAYS.keys():
        words.pop(0)
    return " ".join(words)


def _hour_of_day(hour: int, half: str) -> int:
    """The hour on the 24-hour clock; some write 20:28 PM, where the 20 is plain enough. 13:05 AM is nothing."""
    if not half:
        return hour
    if half not in ("am", "pm"):
        certain = hour_of_day(half, hour)
        return _NO_HOUR if certain is None else certain
    if hour > 12:
        return hour if half == "pm" else _NO_HOUR
    return hour % 12 + (12 if half == "pm" else 0)


def _clock(hour: int, minute: int, second: int) -> time | str:
    if (hour, minute, second) == (24, 0, 0):
        return _END_OF_DAY
    if hour > 23 or minute > 59 or second > 60:
        return "no such time of day"
    return time(hour, minute, min(second, 59))  # a leap second
