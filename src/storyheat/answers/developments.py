"""What became known in stories, at an instant."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from storyheat.core.model import ItemId, Level, Source, StoryId
from storyheat.core.stories.told import Development
from storyheat.store.item_queries import ItemFacts
from storyheat.store.queries import Questions


@dataclass(frozen=True, slots=True)
class DevelopmentAnswer:
    """One development with the report that shows it and those that confirm it."""

    what: Development
    shown_by: ItemFacts
    source: Source
    level: Level  # in this story
    subject: Source | None  # what the subject itself says it through
    said_by: tuple[Source, ...]  # of other voices, oldest first


def developments(questions: Questions, story: StoryId, at: datetime) -> tuple[DevelopmentAnswer, ...]:
    """The developments of a story up to `at`, oldest first; whether confirmed, too, is told as of then."""
    return developments_of(questions, [story], at).get(story, ())


def developments_of(
    questions: Questions, stories: Iterable[StoryId], at: datetime
) -> Mapping[StoryId, tuple[DevelopmentAnswer, ...]]:
    """The developments of each story up to `at`, oldest first; a story without any is left out."""
    told = [(story, one) for story, found in questions.developments(stories).items() for one in found if one.at <= at]
    answers: dict[StoryId, list[DevelopmentAnswer]] = {}
    for (story, _), answer in zip(told, _answers(questions, told, at), strict=True):
        answers.setdefault(story, []).append(answer)
    return {story: tuple(found) for story, found in answers.items()}


def latest_developments(
    questions: Questions, stories: Iterable[StoryId], at: datetime
) -> Mapping[StoryId, DevelopmentAnswer]:
    """The newest development of each story up to `at`; a story without any is left out."""
    newest = {
        story: known[-1]
        for story, found in questions.developments(stories).items()
        if (known := [one for one in found if one.at <= at])
    }
    return dict(zip(newest, _answers(questions, list(newest.items()), at), strict=True))


def _answers(
    questions: Questions, found: Sequence[tuple[StoryId, Development]], at: datetime
) -> Iterator[DevelopmentAnswer]:
    """The answers in the order of `found`; what is effective after `at` confirms nothing yet."""
    bystanders = questions.bystanders({story for story, _ in found})
    wanted = {item for _, one in found for item in (one.item, *one.said_by, one.by_subject) if item is not None}
    told = {item: one for item, one in questions.items(wanted).items() if one.effective_at <= at}
    for story, one in found:
        now = replace(
            one,
            said_by=tuple(item for item in one.said_by if item in told),
            by_subject=one.by_subject if one.by_subject in told else None,
        )
        source = questions.sources[told[one.item].source]
        yield DevelopmentAnswer(
            what=now,
            shown_by=told[one.item],
            source=source,
            level=level_of(source, one.item, story, bystanders),
            subject=None if now.by_subject is None else questions.sources[told[now.by_subject].source],
            said_by=tuple(questions.sources[told[item].source] for item in now.said_by),
        )


def level_of(source: Source, item: ItemId, story: StoryId, bystanders: Set[tuple[StoryId, ItemId]]) -> Level:
    """The level of an item in a story; see `core.stories.levels`."""
    return Level.DISCUSSION if (story, item) in bystanders else source.level
