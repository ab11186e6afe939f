"""The log of memberships and of merged ids as values: how each text stands in each story, now and at any line before.

Items of one text (an original and its copies) stand and move together; such a set, often of one item, is a `Unit`.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from storyheat.core.model import ItemId, Role, StoryId

RANK = {None: 0, Role.COPY: 1, Role.MENTION: 2, Role.REPORT: 3}  # of two roles the stronger holds


@dataclass(frozen=True, slots=True)
class Place:
    """How an item stands in a story. `role` None: not in it; where that is `by_hand`, the machine keeps it out."""

    role: Role | None
    by_hand: bool = False
    because: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the membership log. `correction`: the number of the one that wrote it; None: the machine."""

    item: ItemId
    story: StoryId
    place: Place
    correction: int | None = None


@dataclass(frozen=True, slots=True)
class Lead:
    """One line of the log of ids: where a story's id leads. `into` None: it is a story of its own (again)."""

    story: StoryId
    into: StoryId | None
    correction: int | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """The items of one text. `members` are sorted and hold the original."""

    original: ItemId
    members: tuple[ItemId, ...]


class Ledger:
    """As much of both logs as a correction looks at: every line about each item that it holds."""

    def __init__(
        self,
        rows: Iterable[Row],
        units: Iterable[Unit],
        leads: Sequence[Lead] = (),
        stories: Set[StoryId] = frozenset(),
    ) -> None:
        """`rows` and `leads` in the order of the logs; `units`: of all items at hand; `stories`: ids that exist."""
        self.stories = stories
        self.leads = leads
        self._rows: dict[ItemId, dict[StoryId, list[tuple[int, Row]]]] = defaultdict(lambda: defaultdict(list))
        self._starts: dict[int, int] = {}  # correction → the place of its first line
        for place, row in enumerate(rows):
            self._rows[row.item][row.story].append((place, row))
            if row.correction is not None:
                self._starts.setdefault(row.correction, place)
        self._units = {member: unit for unit in units for member in unit.members}
        self._steps = {lead.story: lead.into for lead in leads}

    def unit(self, item: ItemId) -> Unit | None:
        """The text that an item is one of; None: it is not at hand."""
        return self._units.get(item)

    def units(self) -> list[Unit]:
        """All texts at hand, by their originals."""
        return sorted(set(self._units.values()), key=lambda unit: unit.original)

    def newest(self, item: ItemId, story: StoryId) -> Place | None:
        """What the newest line about a pair says; None: there is none."""
        lines = self._rows.get(item, {}).get(story)
        return lines[-1][1].place if lines else None

    def stand(self, unit: Unit, before: int | None = None) -> dict[StoryId, Place]:
        """How a text stands in the stories it was ever in: as its member of the strongest role does.

        `before`: a correction; then how it stood right before that.
        """
        end = None if before is None else self._starts.get(before)
        found: dict[StoryId, Place] = {}
        for member in (unit.original, *unit.members):
            for story, lines in self._rows.get(member, {}).items():
                past = [row.place for place, row in lines if end is None or place < end]
                if past and (story not in found or RANK[past[-1].role] > RANK[found[story].role]):
                    found[story] = past[-1]
        return {story: _alone(found[story]) for story in sorted(found)}

    def lead(self, story: StoryId, changed: Mapping[StoryId, StoryId | None] | None = None) -> StoryId:
        """The story that an id leads to, however many merges lie between. `changed`: leads to come."""
        steps = {**self._steps, **(changed or {})}
        seen = {story}
        while (onward := steps.get(story)) is not None and onward not in seen:
            story = onward
            seen.add(story)
        return story

    def step(self, story: StoryId) -> StoryId | None:
        """Where an id leads by the newest line about it alone."""
        return self._steps.get(story)

    def aliases(self, story: StoryId) -> list[StoryId]:
        """The ids that lead to a story without another one between, sorted."""
        return sorted(alias for alias, into in self._steps.items() if into == story)

    def written(self, correction: int) -> dict[Unit, set[StoryId]]:
        """The texts that a correction has lines about, by their originals, and the stories these lines name."""
        found: dict[Unit, set[StoryId]] = {}
        for unit in self.units():
            stories = {row.story for row in self._lines(unit) if row.correction == correction}
            if stories:
                found[unit] = stories
        return found

    def leads_of(self, correction: int) -> dict[StoryId, tuple[StoryId | None, Lead | None]]:
        """For each id whose way a correction changed: where it led it, and the line that held before."""
        found: dict[StoryId, tuple[StoryId | None, Lead | None]] = {}
        before: dict[StoryId, Lead] = {}
        for lead in self.leads:
            if lead.correction == correction:
                found[lead.story] = (lead.into, before.get(lead.story))
            before[lead.story] = lead
        return found

    def later(self, correction: int) -> set[int]:
        """The later corrections that an undo would have to take apart.

        They say something about the same texts, about a story it opened or ended, or they end one that it names.
        """
        units, changed = self.written(correction), self.leads_of(correction)
        named = {story for stories in units.values() for story in stories}
        numbers = {
            row.correction
            for unit in self.units()
            for row in self._lines(unit)
            if unit in units or row.story in changed
        } | {lead.correction for lead in self.leads if lead.story in named or lead.story in changed}
        return {number for number in numbers if number is not None and number > correction}

    def _lines(self, unit: Unit) -> Iterator[Row]:
        for member in unit.members:
            for lines in self._rows.get(member, {}).values():
                yield from (row for _, row in lines)


def _alone(place: Place) -> Place:
    """What only copies hold is a report: their original is gone."""
    return Place(Role.REPORT, place.by_hand, place.because) if place.role is Role.COPY else place
