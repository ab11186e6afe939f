"""What no feed and no stranger can do: markup from titles, links that are none, foreign names, loading from afar."""

from collections.abc import Iterator

import pytest
from tests.web.client import Client
from tests.web.markup import complaints, read, unsafe

from storyheat.present.page.people import web_link
from storyheat.web.security import host_name, is_loopback


@pytest.fixture
def pages(client: Client, engine: str) -> Iterator[str]:
    """One of each page and of each state."""
    paths = [
        "/", "/?topic=cities", "/?topic=engines&language=zh", "/?page=9", "/?at=2027-03-01", "/?at=2026-11-13",
        "/sources", "/sources?at=2026-11-13", "/about", "/docs", "/nowhere", "/?sort=x", "/search",
        "/search?q=zorblat", "/search?q=%22%3E%3Cscript%3E",
        f"/story/{engine}?hour=2026-11-12T12:00Z",
        f"/story/{engine}?show=mentions", f"/story/{engine}?at=2020-01-01", f"/story/{engine}?period=all&order=oldest",
    ]  # fmt: skip
    return iter([client.get(path).text for path in paths])


def test_every_page_is_sound_and_keeps_to_the_policy(pages: Iterator[str]) -> None:
    for page in pages:
        root = read(page)
        assert list(complaints(root)) == []
        assert list(unsafe(root)) == []


def test_titles_names_and_addresses_stay_text(client: Client, engine: str) -> None:
    text = client.get(f"/story/{engine}").text
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text or "alert(" in text
    assert "\u202e" not in text
    assert "{{ 7 * 7 }}" in text
    assert "Agora &lt;b&gt;" in text
    [hostile] = [one for one in read(text).all("h4") if "Zorblat engine seven &" in one.text]
    assert hostile.all("a")[0].attributes["href"] == "https://agora.example/a?x=%22%3E&y=1"
    for query in ('at="><script>alert(1)</script>', "period='onload=alert(1)", "topic=<img src=x onerror=alert(1)>"):
        page = client.get(f"/?{query}").text
        assert "<script>alert" not in page
        assert "<img" not in page


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://example.org/a?b=c", "https://example.org/a?b=c"),
        ("http://example.org/", "http://example.org/"),
        ("https://user:secret@example.org/a", "https://example.org/a"),
        ("javascript:alert(1)", None),
        ("JavaScript://example.org/%0aalert(1)", None),
        ("data:text/html,<script>", None),
        ("//example.org/a", None),
        ("/a", None),
        ("https://", None),
        ("https://[broken/", None),
        (None, None),
    ],
)
def test_only_web_addresses_are_linked(url: str | None, shown: str | None) -> None:
    assert web_link(url) == shown


def test_every_reply_carries_the_policy(client: Client, engine: str) -> None:
    for path in ("/", f"/story/{engine}", f"/story/{engine}/heat.csv", "/healthz", "/nowhere", "/?sort=x"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert "set-cookie" not in headers


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8000", 200),
        ("127.0.0.1:8000", 200),
        ("[::1]:8000", 200),
        ("192.168.1.20", 200),
        ("NEWS.example.org:80", 200),
        ("evil.example.com", 400),
        ("localhost.evil.example.com", 400),
        ("", 400),
    ],
)
def test_only_known_names_are_answered(client: Client, host: str, status: int) -> None:
    reply = client.get("/healthz", {"Host": host})
    assert reply.status_code == status
    assert reply.headers["x-content-type-options"] == "nosniff"


def test_where_a_server_can_be_reached_from() -> None:
    assert all(is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "[::1]", "127.8.0.1"))
    assert not any(is_loopback(host) for host in ("0.0.0.0", "::", "192.168.1.20", "news.example.org", ""))
    assert host_name("EXAMPLE.org.:80") == "example.org"
