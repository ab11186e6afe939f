"""What only SQLite can show: the file, its schema, its locks, and the words for what goes wrong."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlmodel import SQLModel
from tests.fakes import ScriptedFetcher
from tests.planted import NOON, SOURCES, documents
from tests.runs import Runs, new_database, pipeline_of

from storyheat.core.model import StoryId
from storyheat.errors import ConfigError, DatabaseBusy, DatabaseError, WrongVersion
from storyheat.store.database import Database, in_words, open_any_version, open_database, schema_version
from storyheat.store.migrate import alembic_config, upgrade
from storyheat.store.polls import ask_poll, polls, take_answer
from storyheat.store.schema import (
    CACHE_TABLES,
    CONCLUSION_TABLES,
    FACT_TABLES,
    LOG_TABLES,
    described,
    views,
)
from storyheat.store.versions import APPLICATION_ID, HEAD, KNOWN_VERSIONS


def url(path: Path) -> str:
    return f"sqlite:///{path}"


def raw(path: Path) -> closing[sqlite3.Connection]:
    """The file as another program sees it; every statement is its own transaction."""
    return closing(sqlite3.connect(path, isolation_level=None, timeout=0))


# -- the schema -----------------------------------------------------------------------------------


OTHERS = ("sqlite_", "alembic_version", "search_index")  # tables of SQLite, of Alembic and of FTS5


def schema_of(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Every table and index by name: its definition as lines, whose order says nothing."""
    rows = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL"
    ).fetchall()
    return {name: sorted(line.strip().rstrip(",") for line in sql.splitlines()) for name, sql in rows}


def test_the_migrations_make_the_tables_of_the_classes(tmp_path: Path) -> None:
    new_database(tmp_path, "migrated.db").close()
    engine = create_engine(url(tmp_path / "classes.db"))
    SQLModel.metadata.create_all(engine)
    engine.dispose()
    with raw(tmp_path / "migrated.db") as migrated, raw(tmp_path / "classes.db") as classes:
        made = {name: lines for name, lines in schema_of(migrated).items() if not name.startswith("search_index")}
        del made["alembic_version"]
        assert made == schema_of(classes)


def test_every_migration_is_known_in_order() -> None:
    scripts = [script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()]
    assert scripts[::-1] == list(KNOWN_VERSIONS)


def test_every_table_is_strict_documented_and_of_one_kind(tmp_path: Path) -> None:
    new_database(tmp_path).close()
    with raw(tmp_path / "storyheat.db") as connection:
        strict = {
            name: bool(yes) for _, name, kind, _, _, yes in connection.execute("PRAGMA table_list") if kind == "table"
        }
    ours = {name: yes for name, yes in strict.items() if not name.startswith(OTHERS)}
    assert ours == dict.fromkeys([*FACT_TABLES, *CONCLUSION_TABLES, *CACHE_TABLES, *LOG_TABLES], True)
    assert all(column.comment for table in SQLModel.metadata.tables.values() for column in table.columns)
    page = described()
    assert all(f"#### `{name}`" in page for name in ours)


def test_every_check_has_a_name() -> None:
    checks = [check for table in SQLModel.metadata.tables.values() for check in table.constraints]
    assert all(check.name for check in checks if type(check).__name__ in ("CheckConstraint", "UniqueConstraint"))


def test_the_file_is_ours_and_in_wal_mode_with_foreign_keys_on(tmp_path: Path) -> None:
    database = new_database(tmp_path)
    with database.read() as connection:
        pragma = [
            connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("application_id", "journal_mode", "foreign_keys")
        ]
    assert pragma == [APPLICATION_ID, "wal", 1]
    database.close()


def test_the_views_run_and_tell_what_they_promise(tmp_path: Path) -> None:
    database = new_database(tmp_path)
    Runs(pipeline_of(database, ScriptedFetcher(documents()), SOURCES)).at(NOON)
    with database.write() as connection:
        story = StoryId(str(connection.exec_driver_sql("SELECT story_id FROM top_stories").scalars().first()))
        ask_poll(connection, story, "Will it hold?", ["yes", "no"], NOON)
        [poll] = polls(connection)
        take_answer(connection, poll, "a browser", 1, NOON)
    with database.read() as connection:
        given = connection.exec_driver_sql("SELECT question, answer, given FROM poll_results").all()
        counts = {name: len(connection.exec_driver_sql(f"SELECT * FROM {name}").all()) for name, _ in views()}
        top = connection.exec_driver_sql("SELECT rank, heat, change_24h, voices, title FROM top_stories").all()
    assert counts == {
        "story_items": 9,
        "story_title": 3,
        "latest_developments": 3,
        "top_stories": 3,
        "story_timeline": 9,
        "story_heat": 5,
        "feed_health": 8,
        "poll_results": 2,
        "selected_items": 1,
    }
    assert [tuple(row) for row in given] == [("Will it hold?", "yes", 0), ("Will it hold?", "no", 1)]
    assert [tuple(row) for row in top] == [
        (1, 29.2, "", 3, "Port Elling closes Harbour Bridge after storm Berta cracks pylon"),
        (2, 10.0, "", 1, "How to prune an apple tree in winter"),
        (3, 10.0, "", 1, "Six knots every sailor knows"),
    ]
    database.close()


# -- opening --------------------------------------------------------------------------------------


def test_a_missing_database_is_made_only_where_that_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    with pytest.raises(DatabaseError, match=r"no database at .*new\.db: run `storyheat ingest`"):
        open_database(url(path))
    assert not path.exists()
    open_database(url(path), create=True).close()
    open_database(url(path)).close()


def test_an_empty_file_becomes_a_database_only_where_that_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    path.touch()
    with pytest.raises(DatabaseError, match="holds no storyheat tables"):
        open_database(url(path))
    open_database(url(path), create=True).close()


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match=r"the folder .*nowhere does not exist; create it first"):
        open_database(url(tmp_path / "nowhere" / "x.db"), create=True)


def test_a_database_of_another_program_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "theirs.db"
    with raw(path) as connection:
        connection.execute("CREATE TABLE recipe (name)")
    before = path.read_bytes()
    for create in (False, True):
        with pytest.raises(DatabaseError, match="a database of another program"):
            open_database(url(path), create=create)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_said(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Buy milk. " * 200)
    with pytest.raises(DatabaseError, match="is no SQLite database"):
        open_database(url(path), create=True)


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="cannot be opened"):
        open_database(url(tmp_path))


def test_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    new_database(tmp_path).close()
    path = tmp_path / "storyheat.db"
    with raw(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(
        WrongVersion, match=r"newer storyheat .schema 9999, this program knows up to .*nothing was changed"
    ):
        open_database(url(path))
    database = open_any_version(url(path))
    with pytest.raises(WrongVersion, match="newer storyheat"):
        upgrade(database)
    assert schema_version(database) == "9999"
    database.close()


def test_an_older_version_is_refused_until_it_is_upgraded_and_loses_nothing(tmp_path: Path) -> None:
    database = new_database(tmp_path)
    Runs(pipeline_of(database, ScriptedFetcher(documents()), SOURCES)).at(NOON)
    database.close()
    path = tmp_path / "storyheat.db"
    with raw(path) as connection:  # back to the first version, which had the facts only
        for name in ("search_index", *CACHE_TABLES, *CONCLUSION_TABLES):
            connection.execute(f"DROP TABLE {name}")
        connection.execute(f"UPDATE alembic_version SET version_num = '{KNOWN_VERSIONS[0]}'")
    with pytest.raises(WrongVersion, match="has the older schema 0001: run `storyheat db upgrade` once"):
        open_database(url(path))
    old = open_any_version(url(path))
    assert upgrade(old) == KNOWN_VERSIONS[1:]
    old.close()
    current = open_database(url(path))
    with current.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM item").scalar() == 9
    current.close()


def test_an_upgrade_of_a_current_database_renews_its_views(tmp_path: Path) -> None:
    new_database(tmp_path).close()
    path = tmp_path / "storyheat.db"
    with raw(path) as connection:
        connection.execute("DROP VIEW top_stories")
    database = open_any_version(url(path))
    assert upgrade(database) == ()
    assert schema_version(database) == HEAD
    with database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM top_stories").scalar() == 0
    database.close()


def test_an_upgrade_makes_a_missing_database(tmp_path: Path) -> None:
    database = open_any_version(url(tmp_path / "new.db"))
    assert upgrade(database) == KNOWN_VERSIONS
    database.close()


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ("storyheat.db", "write it like sqlite:///storyheat.db"),
        ("postgresql://ada:secret@db/x", "only sqlite:///FILE is supported"),
        ("nosuch://x", "write it like|only sqlite"),
    ],
)
def test_an_address_that_cannot_be_used_is_a_mistake_in_words(bad: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words) as error:
        open_database(bad)
    assert "secret" not in str(error.value)


def test_a_database_in_memory_needs_no_file() -> None:
    database = open_database("sqlite://", create=True)
    assert schema_version(database) == HEAD
    database.close()


# -- locks and other trouble ----------------------------------------------------------------------


def impatient(tmp_path: Path) -> Database:
    new_database(tmp_path).close()
    return open_database(url(tmp_path / "storyheat.db"), busy_seconds=0)


def test_a_locked_database_is_busy_in_words_and_readable(tmp_path: Path) -> None:
    database = impatient(tmp_path)
    with raw(tmp_path / "storyheat.db") as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusy, match="held by another program: waited 0 seconds"), database.write():
            pass
        with database.read() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM source").scalar() == 0
        other.execute("ROLLBACK")
        with database.write() as connection:
            connection.exec_driver_sql("DELETE FROM source")
    database.close()


def test_someone_who_reads_for_long_stops_no_run(tmp_path: Path) -> None:
    database = impatient(tmp_path)
    with raw(tmp_path / "storyheat.db") as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM item").fetchall()
        runs = Runs(pipeline_of(database, ScriptedFetcher(documents()), SOURCES))
        assert runs.at(NOON).items_new == 9
        assert reader.execute("SELECT count(*) FROM item").fetchone() == (0,)
    database.close()


def test_a_copy_is_whole(tmp_path: Path) -> None:
    database = new_database(tmp_path)
    Runs(pipeline_of(database, ScriptedFetcher(documents()), SOURCES)).at(NOON)
    database.copy_to(tmp_path / "copy.db")
    copy = open_database(url(tmp_path / "copy.db"))
    with copy.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM item").scalar() == 9
    copy.close()
    database.close()


def _read_only(folder: Path) -> None:
    with raw(folder / "x.db") as connection:
        connection.execute("CREATE TABLE t (a)")
    with closing(sqlite3.connect(f"file:{folder / 'x.db'}?mode=ro", uri=True)) as connection:
        connection.execute("INSERT INTO t VALUES (1)")


def _full(folder: Path) -> None:
    with raw(folder / "x.db") as connection:
        connection.execute("PRAGMA max_page_count = 1")
        connection.execute("CREATE TABLE t (a)")


def _damaged(folder: Path) -> None:
    path = folder / "x.db"
    with raw(path) as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO t VALUES (?)", [(n * "x",) for n in range(500)])
        connection.execute("COMMIT")
    broken = bytearray(path.read_bytes())
    broken[4096:] = bytes(len(broken) - 4096)
    path.write_bytes(broken)
    with raw(path) as connection:
        connection.execute("SELECT sum(length(a)) FROM t").fetchall()


def _unheard_of(folder: Path) -> None:
    raise sqlite3.OperationalError("the moon is full")


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (_read_only, "cannot be written: check the rights"),
        (_full, "cannot grow, the disk is full"),
        (_damaged, "is damaged: restore a backup"),
        (_unheard_of, "the moon is full.*: restore a backup, or begin another with --db"),
    ],
)
def test_trouble_with_the_file_has_words(tmp_path: Path, trouble: Callable[[Path], None], words: str) -> None:
    with pytest.raises(DatabaseError, match=words), in_words("x.db"):
        trouble(tmp_path)


def test_the_newest_poll_is_what_feed_health_tells(tmp_path: Path) -> None:
    database = new_database(tmp_path)
    fetcher = ScriptedFetcher()
    Runs(pipeline_of(database, fetcher, SOURCES[:1])).at(NOON, NOON + timedelta(hours=2))
    with database.read() as connection:
        (row,) = connection.exec_driver_sql(
            "SELECT health, failures_in_row, last_poll_at, last_failure FROM feed_health"
        )
    assert tuple(row) == ("failing", 2, "2026-11-10T14:00:00Z", "https://ahead.example/feed does not resolve")
    database.close()
