"""The sources and their health as a page shows them."""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from storyheat.answers.sources import FeedAnswer, SourceAnswer, SourcesAnswer
from storyheat.core.addresses.urls import without_credentials
from storyheat.core.model import Url
from storyheat.core.text.markup import one_line
from storyheat.present import words
from storyheat.present.health import in_a_word, in_all, is_well
from storyheat.present.page import languages, times
from storyheat.present.page.hot import topic_name
from storyheat.present.page.people import Badge, Name, level_badge, source_name, web_link


@dataclass(frozen=True, slots=True)
class FindingView:
    """One thing that is wrong, and what to do."""

    seen: str
    todo: str


@dataclass(frozen=True, slots=True)
class FeedView:
    """One feed. `state`: when it answered and how often it is asked."""

    address: str
    href: str | None
    state: str
    findings: tuple[FindingView, ...]


@dataclass(frozen=True, slots=True)
class SourceView:
    """One source."""

    id: str
    name: Name
    href: str | None
    level: Badge
    kind: str  # digest, community, aggregator; empty: none of these
    language: Name | None
    topics: tuple[str, ...]
    health: str
    is_well: bool
    items: str
    newest: str
    next_poll: str
    feeds: tuple[FeedView, ...]


@dataclass(frozen=True, slots=True)
class SourcesView:
    """All sources: those that need a look first, then by name."""

    sources: tuple[SourceView, ...]
    in_all: str


def sources_view(answer: SourcesAnswer, zone: tzinfo) -> SourcesView:
    """The sources of an answer."""
    views = sorted(
        (_source(one, zone, answer.at) for one in answer.sources),
        key=lambda one: (one.is_well, one.name.text.casefold(), one.id),
    )
    return SourcesView(tuple(views), in_all(answer))


def _source(one: SourceAnswer, zone: tzinfo, at: datetime) -> SourceView:
    source = one.source
    polls = [feed.feed.next_poll_at for feed in one.feeds if feed.feed.enabled and feed.feed.next_poll_at]
    kinds = {"digest": source.digest, "community": source.community, "aggregator": source.aggregator}
    language = None
    if source.language is not None:
        marked = source.language if languages.primaries([source.language]) != [languages.PAGE] else None
        language = Name(languages.name(source.language), marked)
    return SourceView(
        id=source.id,
        name=source_name(source),
        href=web_link(source.site),
        level=level_badge(source.level),
        kind=", ".join(kind for kind, holds in kinds.items() if holds),
        language=language,
        topics=tuple(topic_name(topic) for topic in source.topics),
        health=in_a_word(one),
        is_well=is_well(one),
        items=words.count(one.items, "item"),
        newest="nothing yet" if one.newest_at is None else f"newest {words.ago(one.newest_at, at)}",
        next_poll=f"next poll {times.clock(min(polls), zone, at)}" if polls else "",
        feeds=tuple(_feed(feed, zone, at) for feed in one.feeds),
    )


def _feed(one: FeedAnswer, zone: tzinfo, at: datetime) -> FeedView:
    feed = one.feed
    if feed.last_success_at is None:
        state = "no success so far"
    else:
        state = f"last success {words.ago(feed.last_success_at, at)}, polled every {words.span(feed.interval)}"
    return FeedView(
        address=one_line(without_credentials(Url(feed.url))),
        href=web_link(feed.url),
        state=state,
        findings=tuple(FindingView(_sentence(found.seen), _sentence(found.todo)) for found in one.findings),
    )


def _sentence(text: str) -> str:
    """A part of a sentence as one of its own."""
    line = one_line(text)
    return f"{line[:1].upper()}{line[1:].rstrip('.')}."
