"""Plays the scripts of tests/faults/*/http.json to the fetcher, and raw bytes on loopback.

`ScriptedTransport` stands in for the network (nothing is opened); `RawServer` is a real socket
for what only a socket can show.
"""

import asyncio
import base64
import itertools
import json
import socket
import socketserver
import ssl
import threading
import zlib
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from storyheat.core.model import FailureKind, FetchReply, FetchRequest, Url
from storyheat.ingest.http import HttpFetcher

NOW = datetime(2026, 10, 26, 8, tzinfo=UTC)
FEED = Url("https://wire.example/feed.xml")
FAULTS = Path(__file__).parent / "faults"
PUBLIC_ADDRESS = "93.184.216.34"  # where the names of the scripts are; nothing is ever sent there


def script(case: str) -> dict[str, Any]:
    """The http.json of a case: `polls`, each with its `exchange`."""
    loaded: dict[str, Any] = json.loads((FAULTS / case / "http.json").read_text("utf-8"))
    return loaded


def expectation(case: str) -> dict[str, Any]:
    """The expect.json of a case."""
    loaded: dict[str, Any] = json.loads((FAULTS / case / "expect.json").read_text("utf-8"))
    return loaded


def names(dns: Mapping[str, Sequence[str]], missing: Sequence[str] = ()) -> Any:
    """A resolver: `dns` first, then a public address for every name not `missing`."""

    def resolve(host: str) -> Sequence[str]:
        if host in missing:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return dns.get(host, [PUBLIC_ADDRESS])

    return resolve


class ScriptedTransport(httpx.AsyncBaseTransport):
    """Answers the requests of one exchange list; `violations` tells what was asked amiss."""

    def __init__(self, exchange: Sequence[Mapping[str, Any]]) -> None:
        self._open = [(step, step["request"].get("repeat", 1)) for step in exchange]
        self.requests: list[httpx.Request] = []
        self.violations: list[str] = []

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        for place, (step, left) in enumerate(self._open):
            if left and step["request"]["url"] == str(request.url):
                self._open[place] = (step, left - 1)
                self._check(step["request"], request)
                return _response(step["response"], request)
        self.violations.append(f"unexpected request {request.url}")
        return httpx.Response(599, request=request)

    def _check(self, wanted: Mapping[str, Any], request: httpx.Request) -> None:
        for name, value in wanted.get("headers", {}).items():
            if request.headers.get(name) != value:
                self.violations.append(f"{name}: {request.headers.get(name)!r} sent, {value!r} wanted")
        for name in wanted.get("absent_headers", []):
            if name in request.headers:
                self.violations.append(f"{name} must be absent")


class _Stream(httpx.AsyncByteStream):
    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self._chunks = chunks

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._chunks:
            yield chunk


def _response(answer: Mapping[str, Any], request: httpx.Request) -> httpx.Response:
    error = answer.get("error")
    if error == "tls_expired":
        expired = ssl.SSLCertVerificationError("certificate verify failed: certificate has expired")
        expired.verify_message = "certificate has expired"
        raise httpx.ConnectError("tls", request=request) from expired
    if error == "reset":
        raise httpx.ReadError("connection reset", request=request)
    if error == "timeout":
        raise httpx.ReadTimeout("timeout", request=request)
    return httpx.Response(
        answer["status"],
        headers=[(name.encode(), value.encode()) for name, value in answer.get("headers", [])],
        stream=_Stream(_chunks(answer, error == "truncated")),
    )


async def _chunks(answer: Mapping[str, Any], truncated: bool) -> AsyncIterator[bytes]:
    if "body_gen" not in answer:
        yield (base64.b64decode(answer["body_b64"]) if "body_b64" in answer else answer.get("body", "").encode())
    elif answer["body_gen"]["kind"] == "slow_drip":
        yield b" "
        await asyncio.Event().wait()  # the next byte would come after any deadline
    else:
        for chunk in _generated(answer["body_gen"]):
            yield chunk
    if truncated:
        raise httpx.RemoteProtocolError("peer closed connection without sending complete message body")


def _generated(recipe: Mapping[str, Any]) -> Iterator[bytes]:
    kind = recipe["kind"]
    if kind in {"gzip_zeros", "deflate_zeros"}:
        packer = zlib.compressobj(9, zlib.DEFLATED, 31 if kind == "gzip_zeros" else 15)
        yield packer.compress(b"<rss>")
        for _ in range(recipe["uncompressed_mb"]):
            yield packer.compress(bytes(1_048_576))
        yield packer.flush()
    else:
        numbers = itertools.count() if kind == "endless_items" else range(recipe["n"])
        yield b'<rss version="2.0"><channel>'
        yield from (_item(recipe.get("prefix", "e"), number) for number in numbers)
        yield b"</channel></rss>"


def _item(prefix: str, number: int) -> bytes:
    link = f"https://wire.example/{prefix}/{number}"
    date = "Mon, 26 Oct 2026 07:00:00 GMT"
    return (
        f"<item><title>Item {prefix} {number}</title><link>{link}</link><guid>{prefix}-{number}</guid>"
        f"<pubDate>{date}</pubDate></item>"
    ).encode()


def fetched(fetcher: HttpFetcher, *requests: FetchRequest) -> list[FetchReply]:
    """The replies in the order of the requests; checks that each came once."""
    replies: dict[int, FetchReply] = {}
    calls: list[int] = []

    def note(reply: FetchReply) -> None:
        replies[reply.key] = reply
        calls.append(threading.get_ident())

    fetcher.fetch(requests, NOW, note)
    assert calls == [threading.get_ident()] * len(requests)
    return [replies[request.key] for request in requests]


def step(url: str, status: int, *headers: tuple[str, str], body: str = "") -> dict[str, Any]:
    return {"request": {"url": url}, "response": {"status": status, "headers": headers, "body": body}}


def kind(reply: FetchReply) -> FailureKind | None:
    return reply.failure.kind if reply.failure else None


class RawServer:
    """A server on loopback that answers every connection with given bytes, then closes it.

    With `stall` it sends no more, but leaves the closing to the client.
    """

    def __init__(self, reply: bytes, tls: ssl.SSLContext | None = None, stall: bool = False) -> None:
        self.received: list[bytes] = []
        received = self.received

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                received.append(self.request.recv(65_536))
                self.request.sendall(reply)
                if stall:
                    self.request.recv(1)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True

            def get_request(self) -> tuple[socket.socket, Any]:
                connection, peer = super().get_request()
                if tls is None:
                    return connection, peer
                return tls.wrap_socket(connection, server_side=True), peer

            def handle_error(self, request: Any, client_address: Any) -> None:
                """A client that hangs up is part of the tests."""

        self._server = Server(("127.0.0.1", 0), Handler)
        self.port: int = self._server.server_address[1]

    def __enter__(self) -> "RawServer":
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
