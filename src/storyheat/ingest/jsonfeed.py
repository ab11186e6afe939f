"""Reads JSON Feed 1.0 and 1.1, and RSS written as JSON."""

from typing import Any

from storyheat.core.items.normalise import RawEntry, RawLink, RawText
from storyheat.core.text.markup import TextKind
from storyheat.ingest.feed import RawFeed
from storyheat.ingest.jsonrepair import Number, read_json

_OWN_KEYS = frozenset({"content_html", "content_text", "date_published", "external_url"})  # of no other format
_KINDS = {Number: "a number", bool: "true or false", list: "a list", dict: "an object"}


class NotJsonFeedError(ValueError):
    """The text is no JSON, or JSON of another kind."""


def read_json_feed(text: str, most_entries: int) -> tuple[RawFeed, list[str]]:
    """Reads a JSON Feed, with remarks. Raises NotJsonFeedError; entries that are no objects are left out, and so
    are those after `most_entries`. Of a document that breaks off the complete items are read.
    """
    try:
        document, remarks = read_json(text, most_entries)
    except ValueError as error:
        raise NotJsonFeedError(str(error)) from error
    if not isinstance(document, dict):
        raise NotJsonFeedError("the JSON has no list of items")
    channel = _rss_channel(document)
    holder = _Fields(document if channel is None else channel, remarks)
    return _json_feed(holder, most_entries) if channel is None else _rss(holder, most_entries), remarks


class _Fields:
    """The members of one object, each as a text, and remarks on those that are something else."""

    def __init__(self, holder: dict[str, Any], remarks: list[str]) -> None:
        self.holder = holder
        self._remarks = remarks

    def text(self, name: str, *, also_number: bool = False) -> str | None:
        """A text that says something, with half surrogates (JSON can name them) replaced; None for what is none."""
        return self._text(name, self.holder.get(name), also_number=also_number)

    def element(self, name: str, *, also_number: bool = False) -> str | None:
        """The text of an XML element written as JSON: plain, or under `#value` where it has attributes."""
        value = self.holder.get(name)
        return self._text(name, value.get("#value") if isinstance(value, dict) else value, also_number=also_number)

    def author(self) -> str | None:
        """The names in `authors` (1.1), else the one in `author` (1.0); some give the bare name."""
        name = "authors" if self.holder.get("authors") else "author"
        given = self.holder.get(name)
        authors = given if isinstance(given, list) else [given]
        named = (author.get("name") if isinstance(author, dict) else author for author in authors)
        return ", ".join(text for one in named if (text := self._text(name, one))) or None

    def objects(self, name: str, most: int) -> list[dict[str, Any]]:
        """The objects in a list, or the one that stands in place of it."""
        given = self.holder.get(name) or []
        listed = given if isinstance(given, list) else [given]
        objects = [one for one in listed if isinstance(one, dict)]
        if len(objects) < len(listed):
            self._remarks.append(f"{name}: what is no object was left out")
        return objects[:most]

    def _text(self, name: str, value: object, *, also_number: bool = False) -> str | None:
        if isinstance(value, Number) and not also_number:
            self._remark(name, value)
        elif isinstance(value, str):
            return str(value.encode("utf-8", "replace").decode()) if value.strip() else None
        elif value is not None:
            self._remark(name, value)
        return None

    def _remark(self, name: str, value: object) -> None:
        self._remarks.append(f"{name} is {_KINDS[type(value)]}, not a text")


def _json_feed(fields: _Fields, most_entries: int) -> RawFeed:
    version = fields.text("version") or ""
    listed = fields.holder.get("items")
    if not (isinstance(listed, list) or (listed is None and "jsonfeed.org" in version)):
        raise NotJsonFeedError("the JSON has no list of items")
    items = fields.objects("items", most_entries)
    if "jsonfeed.org" not in version and not _looks_like_a_feed(fields.holder, items):
        raise NotJsonFeedError("the JSON does not say that it is a JSON Feed")
    feed_author = fields.author()
    return _feed(
        "json11" if version.rstrip("/").endswith("1.1") else "json1",
        title=fields.text("title"),
        title_kind=TextKind.PLAIN,
        home=fields.text("home_page_url"),
        language=fields.text("language"),
        entries=tuple(_entry(item, feed_author) for item in items),
    )


def _looks_like_a_feed(document: dict[str, Any], items: list[dict[str, Any]]) -> bool:
    if not items:
        return "title" in document and ("home_page_url" in document or "feed_url" in document)
    return any(_OWN_KEYS & item.keys() or {"title", "url"} <= item.keys() for item in items)


def _entry(item: dict[str, Any], feed_author: str | None) -> RawEntry:
    remarks: list[str] = []
    fields = _Fields(item, remarks)
    links = [fields.text("url"), fields.text("external_url")]
    title, summary = fields.text("title"), fields.text("summary")
    html, plain = fields.text("content_html"), fields.text("content_text")
    date = fields.text("date_published", also_number=True)
    return RawEntry(
        guid=fields.text("id", also_number=True),
        guid_is_link=True,
        title=RawText(title, TextKind.PLAIN) if title else None,
        links=tuple(RawLink(link) for link in links if link),
        published=(date,) if date else (),
        updated=fields.text("date_modified", also_number=True),
        summary=RawText(summary, TextKind.PLAIN) if summary else None,
        content=RawText(html, TextKind.HTML) if html else RawText(plain, TextKind.PLAIN) if plain else None,
        author=fields.author() or feed_author,
        language=fields.text("language"),
        remarks=tuple(remarks),
    )


def _rss_channel(document: dict[str, Any]) -> dict[str, Any] | None:
    """The channel of RSS written as JSON, element by element."""
    rss = document.get("rss")
    channel = rss.get("channel") if isinstance(rss, dict) else None
    return channel if isinstance(channel, dict) else None


def _rss(fields: _Fields, most_entries: int) -> RawFeed:
    return _feed(
        "rss20",
        title=fields.element("title", also_number=True),
        title_kind=TextKind.GUESS,
        home=fields.element("link"),
        language=fields.element("language"),
        entries=tuple(_rss_entry(item) for item in fields.objects("item", most_entries)),
    )


def _rss_entry(item: dict[str, Any]) -> RawEntry:
    """An item whose elements were written as JSON by a program that makes numbers of texts like `2026`."""
    remarks: list[str] = []
    fields = _Fields(item, remarks)
    guid, link = item.get("guid"), fields.element("link")
    title, description = fields.element("title", also_number=True), fields.element("description", also_number=True)
    date, source = fields.element("pubDate", also_number=True), item.get("source")
    return RawEntry(
        guid=fields.element("guid", also_number=True),
        guid_is_link=not (isinstance(guid, dict) and str(guid.get("isPermaLink", True)).lower() == "false"),
        title=RawText(title, TextKind.GUESS) if title else None,
        links=(RawLink(link),) if link else (),
        published=(date,) if date else (),
        summary=RawText(description, TextKind.GUESS) if description else None,
        author=fields.element("author"),
        publisher=fields.element("source"),
        publisher_url=_Fields(source, remarks).text("url") if isinstance(source, dict) else None,
        remarks=tuple(remarks),
    )


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
