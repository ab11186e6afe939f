"""The receipt of a heat and the reasons behind an item's place, as lines of text."""

from collections.abc import Iterator, Mapping
from datetime import tzinfo
from typing import Any

from rich.text import Text

from storyheat.answers.explain import ExplainAnswer, ItemAnswer
from storyheat.cli.screen import Line, cut, wrapped
from storyheat.core.heat.rule import Remark, half_up
from storyheat.core.model import Role, StoryId
from storyheat.core.text.markup import one_line
from storyheat.present import reasons, words

_ROLES = {
    Role.REPORT: "a report in",
    Role.MENTION: "a mention in",
    Role.COPY: "a copy in",
}


def receipt_lines(answer: ExplainAnswer, zone: tzinfo, width: int | None, *, quiet: bool) -> Iterator[Line]:
    """Every voice with its points, their sum, and below it what gives none."""
    receipt, rule = answer.receipt, answer.rule
    yield Text(cut(f"{answer.story.id}  {words.title(answer.story.title)}", width), style="bold")
    yield f"Heat {words.rounded(receipt.heat, 2)} at {words.stamp(receipt.at, zone)}"
    if not quiet:
        window = "for ever" if rule.window_hours is None else f"for {rule.window_hours:g} hours"
        halves = f"half as many every {rule.half_life_hours:g} hours, {window}"
        yield from wrapped(f"Each voice gives 10 × weight points when it speaks, {halves}.", width, "")
    yield ""
    if receipt.terms:
        yield Text(f"{'points':>8}  {'age':>8}  {'weight':>6}  voice, report", style="dim")
    points = words.shares([term.points for term in receipt.terms], 2)
    for term, shown in zip(receipt.terms, points, strict=True):
        age = f"{words.rounded(term.age_hours, 2)} h"
        yield f"{shown:>8}  {age:>8}  {term.weight:>6g}  {one_line(term.voice)}"
        label = f"{words.stamp(term.effective_at, zone)}  {term.item}  "
        title = cut(words.title(answer.items[term.item].title), None if width is None else width - 10 - len(label))
        yield f"{'':>10}{label}{title}"
    yield f"{words.rounded(receipt.heat, 2):>8}  in all" if receipt.terms else "No voice speaks at that time."
    yield from _remarks("Counted, but gives nothing now", receipt.spent, answer, width)
    yield from _remarks("Not counted", receipt.not_counted, answer, width)


def _remarks(head: str, remarks: tuple[Remark, ...], answer: ExplainAnswer, width: int | None) -> Iterator[Line]:
    if not remarks:
        return
    yield ""
    yield Text(head, style="bold")
    for remark in remarks:
        facts = answer.items[remark.item]
        yield f"  {remark.item}  {remark.because}"
        room = None if width is None else width - 17 - len(facts.source)
        yield Text(f"                {facts.source} {cut(words.title(facts.title), room)}", style="dim")


def item_lines(answer: ItemAnswer, zone: tzinfo, width: int | None, *, verbose: bool) -> Iterator[Line]:
    """What the item is, and each decision that holds about it."""
    item = answer.item
    yield from (Text(line, style="bold") for line in wrapped(words.title(item.title), width, ""))
    yield f"{item.id}  {one_line(answer.source.name)} ({answer.source.id})"
    yield from wrapped(
        f"Its time is {words.stamp(item.effective_at, zone)}: {item.effective_because}. "
        f"First seen {words.stamp(item.first_seen_at, zone)}.",
        width,
        "",
    )
    for seat in answer.seats:
        yield ""
        title = words.title(answer.titles.get(seat.story, ""))
        yield from wrapped(f"It is {_ROLES[seat.role]} {seat.story}: {title}", width, "")
        if seat.story in answer.not_counted:
            yield from wrapped(f"It adds no heat there: {answer.not_counted[seat.story]}.", width, "  ")
        yield from _because(seat.because, answer.titles, width, verbose=verbose)
        yield f"  Decided {words.stamp(seat.decided_at, zone)} by {one_line(seat.decided_by)}."
    if not answer.seats:
        yield ""
        yield from _nowhere(answer, zone, width, verbose=verbose)
    for line in answer.earlier:
        assert line.role is not None
        yield ""
        title = words.title(answer.titles.get(line.story, ""))
        yield from wrapped(f"Before, it was {_ROLES[line.role]} {line.story}: {title}", width, "")
        yield from _because(line.because, answer.titles, width, verbose=verbose)
        yield f"  Decided {words.stamp(line.decided_at, zone)} by {one_line(line.decided_by)}."


def _nowhere(answer: ItemAnswer, zone: tzinfo, width: int | None, *, verbose: bool) -> Iterator[Line]:
    """Why an item is in no story."""
    if answer.alone is None:
        yield "It is not placed yet: the next run does that."
        return
    yield "It is in no story."
    yield from _because(answer.alone.because, answer.titles, width, verbose=verbose)
    yield f"  Decided {words.stamp(answer.alone.decided_at, zone)} by {one_line(answer.alone.decided_by)}."


def _because(
    record: Mapping[str, Any], titles: Mapping[StoryId, str], width: int | None, *, verbose: bool
) -> Iterator[Line]:
    """One stored decision in sentences, then what was measured for it."""
    for sentence in reasons.sentences(record, titles):
        yield from wrapped(sentence, width, "  ")
    told = [one for one in reasons.measured(record) if verbose or half_up(one.adds, 2)]
    if told:
        yield Text(f"  {'adds':>8}  {'value':>7}  what was measured", style="dim")
    for one in told:
        yield f"  {words.signed(one.adds, 2):>8}  {words.rounded(one.value, 3):>7}  {one.meaning}"
