"""Both logs in memory: what a database does with corrections, as small as can be, for laws over many histories."""

from dataclasses import dataclass, field

from tests.make import utc

from storyheat.core.corrections.effects import Effects, effects
from storyheat.core.corrections.ledger import Lead, Ledger, Place, Row, Unit
from storyheat.core.corrections.rules import Correction, Order, Split, new_story_id
from storyheat.core.items.identity import story_id
from storyheat.core.model import ItemId, Role, StoryId

NOON = utc("2026-11-10 12:00")


@dataclass
class Log:
    """Stories of items; `copies`: original → its copies."""

    copies: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    leads: list[Lead] = field(default_factory=list)
    stories: set[StoryId] = field(default_factory=set)
    made: list[Correction] = field(default_factory=list)

    @property
    def ledger(self) -> Ledger:
        items = {row.item for row in self.rows}
        units = {original: tuple(sorted((original, *others))) for original, others in self.copies.items()}
        mine = {member for members in units.values() for member in members}
        units |= {item: (item,) for item in items if item not in mine}
        found = [Unit(ItemId(one), tuple(map(ItemId, members))) for one, members in units.items()]
        return Ledger(self.rows, found, self.leads, self.stories)

    def place(self, item: str, story: str, role: Role = Role.REPORT) -> None:
        """What the machine decides: an item comes; with the id of its own story it founds that."""
        self.stories.add(StoryId(story))
        self.rows.append(Row(ItemId(item), StoryId(story), Place(role, False, {"z": 1.0})))

    def correct(self, order: Order) -> Effects:
        """Applies an order under the next number."""
        number = len(self.made) + 1
        done = effects(order, number, self.ledger)
        self.made.append(Correction(number, NOON, NOON, "ada", order))
        self.rows += done.rows
        self.leads += [Lead(story, into, number) for story, into in done.leads.items()]
        self.stories |= {story for story, _ in done.founded}
        return done

    def replay(self, orders: list[Correction]) -> None:
        """Applies corrections again."""
        for one in orders:
            self.correct(one.order)

    # -- what holds now -----------------------------------------------------------------------------------

    def roles(self) -> dict[str, dict[str, str]]:
        """story → item → role."""
        found: dict[str, dict[str, str]] = {}
        for (item, story), place in sorted({(row.item, row.story): row.place for row in self.rows}.items(), key=str):
            if place.role is not None:
                found.setdefault(story, {})[item] = place.role.value
        return found

    def ids(self) -> dict[str, str]:
        """Every id with the story it leads to."""
        return {story: self.ledger.lead(story) for story in sorted(self.stories)}

    def reports(self, story: str) -> list[str]:
        """The originals that are reports of a story."""
        return sorted(item for item, role in self.roles().get(story, {}).items() if role == "report")

    # -- what a person may order, from small numbers ------------------------------------------------------

    def split_off(self, story: str, items: list[str]) -> Split:
        """The order to split items off, with the id they get."""
        ledger = self.ledger

        def free(one: StoryId) -> bool:
            return one not in self.stories or (one != story and ledger.lead(one) == story)

        wanted = tuple(ItemId(item) for item in items)
        return Split(StoryId(story), wanted, new_story_id(wanted, free))


def own(item: str) -> StoryId:
    """The story that an item founds."""
    return story_id(ItemId(item))
