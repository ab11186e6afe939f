"""Reads RSS, Atom and RDF by feedparser, which gets only the parts of a document that it reads right.

The parser's events pass through a filter: elements of an entry that feedparser confuses (nested titles,
media blocks, dates, ids) are kept away from it, and those that we need are noted as published.
"""

import io
import re
import xml.sax
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from feedparser.api import StrictFeedParser

from storyheat.core.markup import TextKind
from storyheat.core.normalise import RawEntry, RawLink, RawText
from storyheat.core.urls import mended

Attributes = list[tuple[str, str]]

_ENTRIES = frozenset({"item", "entry"})
_PUBLISHED = (
    "pubdate",
    "published",
    "issued",
    "dcterms:issued",
    "dcterms:available",
    "created",
    "dcterms:created",
)
_DATED = ("dc:date", "date")  # a publication date, where none of the above is given
_UPDATED = ("updated", "modified", "dcterms:modified", "lastbuilddate")
_ORIGINAL = ("feedburner:origlink", "pheedo:origlink")
_NOTED = frozenset(
    (
        *_PUBLISHED,
        *_DATED,
        *_UPDATED,
        *_ORIGINAL,
        "guid",
        "id",
        "dc:title",
        "itunes:title",
        "media:title",
        "news:source",
        "itunes:summary",
        "itunes:subtitle",
        "media:description",
    )
)
_READ_BY_FEEDPARSER = frozenset({
    "title", "link", "description", "summary", "abstract", "content", "body", "xhtml:body", "fullitem",
    "content:encoded", "author", "dc:creator", "dc:author", "itunes:author", "source", "language",
    "dc:language",
})  # fmt: skip
_PLAIN_IN_RSS = frozenset({"title", "link", "description"})  # without attributes: read here, in half the time
_PERSONS = frozenset({"author", "dc:creator", "dc:author", "itunes:author"})
_NOTED_IN_CHANNEL = frozenset({"ttl", "sy:updateperiod", "sy:updatefrequency", "hour", "day"})
_READ_IN_CHANNEL = frozenset({"title", "link", "language", "dc:language", "channel", "rss", "feed", "rdf:rdf"})
_PASSED_THROUGH = frozenset({"items", "skiphours", "skipdays", "rdf:items", "channel", "rss", "feed", "rdf:rdf"})
_PERIODS = {"hourly": 1, "daily": 24, "weekly": 168, "monthly": 720, "yearly": 8760}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_EMAIL_AND_NAME = re.compile(r"\S+@\S+\s*\(([^()]+)\)")  # RSS: desk@paper.example (News Desk)
_NAME_AND_EMAIL = re.compile(r"([^<>()]*[^<>()\s])\s*[<(]\S+@[^\s<>()]+[>)]")
_TAGGED = re.compile(r"\s*<(?:article|blockquote|div|figure|h[1-6]|ol|p|section|table|ul)[\s>].*</\w+>\s*\Z", re.DOTALL)
_MAX_AUTHOR_CHARS = 500  # the patterns above take time with the square of it
_MAX_HINT = timedelta(days=30)


@dataclass(slots=True)
class _Notes:
    """What the filter noted of one entry or of the channel: the texts of each element, in order."""

    texts: dict[str, list[str]] = field(default_factory=dict)
    rich: dict[str, list[RawText]] = field(default_factory=dict)  # those that may hold markup
    links: list[RawLink] = field(default_factory=list)
    language: str | None = None
    guid_is_link: bool = True  # unless isPermaLink says otherwise
    about: str | None = None

    def all(self, *names: str) -> tuple[str, ...]:
        """The texts that are not blank, by the order of `names`."""
        return tuple(text for name in names for text in self.texts.get(name, ()) if text.strip())

    def first(self, *names: str) -> str | None:
        """The first of them."""
        return next(iter(self.all(*names)), None)


@dataclass(frozen=True, slots=True)
class RawFeed:
    """A feed as read, nothing decided yet."""

    format: str
    title: RawText | None
    links: tuple[RawLink, ...]
    language: str | None
    entries: tuple[RawEntry, ...]
    poll_hint: timedelta | None
    skip_hours: frozenset[int]
    skip_days: frozenset[int]


class NotWellFormedError(ValueError):
    """The document is no well-formed XML."""


class _EnoughError(Exception):
    """The document has more entries than are read."""


class _Filter(StrictFeedParser):  # type: ignore[misc]  # feedparser has no types
    """feedparser's own event handler behind the filter."""

    def __init__(self, base: str, language: str | None, most_entries: int) -> None:
        # Spelled "utf8", feedparser does not "repair" titles that happen to survive a second decoding.
        super().__init__(base, language, "utf8")
        self.sanitize_html = False
        self.resolve_relative_uris = False
        self.channel_notes = _Notes()
        self.entry_notes: list[_Notes] = []
        self._most_entries = most_entries
        self._path: list[str] = []
        self._entry_depth = 0  # of the entry we are in; 0: in none
        self._kept_away = 0  # depth of the element whose content feedparser does not see; 0: none
        self._inline = 0  # depth of markup inside a text
        self._noting: str | None = None  # the element that is noted
        self._noted: list[str] = []  # its text so far
        self._noted_kind: TextKind | None = None  # None: of this element markup is of no interest
        self._pending: list[str] = []  # expat gives text in pieces of a few characters

    def resolve_uri(self, uri: str) -> str:
        """As feedparser does, but for the slips that only look relative."""
        resolved: str = super().resolve_uri(mended(uri))
        return resolved

    def unknown_starttag(self, tag: str, attrs: Attributes) -> None:
        self._flush()
        self._path.append(tag)
        if self._kept_away:
            if self._noted_kind is not None:
                self._noted_kind = TextKind.HTML
                self._noted.append(f"<{tag.rpartition(':')[2]}{self.strattrs(attrs)}>")
            return
        depth = len(self._path)
        if tag in _ENTRIES and self._starts_entry(depth):
            self._start_entry_notes(attrs, depth)
        elif self.incontent:
            self._start_inline(tag, attrs)
            return
        elif not (self._keep_in_entry(tag, attrs) if self._entry_depth else self._keep_in_channel(tag, depth)):
            self._kept_away = depth
            return
        super().unknown_starttag(tag, attrs)

    def _starts_entry(self, depth: int) -> bool:
        """An element in an entry is another entry only where the one before was left open."""
        return not self._entry_depth or depth == self._entry_depth + 1

    def _start_entry_notes(self, attrs: Attributes, depth: int) -> None:
        if len(self.entry_notes) == self._most_entries:
            raise _EnoughError
        about = next((value for name, value in attrs if name.lower() in ("rdf:about", "about")), None)
        self.entry_notes.append(_Notes(about=about))
        self._entry_depth = depth
        self.incontent = self._inline = 0  # a title left open ends here
        self.contentparams.clear()

    def _start_inline(self, tag: str, attrs: Attributes) -> None:
        """Markup inside a text; feedparser itself runs the handlers of whatever has a name that it knows."""
        self._inline += 1
        if not self.contentparams.get("type", "xml").endswith("xml"):
            self.contentparams["type"] = "application/xhtml+xml"
        self.handle_data(f"<{tag.rpartition(':')[2]}{self.strattrs(attrs)}>", escape=0)

    def _keep_in_channel(self, tag: str, depth: int) -> bool:
        if tag in _NOTED_IN_CHANNEL:
            self._noting = tag
            return False
        return tag in _READ_IN_CHANNEL or tag in _PASSED_THROUGH or depth == 1

    def _keep_in_entry(self, tag: str, attrs: Attributes) -> bool:
        ancestors = self._path[self._entry_depth : -1]
        if not ancestors:
            return self._keep_child(tag, attrs)
        if ancestors == ["media:group"] and tag in ("media:description", "media:title"):
            self._noting = tag
            return False
        if ancestors[0] in _PERSONS:
            return tag in ("name", "email", "uri", "url")
        return ancestors == ["source"] and tag in ("title", "link")

    def _keep_child(self, tag: str, attrs: Attributes) -> bool:
        """Whether feedparser sees a direct child of an entry. Others are noted, or nothing to us."""
        given = {name.lower(): value for name, value in attrs}
        if tag in _PLAIN_IN_RSS and not attrs and not self.version.startswith("atom"):
            self._noting, self._noted_kind = tag, TextKind.GUESS
            return False
        if tag in _NOTED:
            self._noting = tag
            if tag == "guid":
                self.entry_notes[-1].guid_is_link = given.get("ispermalink", "true").strip().lower() != "false"
            return False
        if tag == "link" and "href" in given and not given["href"].strip():
            return False  # feedparser would take the document's own address
        return tag in _READ_BY_FEEDPARSER or tag == "media:group"

    def characters(self, text: str) -> None:
        self._pending.append(text)

    def _flush(self) -> None:
        text, self._pending = "".join(self._pending), []
        if self._noting is not None:
            self._noted.append(text)
        elif text and not self._kept_away:
            self.handle_data(text)

    def unknown_endtag(self, tag: str) -> None:
        self._flush()
        depth = len(self._path)
        self._path.pop()
        if self._kept_away:
            if depth == self._kept_away:
                self._kept_away = 0
                self._finish_note()
            elif self._noted_kind is not None:
                self._noted.append(f"</{tag.rpartition(':')[2]}>")
            return
        if self._inline:
            self._inline -= 1
            self.handle_data(f"</{tag.rpartition(':')[2]}>", escape=0)
            return
        super().unknown_endtag(tag)
        if depth == self._entry_depth:
            self._entry_depth = 0

    def _finish_note(self) -> None:
        if self._noting is None:
            return
        notes = self.entry_notes[-1] if self._entry_depth else self.channel_notes
        text = "".join(self._noted)
        if self._noted_kind is None:
            notes.texts.setdefault(self._noting, []).append(text)
        elif self._noting != "link":
            written = RawText(text.strip(), self._noted_kind, self.baseuri or None)
            notes.rich.setdefault(self._noting, []).append(written)
            notes.language = notes.language or self.lang
        elif text.strip():
            notes.links.append(RawLink(self.resolve_uri(text.strip())))
        self._noting, self._noted, self._noted_kind = None, [], None


def read_feed(document: bytes, base: str | None, most_entries: int) -> RawFeed:
    """Reads a well-formed feed in UTF-8 without DOCTYPE. `base` is the address of the document.

    Raises NotWellFormedError. Entries stand in document order; what comes after `most_entries` is not looked at.
    """
    handler = _Filter(base or "", None, most_entries)
    parser = xml.sax.make_parser()
    parser.setFeature(xml.sax.handler.feature_namespaces, True)
    parser.setFeature(xml.sax.handler.feature_external_ges, False)
    parser.setFeature(xml.sax.handler.feature_external_pes, False)
    parser.setContentHandler(handler)
    parser.setErrorHandler(handler)
    source = xml.sax.xmlreader.InputSource()
    source.setByteStream(io.BytesIO(document))
    source.setEncoding("utf-8")
    try:
        with suppress(_EnoughError):
            parser.parse(source)
    except xml.sax.SAXException as error:
        raise NotWellFormedError(error.getMessage()) from error
    channel: dict[str, Any] = handler.feeddata
    is_atom = handler.version.startswith("atom")
    entries = zip(handler.entries, handler.entry_notes, strict=True)
    return RawFeed(
        format=_format(handler.version),
        title=_text(channel, "title", is_atom),
        links=_links(channel),
        language=channel.get("language") or None,
        entries=tuple(_entry(entry, notes, is_atom) for entry, notes in entries),
        poll_hint=_poll_hint(handler.channel_notes),
        skip_hours=_skip_hours(handler.channel_notes),
        skip_days=_skip_days(handler.channel_notes),
    )


def _format(version: str) -> str:
    if version in ("rss10", "rss090"):
        return "rdf"
    return version or "rss"


def _entry(entry: dict[str, Any], notes: _Notes, is_atom: bool) -> RawEntry:
    source: dict[str, Any] = entry.get("source") or {}
    descriptions = [text for text in notes.rich.get("description", ()) if text.value]
    contents = descriptions[1:] + [_as_written(_of_detail(content, is_atom)) for content in entry.get("content", ())]
    summary = descriptions[0] if descriptions else None
    if summary is None and "summary_detail" in entry:
        summary = _as_written(_of_detail(entry["summary_detail"], is_atom))
    if summary is None and (text := notes.first("media:description", "itunes:summary", "itunes:subtitle")):
        summary = RawText(text, TextKind.HTML)
    source_link = next((link.href for link in _links(source) if link.rel == "alternate"), None)
    return RawEntry(
        guid=notes.first("guid", "id") or notes.about,
        guid_is_link=notes.guid_is_link,
        title=_title(entry, notes, is_atom),
        links=(*notes.links, *_links(entry)),
        original_link=notes.first(*_ORIGINAL),
        published=notes.all(*_PUBLISHED, *_DATED),
        updated=notes.first(*_UPDATED),
        summary=summary,
        content=max(contents, key=lambda content: len(content.value), default=None),
        author=_author(entry, is_atom),
        publisher=source.get("title") or notes.first("news:source"),
        publisher_url=source.get("href") or source_link,
        language=notes.language or (entry.get("title_detail") or {}).get("language"),
    )


def _title(entry: dict[str, Any], notes: _Notes, is_atom: bool) -> RawText | None:
    titles: list[RawText | None] = [*notes.rich.get("title", ()), _text(entry, "title", is_atom)]
    for title in titles:
        if title is not None and title.value:
            return title
    text = notes.first("dc:title", "itunes:title", "media:title")
    return RawText(text, TextKind.GUESS) if text else None


def _author(entry: dict[str, Any], is_atom: bool) -> str | None:
    if is_atom:
        names = (author.get("name") for author in entry.get("authors", ()))
        return ", ".join(name for name in names if name) or None
    written = (entry.get("author") or "").strip()[:_MAX_AUTHOR_CHARS]
    found = _EMAIL_AND_NAME.fullmatch(written) or _NAME_AND_EMAIL.fullmatch(written)
    return found[1] if found else written or None


def _text(parent: dict[str, Any], name: str, is_atom: bool) -> RawText | None:
    detail = parent.get(f"{name}_detail")
    return _of_detail(detail, is_atom) if detail else None


def _of_detail(detail: dict[str, Any], is_atom: bool) -> RawText:
    media_type = detail.get("type", "")
    if "html" in media_type:
        kind = TextKind.HTML
    elif is_atom:
        kind = TextKind.PLAIN
    else:
        kind = TextKind.GUESS
    if not is_atom and kind is TextKind.HTML and media_type == "text/html":
        kind = TextKind.GUESS
    return RawText(detail.get("value") or "", kind, detail.get("base") or None)


def _as_written(text: RawText) -> RawText:
    """A body that is called plain, as it is where no type is given, but begins and ends with tags, is HTML."""
    if text.kind is TextKind.PLAIN and _TAGGED.match(text.value):
        return RawText(text.value, TextKind.HTML, text.base)
    return text


def _links(parent: dict[str, Any]) -> tuple[RawLink, ...]:
    return tuple(
        RawLink(str(link["href"]), str(link.get("rel", "")).rpartition("/")[2], str(link.get("type", "")))
        for link in parent.get("links", ())
        if link.get("href")
    )


def _number(text: str | None) -> int | None:
    text = (text or "").strip()
    return int(text) if text.isdecimal() and len(text) < 7 else None


def _poll_hint(notes: _Notes) -> timedelta | None:
    """The longer of the two rhythms that a channel can ask for, at most 30 days."""
    hints = []
    minutes = _number(notes.first("ttl"))
    if minutes:
        hints.append(timedelta(minutes=minutes))
    hours = _PERIODS.get((notes.first("sy:updateperiod") or "").strip().lower())
    if hours:
        hints.append(timedelta(hours=hours) / (_number(notes.first("sy:updatefrequency")) or 1))
    return min(max(hints), _MAX_HINT) if hints else None


def _skip_hours(notes: _Notes) -> frozenset[int]:
    hours = (_number(text) for text in notes.texts.get("hour", ()))
    return frozenset(hour % 24 for hour in hours if hour is not None and hour <= 24)  # RSS 0.91 counts to 24


def _skip_days(notes: _Notes) -> frozenset[int]:
    named = (text.strip().lower() for text in notes.texts.get("day", ()))
    return frozenset(_DAYS.index(day) for day in named if day in _DAYS)
