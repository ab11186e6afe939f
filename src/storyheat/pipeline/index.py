"""Keeps the search index up to date at the end of a run; it is made anew where much of it has become waste."""

from datetime import datetime

from storyheat.store import search
from storyheat.store.database import Transaction


def index(connection: Transaction, now: datetime) -> None:
    """Indexes what is new or revised since the last time."""
    if not search.has_index(connection):
        return
    if search.waste(connection) > search.WASTE:
        search.clear(connection)
    search.index(connection, search.unindexed(connection), now)
