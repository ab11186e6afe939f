"""What Chinese, Japanese and Korean dates say in their own way, rewritten as any other date says it."""

import re
from types import MappingProxyType

_ERAS = MappingProxyType(  # the year before the first of each
    {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "民國": 1911, "民国": 1911}
)
_ERA_YEAR = re.compile(rf"(?:中華|中华)?({'|'.join(_ERAS)})\s?(\d{{1,3}}|元)\s?年")
_HAN_DIGITS = str.maketrans("〇零一二三四五六七八九", "00123456789")
_HAN_TENS = re.compile(r"([一二三])?十([一二三四五六七八九])?")
_HAN_NUMBER = re.compile(r"[〇零一二三四五六七八九十]+(?=[年月日号號])|(?<=年)[一二三四五六七八九十]+")
_WEEKDAY = re.compile(
    r"(?:星期|[周週]|礼拜|禮拜)\s?([一二三四五六日天])|([月火水木金土日])曜日?|([월화수목금토일])요일"
)
_SHORT_WEEKDAY = re.compile(r"\(([月火水木金土日一二三四五六월화수목금토일])\)|^([월화수목금토일月火水木金土日])(?=,)")
_WEEKDAY_NUMBERS = MappingProxyType(
    {name: day for week in ("一二三四五六日", "月火水木金土天", "월화수목금토일") for day, name in enumerate(week)}
)
_WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(r"(?<!\d)(1[0-2]|0?[1-9])\s?[月월](?!\s?\d{1,2}\s?[日号號일])")
_OTHER_CALENDARS = re.compile(r"農曆|農暦|农历|阴历|陰曆|旧暦|旧历|음력|佛曆|佛历")
# Hours that each part of the day can have on a clock of twelve, and what they are on one of 24. At any other
# hour the word may mean this night or the one before: then no time is certain.
_PARTS_OF_DAY = MappingProxyType(
    {
        "上午 午前 오전": {12: 0} | {h: h for h in range(12)},
        "下午 午後 오후": {12: 12} | {h: h + 12 for h in range(12)},
        "凌晨 새벽": {12: 0} | {h: h for h in range(7)},
        "早上 早晨 清晨 아침": {h: h for h in range(4, 12)},
        "中午 午间 正午 낮": {11: 11, 12: 12} | {h: h + 12 for h in range(1, 4)},
        "傍晚 晚上 晚间 저녁": {h: h + 12 for h in range(5, 12)},
        "深夜 夜间 밤": {h: h + 12 for h in range(8, 12)},
    }
)
_HOURS = MappingProxyType({word: hours for words, hours in _PARTS_OF_DAY.items() for word in words.split()})
PART_OF_DAY = "|".join(_HOURS)  # for a pattern


def westernised(text: str) -> str | None:
    """`text` with era years, Han numerals, weekdays and bare months in Western spelling; None: no such calendar.

    A month that stands with its day (`10月26日`) is left: it is read as it is.
    """
    if _OTHER_CALENDARS.search(text):
        return None
    text = _SHORT_WEEKDAY.sub(_weekday, _WEEKDAY.sub(_weekday, text))
    text = _ERA_YEAR.sub(lambda m: f"{_ERAS[m[1]] + (1 if m[2] == '元' else int(m[2]))}年", text)
    text = _HAN_NUMBER.sub(_digits, text)
    return _MONTH.sub(lambda m: f" {_MONTHS[int(m[1]) - 1]} ", text)


def hour_of_day(part: str, hour: int) -> int | None:
    """The hour on the clock of 24 of an `hour` in a part of the day; None where that is not certain."""
    hours = _HOURS[part]
    if hour > 12:
        return hour if hour in hours.values() else None
    return hours.get(hour)


def _weekday(match: re.Match[str]) -> str:
    character = next(group for group in match.groups() if group)
    return f" {_WEEKDAY_NAMES[_WEEKDAY_NUMBERS[character]]} "


def _digits(match: re.Match[str]) -> str:
    return _HAN_TENS.sub(lambda m: f"{m[1] or '一'}{m[2] or '〇'}", match[0]).translate(_HAN_DIGITS)
