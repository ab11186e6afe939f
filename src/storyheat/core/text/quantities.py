"""Numbers in running text as comparable values: `155T` = `155 trillion` = `155万亿`, `20%` = `百分之二十` = `两成`."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from storyheat.core.text.simplified import simplified

MARK = "#"  # opens every quantity term, so that no word can collide with one
CJK = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힯"  # characters of Chinese, Japanese and Korean, as in a class of a pattern

_SCALES = {
    1e12: "trillion tn t трлн 万亿 兆 조",
    1e11: "千亿",
    1e10: "百亿",
    1e9: "billion bn b milliards milliarden mrd млрд 十亿",
    1e8: "亿 억",
    1e7: "crore crores 千万",
    1e6: "million mn m millions millionen millones mio млн 百万",
    1e5: "lakh lakhs 十万",
    1e4: "万 만",
    1e3: "thousand k тыс 千",
}
# Each unit by the sign that stands for it in a term. "pp" are percentage points.
_UNITS = {
    "$": "$ us$ dollar dollars usd долларов 美元 美金 ドル 달러",
    "€": "€ euro euros eur евро 欧元 ユーロ 유로",
    "£": "£ pounds gbp 英镑 ポンド",
    "¥": "¥ yuan rmb cny renminbi юаней 人民币 元 위안",
    "yen": "yen jpy 日元 円 엔",
    "won": "₩ krw 韩元 ウォン 원",
    "₹": "₹ rupee rupees inr 卢比",
    "rub": "rouble roubles ruble rubles rub рублей 卢布",
    "HK$": "hk$ hkd 港元 港币",
    "NT$": "nt$ twd 新台币",
    "%": "% percent per_cent процентов パーセント 퍼센트",
    "pp": "percentage_points percentage_point 个百分点 百分点",
    "km": "km kilometers kilometres kilometer kilometre 公里 千米 キロメートル 킬로미터",
    "mi": "miles mile 英里",
    "kg": "kg kilograms kilogram kilos 公斤 千克",
    "t": "tonnes tonne tons 吨 トン",
    "GW": "gw gigawatts gigawatt 吉瓦",
    "MW": "mw megawatts megawatt 兆瓦",
    "bbl": "barrels barrel 桶",
}
_SCALE_OF = {word: scale for scale, words in _SCALES.items() for word in words.split()}
_UNIT_OF = {word.replace("_", " "): sign for sign, words in _UNITS.items() for word in words.split()}
_PER_HUNDRED = "百分之"  # the only unit in words that stands in front
_UNIT_OF[_PER_HUNDRED] = "%"


def _either(words: Iterable[str], *, letters: bool) -> str:
    """An alternation of the words in Latin or Cyrillic letters, or of all others; the longest first."""
    chosen = [word for word in words if (word[0].isalpha() and word[0] < "\u0500") == letters]
    return "|".join(map(re.escape, sorted(chosen, key=lambda word: (-len(word), word))))


CURRENCY = r"(?i:us|hk|nt)?\$|[€£¥₹₩]"  # signs that stand in front of an amount
# One number with what belongs to it, as groups. A letter right behind a one-letter scale makes the whole a
# name (`5G`, `64x`): those are left to the pattern of words.
PATTERN = (
    rf"(?P<front>{_PER_HUNDRED}|{CURRENCY})?(?P<number>\d++(?:[.,]\d++)*+)"
    rf"(?:[ -]?(?P<scale>(?i:{_either(_SCALE_OF, letters=True)})(?![^\W_])"
    rf"|(?:{_either(_SCALE_OF, letters=False)})(?![米克瓦])))?"
    rf"(?:[ ]?(?P<rest>\d{{1,4}})(?P<rest_scale>千万|百万|十万|万|억|만))?"
    rf"(?:[ -]?(?P<unit>(?i:{_either(_UNIT_OF, letters=True)})(?![^\W_])|{_either(_UNITS['%'][0], letters=False)}"
    rf"|{_either(_UNIT_OF.keys() - {'$', '€', '£', '¥', '₹', '₩', _PER_HUNDRED}, letters=False)}))?"
)
# What may stand behind a blank inside one quantity, at the start of a word: more may match, nothing less.
_PARTS = {word for words in (*_SCALE_OF, *_UNIT_OF) for word in words.split()}
CONTINUES = re.compile(rf"[^\x00-\x7f]|\d|%|(?i:{_either(_PARTS, letters=True)})(?![^\W_])")
_GROUPS = re.compile(PATTERN)
_FIND = re.compile(rf"(?<![^\W_{CJK}]){PATTERN}(?:(?<=[{CJK}])|(?![^\W_{CJK}]))")
_DIGIT = re.compile(r"\d")
_TIED = re.compile(r"[.:/–-]$")  # a bare number tied to another one is a date, a time, a score or an address
_TIES = re.compile(r"[.:/–-]\d")

_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_STEPS = {"十": 10.0, "百": 100.0, "千": 1000.0}
_MYRIADS = {"万": 1e4, "亿": 1e8, "兆": 1e12}
_MULTIPLIERS = _STEPS.keys() | _MYRIADS.keys()
_SPELLED = re.compile(
    r"(?P<tenths>[一二两三四五六七八九])成(?P<half>半)?(?![功为立员本绩长熟交都果分就人年份品型像名])"
    rf"|(?P<front>{_PER_HUNDRED})?(?P<number>(?:[一二两三四五六七八九]|十(?=[一二三四五六七八九万亿]))"
    r"[零〇一二两三四五六七八九十百千万亿兆]*(?:点[零〇一二三四五六七八九]+[百千万亿兆]*)?)"
    rf"(?P<unit>{_either(_UNIT_OF.keys() - {_PER_HUNDRED}, letters=False)})?"
)
_PERCENT_IN_FRONT = re.compile(rf"{_PER_HUNDRED}(\d++(?:[.,]\d++)*+)")
_MAY_SPELL = re.compile("[十百千万亿兆成]|百分之")

_LAST_DAY_OF_MONTH = 31
_YEARS = range(1900, 2101)
_GROUP = 3  # digits between the commas of 1,234,567


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number in a text."""

    value: float  # scale worked in
    unit: str  # a sign such as $, % or km; "" for a bare number
    digits: str  # as printed, without scale and unit; of a spelled number in digits
    named: bool  # has a currency, scale or unit, so that it names something
    start: int  # where it stands
    end: int

    @property
    def term(self) -> str | None:
        """As a comparable term, of three significant digits; None where it says nothing: a likely day or year."""
        if not self.named and "." not in self.digits and (self.value <= _LAST_DAY_OF_MONTH or self.value in _YEARS):
            return None
        return f"{MARK}{self.value:.3g}{self.unit}"


def quantity(text: str) -> tuple[str, bool] | None:
    """Turns a token with a number in front into (term, names something); None where it says nothing.

    What does not fit `PATTERN` is a name, such as `5G` or `64x`; a quantity names something if it has a unit.
    """
    match = _GROUPS.fullmatch(text)
    if match is None:
        return text.lower(), True
    found = _quantity(match)
    return None if found.term is None else (found.term, found.named)


def find(text: str) -> list[Quantity]:
    """The numbers of a running text, in order: whole ones only, no part of a name, date, time, score or address."""
    text = simplified(text)
    found = spelled(text)
    for match in _FIND.finditer(text) if _DIGIT.search(text) else ():  # looking for one is faster
        one = _quantity(match)
        tied = _TIED.search(text, one.start - 1, one.start) and text[one.start - 2 : one.start - 1].isdigit()
        if one.named or not (tied or _TIES.match(text, one.end) or one.digits.count(".") > 1):
            found.append(one)
    return sorted(found, key=lambda one: (one.start, one.end))


def spelled(text: str) -> list[Quantity]:
    """The numbers in (simplified) Chinese characters, in order: `三千二百万美元`, `百分之二十`, `两成`."""
    if not _MAY_SPELL.search(text):
        return []
    found = []
    for match in _SPELLED.finditer(text):
        front, number, unit, tenths, half = match.group("front", "number", "unit", "tenths", "half")
        if tenths:
            number, unit = tenths, "%"
            value = 10.0 * _DIGITS[tenths] + 5.0 * bool(half)
        else:
            value = _spelled_value(number)
            unit = front or unit
            if not unit and not _MULTIPLIERS & set(number):
                continue
        named = bool(unit) or bool(_MYRIADS.keys() & set(number))
        found.append(Quantity(value, _UNIT_OF.get(unit or "", ""), f"{value:.15g}", named, *match.span()))
    return found


def percent_behind(text: str) -> str:
    """The text with `百分之20` as `20%`, so that the sign stands where it does in other languages."""
    return _PERCENT_IN_FRONT.sub(r" \1% ", text) if _PER_HUNDRED in text else text


def _quantity(match: re.Match[str]) -> Quantity:
    front, number, scale, rest, rest_scale, unit = match.group("front", "number", "scale", "rest", "rest_scale", "unit")
    value = _number(number) * _SCALE_OF[scale.lower()] if scale else _number(number)
    if rest:
        value += float(rest) * _SCALE_OF[rest_scale]
    sign = _UNIT_OF[(front or unit).lower()] if front or unit else ""
    return Quantity(value, sign, number, bool(scale or sign), *match.span())


def _number(digits: str) -> float:
    """`1,234.5` → 1234.5; `7,5` → 7.5; more than one dot is a version and reads as its first two parts."""
    if digits.count(",") == 1 and "." not in digits and len(digits.rpartition(",")[2]) != _GROUP:
        digits = digits.replace(",", ".")
    return float(".".join(digits.replace(",", "").split(".")[:2]))


def _spelled_value(signs: str) -> float:
    """`三千二百万` → 3.2e7; `一点五亿` → 1.5e8; a row of digits is read as written: `二〇二六` → 2026."""
    whole, point, fraction = signs.partition("点")
    if point:
        places = [sign for sign in fraction if sign in _DIGITS]
        tail = float("0." + "".join(str(_DIGITS[sign]) for sign in places))
        scale = math.prod((_STEPS | _MYRIADS)[sign] for sign in fraction[len(places) :])
        return round((_spelled_value(whole) + tail) * scale, 6)
    total = section = 0.0
    digit: float | None = None
    for sign in whole:
        if sign in _DIGITS:
            digit = (digit or 0.0) * 10.0 + _DIGITS[sign]
        elif sign in _STEPS:
            section += (1.0 if digit is None else digit) * _STEPS[sign]
            digit = None
        else:
            section += digit or 0.0
            higher = total and _MYRIADS[sign] > total  # as in 三万亿: the step multiplies all before it
            total = (total + section) * _MYRIADS[sign] if higher or not total else total + section * _MYRIADS[sign]
            section, digit = 0.0, None
    return total + section + (digit or 0.0)
