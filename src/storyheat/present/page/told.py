"""Developments and the summary of a story as blocks of its page."""

from collections.abc import Mapping
from datetime import tzinfo

from storyheat.answers.developments import DevelopmentAnswer
from storyheat.answers.story import StoryAnswer
from storyheat.core.model import ItemId
from storyheat.present import developments, words
from storyheat.present.objects import instant
from storyheat.present.page import times
from storyheat.present.page.blocks import (
    Absent,
    Blocks,
    By,
    Cite,
    DevelopmentsView,
    DevelopmentView,
    Made,
    PollView,
    Sentence,
    SummaryView,
)  # fmt: skip
from storyheat.present.page.people import level_badge, named, speaker


def blocks_of(answer: StoryAnswer, places: Mapping[ItemId, int], zone: tzinfo, poll: PollView | None = None) -> Blocks:
    """What the answer tells of a story beyond its items. `places`: the numbers of the items on the timeline."""
    return Blocks(developments=_developments(answer, zone), summary=_summary(answer, places), poll=poll)


def _developments(answer: StoryAnswer, zone: tzinfo) -> DevelopmentsView | Absent:
    found = [_development(number, one, answer, zone) for number, one in enumerate(answer.developments, 1)]
    if not found:
        return Absent("Nothing in the reports of this story was told as new.")
    confirmed = sum(one.confirmed for one in found)
    open_ones = len(found) - confirmed
    return DevelopmentsView(
        counts=f"{confirmed} confirmed" + (f", {open_ones} not yet" if open_ones else ""),
        rule=developments.RULE.removeprefix("Confirmed: "),
        latest_age=words.ago(answer.developments[-1].what.at, answer.at),
        items=tuple(reversed(found)),
    )


def _development(number: int, one: DevelopmentAnswer, answer: StoryAnswer, zone: tzinfo) -> DevelopmentView:
    voices = {item.facts.id: item.place.voice for item in answer.items}
    voice = voices.get(one.what.item)
    by = By(
        iso=instant(one.what.at),
        moment=times.moment(one.what.at, zone, answer.at),
        item=one.what.item,
        speaker=named(one.source.name) if voice is None else speaker(one.source, voice),
        level=level_badge(one.level),
    )
    title = named(words.title(one.shown_by.title), one.shown_by.language)
    return DevelopmentView(number, title, by, one.what.confirmed, developments.because(one))


def _summary(answer: StoryAnswer, places: Mapping[ItemId, int]) -> SummaryView | Absent:
    if not answer.summary:
        return Absent("No sentence of the reports can stand alone, and nothing is made up in its place.")
    items = {one.facts.id: one for one in answer.items}
    sentences, cited = [], set[ItemId]()
    for told in answer.summary:
        known = [item for item in told.items if item in items and item in places]
        cited.update(known)
        language = items[known[0]].facts.language if known else None
        cites = []
        for item in known:
            name = speaker(answer.sources[items[item].facts.source], items[item].place.voice)
            cites.append(Cite(item, places[item], name.text))
        sentences.append(Sentence(named(told.text, language), tuple(cites)))
    number, of = len(cited), words.count(answer.story.figures.reports, "report")
    rest = f"from {number} of {of}: one sentence for each new fact. Each number leads to the item that it rests on."
    return SummaryView(tuple(sentences), Made("Extracted, without a language model,", rest))
