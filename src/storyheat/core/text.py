"""An item's words as the clusterer sees them: terms, anchors, sentences and cues of title and lead."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from storyheat.core import quantities
from storyheat.core.cues import is_periodic, is_roundup
from storyheat.core.editions import editions
from storyheat.core.names import NO_NAMES_KNOWN, Names
from storyheat.core.quantities import CJK
from storyheat.core.simplified import simplified
from storyheat.core.stems import stem
from storyheat.core.stopwords import NO_NAMES, STOP_WORDS

_WORD = rf"(?:[A-Z]\.){{2,}}|[^\W\d_{CJK}][^\W_{CJK}]*(?:[.-]\d[^\W_{CJK}]*)*(?:['’][^\W\d_{CJK}]+)?"
_QUANTITY = re.sub(r"\(\?P<\w+>", "(?:", quantities.PATTERN)
_TOKEN = re.compile(  # without groups: `findall` then gives plain strings, twice as fast
    rf"[{CJK}]+"
    rf"|(?<![^\W_{CJK}]){_QUANTITY}(?:(?<=[{CJK}])|(?![^\W_{CJK}]))"
    rf"|{_WORD}"
    rf"|\d[^\W_{CJK}]*(?:[.-]\d[^\W_{CJK}]*)*"
)
_QUOTED_NAME = re.compile(r"[《「『]([^》」』]{2,20})[》」』]")
_SENTENCE_END = re.compile(
    r"(?<=[^A-Z.\s][.!?])(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bMrs\.)(?<!\bSen\.)(?<!\bGov\.)(?<!\bRep\.)"
    r"[\"”’)]*\s+(?=[\"“‘(A-Z0-9])|(?<=[。！？；])|\n+"
)
_CJK_START = re.compile(rf"[{CJK}]")
_INNER_CAPITAL = re.compile(r"[^\W\d_].*[A-Z]")
_CJK_FIRST, _CJK_LAST = "぀", "힯"  # nothing else that a token can start with lies between
_NUMBER_START = re.compile(r"(?:[Uu][Ss])?[$€£¥]|\d")
_PLAIN, _CAPITAL, _NAME = 0, 1, 2  # spelling: says nothing; a name if in mid-sentence; a name by itself

MAX_LEAD_CHARS = 1500  # found on development sets by the prototype: more text adds other topics
MAX_SENTENCES = 8
MIN_SENTENCE_TERMS = 3  # shorter pieces are headings and bylines
_TITLE_CASE_SHARE = 0.6  # of the words of four letters or more; above it a capital says nothing
_LONG_WORD = 4


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read in one item. All mappings and tuples stand in order of appearance.

    `anchors` are the terms that name something; every one is also a term of the title or the lead.
    """

    title: dict[str, int]  # term → occurrences
    lead: dict[str, int]
    sentences: tuple[tuple[str, ...], ...]  # distinct terms of each of the first sentences of the lead
    anchors: tuple[str, ...]
    lead_chars: int
    roundup: bool
    periodic: bool
    editions: tuple[str, ...]  # what the title says of series; see `core.editions`

    def terms(self) -> dict[str, float]:
        """Every term with its count, the title three times as heavy as the lead."""
        counts = {term: 3.0 * n for term, n in self.title.items()}
        for term, n in self.lead.items():
            counts[term] = counts.get(term, 0.0) + n
        return counts


def read(title: str, text: str, names: Names = NO_NAMES_KNOWN) -> Reading:
    """Reads an item's title and body. Total for any string; cost is bounded by `MAX_LEAD_CHARS`.

    Forms of `names` are read as the English names they stand for.
    """
    title, lead = parts(title, text)
    anchors: dict[str, None] = {}
    title_terms: dict[str, int] = {}
    for term in _terms(title, anchors, names, plain_capitals=not _is_title_case(title)):
        title_terms[term] = title_terms.get(term, 0) + 1
    lead_terms: dict[str, int] = {}
    sentences: list[tuple[str, ...]] = []
    for piece in _SENTENCE_END.split(lead):
        terms = _terms(piece, anchors, names, plain_capitals=not _is_title_case(piece))
        for term in terms:
            lead_terms[term] = lead_terms.get(term, 0) + 1
        if len(terms) >= MIN_SENTENCE_TERMS and len(sentences) < MAX_SENTENCES:
            sentences.append(tuple(dict.fromkeys(terms)))
    return Reading(
        title_terms,
        lead_terms,
        tuple(sentences),
        tuple(anchors),
        len(lead),
        is_roundup(title),
        is_periodic(title),
        editions(title),
    )


def sentences(text: str) -> list[str]:
    """The sentences of a text as they are printed, without blanks around; none is empty."""
    return [piece.strip() for piece in _SENTENCE_END.split(text) if piece.strip()]


def parts(title: str, text: str) -> tuple[str, str]:
    """(title, lead) of an item: normalised and cut, the lead without the title."""
    title = _normalised(title[:MAX_LEAD_CHARS]).strip()
    return title, _without_title(_normalised(text[: 2 * MAX_LEAD_CHARS]).strip(), title)[:MAX_LEAD_CHARS]


def _normalised(text: str) -> str:
    """In one spelling: full-width signs, traditional characters and `百分之20` as `20%`."""
    if text.isascii():
        return text
    return quantities.percent_behind(simplified(unicodedata.normalize("NFKC", text)))


def _without_title(text: str, title: str) -> str:
    """The text without the title repeated at its start, which would count it twice."""
    if title and text[: len(title)].lower() == title.lower():
        return text[len(title) :].lstrip(" .:-–—|\n")
    return text


def _is_title_case(text: str) -> bool:
    """True where nearly all longer words have a capital, so that a capital does not mark a name."""
    words = [word for word in text.split() if len(word) >= _LONG_WORD and word[0].isalpha()]
    return sum(word[0].isupper() for word in words) > _TITLE_CASE_SHARE * len(words)


def _terms(text: str, anchors: dict[str, None], names: Names, *, plain_capitals: bool) -> list[str]:
    """The terms of a sentence in order; names among them are added to `anchors`.

    With `plain_capitals` a capital in mid-sentence marks a name as well.
    """
    terms: list[str] = []
    first = True
    for token in _TOKEN.findall(text):
        if _CJK_FIRST <= token[0] <= _CJK_LAST:
            for characters, english in names.split(token):
                terms.extend(_bigrams(characters))
                named = _english_terms(english)
                terms.extend(named)
                anchors.update(dict.fromkeys(named))
            for number in quantities.spelled(token):
                if number.term is not None:
                    terms.append(number.term)
                    if number.named:
                        anchors[number.term] = None
        else:
            named = () if token.isascii() else _english_terms(names.of_word(token) or "")
            terms.extend(named)
            anchors.update(dict.fromkeys(named))
            term, spelling = _term(token)
            if term and not named:
                terms.append(term)
                if spelling == _NAME or (spelling == _CAPITAL and plain_capitals and not first):
                    anchors[term] = None
        first = False
    for name in _QUOTED_NAME.findall(text):
        term = name.lower()
        terms.append(term)
        anchors[term] = None
    return terms


@lru_cache(maxsize=1 << 12)
def _english_terms(names: str) -> tuple[str, ...]:
    """The terms of English names, as an English text would have them."""
    return tuple(dict.fromkeys(_terms(names, {}, NO_NAMES_KNOWN, plain_capitals=False)))


def _bigrams(run: str) -> list[str]:
    """Character bigrams of a Chinese, Japanese or Korean run; a single character stands alone."""
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]


@lru_cache(maxsize=1 << 16)
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
    if any(c.isdigit() for c in bare) or _INNER_CAPITAL.search(bare):
        return lower, _NAME
    return stem(lower), _CAPITAL if bare[0].isupper() and lower not in NO_NAMES else _PLAIN


def is_cjk_term(term: str) -> bool:
    """True for a term of Chinese, Japanese or Korean characters."""
    return _CJK_START.match(term) is not None
