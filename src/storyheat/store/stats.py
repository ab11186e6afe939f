"""How large the database is, and what fills it."""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, exc, func, select, text
from sqlmodel import SQLModel

from storyheat.store.database import Database
from storyheat.store.facts import ItemRow
from storyheat.store.horizons import HORIZON
from storyheat.store.rows import table
from storyheat.store.schema import CACHE_TABLES, CONCLUSION_TABLES, FACT_TABLES, LOG_TABLES

ITEM = table(ItemRow)


@dataclass(frozen=True, slots=True)
class TableSize:
    """One table; bytes are None where this SQLite cannot tell (it lacks dbstat)."""

    name: str
    rows: int
    bytes: int | None
    index_bytes: int | None


@dataclass(frozen=True, slots=True)
class Stats:
    """Sizes in bytes. `free_bytes`: of the file, to be filled again; `log_bytes`: of the write-ahead log beside it;
    `body_bytes`: letters of texts and HTML in UTF-8."""

    bytes: int
    free_bytes: int
    log_bytes: int
    items: int
    body_bytes: int
    oldest_item_at: datetime | None  # first seen
    newest_item_at: datetime | None
    horizons: dict[str, datetime]
    tables: tuple[TableSize, ...]  # the largest first


def stats(database: Database) -> Stats:
    """Measures the database; reads all of it once."""
    with database.read() as connection:
        page, pages, free = (
            int(connection.exec_driver_sql(f"PRAGMA {name}").scalar() or 0)
            for name in ("page_size", "page_count", "freelist_count")
        )
        seen = connection.execute(select(func.min(ITEM.c.first_seen_at), func.max(ITEM.c.first_seen_at))).one()
        bodies = func.sum(func.octet_length(ITEM.c.text) + func.octet_length(ITEM.c.html))
        if connection.dialect.name == "sqlite":  # octet_length is younger than what we need else
            bodies = func.sum(text("length(CAST(text AS BLOB)) + length(CAST(html AS BLOB))"))
        body_bytes = connection.execute(select(bodies).select_from(ITEM)).scalar()
        tables = _tables(connection)
        horizons = {row.what: row.since_at for row in connection.execute(select(HORIZON).order_by(HORIZON.c.what))}
    log = Path(f"{database.name}-wal")
    return Stats(
        bytes=page * pages,
        free_bytes=page * free,
        log_bytes=log.stat().st_size if log.is_file() else 0,
        items=next(one.rows for one in tables if one.name == "item"),
        body_bytes=int(body_bytes or 0),
        oldest_item_at=seen[0],
        newest_item_at=seen[1],
        horizons=horizons,
        tables=tables,
    )


def _tables(connection: Connection) -> tuple[TableSize, ...]:
    names = [str(name) for name in (*FACT_TABLES, *CONCLUSION_TABLES, *CACHE_TABLES, *LOG_TABLES)]
    counts = {
        name: int(connection.execute(select(func.count()).select_from(SQLModel.metadata.tables[name])).scalar_one())
        for name in names
    }
    sizes = _bytes(connection)
    found = []
    for name in names:
        if sizes is None:
            found.append(TableSize(name, counts[name], None, None))
        else:
            index = sum(size for (of, own), size in sizes.items() if of == name and own != name)
            found.append(TableSize(name, counts[name], sizes.get((name, name), 0), index))
    return tuple(sorted(found, key=lambda one: (-(one.bytes or 0) - (one.index_bytes or 0), -one.rows, one.name)))


def _bytes(connection: Connection) -> dict[tuple[str, str], int] | None:
    """(table, itself or one of its indexes) → bytes."""
    query = (
        "SELECT named.tbl_name, used.name, sum(used.pgsize) FROM dbstat AS used "
        "JOIN sqlite_master AS named ON named.name = used.name GROUP BY named.tbl_name, used.name"
    )
    try:
        return {(row[0], row[1]): int(row[2]) for row in connection.exec_driver_sql(query)}
    except exc.OperationalError:
        return None
