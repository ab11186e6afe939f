"""Answers to reader polls: one for each browser, from our own pages only, and not too many from one address.

A browser gets a signed random number in a cookie with the form that asks it. Its form has a signature of that number
and the poll, so a page elsewhere cannot make one, nor send one along: browsers say where a request comes from.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from secrets import token_urlsafe
from urllib.parse import parse_qs, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import Request

from storyheat.core.model import StoryId
from storyheat.editorial import answer_poll
from storyheat.errors import WorkError
from storyheat.present.page.blocks import PollView
from storyheat.present.page.poll import poll_view
from storyheat.store.database import open_database
from storyheat.web.brake import Brake
from storyheat.web.cache import Asked
from storyheat.web.reader import WAIT_SECONDS, Reader
from storyheat.web.seal import Seal
from storyheat.web.security import host_name

COOKIE = "storyheat-reader"
KEPT_SECONDS = 365 * 24 * 3600
MOST_BYTES = 2_000  # of a form; ours has some 100
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Ballot:
    """The form of a poll as it was sent: by the numbers of the poll and the answer, and the signature."""

    poll: int
    answer: int
    token: str


@dataclass(frozen=True)
class Ballots:
    """Where polls are shown and answered. `url`: of the database."""

    url: str
    seal: Seal
    clock: Callable[[], datetime]
    brake: Brake
    wait_seconds: float = WAIT_SECONDS  # for another program that writes

    def browser(self, request: Request) -> str | None:
        """The number that a browser brings along; None: none, or not one that we gave."""
        number, _, signature = request.cookies.get(COOKIE, "").partition(".")
        return number if signature and self.seal.fits(signature, "browser", number) else None

    def shown(self, asked: Asked, request: Request, reader: Reader) -> tuple[PollView, str | None]:
        """The poll as this browser sees it, and the cookie that it needs to answer; None: it needs none."""
        poll, zone = asked.poll, asked.zone
        try:
            known, mine = self.browser(request), None
            if known is not None:
                with reader.ask() as questions:
                    mine = questions.answer_of(poll, known)
            if poll.closed_at is not None or mine is not None:
                return poll_view(poll, mine, zone, self.clock()), None
            number = known or token_urlsafe(16)
            token, cookie = self.seal.sign("form", str(poll.number), number), self._cookie(number)
        except WorkError as error:
            return poll_view(poll, None, zone, self.clock(), trouble=str(error)), None
        return poll_view(poll, None, zone, self.clock(), open_to=asked.action, token=token), None if known else cookie

    def take(self, request: Request, story: StoryId, ballot: Ballot) -> str:
        """Counts an answer; the cookie to keep. Raises HTTPException, UsageError, DatabaseError, WorkError."""
        number = self.browser(request)
        if number is None or not self.seal.fits(ballot.token, "form", str(ballot.poll), number):
            raise HTTPException(403)
        with open_database(self.url, busy_seconds=self.wait_seconds) as database, database.write() as connection:
            answer_poll(connection, story, ballot.poll, number, ballot.answer, self.clock())
        return self._cookie(number)

    async def read(self, request: Request) -> Ballot:
        """The form of a request. Raises HTTPException for one that comes from elsewhere or is none of ours."""
        if not is_from_here(request):
            raise HTTPException(403)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
            raise HTTPException(415)
        if not self.brake.lets(request.client.host if request.client else ""):
            raise HTTPException(429)
        body = b""
        async for piece in request.stream():
            body += piece
            if len(body) > MOST_BYTES:
                raise HTTPException(413)
        return _ballot(body)

    def _cookie(self, number: str) -> str:
        """What the browser is told to keep: for our pages only, out of reach of scripts, not sent from elsewhere."""
        value = f"{number}.{self.seal.sign('browser', number)}"
        return f"{COOKIE}={value}; Path=/; Max-Age={KEPT_SECONDS}; HttpOnly; SameSite=Lax"


def is_from_here(request: Request) -> bool:
    """Whether one of our own pages sent a request, as far as the browser says; what is no browser says nothing."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if origin is not None:
        return _origin(origin) == (host_name(host := request.headers.get("host", "")), _port(host))
    return site in (None, "same-origin")


def _origin(origin: str) -> tuple[str, str]:
    try:
        netloc = urlsplit(origin).netloc
    except ValueError:
        netloc = ""
    return host_name(netloc), _port(netloc)


def _port(host: str) -> str:
    """The port that an address names; empty: that of its scheme."""
    _, _, port = host.rpartition("]")[2].rpartition(":")
    return port


def _ballot(body: bytes) -> Ballot:
    try:
        given = parse_qs(body.decode("ascii"), max_num_fields=10)
        [poll], [answer], [token] = given["poll"], given["answer"], given["token"]
        return Ballot(int(poll), int(answer), token)
    except (ValueError, KeyError) as error:
        raise HTTPException(400) from error
