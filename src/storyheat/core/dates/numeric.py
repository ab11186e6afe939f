"""Days written in numbers alone, where the order of day, month and year is a habit of the place."""

import re
from datetime import date

from storyheat.core.dates.month_names import WEEKDAYS, fold

NUMERIC = re.compile(r"(?<![A-Za-z\d:])(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?\2\s?(\d{4}|\d{2})(?![\d:]|[-/.]\d)")
WORD = r"[^\W\d_]+(?:['’][^\W\d_]+)?\.?"
# Habits as the Unicode CLDR has them for short dates. Where a region has another order, the language tells nothing.
_DAY_FIRST = frozenset({"de", "fr", "es", "it", "pt", "nl", "pl", "ru", "uk", "cs", "da", "nb", "no", "fi", "tr"}) | {
    "el", "ro", "id", "vi", "bg", "hr", "sr", "sk", "sl", "ca", "en-gb", "en-au", "en-ie", "en-nz", "en-in",
}  # fmt: skip
_OTHERWISE = frozenset({"fr-ca", "es-us", "es-pr", "es-pa"})
_YEAR_FIRST = re.compile(r"ko(?:-.*)?|zh-(?:hans-)?cn|zh-hans")  # Chinese of Singapore, Hong Kong, Macau: day first
_WITH_ERAS = frozenset({"ja", "zh"})  # there `08.12.03` may be of the year 8 of an era (Japan, Taiwan)
# Words and letters of languages that write the day first (`kl` is Swedish too, and Swedes do not), and of those that
# write the year first.
_DAY_FIRST_WORDS = re.compile(
    r"(?<![^\W_])(?:(?:di|mi|do|so)(?=[.,])|(?:uhr|uur|à|às|alle|ore|klo|godz)(?![^\W_]))|[а-я]", re.IGNORECASE
)
_HANGUL = re.compile("[\uac00-\ud7af]")
_HAN_OR_KANA = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
_CENTURY_TURNS = 50  # RFC 2822, section 4.3


def day_first(language: str | None) -> bool | None:
    """How `a/b/yyyy` is written in a language (BCP 47); None where that cannot be told."""
    tag = _tag(language)
    if tag == "en-us":
        return False
    if tag in _OTHERWISE:
        return None
    return True if tag in _DAY_FIRST or tag.partition("-")[0] in _DAY_FIRST else None


def possible_days(text: str, found: re.Match[str], language: str | None = None) -> dict[str, date]:
    """The days that a match of NUMERIC can mean, by the order that is then meant: `dmy`, `mdy`, `ymd`.

    With a year of four digits it is last, and dots stand after day and month in this order. Words and letters beside
    the date, or a weekday that only one of the days has, may settle it.
    """
    first, separator, second, third = found.groups()
    meant = {"dmy": (third, second, first), "mdy": (third, first, second), "ymd": (first, second, third)}
    orders = _orders(text, separator, third, language)
    days = {order: day for order in orders if (day := day_of(*meant[order]))}
    words = (word for word in re.findall(WORD, text) if word.casefold() != "thứ")  # of every Vietnamese weekday
    named = {WEEKDAYS.get(fold(word)) for word in words} - {None}
    fitting = {order: day for order, day in days.items() if day.weekday() in named}
    return fitting if len(days) > 1 and len(named) == len(fitting) == 1 else days


def _orders(text: str, separator: str, year: str, language: str | None) -> tuple[str, ...]:
    if _DAY_FIRST_WORDS.search(text) and _tag(language) not in _OTHERWISE:
        return ("dmy",)
    if len(year) == 4:
        return ("dmy",) if separator == "." else ("dmy", "mdy")
    if _is_year_first(text, language):
        return ("ymd",)
    if day_first(language):  # with slashes programs write the month first in any language
        return ("dmy",) if separator == "." else ("dmy", "mdy")
    return ("dmy", "mdy", "ymd")


def may_count_eras(text: str, language: str | None) -> bool:
    """Whether a year of two digits may be that of an era."""
    if _is_year_first(text, language):
        return False
    return _tag(language).partition("-")[0] in _WITH_ERAS or _HAN_OR_KANA.search(text) is not None


def _is_year_first(text: str, language: str | None) -> bool:
    return _YEAR_FIRST.fullmatch(_tag(language)) is not None or _HANGUL.search(text) is not None


def _tag(language: str | None) -> str:
    return (language or "").lower().replace("_", "-")


def full_year(digits: str) -> int:
    """The year that four digits, or two, name."""
    year = int(digits)
    if len(digits) != 2:
        return year
    return year + (2000 if year < _CENTURY_TURNS else 1900)


def day_of(year: str | int, month: str | int, day: str | int) -> date | None:
    """The day of three numbers; None if there is none. Two digits name a year of this or of the last century."""
    number = full_year(year) if isinstance(year, str) else year
    try:
        return date(number, int(month), int(day))
    except ValueError:
        # Year 0 is no date for Python, but it is a zero date for us, not a slip of the pen.
        return date.min if number == 0 else None
