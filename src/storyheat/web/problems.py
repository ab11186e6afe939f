"""What the JSON API says when something goes wrong: problem details of RFC 9457, in the words of the pages."""

import json
from dataclasses import dataclass

from starlette.exceptions import HTTPException

from storyheat.core.text.markup import one_line
from storyheat.errors import Ambiguous, DatabaseBusy, NoDatabase, NotFound, StoryheatError, UsageError, WrongVersion

MEDIA_TYPE = "application/problem+json"
MEANINGS = "/docs"  # the page that tells what each kind means
MOST_LETTERS = 500  # of what was asked, where it is said again


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem."""

    name: str
    status: int
    title: str
    meaning: str


NOTHING = Kind("nothing-here", 404, "Nothing is here", "There is no such address.")
NOT_FOUND = Kind("not-found", 404, "There is no such thing", "No story, item or source has an id that begins so.")
AMBIGUOUS = Kind("ambiguous", 404, "Several fit", "Several ids begin so: give more letters.")
PARAMETER = Kind("parameter", 400, "A parameter makes no sense", "The detail says which one and why.")
REQUEST = Kind("request", 400, "The request makes no sense", "The detail says why.")
METHOD = Kind("method", 405, "Only reading is possible", "The API answers GET, HEAD and OPTIONS.")
MISSING = Kind("no-database", 503, "There is no database yet", "It appears with the first `storyheat ingest`.")
BUSY = Kind("database-busy", 503, "The database is held", "Another program holds it; try again in a moment.")
VERSION = Kind("database-version", 503, "The database is of another version", "`storyheat db upgrade` makes it ours.")
DATABASE = Kind("database", 503, "The database cannot be read", "`storyheat db check` looks for damage.")
MISTAKE = Kind("mistake", 500, "A mistake in storyheat", "The log of the server has more under the reference.")
KINDS = (PARAMETER, REQUEST, NOTHING, NOT_FOUND, AMBIGUOUS, METHOD, MISTAKE, MISSING, BUSY, VERSION, DATABASE)

_BY_ERROR: tuple[tuple[type[Exception], Kind], ...] = (  # the first that fits
    (NotFound, NOT_FOUND),
    (Ambiguous, AMBIGUOUS),
    (UsageError, PARAMETER),
    (NoDatabase, MISSING),
    (DatabaseBusy, BUSY),
    (WrongVersion, VERSION),
    (StoryheatError, DATABASE),
)
_BY_STATUS = {404: NOTHING, 405: METHOD, 400: REQUEST}


def is_api(path: str) -> bool:
    """Whether who asks for a path expects JSON."""
    return path == "/api" or path.startswith("/api/")


def kind_of(error: Exception) -> Kind:
    """Which kind of problem an error is."""
    if isinstance(error, HTTPException):
        return _BY_STATUS.get(error.status_code, MISTAKE)
    return next((kind for of, kind in _BY_ERROR if isinstance(error, of)), MISTAKE)


def detail_of(error: Exception, kind: Kind) -> str:
    """What happened: of what was asked wrongly the words of the error, else the meaning of its kind."""
    if kind in (NOT_FOUND, AMBIGUOUS, PARAMETER):
        said = one_line(str(error).partition(";")[0] if kind is NOT_FOUND else str(error))  # the rest is for a terminal
        return said if len(said) <= MOST_LETTERS else f"{said[:MOST_LETTERS]}…"
    return kind.meaning


def body(kind: Kind, detail: str, path: str, reference: str | None = None) -> bytes:
    """The object. `path`: what was asked for; `reference`: under which the log has more."""
    said = {
        "type": f"{MEANINGS}#{kind.name}",
        "title": kind.title,
        "status": kind.status,
        "detail": detail,
        "instance": path,
        "reference": reference,
    }
    return json.dumps(said, ensure_ascii=False).encode("utf-8")
