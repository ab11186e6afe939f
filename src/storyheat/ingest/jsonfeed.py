"""Reads JSON Feed 1.0 and 1.1."""

import json
from typing import Any

from storyheat.core.markup import TextKind
from storyheat.core.normalise import RawEntry, RawLink, RawText
from storyheat.ingest.feed import RawFeed


class NotJsonFeedError(ValueError):
    """The text is no JSON, or JSON of another kind."""


def read_json_feed(text: str) -> RawFeed:
    """Reads a JSON Feed. Raises NotJsonFeedError; entries that are no objects are left out."""
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise NotJsonFeedError("the JSON is broken") from error
    if not isinstance(document, dict) or not isinstance(document.get("items"), list):
        raise NotJsonFeedError("the JSON has no list of items")
    version = _string(document.get("version")) or ""
    if "jsonfeed.org" not in version and not ("title" in document or "home_page_url" in document):
        raise NotJsonFeedError("the JSON does not say that it is a JSON Feed")
    home = _string(document.get("home_page_url"))
    title = _string(document.get("title"))
    feed_author = _author(document)
    return RawFeed(
        format="json11" if version.rstrip("/").endswith("1.1") else "json1",
        title=RawText(title, TextKind.PLAIN) if title else None,
        links=(RawLink(home),) if home else (),
        language=_string(document.get("language")),
        entries=tuple(_entry(item, feed_author) for item in document["items"] if isinstance(item, dict)),
        poll_hint=None,
        skip_hours=frozenset(),
        skip_days=frozenset(),
    )


def _entry(item: dict[str, Any], feed_author: str | None) -> RawEntry:
    identifier = item.get("id")
    if isinstance(identifier, int | float) and not isinstance(identifier, bool):
        identifier = json.dumps(identifier)
    links = [_string(item.get("url")), _string(item.get("external_url"))]
    title = _string(item.get("title"))
    summary = _string(item.get("summary"))
    html, plain = _string(item.get("content_html")), _string(item.get("content_text"))
    content = RawText(html, TextKind.HTML) if html else RawText(plain, TextKind.PLAIN) if plain else None
    return RawEntry(
        guid=_string(identifier),
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
    """The names in `authors` (1.1), else the one in `author` (1.0)."""
    listed = holder.get("authors")
    authors = listed if isinstance(listed, list) else [holder.get("author")]
    names = [_string(author.get("name")) for author in authors if isinstance(author, dict)]
    return ", ".join(name for name in names if name) or None


def _string(value: object) -> str | None:
    """A text that says something, with half surrogates (JSON can name them) replaced."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) and value.strip() else None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
