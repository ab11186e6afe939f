"""How many items each source has, counted as they come and go: to count a million takes longer than a page may."""

from collections.abc import Collection, Mapping

from sqlalchemy import Connection, delete, func, insert, select, update

from storyheat.core.model import ItemId, SourceId
from storyheat.store.facts import ItemRow
from storyheat.store.rows import table
from storyheat.store.upkeep import SourceTallyRow

ITEM, TALLY = table(ItemRow), table(SourceTallyRow)
_COUNTED = select(ITEM.c.source_id, func.count()).group_by(ITEM.c.source_id)


def item_counts(connection: Connection) -> dict[SourceId, int]:
    """How many items belong to each source; sources without one are left out."""
    query = select(TALLY.c.source_id, TALLY.c.item_count).where(TALLY.c.item_count > 0).order_by(TALLY.c.source_id)
    return {SourceId(row.source_id): row.item_count for row in connection.execute(query)}


def count_in(connection: Connection, came: Mapping[SourceId, int]) -> None:
    """Counts items that are stored in the same transaction."""
    for source, number in sorted(came.items()):
        known = TALLY.c.source_id == source
        if not connection.execute(update(TALLY).where(known).values(item_count=TALLY.c.item_count + number)).rowcount:
            connection.execute(insert(TALLY).values(source_id=source, item_count=number))


def count_out(connection: Connection, going: Collection[ItemId]) -> None:
    """Counts items out that are about to be deleted in the same transaction."""
    counted = connection.execute(_COUNTED.where(ITEM.c.id.in_(going)))
    count_in(connection, {SourceId(source): -number for source, number in counted})


def is_right(connection: Connection) -> bool:
    """Whether the counts are those of the items, each of which is looked at."""
    counted = {SourceId(source): number for source, number in connection.execute(_COUNTED)}
    return counted == item_counts(connection)


def recount(connection: Connection) -> None:
    """Counts all items anew."""
    connection.execute(delete(TALLY))
    connection.execute(insert(TALLY).from_select([TALLY.c.source_id, TALLY.c.item_count], _COUNTED))
