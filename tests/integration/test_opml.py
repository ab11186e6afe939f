"""OPML: what other programs export is read whatever its form, what is hostile is refused, and ours comes back whole."""

import json
import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.addresses.secrets import Secrets
from storyheat.core.addresses.urls import feed_key
from storyheat.core.model import Source
from storyheat.errors import DocumentError
from storyheat.ingest.opml import OpmlList, OpmlParams, read_opml
from storyheat.ingest.subscriptions import planned
from storyheat.present.opml import opml
from storyheat.settings import Settings, load_settings
from storyheat.settings.document import read_document
from storyheat.settings.edit import with_sources
from storyheat.settings.entries import FEED_KEYS, KEYS
from storyheat.settings.rewrite import rewrite
from storyheat.settings.secrets import from_environment

AT = datetime(2026, 10, 26, 8, tzinfo=UTC)


def wrap(body: str, start: str = '<?xml version="1.0"?>\n') -> bytes:
    return f'{start}<opml version="2.0"><head/><body>{body}</body></opml>'.encode()


def outline(address: str, text: str = "One", **more: str) -> str:
    rest = "".join(f' {key}="{value}"' for key, value in more.items())
    return f'<outline text="{text}" type="rss" xmlUrl="{address}"{rest}/>'


def addresses(listed: OpmlList) -> list[str]:
    return [feed.address for feed in listed.feeds]


# -- the shared lists -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["plain.opml", "messy.opml", "hostile.opml"])
def test_the_shared_lists(name: str, shared: Path) -> None:
    folder = shared / "sources" / "opml"
    expected: dict[str, Any] = json.loads((folder / "expected.json").read_text("utf-8"))[name]
    listed = read_opml((folder / name).read_bytes())
    found = addresses(listed)
    wanted = [re.sub(r" \(.*\)$", "", each) for each in expected["import"]]
    assert len(found) == int(re.match(r"\d+", str(expected["feeds"]))[0])  # type: ignore[index]
    assert [feed_key(each) for each in found] == sorted(
        (feed_key(each if "//" in each else f"https://{each}") for each in wanted),
        key=[feed_key(each) for each in found].index,
    )
    told = "\n".join(f"{each.name} {each.address} {each.reason}" for each in listed.skipped)
    for refused in expected.get("refuse", ()):
        word = refused.partition(" (")[0]
        assert word in told
    for place in expected.get("skip", ()):
        assert place in told
    for folder_name, count in expected.get("folders", {}).items():
        assert [feed.topics[:1] for feed in listed.feeds].count((folder_name,) if folder_name else ()) == count


def test_the_shared_list_with_a_document_type(shared: Path) -> None:
    text = (shared / "sources" / "opml" / "hostile.opml").read_text("utf-8")
    first, _, rest = text.partition("\n")
    entities = '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/hostname">'
    rest = rest.replace("<title>", "<title>&b;&f;")
    with pytest.raises(DocumentError, match="defines entities"):
        read_opml(f"{first}\n<!DOCTYPE opml [{entities}]>\n{rest}".encode())


# -- forms ----------------------------------------------------------------------------------------


def test_folders_and_categories_are_topics() -> None:
    deep = outline("https://a.example/", category="/x/y,news,/x")
    nested = f'<outline text="Outer"><outline title=" In&#10;ner "><outline>{deep}</outline></outline></outline>'
    listed = read_opml(wrap(nested))
    assert listed.feeds[0].topics == ("Outer", "In ner", "x", "y", "news")
    many = "".join(f'<outline text="f{n}">' for n in range(2_000)) + deep + "</outline>" * 2_000
    assert read_opml(wrap(many)).feeds[0].topics == ("f1995", "f1996", "f1997", "f1998", "f1999")


def test_what_is_commented_out_is_not_followed() -> None:
    inner = outline("https://a.example/") + "<outline/>"
    listed = read_opml(wrap(f'<outline text="Off" isComment="true"><outline>{inner}</outline></outline>'))
    assert listed.feeds == ()
    assert [(each.name, each.reason) for each in listed.skipped] == [
        ("One", "commented out"), ("(without a name)", "commented out")
    ]  # fmt: skip


def test_a_feed_named_twice_is_one() -> None:
    one, two = outline("https://a.example/feed"), outline("http://A.example:80/feed", "Two")
    listed = read_opml(wrap(f'<outline text="A">{one}</outline><outline text="B">{two}</outline>'))
    assert [(feed.address, feed.topics) for feed in listed.feeds] == [("https://a.example/feed", ("A", "B"))]
    assert [(each.name, each.reason) for each in listed.skipped] == [("Two", 'the same feed as "One" above')]


ONE = outline("https://a.example/?x=1&amp;y=2", "新闻")


@pytest.mark.parametrize(
    "data",
    [
        wrap(ONE.replace("&amp;", "&")),
        wrap(ONE.replace("新闻", "caf\x01e")),
        wrap(ONE, '\ufeff<?xml version="1.0" encoding="utf-8"?>'),
        wrap(ONE, "<!DOCTYPE opml SYSTEM 'https://dtd.example/opml.dtd'>"),
        wrap(ONE).decode().encode("utf-16"),
        wrap(ONE, '<?xml version="1.0" encoding="gb2312"?>').decode().encode("gbk"),
        wrap(ONE.replace("xmlUrl", "url")),
        wrap(ONE).replace(b"<opml", b'<OPML xmlns="urn:o"').replace(b"</opml", b"</OPML"),
    ],
)
def test_odd_forms_are_read(data: bytes) -> None:
    assert addresses(read_opml(data)) == ["https://a.example/?x=1&y=2"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no element|is no OPML|no well-formed"),
        (b"<html><body/></html>", "is no OPML: its first element is <html>"),
        (b"{}", "no well-formed XML"),
        (wrap(outline("https://a.example/"))[:-20], "no well-formed XML"),
        (wrap("", '<!DOCTYPE opml [<!ENTITY a "b">]>'), "defines entities"),
        (wrap("<outline/>" * 11), "more than 10 outlines"),
        (wrap("", "<!DOCTYPE a><!DOCTYPE opml SYSTEM 'x'>"), "DOCTYPE that cannot be set aside"),
        (b" " * 5_001, "more than 5,000 bytes"),
    ],
)
def test_what_is_no_list_is_refused_whole(data: bytes, words: str) -> None:
    with pytest.raises(DocumentError, match=words):
        read_opml(data, params=OpmlParams(max_bytes=5_000, max_outlines=10))


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("JavaScript:alert(1)", "not javascript"),
        ("http://localhost/feed", "is this machine itself"),
        ("http://10.0.0.1/feed", "is a private address"),
        ("http://[fd00::1]/feed", "is a private address"),
        ("http://[::ffff:127.0.0.1]/feed", "is a loopback address"),
        ("http://0x7f.1/feed", "oddly written numeric address"),
        ("https://user:hunter2@a.example/feed", "a user or password"),
        ("https://a.example:99999/feed", "its address is none"),
        ("https://[::1/feed", "its address is none"),
        ("https://a.example/fe&#10;ed", "a line break or control character"),
        ("https://a.example/" + "a" * 5_000, "its address is none"),
        ("  ", "no feed address"),
    ],
)
def test_an_address_that_is_not_followed(address: str, reason: str) -> None:
    listed = read_opml(wrap(outline(address) + outline("https://good.example/", htmlUrl=address)))
    assert reason in listed.skipped[0].reason
    assert "hunter2" not in str(listed.skipped)
    assert [(feed.address, feed.site) for feed in listed.feeds] == [("https://good.example/", None)]


def test_a_host_inside_that_the_settings_allow() -> None:
    data = wrap(outline("http://127.0.0.1:8000/feed"))
    assert addresses(read_opml(data, ["127.0.0.1:8000"])) == ["http://127.0.0.1:8000/feed"]


PIECES = (
    '<outline text="a"', ' xmlUrl="https://a.example/', '"', "/>", ">", "</outline>",
    "&", "<", "é", "]]>", "<![CDATA[", "\0",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=20))
def test_any_document_gives_a_list_or_a_refusal(parts: list[str]) -> None:
    with suppress(DocumentError):
        read_opml(wrap("".join(parts)))


# -- what becomes of it ---------------------------------------------------------------------------


def settings_of(path: Path, text: str, **environment: str) -> Settings:
    path.write_text(text, "utf-8")
    return load_settings(environment, config=path)


def imported(path: Path, data: bytes) -> Settings:
    """The settings after importing a list into an empty file."""
    plan = planned(read_opml(data), (), Secrets())
    assert plan.skipped == ()
    path.write_text("sources:\n")
    assert rewrite(path, {}, lambda document: with_sources(document, plan.entries))
    return load_settings({}, config=path)


EVERYTHING = """
defaults: {language: en}
sources:
  - id: Whole
    name: 'A "quoted" & <odd> name'
    owner: group
    site: https://whole.example/?a=1&b=2
    enabled: false
    level: discussion
    digest: true
    community: true
    aggregator: false
    speaks_for: [Sorrel, "Fern, way"]
    language: zh-Hans
    timezone: Asia/Shanghai
    topics: [TCP/IP, "a, b", c, d, e, f, g]
    weight: 0.00001
    poll_minutes: 15
    feeds:
      - url: https://whole.example/feed?x=1&y=2
        fulltext: true
      - url: https://whole.example/list
        kind: html
        select: {item: "li > a", link: a, title: b, date: i, summary: p, date_regex: '\\d+', href_date_regex: "<(.*)>"}
  - id: shares
    feeds: [{url: "https://whole.example/feed?x=1&y=2"}]
  - id: shares-2
    name: shares
    aggregator: true
    feeds: [{url: "https://two.example/"}]
"""


def by_id(settings: Settings) -> list[Source]:
    return sorted(settings.sources, key=lambda source: source.id)


def test_an_import_of_an_export_gives_the_same_sources(tmp_path: Path, root: Path) -> None:
    for text in (EVERYTHING, (root / "feeds.yaml").read_text("utf-8")):
        before = settings_of(tmp_path / "a.yaml", text)
        exported = opml(before.sources, {}, before.secrets, AT)
        assert exported.remarks == ()
        assert by_id(imported(tmp_path / "b.yaml", exported.text.encode())) == by_id(before)


def test_the_file_above_has_every_setting_of_a_source(tmp_path: Path) -> None:
    path = tmp_path / "feeds.yaml"
    path.write_text(EVERYTHING, "utf-8")
    places = set(read_document(path, {}).lines)
    assert {place[2] for place in places if place[:2] == ("sources", 0) and len(place) == 3} == KEYS
    assert {place[4] for place in places if place[:3] == ("sources", 0, "feeds") and len(place) == 5} == FEED_KEYS


def test_an_export_keeps_secrets(tmp_path: Path) -> None:
    text = """
defaults: {timezone: "${ZONE}"}
sources:
  - {id: a, name: "${WHO}", topics: [x], feeds: [{url: "https://${WHO}:${WORD}@a.example/feed"}, {url: "https://a.example/two"}]}
  - {id: b, site: "https://me:hunter2@b.example/", feeds: [{url: "https://me:hunter2@b.example/feed"}]}
  - {id: c, site: "https://c.example/?token=${WORD}", feeds: [{url: "https://c.example/feed?token=${WORD}"}]}
  - {id: d, name: "D swordfish", site: "https://${WHO}.example/", feeds: [{url: "https://d.example/feed?token=abc123def"}]}
"""
    values = {"ZONE": "Asia/Tokyo", "WHO": "someone", "WORD": "swordfish"}
    settings = settings_of(tmp_path / "feeds.yaml", text, **values)
    hidden = from_environment(read_document(tmp_path / "feeds.yaml", values))
    exported = opml(settings.sources, hidden, settings.secrets, AT)
    assert exported.feeds == 3
    assert [each.partition(":")[0] for each in exported.remarks] == ["a", "b", "c", "d"]
    assert not [secret for secret in (*values.values(), "hunter2", "me:", "abc123def") if secret in exported.text]
    assert addresses(read_opml(exported.text.encode())) == [
        f"https://{each}" for each in ("a.example/feed", "a.example/two", "b.example/feed")
    ]


def test_what_is_followed_already_is_not_added_again(tmp_path: Path) -> None:
    known = settings_of(tmp_path / "a.yaml", "sources:\n  - {id: one, feeds: [{url: 'http://a.example/feed'}]}\n")
    listed = read_opml(wrap(outline("https://A.example/feed") + outline("https://b.example/feed")))
    plan = planned(listed, known.sources, known.secrets)
    assert [each.reason for each in plan.skipped] == ['followed already, as "one"']
    assert [entry["id"] for entry in plan.entries] == ["one-2"]


def test_settings_of_a_stranger_are_checked() -> None:
    ours = 'xmlns:storyheat="urn:storyheat:opml" storyheat:source'
    given = {"id": "../x", "level": "loud", "weight": -1, "owner": "${HOME}", "timezone": "UTC", "unknown": 1}
    text = json.dumps(given).replace('"', "&quot;")
    both = json.dumps({"community": True, "aggregator": True}).replace('"', "&quot;")
    broken = {"kind": "html"}
    feed = 'xmlns:storyheat="urn:storyheat:opml" storyheat:feed'
    plan = planned(
        read_opml(
            wrap(
                outline("https://a.example/", language="not a tag", **{ours: text})
                + outline("https://b.example/", "Two", **{ours: both})
                + outline("https://c.example/", "Three", **{feed: json.dumps(broken).replace('"', "&quot;")})
                + outline("https://d.example/", "Four", **{ours: "[" * 100_000})
            )
        ),
        (),
        Secrets(),
    )
    assert plan.entries[0] == {
        "id": "one", "name": "One", "owner": "${HOME}", "timezone": "UTC", "feeds": [{"url": "https://a.example/"}]
    }  # fmt: skip
    assert sorted(each.partition(": left out: ")[2].partition(":")[0] for each in plan.remarks) == [
        "language", "level", "weight"
    ]  # fmt: skip
    assert [each.name for each in plan.skipped] == ["Two", "Three"]
    assert [entry["id"] for entry in plan.entries] == ["one", "four"]
