"""One open database: connections, transactions, pragmas, and SQL errors in words."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, exc
from sqlalchemy.engine import make_url

from storyheat.errors import ConfigError, DatabaseBusy, DatabaseError, NoDatabase, UsageError, WrongVersion
from storyheat.store.versions import APPLICATION_ID, HEAD, KNOWN_VERSIONS

Transaction = Connection  # what the layers above hand around between `store` functions, and never look into
BUSY_SECONDS = 30.0  # how long a write waits for another program; SQLite retries in between
_BESIDE = ("", "-wal", "-shm", "-journal", ".lock", ".daemon")  # endings of the files of a database in use


class Database:
    """An open database of this program's schema version. Made by `open_database`."""

    def __init__(self, engine: Engine, name: str, busy_seconds: float = BUSY_SECONDS) -> None:
        self.engine = engine
        self.name = name
        self.busy_seconds = busy_seconds

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent view of the data, for reading only. Raises DatabaseError in words."""
        with in_words(self.name, self.busy_seconds), self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction that holds the write lock from its start; all of it lands or nothing."""
        with in_words(self.name, self.busy_seconds), self.engine.connect() as connection:
            immediate = connection.execution_options(storyheat_immediate=True)
            with immediate.begin():
                yield immediate

    @contextmanager
    def write_trusted(self) -> Iterator[Connection]:
        """The same for one who removes rows with all that lead to them: SQLite does not look for such rows itself.

        It would read whole tables for each row that goes.
        """
        with in_words(self.name, self.busy_seconds), self.engine.connect() as connection:
            sqlite = connection.dialect.name == "sqlite"
            raw = connection.connection.driver_connection
            assert raw is not None
            if sqlite:
                raw.execute("PRAGMA foreign_keys = OFF")  # has no effect inside a transaction
            try:
                immediate = connection.execution_options(storyheat_immediate=True)
                with immediate.begin():
                    yield immediate
            finally:
                if sqlite:
                    raw.execute("PRAGMA foreign_keys = ON")

    def copy_to(self, path: Path) -> None:
        """Writes a consistent copy to a new SQLite file, while others may read and write."""
        with in_words(self.name, self.busy_seconds), self.engine.connect() as connection:
            source = connection.connection.driver_connection
            assert isinstance(source, sqlite3.Connection)
            with closing(sqlite3.connect(path)) as target:
                source.backup(target)

    def close(self) -> None:
        """Gives up all connections."""
        self.engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_database(
    url: str, *, create: bool = False, busy_seconds: float = BUSY_SECONDS, read_only: bool = False
) -> Database:
    """Opens the database at an SQLAlchemy URL and checks that its schema is ours and of this version.

    With `create` a missing or empty database is made. `busy_seconds`: how long to wait for another program
    that writes; then DatabaseBusy is raised. `read_only`: its connections refuse to write. Raises ConfigError for
    a URL that cannot be used, NoDatabase where there is none, WrongVersion for another version, DatabaseError for
    everything else.
    """
    engine, name = _engine(url, busy_seconds, read_only=read_only), database_name(url)
    path = sqlite_path(url)
    if path is not None and not path.exists() and not create:
        engine.dispose()
        raise NoDatabase(f"no database at {name}: run `storyheat ingest` or `storyheat init` first")
    if path is not None and create and not path.parent.is_dir():
        engine.dispose()
        raise DatabaseError(f"cannot create {name}: the folder {path.parent} does not exist; create it first")
    database = _readable(Database(engine, name, busy_seconds), path)
    try:
        if _is_ready(database):
            return database
        if not create:
            raise NoDatabase(f"{name} holds no storyheat tables: run `storyheat db upgrade` first")
        from storyheat.store.migrate import upgrade

        upgrade(database)
    except BaseException:
        database.close()
        raise
    return database


def refuse_others(url: str) -> None:
    """Raises WrongVersion or DatabaseError if the file of a URL is there and is not ours and of this version."""
    path = sqlite_path(url)
    if path is not None and path.exists():
        database = _readable(Database(_engine(url), database_name(url)), path)
        try:
            _is_ready(database)
        finally:
            database.close()


def _is_ready(database: Database) -> bool:
    """Whether the tables of this version are there; False: none are. Raises WrongVersion, DatabaseError."""
    version = schema_version(database)
    if version is None or version == HEAD:
        return version is not None
    if version in KNOWN_VERSIONS:
        raise WrongVersion(f"{database.name} has the older schema {version}: run `storyheat db upgrade` once")
    raise WrongVersion(
        f"{database.name} was written by a newer storyheat (schema {version}, this program knows up to {HEAD}): "
        "install that version; nothing was changed"
    )


def _readable(database: Database, path: Path | None) -> Database:
    """The database itself, or, where SQLite cannot make its shared memory beside the file, a view of the file alone.

    The latter sees only what stands in the file, so it is taken only if no write-ahead log waits beside it.
    """
    if path is None or not path.is_file():
        return database
    try:
        with database.engine.connect() as connection:
            connection.exec_driver_sql("SELECT count(*) FROM sqlite_master")
    except exc.OperationalError:  # of whatever kind: the first real question puts it in words
        log = path.with_name(path.name + "-wal")
        with suppress(OSError):
            if os.access(path.parent, os.W_OK) or (log.exists() and log.stat().st_size):
                return database
        database.close()
        address = f"sqlite:///file:{quote(str(path.absolute()))}?mode=ro&immutable=1&uri=true"
        return Database(_engine(address), database.name, database.busy_seconds)
    except exc.DBAPIError:
        return database
    return database


def open_any_version(url: str) -> Database:
    """Opens a database for `db upgrade` without looking at its version, making it if it is missing."""
    return Database(_engine(url), database_name(url))


def schema_version(database: Database) -> str | None:
    """The schema version a database says it has; None for an empty one. Refuses files of other programs."""
    with database.read() as connection:
        if connection.dialect.name == "sqlite":
            owner = connection.exec_driver_sql("PRAGMA application_id").scalar()
            tables = connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar()
            if owner != APPLICATION_ID and tables:
                raise DatabaseError(f"{database.name} is a database of another program: choose another with --db")
        names = connection.dialect.get_table_names(connection)
        if "alembic_version" not in names:
            return None
        version = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        return None if version is None else str(version)


def fix_state(connection: Connection) -> None:
    """Fixes what a transaction sees: SQLite begins one in earnest only with its first question."""
    connection.exec_driver_sql("SELECT count(*) FROM alembic_version")


def sqlite_path(url: str) -> Path | None:
    """The file of a SQLite URL; None for a database in memory or of another kind."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite" or parsed.database in (None, "", ":memory:"):
        return None
    return Path(str(parsed.database))


def refuse_own(file: Path, database: Path) -> None:
    """Raises UsageError for a file that is a database, or its log or lock: what one asks of it goes elsewhere."""
    for ending in _BESIDE:
        own = Path(f"{database}{ending}")
        if os.path.realpath(file) == os.path.realpath(own) or (file.exists() and own.exists() and file.samefile(own)):
            raise UsageError(f"{file} is {'part of ' if ending else ''}the database itself: name another file")


def database_name(url: str) -> str:
    """A URL as it may be shown: the path of a file, or the address without its password."""
    path = sqlite_path(url)
    return str(path) if path is not None else make_url(url).render_as_string(hide_password=True)


def _engine(url: str, busy_seconds: float = BUSY_SECONDS, *, read_only: bool = False) -> Engine:
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() != "sqlite":
            raise ConfigError(f"database URL {database_name(url)!r}: only sqlite:///FILE is supported so far")
        engine = create_engine(parsed, connect_args={"timeout": busy_seconds})
    except exc.ArgumentError as error:
        raise ConfigError(f"database URL {url!r} is none: write it like sqlite:///storyheat.db") from error
    event.listen(engine, "connect", _on_connect)
    if read_only:
        event.listen(engine, "connect", _refuse_writes)
    event.listen(engine, "begin", _on_begin)
    return engine


def _on_connect(connection: Any, _record: Any) -> None:
    """Settings every connection needs. Transactions are begun by `_on_begin`, not guessed by the driver."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.execute("PRAGMA synchronous = NORMAL")  # with WAL: a power cut loses the last run, never the file
    cursor.execute("PRAGMA cache_size = -65536")  # 64 MiB of pages
    cursor.execute("PRAGMA temp_store = MEMORY")
    cursor.execute("PRAGMA journal_size_limit = 67108864")  # what a large transaction left of the log goes again
    cursor.close()


def _refuse_writes(connection: Any, _record: Any) -> None:
    connection.execute("PRAGMA query_only = ON")


def _on_begin(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("storyheat_immediate", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


@contextmanager
def in_words(name: str, busy_seconds: float = BUSY_SECONDS) -> Iterator[None]:
    """Turns errors of the driver into ours, each with what to do. A broken constraint is a bug and passes."""
    try:
        yield
    except exc.IntegrityError:
        raise
    except exc.DBAPIError as error:
        raise _translated(name, error.orig or error, busy_seconds) from error
    except sqlite3.Error as error:
        raise _translated(name, error, busy_seconds) from error


def _translated(name: str, error: BaseException, busy_seconds: float) -> DatabaseError:
    text = str(error)
    if "locked" in text or "busy" in text:
        return DatabaseBusy(f"{name} is held by another program: waited {busy_seconds:g} seconds; try again")
    for sign, words in _WORDS.items():
        if sign in text:
            return DatabaseError(f"{name} {words}")
    return DatabaseError(f"{name} cannot be used as it is ({text}): restore a backup, or begin another with --db")


_WORDS = {
    "readonly": "cannot be written: check the rights of the file and its folder",
    "read-only": "cannot be written: check the rights of the file and its folder",
    "disk is full": "cannot grow, the disk is full: free some space; nothing stored is lost",
    "not a database": "is no SQLite database: choose another file with --db",
    "malformed": "is damaged: restore a backup",
    "unable to open": "cannot be opened: check that the folder exists and may be read and written",
    "disk I/O error": "cannot be read or written, the disk reports an error: check the disk",
}
