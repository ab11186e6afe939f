"""What a person marked as selected, or as not, item by item; the newest mark of an item holds."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, insert, select

from storyheat.core.model import ItemId
from storyheat.core.stories.selection import Mark
from storyheat.store.editorial import SelectionRow
from storyheat.store.rows import SOME, rows_of, table

SELECTION = table(SelectionRow)
_MARKS = select(SELECTION.c.item_id, SELECTION.c.mark).where(SELECTION.c.item_id.in_(SOME)).order_by(SELECTION.c.id)


def mark_item(connection: Connection, item: ItemId, mark: Mark, at: datetime, who: str) -> None:
    """Marks an item by hand."""
    connection.execute(insert(SELECTION).values(item_id=item, mark=mark.value, at=at, who=who))


def marks(connection: Connection, items: Iterable[ItemId]) -> dict[ItemId, Mark]:
    """What a person decided about each of the items; those that nobody marked are left out."""
    return {ItemId(row.item_id): Mark(row.mark) for row in rows_of(connection, _MARKS, items)}
