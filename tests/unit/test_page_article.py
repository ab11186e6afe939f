"""What article pages say of themselves, and the text in them."""

import json
from pathlib import Path

import pytest
from tests.make import utc

from storyheat.ingest.article import article_text, can_extract
from storyheat.ingest.page import page_text
from storyheat.ingest.page_article import ArticlePage, read_article_page

URL = "https://wire.example/2026/bridge"
FAULTS = Path(__file__).resolve().parents[1] / "faults"


def read(head: str = "", body: str = "", url: str | None = URL, lang: str = "en") -> ArticlePage:
    text = f"<!doctype html><html lang={lang}><head>{head}</head><body>{body}</body></html>"
    return read_article_page(text, url, fetched_at=utc("2026-11-01 00:00"))


def day(page: ArticlePage) -> str | None:
    return None if page.published is None else page.published.at.date().isoformat()


def ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


ARTICLE_ELSEWHERE, OTHER_ARTICLE = (
    ld(
        f'{{"@type":"NewsArticle","datePublished":"2026-10-{day}",'
        f'"mainEntityOfPage":{{"@type":"WebPage","@id":"/{name}"}}}}'
    )
    for name, day in (("n1", 20), ("n2", 21))
)


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        (ld('{"@type":"NewsArticle","datePublished":"2026-10-25T08:00:00Z"}'), "", "2026-10-25"),
        (ld('{"@graph":[{"@type":["Article","X"],"datePublished":"2026-10-25"}]}'), "", "2026-10-25"),
        (ld('<![CDATA[{"@type":"http://schema.org/BlogPosting","datePublished":"2026-10-25"}]]>;'), "", "2026-10-25"),
        (ld('{"@type":"NewsArticle",,"datePublished" : "2026-10-25"}'), "", "2026-10-25"),  # broken, but plain
        (ld('{"@type":"Event","datePublished":"2026-10-25"}'), "", None),
        (ld('{"@type":"NewsArticle","url":"/other","datePublished":"2026-10-20"}')
         + ld('{"@type":"NewsArticle","url":"/2026/bridge","datePublished":"2026-10-25"}'), "", "2026-10-25"),
        ('<meta property="article:published_time" content="2026-10-25T01:00:00+00:00">', "", "2026-10-25"),
        ('<meta name="pubdate" content="25 Oct 2026"><meta name="date" content="2026-10-27">', "", "2026-10-25"),
        ('<meta property="article:modified_time" content="2026-10-25">', "", None),
        ('<meta name="date" content="2026-10-25">', "", "2026-10-25"),
        ("", '<span itemprop="datePublished" content="2026-10-25">yesterday</span>', "2026-10-25"),
        ("", '<span property="dc:date dc:created" content="2026-10-25">x</span>', "2026-10-25"),
        ("", '<h1>B</h1><time datetime="2026-10-25">x</time><time datetime="2026-10-20">y</time>', "2026-10-25"),
        ("", '<aside><time datetime="2026-10-20">x</time></aside><h1>B</h1><p>25 Oct 2026</p>', "2026-10-25"),
        ("", '<div class="no-sidebar"><h1>B</h1><time datetime="2026-10-25">x</time></div>', "2026-10-25"),
        ("", '<h1>B</h1><div class="comments"><time datetime="2026-10-25">x</time></div>', None),
        ("", '<time class="updated" datetime="2026-10-25">x</time>', None),
        ("", "<h1>Bridge</h1><p>October 25, 2026</p>", "2026-10-25"),
        ("", f"<h1>Bridge</h1><p>{'On October 25, 2026 there were many people on the bridge. ' * 3}</p>", None),
        ("", "<h1>Of 25 Oct 2026</h1>", None),
        ("", "<p>Of old</p><p>25 Oct 2026</p><h1>Bridge</h1>", "2026-10-25"),
        ("", "<p class=date>25 Oct 2026</p><p class=date>26 Oct 2026</p>", None),
        ("", "<footer><p class=date>25 Oct 2026</p></footer>", None),
        ("", "<h1>Bridge</h1><p class=today>25 Oct 2026</p>", None),
        ("", '<p class="today date">25 Oct 2026</p>', None),
        ("", "<h1>Bridge</h1><p>The next of our meetings is on 25 Oct 2026.</p>", None),
        ("", "<p class=date>25 Oct 2026, 1:15 pm - 7 pm</p><h1>Open day</h1>", None),
        ("", "<p class=date><i>25 Oct 2026</i> | <i>10am–6pm</i></p><h1>Open day</h1>", None),
        ("", "<h1>Open day</h1><p>25 Oct 2026</p><p>from 9:00 to 17:00</p>", None),
        ("", "<h1>B</h1><time datetime=2026-10-25T09>9:00</time> – <time datetime=2026-10-25T17>17:00</time>", None),
        ("", "<h1>B</h1><p itemprop=startDate class=date>25 Oct 2026</p>", None),
        ("", "<h1>B</h1><div itemtype=https://schema.org/MusicEvent><p class=date>25 Oct 2026</p></div>", None),
        ("", "<dl class=data><dt>Effective date<dd>Sunday, 25 Oct 2026</dl>", None),
        ("", "<h1>B</h1><p class=date>25 Oct 2026, 10:15</p><p>3 – 4 minutes to read</p>", "2026-10-25"),
        ("", "<p class=documentPublished>published 25 Oct 2026</p>", "2026-10-25"),
        ('<script>{"@context":"https://schema.org","@type":"NewsArticle","datePublished":"2026-10-25"}</script>', "",
         "2026-10-25"),
        # of an object with another address only where nothing of the page's own says a day
        (ARTICLE_ELSEWHERE, "", "2026-10-20"),
        (ARTICLE_ELSEWHERE, "<h1>Bridge</h1><p>25 Oct 2026</p>", "2026-10-25"),
        (ARTICLE_ELSEWHERE + OTHER_ARTICLE, "", None),
        (f'<link rel=canonical href="/n1">{ARTICLE_ELSEWHERE}{OTHER_ARTICLE}', "", "2026-10-20"),
        ('<link rel=canonical href="https://other.example/2026/10/25/bridge">', "", "2026-10-25"),
        ("", "", None),
    ],
)  # fmt: skip
def test_the_day_of_publication(head: str, body: str, expected: str | None) -> None:
    assert day(read(head, body)) == expected


def test_the_day_may_stand_in_the_address() -> None:
    assert day(read(url="https://wire.example/2026/10/25/bridge")) == "2026-10-25"


def test_the_heading_that_the_title_repeats_is_the_headline() -> None:
    page = read(
        "<title>Bridge opens | Wire</title>", "<h1>Wire</h1><p>1 Oct 2026</p><h1>Bridge opens</h1><p>25 Oct 2026</p>"
    )
    assert day(page) is None  # both stand beside it: unknown is better than wrong
    assert page.title == "Wire"


@pytest.mark.parametrize(
    ("head", "canonical", "elsewhere"),
    [
        ('<link rel="canonical" href="/2026/b?utm_source=x">', "https://wire.example/2026/b", None),
        ('<link rel="canonical" href="https://www.wire.example/b">', "https://www.wire.example/b", None),
        ('<link rel="canonical" href="/"><meta property="og:url" content="/b">', "https://wire.example/b", None),
        ('<link rel="canonical" href="https://agency.example/b">', None, "https://agency.example/b"),
        ('<link rel="canonical" href="javascript:x">', None, None),
        (ld('{"@type":"Article","mainEntityOfPage":{"@id":"https://wire.example/2026/bridge"}}'), URL, None),
        ("", None, None),
    ],
)
def test_the_address_a_page_gives_for_itself(head: str, canonical: str | None, elsewhere: str | None) -> None:
    page = read(head)
    assert (page.canonical, page.elsewhere) == (canonical, elsewhere)


@pytest.mark.parametrize(("lang", "expected"), [("it", "2026-05-04"), ("en-US", "2026-04-05"), ("en", None)])
def test_the_language_orders_slash_dates(lang: str, expected: str | None) -> None:
    assert day(read(body="<h1>B</h1><p>04/05/2026</p>", lang=lang)) == expected


def test_a_date_after_the_fetch_is_not_believed() -> None:
    assert read('<meta property="article:published_time" content="2026-12-24">').published is None


@pytest.mark.parametrize(
    "text", ["", "<", "\x00", "\ud800<p>", "<script type=application/ld+json>[[[", "<h1>", "<time datetime=x>"]
)
def test_any_text_is_a_page(text: str) -> None:
    assert read_article_page(text, None).published is None


# -- the fault cases ------------------------------------------------------------------------------------


def fault(name: str, url: str) -> ArticlePage:
    return read_article_page(page_text((FAULTS / name / "input.html").read_bytes(), "text/html"), url)


def test_fault_70_a_relative_canonical_is_resolved_and_the_front_page_is_none() -> None:
    page = fault("70-html-canonical-relative", "https://wire.example/a/77?utm_source=x")
    assert (page.canonical, page.title) == ("https://wire.example/a/77", "Dam holds")


def test_fault_71_amp_and_mobile_pages_name_the_article() -> None:
    page = fault("71-html-amp-and-mobile", "https://m.wire.example/amp/a/77?amp=1")
    assert page.canonical == "https://wire.example/a/77"


def test_fault_73_the_article_is_dated_by_its_own_data() -> None:
    page = fault("73-html-article-dates", "https://wire.example/b/1")
    assert page.published is not None
    assert page.updated is not None
    assert (page.title, page.canonical) == ("Bridge opens", "https://wire.example/b/1")
    assert (page.published.at, page.updated.at) == (utc("2026-10-25 04:18"), utc("2026-10-26 00:00"))


def test_fault_74_a_declared_gbk_is_read_as_gb18030() -> None:
    expected = json.loads((FAULTS / "74-html-meta-charset-gbk" / "expect.json").read_text("utf-8"))
    assert fault("74-html-meta-charset-gbk", "https://sport.example.cn/x.html").title == expected["title"]


# -- the text -------------------------------------------------------------------------------------------


@pytest.mark.skipif(not can_extract(), reason="trafilatura is not installed (extra fulltext)")
def test_the_text_of_an_article_is_its_paragraphs() -> None:
    said = "The old bridge over the river was closed today after engineers found cracks in two of its pillars."
    more = "Buses take another way until spring, and the ferry runs every ten minutes, the town hall says."
    body = f"<nav>Home News Sport</nav><article><h1>Bridge</h1><p>{said}</p><p>{more}</p></article>"
    found = article_text(f"<html><body>{body}<footer>Imprint</footer></body></html>", URL)
    assert said in found
    assert more in found
    assert "Imprint" not in found
    assert article_text("<html></html>", URL) == ""
