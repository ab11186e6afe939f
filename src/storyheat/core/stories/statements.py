"""What an item states that can be checked: figures with what they count, names, and the words of its title."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from storyheat.core.dates.month_names import MONTHS, fold
from storyheat.core.text import quantities
from storyheat.core.text.names import NO_NAMES_KNOWN, Names
from storyheat.core.text.quantities import Quantity
from storyheat.core.text.terms import sentences, terms_of_text, terms_of_title
from storyheat.core.text.words import is_cjk_term

MAX_CHARS = 6_000  # of a text: what stands further down is background to the news; own choice
MAX_SENTENCES = 20
RAREST = 1e-5  # share of ordinary texts taken for a term that the background table lacks
LEAD_SENTENCES = 2  # in which a report says what is new; own choice

_COUNTED = re.compile(r"[\s-]*((?:[^\W\d_]+[\s-]+){0,3}[^\W\d_]+)(?!\w)")  # up to four words right behind a number
_WORD_BEFORE = re.compile(r"([^\W\d_]+)[.,]?\s*$")
_WORD_BEHIND = re.compile(r"\s*(?:de\s+)?([^\W\d_]+)")
_NO_COUNT_BEHIND = re.compile(
    r"\s*(?:[年月日号點点时時届轮輪度岁歲]|分钟前|小时前|天前|[\s-]year-old|(?:st|nd|rd|th|o'clock|[ap]\.?m)\b)"
)
_NO_COUNT_BEFORE = re.compile(r"(?:第|\b(?:no|nr|number|version|page|chapter|class)\.?)\s*$", re.IGNORECASE)
_DANGLING = re.compile(r"(?:[\s-]+(?:a|an|and|at|by|for|from|in|of|on|or|out|per|the|to|with))+$", re.IGNORECASE)
_OF_A_NAME = re.compile(r"\w-$")  # Zephyr-4
_MAY_HAVE_FRACTION = re.compile(
    r"\s*(?:times\b|x\b|倍|points?\b|percentage|magnitude|mal\b|fois\b|veces\b|vezes\b)", re.IGNORECASE
)
_ASKS = re.compile(
    r"[?？]\s*$|^(?:what|why|how|where|when|who|which|whose|should|could|can|is|are|will|would|does|do|did|inside|"
    r"was|wie|warum|wieso|wer|wo|pourquoi|comment|que|por qu[eé]|c[oó]mo|perch[eé]|come|почему|как|что|зачем)\b"
    r"|为什么|为何|為何|如何|怎么|怎樣|怎样|什么|什麼|是否|能否|[吗嗎呢]\s*$",
    re.IGNORECASE,
)  # titles that ask or promise an explanation
_YEARS = range(1900, 2101)
_ROUND_ZEROS = 2  # 1,500 may be a rounded number; 150 is taken as it stands
_CHARS_COUNTED = 24  # of what is counted, in what is shown
_HAN_COUNTED = 4  # the same where words have no blanks between them


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that an item states. Two with one `key` say the same."""

    key: str  # value to three digits with scale worked in, and unit
    value: float  # scale worked in
    step: float  # the place of its last digit that is not a rounding zero
    unit: str  # $, %, …; empty where it counts what `counted` names
    counted: frozenset[str]  # terms right behind it
    context: frozenset[str]  # terms of its sentence, without numbers
    said: str  # as printed, with the words behind
    sentence: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a text, as printed, and what it states."""

    text: str
    terms: frozenset[str]  # without numbers
    figures: frozenset[str]  # keys


@dataclass(frozen=True, slots=True)
class Statements:
    """What one item states. Terms are those of `core.text.terms`, here without numbers."""

    title: frozenset[str]  # terms of the title
    lead: frozenset[str]  # terms of the first sentences of the text
    text: frozenset[str]  # terms of the text
    words: frozenset[str]  # terms of title and text
    names: frozenset[str]  # those among `words` that name something
    figures: tuple[Figure, ...]  # of title and text in order, one of a key
    title_figures: frozenset[str]  # keys of those in the title
    lead_figures: frozenset[str]  # keys of those in title and first sentences
    sentences: tuple[Sentence, ...]  # of the text
    asks: bool  # the title asks or explains instead of stating


def statements(title: str, text: str, names: Names = NO_NAMES_KNOWN) -> Statements:
    """Reads what an item states. Total for any text; the cost is bounded. `names`: see `core.text.terms.read`."""
    pieces = sentences(text[:MAX_CHARS])[:MAX_SENTENCES]
    if pieces and _bare(pieces[0]) == _bare(title):
        pieces = pieces[1:]
    head, *read = [terms_of_title(title, names), *(terms_of_text(piece, names) for piece in pieces)]
    words = [_words(terms) for terms, _ in (head, *read)]
    told = [figures_in(piece, own) for piece, own in zip([title, *pieces], words, strict=True)]
    keys = [frozenset([figure.key for figure in figures]) for figures in told]
    once: dict[str, Figure] = {}
    for figure in (figure for figures in told for figure in figures):
        once.setdefault(figure.key, figure)
    return Statements(
        title=words[0],
        lead=_all(words[1 : 1 + LEAD_SENTENCES]),
        text=_all(words[1:]),
        words=_all(words),
        names=_all([_words(anchors) for _, anchors in (head, *read)]),
        figures=tuple(once.values()),
        title_figures=keys[0],
        lead_figures=_all(keys[: 1 + LEAD_SENTENCES]),
        sentences=tuple([Sentence(*stated) for stated in zip(pieces, words[1:], keys[1:], strict=True)]),
        asks=_ASKS.search(title) is not None,
    )


def figures_in(sentence: str, context: frozenset[str]) -> list[Figure]:
    """The numbers of a sentence that count or measure something. `context`: the other terms of the sentence."""
    found = []
    for quantity in quantities.find(sentence):
        behind = sentence[quantity.end :]
        if not quantity.named and _is_no_count(quantity, sentence[: quantity.start], behind):
            continue
        after = _COUNTED.match(behind)
        counted = _words(terms_of_title(after.group(1))[0]) if after else frozenset()
        if not quantity.named and not counted:
            continue
        shown = after.group(0) if after else ""
        shown = shown[: _HAN_COUNTED if is_cjk_term(shown.strip()) else _CHARS_COUNTED].rstrip()
        shown = _DANGLING.sub("", shown)
        found.append(
            Figure(
                key=f"{quantity.value:.3g}{quantity.unit}",
                value=quantity.value,
                step=_step(quantity),
                unit=quantity.unit,
                counted=counted,
                context=context,
                said=(sentence[quantity.start : quantity.end] + shown).strip(),
                sentence=sentence,
            )
        )
    return found


def _is_no_count(quantity: Quantity, before: str, behind: str) -> bool:
    """True for a bare number that is a date, a time, an age, an ordinal, a version or a part of a name."""
    if _NO_COUNT_BEHIND.match(behind) or _NO_COUNT_BEFORE.search(before):
        return True
    if _OF_A_NAME.search(before) or ("." in quantity.digits and not _MAY_HAVE_FRACTION.match(behind)):
        return True
    if quantity.digits.isdigit() and quantity.value in _YEARS:
        return True
    near = (_WORD_BEFORE.search(before), _WORD_BEHIND.match(behind))
    return any(word is not None and fold(word.group(1)) in MONTHS for word in near)


def _step(quantity: Quantity) -> float:
    """The place of the last digit that says something: 155T → 1e12, 7.4 → 0.1, 1,500 → 100, 150 → 1."""
    whole, dot, fraction = quantity.digits.replace(",", "").partition(".")
    if dot:
        places = -len(fraction)
    else:
        zeros = len(whole) - len(whole.rstrip("0"))
        places = zeros if zeros >= _ROUND_ZEROS else 0
    printed = float(f"{whole}.{fraction or 0}") if whole.isdigit() else 0.0
    scale = quantity.value / printed if printed else 1.0
    return 10.0**places * scale


def _words(terms: Iterable[str]) -> frozenset[str]:
    """Those that are no numbers."""
    return frozenset([term for term in terms if not term.startswith(quantities.MARK)])


def _all(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)


def _bare(text: str) -> str:
    return text.casefold().rstrip(".!?。！？…")
