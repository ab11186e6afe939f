"""What is told of a story without any model: sentences of its reports."""

from collections.abc import Iterable
from dataclasses import dataclass

from storyheat.answers.developments import DevelopmentAnswer
from storyheat.core.stories.extract import Cited, ExtractParams, details, extract, most_telling
from storyheat.core.stories.statements import statements
from storyheat.store.queries import Questions


@dataclass(frozen=True, slots=True)
class Extracted:
    """What is told of a story without any model: a summary, and the figures that it lacks, in sentences of reports."""

    summary: tuple[Cited, ...]
    details: tuple[Cited, ...]


def extracted(questions: Questions, found: Iterable[DevelopmentAnswer], params: ExtractParams) -> Extracted:
    """The summary and the details of a story, made without any model."""
    told = most_telling([one.what for one in found], params)
    words = questions.wordings(one.item for one in told)
    says = {item: statements(wording.title, wording.text) for item, wording in words.items()}
    short = extract(told, says, params)
    return Extracted(tuple(short), tuple(details(told, says, short, params)))
