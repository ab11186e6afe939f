"""All questions of people and programs, asked of one consistent state of the database."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from storyheat.core.items.voices import publisher_index
from storyheat.core.stories.topics import TopicTable, TopicWords
from storyheat.store import evidence, item_queries, story_queries, telling
from storyheat.store.database import Database, fix_state
from storyheat.store.feeds import stored_sources
from storyheat.store.known import Known
from storyheat.store.later import Later

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from sqlalchemy import Connection

    from storyheat.core.corrections.rules import Correction
    from storyheat.core.feeds.doctor import FeedHealth
    from storyheat.core.heat.evidence import Evidence, StoryItem
    from storyheat.core.heat.standing import Watches
    from storyheat.core.model import ItemId, Source, SourceId, StoryId
    from storyheat.core.stories.polls import Poll
    from storyheat.core.stories.selection import Mark
    from storyheat.core.stories.told import Development, Disagreement, Name
    from storyheat.core.text.search_words import Question
    from storyheat.store import (
        briefs,
        heartbeat,
        polls,
        search,
        selections,
        source_queries,
        source_tallies,
        story_log,
        tallies,
    )
else:  # what a list does not need
    briefs, heartbeat, polls, search, selections, source_queries, source_tallies, story_log, tallies = (
        Later(f"storyheat.store.{name}")
        for name in (
            "briefs",
            "heartbeat",
            "polls",
            "search",
            "selections",
            "source_queries",
            "source_tallies",
            "story_log",
            "tallies",
        )
    )

NameRows = tuple[tuple[str, ...], ...]  # as `core.text.names.names_from` reads them
K = TypeVar("K", bound=str)
V = TypeVar("V")


class Questions:
    """One reading of the database. What answers need again and again is read once."""

    def __init__(
        self, connection: Connection, known: Known | None = None, topics: TopicTable = (), names: NameRows = ()
    ) -> None:
        """`known`: what others read of the same state of the database.

        `topics`, `names`: tables of the configuration.
        """
        self._connection = connection
        self._topics, self.more_names = topics, names
        self._known = known or Known()

    def made(self, key: Hashable, make: Callable[[], V]) -> V:
        """What follows from the data alone and `key`: made the first time, and kept as long as the data are."""
        return self._known.one(("made", key), make)

    @property
    def topic_words(self) -> TopicWords:
        """The words by which texts have topics, as the configuration has them."""
        return self._known.one(("topic words", self._topics), lambda: TopicWords(self._topics))

    @property
    def sources(self) -> Mapping[SourceId, Source]:
        """Every source ever followed."""
        return self._known.one("sources", lambda: stored_sources(self._connection))

    @property
    def watches(self) -> Watches:
        """What was watched of every source."""
        return self._known.one("watches", lambda: evidence.watches(self._connection))

    @property
    def _publishers(self) -> Mapping[str, str]:
        return self._known.one("publishers", lambda: publisher_index(self.sources.values()))

    def _each(self, read: Callable[[Connection, Collection[K]], Mapping[K, V]], wanted: Iterable[K]) -> dict[K, V]:
        """What `read` finds for those of the wanted that have something, sorted; each is read once."""
        return self._known.each(read.__qualname__, sorted(set(wanted)), lambda new: read(self._connection, new))

    def measured_by(self) -> str | None:
        """The rule of heat, in words, by which the stored heat was measured; None: nothing was."""
        return story_queries.measured_by(self._connection)

    def story_named(self, prefix: str) -> StoryId:
        """See `story_queries.story_named`."""
        return self._known.one(("named", prefix), lambda: story_queries.story_named(self._connection, prefix))

    def item_named(self, prefix: str) -> ItemId:
        """See `story_queries.item_named`."""
        return story_queries.item_named(self._connection, prefix)

    def aliases(self, story: StoryId) -> tuple[StoryId, ...]:
        """The old ids that lead to a story, sorted."""
        return self._known.one(("aliases", story), lambda: story_queries.aliases(self._connection, story))

    def merged_at(self, story: StoryId) -> datetime | None:
        """When an id was last led to another story; None: it never was."""
        return story_queries.merged_at(self._connection, story)

    def older_of(self, stories: Iterable[StoryId]) -> StoryId:
        """The story that was founded first."""
        return story_queries.older_of(self._connection, stories)

    def heads(self, stories: Iterable[StoryId]) -> dict[StoryId, story_queries.Head]:
        """What each of the stories is called."""
        return self._each(story_queries.heads, stories)

    def facets(self, stories: Iterable[StoryId]) -> dict[StoryId, story_queries.Facets]:
        """The languages and sources of each of the stories."""
        return self._each(story_queries.facets, stories)

    def evidence(self, stories: Iterable[StoryId]) -> dict[StoryId, Evidence]:
        """What the heat of each of the stories is computed from; a story without items is left out."""

        def read(connection: Connection, new: Collection[StoryId]) -> dict[StoryId, Evidence]:
            return evidence.evidence_of(connection, new, self.sources, self._publishers)

        return self._each(read, stories)

    def developments(self, stories: Iterable[StoryId]) -> dict[StoryId, list[Development]]:
        """What became known in each of the stories, oldest first."""
        return self._each(telling.developments_of, stories)

    def disagreements(self, stories: Iterable[StoryId]) -> dict[StoryId, list[Disagreement]]:
        """The figures of each of the stories that contradict each other."""
        return self._each(telling.disagreements_of, stories)

    def report_changes(self, stories: Iterable[StoryId], upto: datetime) -> dict[StoryId, datetime]:
        """When the reports of each of the stories last changed."""
        return story_log.report_changes(self._connection, stories, upto)

    def shared_names(self, story: StoryId, most: int) -> Mapping[StoryId, Sequence[Name]]:
        """See `telling.shared_names`."""
        return self._known.one(("names", story, most), lambda: telling.shared_names(self._connection, story, most))

    def bystanders(self, stories: Iterable[StoryId]) -> frozenset[tuple[StoryId, ItemId]]:
        """The items of stories whose first-party source only comments on others there."""
        wanted = tuple(sorted(set(stories)))
        return self._known.one(("bystanders", wanted), lambda: telling.bystanders_of(self._connection, wanted))

    def wordings(self, items: Iterable[ItemId]) -> dict[ItemId, telling.Wording]:
        """What each of the items says, whole."""
        return self._each(telling.wordings, items)

    def marks_of(self, items: Iterable[ItemId]) -> dict[ItemId, str]:
        """What changes with the words of each of the items."""
        return self._each(briefs.marks_of, items)

    def brief_with(self, key: str) -> briefs.Brief | None:
        """The brief that was made from exactly these inputs."""
        return briefs.brief_with(self._connection, key)

    def newest_brief(self, stories: Collection[StoryId]) -> briefs.Brief | None:
        """See `briefs.newest_brief`."""
        wanted = tuple(sorted(stories))
        return self._known.one(("brief", wanted), lambda: briefs.newest_brief(self._connection, wanted))

    def spent_on(self, at: datetime) -> briefs.Spent:
        """What was spent of the budget for language models on the UTC day of an instant."""
        return briefs.spent_on(self._connection, at)

    def reports_between(self, after: datetime, upto: datetime) -> dict[StoryId, Evidence]:
        """Of every story only the reports effective in (after, upto]."""

        def read() -> dict[StoryId, Evidence]:
            return evidence.reports_between(self._connection, after, upto, self.sources, self._publishers)

        return self._known.one(("reports", after, upto), read)

    def items(self, items: Iterable[ItemId]) -> dict[ItemId, item_queries.ItemFacts]:
        """The items with these ids, with all that is shown of them."""
        return self._each(item_queries.item_facts, items)

    def originals(self, items: Iterable[ItemId]) -> dict[ItemId, ItemId]:
        """For each of the items that is a copy its original."""
        return self._each(item_queries.originals, items)

    def hits(self, asked: Question, most: int) -> list[search.Hit]:
        """The items that fit what somebody looks for, best first."""
        return search.hits(self._connection, asked, most)

    def stories_of_items(self, items: Iterable[ItemId]) -> dict[ItemId, search.Stands]:
        """Where each of the items stands."""
        return self._each(search.stands_of, items)

    def seats(self, item: ItemId) -> tuple[item_queries.Seat, ...]:
        """The stories an item stands in, with the decisions behind it."""
        return item_queries.seats(self._connection, item)

    def alone(self, item: ItemId) -> item_queries.Alone | None:
        """The decision that an item is in no story; None where there is none."""
        return item_queries.alone(self._connection, item)

    def moved_out(self, story: StoryId) -> Sequence[StoryItem]:
        """The items that a person took out of a story."""

        def read() -> list[StoryItem]:
            return story_log.moved_out(self._connection, story, self.sources, self._publishers)

        return self._known.one(("moved out", story), read)

    def corrections(self) -> list[Correction]:
        """All corrections by hand, in their order."""
        return story_log.corrections(self._connection)

    def corrections_of(self, stories: Iterable[StoryId]) -> dict[int, int]:
        """See `story_log.corrections_of`."""
        return story_log.corrections_of(self._connection, stories)

    def machine_lines(self, stories: Iterable[StoryId], newest: int) -> list[story_log.Line]:
        """The newest decisions of the machine about stories, newest first."""
        return story_log.machine_lines(self._connection, stories, newest)

    def lines_of_correction(self, correction: int) -> list[story_log.Line]:
        """What a correction says about items, in order."""
        return story_log.lines_of_correction(self._connection, correction)

    def lines_of_item(self, item: ItemId) -> list[story_log.Line]:
        """All that was ever decided about an item, newest first."""
        return story_log.lines_of_item(self._connection, item)

    def led_by(self, correction: int) -> dict[StoryId, StoryId | None]:
        """Where a correction led ids to; None: to be stories of their own."""
        return story_log.led_by(self._connection, correction)

    def items_titled(self, items: Iterable[ItemId]) -> dict[ItemId, str]:
        """The titles of items."""
        return story_log.items_titled(self._connection, items)

    def feed_healths(self) -> list[FeedHealth]:
        """Every feed with its last poll, by (source, address)."""
        return source_queries.feed_healths(self._connection)

    def item_counts(self) -> dict[SourceId, int]:
        """How many items belong to each source."""
        return self._known.one("counts", lambda: source_tallies.item_counts(self._connection))

    def newest_item_times(self) -> dict[SourceId, datetime]:
        """The effective time of the newest item of each source."""
        return source_queries.newest_item_times(self._connection)

    def marks(self, items: Iterable[ItemId]) -> dict[ItemId, Mark]:
        """What a person decided about whether items are selected."""
        return self._each(selections.marks, items)

    def polls(self) -> list[Poll]:
        """The reader polls that hold, newest first."""
        return polls.polls(self._connection)

    def poll_of(self, story: StoryId) -> Poll | None:
        """The reader poll of a story; None: it has none."""
        found = self._known.one(("poll", story), lambda: polls.polls(self._connection, story))
        return next(iter(found), None)

    def answer_of(self, poll: Poll, browser: str) -> int | None:
        """The place of the answer that a browser gave to a poll; None: it gave none."""
        return polls.answer_of(self._connection, poll, browser)

    def heartbeat(self) -> heartbeat.Heartbeat | None:
        """What the daemon last said of itself; None: there never was one."""
        return heartbeat.heartbeat(self._connection)

    def tally(self, at: datetime, span: timedelta) -> tallies.Tally:
        """What there is in all, and what was polled in the span before `at`."""
        return tallies.tally(self._connection, at, span)

    def newest_effective_time(self) -> datetime | None:
        """The effective time of the newest item of all; None: nothing was ever stored."""
        return source_queries.newest_effective_time(self._connection)


@contextmanager
def ask(
    database: Database, known: Callable[[], Known] = Known, topics: TopicTable = (), names: NameRows = ()
) -> Iterator[Questions]:
    """Questions that all see the same state, whatever is written meanwhile.

    `known`: gives what was read of that state before; it is asked once the state is fixed. `topics`, `names`: tables of
    the configuration.
    """
    with database.read() as connection:
        fix_state(connection)
        yield Questions(connection, known(), topics, names)
