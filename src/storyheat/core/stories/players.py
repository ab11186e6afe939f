"""Who takes part in a story: the names that several voices print, each with a sentence that says what it does.

No model: a name is a run of words with capitals inside a sentence, or see `east_asian_names`. See docs/evidence.md.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from storyheat.core.model import ItemId, Voice
from storyheat.core.stories.east_asian_names import english_keys, is_headline, names_in
from storyheat.core.stories.standalone import SentenceParams, stands_alone
from storyheat.core.text.language import primary
from storyheat.core.text.names import NO_NAMES_KNOWN, Names
from storyheat.core.text.quantities import CJK
from storyheat.core.text.stopwords import NO_NAMES, OPENERS, STOP_WORDS
from storyheat.core.text.terms import sentences

_WORD = re.compile(rf"[^\W_{CJK}]+(?:['’.&-][^\W_{CJK}]+)*")
_POSSESSIVE = re.compile(r"['’](?:s|S)?$")
_BESIDE = re.compile(r"[ \u00a0](?:&[ \u00a0])?")  # what may stand between two words of one name
_INSIDE = frozenset(
    [
        "af",
        "al",
        "bin",
        "d",
        "da",
        "de",
        "del",
        "della",
        "der",
        "di",
        "dos",
        "du",
        "el",
        "la",
        "le",
        "of",
        "ten",
        "van",
        "von",
    ]
)
_PLACE_BEFORE = re.compile(
    r"\b(?:in|at|near|off|outside|across|over|around|toward|towards|à|en|au|em|bei|nach|aus|в|из|на) (?:the )?$"
    rf"|[在于於][^{CJK}]?$",
    re.IGNORECASE,
)
_ARTICLE_BEFORE = re.compile(r"\b(?:the|an?) $", re.IGNORECASE)
_NOUN_BEHIND = re.compile(r" [a-z]")
_FROM_THERE = ("ian", "ean", "ese", "ish")
_NOBODY = STOP_WORDS | NO_NAMES | OPENERS
_EVERY_NOUN = "de"  # where each noun has a capital, only two in a row are a name
_TITLE_CASE = 0.6  # share of words with capitals from which a sentence is a headline, and tells no names


@dataclass(frozen=True, slots=True)
class PlayersParams:
    """How many are told; own choice, looked at on the demo week."""

    players: int = 6
    voices: int = 2  # that must print a name
    reports: int = 16  # that are read
    chars: int = 3000  # of each
    sentence: SentenceParams = field(default_factory=SentenceParams)


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a report says, by whom, and in which language if that is known."""

    item: ItemId
    voice: Voice
    text: str
    language: str | None


@dataclass(frozen=True, slots=True)
class Player:
    """A name as reports print it, and the sentence of one of them that has it first."""

    name: str
    text: str
    item: ItemId


@dataclass(frozen=True, slots=True)
class _Seen:
    """A name in a sentence. `key`: what it is known by; `firm`: it is one for sure; `aside`: it does not act here."""

    name: str
    key: tuple[str, ...]
    start: int
    firm: bool
    aside: bool
    sentence: str
    report: int


def players(
    reports: Sequence[Spoken], tellers: Collection[str], params: PlayersParams, known: Names = NO_NAMES_KNOWN
) -> list[Player]:
    """Who takes part, by how many voices name them.

    `reports`: oldest first; `tellers`: names of those who only tell; `known`: names in scripts without capitals.
    """
    reports, same = reports[: params.reports], english_keys(known)
    seen = [one for number, report in enumerate(reports) for one in _names_in(report, number, params, known, same)]
    firm = {one.key for one in seen if one.firm}
    whole = _whole_names(firm, seen)
    told: dict[tuple[str, ...], list[_Seen]] = defaultdict(list)
    for one in seen:
        if one.key in firm:
            told[whole[one.key]].append(one)
    barred = {tuple(name.casefold().split()) for name in tellers}
    voices = {key: len({reports[one.report].voice for one in found}) for key, found in told.items()}
    wanted = [
        key
        for key, found in told.items()
        if voices[key] >= params.voices and key not in barred and 2 * sum(one.aside for one in found) < len(found)
    ]
    wanted.sort(key=lambda key: (-voices[key], -len(told[key]), told[key][0].report, key))
    chosen: list[Player] = []
    for key in wanted:
        best = _best([one for one in told[key] if one.key == key], {one.text for one in chosen}, params)
        if best is not None and len(chosen) < params.players:
            chosen.append(Player(best.name, best.sentence, reports[best.report].item))
    return chosen


def _best(found: Sequence[_Seen], used: Collection[str], params: PlayersParams) -> _Seen | None:
    """Where a name stands, printed as mostly, near the beginning of a sentence that can stand alone."""
    [(mostly, _)] = Counter(one.name for one in found).most_common(1)
    alone = [one for one in found if stands_alone(one.sentence, params.sentence) and not is_headline(one.sentence)]
    return min(alone, key=lambda one: (one.sentence in used, one.name != mostly, one.start), default=None)


def _names_in(
    report: Spoken, number: int, params: PlayersParams, known: Names, same: Mapping[tuple[str, ...], tuple[str, ...]]
) -> Iterator[_Seen]:
    least = 2 if report.language is not None and primary(report.language) == _EVERY_NOUN else 1
    for sentence in sentences(report.text[: params.chars]):
        for name, start, opens, aside in _capitalised(sentence, least):
            key = tuple(name.casefold().split(" "))
            yield _Seen(name, same.get(key, key), start, not opens or len(key) > 1, aside, sentence, number)
        for one in names_in(sentence, known):
            yield _Seen(one.name, one.key, one.start, True, one.aside, sentence, number)


def _capitalised(sentence: str, least: int) -> Iterator[tuple[str, int, bool, bool]]:
    """(name, where it stands, whether it opens the sentence, whether it stands as a place) of each of `least` words."""
    tokens = list(_WORD.finditer(sentence))
    capitals = [_is_capital(token[0]) for token in tokens]
    if len(tokens) > 2 and sum(capitals) >= _TITLE_CASE * len(tokens):
        return
    for first, last in _runs(sentence, tokens, capitals):
        while first <= last and tokens[first][0].casefold() in _NOBODY:
            first += 1
        words = [_POSSESSIVE.sub("", token[0]) for token in tokens[first : last + 1]]
        if len(words) >= least and any(len(word) > 1 for word in words):
            start = tokens[first].start()
            before = sentence[:start]
            aside = _PLACE_BEFORE.search(before) is not None or _is_adjective(before, sentence[start:], words)
            yield " ".join(words), start, first == 0, aside


def _is_adjective(before: str, behind: str, words: Sequence[str]) -> bool:
    """Whether a name says where others are from: the Danish teachers."""
    return (
        len(words) == 1
        and _ARTICLE_BEFORE.search(before) is not None
        and words[0].endswith(_FROM_THERE)
        and _NOUN_BEHIND.match(behind, len(words[0])) is not None
    )


def _runs(sentence: str, tokens: Sequence[re.Match[str]], capitals: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """(first, last) token of each run of capitals that stand side by side, small words of names between them."""
    first = 0
    while first < len(tokens):
        if not capitals[first]:
            first += 1
            continue
        last = reach = first
        while (
            reach + 1 < len(tokens)
            and not _POSSESSIVE.search(tokens[reach][0])
            and _BESIDE.fullmatch(sentence, tokens[reach].end(), tokens[reach + 1].start())
            and (capitals[reach + 1] or tokens[reach + 1][0] in _INSIDE)
        ):
            reach += 1
            last = reach if capitals[reach] else last
        yield first, last
        first = last + 1


def _is_capital(word: str) -> bool:
    return word[0].isupper() or (word[0].isdigit() and any(c.isupper() for c in word))


def _whole_names(firm: Collection[tuple[str, ...]], seen: Iterable[_Seen]) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Each name → the longest one that begins or ends with it, which it is short for; else itself."""
    counts = Counter(one.key for one in seen)
    whole = {}
    for name in firm:
        longer = [
            one for one in firm if len(one) > len(name) and name in (one[: len(name)], one[len(one) - len(name) :])
        ]
        whole[name] = max(longer, key=lambda one: (counts[one], one), default=name)
    return {name: whole[whole[name]] for name in firm}
