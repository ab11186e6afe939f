"""Whether one item's text is another's: sketches that find candidates, and the comparison that decides.

A text is compared as its set of shingles, runs of a few words (of characters in Chinese, Japanese and Korean).
Bands of minimal hashes make two like texts meet in an index without comparing all with all (Broder 1997).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import blake2b
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from storyheat.core.model import ItemId

_TOKEN = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]+")
_PRIME = np.uint64((1 << 61) - 1)


@dataclass(frozen=True, slots=True)
class CopyParams:
    """When a text is another's. Origins: see docs/decisions on copies; measured on labelled stories."""

    shingle: int = 5  # tokens in a run
    least_tokens: int = 40  # a shorter text must be equal to the letter
    least_tokens_equal: int = 12  # and below this even equal texts say nothing ("Open thread")
    similarity: float = 0.8  # share of common shingles (Jaccard)
    title_in_body: float = 0.3  # share of the title's words in its body: a cookie notice says nothing of its title
    same_figures: float = 0.8  # share of common number tokens: tomorrow's market report is no copy of today's
    apart: timedelta = timedelta(days=30)  # between effective times; a yearly notice comes back as itself
    bands: int = 8
    most_tokens: int = 1500  # compared from the start of a text; the rest repeats what they tell
    rows: int = 4  # 8 bands of 4: texts 80 % alike meet with a chance of 98 %


@dataclass(frozen=True, slots=True)
class Sketch:
    """What of a text is compared. `bands` are signed 64-bit numbers; empty where the text is too short."""

    tokens: tuple[str, ...]
    bands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A stored item that shares a band with the one in question."""

    item: ItemId
    copy_set: ItemId  # the set it belongs to; itself where it stands alone
    effective_at: datetime
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """The decision that an item is a copy: of which set, like which item, and how like (0 to 1)."""

    copy_set: ItemId
    like: ItemId
    similarity: float


def sketch(title: str, body: str, params: CopyParams) -> Sketch:
    """The sketch of an item. The title counts only where the body cannot stand alone."""
    tokens, head = tokens_of(body)[: params.most_tokens], tokens_of(title)
    if len(tokens) >= params.least_tokens:
        if _share(frozenset(head), frozenset(tokens)) >= params.title_in_body:
            return Sketch(tokens, _near_bands(tokens, params))
        tokens = head
    elif tokens != head:  # a summary that is the title again says nothing more
        tokens = head + tokens
    if len(tokens) < params.least_tokens_equal:
        return Sketch(tokens, ())
    return Sketch(tokens, (_signed(_hash("\n".join(tokens))),))


def tokens_of(text: str) -> tuple[str, ...]:
    """The words of a text in order, lower case; each Chinese, Japanese or Korean character is one."""
    return tuple(token.lower() for token in _TOKEN.findall(text))


def find_copy(
    item: ItemId, mine: Sketch, effective_at: datetime, candidates: Iterable[Candidate], params: CopyParams
) -> Likeness | None:
    """The set an item's text belongs to: that of the most similar candidate, then of the least id."""
    found = []
    for other in sorted(candidates, key=lambda other: other.item):
        if other.item != item and abs(other.effective_at - effective_at) <= params.apart:
            similarity = likeness(mine.tokens, other.tokens, params)
            if similarity > 0:
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


def _near_bands(tokens: tuple[str, ...], params: CopyParams) -> tuple[int, ...]:
    shingles = _shingles(tokens, params)
    hashes = np.fromiter((crc32(one.encode("utf-8", "replace")) for one in shingles), np.uint64, len(shingles))
    factors, shifts = _permutations(params.bands * params.rows)
    mixed = hashes[None, :] * factors[:, None] + shifts[:, None]  # wraps at 2**64: still mixing
    least = (mixed % _PRIME).min(axis=1)
    bands = least.reshape(params.bands, params.rows)
    return tuple(_signed(_hash(f"{number}:{row.tobytes().hex()}")) for number, row in enumerate(bands))


@lru_cache(maxsize=4)
def _permutations(count: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Fixed odd factors and shifts: the same in every process and version."""
    numbers = [_hash(f"permutation {number}") for number in range(2 * count)]
    return np.array([n | 1 for n in numbers[:count]], dtype=np.uint64), np.array(numbers[count:], dtype=np.uint64)


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "big")


def _signed(number: int) -> int:
    """The same 64 bits as SQL knows integers."""
    return number - (1 << 64) if number >= 1 << 63 else number
