"""What is told of a story, as it is kept: what became known, what contradicts, and the names that relate it to others.

How it is found out stands in the modules beside this one, which read texts and take longer to load.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from storyheat.core.model import ItemId

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Development:
    """A point in a story where something new became known."""

    item: ItemId  # the report that shows it
    at: datetime
    figures: tuple[str, ...] = ()  # that were new, as printed, in order
    terms: tuple[str, ...] = ()  # names or words that were new, heaviest first
    by_subject: ItemId | None = None  # the first report in which the subject itself says it
    said_by: tuple[ItemId, ...] = ()  # reports of other voices that say it too, oldest first, one a voice

    @property
    def confirmed(self) -> bool:
        """The subject itself says it, or two independent voices do."""
        return self.by_subject is not None or bool(self.said_by)


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure as an item prints it, with what it counts, and the sentence it stands in."""

    item: ItemId
    figure: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two figures of one thing. `first` was stated earlier. Which of the two is right is not decided here."""

    first: Claim
    second: Claim


@dataclass(frozen=True, slots=True)
class Name:
    """A name of a story: as it is compared, as a report prints it, and whether it stands in a title."""

    term: str
    shown: str
    in_title: bool


def first_and_newest(ordered: Sequence[T], most: int) -> Sequence[T]:
    """All of them, or of more than `most` the first half of these many and the newest half."""
    half = most // 2
    return ordered if len(ordered) <= most else [*ordered[:half], *ordered[-half:]]
