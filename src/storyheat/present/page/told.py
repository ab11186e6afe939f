"""Developments, summary and brief of a story as blocks of its page."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import tzinfo

from storyheat.answers.brief import BriefAnswer
from storyheat.answers.developments import DevelopmentAnswer
from storyheat.answers.story import StoryAnswer
from storyheat.core.briefs.brief import Part
from storyheat.core.model import ItemId
from storyheat.core.text.markup import one_line
from storyheat.present import briefs, developments, words
from storyheat.present.objects import instant
from storyheat.present.page import times
from storyheat.present.page.blocks import (
    Absent,
    Blocks,
    By,
    Cite,
    CourseView,
    DetailsView,
    DevelopmentsView,
    DevelopmentView,
    Made,
    Player,
    PlayersView,
    Point,
    ProseView,
    RelatedView,
    Sentence,
    SummaryView,
    Versus,
)  # fmt: skip
from storyheat.present.page.hot import story_title
from storyheat.present.page.people import level_badge, named, speaker
from storyheat.present.page.versus import versus_of


def blocks_of(answer: StoryAnswer, places: Mapping[ItemId, int], zone: tzinfo) -> Blocks:
    """What the answer tells of a story beyond its items. `places`: the numbers of the items on the timeline."""
    prose = {part: _prose(answer, part, places, zone) for part in (Part.WHY, Part.TAKEAWAY)}
    dek, summary = _opened(_summary(answer, places, zone), words.title(answer.story.title))
    return Blocks(
        dek=dek,
        developments=_developments(answer, zone),
        summary=summary,
        players=_players(answer, places, zone),
        details=_details(answer, places, zone),
        course=_course(answer, places, zone),
        why=prose[Part.WHY],
        related=_related(answer),
        takeaway=prose[Part.TAKEAWAY],
    )


def _related(answer: StoryAnswer) -> tuple[RelatedView, ...] | None:
    """None where there is no other story: that is no failing, so nothing is said of it."""
    found = [
        RelatedView(
            story=one.id,
            title=story_title(one.title, one.languages),
            why=one_line(one.why),
            heat=words.rounded(one.heat),
        )
        for one in answer.related
    ]
    return tuple(found) or None


def _developments(answer: StoryAnswer, zone: tzinfo) -> DevelopmentsView | Absent:
    versus = versus_of(answer, zone)
    found = [
        _development(number, one, answer, zone, versus.get(one.what.item, ()))
        for number, one in enumerate(answer.developments, 1)
    ]
    if not found:
        return Absent("Nothing in the reports of this story was told as new.")
    confirmed = sum(one.confirmed for one in found)
    open_ones = len(found) - confirmed
    return DevelopmentsView(
        counts=f"{confirmed} confirmed" + (f", {open_ones} not yet" if open_ones else ""),
        rule=developments.RULE.removeprefix("Confirmed: "),
        latest_age=words.ago(answer.developments[-1].what.at, answer.at),
        items=tuple(reversed(found)),
        versus=versus.get(None, ()),
    )


def _development(
    number: int, one: DevelopmentAnswer, answer: StoryAnswer, zone: tzinfo, versus: tuple[Versus, ...]
) -> DevelopmentView:
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
    return DevelopmentView(number, title, by, one.what.confirmed, developments.because(one), versus)


def _summary(answer: StoryAnswer, places: Mapping[ItemId, int], zone: tzinfo) -> SummaryView | Absent:
    if not answer.summary:
        return Absent("No sentence of the reports can stand alone, and nothing is made up in its place.")
    by = answer.summary_by
    if by is not None:
        sentences = [_sentence(answer, one.text, one.items, places, by.language) for one in answer.summary]
        return SummaryView(tuple(sentences), _made(by, zone))
    sentences = [_sentence(answer, one.text, one.items, places) for one in answer.summary]
    number = len({cite.item for one in sentences for cite in one.cites})
    of = words.count(answer.story.figures.reports, "report")
    rest = (
        f"from {number} of {of}: one sentence for each new fact, the first under the title. Each number leads to the "
        "item that it rests on."
    )
    return SummaryView(tuple(sentences), Made(briefs.EXTRACTED, rest))


def _opened(summary: SummaryView | Absent, title: str) -> tuple[Sentence | None, SummaryView | Absent]:
    """The sentence that stands under the title, and the summary without it.

    It opens the summary; where that is all of it, or only says the title again, none stands there.
    """
    if isinstance(summary, Absent) or len(summary.sentences) < 2:
        return None, summary
    first, *rest = summary.sentences
    said = first.text.text.rstrip(".。!！")
    if said in title or title in said:
        return None, summary
    return first, replace(summary, sentences=tuple(rest))


def _sentence(
    answer: StoryAnswer, text: str, cited: Iterable[ItemId], places: Mapping[ItemId, int], language: str | None = None
) -> Sentence:
    """A sentence with the items that it rests on. `language`: of the sentence; None: of the first of these."""
    items = {one.facts.id: one for one in answer.items}
    known = [item for item in cited if item in items and item in places]
    if language is None and known:
        language = items[known[0]].facts.language
    cites = []
    for item in known:
        name = speaker(answer.sources[items[item].facts.source], items[item].place.voice)
        cites.append(Cite(item, places[item], name.text))
    return Sentence(named(text, language), tuple(cites))


# -- the brief of a language model ----------------------------------------------------------------


def _made(brief: BriefAnswer, zone: tzinfo) -> Made:
    return Made(briefs.written_by(brief), briefs.written_when(brief, zone))


def _written(answer: StoryAnswer, part: Part, places: Mapping[ItemId, int]) -> tuple[Sentence, ...]:
    if answer.brief is None:
        return ()
    return tuple(_sentence(answer, one.text, one.items, places, answer.brief.language) for one in answer.brief.of(part))


def _prose(answer: StoryAnswer, part: Part, places: Mapping[ItemId, int], zone: tzinfo) -> ProseView | Absent:
    sentences = _written(answer, part, places)
    if answer.brief is None:
        return Absent("No language model has written it, and nothing is made up in its place.")
    if not sentences:
        return Absent(f"The model {briefs.model_name(answer.brief)} wrote nothing here that the reports bear out.")
    return ProseView(sentences, _made(answer.brief, zone))


def _players(answer: StoryAnswer, places: Mapping[ItemId, int], zone: tzinfo) -> PlayersView | None:
    """As a model wrote them, else extracted."""
    if answer.brief is not None and (told := answer.brief.of(Part.PLAYERS)):
        language = answer.brief.language
        written = [
            Player(named(one.name, language), _sentence(answer, one.text, one.items, places, language)) for one in told
        ]
        return PlayersView(tuple(written), _made(answer.brief, zone))
    found = []
    for one in answer.extracted.players:
        sentence = _sentence(answer, one.text, (one.item,), places)
        found.append(Player(named(one.name, sentence.text.lang), sentence))
    made = Made(briefs.EXTRACTED, "the names that two voices or more print, each in a sentence of one of them.")
    return PlayersView(tuple(found), made) if found else None


def _details(answer: StoryAnswer, places: Mapping[ItemId, int], zone: tzinfo) -> DetailsView | None:
    """As a model wrote them, else extracted."""
    if answer.brief is not None and (sentences := _written(answer, Part.DETAILS, places)):
        return DetailsView(sentences, _made(answer.brief, zone))
    found = [_sentence(answer, one.text, one.items, places) for one in answer.extracted.details]
    return (
        DetailsView(tuple(found), Made(briefs.EXTRACTED, "each for a figure that the summary lacks."))
        if found
        else None
    )


def _course(answer: StoryAnswer, places: Mapping[ItemId, int], zone: tzinfo) -> CourseView | None:
    if answer.brief is None:
        return None
    language = answer.brief.language
    points = [
        Point(instant(at), words.day(at, zone), _sentence(answer, one.text, one.items, places, language))
        for at, one in briefs.course(answer, answer.brief)
    ]
    return CourseView(tuple(points), _made(answer.brief, zone)) if points else None
