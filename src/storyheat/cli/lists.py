"""What was found as lines of text, for a terminal of some width or a pipe."""

from collections.abc import Iterator
from datetime import tzinfo

from rich.text import Text

from storyheat.answers.search import SearchAnswer
from storyheat.cli.screen import Line, cut, padded
from storyheat.present import words


def search_lines(answer: SearchAnswer, zone: tzinfo, width: int | None, *, quiet: bool) -> Iterator[Line]:
    """Stories with heat and voices, then items with time and source; a sentence where nothing was found."""
    if not answer.items:
        if not quiet:
            yield f"Nothing has all of these words: {words.quoted(answer.words)}."
        return
    if answer.stories:
        yield Text("Stories", style="bold")
    for one in answer.stories:
        figures = one.story.figures
        heat, voices = words.rounded(figures.trend.current), words.count(figures.voices, "voice")
        yield from _row(f"{heat:>5}  {padded(voices, 10)}", words.title(one.story.title), one.story.id, width)
    yield Text("Items", style="bold")
    for item in answer.items:
        when = words.clock(item.effective_at, zone, answer.at)
        yield from _row(f"  {padded(when, 14)}{padded(item.source, 16)}", words.title(item.title), item.id, width)


def _row(before: str, title: str, name: str, width: int | None) -> Iterator[Line]:
    """One line: figures, title, id; on a terminal the title is cut to fit."""
    if width is None:
        yield f"{before} {title}  {name}"
        return
    room = max(10, width - len(before) - len(name) - 3)
    yield Text(f"{before} {padded(cut(title, room), room)}  ").append(name, style="dim")
