"""What became of a correction, and the history of a story: the values behind the commands that correct."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from storyheat.answers.summary import Summary, summaries
from storyheat.core.corrections.rules import Correction, Merge, Move, Pin, Split, Undo, Unpin, undone
from storyheat.core.heat.rule import HeatRule
from storyheat.core.heat.series import DEFAULT_PERIOD, PERIODS
from storyheat.core.model import ItemId, StoryId
from storyheat.store.queries import Questions
from storyheat.store.story_log import Line


@dataclass(frozen=True, slots=True)
class Names:
    """What is needed to tell corrections in words: all of them by number, and the titles of what they name."""

    corrections: Mapping[int, Correction]
    stories: Mapping[StoryId, str]
    items: Mapping[ItemId, str]


@dataclass(frozen=True, slots=True)
class Corrected:
    """What became of a correction. `stories`: those it changed that have items, as they are now."""

    correction: Correction
    lines: Sequence[Line]
    leads: Mapping[StoryId, StoryId | None]
    stories: Sequence[Summary]
    names: Names


@dataclass(frozen=True, slots=True)
class Event:
    """One decision about a story: by the machine about one item, or a correction with all its lines about it."""

    at: datetime
    who: str
    lines: Sequence[Line]
    correction: Correction | None
    undone_by: int | None  # the undo that holds


@dataclass(frozen=True, slots=True)
class HistoryAnswer:
    """The newest events of a story, newest first. `more`: there are older ones."""

    story: StoryId
    title: str
    aliases: tuple[StoryId, ...]
    events: Sequence[Event]
    more: bool
    names: Names


def corrected(questions: Questions, correction: Correction, at: datetime, rule: HeatRule) -> Corrected:
    """What became of a correction that was applied."""
    lines = questions.lines_of_correction(correction.number)
    changed = sorted({line.story for line in lines})
    names = _names(questions, [correction], lines)
    stories = summaries(questions, changed, at, PERIODS[DEFAULT_PERIOD], rule)
    return Corrected(correction, lines, questions.led_by(correction.number), stories, names)


def history(questions: Questions, name: str, number: int) -> HistoryAnswer:
    """What was decided about the story that `name` means, and about those that were merged into it.

    `number`: how many events at most. Raises NotFound or Ambiguous.
    """
    story = questions.story_named(name)
    aliases = questions.aliases(story)
    ours = (story, *aliases)
    made = {one.number: one for one in questions.corrections()}
    ended = undone(made.values())
    found = [(line.number, Event(line.decided_at, line.decided_by, (line,), None, None))
             for line in questions.machine_lines(ours, number + 1)]  # fmt: skip
    touching = sorted(questions.corrections_of(ours).items(), reverse=True)[: number + 1]
    for one, first in touching:
        lines = [line for line in questions.lines_of_correction(one) if line.story in ours]
        found.append((first, Event(made[one].at, made[one].who, lines, made[one], ended.get(one))))
    found.sort(key=lambda pair: pair[0], reverse=True)
    events = [event for _, event in found[:number]]
    corrections = [event.correction for event in events if event.correction is not None]
    names = _names(questions, corrections, (line for event in events for line in event.lines))
    return HistoryAnswer(story, names.stories.get(story, ""), aliases, events, len(found) > number, names)


def _names(questions: Questions, corrections: Iterable[Correction], lines: Iterable[Line]) -> Names:
    made = {one.number: one for one in questions.corrections()}
    told = list(corrections)
    for one in told:
        if isinstance(one.order, Undo):
            told.append(made[one.order.correction])
    stories, items = set[StoryId](), set[ItemId]()
    for line in lines:
        stories.add(line.story)
        items.add(line.item)
    for one in told:
        of_stories, of_items = _named(one)
        stories.update(of_stories)
        items.update(of_items)
    titles = {story: head.title for story, head in questions.heads(stories).items()}
    return Names({one.number: one for one in told}, titles, questions.items_titled(items))


def _named(correction: Correction) -> tuple[Iterator[StoryId], Iterator[ItemId]]:
    """The stories and items that a correction names."""
    match correction.order:
        case Merge(story, into):
            return iter((story, into)), iter(())
        case Move(item, story) | Pin(item, story):
            return iter((story,)), iter((item,))
        case Split(origin, items, into):
            return iter((into,) if origin is None else (origin, into)), iter(items)
        case Unpin(item):
            return iter(()), iter((item,))
        case Undo():
            return iter(()), iter(())
