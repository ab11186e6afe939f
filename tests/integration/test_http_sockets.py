"""The fetcher on real sockets: names, addresses, certificates, the proxy, and servers that break off."""

import ssl
from pathlib import Path
from typing import Any

import pytest
from tests.scripted import RawServer, fetched, kind, names

from storyheat.core.feeds.network import NetworkParams
from storyheat.core.model import FailureKind, FetchRequest, Url
from storyheat.ingest.http import HttpFetcher

CERTIFICATE = Path(__file__).parent / "wire.example.pem"


def at_home(
    server: RawServer, scheme: str = "http", tls: ssl.SSLContext | None = None, **changes: Any
) -> tuple[HttpFetcher, FetchRequest]:
    """A fetcher for which wire.example is the server on loopback, and a request for its feed."""
    params = NetworkParams(pause_seconds=0, allow_hosts=(f"wire.example:{server.port}",), **changes)
    fetcher = HttpFetcher(params, resolve=names({"wire.example": ["127.0.0.1"]}), tls=tls)
    return fetcher, FetchRequest(1, Url(f"{scheme}://wire.example:{server.port}/feed.xml"))


OK = b'HTTP/1.1 200 OK\r\nContent-Length: 6\r\nETag: W/"\xe4"\r\n\r\n<rss/>'


def test_a_reply_over_a_socket() -> None:
    with RawServer(OK) as server:
        fetcher, request = at_home(server)
        (reply,) = fetched(fetcher, request)
        (again,) = fetched(fetcher, request)  # one fetcher serves many runs
    assert reply.body == again.body == b"<rss/>"
    assert (reply.etag, reply.final_url) == ('W/"\xe4"', request.url)
    assert server.received[0].startswith(b"GET /feed.xml HTTP/1.1\r\n")
    assert f"Host: wire.example:{server.port}\r\n".encode() in server.received[0]


def test_connections_go_to_the_checked_address_only() -> None:
    """A name server that answers differently the second time is never asked a second time."""
    answers = [["127.0.0.1"], ["127.0.0.1"], ["93.184.216.34"]]
    with RawServer(OK) as server:
        params = NetworkParams(pause_seconds=0, allow_hosts=(f"wire.example:{server.port}",))
        fetcher = HttpFetcher(params, resolve=lambda host: answers.pop())
        rebound = FetchRequest(1, Url(f"http://rebind.example:{server.port}/"))
        safe = FetchRequest(2, Url(f"http://wire.example:{server.port}/"))
        answers.pop()
        refused, reply = fetched(fetcher, rebound, safe)
    assert (kind(refused), reply.body) == (FailureKind.REFUSED_ADDRESS, b"<rss/>")
    assert (len(server.received), answers) == (1, [])


def test_the_next_address_is_tried() -> None:
    with RawServer(OK) as server:
        params = NetworkParams(pause_seconds=0, allow_hosts=(f"wire.example:{server.port}",))
        fetcher = HttpFetcher(params, resolve=names({"wire.example": ["127.0.0.2", "127.0.0.1"]}))
        (reply,) = fetched(fetcher, FetchRequest(1, Url(f"http://wire.example:{server.port}/")))
    assert reply.body == b"<rss/>"


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"", FailureKind.CONNECT),
        (b"SSH-2.0-server\r\n", FailureKind.CONNECT),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000, FailureKind.CONNECT),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n<rss", FailureKind.TRUNCATED),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n<rss>\r\n", FailureKind.TRUNCATED),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", FailureKind.EMPTY),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n \r\n", FailureKind.EMPTY),
        (b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\nxyz", FailureKind.ENCODING),
    ],
)
def test_raw_replies(raw: bytes, expected: FailureKind) -> None:
    with RawServer(raw) as server:
        fetcher, request = at_home(server)
        (reply,) = fetched(fetcher, request)
    assert kind(reply) is expected


@pytest.mark.parametrize("raw", [b"", b"HTTP/1.1 200 OK\r\n\r\n<rss"])
# The first also bounds the look-up, which takes a thread: a busy machine needs more than a moment for it.
@pytest.mark.parametrize(("limit", "seconds"), [("timeout_seconds", 0.3), ("total_seconds", 0.05)])
def test_silence_ends_in_time(raw: bytes, limit: str, seconds: float) -> None:
    with RawServer(raw, stall=True) as server:
        fetcher, request = at_home(server, "http", tls=None, **{limit: seconds})
        (reply,) = fetched(fetcher, request)
    assert kind(reply) is FailureKind.TIMEOUT
    assert reply.failure is not None
    assert limit in reply.failure.message


def test_the_system_knows_this_machine() -> None:
    with RawServer(OK) as server:
        allowed = HttpFetcher(NetworkParams(pause_seconds=0, allow_hosts=(f"localhost:{server.port}",)))
        (reply,) = fetched(allowed, FetchRequest(1, Url(f"http://LOCALHOST.:{server.port}/")))
    assert reply.body == b"<rss/>"


def test_nobody_listens() -> None:
    with RawServer(OK) as server:
        fetcher, request = at_home(server)
    (reply,) = fetched(fetcher, request)
    assert kind(reply) is FailureKind.CONNECT
    assert reply.failure is not None
    assert "refused" in reply.failure.message


def test_plain_http_on_a_secure_address() -> None:
    with RawServer(b"HTTP/1.1 400 Bad Request\r\n\r\n") as server:
        fetcher, request = at_home(server, "https")
        (reply,) = fetched(fetcher, request)
    assert kind(reply) is FailureKind.TLS


def test_the_certificate_is_checked_against_the_name() -> None:
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(CERTIFICATE)
    trusting = ssl.create_default_context(cafile=str(CERTIFICATE))
    with RawServer(OK, serving) as server:
        trusted, request = at_home(server, "https", tls=trusting)
        untrusting, _ = at_home(server, "https")
        (reply,) = fetched(trusted, request)
        (stranger,) = fetched(untrusting, request)
        params = NetworkParams(pause_seconds=0, allow_hosts=(f"other.example:{server.port}",))
        other = HttpFetcher(params, resolve=names({"other.example": ["127.0.0.1"]}), tls=trusting)
        (misnamed,) = fetched(other, FetchRequest(1, Url(f"https://other.example:{server.port}/")))
    assert reply.body == b"<rss/>"
    assert kind(stranger) is kind(misnamed) is FailureKind.TLS
    assert misnamed.failure is not None
    assert "other.example" in misnamed.failure.message


def test_the_guard_comes_before_the_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with RawServer(OK) as proxy, RawServer(OK) as trap:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{trap.port}")
        params = NetworkParams(pause_seconds=0, proxy=f"http://127.0.0.1:{proxy.port}")
        fetcher = HttpFetcher(params, resolve=names({"inside.example": ["10.0.0.1"]}))
        requests = [
            FetchRequest(1, Url("http://wire.example/feed")),
            FetchRequest(2, Url("http://inside.example/")),
        ]
        reply, refused = fetched(fetcher, *requests)
    assert (reply.body, kind(refused)) == (b"<rss/>", FailureKind.REFUSED_ADDRESS)
    assert [asked.split(b"\r\n")[0] for asked in proxy.received] == [b"GET http://wire.example/feed HTTP/1.1"]
    assert trap.received == []
