"""Hostile servers and documents: each gets its word within a bound, at the size that a parameter allows here."""

import asyncio
import tracemalloc
from collections.abc import AsyncIterator
from pathlib import Path
from time import perf_counter

import httpx
import pytest
from tests.scripted import FEED, RawServer, fetched, kind, names

from storyheat.core.feeds.network import NetworkParams
from storyheat.core.model import FailureKind, FetchOutcome, FetchReply, FetchRequest, Url
from storyheat.errors import DocumentError
from storyheat.ingest.document import DocumentParams, parse_document
from storyheat.ingest.http import HttpFetcher
from storyheat.ingest.jsonrepair import JsonParams, read_json

ITEM = "<item><title>News</title><guid>{}</guid></item>"
SECONDS = 10.0  # far more than any of these takes; without its bound each would take minutes, or all memory


def feed(inner: str, before: str = "") -> bytes:
    return f'{before}<rss version="2.0"><channel>{inner}</channel></rss>'.encode()


def over_a_socket(raw: bytes, *, stall: bool = False, **limits: float) -> FetchReply:
    """The reply where a server on loopback sends these bytes."""
    with RawServer(raw, stall=stall) as server:
        params = NetworkParams(pause_seconds=0, allow_hosts=(f"wire.example:{server.port}",), **limits)  # type: ignore[arg-type]
        fetcher = HttpFetcher(params, resolve=names({"wire.example": ["127.0.0.1"]}))
        (reply,) = fetched(fetcher, FetchRequest(1, Url(f"http://wire.example:{server.port}/feed.xml")))
    return reply


# -- servers --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "flood",
    [
        b"".join(b"X-%d: y\r\n" % number for number in range(200_000)),
        b"X: " + b"y" * 2_000_000 + b"\r\n",
        b"Set-Cookie: a=b\r\n" * 100_000,
    ],
    ids=["many headers", "one endless header", "cookies"],
)
def test_a_flood_of_headers_is_not_read_to_its_end(flood: bytes) -> None:
    began = perf_counter()
    reply = over_a_socket(b"HTTP/1.1 200 OK\r\n" + flood + b"Content-Length: 6\r\n\r\n<rss/>")
    assert kind(reply) is FailureKind.CONNECT
    assert perf_counter() - began < SECONDS


def test_headers_of_absurd_size_that_just_fit_are_not_kept() -> None:
    head = b"ETag: " + b'"' + b"e" * 40_000 + b'"\r\nCache-Control: ' + b'a="' * 10_000 + b"\r\n"
    reply = over_a_socket(b"HTTP/1.1 200 OK\r\n" + head + b"Content-Length: 6\r\n\r\n<rss/>")
    assert (reply.outcome, reply.etag, reply.fresh_for) == (FetchOutcome.BODY, None, None)


def test_an_endless_address_to_go_to_is_none() -> None:
    location = "https://wire.example/" + "a" * 90_000
    transport = httpx.MockTransport(lambda request: httpx.Response(302, headers={"Location": location}))
    (reply,) = fetched(HttpFetcher(NetworkParams(), resolve=names({}), transport=transport), FetchRequest(1, FEED))
    assert kind(reply) is FailureKind.REDIRECT


class Dripping(httpx.AsyncByteStream):
    """A byte now and then, for ever; never so slowly that the pause between two would tell."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0.005)


def test_a_dripping_body_ends_with_the_deadline_of_the_whole_reply() -> None:
    transport = httpx.MockTransport(lambda request: httpx.Response(200, stream=Dripping()))
    params = NetworkParams(timeout_seconds=5, total_seconds=0.2)
    (reply,) = fetched(HttpFetcher(params, resolve=names({}), transport=transport), FetchRequest(1, FEED))
    assert kind(reply) is FailureKind.TIMEOUT
    assert reply.failure is not None
    assert "network.total_seconds" in reply.failure.message


def test_dripping_hops_share_one_deadline() -> None:
    async def slow(request: httpx.Request) -> httpx.Response:
        await asyncio.sleep(0.1)
        return httpx.Response(302, headers={"Location": request.url.path + "x"})

    params = NetworkParams(pause_seconds=0, total_seconds=0.25, max_redirects=20)
    fetcher = HttpFetcher(params, resolve=names({}), transport=httpx.MockTransport(slow))
    (reply,) = fetched(fetcher, FetchRequest(1, FEED))
    assert kind(reply) is FailureKind.TIMEOUT


# -- documents ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        feed("".join(ITEM.format(number) for number in range(30_000))),
        feed("<item/>" * 30_000),
        feed("<item><title>News</title>" * 30_000),  # never closed
        ('{"version":"https://jsonfeed.org/version/1.1","items":[' + ",".join(['{"id":1}'] * 30_000) + "]}").encode(),
    ],
    ids=["items", "empty items", "open items", "JSON"],
)
def test_of_endless_entries_only_the_first_are_read(body: bytes) -> None:
    tracemalloc.start()
    parsed = parse_document(body, params=DocumentParams(max_entries=100))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(parsed.entries) <= 100
    assert "only the first 100 entries were read (network.max_entries)" in parsed.remarks
    assert peak < 20 * len(body) + 5_000_000  # grows with the bytes, which are capped, and not with the entries


@pytest.mark.parametrize("depth", [1_000, 100_000])
@pytest.mark.parametrize(
    "shape", ["<description>{tags}</description>", "<description>{escaped}</description>", "{tags}"]
)
def test_deep_nesting_breaks_nothing(depth: int, shape: str) -> None:
    inner = shape.format(tags="<b>" * depth + "x" + "</b>" * depth, escaped="&lt;b&gt;" * depth)
    began = perf_counter()
    assert len(parse_document(feed(f"<item><title>News</title>{inner}</item>")).entries) == 1
    assert perf_counter() - began < SECONDS


def test_deep_json_is_no_feed() -> None:
    with pytest.raises(DocumentError, match="broken"):
        parse_document(
            b'{"version":"https://jsonfeed.org/version/1.1","items":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
        )


BILLION = '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' for level in range(1, 10))
QUADRATIC = f'<!ENTITY a9 "{"ha" * 5_000}">'


@pytest.mark.parametrize("entities", [BILLION, QUADRATIC], ids=["nested", "one long one, often"])
def test_entity_bombs_stay_what_they_are(entities: str) -> None:
    body = feed(ITEM.format("1") + f"<item><title>{'&a9;' * 1_000}</title></item>", f"<!DOCTYPE rss [{entities}]>")
    parsed = parse_document(body)
    assert parsed.entries[0].title == "News"
    assert all(len(entry.title or "") < 10_000 for entry in parsed.entries)


def test_external_entities_and_dtds_are_never_opened(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret words")
    with RawServer(b"HTTP/1.1 200 OK\r\n\r\n") as server:
        place = f"http://127.0.0.1:{server.port}/x.dtd"
        for doctype in (
            f'<!DOCTYPE rss [<!ENTITY x SYSTEM "{secret.as_uri()}">]>',
            f'<!DOCTYPE rss [<!ENTITY x SYSTEM "{place}">]>',
            f'<!DOCTYPE rss [<!ENTITY % p SYSTEM "{place}"> %p;]>',
            f'<!DOCTYPE rss SYSTEM "{place}">',
            f'<!DOCTYPE rss PUBLIC "-//X//X" "{place}">',
        ):
            for form in ("<title>News &x;</title>", "<title>News &x;</title><broken>"):
                parsed = parse_document(feed(f"<item>{form}</item>", doctype))
                assert "secret" not in repr(parsed)
    assert server.received == []


def test_json_with_more_slips_than_any_feed_is_not_mended() -> None:
    text = '{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"1","title":"One"},' + ",]" * 100
    value, _ = read_json(text, 10, JsonParams(max_tokens=50))
    assert value == {"version": "https://jsonfeed.org/version/1.1", "items": [{"id": "1", "title": "One"}]}
    with pytest.raises(ValueError, match="broken"):
        read_json('{"items":[' + r'"\q",' * 100, 10, JsonParams(max_tokens=50))


@pytest.mark.parametrize("escape", [r"\q", r"\""], ids=["wrong ones", "right ones in a text without an end"])
def test_json_of_nothing_but_escapes_takes_little_memory(escape: str) -> None:
    body = ('{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"' + escape * 100_000).encode()
    tracemalloc.start()
    with pytest.raises(DocumentError):
        parse_document(body)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 15 * len(body)
