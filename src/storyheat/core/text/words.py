"""The words and numbers of a running text as terms, read once for each piece between two blanks."""

import re
from collections.abc import Sequence
from functools import lru_cache
from operator import add, itemgetter
from typing import NamedTuple

from storyheat.core.text import quantities
from storyheat.core.text.names import NO_NAMES_KNOWN, Names
from storyheat.core.text.quantities import CJK
from storyheat.core.text.stems import stem
from storyheat.core.text.stopwords import NO_NAMES, STOP_WORDS

_WORD = rf"(?:[A-Z]\.){{2,}}|[^\W\d_{CJK}][^\W_{CJK}]*(?:[.-]\d[^\W_{CJK}]*)*(?:['’][^\W\d_{CJK}]+)?"
_QUANTITY = re.sub(r"\(\?P<\w+>", "(?:", quantities.PATTERN)
_TOKEN = re.compile(  # without groups: `findall` then gives plain strings, twice as fast
    rf"[{CJK}]+"
    rf"|(?<![^\W_{CJK}]){_QUANTITY}(?:(?<=[{CJK}])|(?![^\W_{CJK}]))"
    rf"|{_WORD}"
    rf"|\d[^\W_{CJK}]*(?:[.-]\d[^\W_{CJK}]*)*"
)
_CJK_START = re.compile(rf"[{CJK}]")
_CJK_FIRST, _CJK_LAST = "぀", "힯"  # nothing else that a token can start with lies between
_DIGIT = re.compile(r"\d")
_INNER_CAPITAL = re.compile(r"[^\W\d_].*[A-Z]")
_AROUND_WORD = "\"'()[],.:;!?*-"  # signs that no term has at its ends
_NUMBER_START = re.compile(rf"{quantities.CURRENCY}|\d")
_PLAIN, _CAPITAL, _NAME = 0, 1, 2  # spelling: says nothing; a name if in mid-sentence; a name by itself

_LONG_WORD = 4  # letters of a word whose first letter tells whether a text is in Title Case
_TITLE_CASE_SHARE = 0.6  # of the long words; above it a capital says nothing
_UPPER, _NUMBERS = 20, 40  # places of two counts in one integer, which is summed faster than three
_COUNT = (1 << 20) - 1

KNOWN_CHUNKS = 1 << 15  # remembered, and as many that were known before; own choice, some 10 MB
_KNOWN_LENGTH = 32  # of a chunk that may come again


Mark = tuple[str, bool, bool]  # (term, whether a name by itself, whether the first word of its chunk)


class Chunk(NamedTuple):
    """What stands between two blanks, read: mostly one word."""

    terms: tuple[str, ...]  # in order
    marks: tuple[Mark, ...]
    counts: int  # 1 for a long word, 1 << _UPPER for one with a capital, 1 << _NUMBERS for a digit in the chunk
    continues: bool  # may belong to a number that stands before it, such as "million"
    worded: bool  # there is a word or number


_COUNTS = itemgetter(Chunk._fields.index("counts"))


class Words(dict[str, Chunk]):
    """Chunks as they are read with these names; what was read lately is remembered.

    Nothing but numbers reaches over a blank, so a text is its chunks, and most of them came before.
    """

    def __init__(self, names: Names = NO_NAMES_KNOWN, known_chunks: int = KNOWN_CHUNKS) -> None:
        super().__init__()
        self._names, self._known_chunks = names, known_chunks
        self._before: dict[str, Chunk] = {}

    def __missing__(self, text: str) -> Chunk:
        chunk = self._before.pop(text, None) or _read(text, self._names)
        if len(text) <= _KNOWN_LENGTH:
            if len(self) >= self._known_chunks:
                self._before = dict(self)
                self.clear()
            self[text] = chunk
        return chunk

    def terms(self, text: str, anchors: dict[str, None]) -> list[str]:
        """The terms of a sentence in order; the names among them are added to `anchors`.

        A capital in mid-sentence marks a name where not nearly every word has one.
        """
        pieces = text.split()
        chunks: Sequence[Chunk] = list(map(self.__getitem__, pieces))
        counts = sum(map(_COUNTS, chunks))
        if counts >> _NUMBERS:
            chunks = self._with_numbers(text, pieces, chunks)
        capitals_say = (counts >> _UPPER & _COUNT) <= _TITLE_CASE_SHARE * (counts & _COUNT)
        found: list[str] = []
        begun = False
        for terms, marks, _, _, worded in chunks:
            found += terms
            for term, is_name, is_first in marks:
                if is_name or (capitals_say and (begun or not is_first)):
                    anchors[term] = None
            begun = begun or worded
        return found

    def _with_numbers(self, text: str, pieces: Sequence[str], chunks: Sequence[Chunk]) -> list[Chunk]:
        """The chunks of a text, numbers with the words that belong to them as one."""
        if " ".join(pieces) != text.strip():
            return [_read(text, self._names)]  # over other blanks than one space no number reaches
        joined = []
        place = 0
        while place < len(pieces):
            end = place + 1
            if chunks[place].counts >> _NUMBERS:
                while end < len(pieces) and chunks[end].continues:
                    end += 1
            joined.append(chunks[place] if end == place + 1 else self[" ".join(pieces[place:end])])
            place = end
        return joined


@lru_cache(maxsize=2)
def words_with(names: Names) -> Words:
    """The words as they are read with these names: one memory for all who ask."""
    return Words(names)


def _read(text: str, names: Names) -> Chunk:
    """Reads a text without looking at what stands around it."""
    if text.isascii() and (word := text.strip(_AROUND_WORD)).isalpha():
        return _read_word(text, word)  # as most texts, in a third of the time
    terms: list[str] = []
    marks: list[Mark] = []
    worded = False
    for token in _TOKEN.findall(text):
        if _CJK_FIRST <= token[0] <= _CJK_LAST:
            _read_run(token, names, terms, marks)
        else:
            named = () if token.isascii() else _english_terms(names.of_word(token) or "")
            terms.extend(named)
            marks.extend((name, True, False) for name in named)
            term, spelling = _term(token)
            if term and not named:
                terms.append(term)
                if spelling != _PLAIN:
                    marks.append((term, spelling == _NAME, not worded))
        worded = True
    counts = int(_DIGIT.search(text) is not None) << _NUMBERS
    for word in text.split():
        if len(word) >= _LONG_WORD and word[0].isalpha():
            counts += 1 + (word[0].isupper() << _UPPER)
    return Chunk(tuple(terms), tuple(marks), counts, quantities.CONTINUES.match(text) is not None, worded)


def _read_run(run: str, names: Names, terms: list[str], marks: list[Mark]) -> None:
    """Reads a run of Chinese, Japanese or Korean characters into `terms` and `marks`."""
    pairs = _bigrams(run)
    if names.may_be_among(pairs):
        for characters, english in names.split(run):
            terms.extend(_bigrams(characters))
            named = _english_terms(english)
            terms.extend(named)
            marks.extend((name, True, False) for name in named)
    else:
        terms.extend(pairs)  # as of nearly every run
    for number in quantities.spelled(run):
        if number.term is not None:
            terms.append(number.term)
            if number.named:
                marks.append((number.term, True, False))


def _read_word(text: str, word: str) -> Chunk:
    """Reads a text that is one word of ASCII letters, with signs around it."""
    term, spelling = _term(word)
    counts = 1 + (text[0].isupper() << _UPPER) if len(text) >= _LONG_WORD and text[0].isalpha() else 0
    marks = ((term, spelling == _NAME, True),) if spelling != _PLAIN else ()
    return Chunk((term,) if term else (), marks, counts, quantities.CONTINUES.match(text) is not None, True)


@lru_cache(maxsize=1 << 12)
def _english_terms(names: str) -> tuple[str, ...]:
    """The terms of English names, as an English text would have them."""
    return tuple(dict.fromkeys(_read(names, NO_NAMES_KNOWN).terms))


def _bigrams(run: str) -> list[str]:
    """Character bigrams of a Chinese, Japanese or Korean run; a single character stands alone."""
    return [run] if len(run) == 1 else list(map(add, run, run[1:]))


@lru_cache(maxsize=1 << 15)
def _term(token: str) -> tuple[str, int]:
    """(term, what its spelling says) of a word or number; an empty term says nothing of the topic."""
    if _NUMBER_START.match(token):
        found, named = quantities.quantity(token) or ("", False)
        return found, _NAME if named else _PLAIN
    bare = token.partition("'")[0].partition("’")[0]
    if bare.endswith("."):
        bare = bare.replace(".", "")
    lower = bare.lower()
    if lower in STOP_WORDS or len(lower) == 1:
        return "", _PLAIN
    is_word = bare.isalpha() or not any(c.isdigit() for c in bare)
    if not is_word or (bare[1:] != lower[1:] and _INNER_CAPITAL.search(bare)):
        return lower, _NAME
    return stem(lower), _CAPITAL if bare[0].isupper() and lower not in NO_NAMES else _PLAIN


def is_cjk_term(term: str) -> bool:
    """True for a term of Chinese, Japanese or Korean characters."""
    return _CJK_START.match(term) is not None
