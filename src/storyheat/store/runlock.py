"""One run at a time on one database: a lock that the operating system frees, even after a kill."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from storyheat.errors import DatabaseError, RunAtWork
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
    path = sqlite_path(url)
    if path is None:
        yield
        return
    refuse_others(url)
    number = _opened(path.with_name(path.name + ".lock"))
    try:
        try:
            _take(number)
        except OSError as error:
            raise RunAtWork(f"another run is at work on {path}: wait until it has ended, then try again") from error
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
