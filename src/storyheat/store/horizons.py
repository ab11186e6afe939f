"""How far back each kind of data reaches, and the settling of decisions: from where `rebuild` begins."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from storyheat.store.conclusions import (
    CopyRow,
    DerivationRow,
    LonerRow,
    MembershipRow,
    MergeRow,
    SketchRow,
    StoryRow,
    StoryStateRow,
    TermRow,
)
from storyheat.store.facts import ItemRow
from storyheat.store.rows import batches, table
from storyheat.store.upkeep import HorizonRow, SettledStateRow, SettledTermRow, TombstoneRow

HORIZON, TOMBSTONE = table(HorizonRow), table(TombstoneRow)
ITEM, SKETCH, DERIVATION = table(ItemRow), table(SketchRow), table(DerivationRow)
STATE, TERM = table(StoryStateRow), table(TermRow)
SETTLED_STATE, SETTLED_TERM = table(SettledStateRow), table(SettledTermRow)
DECIDED = tuple(table(row) for row in (MembershipRow, LonerRow, CopyRow, MergeRow, StoryRow))  # children first


def horizon(connection: Connection, what: str) -> datetime | None:
    """Up to where this kind of data was let go or settled; None: nothing was."""
    return connection.execute(select(HORIZON.c.since_at).where(HORIZON.c.what == what)).scalar()


def move_horizon(connection: Connection, what: str, at: datetime) -> None:
    """Notes a new horizon; what was let go does not come back, so it never moves to the past."""
    known = horizon(connection, what)
    if known is None or known < at:
        _note(connection, what, at)


def note_day(connection: Connection, day: datetime) -> None:
    """Notes the day that house was last kept, also one before: a clock that ran ahead may have been set right."""
    _note(connection, "house", day)


def _note(connection: Connection, what: str, at: datetime) -> None:
    connection.execute(delete(HORIZON).where(HORIZON.c.what == what))
    connection.execute(insert(HORIZON).values(what=what, since_at=at))


def settle(connection: Connection, at: datetime) -> None:
    """Settles all decisions up to now, a run's instant: `rebuild` will keep them and begin with this memory.

    Before that nothing that they were made of may go.
    """
    move_horizon(connection, "decisions", at)
    for kept, now in ((SETTLED_STATE, STATE), (SETTLED_TERM, TERM)):
        connection.execute(delete(kept))
        columns = [column.name for column in kept.columns]
        connection.execute(insert(kept).from_select(columns, select(*(now.c[name] for name in columns))))


def back_to_settled(connection: Connection) -> datetime | None:
    """Forgets the decisions made since they were last settled; the instant of that; None: never, so all go.

    What is derived from decisions (heat, figures) is left to the caller.
    """
    settled = horizon(connection, "decisions")
    if settled is None:
        for forgotten in (*DECIDED, SKETCH, STATE, TERM, DERIVATION):
            connection.execute(delete(forgotten))
        return None
    for decided in DECIDED:
        connection.execute(delete(decided).where(decided.c.decided_at > settled))
    later = select(ITEM.c.id).where(ITEM.c.first_seen_at > settled)
    connection.execute(delete(SKETCH).where(SKETCH.c.item_id.in_(later)))
    for kept, now in ((SETTLED_STATE, STATE), (SETTLED_TERM, TERM)):
        connection.execute(delete(now))
        columns = [column.name for column in kept.columns]
        connection.execute(insert(now).from_select(columns, select(*(kept.c[name] for name in columns))))
    settled_too = DERIVATION.c.what.in_(("cluster", "telling"))
    connection.execute(DERIVATION.update().where(settled_too).values(up_to=settled))
    connection.execute(delete(DERIVATION).where(~settled_too))
    return settled


def let_go(connection: Connection, keys: Iterable[int]) -> frozenset[int]:
    """Which of the keys are those of items that were let go."""
    if connection.execute(select(TOMBSTONE.c.key).limit(1)).first() is None:
        return frozenset()
    found: set[int] = set()
    for some in batches(sorted(set(keys))):
        found.update(connection.execute(select(TOMBSTONE.c.key).where(TOMBSTONE.c.key.in_(some))).scalars())
    return frozenset(found)


def bury(connection: Connection, keys: Iterable[int]) -> None:
    """Remembers the keys of items that are let go."""
    wanted = set(keys)
    rows = [{"key": key} for key in sorted(wanted - let_go(connection, wanted))]
    if rows:
        connection.execute(insert(TOMBSTONE), rows)
