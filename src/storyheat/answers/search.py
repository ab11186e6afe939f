"""What has certain words: stories and items behind `storyheat search`."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from storyheat.answers.summary import Summary, summaries
from storyheat.core.heat.rule import HeatRule
from storyheat.core.heat.series import DEFAULT_PERIOD, PERIODS
from storyheat.core.model import ItemId, StoryId
from storyheat.core.text.search_words import holds, question
from storyheat.errors import UsageError
from storyheat.store.item_queries import ItemFacts
from storyheat.store.queries import Questions

MOST_HITS = 1_000  # items looked at for their stories


@dataclass(frozen=True, slots=True)
class FoundStory:
    """A story, and how many of the best hits stand in it as reports or copies."""

    story: Summary
    hits: int


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """Stories and items that have all words, best first. `stories_of`: where each item stands, its own story first."""

    words: str
    at: datetime
    stories: tuple[FoundStory, ...]
    items: tuple[ItemFacts, ...]
    stories_of: Mapping[ItemId, tuple[StoryId, ...]]


def search(questions: Questions, words: str, number: int, at: datetime, rule: HeatRule) -> SearchAnswer:
    """At most `number` stories and as many items. Raises UsageError where nothing can be looked for.

    A story is as good as its best report; of those with the newest ones the hotter comes first.
    """
    asked = question(words)
    if not asked.wanted:
        raise UsageError("search: give at least one word to look for; a word with - before it only leaves stories out")
    hits = questions.hits(asked, MOST_HITS)
    if asked.runs or asked.unwanted_runs:
        said = questions.wordings(hit.item for hit in hits)
        hits = [hit for hit in hits if holds(asked, said[hit.item].title, said[hit.item].text)]
    stands = questions.stories_of_items([hit.item for hit in hits])
    in_title, counts = dict[StoryId, bool](), Counter[StoryId]()  # in order of the best hit of each story
    for hit in hits:
        for story in stands[hit.item].own if hit.item in stands else ():
            in_title.setdefault(story, hit.in_title)
            counts[story] += 1
    found = summaries(questions, list(in_title)[: 2 * number], at, PERIODS[DEFAULT_PERIOD], rule)
    found.sort(key=lambda one: (not in_title[one.id], -one.figures.trend.current, one.id))
    shown = [hit.item for hit in hits[:number]]
    facts = questions.items(shown)
    return SearchAnswer(
        words=words,
        at=at,
        stories=tuple(FoundStory(one, counts[one.id]) for one in found[:number]),
        items=tuple(facts[item] for item in shown),
        stories_of={item: (*stands[item].own, *stands[item].mentioned) for item in shown if item in stands},
    )
