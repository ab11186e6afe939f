"""Every error a caller may meet, as one tree.

StoryheatError                 one line, says what to do; the command line prints it and leaves
├── UsageError                 exit 2: the caller asked for something that cannot be
│   ├── ConfigError            feeds.yaml or the environment holds a mistake (names the place)
│   ├── NotFound               no story, item, source or file of that name
│   └── Ambiguous              a prefix that fits several ids
└── WorkError                  exit 1: the request was right, the work failed
    ├── DatabaseError          the database cannot be opened, read or written
    │   ├── DatabaseBusy       another program holds it too long
    │   ├── NoDatabase         there is none yet
    │   ├── RunAtWork          another run of ours is under way on it
    │   ├── DaemonAtWork       another daemon of ours looks after it
    │   └── WrongVersion       its schema is older or newer than this program
    └── DocumentError          a document is no feed at all (carries a failure kind)

Failures of single feeds are not errors but values: see `core.model.Failure`.
"""


class StoryheatError(Exception):
    """Root of all expected errors; `str()` is one line for the user."""

    exit_code = 1


class UsageError(StoryheatError):
    """What was asked for cannot be done as asked."""

    exit_code = 2


class ConfigError(UsageError):
    """A mistake in feeds.yaml or in a STORYHEAT_… variable."""


class NotFound(UsageError):
    """Nothing has the given name."""


class Ambiguous(UsageError):
    """A prefix fits more than one id."""


class WorkError(StoryheatError):
    """The work itself failed."""


class DatabaseError(WorkError):
    """The database could not be opened, read or written."""


class DatabaseBusy(DatabaseError):
    """Another program holds the database longer than we wait."""


class NoDatabase(DatabaseError):
    """There is no database yet, or it holds no tables."""


class RunAtWork(DatabaseError):
    """Another run is under way on the database."""


class DaemonAtWork(DatabaseError):
    """Another daemon looks after the database."""


class WrongVersion(DatabaseError):
    """The database belongs to another version of the program."""


class DocumentError(WorkError):
    """A document that yields no entries at all; `kind` is a `core.model.FailureKind` value."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
