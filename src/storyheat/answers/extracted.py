"""What is told of a story without any model: sentences of its reports."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from storyheat.answers.developments import DevelopmentAnswer
from storyheat.background import known_actors
from storyheat.core.model import ItemId, Level, Source, Voice
from storyheat.core.stories.extract import Cited, ExtractParams, details, extract, most_telling
from storyheat.core.stories.players import Player, PlayersParams, Spoken, players
from storyheat.core.stories.statements import statements
from storyheat.core.stories.told import Development
from storyheat.store.queries import Questions


@dataclass(frozen=True, slots=True)
class Extracted:
    """What is told of a story without any model, in sentences of reports: a summary, the figures that it lacks, and who
    takes part.
    """

    summary: tuple[Cited, ...]
    details: tuple[Cited, ...]
    players: tuple[Player, ...]


def extracted(
    questions: Questions,
    found: Iterable[DevelopmentAnswer],
    reports: Iterable[tuple[ItemId, Voice]],
    tellers: Iterable[Source],
) -> Extracted:
    """The summary, the details and the players of a story. `reports`: oldest first; `tellers`: its sources."""
    told = tuple(most_telling([one.what for one in found], ExtractParams()))
    voices = tuple(islice(reports, PlayersParams().reports))
    press = tuple(one.name for one in tellers if one.level is not Level.FIRST_PARTY)
    key = ("extracted", told, voices, press)
    return questions.made(key, partial(_extracted, questions, told, dict(voices), press))


def _extracted(
    questions: Questions, told: Sequence[Development], voices: Mapping[ItemId, Voice], press: Sequence[str]
) -> Extracted:
    params = ExtractParams()
    words = questions.wordings({*voices, *(one.item for one in told)})
    says = {one.item: statements(words[one.item].title, words[one.item].text) for one in told}
    short = extract(told, says, params)
    spoken = [Spoken(item, voice, words[item].text, words[item].language) for item, voice in voices.items()]
    cast = players(spoken, press, PlayersParams(), known_actors(questions.more_names))
    return Extracted(tuple(short), tuple(details(told, says, short, params)), tuple(cast))
