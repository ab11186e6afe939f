"""Corrections by hand: what a person may decide, and which of it holds.

A correction says what it wants in ids that last, so that it can be replayed on conclusions that came out otherwise:
an unknown story is the one in which the item that would have founded it stands now.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from storyheat.core.items.identity import story_id
from storyheat.core.model import ItemId, Role, StoryId


@dataclass(frozen=True, slots=True)
class Merge:
    """Both stories are one; the id of `story` leads to `into` from now on."""

    story: StoryId
    into: StoryId


@dataclass(frozen=True, slots=True)
class Move:
    """What an item is in a story; None: it is not in it. As a report it leaves the story it was a report of."""

    item: ItemId
    story: StoryId
    role: Role | None


@dataclass(frozen=True, slots=True)
class Split:
    """These items of `story` are a story of their own; the first founds it. `story` None: they were in none."""

    story: StoryId | None
    items: tuple[ItemId, ...]
    into: StoryId


@dataclass(frozen=True, slots=True)
class Pin:
    """An item is where it belongs."""

    item: ItemId
    story: StoryId
    role: Role


@dataclass(frozen=True, slots=True)
class Unpin:
    """What was decided by hand about an item's places is the machine's again."""

    item: ItemId


@dataclass(frozen=True, slots=True)
class Undo:
    """All is as if an earlier correction, by its number, had not been made."""

    correction: int


Order = Merge | Move | Split | Pin | Unpin | Undo
KINDS: Mapping[str, type[Order]] = {
    "merge": Merge, "move": Move, "split": Split, "pin": Pin, "unpin": Unpin, "undo": Undo,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction. `after`: the run by which the last items were placed when it was made.

    `number`: under which it is kept, from 1 on; 0: not yet.
    """

    number: int
    at: datetime
    after: datetime
    who: str
    order: Order
    why: str | None = None

    @property
    def kind(self) -> str:
        """What kind of correction it is, in a word."""
        return kind_of(self.order)


def kind_of(order: Order) -> str:
    """`merge`, `move`, `split`, `pin`, `unpin` or `undo`."""
    return next(kind for kind, of in KINDS.items() if isinstance(order, of))


def arguments_of(order: Order) -> dict[str, Any]:
    """The order as a record, without its kind."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(order).items()}


def order_from(kind: str, arguments: Mapping[str, Any]) -> Order:
    """The inverse of `kind_of` and `arguments_of`."""
    values = dict(arguments)
    if values.get("role") is not None:
        values["role"] = Role(values["role"])
    if "items" in values:
        values["items"] = tuple(values["items"])
    made: Callable[..., Order] = KINDS[kind]
    return made(**values)


def undone(corrections: Iterable[Correction]) -> dict[int, int]:
    """The corrections that do not hold, each with the undo that holds instead; an undo may be undone too."""
    ended: dict[int, int] = {}
    for one in sorted(corrections, key=lambda one: one.number, reverse=True):
        if isinstance(one.order, Undo) and one.number not in ended:
            ended[one.order.correction] = one.number
    return ended


def new_story_id(items: Iterable[ItemId], free: Callable[[StoryId], bool]) -> StoryId:
    """The id of a story split off: from the first of its items whose id is `free`, else from the first and a number."""
    ordered = list(items)
    for item in ordered:
        if free(story_id(item)):
            return story_id(item)
    part = 2
    while not free(story_id(ordered[0], part)):
        part += 1
    return story_id(ordered[0], part)
