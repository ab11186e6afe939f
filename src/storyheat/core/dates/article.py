"""When an article was published, of all the dates that its page shows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from enum import IntEnum

from storyheat.core.dates.hours import is_day_of_hours
from storyheat.core.dates.labels import says_other, says_published, says_updated
from storyheat.core.dates.month_names import MONTHS, fold
from storyheat.core.dates.numeric import day_first
from storyheat.core.dates.published import read_date
from storyheat.core.dates.relative import read_relative
from storyheat.core.model import Published


class Place(IntEnum):
    """Where a page shows a date, the most trustworthy place first."""

    STRUCTURED = 1  # JSON-LD of the article itself
    META = 2  # a meta element that names publication
    MICRODATA = 3  # an element marked as the date of publication
    TIME = 4  # a time element at the head of the article
    ADDRESS = 5  # the day in the page's address
    HEAD = 6  # words beside the headline
    MARKED = 7  # words in an element whose class speaks of a date
    GENERAL = 8  # a meta element that says only "date", JSON-LD of an article with another address


_ONE_DAY_ONLY = frozenset({Place.HEAD, Place.MARKED})  # where several days stand there, none of them is taken


@dataclass(frozen=True, slots=True)
class Hint:
    """One date as a page shows it."""

    place: Place
    text: str


@dataclass(frozen=True, slots=True)
class ArticleDateParams:
    """Which dates an article may have."""

    first_year: int = 1990  # the web is not older
    slack: timedelta = timedelta(days=1)  # a bare day may lie ahead in its own zone
    max_text_chars: int = 300  # of one element that is searched; bylines are shorter


DEFAULT_PARAMS = ArticleDateParams()

_MONTH = r"[^\W\d_]{3,12}\.?"
_DATES = re.compile(
    r"(?<![\d/.-])(?:"
    r"(?:19|20)\d\d\s?[-/.年년]\s?\d{1,2}\s?[-/.月월]\s?\d{1,2}(?!\d)(?:\s?[日号號일])?"
    r"|\d{1,2}\s?([./-])\s?\d{1,2}\s?\1\s?(?:19|20)\d\d(?!\d)"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|º|\.)?\s?(?:de\s|of\s)?{_MONTH},?\s(?:de\s|del\s)?(?:19|20)\d\d(?!\d)"
    r")"
    rf"|(?<![^\W_]){_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?,?\s(?:19|20)\d\d(?!\d)",
    re.IGNORECASE,
)
_RANGE = re.compile(r"(?:\s?\([^()]{1,3}\))?\s?[-–~～]\s?\d{1,2}(?![\d:.])")  # until another day
_PATH_DAY = re.compile(
    r"(?<!\d)((?:19|20)\d\d)(?:([/._-])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?!\d)|(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d))"
    r"|(?<!\d)((?:19|20)\d\d)/(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)"
    r"|(?<!\d)((?:19|20)\d\d)(0[1-9]|1[0-2])/(0[1-9]|[12]\d|3[01])(?!\d)"
    r"|(?<!\d)((?:19|20)\d\d)-(0[1-9]|1[0-2])/(0[1-9]|[12]\d|3[01])(?!\d)"
)
_PART_ENDS = re.compile(r"[|·•.!?]\s|\n")
_QUERY = re.compile(r"[?#].*", re.DOTALL)


def published(
    hints: Sequence[Hint],
    *,
    zone: tzinfo | None = None,
    language: str | None = None,
    fetched_at: datetime | None = None,
    params: ArticleDateParams = DEFAULT_PARAMS,
) -> Published | None:
    """The publication time of an article: the first believable date of the most trustworthy place.

    `zone` and `language` are the source's or the page's; without a zone bare times are UTC. A date that lies
    after `fetched_at` is not believed. None: unknown, which is better than wrong.
    """
    for place in Place:
        readings = (_read(hint.text, zone, language, fetched_at) for hint in hints if hint.place is place)
        claims = [claim for claim in readings if claim is not None and _believable(claim, fetched_at, params)]
        if claims and not (place in _ONE_DAY_ONLY and len({claim.at.date() for claim in claims}) > 1):
            return claims[0]
    return None


def _read(text: str, zone: tzinfo | None, language: str | None, fetched_at: datetime | None) -> Published | None:
    is_day_first = day_first(language)
    order = {} if is_day_first is None else dict.fromkeys("/-", is_day_first)
    claim = read_date(text, zone, day_first=order, language=language).published
    if claim is None and fetched_at is not None:
        return read_relative(text, fetched_at, zone).published
    return claim


def _believable(claim: Published, fetched_at: datetime | None, params: ArticleDateParams) -> bool:
    if claim.at.year < params.first_year:
        return False
    return fetched_at is None or claim.at <= fetched_at.astimezone(UTC) + params.slack


def dates_in(
    text: str, most_words: int | None = None, behind: str = "", params: ArticleDateParams = DEFAULT_PARAMS
) -> list[str]:
    """The dates inside a short text, those that say "published" first.

    Those of an update, of a span of days and of a day with hours, which may stand `behind` the text, are none, and
    where `most_words` is given, those with more words before them: these stand in a sentence.
    """
    text = text[: params.max_text_chars]
    found: list[tuple[bool, int, str]] = []
    before = 0
    for match in _DATES.finditer(text):
        label = text[before : match.start()]
        before = match.end()
        if not _has_month(match[0]) or _RANGE.match(text, match.end()) or says_other(_last_part(label)):
            continue
        if is_day_of_hours(label, match[0], f"{text[match.end() :]} {behind}"):
            continue
        says = says_published(label)
        if says or not (says_updated(label) or (most_words is not None and len(label.split()) > most_words)):
            found.append((not says, match.start(), match[0]))
    return [date for _, _, date in sorted(found)]


def _last_part(label: str) -> str:
    """The words of a label that belong to the date behind it."""
    return _PART_ENDS.split(label)[-1]


def _has_month(date: str) -> bool:
    words = re.findall(r"[^\W\d_]{3,}", date)
    return not words or any(fold(word) in MONTHS for word in words)


def day_in_address(url: str) -> str | None:
    """The day that the path of an address names, as `YYYY-MM-DD`; None without one, or with two."""
    days = set()
    for match in _PATH_DAY.finditer(_QUERY.sub("", url)):
        numbers = [group for group in match.groups() if group and group.isdecimal()]
        days.add("-".join(part.zfill(2) for part in numbers))
    return days.pop() if len(days) == 1 else None
