"""One run and one daemon at a time on one database: locks that the operating system frees, even after a kill."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storyheat.errors import DaemonAtWork, DatabaseError, RunAtWork
from storyheat.store.database import refuse_others, sqlite_path

if sys.platform == "win32":
    import msvcrt

    def _take(number: int) -> None:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(number: int) -> None:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def run_lock(url: str) -> Iterator[None]:
    """Holds the lock file beside the database of a URL; a database in memory needs none.

    The file stays when the lock is given up: removing it would let two runs hold two files of one name.
    A database that is not ours gets none. Raises RunAtWork at once when another run holds it, WrongVersion or
    DatabaseError for what is no database of this program, DatabaseError when the file cannot be made.
    """
    refuse_others(url)
    with run_lock_whatever(url):
        yield


@contextmanager
def run_lock_whatever(url: str) -> Iterator[None]:
    """The same for one who is about to replace the database, whatever it is."""
    with _lock(url, ".lock", RunAtWork, "another run is at work on {}: wait until it has ended, then try again"):
        yield


@contextmanager
def daemon_lock(url: str) -> Iterator[None]:
    """The lock that a daemon holds as long as it lives, beside that of each of its runs. Raises DaemonAtWork."""
    refuse_others(url)
    with _lock(url, ".daemon", DaemonAtWork, "another daemon looks after {}: one is enough"):
        yield


@contextmanager
def _lock(url: str, ending: str, held: type[DatabaseError], words: str) -> Iterator[None]:
    path = sqlite_path(url)
    if path is None:
        yield
        return
    number = _opened(path.with_name(path.name + ending))
    try:
        try:
            _take(number)
        except OSError as error:
            raise held(words.format(path)) from error
        yield
    finally:
        os.close(number)


def _opened(lock: Path) -> int:
    try:
        return os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    except FileNotFoundError as error:
        raise DatabaseError(f"cannot create {lock}: the folder does not exist; create it first") from error
    except OSError as error:
        raise DatabaseError(f"cannot write {lock} ({error.strerror}): check the rights of its folder") from error
