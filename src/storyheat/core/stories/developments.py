"""When something new became known in a story, who showed it, and whether it is confirmed; see docs/evidence.md."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from storyheat.core.model import ItemId, Level, Voice
from storyheat.core.stories.statements import RAREST, Statements
from storyheat.core.stories.told import Development, first_and_newest


@dataclass(frozen=True, slots=True)
class DevelopmentParams:
    """The numbers of the rule. Found on the seed story and the demo week; docs/evidence.md shows how."""

    new_weight: float = 6.5  # nats of the words that title and text have and no earlier report; two common ones
    word_rarity: float = 2.5  # nats; a word that more than 8 % of ordinary texts have is no news
    name_rarity: float = 5.0  # nats; the same for a name, at 0.7 %
    echo_hours: float = 3.0  # after a development, in which other words tell the same again
    repeated_share: float = 0.5  # of a development's weight that a second voice must repeat to confirm it
    reports: int = 200  # of a larger story: the first half of these many, and the newest half


@dataclass(frozen=True, slots=True)
class Told:
    """One counted report of a story, and what it states."""

    item: ItemId
    at: datetime  # effective time
    voice: Voice
    level: Level  # in this story; see core.stories.levels
    language: str | None
    says: Statements


def developments(
    reports: Sequence[Told], background: Mapping[str, float], params: DevelopmentParams
) -> list[Development]:
    """The developments among a story's counted reports, oldest first. The first report always is one.

    `background` is term → share of ordinary texts (0–1).
    """
    ordered = first_and_newest(sorted(reports, key=lambda told: (told.at, told.item)), params.reports)
    found: list[Development] = []
    known = _Known()
    for told in ordered:
        if not found:
            news = _first(told, background)
        else:
            echo = told.at - found[-1].at < timedelta(hours=params.echo_hours)
            news = _news(told, known, background, params, echo=echo)
        if news:
            found.append(_development(told, news, ordered, background, params))
        known.add(told)
    return found


class _Known:
    """What the reports so far have told: keys of figures, names, and words by language."""

    def __init__(self) -> None:
        self.figures: set[str] = set()
        self.names: set[str] = set()
        self.words: dict[str | None, set[str]] = {}

    def add(self, told: Told) -> None:
        self.figures.update(figure.key for figure in told.says.figures)
        self.names |= told.says.names | told.says.words
        self.words.setdefault(told.language, set()).update(told.says.title | told.says.lead)


@dataclass(frozen=True, slots=True)
class _News:
    """What is new in a title: keys of figures, and terms, with their weights."""

    figures: frozenset[str]
    terms: Mapping[str, float]

    def __bool__(self) -> bool:
        return bool(self.figures or self.terms)


def _first(told: Told, background: Mapping[str, float]) -> _News:
    """With the first report its whole title is new."""
    return _News(told.says.title_figures, _weights(told.says.title, background))


def _news(
    told: Told, known: _Known, background: Mapping[str, float], params: DevelopmentParams, *, echo: bool
) -> _News:
    """What the title of a later report tells that no report before it did.

    A figure is news by itself, and so is a rare name that the text has as well (a play on words it has not); of a
    title that asks, figures only. Two other words are news, if they are rare enough, somebody has told the story
    in this language before, and it is no `echo`, told in other words right after a development.
    """
    says = told.says
    figures = says.title_figures - known.figures
    if says.asks:
        return _News(figures, {})
    weights = _weights(says.title, background)
    new_names = (says.title & says.names & says.text) - known.names
    names = {name: weights[name] for name in sorted(new_names) if weights[name] >= params.name_rarity}
    if figures or names:
        return _News(figures, names)
    own = known.words.get(told.language, set())
    words = {term: weight for term, weight in weights.items() if term not in own and weight >= params.word_rarity}
    enough = sum(words.values()) >= params.new_weight
    return _News(figures, words if own and enough and not echo else {})


def _development(
    told: Told, news: _News, reports: Sequence[Told], background: Mapping[str, float], params: DevelopmentParams
) -> Development:
    """The development that `told` shows, and who else says it."""
    others = [one for one in reports if one.item != told.item and _repeats(one, told, news, background, params)]
    subjects = [one.item for one in [told, *others] if one.level is Level.FIRST_PARTY]
    voices: dict[Voice, ItemId] = {}
    for one in others:
        if one.voice != told.voice:
            voices.setdefault(one.voice, one.item)
    return Development(
        item=told.item,
        at=told.at,
        figures=tuple(figure.said for figure in told.says.figures if figure.key in news.figures),
        terms=tuple(sorted(news.terms, key=lambda term: (-news.terms[term], term))),
        by_subject=subjects[0] if subjects else None,
        said_by=tuple(voices.values()),
    )


def _repeats(other: Told, told: Told, news: _News, background: Mapping[str, float], params: DevelopmentParams) -> bool:
    """True where another report says what is new in a title.

    It has all new figures, or half the weight of the new words and, in the same language, of the whole title:
    a name alone may stand for anything.
    """
    keys = frozenset(figure.key for figure in other.says.figures)
    if news.figures:
        return news.figures <= keys
    has = other.says.words
    new = sum(weight for term, weight in news.terms.items() if term in has)
    if new < params.repeated_share * sum(news.terms.values()):
        return False
    if other.language != told.language:
        return len([term for term in news.terms if term in has and term in told.says.names]) > 1
    weights = _weights(told.says.title, background)
    return sum(weight for term, weight in weights.items() if term in has) >= params.repeated_share * sum(
        weights.values()
    )


def _weights(terms: frozenset[str], background: Mapping[str, float]) -> dict[str, float]:
    """How rare each term is in ordinary texts, in nats, in the order of the terms."""
    return {term: -math.log(max(background.get(term, RAREST), RAREST)) for term in sorted(terms)}
