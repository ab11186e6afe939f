"""Which one of a series a title is about: the 12th package, version 2.1, the third quarter, the B round.

Two events of one series share nearly all their words; that they are two is told by one number.
"""

import re
from collections.abc import Iterable, Mapping

from storyheat.core.text.quantities import CJK

_ORDINALS = """
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
    sixteenth seventeenth eighteenth nineteenth twentieth
""".split()  # noqa: SIM905 - a block of words reads better
# What comes in series. Days, arrests and victims do not belong here: one story counts them up.
_SERIES = """
    package round edition season episode quarter half summit amendment phase wave batch version generation flight
    congress session debate game match stage leg tranche volume chapter issue conference term primary
""".split()  # noqa: SIM905 - a block of words reads better
_ORDINAL = re.compile(
    rf"\b(?:({'|'.join(_ORDINALS)})|(\d{{1,3}})(?:st|nd|rd|th))(?:[ -][a-z]+){{0,2}}?[ -]({'|'.join(_SERIES)})s?\b",
    re.IGNORECASE,
)
_QUARTER = re.compile(r"\b(?:Q([1-4])|([1-4])Q|(H[12]))\b")
_LETTERED = re.compile(r"\bseries ([a-k])\b|(?<![A-Za-z])([A-Ka-k])\+?轮", re.IGNORECASE)
_CHINESE = re.compile(r"([一二三四])季度|第([0-9零〇一二两三四五六七八九十百]{1,4})([轮批届季期集场版代号])(?!度)")
_CHINESE_DIGITS = {sign: value for value, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_AMOUNT = r"(?![\d%]|\.\d| ?(?:per|points?|million|billion|trillion|bn|magnitude|[个元亿万倍度级米公吨点成]))"
_VERSION = re.compile(
    rf"([A-Z][A-Za-z]+|[{CJK}]{{2}})(?:[ -]?[vV]\.?|[ -])?(\d+(?:\.\d+)+){_AMOUNT}"
    rf"|\b([A-Z][A-Za-z]*)-(\d{{1,3}})\b{_AMOUNT}"
    rf"|\b([A-Z]?[a-z]+[A-Z]\w*) (\d{{1,3}})\b{_AMOUNT}"
)
_DIGIT = re.compile(r"\d")
_TOLD_IN_TEXT = frozenset({"quarter", "half", "series", "轮"})  # versions and matches of others stand beside one's own
# Nothing of them is told without one of these; one class in front, so that the search leaps from sign to sign.
_MAY_BE_TOLD = re.compile(r"[qhs轮季\d](?:uarter|alf|eries|(?<=[qh])\d|(?<=\d)q|(?<=[轮季]))", re.IGNORECASE)
_OPENING_CHARS = 200  # some two sentences; own choice
_NO_NAMES = frozenset({"magnitude", "up", "down", "falls", "rises", "by", "to", "of", "at", "nearly", "about"})


def editions(title: str) -> tuple[str, ...]:
    """What the title (normalised) says of series, as `series=which`, such as `package=12` and `gpt=5.2`."""
    found: dict[str, None] = {}
    for word, digits, series in _ORDINAL.findall(title):
        number = digits or str(_ORDINALS.index(word.lower()) + 1)
        found[f"{series.lower()}={number}"] = None
    numbered = _DIGIT.search(title) is not None  # what cannot be there is not looked for, which is most of the time
    for first, last, half in _QUARTER.findall(title) if numbered else ():
        found[f"half={half[1]}" if half else f"quarter={first or last}"] = None
    for one, other in _LETTERED.findall(title) if "轮" in title or "series " in title.lower() else ():
        found[f"series={(one or other).lower()}"] = None
    for quarter, number, sign in _CHINESE.findall(title) if "季" in title or "第" in title else ():
        found[f"quarter={_chinese_number(quarter)}" if quarter else f"{sign}={_chinese_number(number)}"] = None
    for name, version, joined, number, inner, behind in _VERSION.findall(title) if numbered else ():
        series = (name or joined or inner).lower()
        if series not in _NO_NAMES:
            found[f"{series}={version or number or behind}"] = None
    return tuple(found)


def told_editions(title: str, lead: str) -> tuple[str, ...]:
    """What the title says of series, and of quarters, halves and rounds what the opening of the lead says, where the
    title is silent: "quarterly profit rises" is about the quarter that the first sentence names.
    """
    own, opening_text = editions(title), lead[:_OPENING_CHARS]
    if not _MAY_BE_TOLD.search(opening_text):
        return own
    series = {edition.partition("=")[0] for edition in own}
    opening = [(edition.partition("=")[0], edition) for edition in editions(opening_text)]
    return (*own, *[edition for name, edition in opening if name in _TOLD_IN_TEXT - series])


def differ(one: Iterable[str], other: Mapping[str, object]) -> bool:
    """True where both name a series and no edition of it in common; an edition that both name outweighs others."""
    series = {known.partition("=")[0] for known in other}
    own = [edition for edition in one if edition.partition("=")[0] in series]
    return bool(own) and not any(edition in other for edition in own)


def _chinese_number(signs: str) -> str:
    """`十二` and `12` → "12"."""
    if signs.isdecimal():
        return str(int(signs))
    value = digit = 0
    for sign in signs:
        if sign in _CHINESE_DIGITS:
            digit = _CHINESE_DIGITS[sign]
        else:
            step = 100 if sign == "百" else 10
            value, digit = value + (digit or 1) * step, 0
    return str(value + digit)
