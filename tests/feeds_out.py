"""Reads the feeds that we write: by the rules of each format, and as other programs read them."""

import json
import re
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit
from xml.etree import ElementTree

import fastfeedparser
import feedparser

ATOM = "{http://www.w3.org/2005/Atom}"
FORMATS = ("atom", "rss", "jsonfeed")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@dataclass(frozen=True)
class Read:
    """What a program that reads feeds makes of an entry."""

    id: str
    title: str
    link: str | None
    html: str
    updated: datetime
    topics: tuple[str, ...]


def read(text: str, form: str) -> list[Read]:
    """The entries, after the document was held against the rules of its format."""
    return {"atom": _atom, "rss": _rss, "jsonfeed": _json_feed}[form](text)


def ids_elsewhere(text: str, form: str) -> list[list[str]]:
    """The ids as two other parsers find them."""
    found = [[entry.id for entry in fastfeedparser.parse(text.encode()).entries]]
    if form != "jsonfeed":  # feedparser knows none
        parsed: Any = feedparser.parse(text.encode())
        assert not parsed.bozo, parsed.get("bozo_exception")
        assert parsed.version == {"atom": "atom10", "rss": "rss20"}[form]
        found.append([entry.id for entry in parsed.entries])
    return found


def _atom(text: str) -> list[Read]:
    """RFC 4287, sections 4.1.1 and 4.1.2."""
    root = ElementTree.fromstring(text)
    assert root.tag == f"{ATOM}feed"
    for made in (root, *root.iter(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(made.findall(ATOM + name)) == 1, name
        _is_uri(_text(made, f"{ATOM}id"))
        for at in (*made.findall(f"{ATOM}updated"), *made.findall(f"{ATOM}published")):
            assert _INSTANT.fullmatch(at.text or ""), at.text
        links = made.findall(f"{ATOM}link")
        for link in links:
            assert urlsplit(link.get("href", "")).scheme in ("http", "https")
        kinds = [(link.get("rel"), link.get("type"), link.get("hreflang")) for link in links]
        assert len(kinds) == len(set(kinds))
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    entries = [
        Read(
            _text(entry, f"{ATOM}id"),
            _text(entry, f"{ATOM}title"),
            next((link.get("href") for link in entry.findall(f"{ATOM}link") if link.get("rel") == "alternate"), None),
            _text(entry, f"{ATOM}content"),
            datetime.fromisoformat(_text(entry, f"{ATOM}updated")),
            tuple(one.get("term", "") for one in entry.findall(f"{ATOM}category")),
        )
        for entry in root.findall(f"{ATOM}entry")
    ]
    _all_differ(entries)
    return entries


def _rss(text: str) -> list[Read]:
    """RSS 2.0.11: required elements, one of each, dates of RFC 822."""
    root = ElementTree.fromstring(text)
    assert (root.tag, root.get("version")) == ("rss", "2.0")
    (channel,) = root
    for name in ("title", "link", "description"):
        assert channel.findtext(name), name
    for made in (channel, *channel.iter("item")):
        single = [child.tag for child in made if child.tag not in ("item", "category")]
        assert len(single) == len(set(single))
        assert urlsplit(made.findtext("link") or "http://none").scheme in ("http", "https")
    entries = []
    for item in channel.findall("item"):
        guid = item.find("guid")
        assert guid is not None
        assert guid.get("isPermaLink") == "false"
        assert parsedate_to_datetime(_text(item, "pubDate")).tzinfo is not None
        entries.append(
            Read(
                _text(item, "guid"),
                _text(item, "title"),
                item.findtext("link"),
                _text(item, "description"),
                datetime.fromisoformat(_text(item, f"{ATOM}updated")),
                tuple(one.text or "" for one in item.findall("category")),
            )
        )
    _all_differ(entries)
    return entries


def _json_feed(text: str) -> list[Read]:
    """JSON Feed 1.1: required members, and no null."""
    value = json.loads(text)
    assert value["version"] == "https://jsonfeed.org/version/1.1"
    assert value["title"]
    entries = []
    for item in value["items"]:
        assert None not in item.values()
        assert all(_INSTANT.fullmatch(item[name]) for name in ("date_published", "date_modified"))
        _is_uri(item["id"])
        entries.append(
            Read(
                item["id"],
                item["title"],
                item.get("url"),
                item["content_html"],
                datetime.fromisoformat(item["date_modified"]),
                tuple(item.get("tags", ())),
            )
        )
    _all_differ(entries)
    return entries


def _text(parent: ElementTree.Element, name: str) -> str:
    text = parent.findtext(name)
    assert text, name
    return text


def _is_uri(text: str) -> None:
    assert re.fullmatch(r"tag:[a-z.]+,\d{4}:[\w;/?:@&=+$.\-!~*'()%]+", text, re.ASCII), text


def _all_differ(entries: list[Read]) -> None:
    assert len({entry.id for entry in entries}) == len(entries)
