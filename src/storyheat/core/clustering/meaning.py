"""What an item is about, as vectors that lie close where texts say the same, in whatever language.

The vectors come from a sentence encoder outside the core (`ports.Embedder`) and are kept as whole numbers, so that
every product and sum of them is exact: the order of summing, and the machine, make no difference.
"""

from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from storyheat.core.text.terms import parts
from storyheat.core.text.words import is_cjk_term

Floats = NDArray[np.float64]
Embedded = NDArray[np.float32]  # of length one, as an encoder gives it
Coarse = NDArray[np.int8]
Sums = NDArray[np.int32]

SCALE = 600.0  # steps per unit: the largest component seen in 10,000 vectors was .152; cosines move by .003 at most
_LARGEST = 127
LEAD_CHARS = 1200  # of Latin text, measured on pairs: 600 .912, 900 .915, 1200 .923, 1500 .925 AUC across languages
HEAD_CHARS = 120  # of a lead that stand for a title where there is none; AUC on Chinese pairs .948, without .932
CJK_CHARS = 3  # Latin letters that one Chinese, Japanese or Korean character counts for


Embed = Callable[[Sequence[str]], Sequence[Embedded]]  # one vector for each text


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """Vectors of one item: of its title, of its lead, and of both together."""

    title: Coarse  # that of the lead's beginning, where there is no title
    lead: Coarse  # the title's, where there is no lead
    whole: Coarse = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "whole", coarse(_unit(self.title) + _unit(self.lead)))

    def to_bytes(self) -> tuple[bytes, bytes]:
        """Title and lead, a signed byte for each dimension."""
        return self.title.tobytes(), self.lead.tobytes()

    @classmethod
    def from_bytes(cls, title: bytes, lead: bytes) -> "Meaning":
        """What `to_bytes` gave."""
        return cls(np.frombuffer(title, np.int8), np.frombuffer(lead, np.int8))


def embedded_texts(title: str, text: str) -> tuple[str, str]:
    """(title, lead) as they are given to an encoder. What is missing is replaced by the other; both may be empty."""
    title, lead = parts(title, text)
    letters = CJK_CHARS if is_cjk_term(lead) else 1
    return title or lead[: HEAD_CHARS // letters], lead[: LEAD_CHARS // letters] or title


def meaning_of(texts: tuple[str, str], embed: Embed) -> Meaning:
    """The meaning of `embedded_texts`. Without any words it is like nothing: its vectors are all zeros."""
    vectors = [coarse(vector) for vector in embed(list(dict.fromkeys(texts)))]
    if not any(texts):
        vectors = [np.zeros_like(vectors[0])]
    return Meaning(vectors[0], vectors[-1])


def coarse(vector: Floats | Embedded) -> Coarse:
    """A vector at length one, in whole steps; a vector of zeros stays so."""
    return np.clip(np.rint(_unit(vector) * SCALE), -_LARGEST, _LARGEST).astype(np.int8)


def cosine(a: Coarse | Sums, b: Coarse | Sums) -> float:
    """Cosine of two vectors in whole steps, of any length; 0 where one is all zeros."""
    wide_a, wide_b = a.astype(np.int64), b.astype(np.int64)
    length = float(np.sqrt(float(wide_a @ wide_a) * float(wide_b @ wide_b)))
    return float(wide_a @ wide_b) / length if length else 0.0


def _unit(vector: Floats | Embedded | Coarse | Sums) -> Floats:
    wide = vector.astype(np.float64)
    return wide / (np.sqrt((wide * wide).sum()) or 1.0)


@dataclass(slots=True, eq=False)
class StoryMeaning:
    """What the reports of one story are about: the first one, and the sum of all."""

    root: Coarse
    whole: Sums

    @classmethod
    def of(cls, reports: Sequence[Meaning]) -> "StoryMeaning":
        """The meaning of a story of these reports, oldest first, at least one."""
        first = reports[0]
        made = cls(first.whole, first.whole.astype(np.int32))
        for report in reports[1:]:
            made.add(report)
        return made

    def add(self, meaning: Meaning) -> None:
        """Adds a report."""
        self.whole = self.whole + meaning.whole

    def packed(self) -> list[str]:
        """As text, the same for equal values."""
        arrays = (self.root, self.whole.astype("<i4"))
        return [b64encode(array.tobytes()).decode("ascii") for array in arrays]

    @classmethod
    def unpacked(cls, texts: list[str]) -> "StoryMeaning":
        """What `packed` made."""
        root, whole = (b64decode(text) for text in texts)
        return cls(np.frombuffer(root, np.int8), np.frombuffer(whole, "<i4").astype(np.int32))


class MeaningIndex:
    """The stories by what they are about, to find those nearest to an item, in whatever language.

    One row of a matrix for each story. Rows hold whole numbers so small that 32-bit floats add them exactly.
    """

    def __init__(self) -> None:
        self._rows = np.zeros((0, 0), np.float32)
        self._lengths = np.zeros(0)
        self._row_of: dict[str, int] = {}
        self._names: list[str] = []

    def put(self, story: str, meaning: StoryMeaning) -> None:
        """Adds or renews a story."""
        row = self._row_of.get(story)
        if row is None:
            row = len(self._names)
            if row == len(self._rows):
                self._enlarge(len(meaning.whole))
            self._row_of[story] = row
            self._names.append(story)
        centre = coarse(meaning.whole.astype(np.float64))
        self._rows[row] = centre
        self._lengths[row] = _length(centre)

    def remove(self, story: str) -> None:
        """Takes a story out, if it is there; the last row moves into its place."""
        row = self._row_of.pop(story, None)
        if row is None:
            return
        last = self._names.pop()
        if last != story:
            self._rows[row], self._lengths[row] = self._rows[len(self._names)], self._lengths[len(self._names)]
            self._names[row] = last
            self._row_of[last] = row

    def nearest(self, meaning: Meaning, limit: float) -> list[tuple[float, str]]:
        """(cosine, story) of all with a cosine of at least `limit`, best first; ties go to the smaller id."""
        count = len(self._names)
        if not count:
            return []
        products = self._rows[:count] @ meaning.whole.astype(np.float32)
        cosines = products / (self._lengths[:count] * _length(meaning.whole))
        found = [(-float(cosines[row]), self._names[row]) for row in np.flatnonzero(cosines >= limit)]
        return [(-cosine, story) for cosine, story in sorted(found)]

    def _enlarge(self, dimensions: int) -> None:
        rows = np.zeros((max(64, 2 * len(self._rows)), dimensions), np.float32)
        lengths = np.ones(len(rows))
        if len(self._names):
            rows[: len(self._rows)], lengths[: len(self._rows)] = self._rows, self._lengths
        self._rows, self._lengths = rows, lengths


def _length(vector: Coarse) -> float:
    wide = vector.astype(np.int64)
    return float(np.sqrt(float(wide @ wide))) or 1.0
