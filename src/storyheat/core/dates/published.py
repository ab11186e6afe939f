"""Publication times as published: any spelling that is certain becomes an instant, every other is unknown."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from types import MappingProxyType
from typing import NamedTuple

from storyheat.core.dates.clock_times import read_time
from storyheat.core.dates.east_asian import westernised
from storyheat.core.dates.labels import published_part, says_other, says_updated, without_lead_in
from storyheat.core.dates.month_names import MONTHS, WEEKDAYS, fold
from storyheat.core.dates.numeric import NUMERIC, WORD, day_of, may_count_eras, possible_days
from storyheat.core.dates.zones import ZoneReading, read_zone
from storyheat.core.model import Precision, Published
from storyheat.core.text.markup import clean


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
_LAST_ZERO_YEAR = max(day.year for day in _ZERO_DAYS)
_PLACEHOLDER = "a placeholder, not a date"
_UNKNOWN_REST = "unknown zone or text beside the date"
_EPOCH = re.compile(r"(\d{10})(?:\.\d+|\d{3}|\d{6})?")  # seconds, milliseconds, microseconds
_YEAR_TO_HOUR = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])")
_YMD = re.compile(r"(?<!\d)(\d{4})\s?[-/.年년]\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})(?!\d)\s?[日号號일.]?")
_COMPACT = re.compile(r"(?<![\d.])(\d{4})(\d{2})(\d{2})(?=T\d{4}|T\d{2}:|\d{6}(?!\d)|\s|$)", re.IGNORECASE)
_WEEK = re.compile(r"(?<![\w-])(\d{4})(-?)W(\d{2})\2(\d)(?!\d)")  # 2026-W49-1, a Monday
_YEAR_DAY = re.compile(r"(?<![\w/.-])(\d{4})(?:-(\d{3})(?=[T\s]|$)|(\d{3})(?=T\d))")  # 2026-337, a day of the year
_DAY_MONTH_YEAR = re.compile(
    rf"(?<![\d:])(\d{{1,2}})(?:st|nd|rd|th|er|[oa](?=\s)|\.)?[\s,/-]*(?:(?:de|of|del|di)\s+)?({WORD})"
    r"[\s,/-]*(?:(?:de|del)\s+)?(\d{4}|\d{2}(?!\s?(?:uhr|uur|h|hrs|[ap]m)\b))(?![\d:])",
    re.IGNORECASE,
)
_MONTH_DAY_YEAR = re.compile(
    rf"(?<![^\W_])({WORD})[\s-]*(\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])[\s,-]+(\d{{4}})(?![\d:])", re.IGNORECASE
)
_MONTH_DAY_TIME_YEAR = re.compile(  # ctime: Mon Oct 26 10:00:00 2026, with or without a zone before the year
    rf"(?<![^\W_])({WORD})\s+(\d{{1,2}})\s+(\d{{1,2}}:\d{{2}}:\d{{2}})((?:\s+[^\s\d]\S*)?)\s+(\d{{4}})$"
)
_YEAR_MONTH_DAY = re.compile(rf"(?<!\d)(\d{{4}})[\s,.-]+({WORD})[\s-]*(\d{{1,2}})(?![\d:])\.?", re.IGNORECASE)
_DAY_AND_TIME = re.compile(r"^\s*(?:,|[Tt](?=\s?\d)|-(?=\s))*\s*")  # what may stand between a date and its time
_AFTER_TIME = frozenset({"", "uhr", "uur", "h", "hs", "hrs", "horas", "г", "года", "р", "hod"})
_THURSDAY = 3
_HOURS = re.compile(r"(?<![\dT:])(\d{1,2}):\d\d(?:-| - )(\d{1,2}):\d\d(?!\d)")  # 9:00-11:00
_COMMENT = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
# What programs write most, read at once. Whatever is doubtful in it is left to the rules for all the others.
_MONTHS_IN_RFC_822 = {
    "Jan": 1, "Feb": 2, "Mar": 3, "Apr": 4, "May": 5, "Jun": 6, "Jul": 7, "Aug": 8, "Sep": 9, "Oct": 10, "Nov": 11,
    "Dec": 12,
}  # fmt: skip
_PLAIN_OFFSET = r"([+-])(0\d|1[01]):?(00|15|30|45)"
_RFC_822 = re.compile(
    rf"(?:[A-Z][a-z]{{2}}, )?(\d{{1,2}}) ({'|'.join(_MONTHS_IN_RFC_822)}) (\d{{4}}) "
    rf"(\d\d):(\d\d):(\d\d) (?:GMT|{_PLAIN_OFFSET})",
    re.ASCII,
)
_ISO_8601 = re.compile(rf"(\d{{4}})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{{1,9}})?(?:Z|{_PLAIN_OFFSET})", re.ASCII)


def day_first_shown(texts: Iterable[str]) -> dict[str, bool]:
    """Whether the day stands first in the `a/b/yyyy` dates of one feed, by what stands between the numbers.

    Dates with dashes show nothing about those with slashes. A separator is left out where nothing or both are shown.
    """
    orders: dict[str, set[str]] = {}
    for text in texts:
        plain = _plain(text, DEFAULT_PARAMS)
        if plain is None or not NUMERIC.search(plain):
            continue
        bare, _ = _tidy(plain) or ("", [])
        found = _numeric_with(4, bare)
        if found and found[1] != found[3] and len(days := possible_days(bare, found)) == 1:
            orders.setdefault(found[2], set()).update(days)
    return {separator: "dmy" in shown for separator, shown in orders.items() if len(shown) == 1}


def read_date(
    text: str | None,
    source_zone: tzinfo | None = None,
    *,
    day_first: Mapping[str, bool] = MappingProxyType({}),
    language: str | None = None,
    params: DateParams = DEFAULT_PARAMS,
) -> DateReading:
    """Reads one date as published. Never raises, and never guesses: what is not certain is None.

    `source_zone` is used where the text names no zone, UTC without it (then `zone_known` is False).
    `day_first` tells by separator the order of `a/b/yyyy` dates where one of them alone does not, `language` (BCP 47)
    that of `03.12.26`, and the country of `CST`. A remark says why there is no claim, or what was doubtful; it is None
    for an empty text and for a plain success.
    """
    if text is None or not text.strip():
        return DateReading(None, None)
    outcome = _common(text, params) or _Reader(source_zone, day_first, language, params).read(text)
    if isinstance(outcome, DateReading):
        return outcome
    return DateReading(None, f"{outcome}: “{' '.join(text.split())[:60]}”")


def is_common(text: str) -> bool:
    """Whether a date has one of the two spellings that programs write most, which take no time to read."""
    return bool(_RFC_822.fullmatch(text) or _ISO_8601.fullmatch(text))


def _common(text: str, params: DateParams) -> DateReading | None:
    """A date in one of the two spellings that programs write most; None where it needs a closer look."""
    if found := _RFC_822.fullmatch(text):
        day, month, year = int(found[1]), _MONTHS_IN_RFC_822[found[2]], int(found[3])
    elif found := _ISO_8601.fullmatch(text):
        year, month, day = int(found[1]), int(found[2]), int(found[3])
    else:
        return None
    if not _LAST_ZERO_YEAR < year <= params.last_year:
        return None
    try:
        local = datetime(year, month, day, int(found[4]), int(found[5]), int(found[6]), tzinfo=UTC)
    except ValueError:
        return None
    from_utc = timedelta(hours=int(found[8]), minutes=int(found[9])) if found[7] else timedelta()
    return DateReading(Published(local + from_utc if found[7] == "-" else local - from_utc), None)


@dataclass(frozen=True, slots=True)
class _Reader:
    """What one date is read with; see `read_date`. Each method gives a reading, or the reason why there is none."""

    source_zone: tzinfo | None
    day_first: Mapping[str, bool]
    language: str | None
    params: DateParams

    def read(self, text: str) -> DateReading | str:
        plain = _plain(text, self.params)
        if plain is None:
            return "too long to be a date"
        tidy = _tidy(plain)
        if tidy is None:
            return "a calendar that is not read"
        bare, comments = tidy
        if _YEAR_TO_HOUR.fullmatch(bare):
            return "seconds since 1970, or a date without separators"
        if (hours := _HOURS.search(bare)) and int(hours[1]) < int(hours[2]):
            return "hours from and until, or an offset"
        if epoch := _EPOCH.fullmatch(bare):
            at = datetime.fromtimestamp(int(epoch[1]), UTC)
            return _PLACEHOLDER if self._is_placeholder(at.date()) else DateReading(Published(at), None)
        parts = self._find_date(bare)
        return parts if isinstance(parts, str) else self._of_parts(parts, comments)

    def _of_parts(self, parts: _Parts, comments: list[str]) -> DateReading | str:
        if parts.day is None:
            return "no such day"
        return _PLACEHOLDER if self._is_placeholder(parts.day) else self._with_time(parts.day, parts, comments)

    def _is_placeholder(self, day: date) -> bool:
        return not self.params.first_year <= day.year <= self.params.last_year or day in _ZERO_DAYS

    def _find_date(self, text: str) -> _Parts | str:
        """The date in a text."""
        parts = _year_first(text)
        if parts is None and (found := _numeric_with(4, text)):
            return self._numeric(text, found)
        parts = parts or _with_named_month(text)
        if parts is None and (found := _numeric_with(2, text)):
            return self._numeric(text, found)
        return parts or "date could not be read"

    def _numeric(self, text: str, found: re.Match[str]) -> _Parts | str:
        """A date in numbers in the only order that is possible, or the one that the rest of the feed shows."""
        if len(found[4]) == 2 and may_count_eras(text, self.language):
            return "the year may be that of an era"
        days = possible_days(text, found, self.language)
        if len(set(days.values())) > 1 and found[2] in self.day_first:
            days.pop("mdy" if self.day_first[found[2]] else "dmy", None)
        if len(set(days.values())) > 1:
            return "it may mean several days"
        return _parts(text, found, next(iter(days.values()), None))

    def _with_time(self, day: date, parts: _Parts, comments: list[str]) -> DateReading | str:
        """The claim of a day together with the time and zone that stand around it."""
        lead, time_first = _before_digits(parts.before)
        if time_first:  # 10:00 GMT, 26 Oct 2026
            clock = read_time(f"{time_first} {parts.after}")
        else:
            clock = read_time(_DAY_AND_TIME.sub("", parts.after))
        if isinstance(clock, str):
            return clock
        is_bare = clock.since_midnight is None
        moment = datetime.combine(day, time()) + (clock.since_midnight or timedelta())
        if fold(lead.strip(" ,")) == "do" and day.weekday() != _THURSDAY:
            return _UNKNOWN_REST  # in Polish and Czech this is "until"
        if any(says_other(comment) or (is_bare and without_lead_in(comment)) for comment in comments):
            return _UNKNOWN_REST
        named = self._zone(f"{without_lead_in(lead)} {clock.rest}", [] if is_bare else comments, moment)
        if isinstance(named, str):
            return named
        remark = "; ".join(filter(None, (named.remark, clock.remark))) or None
        known = named.zone is not None or self.source_zone is not None
        zone = named.zone or self.source_zone or UTC
        if not is_bare:
            return DateReading(Published(_utc(moment, zone), zone_known=known), remark)
        end = datetime.combine(day, time(23, 59, 59))
        return DateReading(Published(_utc(moment, zone), Precision.DAY, known, _utc(end, zone)), remark)

    def _zone(self, text: str, comments: list[str], moment: datetime) -> ZoneReading | str:
        """The zone that the rest of a date names; (None, None) if there is no rest.

        The zone may be named twice (`+0800 CST`): then the offset holds. Weekdays are taken away only when
        nothing else helps, since `PT` is both a Polish Friday and a zone. Brackets count where nothing else
        names a zone.
        """
        words = [word for word in (piece.strip(",;|") for piece in text.split()) if not _says_time(word)]
        doubt = None
        for rest in (words, [word for word in words if fold(word) not in WEEKDAYS]):
            if not rest:
                break
            offset_first = rest[0][0] in "+-" and not any(c.isdigit() for word in rest[1:] for c in word)
            named = self._named_zone(rest[0] if offset_first else " ".join(rest), moment)
            if named.zone is not None:
                return named
            doubt = doubt or named.remark
        else:
            return doubt or _UNKNOWN_REST
        for comment in comments:
            if fold(comment.strip()) not in WEEKDAYS:
                named = self._named_zone(comment, moment)
                return named if named.zone is not None else named.remark or _UNKNOWN_REST
        return ZoneReading(None, None)

    def _named_zone(self, text: str, moment: datetime) -> ZoneReading:
        return read_zone(text, moment, self.source_zone, self.language)


def _plain(text: str, params: DateParams) -> str | None:
    """The text with one sign for each character; None if it is too long, also as some become eighteen."""
    if len(text) > params.max_chars:
        return None
    plain = clean(unicodedata.normalize("NFKC", text.replace("\u2212", "-")))
    return plain if len(plain) <= params.max_chars else None


def _tidy(text: str) -> tuple[str, list[str]] | None:
    """The text in Western spelling without what stands in brackets, and that apart; None: no calendar of ours."""
    plain = westernised(text)
    if plain is None:
        return None
    comments = [words for groups in _COMMENT.findall(plain) if not says_updated(words := groups[0] or groups[1])]
    return " ".join(published_part(_COMMENT.sub(" ", plain)).split()), comments


def _parts(text: str, found: re.Match[str], day: date | None) -> _Parts:
    return _Parts(day, text[: found.start()], text[found.end() :])


def _year_first(text: str) -> _Parts | None:
    """A date in numbers that begins with a year of four digits, which settles the order of the others."""
    for pattern, day in (
        (_YMD, _day_of_numbers), (_COMPACT, _day_of_numbers), (_WEEK, _day_of_week), (_YEAR_DAY, _day_of_year),
    ):  # fmt: skip
        if found := pattern.search(text):
            return _parts(text, found, day(found))
    return None


def _with_named_month(text: str) -> _Parts | None:
    """A date with the month in words."""
    found = _MONTH_DAY_TIME_YEAR.search(text)
    if found and (month := MONTHS.get(fold(found[1]))):
        return _Parts(day_of(found[5], month, found[2]), text[: found.start()], f" {found[3]}{found[4]}")
    for pattern, year, month_group, day_group in (
        (_DAY_MONTH_YEAR, 3, 2, 1), (_MONTH_DAY_YEAR, 3, 1, 2), (_YEAR_MONTH_DAY, 1, 2, 3),
    ):  # fmt: skip
        for found in pattern.finditer(text):
            named = MONTHS.get(fold(found[month_group]))
            if named:
                return _parts(text, found, day_of(found[year], named, found[day_group]))
    return None


def _numeric_with(year_digits: int, text: str) -> re.Match[str] | None:
    """The date in numbers with a year of so many digits; with two digits, only if no other stands beside it."""
    found = [match for match in NUMERIC.finditer(text) if len(match[4]) == year_digits]
    return found[0] if found and (year_digits == 4 or len(found) == 1) else None


def _day_of_numbers(found: re.Match[str]) -> date | None:
    return day_of(found[1], found[2], found[3])


def _day_of_week(found: re.Match[str]) -> date | None:
    try:
        return date.fromisocalendar(int(found[1]), int(found[3]), int(found[4]))
    except ValueError:
        return None


def _day_of_year(found: re.Match[str]) -> date | None:
    year, number = int(found[1]), int(found[2] or found[3])
    day = date(year, 1, 1) + timedelta(days=number - 1) if year and number else None
    return day if day and day.year == year else None


def _before_digits(text: str) -> tuple[str, str]:
    """The words at the start of a text, and the rest from its first digit on."""
    start = next((place for place, c in enumerate(text) if c.isdigit()), len(text))
    return text[:start], text[start:]


def _says_time(word: str) -> bool:
    return fold(word) in _AFTER_TIME and word != "H"  # that is a military zone


def _utc(moment: datetime, zone: tzinfo) -> datetime:
    return moment.replace(tzinfo=zone).astimezone(UTC)
