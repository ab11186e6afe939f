"""The fetcher against scripted servers: politeness and safety, one behaviour after the other."""

import asyncio
import signal
import threading
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scripted import (
    FEED,
    NOW,
    ScriptedTransport,
    fetched,
    kind,
    names,
    step,
)

from storyheat.core.feeds.network import NetworkParams
from storyheat.core.model import FailureKind, FetchOutcome, FetchReply, FetchRequest, Url
from storyheat.errors import ConfigError
from storyheat.ingest.http import HttpFetcher
from storyheat.ingest.sniff import Kind, sniff

AT_ONCE = NetworkParams(pause_seconds=0)


def answered(
    steps: Sequence[Mapping[str, Any]], request: FetchRequest | None = None, params: NetworkParams = AT_ONCE
) -> tuple[FetchReply, ScriptedTransport]:
    """The reply to one request where the servers play `steps`."""
    transport = ScriptedTransport(steps)
    fetcher = HttpFetcher(params, resolve=names({}), transport=transport)
    return fetched(fetcher, request or FetchRequest(1, FEED))[0], transport


# -- what is sent ---------------------------------------------------------------------------------


def test_nothing_is_sent_that_was_not_meant() -> None:
    _, transport = answered([step(FEED, 200, ("Set-Cookie", "a=b"), body="<rss/>")])
    assert sorted(transport.requests[0].headers) == ["accept", "accept-encoding", "host", "user-agent"]
    assert transport.requests[0].headers["accept-encoding"] == "gzip, deflate"


def test_validators_go_out_as_they_came_and_along_redirects() -> None:
    hop = step(FEED, 302, ("Location", "/b"), ("Set-Cookie", "a=b"))
    end = step("https://wire.example/b", 304, ("ETag", 'W/"x y"'), ("Cache-Control", "max-age=7200"))
    reply, transport = answered([hop, end], FetchRequest(1, FEED, 'W/"\xe4"', "yesterday"))
    for request in transport.requests:
        assert (b"If-None-Match", b'W/"\xe4"') in request.headers.raw
        assert (b"If-Modified-Since", b"yesterday") in request.headers.raw
        assert not {"cookie", "referer"} & set(request.headers)
    assert (reply.outcome, reply.etag, reply.last_modified) == (FetchOutcome.NOT_MODIFIED, 'W/"x y"', None)
    assert (reply.fresh_for, reply.moved_to) == (timedelta(hours=2), None)


def test_credentials_are_sent_to_their_origin_only_and_never_shown() -> None:
    hops = [
        step(FEED, 301, ("Location", "https://wire.example/b")),
        step("https://wire.example/b", 302, ("Location", "https://other:word@cdn.example/c")),
        step("https://cdn.example/c", 404),
    ]
    reply, transport = answered(hops, FetchRequest(1, Url("https://user:p%40ss@wire.example/feed.xml#top")))
    assert [request.headers.get("authorization") for request in transport.requests] == [
        "Basic dXNlcjpwQHNz",
        "Basic dXNlcjpwQHNz",
        None,
    ]
    assert reply.final_url == "https://cdn.example/c"
    assert "p%40ss" not in repr(reply)
    assert "word" not in repr(reply)

    reply, _ = answered([step(FEED, 200, body="<rss/>")], FetchRequest(1, Url("https://u:pw@wire.example/feed.xml")))
    assert reply.final_url == FEED


@pytest.mark.parametrize(
    ("start", "target", "kept"),
    [
        ("http://u:p@wire.example/", "https://wire.example/b", True),
        ("https://u:p@wire.example/", "http://wire.example/b", False),
        ("https://u:p@wire.example/", "https://wire.example:8443/b", False),
    ],
)
def test_credentials_follow_an_upgrade_but_no_downgrade(start: str, target: str, kept: bool) -> None:
    hops = [step(start.replace("u:p@", ""), 302, ("Location", target)), step(target, 200, body="<rss/>")]
    _, transport = answered(hops, FetchRequest(1, Url(start)))
    assert ("authorization" in transport.requests[1].headers) == kept


# -- redirects ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statuses", "moved_to"),
    [
        ([301], "https://a.example/1"),
        ([308, 301], "https://a.example/2"),
        ([301, 302], "https://a.example/1"),
        ([302, 301], None),
        ([303], None),
        ([307, 308], None),
    ],
)
def test_only_leading_permanent_hops_move(statuses: list[int], moved_to: str | None) -> None:
    places = [FEED, *(f"https://a.example/{number}" for number in range(1, len(statuses) + 1))]
    hops = [step(places[number], status, ("Location", places[number + 1])) for number, status in enumerate(statuses)]
    reply, _ = answered([*hops, step(places[-1], 200, body="<rss/>")])
    assert (reply.moved_to, reply.final_url, reply.body) == (moved_to, places[-1], b"<rss/>")


def test_nothing_moves_to_a_failure_or_to_plain_http_or_with_credentials() -> None:
    there = "http://wire.example/plain"
    moving = step(FEED, 301, ("Location", there))
    for end, request in (
        (step(there, 404), FetchRequest(1, FEED)),
        (step(there, 200, body="<rss/>"), FetchRequest(1, FEED)),
        (step(there, 200, body="<rss/>"), FetchRequest(1, Url("https://u:p@wire.example/feed.xml"))),
    ):
        reply, _ = answered([moving, end], request)
        assert (reply.moved_to, reply.final_url) == (None, there)


@pytest.mark.parametrize(
    "location",
    ["", " ", "https://wire.example/feed.xml#again", "https://wire.example:99999999/", "http://１.example/"],
)
def test_redirects_that_lead_nowhere(location: str) -> None:
    reply, _ = answered([step(FEED, 301, ("Location", location))])
    assert kind(reply) in {FailureKind.REDIRECT, FailureKind.REFUSED_ADDRESS}
    assert reply.final_url == FEED


@settings(deadline=None, max_examples=50)
@given(st.binary(max_size=60).filter(lambda raw: not set(raw) & set(b"\r\n\0")))
def test_no_redirect_breaks_us(location: bytes) -> None:
    def redirect(request: httpx.Request) -> httpx.Response:
        return httpx.Response(302, headers=[(b"Location", location)])

    fetcher = HttpFetcher(AT_ONCE, resolve=names({}), transport=httpx.MockTransport(redirect))
    (reply,) = fetched(fetcher, FetchRequest(1, FEED))
    assert kind(reply) in {FailureKind.REDIRECT, FailureKind.REFUSED_ADDRESS}


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=40), st.sampled_from(["", "http://", "https://user@", "http://[", "http://1"]))
def test_no_address_breaks_us(address: str, start: str) -> None:
    (reply,) = fetched(
        HttpFetcher(AT_ONCE, resolve=names({}), transport=ScriptedTransport([])),
        FetchRequest(1, Url(start + address)),
    )
    assert reply.failure is not None
    assert reply.failure.message.isprintable()


def test_the_hop_limit() -> None:
    def hops(count: int) -> list[dict[str, Any]]:
        chain = [step(f"https://a.example/{number}", 302, ("Location", f"/{number + 1}")) for number in range(count)]
        return [*chain, step(f"https://a.example/{count}", 200, body="<rss/>")]

    start = FetchRequest(1, Url("https://a.example/0"))
    assert answered(hops(5), start)[0].outcome is FetchOutcome.BODY
    reply, transport = answered(hops(6), start)
    assert (kind(reply), len(transport.requests)) == (FailureKind.REDIRECT, 6)


def test_a_refused_hop_gives_no_hint_at_the_allow_list() -> None:
    reply, transport = answered([step(FEED, 302, ("Location", "http://169.254.169.254/latest"))])
    assert len(transport.requests) == 1
    assert reply.failure is not None
    assert "allow_hosts" not in reply.failure.message
    direct, _ = answered([], FetchRequest(1, Url("http://10.0.0.1/")))
    assert direct.failure is not None
    assert "allow_hosts" in direct.failure.message


def test_no_redirect_leads_to_an_exempt_host_from_outside() -> None:
    params = NetworkParams(pause_seconds=0, allow_hosts=("nas.example:80",))
    hops = [
        step(FEED, 302, ("Location", "http://nas.example/")),
        step("http://nas.example/", 302, ("Location", "/feed")),
        step("http://nas.example/feed", 200, body="<rss/>"),
    ]
    requests = [FetchRequest(1, FEED), FetchRequest(2, Url("http://nas.example/"))]
    transport = ScriptedTransport(hops)
    fetcher = HttpFetcher(params, resolve=names({"nas.example": ["192.168.1.2"]}), transport=transport)
    astray, at_home = fetched(fetcher, *requests)
    assert (kind(astray), at_home.body) == (FailureKind.REFUSED_ADDRESS, b"<rss/>")


# -- statuses -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (204, FailureKind.EMPTY),
        (206, FailureKind.STATUS),
        (300, FailureKind.STATUS),
        (400, FailureKind.STATUS),
        (401, FailureKind.FORBIDDEN),
        (403, FailureKind.FORBIDDEN),
        (404, FailureKind.STATUS),
        (410, FailureKind.GONE),
        (429, FailureKind.RATE_LIMITED),
        (500, FailureKind.STATUS),
        (599, FailureKind.STATUS),
    ],
)
def test_statuses(status: int, expected: FailureKind) -> None:
    reply, _ = answered([step(FEED, status, ("ETag", '"bad"'), ("Retry-After", "90061"))])
    assert (reply.outcome, reply.status, kind(reply), reply.etag) == (
        FetchOutcome.FAILED,
        status,
        expected,
        None,
    )
    if status >= 300:
        assert reply.retry_after == timedelta(seconds=90061)


@pytest.mark.parametrize(
    ("status", "header"),
    [
        (200, ("CF-Mitigated", "challenge")),
        (202, ("x-amzn-waf-action", "challenge")),
        (405, ("x-amzn-waf-action", "captcha")),
        (429, ("X-Vercel-Mitigated", "challenge")),
    ],
)
def test_a_challenge_that_its_headers_name(status: int, header: tuple[str, str]) -> None:
    reply, _ = answered([step(FEED, status, header, body="<html>")])
    assert kind(reply) is FailureKind.CHALLENGE


RIDDLES = (
    "<title>Just a moment...</title>",
    '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/jsch/v1"></script>',
    "<script>var dd={'host':'geo.captcha-delivery.com'}</script>",
    '<iframe src="/_Incapsula_Resource?SWUDNSAI=31"></iframe>',
    '<div id="px-captcha"></div>',
    '<div id="sec-if-cpt-container"></div>',
    "<script>window.KPSDK={};</script>",
    '<meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2Ffeed">',
    "<title>Making sure you&#39;re not a bot!</title>",
    "<title>One moment, please...</title>",
    "<script>var arg1='8A';document.cookie='acw_sc__v2='+arg1</script>",
    "<title>百度安全验证</title>",
    "<script>var a=toNumbers('f6');document.cookie='__test='+slowAES.decrypt(a)</script>",
    "<title>Vercel Security Checkpoint</title>",
)


@pytest.mark.parametrize("riddle", RIDDLES)
def test_a_challenge_that_its_page_shows_whatever_its_status(riddle: str) -> None:
    page = f"<!doctype html><html><head>{riddle}</head><body>Please enable JavaScript.</body></html>"
    for status in (403, 429, 503):
        reply, _ = answered([step(FEED, status, ("Retry-After", "60"), body=page)])
        assert (kind(reply), reply.status, reply.retry_after) == (
            FailureKind.CHALLENGE, status, timedelta(minutes=1)
        )  # fmt: skip
    assert sniff(page) is Kind.CHALLENGE  # and so with status 200
    reply, _ = answered([step(FEED, 404, body=page)])
    assert kind(reply) is FailureKind.STATUS


@pytest.mark.parametrize(
    ("page", "status", "expected"),
    [
        ("<html><title>Access Denied</title><body>Reference #18</body></html>", 403, FailureKind.FORBIDDEN),
        ("<html><title>503 Service Unavailable</title><body>Maintenance</body></html>", 503, FailureKind.STATUS),
        ("<Error><Code>AccessDenied</Code></Error>", 403, FailureKind.FORBIDDEN),
        ("", 403, FailureKind.FORBIDDEN),
        ("\x00\xff not a page", 503, FailureKind.STATUS),
    ],
)
def test_an_error_that_is_no_challenge(page: str, status: int, expected: FailureKind) -> None:
    reply, _ = answered([step(FEED, status, body=page)])
    assert (kind(reply), reply.status) == (expected, status)


@pytest.mark.parametrize(
    "response",
    [
        {"body": RIDDLES[0], "headers": [("Content-Encoding", "br")]},
        {"body": RIDDLES[0], "headers": [("Content-Encoding", "gzip")], "error": "truncated"},
        {"body_gen": {"kind": "endless_items"}},
        {"body_gen": {"kind": "gzip_zeros", "uncompressed_mb": 50}, "headers": [("Content-Encoding", "gzip")]},
    ],
    ids=["unreadable", "cut short", "endless", "bomb"],
)
def test_what_comes_with_an_error_never_hides_the_error(response: dict[str, Any]) -> None:
    reply, _ = answered([{"request": {"url": FEED}, "response": {"status": 503, **response}}])
    assert reply.status == 503


def test_a_host_that_asks_for_rest_gets_it_for_all_its_feeds() -> None:
    transport = ScriptedTransport(
        [
            step("https://wire.example/1", 503, ("Retry-After", "600")),
            step("https://other.example/", 200, body="<rss/>"),
        ]
    )
    fetcher = HttpFetcher(AT_ONCE, resolve=names({}), transport=transport)
    addresses = ["https://wire.example/1", "https://wire.example/2", "https://other.example/"]
    first, second, other = fetched(fetcher, *(FetchRequest(key, Url(address)) for key, address in enumerate(addresses)))
    assert (first.status, second.status, other.status) == (503, None, 200)
    assert (first.outcome, second.outcome) == (FetchOutcome.FAILED, FetchOutcome.NOT_ASKED)
    assert first.retry_after == second.retry_after == timedelta(minutes=10)
    assert transport.violations == []


def test_one_dead_host_costs_one_lookup() -> None:
    looked_up: list[str] = []

    def resolve(host: str) -> Sequence[str]:
        looked_up.append(host)
        raise OSError("no such name")

    fetcher = HttpFetcher(AT_ONCE, resolve=resolve)
    replies = fetched(fetcher, *(FetchRequest(key, Url(f"https://dead.example/{key}")) for key in range(20)))
    assert {kind(reply) for reply in replies} == {FailureKind.DNS}
    assert looked_up == ["dead.example"]


# -- limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("error", ["reset", "timeout", "truncated", "tls_expired"])
def test_broken_exchanges(error: str) -> None:
    broken = {"request": {"url": FEED}, "response": {"status": 200, "body": "<rss>", "error": error}}
    reply, _ = answered([broken])
    expected = {
        "reset": FailureKind.CONNECT,
        "timeout": FailureKind.TIMEOUT,
        "truncated": FailureKind.TRUNCATED,
        "tls_expired": FailureKind.TLS,
    }
    assert kind(reply) is expected[error]


def test_an_endless_body_is_cut() -> None:
    endless = {"request": {"url": FEED}, "response": {"status": 200, "body_gen": {"kind": "endless_items"}}}
    reply, _ = answered([endless], params=NetworkParams(pause_seconds=0, max_bytes=100_000))
    assert kind(reply) is FailureKind.TOO_LARGE


def test_a_silent_name_server_ends_in_time() -> None:
    never = threading.Event()

    def resolve(host: str) -> Sequence[str]:
        never.wait()
        return []

    fetcher = HttpFetcher(NetworkParams(pause_seconds=0, timeout_seconds=0.05), resolve=resolve)
    (reply,) = fetched(fetcher, FetchRequest(1, FEED))
    never.set()
    assert kind(reply) is FailureKind.DNS


def test_a_bug_is_not_a_failure_of_the_feed() -> None:
    def broken(request: httpx.Request) -> httpx.Response:
        raise ZeroDivisionError

    fetcher = HttpFetcher(AT_ONCE, resolve=names({}), transport=httpx.MockTransport(broken))
    with pytest.raises(ZeroDivisionError):
        fetched(fetcher, FetchRequest(1, FEED), FetchRequest(2, FEED))


def test_an_error_of_the_caller_ends_the_run() -> None:
    class _Enough(Exception):
        pass

    def enough(reply: FetchReply) -> None:
        raise _Enough

    transport = ScriptedTransport([step(FEED, 200, body="<rss/>")])
    fetcher = HttpFetcher(NetworkParams(pause_seconds=60), resolve=names({}), transport=transport)
    with pytest.raises(_Enough):
        fetcher.fetch([FetchRequest(1, FEED), FetchRequest(2, FEED)], NOW, enough)
    assert len(transport.requests) == 1


def test_an_interrupt_ends_all_that_is_under_way() -> None:
    ended: list[str] = []

    class Hanging(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            signal.raise_signal(signal.SIGINT)
            try:
                await asyncio.Event().wait()
            finally:
                ended.append(request.url.host)
            raise AssertionError

    fetcher = HttpFetcher(AT_ONCE, resolve=names({}), transport=Hanging())
    with pytest.raises(KeyboardInterrupt):
        fetched(fetcher, FetchRequest(1, FEED))
    assert ended == ["wire.example"]


def test_no_requests_no_work() -> None:
    assert fetched(HttpFetcher(AT_ONCE)) == []


def test_a_proxy_has_to_be_one() -> None:
    with pytest.raises(ConfigError):
        HttpFetcher(NetworkParams(proxy="socks5://127.0.0.1:1"))
