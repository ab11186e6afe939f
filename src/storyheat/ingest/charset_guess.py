"""The encoding of bytes that nothing true was said about: the one in which they are least surprising as a language."""

import codecs
import re
from dataclasses import dataclass
from math import inf
from typing import NamedTuple

from storyheat.ingest.charset_languages import LANGUAGES


class Guess(NamedTuple):
    """Python's name of a codec, and whether the bytes leave no doubt about it."""

    codec: str
    is_certain: bool


@dataclass(frozen=True, slots=True)
class GuessParams:
    """When a guess is made. Surprise is counted as the negative logarithm of a probability."""

    sample_bytes: int = 20_000  # from the first that is not ASCII
    prolog_bytes: int = 4096  # where a document names its language
    certain: float = 7.0  # less surprise than the next reading: 1,100 to 1
    likely: float = 2.0  # 7 to 1; below that nothing is said
    declared: float = 4.0  # less surprise in UTF-8 where that is declared; many documents of other encodings say so
    told: float = 6.0  # less surprise where the document names the language (400 to 1)


DEFAULT_PARAMS = GuessParams()

_FOREIGN = re.compile(rb"[\x80-\xff]")
_NAMED_LANGUAGE = re.compile(rb"(?:<(?:dc:)?language>|\blang\s*=\s*[\"'])\s*([a-z]{2})([a-z-]*)", re.IGNORECASE)
_TRADITIONAL_PLACES = re.compile(rb"-(?:hant|tw|hk|mo)\b", re.IGNORECASE)


def guess_codec(body: bytes, *, says_utf8: bool = False, params: GuessParams = DEFAULT_PARAMS) -> Guess | None:
    """The codec in which the bytes are least surprising; None where two of them are about as likely.

    Windows-1252 is one of the answers, and UTF-8 (with slips in it) another; `says_utf8`: somebody declared that.
    """
    first = _FOREIGN.search(body)
    begin = max(0, first.start() - 1) if first else 0
    sample = body[begin : begin + params.sample_bytes]
    told = _named_language(body[: params.prolog_bytes])
    surprise: dict[str, float] = {}
    for language in LANGUAGES:
        less = params.told if told in language.tags.split() else 0.0
        for codec in (*language.codecs, "utf-8"):
            text = codecs.getincrementaldecoder(codec)("replace").decode(sample)  # a last character may be cut
            surprise[codec] = min(surprise.get(codec, inf), language.surprise(text) - less)
    surprise["utf-8"] -= params.declared if says_utf8 else 0.0
    best, second = sorted((value, codec) for codec, value in surprise.items())[:2]
    ahead = second[0] - best[0]
    return Guess(best[1], ahead >= params.certain) if ahead >= params.likely else None


def _named_language(sample: bytes) -> str:
    """The language that the document names, as in `tags`; "" without one."""
    named = _NAMED_LANGUAGE.search(sample)
    if named is None:
        return ""
    tag = named[1].decode("ascii").lower()
    return "zh-hant" if tag == "zh" and _TRADITIONAL_PLACES.match(named[2]) else tag
