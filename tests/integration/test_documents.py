"""Whole documents of every format, and what becomes of broken ones."""

from contextlib import suppress
from datetime import timedelta
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storyheat.core.model import FailureKind, ParsedFeed
from storyheat.errors import DocumentError
from storyheat.ingest.document import DocumentParams, parse_document

URL = "https://wire.example/feed.xml"
ITEM = (
    "<item><title>Dam holds</title><link>https://wire.example/1</link><guid>g1</guid>"
    "<pubDate>Mon, 26 Oct 2026 08:00:00 GMT</pubDate><description>Water fell.</description></item>"
)
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><link href="https://wire.example/"/>
<entry xml:lang="de"><title type="xhtml">
<div xmlns="http://www.w3.org/1999/xhtml">a &amp; <b>b</b> &lt;c&gt;</div></title>
<id>urn:1</id><link href="/x"/><author><name>Ann</name><email>a@wire.example</email></author>
<author><name>Bo</name></author><updated>2026-10-26T08:00:00Z</updated>
<content type="xhtml" xml:base="/b/"><div xmlns="http://www.w3.org/1999/xhtml"><width>5</width><p>Hello
<a href="rel">there</a></p></div></content>
<source><title>Origin</title><link href="https://origin.example/"/><updated>2020-01-01T00:00:00Z</updated></source></entry></feed>"""
JSON = """{"version": "https://jsonfeed.org/version/1.1", "title": "J", "home_page_url": "https://wire.example/",
"authors": [{"name": "Ann"}], "items": [{"id": 7, "url": "/p", "title": "A <b>", "content_html": "<p>x</p>",
"date_published": "2026-10-26T08:00:00+02:00"}, {"id": "8", "content_text": "plain <b> \\ud800", "summary": "s"},
{"id": "9", "author": {"name": "Bo"}}, 3]}"""


def rss(items: str, *, start: str = '<?xml version="1.0" encoding="utf-8"?>', channel: str = "") -> str:
    head = f'{start}<rss version="2.0"><channel><title>T</title><link>https://wire.example/</link>'
    return f"{head}{channel}{items}</channel></rss>"


def parse(document: str | bytes, content_type: str | None = "application/xml", url: str | None = URL) -> ParsedFeed:
    body = document.encode() if isinstance(document, str) else document
    return parse_document(body, url=url, content_type=content_type, source_timezone=None)


def titles(document: str | bytes, content_type: str | None = "application/xml") -> list[str | None]:
    return [entry.title for entry in parse(document, content_type).entries]


def test_atom() -> None:
    feed = parse(ATOM)
    (entry,) = feed.entries
    assert (feed.format, feed.site) == ("atom10", "https://wire.example/")
    assert (entry.title, entry.link, entry.author, entry.language) == (
        "a & b <c>",
        "https://wire.example/x",
        "Ann, Bo",
        "de",
    )
    assert (entry.publisher, entry.publisher_url) == ("Origin", "https://origin.example/")
    assert 'href="https://wire.example/b/rel"' in entry.html
    assert entry.published == entry.updated is not None


def test_atom_03() -> None:
    feed = parse(
        '<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>T</title><entry><title mode="escaped" '
        'type="text/html">a &amp;amp; b</title><link rel="alternate" href="http://wire.example/3"/>'
        "<issued>2026-10-26T08:00:00Z</issued><modified>2026-10-26T09:00:00Z</modified></entry></feed>"
    )
    assert feed.format == "atom03"
    assert feed.entries[0].title == "a & b"
    assert feed.entries[0].published != feed.entries[0].updated


def test_rdf_with_its_image_and_text_input() -> None:
    feed = parse(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="c"><title>C</title></channel>'
        '<image><title>I</title></image><item rdf:about="http://wire.example/1"><title>R</title>'
        "<link>http://wire.example/1</link><dc:date>2026-10-26</dc:date><dc:creator>Ann</dc:creator></item>"
        "<textinput><title>Search</title></textinput></rdf:RDF>"
    )
    assert (feed.format, feed.title) == ("rdf", "C")
    assert [(e.guid, e.title, e.author) for e in feed.entries] == [("http://wire.example/1", "R", "Ann")]


def test_json_feed() -> None:
    feed = parse(JSON, "application/feed+json")
    assert (feed.format, feed.title, feed.site) == ("json11", "J", "https://wire.example/")
    assert [(e.guid, e.title, e.link, e.author) for e in feed.entries] == [
        ("7", "A <b>", "https://wire.example/p", "Ann"),
        ("8", None, None, "Ann"),
        ("9", None, None, "Bo"),
    ]
    assert feed.entries[1].text == "plain <b> ?"
    assert parse('{"version": "https://jsonfeed.org/version/1", "items": []}').format == "json1"


def test_an_aggregator_names_the_publisher_and_people_have_names() -> None:
    feed = parse(
        rss(
            '<item><title>A</title><author>desk@wire.example (News Desk)</author><source url="https://paper.example">'
            "The Paper</source></item><item><title>B</title><author>Ann &lt;ann@wire.example&gt;</author>"
            '<media:group xmlns:media="http://search.yahoo.com/mrss/"><media:title>no</media:title>'
            "<media:description>From the video</media:description></media:group></item>"
        )
    )
    first, second = feed.entries
    assert (first.author, first.publisher, first.publisher_url) == ("News Desk", "The Paper", "https://paper.example")
    assert (second.title, second.author, second.summary) == ("B", "Ann", "From the video")


def test_the_rhythm_a_channel_asks_for() -> None:
    feed = parse(
        rss(
            ITEM,
            channel='<ttl>90</ttl><sy:updatePeriod xmlns:sy="http://purl.org/rss/1.0/modules/syndication/">daily'
            "</sy:updatePeriod><sy:updateFrequency>12</sy:updateFrequency><skipHours><hour>1</hour><hour>24</hour>"
            "<hour>x</hour></skipHours><skipDays><day>Sunday</day></skipDays><language>de-DE</language>"
            "<image><title>I</title><link>https://img.example/</link></image>",
        )
    )
    assert feed.poll_hint == timedelta(hours=2)
    assert sorted(feed.skip_hours) == [0, 1]
    assert sorted(feed.skip_days) == [6]
    assert (feed.title, feed.site, feed.language) == ("T", "https://wire.example/", "de-DE")
    assert parse(rss(ITEM)).poll_hint is None


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", FailureKind.EMPTY),
        (b"\xef\xbb\xbf \n", FailureKind.EMPTY),
        (b"<html><body>Welcome</body></html>", FailureKind.HTML),
        (b"<!DOCTYPE html><title>Just a moment...</title>", FailureKind.CHALLENGE),
        (b"\x89PNG\r\n\x1a\n", FailureKind.NOT_A_FEED),
        (b'<opml version="1.0"><body/></opml>', FailureKind.NOT_A_FEED),
        (b'{"items": 1}', FailureKind.NOT_A_FEED),
        (b'{"items": []}', FailureKind.NOT_A_FEED),
        (b'{"items": NaN}', FailureKind.NOT_A_FEED),
        (b"[" * 100_000, FailureKind.NOT_A_FEED),
        (b"<rss" + b"x" * 200, FailureKind.NOT_A_FEED),
    ],
)
def test_what_is_no_feed_says_what_it_is(body: bytes, kind: FailureKind) -> None:
    with pytest.raises(DocumentError) as caught:
        parse(body, "text/xml")
    assert caught.value.kind == kind


def test_limits() -> None:
    with pytest.raises(DocumentError) as caught:
        parse_document(
            b" " * 11, url=None, content_type=None, source_timezone=None, params=DocumentParams(max_bytes=10)
        )
    assert caught.value.kind == FailureKind.TOO_LARGE
    feed = parse_document(
        rss(ITEM * 3).encode(),
        url=None,
        content_type=None,
        source_timezone="No/Where",
        params=DocumentParams(max_entries=2),
    )
    assert len(feed.entries) == 2
    assert feed.remarks == (
        "unknown zone of the source: No/Where",
        "only the first 2 entries were read (network.max_entries)",
    )


@pytest.mark.parametrize(
    "document",
    ["<rss><channel>" + "<item/>" * 1_000_000 + "</channel></rss>", "<rss><channel>" + "<item><title>" * 200_000],
    ids=["a million", "many open ones"],
)
def test_a_million_entries_are_survived(document: str) -> None:
    began = process_time()
    feed = parse(document)
    assert process_time() - began < 5
    assert len(feed.entries) == 0
    assert "only the first 30,000 entries were read (network.max_entries)" in feed.remarks


def test_an_empty_channel_is_a_success_and_blank_entries_are_none() -> None:
    assert parse(rss("")).entries == ()
    blank = parse(rss("<item/><item><title>A</title></item>"))
    assert [entry.title for entry in blank.entries] == ["A"]
    assert blank.remarks == ("entries without any content were left out",)


@pytest.mark.parametrize(
    ("encoding", "declared", "title"),
    [
        ("utf-16", "utf-16", "café"),
        ("utf-16-be", "utf-16", "café"),
        ("utf-32", "utf-32", "café"),
        ("cp1252", "iso-8859-1", "It’s 5 €"),
        ("cp932", "shift_jis", "日本語①"),
        ("euc-kr", "euc-kr", "한국어"),
        ("koi8-r", "koi8-r", "Привет"),
        ("utf-8", "gbk", "北京时间八点"),
        ("cp1252", "idna", "It’s"),
        ("cp1252", "utf-8", "It’s"),
    ],
)
def test_encodings(encoding: str, declared: str, title: str) -> None:
    document = rss(f"<item><title>{title}</title></item>", start=f'<?xml version="1.0" encoding="{declared}"?>')
    assert titles(document.encode(encoding)) == [title]


def test_the_header_decides_where_the_document_is_silent_or_wrong() -> None:
    document = rss("<item><title>上海时间九点</title></item>", start="").encode("gbk")
    assert titles(document, "application/xml; charset=gbk") == ["上海时间九点"]
    wrong = rss("<item><title>上海时间九点</title></item>").encode("gbk")
    assert titles(wrong, "application/xml; charset=gbk") == ["上海时间九点"]


def test_broken_bytes_are_marked_and_text_encoded_twice_is_undone() -> None:
    slip = rss("<item><title>" + "时间在流逝" * 20 + "</title></item>").encode().replace("流".encode(), b"\xe6\xb5", 1)
    assert "\ufffd" in (titles(slip)[0] or "")
    in_halves = rss("<item><title>A \ud83d\ude00 B é</title></item>").encode("utf-8", "surrogatepass")
    assert titles(in_halves) == ["A \U0001f600 B é"]
    one_slip = rss("<item><title>sarà grat\udcc3is</title></item>").encode("utf-8", "surrogateescape")
    assert titles(one_slip) == ["sarà grat\ufffdis"]
    assert titles(rss("<item><title>It\x92s \x81late\x85</title></item>")) == ["It’s late…"]
    assert "not valid UTF-16" in parse(rss(ITEM).encode("utf-16") + b"\x00").remarks[0]
    gbk = rss("<item><title>北京时间</title></item>", start='<?xml version="1.0" encoding="gbk"?>').encode("gbk")
    assert "some bytes are not valid gbk" in parse(gbk.replace("北".encode("gbk"), b"\xff\xff")).remarks
    twice = rss("<item><title>L’été à Paris</title></item>").encode().decode("cp1252", "replace").encode()
    assert titles(twice) == ["L’été à Paris"]


def test_slips_in_the_xml_are_mended_with_a_remark() -> None:
    entities = parse(
        rss("<item><title>caf&eacute;&nbsp;&foo; &#146; &#x1F600; &#8; &#99999999999; a < b</title></item>")
    )
    assert entities.entries[0].title == "café &foo; ’ 😀 a < b"
    own = '<!DOCTYPE rss [<!-- "x" --><!ENTITY co "<b>"><!ENTITY e1 "The Wire"><!ENTITY e2 "&#233;">]>'
    assert titles(rss("<item><title>&e1; &e2;</title></item>", start=own)) == ["The Wire é"]
    assert titles(rss("<item><title>&e1;</title></item>", start='<!DOCTYPE rss [ "')) == ["&e1;"]
    endless = "9" * 5000
    assert titles(rss(f"<item><title>A&#{endless};B&#{'0' * 5000}67;</title></item>")) == ["ABC"]
    assert titles(rss("<item><title>&e;</title></item>", start=f'<!DOCTYPE rss [<!ENTITY e "&#{endless};">]>')) == [
        "\ufffd"
    ]
    unused = '<!DOCTYPE rss [<!ENTITY big "&e1;&e1;"><!ENTITY % p "x"><!ENTITY nbsp "&#38;#160;"><!ENTITY e1 "x">]>'
    assert parse(rss("<item><title>&e1;&nbsp;y</title></item>", start=unused)).remarks == ()
    lost = parse(rss("<item><title>&big;</title></item>", start=unused))
    assert (lost.entries[0].title, lost.remarks) == (
        "&big;",
        ("entities that the document defines were not expanded",),
    )
    assert titles(rss('<item xmlns:a="http://a b/c"><title>A</title></item>')) == ["A"]
    warned = parse("<br />\n<b>Warning</b>: x<br />\n" + rss(ITEM))
    assert warned.remarks == ("text before the feed was skipped",)
    assert titles("<!DOCTYPE html><html><body>" + ATOM + "</body></html>") == ["a & b <c>"]


def test_mismatched_and_unclosed_elements() -> None:
    assert titles(rss("<item><title>A</titel></item><item><title>B</title></item>")) == ["A", "B"]
    assert titles(rss("<item><title>A</title><item><title>B</title></item>")) == ["A", "B"]
    assert titles(rss("<title>open" + ITEM).replace("<title>T</title>", "")) == ["Dam holds"]


def test_a_document_that_breaks_off_gives_nothing_incomplete() -> None:
    second = ITEM.replace("g1", "g2")
    in_link = rss(ITEM + second).rpartition("wire.example/1")[0]
    in_description = rss(ITEM + second).rpartition("Water")[0] + "<![CDATA[ Wat"
    assert [entry.guid for entry in parse(in_link).entries] == ["g1"]
    assert [entry.guid for entry in parse(in_description).entries] == ["g1", "g2"]
    assert "breaks off" in parse(in_link).remarks[-1]
    assert titles('<rss version="2.0"><channel') == []


PIECES = st.sampled_from(
    ["<", ">", "&", "]]>", "<![CDATA[", "<!--", "<item>", "</item>", "<image>", "<source>", "<link>",
     "<width>x</width>", "\x00", "<a:b>", ' xmlns:a="x y"', "<!DOCTYPE x [", "&a;", 'xml:base="http://["',
     "<title>", "</channel>"]
)  # fmt: skip
EDITS = st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 60), PIECES), min_size=1, max_size=6)


@settings(max_examples=300)
@given(st.sampled_from([rss(ITEM * 2), ATOM, JSON]), EDITS)
def test_nothing_but_our_own_error_comes_of_damaged_documents(document: str, edits: list[tuple[int, int, str]]) -> None:
    for place, removed, inserted in edits:
        place %= len(document) + 1
        document = document[:place] + inserted + document[place + removed :]
    with suppress(DocumentError):
        assert all(entry.title != "" for entry in parse(document).entries)


@given(st.binary(max_size=200), st.sampled_from([None, "text/xml; charset=utf-16", "a/b; charset=hex", "text/html"]))
def test_nothing_but_our_own_error_comes_of_any_bytes(body: bytes, content_type: str | None) -> None:
    with suppress(DocumentError):
        parse(body, content_type)


def test_dates_are_read_as_long_as_there_is_time_for_them() -> None:
    dates = ["26 Oct 2026", "Mon, 26 Oct 2026 10:00:00 GMT", "x" * 5000, "27 Oct 2026", "Mon, 26 Oct 2026 10:00:00 GMT"]
    items = "".join(f"<item><title>{n}</title><pubDate>{date}</pubDate></item>" for n, date in enumerate(dates))
    body = f"<rss version='2.0'><channel><title>x</title>{items}</channel></rss>".encode()
    feed = parse_document(body, params=DocumentParams(max_date_chars=122))
    assert [entry.published is not None for entry in feed.entries] == [True, True, False, True, True]
    feed = parse_document(body, params=DocumentParams(max_date_chars=121))
    assert [entry.published is not None for entry in feed.entries] == [True, True, False, False, False]
    assert "only the first 121 characters of unusual dates were read" in feed.remarks
