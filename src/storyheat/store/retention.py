"""Lets go what is older than it is kept: contents of items, whole stories that have gone cold, and old log lines.

Each function is told before which instant, and takes the oldest first, so that being cut off leaves no gap.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Select, Table, and_, delete, exists, func, select, update

from storyheat.core.items.tombstones import Left, keys_left
from storyheat.core.model import ItemId, SourceId, StoryId, Url
from storyheat.store.briefs import forget_briefs
from storyheat.store.conclusions import (
    CopyRow,
    HeatRow,
    ItemVectorRow,
    LonerRow,
    MeasureRow,
    MembershipRow,
    MergeRow,
    SketchRow,
    StoryRow,
    StoryStateRow,
)
from storyheat.store.editorial import PollRow, SelectionRow
from storyheat.store.facts import ArticleRow, EntryRow, FeedRow, FetchRow, HoleRow, ItemRow, RevisionRow, RunRow
from storyheat.store.horizons import SETTLED_STATE, bury
from storyheat.store.rows import batches, table
from storyheat.store.search import SEARCHED
from storyheat.store.source_tallies import count_out
from storyheat.store.telling import BYSTANDER, DEVELOPMENT, DISAGREEMENT, HEADLINE, NAME

ITEM, ENTRY, ARTICLE, REVISION = table(ItemRow), table(EntryRow), table(ArticleRow), table(RevisionRow)
FEED, FETCH, RUN, HOLE = table(FeedRow), table(FetchRow), table(RunRow), table(HoleRow)
STORY, MEMBERSHIP, LONER, MERGE = table(StoryRow), table(MembershipRow), table(LonerRow), table(MergeRow)
COPY, SKETCH, VECTOR = table(CopyRow), table(SketchRow), table(ItemVectorRow)
HEAT, MEASURE, STATE = table(HeatRow), table(MeasureRow), table(StoryStateRow)
POLL, SELECTION = table(PollRow), table(SelectionRow)
_CONTENTS = ("text", "summary")  # fields whose earlier versions go with the texts


def ran_between(connection: Connection, after: datetime, upto: datetime) -> bool:
    """Whether a run came to its end in (after, upto]."""
    found = select(RUN.c.id).where(RUN.c.started_at > after, RUN.c.started_at <= upto).limit(1)
    return connection.execute(found).first() is not None


def first_item(connection: Connection, since: datetime | None = None) -> datetime | None:
    """When the oldest item was first seen, or the oldest since an instant; None: there is none."""
    query = select(func.min(ITEM.c.first_seen_at))
    if since is not None:
        query = query.where(ITEM.c.first_seen_at >= since)
    return connection.execute(query).scalar()


def oldest_of(connection: Connection, items: Iterable[ItemId]) -> datetime | None:
    """When the oldest of the items was first seen; None: there is none."""
    found: list[datetime] = []
    for some in batches(items):
        found += connection.execute(select(ITEM.c.first_seen_at).where(ITEM.c.id.in_(some))).scalars()
    return min(found, default=None)


def end_of(connection: Connection, since: datetime | None, before: datetime, most: int) -> datetime:
    """Before which instant, at the latest `before`, about `most` items were first seen since another; whole runs."""
    query = select(ITEM.c.first_seen_at).where(ITEM.c.first_seen_at < before)
    if since is not None:
        query = query.where(ITEM.c.first_seen_at >= since)
    last = connection.execute(query.order_by(ITEM.c.first_seen_at).offset(most - 1).limit(1)).scalar()
    if last is None:
        return before
    after = select(func.min(ITEM.c.first_seen_at)).where(ITEM.c.first_seen_at > last)
    return min(before, connection.execute(after).scalar() or before)


def forget_sketches(connection: Connection, before: datetime) -> None:
    """Items first seen before are compared with no later one."""
    older = select(ITEM.c.id).where(ITEM.c.first_seen_at < before)
    connection.execute(delete(SKETCH).where(SKETCH.c.item_id.in_(older)))


def empty_html(connection: Connection, before: datetime, most: int) -> int:
    """Empties the HTML of up to `most` items first seen before; how many these were."""
    full = _ids(connection, ITEM.c.html != "", before, most)
    connection.execute(update(ITEM).where(ITEM.c.id.in_(full)).values(html=""))
    return len(full)


def empty_texts(connection: Connection, before: datetime, most: int) -> int:
    """Empties the texts of up to `most` items first seen before, and what they said earlier; how many these were."""
    full = _ids(connection, ITEM.c.text != "", before, most)
    connection.execute(update(ITEM).where(ITEM.c.id.in_(full)).values(text=""))
    earlier = and_(REVISION.c.item_id.in_(full), REVISION.c.field.in_(_CONTENTS))
    connection.execute(update(REVISION).where(earlier).values(before=None, after=None))
    return len(full)


def _ids(connection: Connection, where: object, before: datetime, most: int) -> list[str]:
    query = select(ITEM.c.id).where(ITEM.c.first_seen_at < before, where)  # type: ignore[arg-type]
    return list(connection.execute(query.order_by(ITEM.c.first_seen_at, ITEM.c.id).limit(most)).scalars())


# -- whole stories --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Going:
    """What may go: stories, oldest first, and items that are in no story.

    `seats`: every item of those stories with all stories it was ever put in.
    """

    stories: tuple[StoryId, ...]
    seats: Mapping[ItemId, Set[StoryId]]
    loners: tuple[ItemId, ...]

    def items(self) -> list[ItemId]:
        """The items that go: those without a story that stays."""
        leaving = frozenset(self.stories)
        return sorted({*self.loners, *(item for item, stories in self.seats.items() if stories <= leaving)})

    def steps(self, most: int) -> Iterator[tuple[Sequence[StoryId], list[ItemId]]]:
        """The stories in runs of at most `most`, each with the items that go with them; the loners come last."""
        left = {item: set(stories) for item, stories in self.seats.items()}
        members: dict[StoryId, list[ItemId]] = defaultdict(list)
        for item, own in self.seats.items():
            for story in own:
                members[story].append(item)
        for start in range(0, len(self.stories), most):
            stories = self.stories[start : start + most]
            touched = {item for story in stories for item in members[story]}
            for item in touched:
                left[item].difference_update(stories)
            yield stories, sorted(item for item in touched if not left[item])
        for start in range(0, len(self.loners), most):
            yield (), list(self.loners[start : start + most])


def going_before(connection: Connection, before: datetime, *, remembered: bool) -> Going:
    """What may go of all that was first seen before.

    A story may if all its items were first seen before, if nobody corrected it by hand, marked an item of it or
    asked its readers, and if no item that stays is a copy of one that goes; and, unless `remembered`, if the clusterer
    knows nothing of it, now or when decisions were settled.
    """
    old = select(ITEM.c.id).where(ITEM.c.first_seen_at < before)
    stories = _stories(connection, select(MEMBERSHIP.c.story_id).where(MEMBERSHIP.c.item_id.in_(old)))
    younger = select(MEMBERSHIP.c.story_id).join(ITEM, ITEM.c.id == MEMBERSHIP.c.item_id)
    for staying in (
        younger.where(ITEM.c.first_seen_at >= before),
        select(MEMBERSHIP.c.story_id).where(MEMBERSHIP.c.decided_by != "machine"),
        select(MERGE.c.story_id),
        select(MERGE.c.into_id),
        select(POLL.c.story_id),
        select(MEMBERSHIP.c.story_id).join(SELECTION, SELECTION.c.item_id == MEMBERSHIP.c.item_id),
        *(() if remembered else (select(STATE.c.story_id), select(SETTLED_STATE.c.story_id))),
    ):
        stories -= _stories(connection, staying)
    seats: dict[ItemId, set[StoryId]] = defaultdict(set)
    for some in batches(sorted(stories)):
        mine = select(MEMBERSHIP.c.item_id).where(MEMBERSHIP.c.story_id.in_(some))
        rows = select(MEMBERSHIP.c.item_id, MEMBERSHIP.c.story_id).where(MEMBERSHIP.c.item_id.in_(mine))
        for row in connection.execute(rows):
            seats[ItemId(row.item_id)].add(StoryId(row.story_id))
    loners = set(_loners(connection, before))
    copies = [
        (ItemId(row.item_id), {ItemId(row.set_id), ItemId(row.like_id)}) for row in connection.execute(select(COPY))
    ]
    while True:
        gone = {item for item, own in seats.items() if own <= stories} | loners
        held = {one for item, of in copies if item not in gone for one in of & gone}
        if not held:
            break
        stories -= {story for item in held for story in seats.get(item, ())}
        loners -= held
    seats = {item: own for item, own in seats.items() if own & stories}
    return Going(tuple(_by_age(connection, stories)), seats, tuple(sorted(loners)))


def forget_states(connection: Connection, stories: Iterable[StoryId]) -> None:
    """Has the clusterer forget stories that are about to go; decisions must be settled right after that."""
    for some in batches(sorted(stories)):
        connection.execute(delete(STATE).where(STATE.c.story_id.in_(some)))


def _stories(connection: Connection, query: Select[Any]) -> set[StoryId]:
    return {StoryId(one) for one in connection.execute(query.distinct()).scalars()}


def _by_age(connection: Connection, stories: Collection[StoryId]) -> list[StoryId]:
    ages = []
    for some in batches(sorted(stories)):
        rows = connection.execute(select(STORY.c.decided_at, STORY.c.id).where(STORY.c.id.in_(some)))
        ages += [(row.decided_at, StoryId(row.id)) for row in rows]
    return [story for _, story in sorted(ages)]


def _loners(connection: Connection, before: datetime) -> Iterable[ItemId]:
    """Items first seen before that were never in a story."""
    placed = exists().where(MEMBERSHIP.c.item_id == ITEM.c.id)
    query = select(ITEM.c.id).join(LONER, LONER.c.item_id == ITEM.c.id)
    return [ItemId(one) for one in connection.execute(query.where(ITEM.c.first_seen_at < before, ~placed)).scalars()]


def remove(connection: Connection, stories: Iterable[StoryId], items: Iterable[ItemId]) -> None:
    """Removes stories and items with all that leads to them, and remembers the items' keys."""
    for some in batches(sorted(set(stories))):
        for of_story in (HEAT, MEASURE, DEVELOPMENT, HEADLINE, NAME, BYSTANDER, DISAGREEMENT, MEMBERSHIP):
            connection.execute(delete(of_story).where(of_story.c.story_id.in_(some)))
        forget_briefs(connection, some)
        connection.execute(delete(STORY).where(STORY.c.id.in_(some)))
    for ids in batches(sorted(set(items))):
        bury(connection, _keys(connection, ids))
        for of_item in (ENTRY, ARTICLE, REVISION, LONER, COPY, VECTOR, SELECTION):
            connection.execute(delete(of_item).where(of_item.c.item_id.in_(ids)))
        connection.execute(update(SEARCHED).where(SEARCHED.c.item_id.in_(ids)).values(item_id=None))
        count_out(connection, ids)
        connection.execute(delete(ITEM).where(ITEM.c.id.in_(ids)))


def _keys(connection: Connection, items: Collection[ItemId]) -> set[int]:
    addresses: dict[str, set[str]] = defaultdict(set)
    entries: dict[str, list[Left]] = defaultdict(list)
    titles: dict[str, str] = {}
    for item in connection.execute(select(ITEM.c.id, ITEM.c.identity, ITEM.c.title).where(ITEM.c.id.in_(items))):
        addresses[item.id].add(item.identity)
        titles[item.id] = item.title
    named = select(ARTICLE.c.item_id, ARTICLE.c.address_key)
    for row in connection.execute(named.where(ARTICLE.c.item_id.in_(items), ARTICLE.c.address_key.is_not(None))):
        addresses[row.item_id].add(row.address_key)
    listed = select(ENTRY, FEED.c.url, FEED.c.source_id).join(FEED, FEED.c.id == ENTRY.c.feed_id)
    for row in connection.execute(listed.where(ENTRY.c.item_id.in_(items))):
        if row.link_key is not None:
            addresses[row.item_id].add(row.link_key)
        source, title = SourceId(row.source_id), titles[row.item_id]
        entries[row.item_id].append(
            Left(Url(row.url), source, row.entry_key, row.guid, row.link_key, title, row.claimed_at)
        )
    return {key for item in addresses for key in keys_left(addresses[item], entries[item])}


# -- logs -----------------------------------------------------------------------------------------


def forget_hours(connection: Connection, before: datetime) -> int:
    """Removes the stored heat of earlier hours; how many rows."""
    return connection.execute(delete(HEAT).where(HEAT.c.at < before)).rowcount


def forget_holes(connection: Connection, before: datetime) -> int:
    """Removes holes that ended before; how many."""
    return connection.execute(delete(HOLE).where(HOLE.c.to_at < before)).rowcount


def forget_fetches(connection: Connection, before: datetime, most: int) -> int:
    """Removes up to `most` polls before; of each feed the last stays, the last that was read, and the one since
    which it fails."""
    own = FETCH.alias("own")
    of_feed = own.c.feed_id == FEED.c.id
    since = own.c.at > func.coalesce(FEED.c.last_success_at, "")
    kept: set[int | None] = set()
    for wanted in (
        select(func.max(own.c.id)).where(of_feed),
        select(func.max(own.c.id)).where(of_feed, own.c.entries.is_not(None)),
        select(func.min(own.c.id)).where(of_feed, since, own.c.outcome == "failed"),
    ):
        kept.update(connection.execute(select(wanted.correlate(FEED).scalar_subquery()).select_from(FEED)).scalars())
    return _forget(connection, FETCH, FETCH.c.at < before, sorted(one for one in kept if one is not None), most)


def forget_runs(connection: Connection, before: datetime, most: int) -> int:
    """Removes up to `most` lines of the log of runs; how many."""
    return _forget(connection, RUN, RUN.c.started_at < before, (), most)


def _forget(connection: Connection, log: Table, where: object, kept: Collection[int], most: int) -> int:
    older = select(log.c.id).where(where, log.c.id.not_in(kept)).order_by(log.c.id).limit(most)  # type: ignore[arg-type]
    return connection.execute(delete(log).where(log.c.id.in_(older))).rowcount
