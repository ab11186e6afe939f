"""What the clusterer was given so far, in its order, for those who want to see what else could have come of it."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, exists, func, or_, select

from storyheat.core.model import ItemId, Role, StoryId
from storyheat.store.conclusions import CopyRow, LonerRow, MembershipRow
from storyheat.store.facts import ItemRow
from storyheat.store.memberships import current_memberships
from storyheat.store.placing import Batch
from storyheat.store.rows import batches, table

ITEM, COPY, LONER, MEMBERSHIP = table(ItemRow), table(CopyRow), table(LonerRow), table(MembershipRow)


def clustered_count(connection: Connection) -> int:
    """How many items were placed by the clusterer: all but copies and those still to be placed."""
    return int(connection.execute(select(func.count()).select_from(ITEM).where(*_clustered())).scalar_one())


def clustered_batches(connection: Connection, newest: int) -> list[Batch]:
    """The newest of these items, by the run that brought them, the oldest run first."""
    query = select(ITEM.c.id, ITEM.c.first_seen_at).where(*_clustered())
    found: dict[datetime, list[ItemId]] = defaultdict(list)
    for row in connection.execute(query.order_by(ITEM.c.first_seen_at.desc(), ITEM.c.id).limit(newest)):
        found[row.first_seen_at].append(ItemId(row.id))
    return [Batch(at, tuple(found[at]), ()) for at in sorted(found)]


def reported_stories(connection: Connection, items: Iterable[ItemId]) -> dict[ItemId, StoryId]:
    """The story that each of the items stands in as a report or a copy; of several the least."""
    found: dict[ItemId, StoryId] = {}
    for batch in batches(sorted(set(items))):
        rows = current_memberships().where(MEMBERSHIP.c.item_id.in_(batch), MEMBERSHIP.c.role != Role.MENTION.value)
        for row in connection.execute(rows.order_by(MEMBERSHIP.c.story_id.desc())):
            found[ItemId(row.item_id)] = StoryId(row.story_id)
    return found


def held_reports(connection: Connection) -> dict[ItemId, StoryId]:
    """The items that are reports of a story by hand, and of which."""
    held = current_memberships().where(MEMBERSHIP.c.by_hand, MEMBERSHIP.c.role == Role.REPORT.value)
    return {ItemId(row.item_id): StoryId(row.story_id) for row in connection.execute(held)}


def copied(connection: Connection, items: Iterable[ItemId]) -> dict[ItemId, ItemId]:
    """For each of the items that is a copy the one of its copy set that came first, which the clusterer was given."""
    found: dict[ItemId, ItemId] = {}
    for batch in batches(sorted(set(items))):
        rows = connection.execute(select(COPY.c.item_id, COPY.c.set_id).where(COPY.c.item_id.in_(batch)))
        found.update((ItemId(row.item_id), ItemId(row.set_id)) for row in rows)
    return found


def _clustered() -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    copied = exists().where(COPY.c.item_id == ITEM.c.id)
    placed = exists().where(MEMBERSHIP.c.item_id == ITEM.c.id)
    alone = exists().where(LONER.c.item_id == ITEM.c.id)
    return ~copied, or_(placed, alone)
