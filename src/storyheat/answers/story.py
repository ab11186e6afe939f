"""One story whole: the values behind `storyheat story` and `storyheat heat`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from storyheat.answers.brief import BriefAnswer, brief
from storyheat.answers.developments import DevelopmentAnswer, developments, level_of
from storyheat.answers.extracted import Extracted, extracted
from storyheat.answers.related import RelatedAnswer, related_stories
from storyheat.answers.summary import Summary, summaries
from storyheat.core.briefs.brief import Part
from storyheat.core.heat.evidence import StoryItem, why_not_counted
from storyheat.core.heat.rule import HeatRule
from storyheat.core.heat.series import PERIODS, Series, series
from storyheat.core.model import ItemId, Level, Role, Source, SourceId, StoryId
from storyheat.core.stories.extract import Cited
from storyheat.core.stories.polls import Poll
from storyheat.core.stories.selection import by_rule, reasons
from storyheat.core.stories.told import Disagreement
from storyheat.errors import NotFound
from storyheat.store.item_queries import ItemFacts
from storyheat.store.queries import Questions


@dataclass(frozen=True, slots=True)
class TimelineItem:
    """One item of the story. `copy_of`: the original, for a copy; `not_counted`: why it gives no heat; `selected`: why
    it is to be read first, None: it is not."""

    facts: ItemFacts
    place: StoryItem
    level: Level
    copy_of: ItemId | None
    not_counted: str | None
    selected: str | None


@dataclass(frozen=True, slots=True)
class StoryAnswer:
    """A story at an instant. `items` newest first; `sources`: those they belong to."""

    at: datetime
    period: str
    story: Summary
    aliases: tuple[StoryId, ...]
    series: Series
    items: tuple[TimelineItem, ...]
    sources: Mapping[SourceId, Source]
    developments: tuple[DevelopmentAnswer, ...]  # oldest first
    extracted: Extracted  # in sentences of the reports
    brief: BriefAnswer | None  # by a language model; None: none holds
    disagreements: tuple[Disagreement, ...]  # between items that are shown
    poll: Poll | None
    related: tuple[RelatedAnswer, ...]  # the closest first

    @property
    def summary(self) -> tuple[Cited, ...]:
        """In the words of the model where it wrote a summary that holds, else extracted."""
        written = () if self.brief is None else self.brief.of(Part.SUMMARY)
        return tuple(Cited(one.text, one.items) for one in written) or self.extracted.summary

    @property
    def summary_by(self) -> BriefAnswer | None:
        """The brief whose summary it is; None: it is extracted."""
        return self.brief if self.brief is not None and self.brief.of(Part.SUMMARY) else None


@dataclass(frozen=True, slots=True)
class HeatAnswer:
    """The hours of a story's heat."""

    at: datetime
    period: str
    story: Summary
    series: Series
    rule: HeatRule


def story(questions: Questions, name: str, period: str, at: datetime, rule: HeatRule) -> StoryAnswer:
    """The story that the id, old id or prefix `name` means. Raises NotFound or Ambiguous."""
    found = summary_named(questions, name, period, at, rule)
    told = developments(questions, found.id, at)
    items, aliases = timeline_items(questions, found, told, at), questions.aliases(found.id)
    reports = {one.facts.id: one.facts for one in items if one.place.role is Role.REPORT}
    voices = [(one.facts.id, one.place.voice) for one in reversed(items) if one.facts.id in reports]
    sources = {source: questions.sources[source] for source in found.sources}
    return StoryAnswer(
        at=at,
        period=period,
        story=found,
        aliases=aliases,
        series=series(found.evidence, questions.watches, at, PERIODS[period], rule),
        items=items,
        sources=sources,
        developments=told,
        extracted=extracted(questions, told, voices, sources.values()),
        brief=brief(questions, (found.id, *aliases), reports, at),
        disagreements=tuple(_disagreements(questions, found, at)),
        poll=questions.poll_of(found.id),
        related=related_stories(questions, found.id, found.evidence, at, rule),
    )


def heat(questions: Questions, name: str, period: str, at: datetime, rule: HeatRule) -> HeatAnswer:
    """The hours of the story that `name` means. Raises NotFound or Ambiguous."""
    found = summary_named(questions, name, period, at, rule)
    hours = series(found.evidence, questions.watches, at, PERIODS[period], rule)
    return HeatAnswer(at, period, found, hours, rule)


def summary_named(questions: Questions, name: str, period: str, at: datetime, rule: HeatRule) -> Summary:
    """The story that `name` means, with its figures. Raises NotFound or Ambiguous."""
    named = questions.story_named(name)
    found = summaries(questions, [named], at, PERIODS[period], rule)
    if not found:
        raise NotFound(f"{named} has no items any more; `storyheat top` lists the hot stories")
    return found[0]


def _disagreements(questions: Questions, found: Summary, at: datetime) -> Iterator[Disagreement]:
    """The figures that contradict each other in what was told by `at`."""
    times = {one.item: one.effective_at for one in found.evidence.items}
    for one in questions.disagreements([found.id]).get(found.id, ()):
        if all(item in times and times[item] <= at for item in (one.first.item, one.second.item)):
            yield one


def timeline_items(
    questions: Questions, found: Summary, told: Sequence[DevelopmentAnswer], at: datetime
) -> tuple[TimelineItem, ...]:
    """The items of a story with all that is shown of them, newest first, ties by id. `told`: its developments."""
    ids = [one.item for one in found.evidence.items]
    facts, copies, bystanders = questions.items(ids), questions.originals(ids), questions.bystanders([found.id])
    levels = {
        one.item: level_of(questions.sources[one.source], one.item, found.id, bystanders)
        for one in found.evidence.items
    }
    reports = [one for one in found.evidence.reports if one.effective_at <= at]
    selected = reasons(by_rule(reports, levels, [one.what for one in told]), questions.marks(ids))
    made = [
        TimelineItem(
            facts=facts[one.item],
            place=one,
            level=levels[one.item],
            copy_of=copies.get(one.item),
            not_counted=why_not_counted(one, at),
            selected=selected.get(one.item),
        )
        for one in found.evidence.items
    ]
    by_id = sorted(made, key=lambda one: one.facts.id)
    return tuple(sorted(by_id, key=lambda one: one.facts.effective_at, reverse=True))
