"""The page of one story: head, figures, hours, receipt, timeline, sources, and the blocks made of its reports."""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from storyheat.answers.explain import ExplainAnswer
from storyheat.answers.story import StoryAnswer
from storyheat.core.heat.rule import HeatRule
from storyheat.core.model import ChangeStanding, Source, Standing
from storyheat.present import words
from storyheat.present.notes import source_note, sources_by_items
from storyheat.present.objects import instant
from storyheat.present.page import languages, numbers, times
from storyheat.present.page.blocks import Blocks
from storyheat.present.page.chart import Mark
from storyheat.present.page.hot import ChangeView, change_view, story_title, topic_name
from storyheat.present.page.hours import HoursView, hours_view
from storyheat.present.page.people import Badge, Name, level_badge, source_name, speaker, web_link
from storyheat.present.page.receipt import ReceiptView, receipt_view
from storyheat.present.page.timeline import TimelineView, TimelineWish, timeline
from storyheat.present.page.timeline import numbers as item_numbers
from storyheat.present.page.told import blocks_of


@dataclass(frozen=True, slots=True)
class FiguresView:
    """The three figures of heat, each with the line under it."""

    current: str
    current_under: str
    peak: str
    peak_iso: str
    peak_when: str
    peak_under: str
    peak_voices: str | None  # where there were several
    peak_by: Name | None  # who came last before it
    change: ChangeView


@dataclass(frozen=True, slots=True)
class SourceOfStory:
    """A source that a story rests on."""

    name: Name
    level: Badge
    is_digest: bool
    href: str | None
    items: str


@dataclass(frozen=True, slots=True)
class StoryView:
    """The page of a story. `topics`: as asked for, and named."""

    id: str
    title: Name
    topics: tuple[tuple[str, str], ...]
    updated_iso: str
    updated: str
    began_iso: str
    began: str
    counts: tuple[str, ...]
    languages: tuple[Name, ...]
    merged_ids: tuple[str, ...]
    figures: FiguresView
    hours: HoursView
    receipt: ReceiptView
    timeline: TimelineView
    note: tuple[str, ...]
    sources: tuple[SourceOfStory, ...]
    blocks: Blocks


def story_view(
    answer: StoryAnswer,
    explained: ExplainAnswer,
    wish: TimelineWish,
    zone: tzinfo,
    *,
    hour_asked: bool,
) -> StoryView:
    """The page of an answer. `explained`: the hour whose receipt is shown; `hour_asked`: by whoever reads."""
    story, figures, places = answer.story, answer.story.figures, item_numbers(answer.items)
    blocks = blocks_of(answer, places, zone)
    marks = [
        Mark(one.number, told.what.at, one.confirmed)
        for one, told in zip(reversed(blocks.pinned), answer.developments, strict=True)
    ]
    return StoryView(
        id=story.id,
        title=story_title(story.title, story.languages),
        topics=tuple((topic, topic_name(topic)) for topic in story.topics),
        updated_iso=instant(figures.last_at),
        updated=times.whole(figures.last_at, zone),
        began_iso=instant(figures.first_at),
        began=times.moment(figures.first_at, zone, answer.at),
        counts=(
            f"{words.count(figures.voices, 'voice')}, {words.count(figures.reports, 'report')}",
            f"{words.count(figures.mentions, 'mention')}, {words.count(figures.copies, 'copy', 'copies')}",
        ),
        languages=tuple(
            Name(languages.name(tag), None if tag == languages.PAGE else tag)
            for tag in languages.primaries(story.languages)
        ),
        merged_ids=answer.aliases,
        figures=_figures(answer, explained.rule, zone),
        hours=hours_view(answer, marks, places, zone),
        receipt=receipt_view(explained, answer, places, zone, is_open=hour_asked),
        timeline=timeline(answer, wish, zone),
        note=tuple(source_note(answer, lambda item: f"no. {places[item]}")),
        sources=tuple(_source(source, items) for source, items in sources_by_items(answer)),
        blocks=blocks,
    )


def _figures(answer: StoryAnswer, rule: HeatRule, zone: tzinfo) -> FiguresView:
    trend, now = answer.story.figures.trend, answer.series.now
    window = "speaking" if rule.window_hours is None else f"in the last {rule.window_hours:g} hours"
    unknown = "; not watched now" if now.standing is Standing.UNKNOWN else ""
    return FiguresView(
        current=numbers.grouped(trend.current),
        current_under=f"{words.count(now.voices, 'voice')} {window}{unknown}",
        peak=numbers.grouped(trend.peak.value),
        peak_iso=instant(trend.peak.at),
        peak_when=times.moment(trend.peak.at, zone, answer.at),
        peak_under=f"{words.zone_name(zone, trend.peak.at)}, {words.STANDINGS_IN_BRIEF[trend.peak.standing]}",
        peak_voices=f"{words.count(len(trend.peak.terms), 'voice')}, newest" if len(trend.peak.terms) > 1 else None,
        peak_by=_peak_by(answer),
        change=_change(answer),
    )


def _peak_by(answer: StoryAnswer) -> Name | None:
    """Whose report came last before the peak."""
    terms = answer.story.figures.trend.peak.terms
    if not terms:
        return None
    newest = max(terms, key=lambda term: (term.effective_at, term.points, term.voice))
    return speaker(answer.sources[newest.source], newest.voice)


def _change(answer: StoryAnswer) -> ChangeView:
    """As in the list, with room for the points."""
    change = answer.story.figures.trend.change
    view = change_view(change)
    if change.points is None:
        return view
    if change.standing is ChangeStanding.ZERO:
        return ChangeView(numbers.signed(change.points), None, f"points; {change.reason}, so no per cent")
    return ChangeView(view.text, view.sign, f"{numbers.signed(change.points)} points")


def _source(source: Source, items: int) -> SourceOfStory:
    return SourceOfStory(
        name=source_name(source),
        level=level_badge(source.level),
        is_digest=source.digest,
        href=web_link(source.site),
        items=words.count(items, "item"),
    )


def merged_in_words(old: str, at: datetime | None, now: datetime, zone: tzinfo) -> str:
    """That an old id led here, and since when."""
    when = "" if at is None else f" on {times.moment(at, zone, now)} {words.zone_name(zone, at)}"
    return f"{old} was merged into this story{when}. The old address keeps working."
