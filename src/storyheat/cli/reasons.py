"""The receipt of a heat and the reasons behind an item's place, as lines of text."""

from collections.abc import Iterator, Mapping
from datetime import tzinfo
from typing import Any

from rich.text import Text

from storyheat import present
from storyheat.answers.explain import ExplainAnswer, ItemAnswer
from storyheat.cli.screen import Line, cut, wrapped
from storyheat.core.heat import Remark
from storyheat.core.markup import one_line
from storyheat.core.model import Role, StoryId

_ROLES = {
    Role.REPORT: "a report in",
    Role.MENTION: "a mention in",
    Role.COPY: "a copy in",
}


def receipt_lines(answer: ExplainAnswer, zone: tzinfo, width: int | None, *, quiet: bool) -> Iterator[Line]:
    """Every voice with its points, their sum, and below it what gives none."""
    receipt, rule = answer.receipt, answer.rule
    yield Text(cut(f"{answer.story.id}  {present.title(answer.story.title)}", width), style="bold")
    yield f"Heat {present.rounded(receipt.heat, 2)} at {present.stamp(receipt.at, zone)}"
    if not quiet:
        window = "for ever" if rule.window_hours is None else f"for {rule.window_hours:g} hours"
        halves = f"half as many every {rule.half_life_hours:g} hours, {window}"
        yield from wrapped(f"Each voice gives 10 × weight points when it speaks, {halves}.", width, "")
    yield ""
    if receipt.terms:
        yield Text(f"{'points':>8}  {'age':>8}  {'weight':>6}  voice, report", style="dim")
    for term in receipt.terms:
        age = f"{present.rounded(term.age_hours, 2)} h"
        yield f"{present.rounded(term.points, 2):>8}  {age:>8}  {term.weight:>6g}  {one_line(term.voice)}"
        label = f"{present.stamp(term.effective_at, zone)}  {term.item}  "
        title = cut(present.title(answer.items[term.item].title), None if width is None else width - 28 - len(label))
        yield f"{'':>28}{label}{title}"
    yield f"{present.rounded(receipt.heat, 2):>8}  in all" if receipt.terms else "No voice speaks at that time."
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
        yield Text(f"                {facts.source} {cut(present.title(facts.title), room)}", style="dim")


def item_lines(answer: ItemAnswer, zone: tzinfo, width: int | None) -> Iterator[Line]:
    """What the item is, and each decision that holds about it."""
    item = answer.item
    yield from (Text(line, style="bold") for line in wrapped(present.title(item.title), width, ""))
    yield f"{item.id}  {one_line(answer.source.name)} ({answer.source.id})"
    yield from wrapped(
        f"Counts from {present.stamp(item.effective_at, zone)}: {item.effective_because}. "
        f"First seen {present.stamp(item.first_seen_at, zone)}.",
        width,
        "",
    )
    for seat in answer.seats:
        yield ""
        title = present.title(answer.titles.get(seat.story, ""))
        yield from wrapped(f"It is {_ROLES[seat.role]} {seat.story}: {title}", width, "")
        yield from _because(seat.because, answer.titles, width)
        yield f"  Decided {present.stamp(seat.decided_at, zone)} by {one_line(seat.decided_by)}."
    if answer.seats:
        return
    yield ""
    if answer.alone is None:
        yield "It is not placed yet: the next run does that."
        return
    yield "It is in no story."
    yield from _because(answer.alone.because, answer.titles, width)
    yield f"  Decided {present.stamp(answer.alone.decided_at, zone)}."


# What the features of clustering measure, in words; those without a line here are shown by name.
_FEATURES = {
    "cosine": "words in common with the story, by weight",
    "mass": "rare words in common, in absolute terms",
    "lm": "the title fits what the story's items say",
    "margin": "nearer than to any other story",
    "multi": "a sentence that another story explains better",
    "fragment": "share of the match that lies in one sentence",
    "gap": "silence of the story before it, ln(1 + days)",
    "same_source": "its source told the story already",
    "root": "likeness with the story's first report",
    "nearest": "likeness with the nearest of its last reports",
    "core": "the story's main words that it has",
    "cover": "its title's words that the story has",
    "anchors": "names in common",
    "exclusive": "names in common that few stories have",
    "conflict": "names on both sides that do not meet",
    "first": "a main word in the title or first sentence",
    "periodic": "a recurring piece, which the story is not",
    "title_only": "it has a title only",
    "short": "its text is short",
}
_SCORES = ("nearest", "z", "threshold", "runner_up", "runner_up_z")
_COPIES = ("copy_of", "similarity", "original_by", "copies")


def _because(record: Mapping[str, Any], titles: Mapping[StoryId, str], width: int | None) -> Iterator[Line]:
    """One stored decision in sentences, then its features by size."""
    for sentence in (*_copy_sentences(record), *_score_sentences(record, titles)):
        yield from wrapped(sentence, width, "  ")
    rest = {key: value for key, value in record.items() if key not in (*_COPIES, *_SCORES)}
    rest |= {"nearest": record["nearest"]} if isinstance(record.get("nearest"), int | float) else {}
    numbers = {key: float(value) for key, value in rest.items() if isinstance(value, int | float)}
    for key in sorted(numbers, key=lambda key: (-abs(numbers[key]), key)):
        yield f"  {present.rounded(numbers[key], 3):>8}  {_FEATURES.get(key, key)}"
    for key in sorted(rest.keys() - numbers.keys()):
        value = rest[key]
        if isinstance(value, Mapping):
            yield from _because(value, titles, width)
        else:
            yield from wrapped(f"{key}: {one_line(str(value))}", width, "  ")


def _copy_sentences(record: Mapping[str, Any]) -> Iterator[str]:
    if "copy_of" in record:
        alike = ""
        if "similarity" in record:
            alike = f" ({present.rounded(100 * record['similarity'])}% of the word runs are the same)"
        yield f"Its text is that of {record['copy_of']}{alike}."
    if "original_by" in record:
        yield f"It is the original of {present.count(record['copies'], 'copy', 'copies')}: {record['original_by']}."


def _score_sentences(record: Mapping[str, Any], titles: Mapping[StoryId, str]) -> Iterator[str]:
    if "threshold" in record:
        limit = present.signed(record["threshold"], 2)
        if isinstance(record.get("nearest"), str):
            score = present.signed(record["z"], 2)
            joins = record["z"] >= record["threshold"]
            end = "so it joined" if joins else "so it founded a story of its own"
            nearest = _named(record["nearest"], titles)
            yield f"The nearest story was {nearest}: score {score}; from {limit} on an item joins, {end}."
        elif "z" not in record:
            yield "No open story shared enough with it, so it founded a story of its own."
    elif "z" in record:
        yield f"Score {present.signed(record['z'], 2)}."
    if "runner_up" in record:
        score = present.signed(record["runner_up_z"], 2)
        yield f"The runner-up was {_named(record['runner_up'], titles)}: score {score}."


def _named(story: str, titles: Mapping[StoryId, str]) -> str:
    title = titles.get(StoryId(story))
    return story if title is None else f"{story} “{cut(present.title(title), 40)}”"
