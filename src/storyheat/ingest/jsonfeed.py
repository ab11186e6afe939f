"""Reads JSON Feed 1.0 and 1.1, and RSS written as JSON."""

import json
import re
from collections.abc import Iterator
from typing import Any

from storyheat.core.markup import TextKind
from storyheat.core.normalise import RawEntry, RawLink, RawText
from storyheat.ingest.feed import RawFeed

_ITEMS = re.compile(r'"items"\s*:\s*\[')
_BETWEEN = re.compile(r"[\s,]*")
_OWN_KEYS = frozenset({"content_html", "content_text", "date_published", "external_url"})  # of no other format
_COMMA_AT_END = re.compile(r'("(?>[^"\\]|\\.)*+")|,(?=\s*[}\]])', re.DOTALL)
BROKEN = "the JSON is broken; what is whole in it was read"


class NotJsonFeedError(ValueError):
    """The text is no JSON, or JSON of another kind."""


def read_json_feed(text: str, most_entries: int) -> tuple[RawFeed, list[str]]:
    """Reads a JSON Feed, with remarks. Raises NotJsonFeedError; entries that are no objects are left out, and so
    are those after `most_entries`. Of a document that breaks off the complete items are read.
    """
    remarks = []
    document = _loaded(text)
    if document is None:
        document = _loaded(_COMMA_AT_END.sub(lambda m: m[1] or "", text)) or _before_the_break(text)
        remarks.append(BROKEN)
    if document is None:
        raise NotJsonFeedError("the JSON is broken")
    if not isinstance(document, dict):
        raise NotJsonFeedError("the JSON has no list of items")
    channel = _rss_channel(document)
    return (_rss(channel, most_entries) if channel else _json_feed(document, most_entries)), remarks


def _json_feed(document: dict[str, Any], most_entries: int) -> RawFeed:
    version = _string(document.get("version")) or ""
    items = document.get("items")
    if items is None and "jsonfeed.org" in version:
        items = []
    if not isinstance(items, list):
        raise NotJsonFeedError("the JSON has no list of items")
    items = [item for item in items if isinstance(item, dict)][:most_entries]
    if "jsonfeed.org" not in version and not _looks_like_a_feed(document, items):
        raise NotJsonFeedError("the JSON does not say that it is a JSON Feed")
    home = _string(document.get("home_page_url"))
    feed_author = _author(document)
    return _feed(
        "json11" if version.rstrip("/").endswith("1.1") else "json1",
        title=_string(document.get("title")),
        title_kind=TextKind.PLAIN,
        home=home,
        language=_string(document.get("language")),
        entries=tuple(_entry(item, feed_author) for item in items),
    )


def _looks_like_a_feed(document: dict[str, Any], items: list[dict[str, Any]]) -> bool:
    if not items:
        return "title" in document and ("home_page_url" in document or "feed_url" in document)
    return any(_OWN_KEYS & item.keys() or {"title", "url"} <= item.keys() for item in items)


def _before_the_break(text: str) -> dict[str, Any] | None:
    """What stands before `items`, as far as it can be read, and the complete items."""
    start = _ITEMS.search(text)
    if not start:
        return None
    items = list(_complete_objects(text, start.end()))
    if not items:
        return None
    head = _loaded(text[: start.start()].rstrip().rstrip(",") + "}")
    return {**(head if isinstance(head, dict) else {}), "items": items}


def _loaded(text: str) -> object:
    """The value of a JSON text; None where it is broken."""
    try:
        return json.loads(text, parse_constant=_no_constant, strict=False)
    except (ValueError, RecursionError):
        return None


def _complete_objects(text: str, place: int) -> Iterator[object]:
    decoder = json.JSONDecoder(parse_constant=_no_constant, strict=False)
    while True:
        between = _BETWEEN.match(text, place)
        try:
            item, place = decoder.raw_decode(text, between.end() if between else place)
        except (ValueError, RecursionError):
            return
        yield item


def _entry(item: dict[str, Any], feed_author: str | None) -> RawEntry:
    links = [_string(item.get("url")), _string(item.get("external_url"))]
    title, summary = _string(item.get("title")), _string(item.get("summary"))
    html, plain = _string(item.get("content_html")), _string(item.get("content_text"))
    content = RawText(html, TextKind.HTML) if html else RawText(plain, TextKind.PLAIN) if plain else None
    return RawEntry(
        guid=_string(item.get("id")),
        guid_is_link=True,
        title=RawText(title, TextKind.PLAIN) if title else None,
        links=tuple(RawLink(link) for link in links if link),
        published=(date,) if (date := _string(item.get("date_published"))) else (),
        updated=_string(item.get("date_modified")),
        summary=RawText(summary, TextKind.PLAIN) if summary else None,
        content=content,
        author=_author(item) or feed_author,
        language=_string(item.get("language")),
    )


def _author(holder: dict[str, Any]) -> str | None:
    """The names in `authors` (1.1), else the one in `author` (1.0); some give the bare name."""
    given = holder.get("authors") or holder.get("author")
    authors = given if isinstance(given, list) else [given]
    names = [_string(author.get("name") if isinstance(author, dict) else author) for author in authors]
    return ", ".join(name for name in names if name) or None


def _rss_channel(document: dict[str, Any]) -> dict[str, Any] | None:
    """The channel of RSS written as JSON, element by element."""
    rss = document.get("rss")
    channel = rss.get("channel") if isinstance(rss, dict) else None
    return channel if isinstance(channel, dict) else None


def _rss(channel: dict[str, Any], most_entries: int) -> RawFeed:
    listed = channel.get("item") or []
    items = listed if isinstance(listed, list) else [listed]
    return _feed(
        "rss20",
        title=_element(channel, "title"),
        title_kind=TextKind.GUESS,
        home=_element(channel, "link"),
        language=_element(channel, "language"),
        entries=tuple(_rss_entry(item) for item in items[:most_entries] if isinstance(item, dict)),
    )


def _rss_entry(item: dict[str, Any]) -> RawEntry:
    guid, link = item.get("guid"), _element(item, "link")
    title, description = _element(item, "title"), _element(item, "description")
    source = item.get("source")
    return RawEntry(
        guid=_element(item, "guid"),
        guid_is_link=not (isinstance(guid, dict) and str(guid.get("isPermaLink", True)).lower() == "false"),
        title=RawText(title, TextKind.GUESS) if title else None,
        links=(RawLink(link),) if link else (),
        published=(date,) if (date := _element(item, "pubDate")) else (),
        summary=RawText(description, TextKind.GUESS) if description else None,
        author=_element(item, "author"),
        publisher=_element(item, "source"),
        publisher_url=_string(source.get("url")) if isinstance(source, dict) else None,
    )


def _element(holder: dict[str, Any], name: str) -> str | None:
    """The text of an element: plain, or under `#value` where it has attributes."""
    value = holder.get(name)
    return _string(value.get("#value") if isinstance(value, dict) else value)


def _feed(
    form: str, *, title: str | None, title_kind: TextKind, home: str | None, language: str | None,
    entries: tuple[RawEntry, ...],
) -> RawFeed:  # fmt: skip
    return RawFeed(
        format=form,
        title=RawText(title, title_kind) if title else None,
        links=(RawLink(home),) if home else (),
        language=language,
        entries=entries,
        poll_hint=None,
        skip_hours=frozenset(),
        skip_days=frozenset(),
    )


def _string(value: object) -> str | None:
    """A text that says something, with half surrogates (JSON can name them) replaced; a number as it is written."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = json.dumps(value)
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) and value.strip() else None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
