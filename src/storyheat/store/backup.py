"""Copies of the database for safekeeping: made while others work on it, checked, and brought back."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from storyheat.errors import ConfigError, DatabaseError, UsageError, WrongVersion
from storyheat.store.database import Database, in_words, refuse_own, sqlite_path
from storyheat.store.runlock import run_lock_whatever
from storyheat.store.versions import APPLICATION_ID, HEAD, KNOWN_VERSIONS


@dataclass(frozen=True, slots=True)
class Copied:
    """A checked copy: its file, size, version and number of items."""

    file: Path
    bytes: int
    items: int
    version: str


def back_up(database: Database, file: Path, *, force: bool) -> Copied:
    """Writes a consistent copy to a file and checks it; an existing file is replaced whole, and only with `force`.

    Raises UsageError for a file that is there, or no plain file, or of the database itself; DatabaseError for all that
    goes wrong.
    """
    refuse_own(file, Path(database.name))
    if file.exists() and not file.is_file():
        raise UsageError(f"{file} is no plain file, which a copy needs to be: name another place")
    if file.exists() and not force:
        raise UsageError(f"{file} is there already: name another file, or replace it with --force")
    with _beside(file) as made:
        database.copy_to(made)
        with in_words(str(file)), closing(sqlite3.connect(made)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
        copied = checked(made)
        made.replace(file)
    return Copied(file, copied.bytes, copied.items, copied.version)


def checked(file: Path) -> Copied:
    """Looks through a file that should be a copy of ours. Raises DatabaseError or WrongVersion, in words."""
    if not file.is_file():
        raise DatabaseError(f"there is no file {file}")
    with in_words(str(file)), closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        owner = connection.execute("PRAGMA application_id").fetchone()[0]
        if owner != APPLICATION_ID:
            raise DatabaseError(f"{file} is no database of storyheat")
        damage = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if damage != "ok":
            raise DatabaseError(f"{file} is damaged ({damage}): take another copy")
        version = str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])
        if version not in KNOWN_VERSIONS:
            raise WrongVersion(f"{file} was written by a newer storyheat (schema {version}, this one knows {HEAD})")
        items = int(connection.execute("SELECT count(*) FROM item").fetchone()[0])
    return Copied(file, file.stat().st_size, items, version)


def restore(file: Path, url: str, now: datetime) -> tuple[Copied, Path | None]:
    """Puts a checked copy in the place of the database at a URL; what was there is kept beside it under another name.

    It is written into the database as one transaction, so whoever reads meanwhile goes on reading what was there, and
    a restore that is cut off changes nothing. No run may be at work. The copy, and the file that holds the old database
    (None: there was none). Raises UsageError, RunAtWork, DatabaseError, WrongVersion.
    """
    target = sqlite_path(url)
    if target is None:
        raise ConfigError("only a database in a file can be restored")
    if target.exists() and file.exists() and file.samefile(target):
        raise UsageError(f"{file} is the database itself: name a copy of it")
    copied = checked(file)
    with run_lock_whatever(url), _in_words(target):
        kept = target.with_name(f"{target.name}.before-{now.astimezone(UTC):%Y%m%dT%H%M%SZ}")
        if not target.exists() or target.stat().st_size == 0:
            kept_at = None
        elif _owner(target) is None:  # nobody can work with it, so it may be moved
            target.replace(kept)
            kept_at = kept
        else:
            _pour(target, kept)
            kept_at = kept
        _pour(file, target)
        with closing(sqlite3.connect(target)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
    checked(target)
    return copied, kept_at


def _owner(file: Path) -> int | None:
    """The application id of a SQLite file; None: it is none. Raises DatabaseError for that of another program."""
    try:
        with closing(sqlite3.connect(file)) as connection:
            owner = int(connection.execute("PRAGMA application_id").fetchone()[0])
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    except sqlite3.DatabaseError as error:
        if "not a database" in str(error) or "malformed" in str(error):
            return None
        raise
    if owner != APPLICATION_ID and tables:
        raise DatabaseError(f"{file} is a database of another program: choose another with --db")
    return owner


def _pour(source: Path, target: Path) -> None:
    """Writes all of one database into another, in one transaction."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


@contextmanager
def _beside(file: Path) -> Iterator[Path]:
    """A name for a file in the making, in the same folder; what is left under it in the end goes."""
    made = file.with_name(f".{file.name}.{os.getpid()}.new")
    try:
        with _in_words(file):
            made.touch(exist_ok=False)  # so that a folder that takes no file is said to be what it is
            yield made
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            Path(f"{made}{ending}").unlink(missing_ok=True)


@contextmanager
def _in_words(file: Path) -> Iterator[None]:
    """Turns what goes wrong with a file into words."""
    try:
        with in_words(str(file)):
            yield
    except OSError as error:
        raise DatabaseError(f"cannot write {file} ({error.strerror}): choose another place") from error
