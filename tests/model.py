"""A language model by script: replies one after the other, without a socket or on loopback."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import httpx


@dataclass(frozen=True)
class Reply:
    """One reply. `error` is raised in its place; `stalls`: not a byte more comes after the head."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    error: Exception | None = None
    stalls: bool = False


def says(content: object, *, tokens: int | None = 900, ended: str = "stop", **message: Any) -> Reply:
    """A completion: a text as it stands, anything else as JSON."""
    text = content if isinstance(content, str) else json.dumps(content)
    body: dict[str, Any] = {
        "choices": [{"finish_reason": ended, "message": {"role": "assistant", "content": text, **message}}]
    }
    if tokens is not None:
        body["usage"] = {"total_tokens": tokens}
    return Reply(body=json.dumps(body).encode())


def complains(status: int, message: str = "", **headers: str) -> Reply:
    """An error of the endpoint, with its words."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, json.dumps({"error": {"message": message}}).encode(), named)


class ScriptedModel(httpx.AsyncBaseTransport):
    """Gives the replies in order, the last one again and again; keeps what it was asked."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.requests: list[httpx.Request] = []

    @property
    def asked(self) -> list[Any]:
        """The bodies of the requests."""
        return [json.loads(request.content) for request in self.requests]

    def next(self) -> Reply:
        """The reply that is due."""
        return self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        reply = self.next()
        if reply.error is not None:
            raise reply.error
        return httpx.Response(reply.status, headers=dict(reply.headers), stream=_Stream(reply))


class _Stream(httpx.AsyncByteStream):
    def __init__(self, reply: Reply) -> None:
        self._reply = reply

    async def __aiter__(self) -> Any:
        import asyncio

        if self._reply.stalls:
            await asyncio.Event().wait()
        for start in range(0, len(self._reply.body), 65_536):
            yield self._reply.body[start : start + 65_536]


@contextmanager
def serving(replies: Sequence[Reply]) -> Iterator[tuple[str, ScriptedModel]]:
    """The same on loopback: its address, and the script."""
    script = ScriptedModel(*replies)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            script.requests.append(httpx.Request("POST", self.path, headers=dict(self.headers), content=body))
            reply = script.next()
            self.send_response(reply.status)
            for name, value in {**reply.headers, "content-length": str(len(reply.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_: Any) -> None:
            """Says nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", script
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
