"""What a person marked as selected, or as not, item by item; the newest mark of an item holds."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, insert, select

from storyheat.core.model import ItemId
from storyheat.core.stories.selection import Mark
from storyheat.store.editorial import SelectionRow
from storyheat.store.rows import batches, table

SELECTION = table(SelectionRow)


def mark_item(connection: Connection, item: ItemId, mark: Mark, at: datetime, who: str) -> None:
    """Marks an item by hand."""
    connection.execute(insert(SELECTION).values(item_id=item, mark=mark.value, at=at, who=who))


def marks(connection: Connection, items: Iterable[ItemId]) -> dict[ItemId, Mark]:
    """What a person decided about each of the items; those that nobody marked are left out."""
    found: dict[ItemId, Mark] = {}
    for some in batches(sorted(set(items))):
        query = select(SELECTION.c.item_id, SELECTION.c.mark).where(SELECTION.c.item_id.in_(some))
        for row in connection.execute(query.order_by(SELECTION.c.id)):
            found[ItemId(row.item_id)] = Mark(row.mark)
    return found
