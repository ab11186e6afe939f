"""Corrections and the history of a story, in words and as JSON objects."""

from collections.abc import Iterable
from typing import Any

from storyheat.answers.corrections import Corrected, Event, HistoryAnswer, Names
from storyheat.core.corrections.rules import Correction, Merge, Move, Pin, Split, Unpin, arguments_of
from storyheat.core.model import ItemId, Role, StoryId
from storyheat.present import words
from storyheat.present.objects import Json, instant, story_fields
from storyheat.store.story_log import Line

_AS = {Role.REPORT: "a report in", Role.MENTION: "a mention in", Role.COPY: "a copy in"}


def in_words(correction: Correction, names: Names) -> str:
    """`s… “…” was merged into s… “…”`, and so on."""

    def story(one: StoryId) -> str:
        return f"{one} {words.quoted(names.stories.get(one, ''))}"

    def item(one: ItemId) -> str:
        return f"{one} {words.quoted(names.items.get(one, ''))}"

    order = correction.order
    match order:
        case Merge(one, into):
            said = f"{story(one)} was merged into {story(into)}"
        case Move(one, target, None):
            said = f"{item(one)} was taken out of {story(target)}"
        case Move(one, target, role):
            assert role is not None
            said = f"{item(one)} was made {_AS[role]} {story(target)}"
        case Split(origin, items, into):
            what = item(items[0]) if len(items) == 1 else f"{len(items)} items"
            verb = "was" if len(items) == 1 else "were"
            said = f"{what} {verb} made the story {into}" + ("" if origin is None else f", split off {story(origin)}")
        case Pin(one, target):
            said = f"{item(one)} was pinned in {story(target)}"
        case Unpin(one):
            said = f"{item(one)} was left to the machine again"
        case _:
            said = f"c{order.correction} was undone: {in_words(names.corrections[order.correction], names)}"
    return said


def event_in_words(event: Event, answer: HistoryAnswer) -> str:
    """What happened, without when and by whom."""
    if event.correction is not None:
        return f"c{event.correction.number}: {in_words(event.correction, answer.names)}"
    [line] = event.lines
    title = words.quoted(answer.names.items.get(line.item, ""))
    became = "left" if line.role is None else f"became {_AS[line.role]}"
    return f"{line.item} {title} {became} {line.story}"


def corrected(answer: Corrected) -> Json:
    """storyheat.correction/1"""
    return {
        "schema": "storyheat.correction/1",
        **_correction(answer.correction, answer.names),
        "changes": _changes(answer.lines),
        "leads": dict(answer.leads),
        "stories": [story_fields(one) for one in answer.stories],
    }


def history(answer: HistoryAnswer) -> Json:
    """storyheat.history/1"""
    return {
        "schema": "storyheat.history/1",
        "story": answer.story,
        "title": answer.title,
        "aliases": list(answer.aliases),
        "events": [
            {
                "at": instant(event.at),
                "who": event.who,
                "words": event_in_words(event, answer),
                "correction": None if event.correction is None else _correction(event.correction, answer.names),
                "undone_by": event.undone_by,
                "changes": _changes(event.lines),
            }
            for event in answer.events
        ],
        "more": answer.more,
    }


def _correction(correction: Correction, names: Names) -> dict[str, Any]:
    return {
        "id": correction.number,
        "kind": correction.kind,
        "at": instant(correction.at),
        "who": correction.who,
        "why": correction.why,
        "arguments": arguments_of(correction.order),
        "words": in_words(correction, names),
    }


def _changes(lines: Iterable[Line]) -> list[Json]:
    return [
        {"item": line.item, "story": line.story, "role": None if line.role is None else line.role.value}
        for line in lines
    ]
