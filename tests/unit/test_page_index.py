"""Index pages read by selectors, as documents."""

from contextlib import suppress
from datetime import datetime
from typing import Any

import pytest
from tests.make import utc

from storyheat.core.model import Entry, FailureKind, ParsedFeed, Precision, Selectors
from storyheat.errors import DocumentError
from storyheat.ingest.document import parse_document

URL = "https://wire.example/news/"
NOON = utc("2026-10-26 12:00")


def parsed(body: str, select: Selectors, *, head: str = "", **options: Any) -> ParsedFeed:
    text = f"<!doctype html><html lang=en-GB><head><title>Wire: news</title>{head}</head><body>{body}</body></html>"
    given: dict[str, Any] = {"url": URL, "source_timezone": "Asia/Shanghai", "fetched_at": NOON}
    return parse_document(text.encode(), selectors=select, **(given | options))


def one(body: str, select: Selectors, **options: Any) -> Entry:
    (entry,) = parsed(body, select, **options).entries
    return entry


def date(entry: Entry) -> tuple[datetime, Precision] | None:
    return None if entry.published is None else (entry.published.at, entry.published.precision)


def test_an_index_page_is_a_feed() -> None:
    feed = parsed(
        "<ul><li><a href='a?utm_source=x'>One</a><p></p><p>About <b>one</b>.</p></li><li><a href=/b>Two</a></li></ul>",
        Selectors("li", summary="p"),
    )
    assert (feed.format, feed.title, feed.site, feed.language) == ("html", "Wire: news", URL, "en-GB")
    first, second = feed.entries
    assert (first.title, first.link, first.canonical, first.summary, first.guid) == (
        "One", "https://wire.example/news/a?utm_source=x", "https://wire.example/news/a", "About one.", None,
    )  # fmt: skip
    assert (second.title, second.link, second.summary, date(second)) == ("Two", "https://wire.example/b", "", None)


@pytest.mark.parametrize(
    ("item", "select", "expected"),
    [
        ("<time datetime='2026-10-25T08:00:00+08:00'>today</time>", Selectors("li"), (utc("2026-10-25 00:00"), "time")),
        ("<i>25 Oct 2026</i>", Selectors("li", date="i"), (utc("2026-10-24 16:00"), "day")),
        ("<i><time datetime=2026-10-25>x</time></i>", Selectors("li", date="i"), (utc("2026-10-24 16:00"), "day")),
        ("<time datetime=2026-10-25><i>x</i></time>", Selectors("li", date="i"), (utc("2026-10-24 16:00"), "day")),
        ("<i>3小时前</i>", Selectors("li", date="i"), (utc("2026-10-26 09:00"), "time")),
        ("<time>2 hours ago</time>", Selectors("li"), (utc("2026-10-26 10:00"), "time")),
        (
            "<i>News, 2026/10/25</i>",
            Selectors("li", date="i", date_regex=r"\d+/\d+/\d+"),
            (utc("2026-10-24 16:00"), "day"),
        ),
        ("at 2026/10/25 by", Selectors("li", date_regex=r"(\d+/\d+/\d+) by"), (utc("2026-10-24 16:00"), "day")),
        ("<i>Posted on 25 Oct 2026</i>", Selectors("li", date="i"), (utc("2026-10-24 16:00"), "day")),
        ("<i>Event: 25 Oct 2026</i>", Selectors("li", date="i"), None),
        (
            "<i>Updated 26 Oct 2026</i><time datetime=2026-10-25></time>",
            Selectors("li", date="i", href_date_regex=r"\d{4}/\d{4}"),
            (utc("2026-10-25 16:00"), "day"),
        ),
        ("", Selectors("li", href_date_regex=r"/(\d{4})/(\d\d)(\d\d)-"), (utc("2026-10-24 16:00"), "day")),
        ("<i>nothing</i>", Selectors("li", date="i", date_regex=r"\d+"), None),
        ("<i>October 2026</i>", Selectors("li", date="i"), None),
        ("2026-10-25", Selectors("li"), None),  # nobody said that there is a date in it
    ],
)
def test_dates(item: str, select: Selectors, expected: tuple[datetime, str] | None) -> None:
    found = date(one(f"<li><a href='/2026/1025-x'>One</a> {item}</li>", select))
    assert (found and (found[0], found[1].value)) == expected


def test_a_relative_date_needs_the_time_of_the_fetch() -> None:
    assert date(one("<li><a href=a>A</a><time>2 hours ago</time></li>", Selectors("li"), fetched_at=None)) is None


def test_json_ld_dates_the_links_that_it_names() -> None:
    head = """<script type="application/ld+json">{"@type": "ItemList", "itemListElement": [
        {"item": {"@type": "NewsArticle", "url": "/news/a", "datePublished": "2026-10-25T10:00:00Z"}},
        {"item": {"mainEntityOfPage": {"@id": "https://wire.example/news/b"}, "datePublished": "2026-10-24"}},
        {"item": {"url": "/news/c", "datePublished": 7}}]}</script><script type="application/ld+json">{</script>"""
    feed = parsed("<li><a href=a>A</a><li><a href=b>B</a><li><a href=c>C</a>", Selectors("li"), head=head)
    assert [date(entry) and entry.published and entry.published.at for entry in feed.entries] == [
        utc("2026-10-25 10:00"), utc("2026-10-23 16:00"), None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("item", "select", "title"),
    [
        (
            "<a href=a>Model 2 2026/10/25</a>",
            Selectors("li", title="a", date="a", date_regex=r"\d+/\d+/\d+$"),
            "Model 2",
        ),
        ("<a href=a><h2><i>August 2026</i> Ours</h2></a>", Selectors("li", title="h2", date="h2 i"), "Ours"),
        ("<a href=a>A – 25 Oct 2026</a>", Selectors("li", date_regex=r"\d+ \w+ \d{4}"), "A"),
        ("<a href=a>25 Oct 2026</a>", Selectors("li", date="a"), "25 Oct 2026"),
        ("<a href=a><img alt=Pic></a><h3>Heading</h3>", Selectors("li"), "Heading"),
        ("<a href=a title=Told><img alt=Pic></a>", Selectors("li"), "Told"),
        ("<a href=a><img alt=Pic></a>", Selectors("li"), "Pic"),
        ("<h2>One</h2><a href=a>Read more →</a>", Selectors("li"), "One"),
        ("<h3>一</h3><a href=a>阅读全文</a>", Selectors("li"), "一"),
        ("<a href=a>Read more</a>", Selectors("li"), "Read more"),
        ("<a href=a>Link</a>", Selectors("li", title=".none"), "Link"),
        ("<a href=a></a>", Selectors("li"), None),
    ],
)
def test_titles(item: str, select: Selectors, title: str | None) -> None:
    assert one(f"<li>{item}</li>", select).title == title


@pytest.mark.parametrize("before", ["javascript:share()", "mailto:desk@wire.example", "#top", ""])
def test_a_link_that_leads_nowhere_is_passed_over(before: str) -> None:
    assert one(f"<li><a href='{before}'>Share</a><a href=a>A</a></li>", Selectors("li")).link.endswith("/news/a")  # type: ignore[union-attr]


def test_many_links_to_one_article_are_one_entry() -> None:
    assert len(parsed("<li><a href='a?utm_source=x'>A</a><li><a href=a#b>A</a>" * 900, Selectors("li")).entries) == 1


def test_the_item_may_be_the_link_itself() -> None:
    entry = one("<a href=/blog/x><p>One</p></a><a href=/other>no</a>", Selectors("a[href^='/blog/']", title="p"))
    assert (entry.title, entry.link) == ("One", "https://wire.example/blog/x")


def test_one_address_is_one_entry_with_what_its_items_say_together() -> None:
    feed = parsed(
        "<li><a href=a></a></li><li><a href=a#top>A</a><time>25 Oct 2026</time><p>About.</p></li>"
        "<li><a href=b>B</a></li>",
        Selectors("li", summary="p"),
    )
    assert [(entry.title, entry.summary, date(entry) is not None) for entry in feed.entries] == [
        ("A", "About.", True), ("B", "", False),
    ]  # fmt: skip


def test_links_that_are_none_are_left_out_but_not_for_want_of_a_base() -> None:
    body = "<li><a href='javascript:x()'>no</a><li>no<li><a href=a>A</a>"
    assert [entry.link for entry in parsed(body, Selectors("li")).entries] == ["https://wire.example/news/a"]
    entry = one("<li><a href=a>A</a>", Selectors("li"), url=None)
    assert (entry.title, entry.link) == ("A", None)
    assert "no base" in entry.remarks[0]


@pytest.mark.parametrize(
    ("select", "words"),
    [
        (Selectors("li.gone"), "the page has nothing that `item: li.gone` selects; it may have been rebuilt"),
        (Selectors("li", link="a.gone"), "the page has 1 items, but no link `a.gone` in any; it may have been rebuilt"),
    ],
)
def test_selectors_that_find_nothing_are_a_failure_in_words(select: Selectors, words: str) -> None:
    with pytest.raises(DocumentError, match="rebuilt") as raised:
        parsed("<li><a href=a>A</a></li>", select)
    assert (raised.value.kind, raised.value.message) == (FailureKind.SELECTORS, words)


def test_a_page_with_a_captcha_is_read_and_a_challenge_is_none() -> None:
    mark = "<div class=g-recaptcha></div>"
    assert one(f"<li><a href=a>A</a></li>{mark}", Selectors("li")).title == "A"
    with pytest.raises(DocumentError) as raised:
        parsed(mark, Selectors("li"))
    assert raised.value.kind == FailureKind.CHALLENGE


def test_a_feed_at_the_address_of_a_page_is_read_as_a_feed() -> None:
    text = b"<rss version='2.0'><channel><title>T</title><item><title>A</title><link>https://a.example/a</link></item></channel></rss>"
    feed = parse_document(text, url=URL, selectors=Selectors("li"))
    assert feed.entries[0].title == "A"
    assert any('"kind: auto"' in remark for remark in feed.remarks)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("<li>" * 30_000 + "<a href=a>A</a>", id="deep"),
        pytest.param("<li><a href=a>A</a><time>3 hours ago</time>" * 30_000, id="many"),
        pytest.param("<li><a href=a>A</a>" + "x" * 5_000_000, id="long"),
        pytest.param("<li><a href=a " + " ".join(f"x{n}=1" for n in range(400_000)) + ">A</a>", id="attributes"),
    ],
)
def test_hostile_pages_end(body: str) -> None:
    found = None
    with suppress(DocumentError):  # what is left of it has no link
        found = parsed(body, Selectors("li"))
    assert found is None or len(found.entries) == 1


def test_a_page_that_is_cut_off_says_so() -> None:
    feed = parsed("<li><a href=a>A</a></li>" + "x" * 4_000_000, Selectors("li"))
    assert any("very large" in remark for remark in feed.remarks)
    feed = parsed("<li><a href=a>A</a></li>" + "<div>" * 2000, Selectors("li"))
    assert any("without end" in remark for remark in feed.remarks)
