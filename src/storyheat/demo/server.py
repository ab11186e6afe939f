"""Serves the demo week over HTTP on a loopback port, as it is at an instant that the player sets."""

import gzip
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from storyheat.core.model import Source
from storyheat.demo.documents import CONTENT_TYPES, document
from storyheat.demo.habits import HABITS, Habits, Trouble
from storyheat.demo.week import Post

_ROBOTS = b"User-agent: *\nAllow: /\n"
_CHALLENGE = (
    b"<!doctype html><html><head><title>Just a moment</title></head>"
    b"<body><h1>Checking your browser</h1><p>Switch on JavaScript to go on.</p></body></html>"
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server answers."""

    status: HTTPStatus
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class Site:
    """The server of one source: its feed at any instant, and its moods."""

    def __init__(self, source: Source, posts: Sequence[Post], habits: Habits) -> None:
        self.source = source
        self.habits = habits
        self._posts = sorted(posts, key=lambda post: (post.shown, post.link), reverse=True)
        self.path = urlsplit(source.feeds[0].url).path

    def body_at(self, now: datetime) -> bytes:
        """The feed's document at `now`."""
        listed = [post for post in self._posts if post.shown <= now][: self.habits.listed]
        return document(self.habits.format, self.source, listed, now, moving_dates=self.habits.moving_dates)

    def answer(self, path: str, asked: Mapping[str, str], now: datetime) -> Reply:
        """The reply at `now` to a GET with these headers (names in lower case)."""
        if path == "/robots.txt":
            return Reply(HTTPStatus.OK, {"Content-Type": "text/plain"}, _ROBOTS)
        if path not in (self.path, self.habits.new_path):
            return Reply(HTTPStatus.NOT_FOUND)
        trouble = next((spell.trouble for spell in self.habits.spells if spell.since <= now < spell.until), None)
        if trouble is None or (trouble is Trouble.MOVED and path == self.habits.new_path):
            return self._feed(asked, now)
        return self._troubled(trouble)

    def _troubled(self, trouble: Trouble) -> Reply:
        match trouble:
            case Trouble.OUTAGE:
                return Reply(HTTPStatus.SERVICE_UNAVAILABLE)
            case Trouble.CHALLENGE:
                return Reply(HTTPStatus.OK, {"Content-Type": "text/html; charset=utf-8"}, _CHALLENGE)
            case Trouble.GONE:
                return Reply(HTTPStatus.GONE)
            case Trouble.MOVED:
                return Reply(HTTPStatus.MOVED_PERMANENTLY, {"Location": str(self.habits.new_path)})

    def _feed(self, asked: Mapping[str, str], now: datetime) -> Reply:
        body = self.body_at(now)
        validators: dict[str, str] = {}
        if self.habits.etag:
            validators["ETag"] = f'"{sha256(body).hexdigest()[:16]}"'
        if self.habits.last_modified:
            validators["Last-Modified"] = format_datetime(self._changed_at(now).astimezone(UTC), usegmt=True)
        known = {"ETag": asked.get("if-none-match"), "Last-Modified": asked.get("if-modified-since")}
        if validators and all(known[name] == value for name, value in validators.items()):
            return Reply(HTTPStatus.NOT_MODIFIED, validators)
        headers = {"Content-Type": CONTENT_TYPES[self.habits.format], **validators}
        if self.habits.gzip and "gzip" in asked.get("accept-encoding", ""):
            return Reply(HTTPStatus.OK, headers | {"Content-Encoding": "gzip"}, gzip.compress(body, mtime=0))
        return Reply(HTTPStatus.OK, headers, body)

    def _changed_at(self, now: datetime) -> datetime:
        """When the document last became another one."""
        if self.habits.moving_dates:
            return now
        shown = [post.shown for post in self._posts if post.shown <= now]
        edited = [text.since for post in self._posts for text in post.texts[1:] if text.since <= now]
        return max(shown + edited, default=now)


class _Server(ThreadingHTTPServer):
    request_queue_size = 64  # all sites are asked in one moment; with the usual 5 the others wait for a second

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A fetcher that was interrupted hangs up; that is no error of the server."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class WeekServer:
    """All sites of the week behind one loopback port, as a proxy; a context manager.

    As a proxy, so that each feed keeps an address of its own, and nothing that is stored tells the port of the day.
    `now` is set between polls.
    """

    def __init__(self, sources: Sequence[Source], posts: Sequence[Post], now: datetime) -> None:
        """Takes a free port; raises OSError where there is none."""
        self.now = now
        sites = [
            Site(source, [post for post in posts if post.source == source.id], HABITS[source.id]) for source in sources
        ]
        self._sites = {urlsplit(site.source.feeds[0].url).netloc: site for site in sites}
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def address(self) -> str:
        """`http://127.0.0.1:PORT`."""
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, url: str, headers: Mapping[str, str]) -> Reply:
        """The reply to a GET of a whole address."""
        parts = urlsplit(url)
        site = self._sites.get(parts.netloc)
        if site is None:
            return Reply(HTTPStatus.BAD_GATEWAY)
        return site.answer(parts.path, headers, self.now)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        answer = self.answer

        class Handler(BaseHTTPRequestHandler):
            """Writes the replies of the week."""

            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_GET(self) -> None:
                reply = answer(self.path, {name.lower(): value for name, value in self.headers.items()})
                self.send_response_only(reply.status)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                if reply.status is not HTTPStatus.NOT_MODIFIED:
                    self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

            def log_message(self, *_: object) -> None:
                """Says nothing: what was asked stands in the database."""

        return Handler
