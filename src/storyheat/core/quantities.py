"""Numbers in running text as comparable terms: `155T` = `155 trillion` = `155万亿`, `$38` = `38美元`."""

import re

MARK = "#"  # opens every quantity term, so that no word can collide with one

_SCALES = {
    "trillion": 1e12, "tn": 1e12, "t": 1e12, "万亿": 1e12,
    "billion": 1e9, "bn": 1e9, "b": 1e9, "十亿": 1e9, "亿": 1e8,
    "million": 1e6, "mn": 1e6, "m": 1e6, "百万": 1e6, "万": 1e4,
    "thousand": 1e3, "k": 1e3,
}  # fmt: skip
_UNITS = {
    "$": "$", "us$": "$", "dollar": "$", "dollars": "$", "usd": "$", "美元": "$", "美金": "$",
    "€": "€", "euro": "€", "euros": "€", "eur": "€", "欧元": "€",
    "£": "£", "pounds": "£", "gbp": "£", "英镑": "£",
    "¥": "¥", "yuan": "¥", "rmb": "¥", "cny": "¥", "元": "¥", "人民币": "¥",
    "%": "%", "percent": "%", "per cent": "%",
}  # fmt: skip

# One number with what belongs to it, as groups. A letter right behind a one-letter scale makes the whole a
# name (`5G`, `64x`): those are left to the pattern of words.
PATTERN = (
    r"(?P<front>(?i:us)?[$€£¥])?(?P<number>\d++(?:[.,]\d++)*+)"
    r"(?:[ -]?(?P<scale>(?i:trillion|billion|million|thousand|tn|bn|mn|[tbmk])(?![^\W_])|万亿|十亿|百万|亿|万))?"
    r"(?:[ -]?(?P<unit>%|(?i:percent|per[ ]cent|dollars?|usd|euros?|eur|pounds|gbp|yuan|rmb|cny)(?![^\W_])"
    r"|美元|美金|欧元|英镑|元|人民币))?"
)
_GROUPS = re.compile(PATTERN)
_LAST_DAY_OF_MONTH = 31
_YEARS = range(1900, 2101)
_GROUP = 3  # digits between the commas of 1,234,567


def quantity(text: str) -> tuple[str, bool] | None:
    """Turns a token with a number in front into (term, names something); None where it says nothing.

    What does not fit `PATTERN` is a name, such as `5G` or `64x`; a quantity names something if it has a unit.

    Three significant digits are kept. Bare integers that are likely days or years are dropped.
    """
    match = _GROUPS.fullmatch(text)
    if match is None:
        return text.lower(), True
    front, number, scale, unit = match.group("front", "number", "scale", "unit")
    value = _number(number)
    sign = _UNITS[front.lower()] if front else _UNITS[unit.lower()] if unit else ""
    if not scale and not sign:
        if "." not in number and (value <= _LAST_DAY_OF_MONTH or value in _YEARS):
            return None
        return f"{MARK}{value:.3g}", False
    return f"{MARK}{value * _SCALES[scale.lower()] if scale else value:.3g}{sign}", True


def _number(digits: str) -> float:
    """`1,234.5` → 1234.5; `7,5` → 7.5; more than one dot is a version and reads as its first two parts."""
    if digits.count(",") == 1 and "." not in digits and len(digits.rpartition(",")[2]) != _GROUP:
        digits = digits.replace(",", ".")
    return float(".".join(digits.replace(",", "").split(".")[:2]))
