"""Whether a database is sound, and a fingerprint of all that is in it."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, Table, delete, exists, func, select
from sqlmodel import SQLModel

from storyheat.store import source_tallies
from storyheat.store.columns import instant_text, record_text
from storyheat.store.conclusions import HeatRow, LonerRow, MeasureRow, MembershipRow, WatchedRow
from storyheat.store.database import Database
from storyheat.store.facts import FetchRow, ItemRow
from storyheat.store.horizons import back_to_settled
from storyheat.store.placing import derived_up_to
from storyheat.store.rows import table
from storyheat.store.schema import CONCLUSION_TABLES, FACT_TABLES
from storyheat.store.telling import forget_tellings

ITEM, MEMBERSHIP, LONER, FETCH = table(ItemRow), table(MembershipRow), table(LonerRow), table(FetchRow)
MEASURE, HEAT, WATCHED = table(MeasureRow), table(HeatRow), table(WatchedRow)
SHOWN_ROWS = 3  # differing rows named a table, of each kind
SHOWN_LETTERS = 60  # of a value
# What tells rows of a log apart for people, whose numbers in order say nothing.
LOG_KEYS = {
    "membership": ("item_id", "story_id", "decided_at"),
    "merge": ("story_id", "into_id", "decided_at"),
}
MEASURED = {FETCH.c.seconds}  # durations differ from run to run and say nothing


def problems(database: Database) -> list[str]:
    """What is wrong with a database, a sentence each with what to do; an empty list is a sound one."""
    with database.read() as connection:
        if connection.dialect.name != "sqlite":
            return _unplaced(connection)
        answers = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check")]
        damage = [answer for answer in answers if answer != "ok"]
        if damage:  # whatever else is wrong may come of it
            more = f", and {_count(len(damage) - 1, 'further fault')}" if len(damage) > 1 else ""
            return [f"the file is damaged ({damage[0]}{more}): restore a backup"]
        lost: dict[tuple[str, str], int] = {}
        for row in connection.exec_driver_sql("PRAGMA foreign_key_check"):
            lost[row[0], row[2]] = lost.get((row[0], row[2]), 0) + 1
        found = []
        for (name, target), rows in sorted(lost.items()):
            remedy = "run `storyheat rebuild`" if name in CONCLUSION_TABLES else "restore a backup"
            found.append(
                f"{_count(rows, 'row')} of {name} {_verb(rows, 'leads', 'lead')} nowhere in {target}: {remedy}"
            )
        if not source_tallies.is_right(connection):
            found.append("the items of sources are counted wrongly: run `storyheat rebuild`")
        return found + _unplaced(connection)


def unfinished(connection: Connection) -> bool:
    """Whether a run has stored facts that are not placed or not measured yet: it is at work, or was cut off."""
    placed, measured = derived_up_to(connection, "cluster"), derived_up_to(connection, "heat")
    # The last row, not the latest: a clock that ran ahead and was set right leaves later ones.
    polled = connection.execute(select(FETCH.c.at).order_by(FETCH.c.id.desc()).limit(1)).scalar()
    if placed is None or measured is None:
        return polled is not None
    return placed[0] > measured[0] or (polled is not None and polled > measured[0])


def _unplaced(connection: Connection) -> list[str]:
    """Items of finished runs that are in no story and not noted as alone."""
    derived = derived_up_to(connection, "cluster")
    if derived is None:
        return []
    placed = exists().where(MEMBERSHIP.c.item_id == ITEM.c.id)
    alone = exists().where(LONER.c.item_id == ITEM.c.id)
    lost = select(func.count()).select_from(ITEM).where(ITEM.c.first_seen_at <= derived[0], ~placed, ~alone)
    count = connection.execute(lost).scalar_one()
    if not count:
        return []
    return [f"{_count(count, 'item')} {_verb(count, 'was', 'were')} never placed: run `storyheat rebuild`"]


def digest(database: Database) -> str:
    """A fingerprint of all that was seen and concluded, but for measured durations: equal for equal histories.

    The logs of who worked on the database are left out: a run that was cut off and made up for leaves other lines.
    """
    with database.read() as connection:
        prints = table_prints(connection, (*FACT_TABLES, *CONCLUSION_TABLES))
    return sha256("\n".join(f"{name} {mark}" for name, mark in sorted(prints.items())).encode()).hexdigest()


def table_prints(connection: Connection, names: tuple[str, ...]) -> dict[str, str]:
    """A fingerprint of each table, rows in the order of their key."""
    return {name: _print(connection, SQLModel.metadata.tables[name]) for name in names}


def forget_conclusions(connection: Connection) -> None:
    """Empties every table that `rebuild` fills, but for settled decisions; their order does not matter until the
    transaction ends."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("PRAGMA defer_foreign_keys = ON")
    for derived in (MEASURE, HEAT, WATCHED):
        connection.execute(delete(derived))
    forget_tellings(connection, back_to_settled(connection))


def compare_conclusions(stored: Connection, remade: Connection) -> Iterator[str]:
    """Where two sets of conclusions differ, in words: a line a table, and some rows with what stands in each."""
    before, after = table_prints(stored, CONCLUSION_TABLES), table_prints(remade, CONCLUSION_TABLES)
    for name in CONCLUSION_TABLES:
        if before[name] != after[name]:
            yield from _compare(SQLModel.metadata.tables[name], stored, remade)


def _compare(of: Table, stored: Connection, remade: Connection) -> Iterator[str]:
    key = LOG_KEYS.get(of.name) or tuple(column.name for column in of.primary_key.columns)
    values = [column.name for column in of.columns if column.name not in key and not column.primary_key]
    old, new = _by_key(of, key, stored), _by_key(of, key, remade)
    differing = [one for one in sorted(old.keys() & new.keys()) if old[one] != new[one]]
    extra, missing = sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys())
    told = [
        f"{_count(len(rows), 'row')} {_verb(len(rows), singular, plural)}"
        for rows, singular, plural in (
            (differing, "differs", "differ"),
            (missing, "is missing", "are missing"),
            (extra, "should not be there", "should not be there"),
        )
        if rows
    ]
    yield f"{of.name}: {', '.join(told) or 'the same rows in another order'}"
    for one in differing[:SHOWN_ROWS]:
        for column in values:
            before, after = (_words(side[one][column]) for side in (old, new))
            if before != after:
                yield f"  {_named(key, one)}: {column}: stored {before} / remade {after}"
    for rows, words in ((missing, "missing"), (extra, "stored, and not remade")):
        yield from (f"  {_named(key, one)}: {words}" for one in rows[:SHOWN_ROWS])


def _by_key(of: Table, key: tuple[str, ...], connection: Connection) -> dict[tuple[str, ...], Mapping[str, Any]]:
    columns = [column for column in of.columns if column.name in key or not _is_number(of, column.name)]
    rows = connection.execute(select(*columns)).mappings()
    return {tuple(_words(row[name]) for name in key): dict(row) for row in rows}


def _is_number(of: Table, column: str) -> bool:
    """Whether a column only numbers the rows of a log."""
    return of.name in LOG_KEYS and of.columns[column].primary_key


def _named(key: tuple[str, ...], values: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(key, values, strict=True))


def _words(value: Any) -> str:
    """A value of a column for people."""
    if value is None:
        return "unknown"
    if isinstance(value, datetime):
        return instant_text(value)
    if isinstance(value, bytes):
        return f"{_count(len(value), 'byte')} ({sha256(value).hexdigest()[:8]})"
    text = record_text(value) if isinstance(value, dict | list) else str(value)
    return text if len(text) <= SHOWN_LETTERS else text[: SHOWN_LETTERS - 1] + "…"


def _count(number: int, name: str) -> str:
    return f"{number} {_verb(number, name, name + 's')}"


def _verb(number: int, singular: str, plural: str) -> str:
    return singular if number == 1 else plural


def _print(connection: Connection, of: Table) -> str:
    columns = [column for column in of.columns if column not in MEASURED]
    rows = select(*columns).order_by(*of.primary_key.columns)
    mark = sha256()
    for row in connection.execute(rows.execution_options(yield_per=1000)):
        mark.update(repr(tuple(row)).encode("utf-8", "surrogatepass"))
        mark.update(b"\n")
    return mark.hexdigest()
