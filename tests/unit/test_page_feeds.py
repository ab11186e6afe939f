"""The feeds that a page names."""

import pytest

from storyheat.core.model import Url
from storyheat.ingest.page_feeds import FoundFeed, discover

PAGE = "https://www.wire.example/news/"


def page(head: str = "", body: str = "") -> str:
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"


def declared(attributes: str) -> list[str]:
    return [feed.url for feed in discover(page(f"<link {attributes}>"), PAGE)]


def test_declared_feeds_come_in_their_order_with_title_and_type() -> None:
    head = (
        '<link rel="alternate" type="application/rss+xml" title="All &amp; more" href="/feed.xml">'
        '<link rel="alternate" type="application/atom+xml; charset=utf-8" href="atom">'
        '<link rel="alternate" type="application/feed+json" href="//cdn.example/feed.json">'
        '<link rel="alternate" type="application/rss+xml" href="https://wire.example/feed.xml/">'  # the first again
    )
    assert discover(page(head, '<a href="/other/rss">RSS</a>'), PAGE) == [
        FoundFeed(Url(url), title, kind)
        for url, title, kind in (
            ("https://www.wire.example/feed.xml", "All & more", "application/rss+xml"),
            ("https://www.wire.example/news/atom", "", "application/atom+xml"),
            ("https://cdn.example/feed.json", "", "application/feed+json"),
        )
    ]


@pytest.mark.parametrize(
    ("attributes", "found"),
    [
        ('rel="ALTERNATE home" type="Application/RSS+XML" href="/a"', True),
        ('rel="feed" href="/a"', True),
        ('rel="alternate" type="text/xml" href="/a"', True),
        ('rel="alternate" type="application/json" href="/wp-json/posts/1"', False),
        ('rel="alternate" type="application/json+oembed" href="/a"', False),
        ('rel="alternate" hreflang="de" href="/de/"', False),
        ('rel="alternate stylesheet" type="text/css" href="/a"', False),
        ('rel="alternate" type="application/rss+xml" href="javascript:feed()"', False),
        ('rel="alternate" type="application/rss+xml" href=""', False),
        ('rel="alternate" type="application/rss+xml" href="http://[broken/feed"', False),
    ],
)
def test_only_what_is_declared_as_a_feed_is_one(attributes: str, found: bool) -> None:
    assert bool(declared(attributes)) is found


def test_the_base_of_the_page_holds() -> None:
    head = '<base href="https://other.example/dir/"><link rel="alternate" type="application/rss+xml" href="feed">'
    assert [feed.url for feed in discover(page(head), PAGE)] == ["https://other.example/dir/feed"]


def test_addresses_that_begin_with_feed_are_found() -> None:
    head = '<link rel="alternate" type="application/rss+xml" href="feed:https://wire.example/a">'
    assert [feed.url for feed in discover(page(head), PAGE)] == ["https://wire.example/a"]
    body = (
        '<a href="/rss.xml">All</a><a href="feed://wire.example/b">News</a><a href="FEED:https://wire.example/c">x</a>'
    )
    assert [feed.url for feed in discover(page(body=body), PAGE)] == [
        "http://wire.example/b", "https://wire.example/c", "https://www.wire.example/rss.xml"
    ]  # fmt: skip


def test_without_a_declared_feed_links_that_look_like_one_are_named_the_surest_first() -> None:
    body = (
        '<a href="/news/">News</a><a href="/feeds">All our offers</a>'
        '<a href="/buzzfeed/1">Buzz</a><a href="/about/#rss">About RSS</a><a href="/?feed=rss2">Entries</a>'
        '<a href="/blog/index.xml"><img alt="RSS" src="i.png"></a>'
        '<a href="/podcast.rss" type="application/rss+xml">P</a><a href="http://[broken/rss">x</a>'
    )
    found = discover(page("", body), PAGE)
    assert [(feed.url.removeprefix("https://www.wire.example"), feed.title) for feed in found] == [
        ("/blog/index.xml", ""), ("/podcast.rss", "P"), ("/feeds", "All our offers"), ("/?feed=rss2", "Entries"),
    ]  # fmt: skip


def test_a_page_that_names_thousands_is_cut_off() -> None:
    body = "".join(f'<a href="/{n}/rss">RSS</a>' for n in range(2000))
    assert len(discover(page("", body), PAGE)) == 50


@pytest.mark.parametrize("text", ["", "<", "\x00", "<?xml version='1.0'?><rss/>", "<a href=rss>", b"\xff\xfe<\x00"])
def test_any_text_is_a_page(text: str | bytes) -> None:
    assert len(discover(text, PAGE)) <= 1
