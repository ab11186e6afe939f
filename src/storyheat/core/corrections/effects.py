"""Which lines a correction adds to the logs of memberships and ids.

By hand wins for good: lines written here are marked, and the machine leaves what they say alone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from storyheat.core.corrections.ledger import RANK, Ledger, Place, Row, Unit
from storyheat.core.corrections.rules import Merge, Move, Order, Pin, Split, Unpin
from storyheat.core.items.identity import founding_item
from storyheat.core.model import ItemId, Role, StoryId


@dataclass(frozen=True, slots=True)
class Effects:
    """What a correction adds to the logs. `founded`: new stories with the items that found them."""

    rows: tuple[Row, ...] = ()
    leads: Mapping[StoryId, StoryId | None] = field(default_factory=dict)
    founded: tuple[tuple[StoryId, ItemId], ...] = ()

    @property
    def stories(self) -> list[StoryId]:
        """The stories whose members it changes."""
        return sorted({row.story for row in self.rows})


def effects(order: Order, number: int, ledger: Ledger) -> Effects:
    """What an order with this number adds. It never fails: what it speaks of and is not there any more is left out."""
    draft = _Draft(ledger, number)
    match order:
        case Merge():
            draft.merge(order)
        case Move():
            draft.move(order)
        case Split():
            draft.split(order)
        case Pin():
            draft.pin(order)
        case Unpin():
            draft.unpin(order)
        case _:
            draft.undo(order.correction)
    return draft.effects()


_OUT = Place(None)


class _Draft:
    """The places and leads that are wanted, beside those that are."""

    def __init__(self, ledger: Ledger, number: int) -> None:
        self.ledger, self.number = ledger, number
        self.stood = {unit: ledger.stand(unit) for unit in ledger.units()}
        self.wanted: dict[Unit, dict[StoryId, Place]] = {unit: {} for unit in self.stood}
        self.leads: dict[StoryId, StoryId | None] = {}
        self.founded: dict[StoryId, ItemId] = {}

    # -- the orders ---------------------------------------------------------------------------------------

    def merge(self, order: Merge) -> None:
        into = self.story(order.into)
        if into is None:
            return
        if order.story in self.ledger.stories:
            self.end(order.story, into)
        elif (unit := self.ledger.unit(founding_item(order.story))) is not None:
            # The item founds no story now; it belongs to the other one all the same, and the id leads there.
            self.founded[order.story] = founding_item(order.story)
            self.leads[order.story] = into
            self.report([unit], into)

    def move(self, order: Move) -> None:
        unit, story = self.ledger.unit(order.item), self.story(order.story)
        if unit is None or story is None:
            return
        if order.role is Role.REPORT:
            self.report([unit], story)
        else:
            self.wanted[unit][story] = Place(order.role, True, {"moved_from" if order.role else "moved_to": None})

    def split(self, order: Split) -> None:
        units = dict.fromkeys(unit for item in order.items if (unit := self.ledger.unit(item)) is not None)
        if not units:
            return
        self.open(order.into, order.items[0])
        origin = None if order.story is None else self.story(order.story)
        touching = [unit for unit in units if self.place(unit, origin).role is Role.MENTION]
        for unit in touching:
            assert origin is not None
            self.wanted[unit][origin] = Place(None, True, {"moved_to": order.into})
            self.wanted[unit][order.into] = Place(Role.MENTION, True, {"moved_from": origin})
        self.report([unit for unit in units if unit not in touching], order.into)

    def pin(self, order: Pin) -> None:
        unit, story = self.ledger.unit(order.item), self.story(order.story)
        if unit is None or story is None:
            return
        if self.place(unit, story).role is not order.role:
            self.move(Move(order.item, order.story, order.role))
        because = {**self.place(unit, story).because, "pinned": self.number}
        self.wanted[unit][story] = Place(order.role, True, because)

    def unpin(self, order: Unpin) -> None:
        unit = self.ledger.unit(order.item)
        if unit is None:
            return
        for story, place in self.stood[unit].items():
            if place.by_hand and place.role is not None:
                because = {name: value for name, value in place.because.items() if name != "pinned"}
                self.wanted[unit][story] = Place(place.role, False, because)

    def undo(self, correction: int) -> None:
        changed = self.ledger.leads_of(correction)
        for story, (into, before) in changed.items():
            if into is not None:
                self.leads[story] = None if before is None else before.into
        origins: dict[StoryId, StoryId] = {}  # where the reports of a story that it founded came from
        for unit, stories in self.ledger.written(correction).items():
            stood = self.ledger.stand(unit, before=correction)
            for story in sorted(stories, key=lambda story: (stood.get(story, _OUT).role is not None, story)):
                place = stood.get(story, _OUT)
                here = story if place.role is None else self.heir(story)
                if here == story or RANK[place.role] > RANK[self.place(unit, here).role]:
                    self.wanted[unit][here] = replace(place, because={**place.because, "put_back": correction})
            report = self.report_of(unit, self.wanted[unit])
            for story, place in self.stood[unit].items():
                if report is not None and place.role is Role.REPORT and story != report:
                    origins.setdefault(story, report)
                    self.wanted[unit].setdefault(story, Place(None, False, {"put_back": correction}))
        for story, (into, before) in sorted(changed.items()):
            if into is None:  # it founded or opened that story
                origin = before.into if before is not None and before.into is not None else origins.get(story)
                if origin is not None:
                    self.end(story, self.heir(origin))

    # -- what orders consist of ---------------------------------------------------------------------------

    def story(self, name: StoryId) -> StoryId | None:
        """The story that a name means now; None: there is none."""
        if name in self.ledger.stories:
            return self.heir(name)
        unit = self.ledger.unit(founding_item(name))
        return None if unit is None else self.report_of(unit, self.stood[unit])

    def heir(self, story: StoryId) -> StoryId:
        return self.ledger.lead(story, self.leads)

    def place(self, unit: Unit, story: StoryId | None) -> Place:
        """How a text will stand in a story."""
        if story is None:
            return _OUT
        return self.wanted[unit].get(story) or self.stood[unit].get(story, _OUT)

    def report_of(self, unit: Unit, places: Mapping[StoryId, Place]) -> StoryId | None:
        """The story that a text is a report of by these places."""
        return next((story for story, place in sorted(places.items()) if place.role is Role.REPORT), None)

    def report(self, units: Iterable[Unit], into: StoryId) -> None:
        """Texts are reports of this story by hand, and of no other; a story left without reports leads on to it."""
        emptied: set[StoryId] = set()
        for unit in units:
            left = [story for story, place in self.stood[unit].items() if place.role is Role.REPORT and story != into]
            for story in left:
                self.wanted[unit][story] = Place(None, True, {"moved_to": into})
            self.wanted[unit][into] = Place(Role.REPORT, True, {"moved_from": left[0] if left else None})
            emptied.update(left)
        for story in sorted(emptied):
            if not any(self.place(unit, story).role is Role.REPORT for unit in self.stood):
                self.end(story, into)

    def end(self, story: StoryId, into: StoryId) -> None:
        """All that stands in a story goes into another, and its id leads there."""
        story = self.heir(story)
        if story == into:
            return
        for unit in self.stood:
            place, there = self.place(unit, story), self.place(unit, into)
            if place.role is not None:
                self.wanted[unit][story] = Place(None, False, {"merged_into": into})
                if RANK[place.role] > RANK[there.role]:
                    self.wanted[unit][into] = Place(place.role, place.by_hand, {"merged_from": story})
        self.leads[story] = into

    def open(self, story: StoryId, founder: ItemId) -> None:
        """A story of this id is there: a new one, or an old id that led elsewhere, without the ids that led to it."""
        if story not in self.ledger.stories:
            self.founded[story] = founder
            self.leads[story] = None
        elif (heir := self.ledger.lead(story)) != story:
            self.leads[story] = None
            for alias in self.ledger.aliases(story):
                self.leads[alias] = heir

    def effects(self) -> Effects:
        """The lines that make the wanted out of what is."""
        rows: list[Row] = []
        for unit, places in self.wanted.items():
            for member in unit.members:
                for story, place in sorted(places.items()):
                    if place.role is not None and member != unit.original:
                        place = Place(Role.COPY, place.by_hand, {"copy_of": unit.original})
                    old = self.ledger.newest(member, story) or _OUT
                    if (place.role, place.by_hand) != (old.role, old.by_hand):
                        rows.append(Row(member, story, place, self.number))
        news = {
            story: into
            for story, into in sorted(self.leads.items())
            if story in self.founded or self.ledger.step(story) != into
        }
        return Effects(tuple(rows), news, tuple(sorted(self.founded.items())))
