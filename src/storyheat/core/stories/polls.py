"""A reader poll: one question of a story with a few answers, and how often each was given."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from storyheat.core.model import StoryId
from storyheat.core.text.markup import one_line

QUESTION_LETTERS = 300  # own choice; one sentence
ANSWER_LETTERS = 120  # own choice; a line of the narrow page holds some 40
FEWEST_ANSWERS, MOST_ANSWERS = 2, 10


@dataclass(frozen=True, slots=True)
class Poll:
    """A poll that holds. `story`: the one it belongs to now; `counts`: of each answer, in their order."""

    number: int
    story: StoryId
    question: str
    answers: tuple[str, ...]
    asked_at: datetime
    closed_at: datetime | None  # None: it takes answers
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """How many browsers answered."""
        return sum(self.counts)

    def percent(self, answer: int) -> float | None:
        """The share of an answer, by its place; None before anybody answered."""
        return 100 * self.counts[answer] / self.total if self.total else None


def question_from(text: str) -> str:
    """A question as it is kept: one clean line. Raises ValueError with what is wrong with it."""
    line = one_line(text)
    if not line or len(line) > QUESTION_LETTERS:
        raise ValueError(f"the question must have 1 to {QUESTION_LETTERS} letters, not {len(line)}")
    return line


def answers_from(given: Sequence[str]) -> tuple[str, ...]:
    """Answers as they are kept: of one text those between its commas, of several texts each as it stands.

    Raises ValueError with what is wrong with them.
    """
    texts = given[0].replace("，", ",").split(",") if len(given) == 1 else given
    answers = tuple(one_line(text) for text in texts)
    if not FEWEST_ANSWERS <= len(answers) <= MOST_ANSWERS:
        raise ValueError(f"a poll has {FEWEST_ANSWERS} to {MOST_ANSWERS} answers, not {len(answers)}")
    for answer in answers:
        if not answer or len(answer) > ANSWER_LETTERS:
            raise ValueError(f"an answer must have 1 to {ANSWER_LETTERS} letters, not {len(answer)}")
    if len({answer.casefold() for answer in answers}) < len(answers):
        raise ValueError("two answers are the same")
    return answers
