"""The topics of stories, and all topics that there are."""

from collections.abc import Iterable, Mapping
from functools import partial

from storyheat.core.heat.evidence import Evidence, StoryItem
from storyheat.core.model import ItemId, StoryId
from storyheat.core.stories.told import first_and_newest
from storyheat.core.stories.topics import DEFAULT, merged, topics_of_story
from storyheat.store.item_queries import ItemFacts
from storyheat.store.queries import Questions


def topics(questions: Questions, stories: Mapping[StoryId, Evidence]) -> Mapping[StoryId, tuple[str, ...]]:
    """The topics of each story: what a quarter of its counted reports have; without any, of all its items."""
    read = {story: _worth_reading(evidence) for story, evidence in stories.items()}
    by_words = _by_words(questions, {one.item for items in read.values() for one in items})
    names = {topic.casefold(): topic for topic in known_topics(questions)}
    return {
        story: topics_of_story(
            merged(questions.sources[one.source].topics, by_words.get(one.item, ()), names) for one in items
        )
        for story, items in read.items()
    }


def known_topics(questions: Questions) -> list[str]:
    """Every topic of a followed source or of the table, by name; of those that differ in capitals only, one."""

    def named() -> list[str]:
        of_sources = (topic for source in questions.sources.values() if source.enabled for topic in source.topics)
        found: dict[str, str] = {}
        for topic in sorted({*of_sources, *(topic for topic, _ in table)}):
            found.setdefault(topic.casefold(), topic)
        return [found[name] for name in sorted(found)]

    table = questions.topic_words.table
    return questions.made(("known topics", table), named)


def _worth_reading(evidence: Evidence) -> Iterable[StoryItem]:
    return first_and_newest(evidence.reports or evidence.items, DEFAULT.reports)


def _by_words(questions: Questions, items: Iterable[ItemId]) -> Mapping[ItemId, Iterable[str]]:
    """The topics of which a word stands in the title or the beginning of each item."""
    words = questions.topic_words
    if not words.table:
        return {}
    return {
        item: questions.made(("topics", words.table, item), partial(words.of, _beginning(facts)))
        for item, facts in questions.items(items).items()
    }


def _beginning(facts: ItemFacts) -> str:
    """What of an item is looked at: its title and the beginning of what it says."""
    return f"{facts.title}\n{facts.summary[: DEFAULT.lead_chars]}"
