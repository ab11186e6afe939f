"""A story in sentences of its own reports: one for each thing that became known, and those with further figures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from storyheat.core.model import ItemId
from storyheat.core.stories.standalone import SentenceParams, stands_alone
from storyheat.core.stories.statements import Statements
from storyheat.core.stories.told import Development


@dataclass(frozen=True, slots=True)
class ExtractParams:
    """How long a summary is; own choice, for reading in half a minute."""

    sentences: int = 6
    details: int = 6
    sentence: SentenceParams = field(default_factory=SentenceParams)


@dataclass(frozen=True, slots=True)
class Cited:
    """One sentence as a report prints it, and the items that it rests on: the report itself first."""

    text: str
    items: tuple[ItemId, ...]


def extract(found: Sequence[Development], says: Mapping[ItemId, Statements], params: ExtractParams) -> list[Cited]:
    """The summary: for each development the sentence that tells most of what was new, oldest first.

    Of more developments than sentences see `most_telling`. `says`: what their items state.
    """
    chosen: list[Cited] = []
    for development in most_telling(found, params):
        sentence = _sentence(says[development.item], development, params)
        if sentence is not None and all(sentence != other.text for other in chosen):
            chosen.append(Cited(sentence, (development.item, *development.said_by)))
    return chosen


def details(
    found: Sequence[Development], says: Mapping[ItemId, Statements], told: Sequence[Cited], params: ExtractParams
) -> list[Cited]:
    """Sentences of the same reports with figures that no sentence `told` so far has, oldest first."""
    texts = {one.text for one in told}
    known = {key for one in says.values() for piece in one.sentences if piece.text in texts for key in piece.figures}
    chosen: list[Cited] = []
    for development in most_telling(found, params):
        for piece in says[development.item].sentences:
            if piece.figures - known and stands_alone(piece.text, params.sentence) and len(chosen) < params.details:
                chosen.append(Cited(piece.text, (development.item,)))
                known |= piece.figures
    return chosen


def most_telling(found: Sequence[Development], params: ExtractParams) -> list[Development]:
    """The developments that a summary tells: the first, then those that are confirmed, then the newest."""
    ranked = sorted(found, key=lambda one: (one is not found[0], not one.confirmed, -one.at.timestamp(), one.item))
    return sorted(ranked[: params.sentences], key=lambda one: (one.at, one.item))


def _sentence(says: Statements, development: Development, params: ExtractParams) -> str | None:
    """The sentence of a text that tells most of what was new; of equal ones the first. None: none can stand alone."""
    figures = {figure.key for figure in says.figures if figure.said in development.figures}
    terms = set(development.terms)
    alone = [sentence for sentence in says.sentences if stands_alone(sentence.text, params.sentence)]
    best = max(alone, key=lambda one: 2 * len(one.figures & figures) + len(one.terms & terms), default=None)
    return None if best is None else best.text
