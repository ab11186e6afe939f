"""Serves the feeds of the stream over HTTP on this machine, each from a loopback address of its own.

Whoever asks one host at a time, with a pause in between, then waits for nobody: 200 feeds are 200 hosts. Linux has all
addresses of 127.0.0.0/8; other systems must be given them first. Two of three feeds have an ETag and answer that
nothing changed; the third sends the same bytes again.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from multiprocessing import get_context
from multiprocessing.connection import Connection


def hosts(number: int) -> list[str]:
    """So many loopback addresses."""
    return [f"127.0.{1 + place // 250}.{1 + place % 250}" for place in range(number)]


async def _serve(bodies: Sequence[bytes], told: Connection) -> None:
    served = {host: (body, place) for place, (host, body) in enumerate(zip(hosts(len(bodies)), bodies, strict=True))}

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        body, place = served[writer.get_extra_info("sockname")[0]]
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                writer.write(_reply(head, body, tagged=place % 3 != 0))
                await writer.drain()
        writer.close()

    servers = [await asyncio.start_server(answer, host, 0) for host in served]
    told.send([f"{host}:{server.sockets[0].getsockname()[1]}" for host, server in zip(served, servers, strict=True)])
    await asyncio.Event().wait()


def _reply(head: str, body: bytes, *, tagged: bool) -> bytes:
    lines = (line.partition(":") for line in head.splitlines()[1:])
    asked = {name.lower(): value.strip() for name, _, value in lines}
    if not head.startswith("GET /feed "):
        return b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    tag = f'"{sha256(body).hexdigest()[:16]}"'
    if tagged and asked.get("if-none-match") == tag:
        return f"HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\n\r\n".encode()
    extra = f"ETag: {tag}\r\n" if tagged else ""
    start = f"HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nContent-Length: {len(body)}\r\n{extra}\r\n"
    return start.encode() + body


def _process(bodies: Sequence[bytes], told: Connection) -> None:
    asyncio.run(_serve(bodies, told))


@contextmanager
def serving(bodies: Mapping[str, bytes]) -> Iterator[dict[str, str]]:
    """Serves documents from a process of its own: source → "host:port" of its feed, at the path /feed."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    server = context.Process(target=_process, args=(list(bodies.values()), theirs), daemon=True)
    server.start()
    try:
        yield dict(zip(bodies, ours.recv(), strict=True))
    finally:
        server.terminate()
        server.join()
