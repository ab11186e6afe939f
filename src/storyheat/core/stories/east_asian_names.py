"""Names in scripts without capitals: those that the table of names knows, and those of works, which stand in brackets.

《黑神话》 and 「星环」 are printed as names by whoever prints them so; 英伟达 is one because the table says so.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from storyheat.core.text.names import Names
from storyheat.core.text.quantities import CJK
from storyheat.core.text.simplified import simplified

_RUN = re.compile(rf"[{CJK}]{{2,}}")
_WORK = re.compile(r"《([^《》]{2,24})》|[「『]([\w·・-]{2,12})[」』]")  # what is said is longer, or has a comma
_SIGN = re.compile(f"[{CJK}]")
_STOP = re.compile(r"[。！？；….!?;][”’」』）]*$")
_PLACE_BEFORE = re.compile(r"(?:(?<![现正存])在|位于)$")
_TELLS_BEFORE = re.compile(r"(?:据|援引|引述|引用|接受)(?:美国|英国|日本|外媒)?$")
_TELLS_BEHIND = re.compile(r"[^，。；]{0,4}(?:报道|报导|记者|专访|撰文|刊文|消息称)")
_OF_ONE = ", "  # between the English forms of one name


@dataclass(frozen=True, slots=True)
class Printed:
    """A name where it stands in a sentence. `key`: what it is known by; `aside`: as a place, or as who tells."""

    name: str
    key: tuple[str, ...]
    start: int
    aside: bool


def names_in(sentence: str, known: Names) -> Iterator[Printed]:
    """The names that a sentence prints; those of works first, and none inside them."""
    if sentence.isascii():
        return
    plain = simplified(sentence)
    for work in _WORK.finditer(plain):
        start, end = work.span(2) if work[2] else work.span()
        key = tuple((work[1] or work[2]).casefold().split())
        yield Printed(sentence[start:end], key, start, _is_aside(plain, *work.span()))
    for run in _RUN.finditer(_WORK.sub(lambda work: " " * len(work[0]), plain)):
        for first, last in known.spans(run[0]):
            start, end = run.start() + first, run.start() + last
            key = key_of(known.forms[plain[start:end]])
            yield Printed(sentence[start:end], key, start, _is_aside(plain, start, end))


def is_headline(sentence: str) -> bool:
    """Whether a sentence of these scripts ends without a stop: a title, of this report or of another one."""
    return _SIGN.search(sentence) is not None and _STOP.search(sentence) is None


def key_of(english: str) -> tuple[str, ...]:
    """What a name is known by, after its first English form."""
    return tuple(english.partition(_OF_ONE)[0].casefold().split())


@lru_cache(maxsize=2)
def english_keys(known: Names) -> dict[tuple[str, ...], tuple[str, ...]]:
    """What a name in Latin letters is known by, for each further English form in the table."""
    return {
        tuple(form.casefold().split()): key_of(english)
        for english in sorted(set(known.forms.values()))
        for form in english.split(_OF_ONE)
    }


def _is_aside(sentence: str, start: int, end: int) -> bool:
    before = sentence[:start]
    return (
        _PLACE_BEFORE.search(before) is not None
        or _TELLS_BEFORE.search(before) is not None
        or _TELLS_BEHIND.match(sentence, end) is not None
    )
