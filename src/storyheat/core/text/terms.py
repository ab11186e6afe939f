"""An item's words as the clusterer sees them: terms, anchors, sentences and cues of title and lead."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

from storyheat.core.text import quantities
from storyheat.core.text.cues import is_live, is_periodic, is_roundup, places
from storyheat.core.text.editions import told_editions
from storyheat.core.text.names import NO_NAMES_KNOWN, Names
from storyheat.core.text.simplified import simplified
from storyheat.core.text.words import Words, words_with

_QUOTED_NAME = re.compile(r"[《「『]([^》」』]{2,20})[》」』]")
_SENTENCE_END = re.compile(  # one class in front, so that the search leaps from sign to sign
    r"[.!?。！？；\n](?:"
    r"(?<=[^A-Z.\s][.!?])(?<!\bMr\.)(?<!\bMs\.)(?<!\bDr\.)(?<!\bSt\.)(?<!\bMrs\.)(?<!\bSen\.)(?<!\bGov\.)(?<!\bRep\.)"
    r"[\"”’)]*\s+(?=[\"“‘(A-Z0-9])|(?<=[。！？；])|(?<=\n)\n*)"
)

MAX_LEAD_CHARS = 1500  # found on development sets by the prototype: more text adds other topics
LIVE_LEAD_CHARS = 400  # of a live blog, whose text gathers what is beside its event; own choice
MAX_SENTENCES = 8
MIN_SENTENCE_TERMS = 3  # shorter pieces are headings and bylines


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
    editions: tuple[str, ...]  # what title and opening say of series; see `core.text.editions`
    places: tuple[str, ...]  # terms of the title that say where something happened

    def terms(self) -> dict[str, float]:
        """Every term with its count, the title three times as heavy as the lead."""
        lead = self.lead
        counts: dict[str, float] = {**self.title, **lead}
        for term, n in self.title.items():
            counts[term] = 3.0 * n + lead.get(term, 0)
        return counts


def read(title: str, text: str, names: Names = NO_NAMES_KNOWN) -> Reading:
    """Reads an item's title and body. Total for any string; cost is bounded by `MAX_LEAD_CHARS`.

    Forms of `names` are read as the English names they stand for.
    """
    title, lead = parts(title, text)
    words = words_with(names)
    anchors: dict[str, None] = {}
    title_terms = _terms(title, anchors, words)
    lead_terms: list[str] = []
    sentences: list[tuple[str, ...]] = []
    for piece in _pieces(lead):
        terms = _terms(piece, anchors, words)
        lead_terms += terms
        if len(terms) >= MIN_SENTENCE_TERMS and len(sentences) < MAX_SENTENCES:
            sentences.append(tuple(dict.fromkeys(terms)))
    return Reading(
        dict(Counter(title_terms)),
        dict(Counter(lead_terms)),
        tuple(sentences),
        tuple(anchors),
        len(lead),
        is_roundup(title),
        is_periodic(title),
        told_editions(title, lead),
        tuple([term for place in places(title) for term in words.terms(place, {})]),
    )


def terms_of_title(title: str, names: Names = NO_NAMES_KNOWN) -> tuple[list[str], list[str]]:
    """(terms in order, those that name something) of a title, as `read` has them."""
    anchors: dict[str, None] = {}
    return _terms(parts(title, "")[0], anchors, words_with(names)), list(anchors)


def terms_of_text(text: str, names: Names = NO_NAMES_KNOWN) -> tuple[list[str], list[str]]:
    """(terms in order, those that name something) of a text without a title, as `read` has them."""
    anchors: dict[str, None] = {}
    words = words_with(names)
    return [term for piece in _pieces(parts("", text)[1]) for term in _terms(piece, anchors, words)], list(anchors)


def sentences(text: str) -> list[str]:
    """The sentences of a text as they are printed, without blanks around; none is empty."""
    return [piece.strip() for piece in _pieces(text) if piece.strip()]


def _pieces(text: str) -> list[str]:
    """A text cut where sentences and lines end; without what stands between them."""
    pieces = []
    start = 0
    for end in _SENTENCE_END.finditer(text):
        stop = end.start()
        pieces.append(text[start : stop if text[stop] == "\n" else stop + 1])
        start = end.end()
    pieces.append(text[start:])
    return pieces


def parts(title: str, text: str) -> tuple[str, str]:
    """(title, lead) of an item: normalised and cut, the lead without the title."""
    title = _normalised(title[:MAX_LEAD_CHARS]).strip()
    lead = _without_title(_normalised(text[: 2 * MAX_LEAD_CHARS]).strip(), title)
    return title, lead[: LIVE_LEAD_CHARS if is_live(title) else MAX_LEAD_CHARS]


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


def _terms(text: str, anchors: dict[str, None], words: Words) -> list[str]:
    """The terms of a sentence in order, quoted names last; names among them are added to `anchors`."""
    terms = words.terms(text, anchors)
    if not text.isascii():
        for name in _QUOTED_NAME.findall(text):
            term = name.lower()
            terms.append(term)
            anchors[term] = None
    return terms
