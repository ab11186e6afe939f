"""Whether a database is sound, and a fingerprint of all that is in it."""

from collections.abc import Iterator
from hashlib import sha256

from sqlalchemy import Connection, Table, delete, exists, func, select
from sqlmodel import SQLModel

from storyheat.store.conclusions import LonerRow, MembershipRow
from storyheat.store.database import Database
from storyheat.store.facts import FetchRow, ItemRow
from storyheat.store.placing import derived_up_to
from storyheat.store.rows import table
from storyheat.store.schema import CONCLUSION_TABLES, FACT_TABLES

ITEM, MEMBERSHIP, LONER, FETCH = table(ItemRow), table(MembershipRow), table(LonerRow), table(FetchRow)
SHOWN_ROWS = 3  # differing rows named a table
SHOWN_LETTERS = 300  # of each
MEASURED = {FETCH.c.seconds}  # durations differ from run to run and say nothing


def problems(database: Database) -> list[str]:
    """What is wrong with a database, a sentence each; an empty list is a sound one."""
    found: list[str] = []
    with database.read() as connection:
        if connection.dialect.name == "sqlite":
            answers = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check")]
            found += [f"the file is damaged: {answer}" for answer in answers if answer != "ok"]
            for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
                found.append(f"table {row[0]}, row {row[1]}: points to nothing in {row[2]}")
        found += _unplaced(connection)
    return found


def _unplaced(connection: Connection) -> list[str]:
    """Items of finished runs that are in no story and not noted as alone."""
    derived = derived_up_to(connection, "cluster")
    if derived is None:
        return []
    placed = exists().where(MEMBERSHIP.c.item_id == ITEM.c.id)
    alone = exists().where(LONER.c.item_id == ITEM.c.id)
    lost = select(func.count()).select_from(ITEM).where(ITEM.c.first_seen_at <= derived[0], ~placed, ~alone)
    count = connection.execute(lost).scalar_one()
    return [f"{count} items were never placed: run `storyheat rebuild`"] if count else []


def digest(database: Database) -> str:
    """A fingerprint of every row but for measured durations: equal for equal histories."""
    with database.read() as connection:
        prints = table_prints(connection, (*FACT_TABLES, *CONCLUSION_TABLES))
    return sha256("\n".join(f"{name} {mark}" for name, mark in sorted(prints.items())).encode()).hexdigest()


def table_prints(connection: Connection, names: tuple[str, ...]) -> dict[str, str]:
    """A fingerprint of each table, rows in the order of their key."""
    return {name: _print(connection, SQLModel.metadata.tables[name]) for name in names}


def forget_conclusions(connection: Connection) -> None:
    """Empties every table that `rebuild` fills; their order does not matter until the transaction ends."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
    for name in reversed(CONCLUSION_TABLES):
        connection.execute(delete(SQLModel.metadata.tables[name]))


def compare_conclusions(stored: Connection, remade: Connection) -> Iterator[str]:
    """Where two sets of conclusions differ: a line a table, and some rows of each side."""
    before, after = table_prints(stored, CONCLUSION_TABLES), table_prints(remade, CONCLUSION_TABLES)
    for name in CONCLUSION_TABLES:
        if before[name] != after[name]:
            rows = select(SQLModel.metadata.tables[name])
            old = {repr(tuple(row)) for row in stored.execute(rows)}
            new = {repr(tuple(row)) for row in remade.execute(rows)}
            yield f"{name}: {len(old - new)} rows differ from what the facts give, {len(new - old)} are missing"
            for mark, some in (("stored", old - new), ("remade", new - old)):
                yield from (f"  {mark}: {row[:SHOWN_LETTERS]}" for row in sorted(some)[:SHOWN_ROWS])


def _print(connection: Connection, of: Table) -> str:
    columns = [column for column in of.columns if column not in MEASURED]
    rows = select(*columns).order_by(*of.primary_key.columns)
    mark = sha256()
    for row in connection.execute(rows.execution_options(yield_per=1000)):
        mark.update(repr(tuple(row)).encode("utf-8", "surrogatepass"))
        mark.update(b"\n")
    return mark.hexdigest()
