"""The summary and the brief of a story as lines of text, each sentence with its items, each part with its maker."""

from collections.abc import Iterable, Iterator
from datetime import tzinfo

from rich.text import Text

from storyheat.answers.story import StoryAnswer
from storyheat.cli.screen import Line, wrapped
from storyheat.core.briefs.brief import Part
from storyheat.core.model import ItemId
from storyheat.core.text.markup import one_line
from storyheat.present import briefs, words


def summary_lines(answer: StoryAnswer, zone: tzinfo, width: int | None) -> Iterator[Line]:
    """A sentence or two for each thing that became known, with the items they rest on."""
    if not answer.summary:
        return
    yield Text("In short", style="bold")
    for one in answer.summary:
        yield from _cited(one.text, one.items, width)
    yield from _made(answer, zone, width, extracted=answer.summary_by is None)
    yield ""


def brief_lines(answer: StoryAnswer, zone: tzinfo, width: int | None) -> Iterator[Line]:
    """Players and details, and the other parts of the brief where a model wrote them."""
    brief = answer.brief
    players = [(f"{one.name}: {one.text}", (one.item,)) for one in answer.extracted.players]
    details = [(one.text, one.items) for one in answer.extracted.details]
    for part, found in ((Part.PLAYERS, players), (Part.DETAILS, details)):
        if found and (brief is None or not brief.of(part)):
            yield Text(briefs.HEADINGS[part], style="bold")
            for text, items in found:
                yield from _cited(text, items, width)
            yield from _made(answer, zone, width, extracted=True)
            yield ""
    if brief is None:
        return
    shown = False
    for part, heading in briefs.HEADINGS.items():
        statements = brief.of(part)
        if not statements:
            continue
        shown = True
        yield Text(heading, style="bold")
        if part is Part.TIMELINE:
            for at, one in briefs.course(answer, brief):
                yield from _cited(f"{words.day(at, zone)}: {one_line(one.text)}", one.items, width)
        else:
            for one in statements:
                yield from _cited(f"{one.name}: {one.text}" if one.name else one.text, one.items, width)
    if shown:
        yield from _made(answer, zone, width, extracted=False)
        yield ""


def _cited(text: str, items: Iterable[ItemId], width: int | None) -> Iterator[Line]:
    yield from wrapped(f"{one_line(text)} [{', '.join(items)}]", width, "  ")


def _made(answer: StoryAnswer, zone: tzinfo, width: int | None, *, extracted: bool) -> Iterator[Line]:
    if extracted or answer.brief is None:
        line = "Extracted from the reports, without a language model."
    else:
        line = f"{briefs.written_by(answer.brief)} {briefs.written_when(answer.brief, zone)}"
    yield from (Text(part, style="dim") for part in wrapped(line, width, "  "))
