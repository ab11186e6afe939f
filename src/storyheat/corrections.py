"""What a person asks for, as an order that can be kept: names are resolved, and what cannot be is said in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from storyheat.core.corrections.ledger import Ledger, Place, Unit
from storyheat.core.corrections.rules import (
    Correction,
    Merge,
    Move,
    Order,
    Pin,
    Split,
    Undo,
    Unpin,
    new_story_id,
    undone,
)
from storyheat.core.model import ItemId, Role, StoryId
from storyheat.errors import NotFound, UsageError
from storyheat.store import corrections as storing
from storyheat.store.database import Transaction
from storyheat.store.item_queries import is_placed
from storyheat.store.placing import derived_up_to
from storyheat.store.story_log import corrections
from storyheat.store.story_queries import item_named, older_of, story_exists, story_named

ROLE_WORDS = {Role.REPORT: "a report of", Role.MENTION: "a mention in", Role.COPY: "a copy in", None: "not in"}


@dataclass(frozen=True, slots=True)
class Desk:
    """Where orders are taken: an open transaction, and the run after which they come."""

    connection: Transaction
    after: datetime

    def merge(self, first: str, second: str) -> Merge:
        """Both stories are one: the older keeps its id. Raises NotFound, Ambiguous, UsageError."""
        one, other = story_named(self.connection, first), story_named(self.connection, second)
        if one == other:
            raise UsageError(f"{first} and {second} are one story already: {one}")
        into = older_of(self.connection, (one, other))
        return Merge(other if into == one else one, into)

    def move(self, name: str, story: str, role: Role | None) -> Move:
        """What an item is in a story. Raises NotFound, Ambiguous, UsageError."""
        item, target = self._item(name), story_named(self.connection, story)
        order = Move(item, target, role)
        place = self._places(order, item).get(target, Place(None))
        if place.role is role:
            hint = "" if role is None or place.by_hand else f"; `storyheat pin {item}` keeps it there"
            raise UsageError(f"{item} is {ROLE_WORDS[role]} {target} already{hint}")
        return order

    def alone(self, name: str) -> Split:
        """An item is a story of its own. Raises NotFound, Ambiguous, UsageError."""
        item = self._item(name)
        places = self._places(Unpin(item), item)
        story = next((story for story, place in places.items() if place.role is Role.REPORT), None)
        return self._split(story, [item])

    def split(self, story: str, names: Sequence[str]) -> Split:
        """Items of a story are one of their own. Raises NotFound, Ambiguous, UsageError."""
        return self._split(story_named(self.connection, story), [self._item(name) for name in names])

    def _split(self, story: StoryId | None, items: Sequence[ItemId]) -> Split:
        ledger = storing.ledger_for(self.connection, Split(story, tuple(items), StoryId("")), self.after)
        units = list(dict.fromkeys(_unit(ledger, item) for item in items))
        reports, mentions = list[ItemId](), list[ItemId]()
        for unit in units:
            role = Role.REPORT if story is None else ledger.stand(unit).get(story, Place(None)).role
            if role is None:
                raise UsageError(f"{unit.original} is not in {story}: `storyheat story {story} --json` lists its items")
            (reports if role is Role.REPORT else mentions).append(unit.original)
        if not reports:
            raise UsageError(
                "a story needs a report, and these are mentions; `storyheat move ITEM --alone` makes it one"
            )
        if story is not None and not any(
            place.role is Role.REPORT
            for unit in ledger.units()
            if unit not in units and (place := ledger.stand(unit).get(story)) is not None
        ):
            raise UsageError(f"{story} has no other report: nothing would be left of it")
        times = storing.times_as_of(self.connection, (*reports, *mentions), self.after)
        ordered = [one for part in (reports, mentions) for one in sorted(part, key=lambda one: (times[one], one))]

        def free(name: StoryId) -> bool:
            if story_exists(self.connection, name):
                return name != story and ledger.lead(name) == story
            return True

        return Split(story, tuple(ordered), new_story_id(ordered[: len(reports)], free))

    def pin(self, name: str, story: str | None) -> Pin:
        """An item is where it belongs: in this story, or in its own. Raises NotFound, Ambiguous, UsageError."""
        item = self._item(name)
        seats = {at: place for at, place in self._places(Unpin(item), item).items() if place.role is not None}
        if story is not None:
            target = story_named(self.connection, story)
        else:
            reported = [at for at, place in seats.items() if place.role is Role.REPORT] or list(seats)
            if len(reported) > 1:
                raise UsageError(f"{item} is a mention in {', '.join(reported)}: name the story to pin it in")
            if not reported:
                raise UsageError(f"{item} is in no story: `storyheat move {item} STORY` puts it into one")
            target = reported[0]
        place = seats.get(target, Place(None))
        if place.role is None:
            raise UsageError(f"{item} is not in {target}: `storyheat move {item} {target}` puts it there, for good")
        if place.by_hand:
            raise UsageError(f"{item} is held in {target} by hand already")
        return Pin(item, target, place.role)

    def unpin(self, name: str) -> Unpin:
        """What was decided by hand about an item is the machine's again. Raises NotFound, Ambiguous, UsageError."""
        item = self._item(name)
        order = Unpin(item)
        if not any(place.by_hand and place.role is not None for place in self._places(order, item).values()):
            raise UsageError(f"{item} is not held by hand anywhere")
        return order

    def undo(self, which: str | None) -> Undo:
        """Takes a correction back: the last one, the `3`rd last, or `c12`. Raises NotFound, UsageError."""
        made = {one.number: one for one in corrections(self.connection)}
        ended = undone(made.values())
        wanted = made[_number(which or "1", made, ended)]
        if wanted.number in ended:
            raise UsageError(f"c{wanted.number} is undone already, by c{ended[wanted.number]}")
        order = Undo(_newest_form(wanted.number, made, ended))
        later = storing.ledger_for(self.connection, order, self.after).later(order.correction)
        roots = {_root(number, made) for number in later} - {_root(order.correction, made)} - ended.keys()
        if roots:
            newest = max(roots)
            raise UsageError(
                f"c{newest} ({made[newest].kind}) came later and concerns the same: `storyheat undo c{newest}` first"
            )
        return order

    def _item(self, name: str) -> ItemId:
        """The item of that name; for a copy its original, with which it moves."""
        item = item_named(self.connection, name)
        if not is_placed(self.connection, item):
            raise UsageError(f"{item} is not placed yet: the next `storyheat ingest` does that, then try again")
        return _unit(storing.ledger_for(self.connection, Unpin(item), self.after), item).original

    def _places(self, order: Order, item: ItemId) -> dict[StoryId, Place]:
        ledger = storing.ledger_for(self.connection, order, self.after)
        return ledger.stand(_unit(ledger, item))


def desk(connection: Transaction) -> Desk:
    """The desk of an open transaction. Raises NotFound where nothing is placed yet."""
    placed = derived_up_to(connection, "cluster")
    if placed is None:
        raise NotFound("there are no stories yet: run `storyheat ingest` first")
    return Desk(connection, placed[0])


def _unit(ledger: Ledger, item: ItemId) -> Unit:
    unit = ledger.unit(item)
    assert unit is not None, "the item was found by its name"
    return unit


def _number(which: str, made: dict[int, Correction], ended: dict[int, int]) -> int:
    """The correction that `3` (the third last that holds) or `c12` means."""
    digits = which.removeprefix("c")
    if not (digits.isascii() and digits.isdigit()):
        raise UsageError(f'"{which}" is no correction: `3` is the third last, `c12` that of number 12')
    number = int(digits)
    if which.startswith("c"):
        if number not in made:
            raise NotFound(f"there is no correction {which}; `storyheat history STORY` shows those of a story")
        return number
    holding = [one.number for one in made.values() if one.number not in ended and not isinstance(one.order, Undo)]
    if not 1 <= number <= len(holding):
        count = len(holding)
        raise NotFound(f"there is no correction to undo so far back: {count} {'holds' if count == 1 else 'hold'} now")
    return sorted(holding)[-number]


def _newest_form(number: int, made: dict[int, Correction], ended: dict[int, int]) -> int:
    """The correction itself, or what brought it back last after it had been undone."""
    undos = [one.number for one in made.values() if isinstance(one.order, Undo) and one.order.correction == number]
    return _newest_form(ended[max(undos)], made, ended) if undos else number


def _root(number: int, made: dict[int, Correction]) -> int:
    """The correction that a chain of undoing is about."""
    order = made[number].order
    return _root(order.correction, made) if isinstance(order, Undo) else number
