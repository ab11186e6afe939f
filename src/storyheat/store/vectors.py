"""The vectors of items in the database, each made once for a model."""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from sqlalchemy import Connection, delete, insert, select

from storyheat.core.clustering.meaning import Meaning
from storyheat.store.conclusions import ItemVectorRow
from storyheat.store.rows import batches, table

VECTOR = table(ItemVectorRow)


def text_mark(title: str, lead: str) -> str:
    """A fingerprint of embedded words: vectors of other words do not stand for an item."""
    return sha256(f"{title}\n{lead}".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def stored_meanings(connection: Connection, items: Iterable[str], model: str) -> dict[tuple[str, str], Meaning]:
    """(item, text mark) → meaning, of those items that have vectors of this model."""
    found = {}
    for batch in batches(sorted(set(items))):
        for row in connection.execute(select(VECTOR).where(VECTOR.c.item_id.in_(batch), VECTOR.c.model == model)):
            found[row.item_id, row.text_mark] = Meaning.from_bytes(row.title, row.lead)
    return found


def write_meanings(connection: Connection, meanings: Mapping[tuple[str, str], Meaning], model: str) -> None:
    """Writes new vectors; those of the same items by another model, or of other words, go."""
    rows = []
    for item, mark in sorted(meanings):
        title, lead = meanings[item, mark].to_bytes()
        rows.append({"item_id": item, "model": model, "text_mark": mark, "title": title, "lead": lead})
    for batch in batches(row["item_id"] for row in rows):
        connection.execute(delete(VECTOR).where(VECTOR.c.item_id.in_(batch)))
    if rows:
        connection.execute(insert(VECTOR), rows)
