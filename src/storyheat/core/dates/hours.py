"""Hours beside a day: "13:15 – 19:00 Uhr", "10am–6pm", "doors 8 pm". Such a day is that of an event, or is open."""

import re

from storyheat.core.dates.east_asian import PART_OF_DAY

_MARK = (
    r"(?:[:.]\d{2}(?![\d.])|\s?(?:uhr|uur|hrs?|h)(?![^\W\d_])(?:\s?\d{2}(?!\d))?|\s?[ap]\.?\s?m\b\.?|\s?[時时點点시])"
)
_MARKED = rf"(?:{PART_OF_DAY})?\s?\d{{1,2}}{_MARK}{{1,2}}"
_ANY = rf"(?:{PART_OF_DAY})?\s?\d{{1,2}}{_MARK}{{0,2}}"
_UNTIL = (
    r"\s?(?:[-–—~～〜至到]|から|부터|(?<![^\W\d_])(?:to|until|till|bis|à|a|al|ao|alle|às|até|hasta|tot|do|до)"
    r"(?:\s(?:las|les|ore))?(?![^\W\d_]))\s?"
)
_SPAN = rf"{_ANY}{_UNTIL}{_MARKED}"
_BEGINS = (
    r"(?:starts?|starting|begins?|beginning|beginn|einlass|doors(?: open)?|from|ab|à partir de|dès|desde|inizio|начало|"
    r"с|開演|開場|开始|시작)[:：]?(?: at| um| las)?\s?"
)
_LEAD = r"(?:(?:from|von|between|de|du|das|dalle(?: ore)?|las|с|at|um|kl\.?|time|zeit|uhrzeit|时间|時間)[:：]?\s?)?"
_BETWEEN = r"[\s,;|·•/@()（）–—-]*"
_BEHIND = re.compile(
    rf"(?:\s?[(（][^()（）]{{1,3}}[)）])?{_BETWEEN}(?:{_LEAD}(?P<span>{_SPAN})|{_BEGINS}{_MARKED})", re.IGNORECASE
)
_BEFORE = re.compile(rf"(?<![\d:.]){_SPAN}{_BETWEEN}(?:[^\W\d_]+\.?{_BETWEEN}){{0,2}}\Z", re.IGNORECASE)
_HOURS = re.compile(rf"(?<![\d:.-]){_SPAN}", re.IGNORECASE)
_OFFSET = re.compile(r"\d\d:\d\d(?::\d\d)?-(?:0\d|1[0-2]):(?:00|30)")  # behind a date like 2026-10-25: a zone
_ISO = re.compile(r"\d{4}-\d\d-\d\d")


def has_hours(text: str) -> bool:
    """Whether a text tells from when until when something lasts on one day."""
    return _HOURS.search(text) is not None


def is_day_of_hours(before: str, date: str, behind: str) -> bool:
    """Whether the texts before and behind a date give hours: then it is the day of an event, or one that is open."""
    found = _BEHIND.match(behind)
    if found and not (found["span"] and _ISO.match(date) and _OFFSET.fullmatch(found["span"].strip())):
        return True
    return _BEFORE.search(before) is not None
