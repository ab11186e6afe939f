"""What Chinese, Japanese and Korean dates say in their own way, rewritten as any other date says it."""

import re
from datetime import date
from types import MappingProxyType

_ERAS = MappingProxyType(  # first and last day of each; that of the Republic of China has none
    {
        "令和": (date(2019, 5, 1), date.max),
        "平成": (date(1989, 1, 8), date(2019, 4, 30)),
        "昭和": (date(1926, 12, 25), date(1989, 1, 7)),
        "大正": (date(1912, 7, 30), date(1926, 12, 24)),
        "明治": (date(1868, 1, 25), date(1912, 7, 29)),
        "民國": (date(1912, 1, 1), date.max),
        "民国": (date(1912, 1, 1), date.max),
    }
)
_ITS_LETTERS = re.compile("[\u3007\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_ERA_YEAR = re.compile(
    rf"(?:中華|中华)?({'|'.join(_ERAS)})\s?(\d{{1,3}}|元)\s?年(?:\s?(\d{{1,2}})\s?月\s?(\d{{1,2}})(?=\s?[日号號]))?"
)
_OTHER_YEARS = re.compile(  # what is left of eras, years before Christ, calendars of the moon
    rf"{'|'.join(_ERAS)}|(?:公元|西元|紀元|纪元|기원)\s?前|기원전|農曆|農暦|农历|阴历|陰曆|旧暦|旧历|음력|佛曆|佛历"
)
_HAN_DIGITS = MappingProxyType({c: n for n, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2})
_HAN_UNITS = MappingProxyType({"十": 10, "百": 100, "千": 1000})
_HAN_TENS = MappingProxyType({"廿": 20, "卅": 30})
_HAN_NUMBER = re.compile(
    rf"[{''.join((*_HAN_DIGITS, *_HAN_UNITS, *_HAN_TENS))}]+(?=\s?[年月日号號时時点點分秒刻])|"
    rf"(?<=[点點时時])[{''.join((*_HAN_DIGITS, *_HAN_UNITS))}]+"
)
_ROUND_ZEROS = re.compile(  # other signs that are written for 〇
    rf"(?<=[{''.join(_HAN_DIGITS)}])[○◯Oo0]+(?=[{''.join(_HAN_DIGITS)}年月日号號时時点點分])"
)
_QUARTER = re.compile(r"(?<=[点點时時])\s?([13])\s?刻")
_ON_THE_HOUR = re.compile(r"(?<=[点點时時分])[钟鐘整正]+|(?<=[点點时時])[过過](?=\s?\d)")
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
# Hours that each part of the day can have on a clock of twelve, and what they are on one of 24. At any other
# hour the word may mean this night or the one before, and 午前12時 is noon by law and midnight in programs: then
# no time is certain.
_PARTS_OF_DAY = MappingProxyType(
    {
        "上午 오전": {12: 0} | {h: h for h in range(12)},
        "午前": {h: h for h in range(12)},
        "下午 午后 오후": {12: 12} | {h: h + 12 for h in range(12)},
        "午後": {h: h + 12 for h in range(12)},
        "凌晨 새벽 未明": {12: 0} | {h: h for h in range(7)},
        "黎明 拂晓 拂曉 明け方": {h: h for h in range(3, 7)},
        "早上 早晨 清晨 清早 早间 早間 早朝 晨 早 朝 아침": {h: h for h in range(4, 12)},
        "中午 午间 午間 晌午 正午 お昼 昼 낮": {11: 11, 12: 12} | {h: h + 12 for h in range(1, 4)},
        "夕方 黄昏": {h: h + 12 for h in range(3, 8)},
        "傍晚 晚上 晚间 晚間 夜晚 晚 저녁": {h: h + 12 for h in range(5, 12)},
        "深夜 夜间 夜間 夜里 夜裡 夜 심야 밤": {h: h + 12 for h in range(8, 12)},
    }
)
_HOURS = MappingProxyType({word: hours for words, hours in _PARTS_OF_DAY.items() for word in words.split()})
PART_OF_DAY = "|".join(sorted(_HOURS, key=len, reverse=True))  # for a pattern; of two the longer is meant


def westernised(text: str) -> str | None:
    """`text` with era years, Han numerals, weekdays and bare months in Western spelling; None: no such calendar.

    A month that stands with its day (`10月26日`) is left: it is read as it is. An era does not reach beyond its days.
    """
    if not _ITS_LETTERS.search(text):
        return text
    text = _SHORT_WEEKDAY.sub(_weekday, _WEEKDAY.sub(_weekday, text))
    text = _ROUND_ZEROS.sub(lambda m: "〇" * len(m[0]), text)
    text = _HAN_NUMBER.sub(lambda m: _number(m[0]), text)
    text = _ON_THE_HOUR.sub("", _QUARTER.sub(lambda m: f"{15 * int(m[1])}分", text))
    text = _ERA_YEAR.sub(_common_year, text)
    if _OTHER_YEARS.search(text):
        return None
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


def _number(written: str) -> str:
    """The digits of a Han numeral: digit by digit (`二〇二六`), or with its units (`一百一十五`)."""
    if not set(written) & {*_HAN_UNITS, *_HAN_TENS}:
        return "".join(str(_HAN_DIGITS[c]) for c in written)
    total, digit = 0, 0
    for c in written:
        if c in _HAN_UNITS:
            total, digit = total + (digit or 1) * _HAN_UNITS[c], 0
        elif c in _HAN_TENS:
            total += _HAN_TENS[c]
        else:
            digit = _HAN_DIGITS[c]
    return str(total + digit)


def _common_year(match: re.Match[str]) -> str:
    """The year of an era as others count it, with its month and day; unchanged where the era has no such day."""
    era, written, month, day = match.groups()
    first, last = _ERAS[era]
    year = first.year - 1 + (1 if written == "元" else int(written))
    named = f"{year:04}-{int(month):02}-{int(day):02}" if month else None
    in_era = first.isoformat() <= named <= last.isoformat() if named else first.year <= year <= last.year
    if not in_era:
        return match[0]
    return f"{year}年{month}月{day}" if month else f"{year}年"
