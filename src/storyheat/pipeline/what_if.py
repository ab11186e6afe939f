"""What would become of the stored stories with another number: the stored items are clustered again, in memory.

Nothing is written. The same items go through the clusterer as it is and through a changed one, both from a cold
start, so that what differs comes of the change alone. Copies go where their originals go and are left out, and
stories that were put in order by hand stay as they are.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from storyheat.core.clustering.clusterer import Clusterer
from storyheat.core.clustering.model import ClusterParams, Doc
from storyheat.core.clustering.placing import doc_of
from storyheat.core.corrections.ledger import Ledger
from storyheat.core.evaluation.correction_pairs import LabelledPair
from storyheat.core.evaluation.partition_changes import StoryChange, story_changes
from storyheat.core.items.identity import story_id
from storyheat.core.model import ItemId, StoryId
from storyheat.store.corrections import leads
from storyheat.store.database import Database, Transaction
from storyheat.store.feeds import stored_sources
from storyheat.store.history import clustered_batches, clustered_count, copied, held_reports, reported_stories
from storyheat.store.item_queries import item_facts
from storyheat.store.labelled_pairs import pairs_by_hand
from storyheat.store.placing import items_as_of

NEWEST = 20_000  # items looked at: weeks of a hundred busy feeds, in a minute
MakeClusterer = Callable[[ClusterParams], Clusterer]
Told = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Founding:
    """The first report of a story."""

    item: ItemId
    title: str
    stored_story: StoryId | None  # where the report stands now


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Which stories would be others."""

    items: int  # looked at
    stored: int  # that there are
    stories_before: int
    stories_after: int
    changes: tuple[StoryChange, ...]
    foundings: Mapping[str, Founding]  # of all stories in `changes`


@dataclass(frozen=True, slots=True)
class Judged:
    """What the clusterer, left alone, makes of pairs of which a correction says whether they are of one story."""

    right: tuple[LabelledPair, ...]
    wrong: tuple[LabelledPair, ...]
    unseen: tuple[LabelledPair, ...]  # one of the two is not among the items looked at
    titles: Mapping[ItemId, str]  # of the items of `wrong`


def what_if(
    database: Database,
    make: MakeClusterer,
    now: ClusterParams,
    then: ClusterParams,
    told: Told,
    newest: int = NEWEST,
) -> WhatIf:
    """Clusters the newest stored items by two sets of numbers and compares. `told`: (items done, all)."""
    with database.read() as connection:
        before, after = _Grouping(make(now)), _Grouping(make(then))
        held = held_reports(connection)
        merged = Ledger((), (), [lead for lead in leads(connection) if lead.correction is not None])
        looked_at = 0
        for doc in _docs(connection, newest, told):
            looked_at += 1
            for grouping in (before, after):
                grouping.add(doc, held.get(ItemId(doc.id)), merged.lead)
        changes = story_changes(before.stories, after.stories)
        firsts = {
            story: item
            for change in changes
            for grouping, named in ((before, change.before), (after, change.after))
            for story, item in ((story, grouping.founders[story]) for story in named)
        }
        stand = reported_stories(connection, [ItemId(item) for item, _ in firsts.values()])
        return WhatIf(
            items=looked_at,
            stored=clustered_count(connection),
            stories_before=len(set(before.stories.values())),
            stories_after=len(set(after.stories.values())),
            changes=tuple(changes),
            foundings={
                story: Founding(ItemId(item), title, stand.get(ItemId(item))) for story, (item, title) in firsts.items()
            },
        )


def judge(database: Database, make: MakeClusterer, params: ClusterParams, told: Told, newest: int = NEWEST) -> Judged:
    """Clusters the newest stored items, whatever was decided by hand about them, and looks at the corrected pairs."""
    with database.read() as connection:
        pairs = pairs_by_hand(connection)
        grouping = _Grouping(make(params))
        for doc in _docs(connection, newest, told):
            grouping.add(doc)
        originals = copied(connection, [item for pair in pairs for item in (pair.a, pair.b)])
        found: dict[bool | None, list[LabelledPair]] = {True: [], False: [], None: []}
        for pair in pairs:
            together = grouping.together(originals.get(pair.a, pair.a), originals.get(pair.b, pair.b))
            found[None if together is None else together == pair.same].append(pair)
        items = item_facts(connection, [item for pair in found[False] for item in (pair.a, pair.b)])
        titles = {item: facts.title for item, facts in items.items()}
        return Judged(tuple(found[True]), tuple(found[False]), tuple(found[None]), titles)


@dataclass(slots=True)
class _Grouping:
    """What one clusterer makes of the items."""

    clusterer: Clusterer
    stories: dict[str, str] = field(default_factory=dict)  # report → story
    founders: dict[str, tuple[str, str]] = field(default_factory=dict)  # story → first report and its title
    seen: set[str] = field(default_factory=set)  # all items, mentions as well

    def add(
        self, doc: Doc, held: StoryId | None = None, lead: Callable[[StoryId], StoryId] = lambda story: story
    ) -> None:
        """Places one item, in the story that `held` names if any. `lead`: the story that a story was merged into."""
        story: str | None
        if held is None:
            story = self.clusterer.place(doc, story_id(ItemId(doc.id))).story
        else:
            story = held
            self.clusterer.admit(self.clusterer.prepare(doc, self.clusterer.read(doc)), story)
        story = None if story is None else lead(StoryId(story))
        self.seen.add(doc.id)
        self.clusterer.take_changes()
        self.clusterer.counts.saved()
        if story is not None:
            self.stories[doc.id] = story
            self.founders.setdefault(story, (doc.id, doc.title))

    def together(self, a: ItemId, b: ItemId) -> bool | None:
        """Whether two items are reports of one story; None: one of them was not seen."""
        if not {a, b} <= self.seen:
            return None
        return a == b or (a in self.stories and self.stories[a] == self.stories.get(b))


def _docs(connection: Transaction, newest: int, told: Told) -> Iterator[Doc]:
    """The items as the clusterer met them, in its order."""
    sources = stored_sources(connection)
    runs = clustered_batches(connection, newest)
    total, done = sum([len(run.new) for run in runs]), 0
    for run in runs:
        items = items_as_of(connection, run.new, run.at).values()
        for item in sorted(items, key=lambda item: (item.effective_at, item.id)):
            yield doc_of(item, sources[item.source])
            done += 1
            told(done, total)
