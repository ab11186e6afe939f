"""Small helpers around rows: the table of a class, and values in batches that a statement can carry."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import BindParameter, Connection, Executable, Row, Table, bindparam
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


# A statement that is built once, at import, is answered in half the time of one that is built for each question.
SOME: BindParameter[Any] = bindparam("some", expanding=True)  # stands in it for a run of values: column.in_(SOME)


def rows_of(connection: Connection, query: Executable, values: Iterable[str]) -> Iterator[Row[Any]]:
    """The rows of a statement with `SOME` in it, for all values: sorted, in runs that a statement can carry."""
    for some in batches(sorted(set(values))):
        yield from connection.execute(query, {"some": some})
