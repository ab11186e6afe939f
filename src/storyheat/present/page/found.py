"""What was found for some words, as a page shows it: stories first, then single items."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo

from storyheat.answers.search import FoundStory, SearchAnswer
from storyheat.core.model import Source, SourceId
from storyheat.present import words
from storyheat.present.objects import instant
from storyheat.present.page import numbers, times
from storyheat.present.page.hot import story_title
from storyheat.present.page.people import Name, named, source_name, web_link
from storyheat.present.page.timeline import excerpt
from storyheat.store.item_queries import ItemFacts


@dataclass(frozen=True, slots=True)
class FoundStoryView:
    """A story that was found."""

    id: str
    title: Name
    heat: str
    told: str
    last_iso: str
    last: str


@dataclass(frozen=True, slots=True)
class FoundItemView:
    """An item that was found. `story`: the first of those it stands in."""

    title: Name
    href: str | None
    source: Name
    iso: str
    moment: str
    summary: Name | None
    story: str | None


@dataclass(frozen=True, slots=True)
class FoundView:
    """All that was found."""

    stories: tuple[FoundStoryView, ...]
    items: tuple[FoundItemView, ...]


def found_view(answer: SearchAnswer, sources: Mapping[SourceId, Source], zone: tzinfo) -> FoundView:
    """The stories and items of an answer; `sources`: all of them."""
    return FoundView(
        tuple(_story(one, answer, zone) for one in answer.stories),
        tuple(_item(one, answer, sources, zone) for one in answer.items),
    )


def _story(one: FoundStory, answer: SearchAnswer, zone: tzinfo) -> FoundStoryView:
    figures = one.story.figures
    return FoundStoryView(
        id=one.story.id,
        title=story_title(one.story.title, one.story.languages),
        heat=numbers.grouped(figures.trend.current),
        told=f"{words.count(figures.voices, 'voice')}, {words.count(one.hits, 'item')} with these words",
        last_iso=instant(figures.last_at),
        last=times.moment(figures.last_at, zone, answer.at),
    )


def _item(facts: ItemFacts, answer: SearchAnswer, sources: Mapping[SourceId, Source], zone: tzinfo) -> FoundItemView:
    summary = excerpt(facts.summary)
    stories = answer.stories_of.get(facts.id, ())
    return FoundItemView(
        title=named(words.title(facts.title), facts.language),
        href=web_link(facts.url),
        source=source_name(sources[facts.source]),
        iso=instant(facts.effective_at),
        moment=times.moment(facts.effective_at, zone, answer.at),
        summary=named(summary, facts.language) if summary else None,
        story=stories[0] if stories else None,
    )
