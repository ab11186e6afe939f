"""Questions about items: all fields for a timeline, the original of a copy, and why an item is where it is."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, exists, literal, select

from storyheat.core.model import ItemId, Role, SourceId, StoryId
from storyheat.store.conclusions import CopyRow, LonerRow, MembershipRow
from storyheat.store.facts import ItemRow
from storyheat.store.memberships import current_memberships
from storyheat.store.rows import SOME, rows_of, table

ITEM, COPY, LONER, MEMBERSHIP = table(ItemRow), table(CopyRow), table(LonerRow), table(MembershipRow)

_FACTS = select(
    ITEM.c.id, ITEM.c.title, ITEM.c.url, ITEM.c.source_id, ITEM.c.published_at, ITEM.c.first_seen_at,
    ITEM.c.effective_at, ITEM.c.effective_because, ITEM.c.summary, ITEM.c.language,
).where(ITEM.c.id.in_(SOME))  # fmt: skip
_COPIES = select(COPY.c.item_id, COPY.c.set_id).where(COPY.c.item_id.in_(SOME))
_COPIED = select(COPY.c.item_id, COPY.c.set_id).where(COPY.c.set_id.in_(SOME))
_OF_SETS = (
    select(COPY.c.set_id, ITEM.c.id, ITEM.c.effective_at)
    .join(ITEM, ITEM.c.id == COPY.c.item_id)
    .where(COPY.c.set_id.in_(SOME))
)
_NAMING_SETS = select(ITEM.c.id.label("set_id"), ITEM.c.id, ITEM.c.effective_at).where(ITEM.c.id.in_(SOME))


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """An item as a timeline shows it."""

    id: ItemId
    title: str  # plain text; empty: none given
    url: str | None
    source: SourceId
    published_at: datetime | None
    first_seen_at: datetime
    effective_at: datetime
    effective_because: str
    summary: str
    language: str | None


@dataclass(frozen=True, slots=True)
class Seat:
    """One decision that holds: an item's role in a story, and the record of features behind it."""

    story: StoryId
    role: Role
    decided_at: datetime
    decided_by: str
    because: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Alone:
    """The decision that an item is in no story."""

    decided_at: datetime
    decided_by: str
    because: Mapping[str, Any]


def item_facts(connection: Connection, items: Iterable[ItemId]) -> dict[ItemId, ItemFacts]:
    """The items with these ids."""
    return {
        ItemId(row.id): ItemFacts(
            id=ItemId(row.id),
            title=row.title,
            url=row.url,
            source=SourceId(row.source_id),
            published_at=row.published_at,
            first_seen_at=row.first_seen_at,
            effective_at=row.effective_at,
            effective_because=row.effective_because,
            summary=row.summary,
            language=row.language,
        )
        for row in rows_of(connection, _FACTS, items)
    }


def originals(connection: Connection, items: Iterable[ItemId]) -> dict[ItemId, ItemId]:
    """For each item that is a copy the original: of its set the one with the least (effective time, id)."""
    wanted = set(items)
    sets: dict[ItemId, str] = {}
    for query in (_COPIES, _COPIED):
        for row in rows_of(connection, query, wanted):
            sets[ItemId(row.item_id)] = row.set_id
            sets[ItemId(row.set_id)] = row.set_id
    members: dict[str, list[tuple[datetime, ItemId]]] = defaultdict(list)
    for query in (_OF_SETS, _NAMING_SETS):
        for row in rows_of(connection, query, sets.values()):
            members[row.set_id].append((row.effective_at, ItemId(row.id)))
    least = {copy_set: min(own)[1] for copy_set, own in members.items()}
    return {item: least[sets[item]] for item in sorted(wanted) if item in sets and least[sets[item]] != item}


def seats(connection: Connection, item: ItemId) -> tuple[Seat, ...]:
    """The stories an item stands in: reports before copies and mentions, then by story."""
    rows = connection.execute(current_memberships().where(MEMBERSHIP.c.item_id == item))
    found = [Seat(StoryId(row.story_id), Role(row.role), row.decided_at, row.decided_by, row.because) for row in rows]
    order = {Role.REPORT: 0, Role.COPY: 1, Role.MENTION: 2}
    return tuple(sorted(found, key=lambda seat: (order[seat.role], seat.story)))


def alone(connection: Connection, item: ItemId) -> Alone | None:
    """The decision that an item is in no story; None where there is none. One by hand goes before the machine's."""
    out = select(MEMBERSHIP).where(MEMBERSHIP.c.item_id == item, MEMBERSHIP.c.role == "none")
    row = connection.execute(out.order_by(MEMBERSHIP.c.id.desc()).limit(1)).first()
    if row is None:
        row = connection.execute(
            select(LONER, literal("machine").label("decided_by")).where(LONER.c.item_id == item)
        ).first()
    return None if row is None else Alone(row.decided_at, row.decided_by, row.because)


def is_placed(connection: Connection, item: ItemId) -> bool:
    """Whether anything was decided about an item."""
    of_item = MEMBERSHIP.c.item_id == item
    return bool(connection.execute(select(exists().where(of_item) | exists().where(LONER.c.item_id == item))).scalar())
