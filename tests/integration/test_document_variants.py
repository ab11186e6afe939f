"""Variants of what naive programs break on: encodings, broken XML, links, titles and JSON, each as small as can be."""

import json
from dataclasses import replace
from typing import Any

import pytest

from storyheat.core.model import Entry, ParsedFeed
from storyheat.errors import DocumentError
from storyheat.ingest.document import parse_document

URL = "https://wire.example/dir/feed.xml"
DATE = "<pubDate>Mon, 26 Oct 2026 08:00:00 GMT</pubDate>"
LINK = "<link>https://wire.example/1</link>"
ATOM = 'xmlns="http://www.w3.org/2005/Atom"'


def parse(document: str | bytes, content_type: str | None = "application/xml") -> ParsedFeed:
    return parse_document(
        document.encode() if isinstance(document, str) else document, url=URL, content_type=content_type
    )


def item(title: str, guid: str = "g1", link: str = LINK) -> str:
    return f"<item><title>{title}</title>{link}<guid isPermaLink='false'>{guid}</guid>{DATE}</item>"


def rss(items: str, start: str = '<?xml version="1.0" encoding="utf-8"?>') -> str:
    return f'{start}<rss version="2.0"><channel><title>T</title>{items}</channel></rss>'


def atom(entry: str, attributes: str = ATOM) -> str:
    return f"<feed {attributes}><title>T</title><entry>{entry}</entry></feed>"


def only(document: str | bytes, content_type: str | None = "application/xml") -> Entry:
    (entry,) = parse(document, content_type).entries
    return entry


# -- encodings ------------------------------------------------------------------------------------

RUSSIAN, CHINESE, TAIWANESE = "Привет, мир, как дела", "北京时间八点整新闻", "繁體中文新聞快報"
JAPANESE, KOREAN = "日本語のニュース速報です", "한국어 뉴스 속보입니다"


@pytest.mark.parametrize(
    ("encoding", "declared", "title"),
    [
        ("shift_jis", "Shift_JIS", JAPANESE), ("euc-jp", "EUC-JP", JAPANESE), ("iso2022_jp", "ISO-2022-JP", JAPANESE),
        ("cp949", "ks_c_5601-1987", KOREAN), ("big5", "Big5", TAIWANESE), ("gb18030", "GB18030", "时间𠀀"),
        ("cp1251", "windows-1251", RUSSIAN), ("iso8859_5", "ISO-8859-5", RUSSIAN), ("cp866", "cp866", RUSSIAN),
        ("cp1250", "windows-1250", "Příliš žluťoučký"), ("cp1253", "windows-1253", "Καλημέρα"),
        ("cp1256", "windows-1256", "مرحبا بالعالم"), ("cp874", "tis-620", "ข่าว"), ("iso8859_15", "ISO-8859-15", "5 €"),
        ("utf-16-le", "utf-8", "café 日本"), ("utf-8", "windows-1251", "Привет"), ("utf-8", "iso-8859-1", "é"),
    ],
)  # fmt: skip
def test_declared_encodings(encoding: str, declared: str, title: str) -> None:
    document = rss(item(title), f'<?xml version="1.0" encoding="{declared}"?>')
    assert only(document.encode(encoding), "text/xml").title == title


@pytest.mark.parametrize("declared", ["", '<?xml version="1.0" encoding="utf-8"?>'])
@pytest.mark.parametrize("header", ["text/xml", "text/xml; charset=utf-8", "text/xml; charset=iso-8859-1"])
@pytest.mark.parametrize(
    ("encoding", "title"),
    [("cp1251", RUSSIAN), ("koi8-r", RUSSIAN), ("gbk", CHINESE), ("big5", TAIWANESE), ("shift_jis", JAPANESE),
     ("euc-jp", JAPANESE), ("euc-kr", KOREAN), ("cp1252", "L’été à la mer, déjà")],
)  # fmt: skip
def test_where_nothing_true_is_declared_the_language_shows(
    encoding: str, title: str, header: str, declared: str
) -> None:
    assert only(rss(item(title), declared).encode(encoding), header).title == title


@pytest.mark.parametrize(
    ("title", "encodings"),
    [
        ("뉴스", ["euc-kr"]), ("태풍 북상 제주도 비상", ["euc-kr"]), ("お知らせ", ["shift_jis", "euc-jp"]),
        ("円安で輸出企業が好調", ["shift_jis", "euc-jp"]), ("カメラのレビュー", ["shift_jis", "euc-jp"]),
        ("今日天氣", ["big5"]), ("油價下週調漲", ["big5"]), ("股市收盘", ["gbk"]), ("足球队晋级决赛", ["gbk"]),
        ("Новости", ["cp1251", "koi8-r", "iso8859_5", "cp866"]), ("Погода в Крыму", ["cp1251", "koi8-r"]),
        ("Νέα της ημέρας", ["cp1253"]), ("חדשות היום והלילה", ["cp1255"]), ("أخبار اليوم والليلة", ["cp1256"]),
        ("ข่าววันนี้", ["cp874"]),
        ("Café", ["cp1252"]), ("Größe", ["cp1252"]), ("Prestação de crédito à habitação", ["cp1252"]),
        ("Só há chocolate até 2050", ["cp1252"]), ("It’s “over” – finally…", ["cp1252"]),
    ],
)  # fmt: skip
def test_a_few_letters_are_enough_where_only_one_language_has_them(title: str, encodings: list[str]) -> None:
    for encoding in encodings:
        feed = parse(rss(item(title), "").encode(encoding), "text/xml")
        assert [entry.title for entry in feed.entries] == [title], encoding
        assert feed.remarks[0].startswith("no declared encoding fits the bytes; read as ")


def test_where_the_letters_are_too_few_a_remark_says_so_and_a_named_language_helps() -> None:
    short = rss(item("날씨"), "")
    doubtful = parse(short.encode("euc-kr"), "text/xml")
    assert doubtful.remarks[0].endswith("which the few letters that are not ASCII leave in doubt")
    told = short.replace("<channel>", "<channel><language>ko-KR</language>").encode("euc-kr")
    assert only(told, "text/xml").title == "날씨"
    taiwan = rss(item("公告"), "").replace("<channel>", "<channel><language>zh-TW</language>").encode("big5")
    assert only(taiwan, "text/xml").title == "公告"


def test_text_encoded_more_than_once_is_undone_and_marks_in_the_middle_vanish() -> None:
    once = rss(item("été")).encode()
    assert only(once.decode("latin-1").encode().decode("latin-1").encode()).title == "été"
    assert only(rss(item("北京时间 新闻")).encode().decode("latin-1").encode()).title == "北京时间 新闻"
    assert only(b"\xef\xbb\xbf\xef\xbb\xbf\n" + rss(item("A\ufeffB\x00C\x1bD")).encode()).title == "ABCD"
    assert only(b"\xff\xfe" + rss(item("é日")).encode("utf-16-le")).title == "é日"


# -- broken XML -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "broken",
    [
        f"<item><title>A{LINK}<guid>g1</guid>{DATE}</item>",
        f"<item><title>A</title><link>https://wire.example/1<guid>g1</guid>{DATE}</item>",
        f"<item><title>A</title>{LINK}<description>Text <b>bold<guid>g1</guid>{DATE}</item>",
        f"<item><title>A</title>{LINK}<description>x<br>y<img src='a.png'></description><guid>g1</guid>{DATE}</item>",
        f"<item><title>A</title>{LINK}<description><b><i>x</b></i> </u></description><guid>g1</guid>{DATE}</item>",
        f"<item><title>A</title>{LINK}<guid>g1</guid><pubDate>Mon, 26 Oct 2026 08:00:00 GMT</item>",
        f"<item><title>A</title>{LINK}<guid>g1</guid>{DATE}",
        f"<item><title><![CDATA[A</title>{LINK}<guid>g1</guid>{DATE}</item>",
        f"<item><title type=html x='1' x='2'>A</title>{LINK}<guid>g1</guid>{DATE}</item>",
        f"<item><Title>A</title>{LINK}<GUID>g1</guid><PubDate>Mon, 26 Oct 2026 08:00:00 GMT</pubdate></item>",
        f"<item xmlns:q=''><title>A</title>{LINK}<guid>g1</guid>{DATE}<enclosure url='x'/></item>",
        f"<unknown><item><title>A</title>{LINK}<guid>g1</guid>{DATE}</item>",
        f"<!-- a -- b --><item><title>A</title>{LINK}<guid>g1</guid>{DATE}</item>",
        f"<item><title>A</title>{LINK}<guid>g1</guid>{DATE}</item></rss><rss><channel>",
    ],
)
def test_a_slip_in_one_entry_hurts_neither_it_nor_the_next(broken: str) -> None:
    feed = parse(rss(broken + item("B", "g2")))
    assert [(e.title, e.link, e.guid) for e in feed.entries] == [
        ("A", "https://wire.example/1", "g1"),
        ("B", "https://wire.example/1", "g2"),
    ]
    assert all(e.published for e in feed.entries)


@pytest.mark.parametrize(
    ("document", "titles"),
    [
        (item("A") + item("B"), ["A", "B"]),  # the root was lost
        (f"<entry {ATOM}><title>A</title></entry><entry><title>B</title></entry>", ["A", "B"]),
        (f"<channel><title>T</title>{item('A')}</channel>", ["A"]),
        (rss(item("A")) + "<script>x</script><!-- cached -->", ["A"]),
        (rss(item("A")) + rss(item("B")), ["A", "B"]),
        (rss(item("A")).replace("</channel></rss>", ""), ["A"]),
        (rss(item("A"), '<?xml version="1.0"?>\n<?xml version="1.0"?>'), ["A"]),
        (rss(item("A"), "<?xml version=1.0 encoding=utf-8?>"), ["A"]),
        (rss(item("A"), '<?xml version="1.0"?>\ufeff\n'), ["A"]),
        (rss(item("if a <b then c")), ["if a <b then c"]),
        (rss(item("<![CDATA[A <![CDATA[ B ]]> C]]>")), ["A B C"]),
        (rss(item("A") + "<item><title>B")[: -len("</channel></rss>")], ["A"]),
        (rss("<image><title>I<url>x</image>" + item("A")), ["A"]),
        (rss("</channel><title>x</title>" + item("A")), ["A"]),
        (
            atom('<title type="xhtml"><div>A <b>b</div></title><author><name>Ann</author><link href="/1"/><br/>'),
            ["A b"],
        ),
    ],
)
def test_what_is_left_of_a_broken_document_is_read(document: str, titles: list[str]) -> None:
    assert [entry.title for entry in parse(document).entries] == titles


def test_markup_that_stands_plainly_in_a_broken_entry_stays_its_text() -> None:
    broken = rss(f"<item><title>A</titel>{LINK}<description>One <p>two<br/>three</p></description></item></oops>")
    assert only(broken).summary == "One\ntwo\nthree"
    xhtml = atom('<title>A</title><content type="xhtml"><div><p>One<br/><i>two</p></div></content><x></entry>')
    assert only(xhtml).summary == "One\ntwo"


# -- links ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("//wire.example/a", "https://wire.example/a"),
        ("../a", "https://wire.example/a"),
        ("\n https://wire.example/a\n/b ", "https://wire.example/a/b"),
        ("<![CDATA[ https://wire.example/?a=1&b=2 ]]>", "https://wire.example/?a=1&b=2"),
        ("https://wire.example/?a=1&b=2", "https://wire.example/?a=1&b=2"),
        ("https://wire.example/a b", "https://wire.example/a b"),
        ("https://bücher.example/ä", "https://bücher.example/ä"),
        ("www.wire.example/a", "https://www.wire.example/a"),
        ("http:/wire.example/a", "http://wire.example/a"),
        ("http//wire.example/a", "http://wire.example/a"),
        ("https:wire.example/a", "https://wire.example/a"),
        ("http://https://wire.example/a", "https://wire.example/a"),
        ("mailto:a@wire.example", None),
        ("tag:wire.example,2026:1", None),
        ("", None),
    ],
)
def test_links_of_rss(link: str, expected: str | None) -> None:
    assert only(rss(item("A", link=f"<link>{link}</link>"))).link == expected


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ("<link xml:base='https://o.example/q/' href='c'/>", "https://o.example/q/c"),
        ("<link rel='self' href='/s'/><link rel='alternate' type='text/html' href='/h'/>", "https://base.example/h"),
        ("<link REL='alternate' HREF='/h'/>", "https://base.example/h"),
        ("<link rel='related' href='https://o.example/x'/>", None),
        ("<link rel='alternate' type='application/json' href='/j'/>", "https://base.example/j"),
    ],
)
def test_links_of_atom(links: str, expected: str | None) -> None:
    found = only(atom(f"<title>A</title>{links}<id>tag:1</id>", f'{ATOM} xml:base="https://base.example/a/"'))
    assert found.link == expected


def test_bases_add_up() -> None:
    entry = "<entry xml:base='b/'><title>A</title><link href='c'/></entry>"
    chained = f"<feed {ATOM} xml:base='https://base.example/a/'>{entry}</feed>"
    assert only(chained).link == "https://base.example/a/b/c"
    inner = '<item xml:base="y/"><title>A</title><link>z</link></item>'
    in_rss = f'<rss version="2.0" xml:base="/x/"><channel>{inner}</channel></rss>'
    assert only(in_rss).link == "https://wire.example/x/y/z"


# -- titles and texts -----------------------------------------------------------------------------

MEDIA = "xmlns:media='http://search.yahoo.com/mrss/'"


@pytest.mark.parametrize(
    ("inner", "title"),
    [
        ("<title>A &amp;amp; B &amp;lt;b&amp;gt;</title>", "A & B <b>"),
        ("<title>A &amp;amp;amp; B</title>", "A &amp; B"),
        ("<title><![CDATA[A &amp; B &#8217; &lt;i&gt;x&lt;/i&gt;]]></title>", "A & B ’ <i>x</i>"),
        ("<title><![CDATA[<b>A</b> B<br/>C]]></title>", "A B C"),
        ("<title><![CDATA[a<b and c>d]]></title>", "a<b and c>d"),
        ("<title>List&lt;String&gt; 5 &lt; 6</title>", "List<String> 5 < 6"),
        ("<title>A <b>bold</b> word</title>", "A bold word"),
        (f"<media:title {MEDIA}>No</media:title><title>Yes</title>", "Yes"),
        (f"<title/><media:group {MEDIA}><media:title>M</media:title></media:group>", "M"),
        ("<dc:title>D</dc:title>", "D"),
        ("<itunes:title>P</itunes:title>", "P"),
        ("<source url='x'><title>No</title></source><title>Yes</title>", "Yes"),
        ("<title>One</title><title>Two</title>", "One"),
        ("<title>A\u202eB\u200b\u00adC  \u3000 D</title>", "ABC D"),
        ("<description>Only text</description>", None),
    ],
)
def test_titles_of_rss(inner: str, title: str | None) -> None:
    assert only(rss(f"<item>{inner}{LINK}</item>")).title == title


def test_a_body_that_is_plain_in_name_only_is_read_as_html() -> None:
    tagged = only(atom("<title>A</title><content><![CDATA[\n<div><p>One</p><p>two</p></div>]]></content>"))
    plain = only(atom("<title>A</title><content>a &lt;b&gt; c</content>"))
    assert (tagged.summary, plain.summary) == ("One\ntwo", "a <b> c")


def test_a_second_description_is_the_text() -> None:
    entry = only(rss(f"<item><description>Short.</description><description>Longer text.</description>{LINK}</item>"))
    assert (entry.summary, entry.text) == ("Short.", "Longer text.")


@pytest.mark.parametrize(
    ("inner", "summary"),
    [
        ("<content type='text/plain' mode='base64'>SGVsbG8gdGhlcmU=</content>", "Hello there"),
        ("<content mode='base64'>no base64</content>", "no base64"),
        ("<content type='image/png'>iVBORw0KGgo=</content>", ""),
        ("<summary>Short</summary><summary>Longer text</summary>", "Short"),
        ("<content type='xhtml'>a &lt; b <div>c</div></content>", "a < b\nc"),
        ("<content type='xhtml' xmlns:h='x'>\n<h:div>a &lt; <b>b</b></h:div> </content>", "a < b"),
        ("<content type='html'>a &lt;b&gt;b&lt;/b&gt; <br/>c</content>", "a b\nc"),
        ("<content>a &lt; <b>b</b></content>", "a < b"),
        ("<published>2026-10-26<b>x</b></published><abstract>Plain</abstract>", "Plain"),
    ],
)
def test_bodies_of_atom(inner: str, summary: str) -> None:
    assert only(atom(f"<title>A</title><id>1</id>{inner}")).summary == summary


def test_whose_an_item_of_another_feed_is() -> None:
    source = "<source><title>Origin</title><link rel='self' href='/feed'/><link href='https://origin.example/'/><x>y</x></source>"
    found = only(atom(f"<title>A</title>{source}<author>Ann &lt;ann@wire.example&gt;</author><author/>"))
    assert (found.publisher, found.publisher_url, found.author) == ("Origin", "https://origin.example/", "Ann")


def test_the_link_of_rss_goes_before_those_of_other_formats() -> None:
    other = f"<a:link {ATOM.replace('xmlns', 'xmlns:a')} href='https://wire.example/other'/>"
    assert only(rss(item("A", link=other + LINK))).link == "https://wire.example/1"
    assert only(rss(item("A", link="<link url='https://wire.example/u'/>"))).link == "https://wire.example/u"


def test_the_publisher_may_stand_in_an_element_of_bing() -> None:
    found = only(rss(f"<item><title>A</title>{LINK}<News:Source>The Paper</News:Source></item>"))
    assert found.publisher == "The Paper"


# -- JSON -----------------------------------------------------------------------------------------

VERSION = "https://jsonfeed.org/version/1.1"
ITEM = {"id": "1", "url": "https://wire.example/1", "title": "A", "date_published": "2026-10-26T08:00:00Z"}


def json_entries(items: Any, **fields: Any) -> list[Entry]:
    return list(parse(json.dumps({"version": VERSION, "items": items, **fields}), "application/json").entries)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"id": 123}, {"guid": "123"}),
        ({"id": 1.5}, {"guid": "1.5"}),
        ({"id": True}, {"guid": None}),
        ({"id": 10**20}, {"guid": "1" + 20 * "0"}),
        ({"title": "a <b> &amp;"}, {"title": "a <b> &amp;"}),
        ({"url": None, "external_url": "https://o.example/1"}, {"link": "https://o.example/1"}),
        ({"url": "/p"}, {"link": "https://wire.example/p"}),
        ({"url": None, "id": "https://wire.example/9"}, {"link": "https://wire.example/9"}),
        ({"authors": ["Ann", {"name": "Bo"}]}, {"author": "Ann, Bo"}),
        ({"authors": {"name": "Cy"}}, {"author": "Cy"}),
        ({"author": "Di"}, {"author": "Di"}),
        ({"content_text": "<p>y</p>"}, {"summary": "<p>y</p>"}),
    ],
)
def test_oddities_of_json_feeds(change: dict[str, Any], expected: dict[str, Any]) -> None:
    (entry,) = json_entries([{**ITEM, **change}])
    assert {name: getattr(entry, name) for name in expected} == expected


def test_dates_in_seconds_and_entries_that_are_none() -> None:
    entries = json_entries([{**ITEM, "date_published": 1792998000}, {**ITEM, "date_published": 1792998000000}, None, 3])
    assert [entry.published.at.hour if entry.published else None for entry in entries] == [7, 7]
    assert json_entries(None) == []
    assert json_entries([ITEM], version=None)[0].title == "A"
    assert json_entries([], version=None, title="T", feed_url="x") == []


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ('{"version":"%s","items":[{"id":"1","title":"A",},]}', ["A"]),
        ('{"version":"%s","items":[{"id":"1","title":"A\nB\t,]"}]}', ["A B ,]"]),
        ('{"version":"%s","title":"T","items":[{"id":"1","title":"A"},{"id":"2","ti', ["A"]),
        ('{"version":"%s" "title":"T","items":[{"id":"1","title":"A", "url":"/1"}', ["A"]),
        ('{"title":"T","rss":{"channel":{"item":{"title":"A &amp; B","guid":"1"}}}}', ["A & B"]),
        # what is no JSON, but means nothing else: all is read
        ('{"version":"%s","items":[{"id":"1","title":"A","x":NaN},{"id":"2","title":"B","y":-Infinity}]}', ["A", "B"]),
        ('{"version":"%s","items":[{"id":"1","title":"A","x":1e999},{"id":"2","title":"B"}]}', ["A", "B"]),
        ('{"version":"%s","items":[{"id":"1","title":"A","x":' + "9" * 5000 + '},{"title":"B"}]}', ["A", "B"]),
        ('\ufeff \ufeff{"version":"%s","items":[{"id":"1","title":"A"}]}\x00', ["A"]),
        ('{"version":"%s","items":[{"id":"1","title":"A"}]}</html>', ["A"]),
        ('{"version":"%s","items":[{"id":"1","title":"A"}]}{"version":"%s","items":[]}', ["A"]),
        (
            '{"version":"%s","items":[{"id":"1","title":"Z","title":"A","title":null}],"items":[{"title":"B"}]}',
            ["A", "B"],
        ),
        (r'{"version":"%s","items":[{"id":"1","title":"A\x \u12"},{"id":"2","title":"B\\"}]}', [r"A\x \u12", "B\\"]),
        ('{"version":"%s","items":[{"id":"1","title":,"x":undefined,},{"id":"2","title":"B"}]}', [None, "B"]),
        ('{"version":"%s","items":[{"title":"A","x":' + "[" * 9000 + "]" * 9000 + '},{"title":"B"}]}', ["A", "B"]),
        # items behind a broken one; what stands inside of that is none
        (
            '{"items":[{"title":"an "A" x","more":[{"url":"u","mime_type":"m","title":"t"}]},{"title":"B","url":"u"}]}',
            ["B"],
        ),
        ('{"x":{"items":[]},"items":[{"id":"1","title":"A" "x":1},{"title":"B","url":"b"} {"id":"3"', ["B"]),
        ('{"rss":{"channel":{"title":"T","item":[{"title":"A","link":"/a"},{"title":"B","li', ["A"]),
    ],
)
def test_broken_json_gives_what_is_whole(text: str, titles: list[str | None]) -> None:
    assert [entry.title for entry in parse(text.replace("%s", VERSION), "application/json").entries] == titles


@pytest.mark.parametrize("value", [5, True, 1.5, ["x"], {"a": 1}])
@pytest.mark.parametrize(
    "name", ["url", "external_url", "title", "summary", "content_html", "content_text", "language", "author", "authors"]
)
def test_a_value_of_another_type_is_none_and_says_so(name: str, value: Any) -> None:
    (plain,) = json_entries([{"id": "1"}])
    (entry,) = json_entries([{"id": "1", name: value}])
    if name in ("author", "authors") and isinstance(value, list | dict):
        assert entry.author == ("x" if value == ["x"] else None)
        return
    assert replace(entry, remarks=()) == plain
    assert entry.remarks[0].startswith(f"{name} is ")
    assert entry.remarks[0].endswith(", not a text")


def test_feeds_and_dates_of_another_type() -> None:
    feed = parse(json.dumps({"version": VERSION, "title": 5, "home_page_url": 5, "language": [], "items": [ITEM, 3]}))
    assert (feed.title, feed.site, feed.language, len(feed.entries)) == (None, None, None, 1)
    assert feed.remarks == (
        "items: what is no object was left out",
        "title is a number, not a text",
        "home_page_url is a number, not a text",
        "language is a list, not a text",
    )
    (entry,) = json_entries([{**ITEM, "date_published": 5, "date_modified": {"at": 1}}])
    assert (entry.published, entry.updated) == (None, None)
    assert entry.remarks == ("date_modified is an object, not a text", "published: date could not be read: “5”")


@pytest.mark.parametrize(
    "text",
    [
        '{"items":[{"sku":1}],"title":"Shop"}',
        '{"items":{}}',
        "[1]",
        '{"items":[{"a"',
        '{"items":"x',
        '{"rss":1}',
        "{]}",
    ],
)
def test_other_json_is_no_feed(text: str) -> None:
    with pytest.raises(DocumentError):
        parse(text, "application/json")


def test_rss_written_as_json() -> None:
    channel = {
        "title": "T", "link": "https://wire.example/", "item": [
            {"title": "A", "link": "/1", "guid": {"#value": "g", "isPermaLink": "false"}, "description": "<p>d</p>",
             "pubDate": "Mon, 26 Oct 2026 08:00:00 GMT",
             "source": {"url": "https://paper.example", "#value": "The Paper"}},
            {"guid": "https://wire.example/2"},
        ],
    }  # fmt: skip
    feed = parse(json.dumps({"rss": {"version": "2.0", "channel": channel}}), "application/json")
    assert (feed.format, feed.title, feed.site) == ("rss20", "T", "https://wire.example/")
    first, second = feed.entries
    assert (first.guid, first.link, first.summary, first.publisher) == ("g", "https://wire.example/1", "d", "The Paper")
    assert first.published is not None
    assert second.link == "https://wire.example/2"
