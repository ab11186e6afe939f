"""Numbers that stand in words and dates in a text: `forty-two`, `two million`, `三家`, `October 24`, `10月24日`."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from storyheat.core.dates.month_names import MONTHS, fold
from storyheat.core.text.stopwords import NO_NAMES


def _from(first: int, words: str, step: int = 1) -> dict[str, int]:
    return {word: first + step * place for place, word in enumerate(words.split())}


_ONES = _from(1, "one two three four five six seven eight nine")
_TEENS = _from(10, "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
_TENS = _from(20, "twenty thirty forty fifty sixty seventy eighty ninety", 10)
_ORDINALS = _from(3, "third fourth fifth sixth seventh eighth ninth tenth")
_STEPS = {"dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
Words: TypeAlias = Sequence[tuple[str, int, int]]  # in small letters, with the places where they begin and end
_SMALL = _ONES | _TEENS | _TENS
_LETTERS = re.compile(r"[A-Za-z]+")
_GAP = re.compile(r"[\s-]+")
_HAN_ONES = _from(2, "二 三 四 五 六 七 八 九") | {"两": 2}
# A single Han digit counts where a measure word follows; elsewhere it is mostly part of a word.
_HAN_COUNT = re.compile(
    r"(?<![一二两三四五六七八九十百千万亿几])([两二三四五六七八九])(?=[个家名位次天周款种项座辆艘部场轮票倍件条])"
)

_CHINESE_DATE = re.compile(r"(?P<year>\d{4})年|(?P<month>\d{1,2})月|(?P<day>\d{1,2})[日号]")
_ISO_DATE = re.compile(r"(?<!\d)(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})(?!\d)")
_WORD = re.compile(r"[^\W\d_]{3,}")
_DAY_BEFORE = re.compile(r"(?<![\d.,])(\d{1,2})(?:st|nd|rd|th|\.)?\s+(?:of\s+|de\s+)?$")
_DAY_BEHIND = re.compile(r"\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?![\d%]|[.,]\d)")
_CLEAR_MONTH = 4  # letters of a month in small letters that is likely to be one
_YEAR_BEHIND = re.compile(r"[.,]?\s+(?:de\s+)?(\d{4})(?!\d)")


@dataclass(frozen=True, slots=True)
class SpelledNumber:
    """A number in words, and where it stands."""

    value: float
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Calendar:
    """The dates of a text in parts, and where they stand."""

    years: frozenset[int] = frozenset()
    months: frozenset[int] = frozenset()
    days: frozenset[int] = frozenset()
    spans: tuple[tuple[int, int], ...] = field(default=(), compare=False)

    def __or__(self, other: "Calendar") -> "Calendar":
        return Calendar(self.years | other.years, self.months | other.months, self.days | other.days)


def number_words(text: str) -> list[SpelledNumber]:
    """The numbers in English words, in order, `one` alone left out, and single Han digits that count something."""
    words = [(match[0].lower(), match.start(), match.end()) for match in _LETTERS.finditer(text)]
    found = []
    place = 0
    while place < len(words):
        value, after = _number_at(text, words, place)
        if value is None:
            place += 1
            continue
        found.append(SpelledNumber(value, words[place][1], words[after - 1][2]))
        place = after
    found += [SpelledNumber(_HAN_ONES[match[1]], *match.span(1)) for match in _HAN_COUNT.finditer(text)]
    return sorted(found, key=lambda one: one.start)


def _number_at(text: str, words: Words, place: int) -> tuple[float | None, int]:
    """(value, place behind it) of the number that begins with a word; None: none does."""
    word = words[place][0]
    step = _next(text, words, place)
    if word in _ORDINALS:
        return float(_ORDINALS[word]), place + 1
    if word in _SMALL:
        value, place = float(_SMALL[word]), place + 1
        if word in _TENS and step in _ONES:
            value, place = value + _ONES[step], place + 1
        elif word == "one" and step not in _STEPS:
            return None, place
    elif word in ("a", "an") and step in _STEPS:
        value, place = 1.0, place + 1
    else:
        return None, place
    while (step := _next(text, words, place - 1)) in _STEPS:
        value, place = value * _STEPS[step], place + 1
        rest = place + (_next(text, words, place - 1) == "and")
        if rest < len(words) and words[rest][0] in _SMALL and _next(text, words, rest - 1):
            more, after = _number_at(text, words, rest)
            if more is not None and more < _STEPS[step]:
                return value + more, after
    return value, place


def _next(text: str, words: Words, place: int) -> str:
    """The word behind, if only blanks and hyphens stand between; else nothing."""
    if place + 1 >= len(words):
        return ""
    return words[place + 1][0] if _GAP.fullmatch(text, words[place][2], words[place + 1][1]) else ""


def calendar(text: str) -> Calendar:
    """The dates of a text: months by name with day and year beside them, `2026-10-24`, and `2026年10月24日`."""
    years: set[int] = set()
    months: set[int] = set()
    days: set[int] = set()
    spans: list[tuple[int, int]] = []
    for pattern in (_ISO_DATE, _CHINESE_DATE):
        for match in pattern.finditer(text):
            for kept, number in ((years, "year"), (months, "month"), (days, "day")):
                if match[number]:
                    kept.add(int(match[number]))
            spans.append(match.span())
    for match in _WORD.finditer(text):
        month = MONTHS.get(fold(match[0]))
        if month is None:
            continue
        start, end = match.span()
        before, behind = _DAY_BEFORE.search(text, 0, start), _DAY_BEHIND.match(text, end)
        year = _YEAR_BEHIND.match(text, behind.end() if behind else end)
        beside = before or behind or year
        if not (match[0][0].isupper() and (beside or fold(match[0]) in NO_NAMES)) and not (
            beside and len(match[0]) >= _CLEAR_MONTH
        ):
            continue  # may, march, set, out
        months.add(month)
        days.update(int(day[1]) for day in (before, behind) if day)
        if year:
            years.add(int(year[1]))
        spans.append((before.start() if before else start, (year or behind or match).end()))
    return Calendar(frozenset(years), frozenset(months), frozenset(days), tuple(spans))


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with blanks in these places."""
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text
