"""What a page says when it cannot be shown: what failed, whether anything is lost, and what to do; never a stack."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from secrets import token_hex
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from storyheat.editorial import PollClosed
from storyheat.errors import Ambiguous, DatabaseBusy, NoDatabase, NotFound, StoryheatError, UsageError, WrongVersion
from storyheat.web import problems
from storyheat.web.links import Links
from storyheat.web.pages import Pages
from storyheat.web.reader import WAIT_SECONDS

RETRY_SECONDS = 10


@dataclass(frozen=True, slots=True)
class FailureView:
    """The words of a failure. `command`: what to run; `again`: trying once more may help."""

    status: int
    title: str
    text: str
    command: str | None = None
    again: bool = False


_NO_DATABASE = FailureView(
    503,
    "No stories yet",
    "There is no database yet. Fetch the sources once, and the first stories appear with their past days rebuilt "
    "from the feeds.",
    "storyheat ingest",
    again=True,
)
_BUSY = FailureView(
    503,
    "The data could not be read",
    f"The database is locked by another program for longer than {WAIT_SECONDS:g} seconds. Nothing is lost; reading "
    "works again when it is released.",
    again=True,
)
_WRONG_VERSION = FailureView(
    503,
    "The database is of another version",
    "It was made by another version of storyheat. Nothing is lost, and nothing was changed. An older one is brought up "
    "to date by the command below; a newer one needs that version of storyheat.",
    "storyheat db upgrade",
    again=True,
)
_DATABASE = FailureView(
    503,
    "The data could not be read",
    "The database cannot be read as it is. Nothing was changed. What is wrong stands in the log of the server, under "
    "the reference below; `storyheat db check` looks for damage.",
    "storyheat db check",
    again=True,
)
_BUG = FailureView(
    500,
    "This page could not be made",
    "That is a mistake in storyheat. Nothing is lost: pages only read. What happened stands in the log of the server, "
    "under the reference below.",
    again=True,
)
_NOT_COUNTED = FailureView(
    503,
    "Your answer was not counted",
    f"The database is held by another program for longer than {WAIT_SECONDS:g} seconds. Nothing is lost; answer again "
    "in a moment.",
)
_NOT_OURS = FailureView(
    403,
    "Your answer was not counted",
    "It did not come from the form on our page, or your browser did not bring the cookie that it got with the form. "
    "Load the page anew, allow its cookie, and answer there.",
)
_TOO_MANY = FailureView(
    429,
    "Your answer was not counted",
    "Too many answers come from your address. Wait a minute, and answer again.",
)
_UNREADABLE = FailureView(400, "This cannot be read", "What was sent is not what the form on our page sends.")
_METHOD = FailureView(405, "Not here", "This address can be read, and nothing else.")
_NOTHING = FailureView(404, "Nothing is here", "There is no page at this address.")


_BY_STATUS = {
    404: _NOTHING,
    405: _METHOD,
    403: _NOT_OURS,
    429: _TOO_MANY,
    **{status: replace(_UNREADABLE, status=status) for status in (400, 413, 415)},
}
_BY_KIND: tuple[tuple[type[Exception], FailureView], ...] = (  # the first that fits
    (NoDatabase, _NO_DATABASE),
    (DatabaseBusy, _BUSY),
    (WrongVersion, _WRONG_VERSION),
    (StoryheatError, _DATABASE),
)
_TITLES: tuple[tuple[type[UsageError], int, str], ...] = (
    (NotFound, 404, "There is no such story"),
    (Ambiguous, 400, "Several stories fit"),
    (PollClosed, 409, "Your answer was not counted"),
    (UsageError, 400, "This address cannot be answered"),
)


def words_for(error: Exception) -> FailureView:
    """What to say about an error."""
    if isinstance(error, HTTPException):
        return _BY_STATUS.get(error.status_code, _BUG)
    for kind, status, title in _TITLES:
        if isinstance(error, kind):
            said = str(error).partition(";")[0] if kind is NotFound else str(error)  # the rest is for a terminal
            return FailureView(status, title, f"{said}.")
    return next((view for kind, view in _BY_KIND if isinstance(error, kind)), _BUG)


class Failures:
    """Turns errors into pages; those that the operator should see are logged under a reference."""

    def __init__(self, pages: Pages, log: Callable[[str], None]) -> None:
        self._pages, self._log = pages, log

    def answer(self, request: Request, error: Exception) -> Response:
        """The page for an error, or for the API its problem details."""
        if problems.is_api(request.scope["path"]):
            return self._problem(request, error)
        view, is_form = words_for(error), request.method == "POST"
        if view is _BUSY and is_form:
            view = _NOT_COUNTED
        reference = self._reference(request, error) if view.status >= 500 else None
        body = self._pages.render(
            "failure.html",
            {
                "failure": view,
                "reference": reference,
                "links": Links("/", {}),
                "again": _again(request) if view.again or is_form else None,
                "is_form": is_form,
            },
        )
        return Response(body, view.status, _headers(view.status, error), "text/html")

    def _problem(self, request: Request, error: Exception) -> Response:
        kind = problems.kind_of(error)
        reference = self._reference(request, error) if kind.status >= 500 else None
        body = problems.body(kind, problems.detail_of(error, kind), quote(request.scope["path"]), reference)
        return Response(body, kind.status, _headers(kind.status, error), problems.MEDIA_TYPE)

    def _reference(self, request: Request, error: Exception) -> str:
        """Logs an error; under which reference."""
        reference = f"{token_hex(2)}-{token_hex(1)}"
        self._log(f"{request.method} {request.url.path} failed, reference {reference}: {type(error).__name__}: {error}")
        return reference


def _headers(status: int, error: Exception) -> dict[str, str]:
    headers = {"Cache-Control": "no-store"}
    if status in (429, 503):
        headers["Retry-After"] = str(RETRY_SECONDS)
    if status == 405:
        headers["Allow"] = (getattr(error, "headers", None) or {}).get("Allow", "GET, HEAD")
    return headers


def _again(request: Request) -> str:
    """The address that was asked for, on this server."""
    query = request.url.query
    path = "/" + request.scope["path"].lstrip("/")  # never //elsewhere
    return Links(path, {}).to(path) + (f"?{query}" if query else "")
