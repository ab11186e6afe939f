"""The time of day beside a date, as people and programs write it."""

import re
from datetime import timedelta
from typing import NamedTuple

from storyheat.core.dates.east_asian import PART_OF_DAY, hour_of_day
from storyheat.core.dates.month_names import WEEKDAYS, fold


class Clock(NamedTuple):
    """A time of day, and the text after it. `since_midnight` is None where the text says none, or not which."""

    since_midnight: timedelta | None
    rest: str
    remark: str | None = None


NO_SUCH_TIME = "no such time of day"
_MIDNIGHT_REMARK = "midnight at the start of the day, or at its end: only the day is certain"
_NOON = "noon|midi|mezzogiorno|mediod[ií]a|meio-dia|полдень|正午|정오"
_MIDNIGHT = "midnight|minuit|mezzanotte|medianoche|meia-noite|mitternacht|полночь|午夜|半夜|자정"
_HOUR = r"(?:h(?:rs?|oras?|eures?)?|uhr|uur|ч(?:ас(?:а|ов)?)?)\.?(?![^\W\d_])|[時时点點시]"
_MINUTE = r"分|분|(?:m(?:in(?:utes?|uten|utos?|uti)?)?|мин(?:ут[аы]?)?)\b\.?"
_SECOND = r"秒|초|(?:s(?:ec)?|сек)\b\.?"
_TIME = re.compile(
    rf"(?P<half>[ap]\.?m\.?|{PART_OF_DAY}|{_MIDNIGHT})?\s*(?<!\d)(?P<h>\d{{1,2}})\s?"
    rf"(?P<rest>(?:[:.]|(?P<unit>{_HOUR}))\s?(?P<m>\d{{2}}(?!\d)|\d(?=\s?(?:{_MINUTE}))|[半반])"
    rf"(?(unit)\s?(?:{_MINUTE})?)"  # a letter behind `10:05` is a zone
    rf"(?:[:.]?\s?(?P<s>\d{{2}}(?!\d)|\d(?=\s?(?:{_SECOND})))(?(unit)\s?(?:{_SECOND})?)(?:[.,:]\d+)?)?"
    rf"|(?:{_HOUR})(?!\d))?"
    rf"\s*(?P<half2>[ap]\.?\s?m\b\.?|(?:{_NOON}|{_MIDNIGHT})\b)?",
    re.IGNORECASE,
)
_IN_WORDS = re.compile(rf"(?P<noon>{_NOON})\b|(?P<midnight>{_MIDNIGHT})\b|{PART_OF_DAY}", re.IGNORECASE)
_COMPACT = re.compile(r"(\d{2})(\d{2})(\d{2})?(?:[.,]\d+)?(?![\d:])")
_IS_NOON, _IS_MIDNIGHT = (re.compile(words, re.IGNORECASE) for words in (_NOON, _MIDNIGHT))
_NO_HOUR = 99
_HOUR_FOLLOWS = frozenset({"ore", "ora", "orele", "klo", "kl", "godz", "saat", "pukul", "jam"})
_BEFORE_TIME = _HOUR_FOLLOWS | frozenset(
    {"", "at", "um", "as", "a", "al", "ao", "las", "alle", "o", "le", "la", "on", "om", "the"}
    | {"г", "год", "года", "р", "в", "у", "о", "v", "dne", "στισ", "luc"}
)


def read_time(text: str) -> Clock | str:
    """The time at the start of `text`, or the words that stand for it; a reason where there is no such time."""
    compact = _COMPACT.match(text)
    if compact:
        return _clock(int(compact[1]), int(compact[2]), int(compact[3] or 0), text[compact.end() :])
    text, hour_follows = _without_words_before(text)
    found = _TIME.match(text)
    if found and (found["rest"] or found["half"] or found["half2"] or hour_follows):
        return _of_numbers(found, text[found.end() :])
    named = _IN_WORDS.match(text)
    if named is None:
        return Clock(None, text)
    return Clock(
        timedelta(hours=12) if named["noon"] else None,
        text[named.end() :],
        _MIDNIGHT_REMARK if named["midnight"] else None,
    )


def _without_words_before(text: str) -> tuple[str, bool]:
    """The text without filling words at its start (`at 3:05 PM`), and whether they say that an hour follows."""
    words = text.split()
    hour_follows = False
    while words and (word := fold(words[0].strip(",;-|"))) in _BEFORE_TIME | WEEKDAYS.keys():
        hour_follows = word in _HOUR_FOLLOWS
        words.pop(0)
    return " ".join(words), hour_follows


def _of_numbers(found: re.Match[str], rest: str) -> Clock | str:
    half = (found["half"] or found["half2"] or "").lower().replace(".", "").replace(" ", "")
    hour, second = int(found["h"]), int(found["s"] or 0)
    minute = 30 if found["m"] in ("半", "반") else int(found["m"] or 0)
    if _IS_MIDNIGHT.fullmatch(half):
        if (hour, minute, second) == (12, 0, 0):
            return Clock(None, rest, _MIDNIGHT_REMARK)
        return _clock(hour, minute, second, rest) if hour in (0, 24) else NO_SUCH_TIME
    if found["half2"] and _IS_NOON.fullmatch(half):
        return _clock(hour, minute, second, rest) if hour == 12 else NO_SUCH_TIME
    return _clock(_hour_of_day(hour, half), minute, second, rest)


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


def _clock(hour: int, minute: int, second: int, rest: str) -> Clock | str:
    if (hour, minute, second) == (24, 0, 0):
        return Clock(timedelta(days=1), rest)
    if hour > 23 or minute > 59 or second > 60:
        return NO_SUCH_TIME
    return Clock(timedelta(hours=hour, minutes=minute, seconds=min(second, 59)), rest)  # 60: a leap second
