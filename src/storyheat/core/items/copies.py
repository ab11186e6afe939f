"""Whether one item's text is another's: sketches that find candidates, and the comparison that decides.

A text is compared as its set of shingles, runs of a few words (of characters in Chinese, Japanese and Korean).
Bands of minimal hashes make two like texts meet in an index without comparing all with all (Broder 1997).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from storyheat.core.items.templates import is_filled_anew
from storyheat.core.model import ItemId

_TOKEN = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]+")
_PAIR = re.compile(r"(?=([\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2}))")  # each two characters in a row
_WORD = re.compile(r"[^\W\d_\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]+")
_BASE = 0x9E3779B97F4A7C15  # odd, with bits of no pattern, as is the next
_FINISH = np.uint64(0xBF58476D1CE4E5B9)
_HALF = np.uint64(32)
_BREAK = 10  # the byte between two tokens
_NOTHING = np.zeros(1, np.uint64)
_LONGEST = 1 << 16  # letters; above it tokens are cut, as no word is so long
_LONG_TOKEN = 40


@dataclass(frozen=True, slots=True)
class CopyParams:
    """When a text is another's. Origins: docs/decisions/0006 and 0014; scripts/check_copies.py."""

    shingle: int = 5  # tokens in a run
    least_tokens: int = 40  # a shorter text must be equal to the letter
    least_body_equal: int = 25  # a body this long may be equal under another title
    least_tokens_equal: int = 12  # below this even title and body that are equal say nothing ("Open thread")
    similarity: float = 0.7  # share of common shingles (Jaccard); updates of one report reach 0.64
    excerpt: float = 0.75  # share of a later, shorter text that stands at the start of the earlier one
    excerpt_slack: float = 0.15  # of its length, and ten tokens: how far it may be moved by a line before it
    title_in_body: float = 0.3  # share of the title's words in its body: a cookie notice says nothing of its title
    title_in_short_body: float = 0.5  # where the body alone is compared to the letter
    same_figures: float = 0.8  # share of common number tokens: tomorrow's market report is no copy of today's
    apart: timedelta = timedelta(days=30)  # between effective times; a yearly notice comes back as itself
    most_tokens: int = 1500  # compared from the start of a text; the rest repeats what they tell
    bands: int = 10
    rows: int = 3  # 10 bands of 3: texts 70 % alike meet with a chance of 98 %
    head_tokens: int = 40  # the start of a text, by which a part of it meets the whole
    head_bands: int = 4
    head_rows: int = 2  # 4 bands of 2: starts 80 % alike meet with a chance of 98 %


@dataclass(frozen=True, slots=True)
class Sketch:
    """What of a text is compared. `bands` are signed 64-bit numbers; empty where the text is too short.

    `title` and `body` as they are: names are looked for in them once two texts are alike.
    """

    tokens: tuple[str, ...]
    bands: tuple[int, ...]
    title: str = field(default="", compare=False, repr=False)
    body: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stored item that shares a band with the one in question."""

    item: ItemId
    copy_set: ItemId  # the set it belongs to; itself where it stands alone
    effective_at: datetime
    sketch: Sketch


@dataclass(frozen=True, slots=True)
class Likeness:
    """The decision that an item is a copy: of which set, like which item, and how like (0 to 1)."""

    copy_set: ItemId
    like: ItemId
    similarity: float


def sketch(title: str, body: str, params: CopyParams) -> Sketch:
    """The sketch of an item. The title counts only where the body cannot stand alone."""
    return Sketch(*_compared(title, body, params), title, body)


def _compared(title: str, body: str, params: CopyParams) -> tuple[tuple[str, ...], tuple[int, ...]]:
    tokens, head = tokens_of(body)[: params.most_tokens], tokens_of(title)
    told = _share(frozenset(head), frozenset(tokens))
    if len(tokens) >= params.least_tokens:
        if told >= params.title_in_body:
            return tokens, _bands_of_text(tokens, params)
        tokens = head
    elif head and len(tokens) >= params.least_body_equal and told >= params.title_in_short_body:
        return tokens, (_signed(_hash("\n".join(tokens))),)
    elif tokens != head:  # a summary that is the title again says nothing more
        tokens = head + tokens
    if len(tokens) < params.least_tokens_equal:
        return tokens, ()
    return tokens, (_signed(_hash("\n".join(tokens))),)


def tokens_of(text: str) -> tuple[str, ...]:
    """The words of a text in order, lower case; each Chinese, Japanese or Korean character is one."""
    return tuple([token.lower() for token in _TOKEN.findall(text)])


def find_copy(
    item: ItemId, mine: Sketch, effective_at: datetime, candidates: Iterable[Candidate], params: CopyParams
) -> Likeness | None:
    """The set an item's text belongs to: that of the most similar candidate, then of the least id."""
    found = []
    for other in sorted(candidates, key=lambda other: other.item):
        if other.item != item and abs(other.effective_at - effective_at) <= params.apart:
            similarity = likeness(mine.tokens, other.sketch.tokens, params)
            if similarity == 0 and other.effective_at <= effective_at:
                similarity = excerpt(mine.tokens, other.sketch.tokens, params)
            if similarity == 0 and other.effective_at >= effective_at:
                similarity = excerpt(other.sketch.tokens, mine.tokens, params)
            if similarity > 0 and not other_names(mine, other.sketch):
                found.append((-similarity, other.item, other.copy_set))
    if not found:
        return None
    negated, like, copy_set = min(found)
    return Likeness(copy_set, like, -negated)


def likeness(one: tuple[str, ...], two: tuple[str, ...], params: CopyParams) -> float:
    """How much two texts are the same, 0 to 1; 0 where they are not copies."""
    if one == two:
        return 1.0
    if min(len(one), len(two)) < params.least_tokens:
        return 0.0
    similarity = _jaccard(_shingles(one, params), _shingles(two, params))
    if similarity < params.similarity or _jaccard(_figures(one), _figures(two)) < params.same_figures:
        return 0.0
    return similarity


def excerpt(part: tuple[str, ...], whole: tuple[str, ...], params: CopyParams) -> float:
    """How much of `part` stands at the start of `whole`, 0 to 1; 0 where it is no excerpt.

    `part` must be the later of the two: a later text that holds the earlier one and more is a new report.
    """
    if not params.least_tokens <= len(part) < len(whole):
        return 0.0
    start = whole[: round(len(part) * (1 + params.excerpt_slack)) + 10]
    shingles = _shingles(part, params)
    share = len(shingles & _shingles(start, params)) / len(shingles)
    if share < params.excerpt or _share(_figures(part), _figures(whole)) < params.same_figures:
        return 0.0
    return share


def other_names(one: Sketch, two: Sketch) -> bool:
    """Whether two texts tell of different people or places in the same words.

    Each title then has a name that stands in its own text and nowhere in the other one; or, whatever the titles, the
    lead of one text names others than that of the other.
    """
    if one.tokens == two.tokens:
        return False
    first, second = (f"{text.title}\n{text.body}".lower() for text in (one, two))
    if _has_own_name(one, second) and _has_own_name(two, first):
        return True
    return is_filled_anew(_TOKEN.findall(one.body), _TOKEN.findall(two.body))


def _has_own_name(text: Sketch, other: str) -> bool:
    """Whether a name of its title stands in its text and not in the other one: `other`, in small letters."""
    if any(pair in text.body and pair not in other for pair in _PAIR.findall(text.title)):
        return True
    here = frozenset(_WORD.findall(text.body))
    words = frozenset(tokens_of(other))
    return any(
        word.lower() not in here
        and word.lower() not in words
        and not here.isdisjoint((word.title(), word.upper(), word))
        for word in _WORD.findall(text.title)
    )


def _shingles(tokens: tuple[str, ...], params: CopyParams) -> frozenset[str]:
    width = params.shingle
    return frozenset(" ".join(tokens[start : start + width]) for start in range(len(tokens) - width + 1))


def _figures(tokens: tuple[str, ...]) -> frozenset[str]:
    return frozenset(token for token in tokens if token[0].isdigit())


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    return 1.0 if not part else len(part & whole) / len(part)


def _jaccard(one: frozenset[str], two: frozenset[str]) -> float:
    union = len(one | two)
    return 1.0 if union == 0 else len(one & two) / union


def _bands_of_text(tokens: tuple[str, ...], params: CopyParams) -> tuple[int, ...]:
    """Bands of the whole text, and of its start."""
    head = tokens[: params.head_tokens]
    return (
        *_bands(tokens, params, params.bands, params.rows, "whole"),
        *_bands(head, params, params.head_bands, params.head_rows, "head"),
    )


def _bands(tokens: tuple[str, ...], params: CopyParams, bands: int, rows: int, of: str) -> tuple[int, ...]:
    runs = _runs(tokens, params.shingle)
    factors, shifts = _permutations(of, bands * rows)
    least = (runs[None, :] * factors[:, None] + shifts[:, None]).min(axis=1)  # wraps at 2**64: still a permutation
    rows_of_bands = _mixed(least).reshape(bands, rows)
    numbers = np.zeros(bands, np.uint64)
    for row in range(rows):
        numbers = _mixed(numbers * np.uint64(_BASE) + rows_of_bands[:, row])
    return tuple(numbers.view(np.int64).tolist())


def _runs(tokens: tuple[str, ...], width: int) -> NDArray[np.uint64]:
    """A number for each run of so many tokens, which depends on nothing but its letters.

    The text is a polynomial with its bytes as factors; a run is the difference of two sums, moved to the start.
    """
    text = "\n".join(tokens)
    if len(text) > _LONGEST:
        text = "\n".join([token[:_LONG_TOKEN] for token in tokens])
    letters = np.frombuffer(f"{text}\n".encode("utf-8", "replace"), np.uint8)
    powers, inverses = _powers(1 << len(letters).bit_length())
    sums = np.concatenate([_NOTHING, np.cumsum(letters * powers[: len(letters)], dtype=np.uint64)])
    ends = np.flatnonzero(letters == _BREAK) + 1
    starts = np.concatenate([[0], ends[:-width]])
    return _mixed((sums[ends[width - 1 :]] - sums[starts]) * inverses[starts])


@lru_cache(maxsize=16)
def _powers(count: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The first powers of _BASE, and of its inverse, modulo 2**64."""
    bases = (_BASE, pow(_BASE, -1, 1 << 64))
    factors = (np.array([1] + [base] * (count - 1), np.uint64) for base in bases)
    powers, inverses = (np.asarray(np.cumprod(one), np.uint64) for one in factors)
    return powers, inverses


def _mixed(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The numbers with every bit depending on all others."""
    numbers = (numbers ^ (numbers >> _HALF)) * _FINISH
    return numbers ^ (numbers >> _HALF)


@lru_cache(maxsize=4)
def _permutations(of: str, count: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Fixed odd factors and shifts: the same in every process and version."""
    numbers = [_hash(f"{of} {number}") for number in range(2 * count)]
    return np.array([n | 1 for n in numbers[:count]], np.uint64), np.array(numbers[count:], np.uint64)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def _signed(number: int) -> int:
    """The same 64 bits as SQL knows integers."""
    return number - (1 << 64) if number >= 1 << 63 else number
