"""Why: the receipt of a heat, and the decisions that put an item where it is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from storyheat.answers.story import summary_named
from storyheat.answers.summary import Summary
from storyheat.core.heat.evidence import gather, why_never_counted
from storyheat.core.heat.rule import HeatRule, Receipt, receipt
from storyheat.core.heat.series import DEFAULT_PERIOD
from storyheat.core.model import ItemId, Source, StoryId
from storyheat.store.item_queries import Alone, ItemFacts, Seat
from storyheat.store.queries import Questions
from storyheat.store.story_log import Line


@dataclass(frozen=True, slots=True)
class ExplainAnswer:
    """The receipt of a story's heat at an instant, and the items it names."""

    story: Summary
    receipt: Receipt
    items: Mapping[ItemId, ItemFacts]
    rule: HeatRule


@dataclass(frozen=True, slots=True)
class ItemAnswer:
    """Where an item stands and why. `seats` is empty and `alone` tells why, where it is in no story."""

    item: ItemFacts
    source: Source
    seats: tuple[Seat, ...]
    alone: Alone | None
    not_counted: Mapping[StoryId, str]  # why it adds no heat to a story, where it never does
    titles: Mapping[StoryId, str]  # of the stories it stands in, and of runners-up
    earlier: tuple[Line, ...]  # where it stood before, newest first


def explain(questions: Questions, name: str, at: datetime, rule: HeatRule) -> ExplainAnswer:
    """The receipt of the story that `name` means, with what was moved out of it. Raises NotFound or Ambiguous."""
    return explain_at(questions, summary_named(questions, name, DEFAULT_PERIOD, at, rule), at, rule)


def explain_at(questions: Questions, found: Summary, at: datetime, rule: HeatRule) -> ExplainAnswer:
    """The receipt of a story that was found already, at any instant."""
    evidence = gather((*found.evidence.items, *questions.moved_out(found.id)))
    items = questions.items(one.item for one in evidence.items)
    return ExplainAnswer(found, receipt(evidence, at, rule), items, rule)


def explain_item(questions: Questions, name: str) -> ItemAnswer:
    """Why the item that `name` means is where it is. Raises NotFound or Ambiguous."""
    item = questions.item_named(name)
    facts = questions.items([item])[item]
    seats, alone = questions.seats(item), questions.alone(item)
    earlier = _overtaken(questions.lines_of_item(item))
    told: list[Seat | Line] = [*seats, *earlier]
    records = [one.because for one in told] + ([] if alone is None else [alone.because])
    named = {one.story for one in told} | {
        StoryId(value) for record in records for value in record.values() if isinstance(value, str)
    }
    titles = {story: head.title for story, head in questions.heads(named).items()}
    not_counted = {
        story: because
        for story, evidence in questions.evidence(seat.story for seat in seats).items()
        for place in evidence.items
        if place.item == item and (because := why_never_counted(place)) is not None
    }
    return ItemAnswer(facts, questions.sources[facts.source], seats, alone, not_counted, titles, earlier)


def _overtaken(lines: Iterable[Line]) -> tuple[Line, ...]:
    """Of lines, newest first, those that put the item somewhere and that a later one about that story overtook."""
    seen, found = set[StoryId](), []
    for line in lines:
        if line.role is not None and line.story in seen:
            found.append(line)
        seen.add(line.story)
    return tuple(found)
