"""Small helpers around rows: the table of a class, and values in batches that a statement can carry."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeVar

from sqlalchemy import Table
from sqlmodel import SQLModel

T = TypeVar("T")
BATCH = 500  # values in one IN list; SQLite takes 32,766 in a statement (since 3.32, STRICT needs 3.37)


def table(row: type[SQLModel]) -> Table:
    """The table behind a row class, for statements that read and write many rows."""
    made = row.__table__  # type: ignore[attr-defined]
    assert isinstance(made, Table)
    return made


def batches(values: Iterable[T]) -> Iterator[Sequence[T]]:
    """The values in runs of at most BATCH."""
    iterator = iter(values)
    while batch := tuple(islice(iterator, BATCH)):
        yield batch
