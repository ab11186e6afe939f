"""Corrections in the database: the facts, what they look at, and what they add to the logs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, FromClause, insert, select

from storyheat.core.corrections.effects import Effects
from storyheat.core.corrections.ledger import Lead, Ledger, Place, Row, Unit
from storyheat.core.corrections.rules import (
    Correction,
    Merge,
    Move,
    Order,
    Pin,
    Split,
    Undo,
    arguments_of,
)
from storyheat.core.items.facts import Item
from storyheat.core.items.identity import founding_item
from storyheat.core.model import ItemId, Role, StoryId
from storyheat.store.columns import instant_from_text
from storyheat.store.conclusions import CopyRow, MembershipRow, MergeRow, StoryRow
from storyheat.store.facts import CorrectionRow, ItemRow, RevisionRow
from storyheat.store.memberships import current_memberships
from storyheat.store.placing import items_as_of
from storyheat.store.rows import batches, table

CORRECTION, ITEM, REVISION = table(CorrectionRow), table(ItemRow), table(RevisionRow)
MEMBERSHIP, MERGE, STORY, COPY = table(MembershipRow), table(MergeRow), table(StoryRow), table(CopyRow)


def keep(connection: Connection, asked: Correction) -> Correction:
    """Keeps a correction; it gets the next number."""
    values = {
        "at": asked.at,
        "after_at": asked.after,
        "who": asked.who,
        "kind": asked.kind,
        "arguments": arguments_of(asked.order),
        "why": asked.why,
    }
    number = connection.execute(insert(CORRECTION).values(values).returning(CORRECTION.c.id)).scalar_one()
    return replace(asked, number=number)


# -- what an order looks at -------------------------------------------------------------------------


def leads(connection: Connection) -> list[Lead]:
    """The log of ids, oldest line first."""
    rows = connection.execute(select(MERGE.c.story_id, MERGE.c.into_id, MERGE.c.correction_id).order_by(MERGE.c.id))
    return [Lead(StoryId(row.story_id), row.into_id, row.correction_id) for row in rows]


def ledger_for(connection: Connection, order: Order, after: datetime) -> Ledger:
    """As much of the logs as the order looks at. `after`: the run as of which texts have their original."""
    lines = leads(connection)
    known = _existing(connection, _names(order))
    ids = Ledger((), (), lines, known)
    asked = _asked(connection, order, ids)
    units = _units(connection, asked, after)
    if isinstance(order, Move | Split | Pin):
        members = {member for unit in units for member in unit.members}
        more = _left_behind(connection, members)
        units = _units(connection, members | more, after)
    members = {member for unit in units for member in unit.members}
    rows = _rows(connection, members)
    return Ledger(rows, units, lines, known | {row.story for row in rows} | {lead.story for lead in lines})


def _names(order: Order) -> set[StoryId]:
    """The stories that an order names."""
    match order:
        case Merge():
            return {order.story, order.into}
        case Split():
            return {order.into} | ({order.story} if order.story is not None else set())
        case Move() | Pin():
            return {order.story}
        case _:
            return set()


def _existing(connection: Connection, names: Iterable[StoryId]) -> set[StoryId]:
    query = select(STORY.c.id).where(STORY.c.id.in_(sorted(names)))
    return {StoryId(row.id) for row in connection.execute(query)}


def _asked(connection: Connection, order: Order, ids: Ledger) -> set[ItemId]:
    """The items that an order is about."""
    founders = {founding_item(name) for name in _names(order) if name not in ids.stories}
    match order:
        case Merge():
            return founders | _members(connection, MEMBERSHIP.c.story_id == ids.lead(order.story))
        case Split():
            return founders | set(order.items)
        case Undo():
            mine = MEMBERSHIP.c.correction_id == order.correction
            written = _items(connection, mine)
            for story in ids.leads_of(order.correction):
                written |= _items(connection, MEMBERSHIP.c.story_id == story)
            return written
        case _:
            return founders | {order.item}


def _items(connection: Connection, those: ColumnElement[bool]) -> set[ItemId]:
    """The items of some lines of the log."""
    return {ItemId(row.item_id) for row in connection.execute(select(MEMBERSHIP.c.item_id).distinct().where(those))}


def _members(connection: Connection, those: ColumnElement[bool]) -> set[ItemId]:
    """The items of some lines of the log that hold now."""
    query = current_memberships().with_only_columns(MEMBERSHIP.c.item_id).where(those)
    return {ItemId(row.item_id) for row in connection.execute(query)}


def _left_behind(connection: Connection, members: set[ItemId]) -> set[ItemId]:
    """Of each story that these items report one more report; where there is none, all that is left in it.

    So much shows whether the story would be left without reports, however large it is.
    """
    found: set[ItemId] = set()
    reported: set[StoryId] = set()
    for batch in batches(sorted(members)):
        query = current_memberships().where(MEMBERSHIP.c.item_id.in_(batch), MEMBERSHIP.c.role == Role.REPORT.value)
        reported |= {StoryId(row.story_id) for row in connection.execute(query)}
    for story in sorted(reported):
        others = current_memberships().with_only_columns(MEMBERSHIP.c.item_id)
        others = others.where(MEMBERSHIP.c.story_id == story, MEMBERSHIP.c.role == Role.REPORT.value)
        # One more than there are members, so that one of them is another.
        some = connection.execute(others.order_by(MEMBERSHIP.c.item_id).limit(len(members) + 1)).scalars().all()
        other = next((one for one in some if one not in members), None)
        found |= _members(connection, MEMBERSHIP.c.story_id == story) if other is None else {ItemId(other)}
    return found


def _units(connection: Connection, items: Iterable[ItemId], after: datetime) -> list[Unit]:
    """The texts that the items are of, those without a row in the database left out."""
    wanted = set(items)
    sets: dict[ItemId, ItemId] = {}
    for batch in batches(sorted(wanted)):
        mine = select(COPY.c.item_id, COPY.c.set_id).where(COPY.c.item_id.in_(batch) | COPY.c.set_id.in_(batch))
        for row in connection.execute(mine):
            sets[ItemId(row.item_id)] = sets[ItemId(row.set_id)] = ItemId(row.set_id)
    for batch in batches(sorted(set(sets.values()))):
        for row in connection.execute(select(COPY.c.item_id, COPY.c.set_id).where(COPY.c.set_id.in_(batch))):
            sets[ItemId(row.item_id)] = sets[ItemId(row.set_id)] = ItemId(row.set_id)
    times = times_as_of(connection, wanted | sets.keys(), after)
    texts: dict[ItemId, list[ItemId]] = {}
    for item in sorted(times):
        texts.setdefault(sets.get(item, item), []).append(item)
    return [Unit(min(own, key=lambda one: (times[one], one)), tuple(own)) for own in texts.values()]


def times_as_of(connection: Connection, items: Iterable[ItemId], at: datetime) -> dict[ItemId, datetime]:
    """The effective times of items right after the run at `at`."""
    found: dict[ItemId, datetime] = {}
    for batch in batches(sorted(set(items))):
        query = select(ITEM.c.id, ITEM.c.effective_at).where(ITEM.c.id.in_(batch))
        found.update((ItemId(row.id), row.effective_at) for row in connection.execute(query))
        later = select(REVISION.c.item_id, REVISION.c.before).where(
            REVISION.c.item_id.in_(batch), REVISION.c.field == "effective_at", REVISION.c.decided_at > at
        )
        for row in connection.execute(later.order_by(REVISION.c.id.desc())):
            found[ItemId(row.item_id)] = instant_from_text(row.before)
    return found


def _rows(connection: Connection, items: Iterable[ItemId]) -> list[Row]:
    found: list[tuple[int, Row]] = []
    columns = [column for column in MEMBERSHIP.c if column.name not in ("decided_at", "decided_by")]
    for batch in batches(sorted(set(items))):
        for row in connection.execute(select(*columns).where(MEMBERSHIP.c.item_id.in_(batch))):
            place = Place(None if row.role == "none" else Role(row.role), row.by_hand, row.because)
            found.append((row.id, Row(ItemId(row.item_id), StoryId(row.story_id), place, row.correction_id)))
    return [row for _, row in sorted(found, key=lambda pair: pair[0])]


# -- what it adds -----------------------------------------------------------------------------------


def write_effects(connection: Connection, correction: Correction, effects: Effects) -> None:
    """Adds the lines of a correction to the logs."""
    decided = {"decided_at": correction.at, "decided_by": correction.who, "correction_id": correction.number}
    founded = [{"id": story, "founding_item_id": item, "decided_at": correction.at} for story, item in effects.founded]
    members = [
        {
            "item_id": row.item,
            "story_id": row.story,
            "role": "none" if row.place.role is None else row.place.role.value,
            "by_hand": row.place.by_hand,
            "because": dict(row.place.because),
            **decided,
        }
        for row in effects.rows
    ]
    because = {"corrected": correction.kind}
    merges = [
        {"story_id": story, "into_id": into, "because": because, **decided} for story, into in effects.leads.items()
    ]
    for of, lines in ((STORY, founded), (MEMBERSHIP, members), (MERGE, merges)):
        if lines:
            connection.execute(insert(of), lines)


def remembered_reports(connection: Connection, story: StoryId, after: datetime, number: int) -> Sequence[Item]:
    """The reports that a story is remembered by, oldest first: its first and its newest, at most so many.

    They are as of the run at `after`.
    """
    now = current_memberships().with_only_columns(MEMBERSHIP.c.item_id)
    now = now.where(MEMBERSHIP.c.story_id == story, MEMBERSHIP.c.role == Role.REPORT.value)
    times = times_as_of(connection, (ItemId(one) for one in connection.execute(now).scalars()), after)
    ordered = sorted(times, key=lambda one: (times[one], one))
    chosen = ordered if len(ordered) <= number else [ordered[0], *ordered[1 - number :]]
    items: Mapping[ItemId, Item] = items_as_of(connection, chosen, after)
    return [items[one] for one in chosen]


# -- what a person decided, for the machine to leave alone --------------------------------------------


def placed_by_hand(connection: Connection) -> set[ItemId]:
    """The items that a person put, or left, where they are reports now."""
    query = current_memberships().with_only_columns(MEMBERSHIP.c.item_id)
    query = query.where(MEMBERSHIP.c.by_hand, MEMBERSHIP.c.role == Role.REPORT.value)
    return {ItemId(item) for item in connection.execute(query).scalars()}


def parted_by_hand(connection: Connection) -> set[tuple[StoryId, StoryId]]:
    """Pairs of stories, each in both orders, that a person parted: an item was taken out of one and is in the other."""
    out, here = MEMBERSHIP.alias("out"), MEMBERSHIP.alias("here")
    later = MEMBERSHIP.alias("later")

    def holds(one: FromClause) -> ColumnElement[bool]:
        newer = select(later.c.id).where(
            later.c.item_id == one.c.item_id, later.c.story_id == one.c.story_id, later.c.id > one.c.id
        )
        return ~newer.exists()

    query = select(out.c.story_id, here.c.story_id.label("other_id")).distinct()
    query = query.join(here, here.c.item_id == out.c.item_id)
    query = query.where(out.c.correction_id.is_not(None), out.c.role == "none", out.c.by_hand, holds(out))
    query = query.where(here.c.role == Role.REPORT.value, holds(here))
    heir = Ledger((), (), leads(connection)).lead
    found: set[tuple[StoryId, StoryId]] = set()
    for row in connection.execute(query):
        one, other = heir(StoryId(row.story_id)), heir(StoryId(row.other_id))
        found |= {(one, other), (other, one)}
    return found
