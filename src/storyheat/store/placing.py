"""Copies, stories and memberships in the database: what is not placed yet, and what was decided."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from sqlalchemy import Connection, Row, Select, exists, insert, select, update

from storyheat.core.clustering.placing import Book, Decision, Placed
from storyheat.core.items.copies import Sketch
from storyheat.core.items.facts import Item
from storyheat.core.model import ItemId, Role, SourceId, StoryId
from storyheat.store.columns import instant_from_text
from storyheat.store.conclusions import CopyRow, DerivationRow, LonerRow, MembershipRow, SketchRow, StoryRow
from storyheat.store.facts import ItemRow, RevisionRow
from storyheat.store.intake import items_by_id
from storyheat.store.memberships import current_memberships
from storyheat.store.rows import batches, table

ITEM, REVISION = table(ItemRow), table(RevisionRow)
COPY, SKETCH, LONER = table(CopyRow), table(SketchRow), table(LonerRow)
STORY, MEMBERSHIP, DERIVATION = table(StoryRow), table(MembershipRow), table(DerivationRow)


OVERLAP = timedelta(hours=1)  # of two runs at once the one that began first may store last; none takes longer


@dataclass(frozen=True, slots=True)
class Batch:
    """What one run brought: items first seen at `at`, and items whose effective time moved then."""

    at: datetime
    new: tuple[ItemId, ...]
    moved: tuple[ItemId, ...]


def derived_up_to(connection: Connection, what: str) -> tuple[datetime, str] | None:
    """The instant and rule of the last run that made these conclusions; None: never."""
    row = connection.execute(select(DERIVATION).where(DERIVATION.c.what == what)).first()
    return None if row is None else (row.up_to, row.rule)


def note_derived(connection: Connection, what: str, rule: str | None, up_to: datetime) -> None:
    """Notes by which rule and up to which instant conclusions stand; None: there are none."""
    connection.execute(DERIVATION.delete().where(DERIVATION.c.what == what))
    if rule is not None:
        connection.execute(insert(DERIVATION).values(what=what, rule=rule, up_to=up_to))


def reopen(connection: Connection, at: datetime) -> None:
    """Before a second run at one instant: what the first concluded stands up to just before it.

    Conclusions that stand up to an instant then rest on all that was decided by it, and need no second look.
    """
    just_before = at - timedelta(seconds=1)
    connection.execute(update(DERIVATION).where(DERIVATION.c.up_to == at).values(up_to=just_before))


def unplaced_batches(connection: Connection, since: datetime | None) -> list[Batch]:
    """What is still to be placed, by instant. `since`: everything before it is placed, it itself perhaps not."""
    new: dict[datetime, list[ItemId]] = defaultdict(list)
    moved: dict[datetime, set[ItemId]] = defaultdict(set)
    placed = exists().where(MEMBERSHIP.c.item_id == ITEM.c.id)
    alone = exists().where(LONER.c.item_id == ITEM.c.id)
    items: Select[tuple[object, ...]] = select(ITEM.c.id, ITEM.c.first_seen_at).where(~placed, ~alone)
    moves: Select[tuple[object, ...]] = select(REVISION.c.item_id, REVISION.c.decided_at)
    moves = moves.where(REVISION.c.field == "effective_at")
    if since is not None:
        items = items.where(ITEM.c.first_seen_at >= since - OVERLAP)
        moves = moves.where(REVISION.c.decided_at >= since)
    for row in connection.execute(items.order_by(ITEM.c.first_seen_at, ITEM.c.id)):
        new[row.first_seen_at].append(row.id)
    for row in connection.execute(moves):
        moved[row.decided_at].add(row.item_id)
    return [Batch(at, tuple(new[at]), tuple(sorted(moved[at]))) for at in sorted({*new, *moved})]


def items_as_of(connection: Connection, ids: Iterable[ItemId], at: datetime) -> dict[ItemId, Item]:
    """The items as they stood right after the run at `at`: later revisions taken back."""
    found = items_by_id(connection, ids)
    for batch in batches(sorted(found)):
        later = select(REVISION).where(REVISION.c.item_id.in_(batch), REVISION.c.decided_at > at)
        for row in connection.execute(later.order_by(REVISION.c.id.desc())):
            found[ItemId(row.item_id)] = _taken_back(found[ItemId(row.item_id)], row)
    return found


def _taken_back(item: Item, row: Row[tuple[object, ...]]) -> Item:
    before = row.before
    if row.field == "effective_at":
        return replace(item, effective_at=instant_from_text(before))
    if row.field == "backlog":
        return replace(item, backlog=before == "1")
    if row.field == "source_id":
        return replace(item, source=SourceId(before))
    return replace(item, **{row.field: before})


def items_with_bands(connection: Connection, bands: Iterable[int]) -> dict[int, set[ItemId]]:
    """The stored items of each band."""
    found: dict[int, set[ItemId]] = defaultdict(set)
    for batch in batches(sorted(set(bands))):
        for row in connection.execute(select(SKETCH).where(SKETCH.c.band.in_(batch))):
            found[row.band].add(ItemId(row.item_id))
    return found


def read_book(connection: Connection, items: Iterable[ItemId]) -> Book:
    """Copy sets that touch the items, and the present roles of the items and of all members of those sets."""
    book, wanted = Book(), set(items)
    sets: set[str] = set()
    for batch in batches(sorted(wanted)):
        mine = select(COPY.c.set_id).where(COPY.c.item_id.in_(batch) | COPY.c.set_id.in_(batch))
        sets.update(row.set_id for row in connection.execute(mine))
    for names in batches(sorted(sets)):
        for row in connection.execute(select(COPY).where(COPY.c.set_id.in_(names)).order_by(COPY.c.item_id)):
            book.join_set(ItemId(row.item_id), ItemId(row.set_id))
    wanted |= book.copy_sets.keys()
    for batch in batches(sorted(wanted)):
        for row in connection.execute(current_memberships().where(MEMBERSHIP.c.item_id.in_(batch))):
            book.roles.setdefault(ItemId(row.item_id), {})[StoryId(row.story_id)] = Role(row.role)
            if row.by_hand:
                book.by_hand.add((ItemId(row.item_id), StoryId(row.story_id)))
    return book


def write_placed(connection: Connection, placed: Placed, at: datetime) -> None:
    """Writes the decisions of one batch."""
    if placed.founded:
        stories = [{"id": new, "founding_item_id": item, "decided_at": at} for new, item in placed.founded]
        connection.execute(insert(STORY), stories)
    if placed.copies:
        connection.execute(
            insert(COPY),
            [
                {
                    "item_id": item,
                    "set_id": like.copy_set,
                    "like_id": like.like,
                    "similarity": like.similarity,
                    "decided_at": at,
                }
                for item, like in placed.copies
            ],
        )
    members = [_membership(decision, at) for decision in placed.decisions if decision.role is not None]
    if members:
        connection.execute(insert(MEMBERSHIP), members)
    loners = [
        {"item_id": decision.item, "decided_at": at, "because": dict(decision.because)}
        for decision in placed.decisions
        if decision.role is None
    ]
    if loners:
        connection.execute(insert(LONER), loners)


def _membership(decision: Decision, at: datetime) -> dict[str, object]:
    assert decision.role is not None
    return {
        "item_id": decision.item,
        "story_id": decision.story,
        "role": decision.role.value,
        "decided_at": at,
        "decided_by": "machine",
        "by_hand": decision.by_hand,
        "because": dict(decision.because),
    }


def write_sketches(connection: Connection, sketches: Mapping[ItemId, Sketch]) -> None:
    """Indexes the bands of new items, so that later ones find them."""
    bands = [(band, item) for item in sorted(sketches) for band in sorted(set(sketches[item].bands))]
    rows = [{"band": band, "item_id": item} for band, item in bands]
    if rows:
        connection.execute(insert(SKETCH), rows)
