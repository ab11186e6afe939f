"""The database as the pages read it: opened when it is there, never written, a few readers at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import BoundedSemaphore, Lock

from storyheat.core.stories.topics import TopicTable
from storyheat.store.database import Database, open_database, sqlite_path
from storyheat.store.known import Known
from storyheat.store.queries import NameRows, Questions, ask

WAIT_SECONDS = 5.0  # for another program that holds the database
READERS = 4  # at once; more would only share the same cores and as many page caches

Mark = tuple[tuple[int, int, int], ...]


class Reader:
    """Asks the database at a URL, which may be missing, replaced or upgraded at any time."""

    def __init__(self, url: str, topics: TopicTable = (), names: NameRows = ()) -> None:
        """`topics`, `names`: tables of the configuration."""
        self._url, self._topics, self._names = url, topics, names
        self._path = sqlite_path(url)
        self._database: Database | None = None
        self._opened: int | None = None
        self._known: tuple[Mark, Known] = ((), Known())
        self._lock = Lock()
        self._turns = BoundedSemaphore(READERS)

    @contextmanager
    def ask(self) -> Iterator[Questions]:
        """Questions that all see one state. Raises DatabaseError."""
        before = self.mark()
        known = partial(self._known_of, before)
        with self._turns, ask(self._current(), known, self._topics, self._names) as questions:
            yield questions

    def mark(self) -> Mark:
        """What changes whenever something was stored: the files of the database as they stand."""
        if self._path is None:
            return ()
        return tuple(stamp(path) for path in (self._path, self._path.with_name(self._path.name + "-wal")))

    def _known_of(self, mark: Mark) -> Known:
        """What is known of the state with this mark; nothing, where one was stored since the mark was taken."""
        if not mark or self.mark() != mark:
            return Known()
        with self._lock:
            if self._known[0] != mark:
                self._known = (mark, Known())
            return self._known[1]

    def _current(self) -> Database:
        """The open database, or the one that took its place."""
        file = None if self._path is None else stamp(self._path)[0]
        with self._lock:
            if self._database is None or file != self._opened:
                if self._database is not None:
                    self._database.close()
                self._database = None
                self._database = open_database(self._url, busy_seconds=WAIT_SECONDS, read_only=True)
                self._opened = file
            return self._database


def stamp(path: Path) -> tuple[int, int, int]:
    """Which file this is, and when and how long it was last written; zeros where there is none."""
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0)
    return (found.st_ino, found.st_mtime_ns, found.st_size)
