"""An item's words as the clusterer sees them: terms, anchors, sentences and cues of title and lead."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from storyheat.core import quantities
from storyheat.core.cues import is_periodic, is_roundup
from storyheat.core.stopwords import NO_NAMES, STOP_WORDS

_CJK = "぀-ヿ㐀-䶿一-鿿豈-﫿가-힯"
_WORD = rf"(?:[A-Z]\.){{2,}}|[^\W\d_{_CJK}][^\W_{_CJK}]*(?:[.-]\d[^\W_{_CJK}]*)*(?:['’][^\W\d_{_CJK}]+)?"
_QUANTITY = re.sub(r"\(\?P<\w+>", "(?:", quantities.PATTERN)
_TOKEN = re.compile(  # without groups: `findall` then gives plain strings, twice as fast
    rf"[{_CJK}]+"
    rf"|(?<![^\W_{_CJK}]){_QUANTITY}(?:(?<=[{_CJK}])|(?![^\W_{_CJK}]))"
    rf"|{_WORD}"
    rf"|\d[^\W_{_CJK}]*(?:[.-]\d[^\W_{_CJK}]*)*"
)
_QUOTED_NAME = re.compile(r"[《「『]([^》」』]{2,20})[》」』]")
_SENTENCE_END = re.compile(
    r"(?<=[^A-Z.\s][.!?])(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bMrs\.)(?<!\bSen\.)(?<!\bGov\.)(?<!\bRep\.)"
    r"[\"”’)]*\s+(?=[\"“‘(A-Z0-9])|(?<=[。！？；])|\n+"
)
_CJK_START = re.compile(rf"[{_CJK}]")
_INNER_CAPITAL = re.compile(r"[^\W\d_].*[A-Z]")
_CJK_FIRST, _CJK_LAST = "぀", "힯"  # nothing else that a token can start with lies between
_NUMBER_START = re.compile(r"(?:[Uu][Ss])?[$€£¥]|\d")
_PLAIN, _CAPITAL, _NAME = 0, 1, 2  # spelling: says nothing; a name if in mid-sentence; a name by itself
_VOWEL = re.compile(r"[aeiouy]")

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

    def terms(self) -> dict[str, float]:
        """Every term with its count, the title three times as heavy as the lead."""
        counts = {term: 3.0 * n for term, n in self.title.items()}
        for term, n in self.lead.items():
            counts[term] = counts.get(term, 0.0) + n
        return counts


def read(title: str, text: str) -> Reading:
    """Reads an item's title and body. Total for any string; cost is bounded by `MAX_LEAD_CHARS`."""
    title = _normalised(title[:MAX_LEAD_CHARS]).strip()
    lead = _without_title(_normalised(text[: 2 * MAX_LEAD_CHARS]).strip(), title)[:MAX_LEAD_CHARS]
    anchors: dict[str, None] = {}
    title_terms: dict[str, int] = {}
    for term in _terms(title, anchors, plain_capitals=not _is_title_case(title)):
        title_terms[term] = title_terms.get(term, 0) + 1
    lead_terms: dict[str, int] = {}
    sentences: list[tuple[str, ...]] = []
    for piece in _SENTENCE_END.split(lead):
        terms = _terms(piece, anchors, plain_capitals=not _is_title_case(piece))
        for term in terms:
            lead_terms[term] = lead_terms.get(term, 0) + 1
        if len(terms) >= MIN_SENTENCE_TERMS and len(sentences) < MAX_SENTENCES:
            sentences.append(tuple(dict.fromkeys(terms)))
    return Reading(
        title_terms, lead_terms, tuple(sentences), tuple(anchors), len(lead), is_roundup(title), is_periodic(title)
    )


def _normalised(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def _without_title(text: str, title: str) -> str:
    """The text without the title repeated at its start, which would count it twice."""
    if title and text[: len(title)].lower() == title.lower():
        return text[len(title) :].lstrip(" .:-–—|\n")
    return text


def _is_title_case(text: str) -> bool:
    """True where nearly all longer words have a capital, so that a capital does not mark a name."""
    words = [word for word in text.split() if len(word) >= _LONG_WORD and word[0].isalpha()]
    return sum(word[0].isupper() for word in words) > _TITLE_CASE_SHARE * len(words)


def _terms(text: str, anchors: dict[str, None], *, plain_capitals: bool) -> list[str]:
    """The terms of a sentence in order; names among them are added to `anchors`.

    With `plain_capitals` a capital in mid-sentence marks a name as well.
    """
    terms: list[str] = []
    first = True
    for token in _TOKEN.findall(text):
        if _CJK_FIRST <= token[0] <= _CJK_LAST:
            terms.extend(_bigrams(token))
        else:
            term, spelling = _term(token)
            if term:
                terms.append(term)
                if spelling == _NAME or (spelling == _CAPITAL and plain_capitals and not first):
                    anchors[term] = None
        first = False
    for name in _QUOTED_NAME.findall(text):
        term = name.lower()
        terms.append(term)
        anchors[term] = None
    return terms


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
    term = _stem(lower)
    return term, _CAPITAL if bare[0].isupper() and term not in NO_NAMES else _PLAIN


def _stem(word: str) -> str:
    """Light stem: plurals, -ing, -ed and a final e; only for words long enough to stay apart."""
    if not word.isascii() or len(word) < _LONG_WORD:
        return word
    if word.endswith("ies") and len(word) > len("ties"):
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        stem = word[: -len(ending)]
        if word.endswith(ending) and len(stem) > 2 and _VOWEL.search(stem):
            word = stem[:-1] if stem[-1] == stem[-2] and stem[-1] not in "lsz" else stem
            break
    return word[:-1] if word.endswith("e") and len(word) > _LONG_WORD else word


def is_cjk_term(term: str) -> bool:
    """True for a term of Chinese, Japanese or Korean characters."""
    return _CJK_START.match(term) is not None
