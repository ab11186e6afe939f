"""Reads RSS, Atom and RDF: what stands around the entries by feedparser, the entries by a reader of our own.

feedparser confuses elements of an entry that have one name (nested titles, media blocks, dates, ids), loses what it
cannot read, and takes most of its time for values that we do not ask for.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any
from xml.parsers import expat

from feedparser.api import StrictFeedParser

from storyheat.core.addresses.urls import mended
from storyheat.core.items.normalise import RawEntry, RawLink, RawText
from storyheat.core.text.markup import TextKind
from storyheat.ingest.feed_entry import EntryReader

_ENTRIES = frozenset({"item", "entry"})
_NOTED_IN_CHANNEL = frozenset({"ttl", "sy:updateperiod", "sy:updatefrequency", "hour", "day"})
_READ_IN_CHANNEL = frozenset({"title", "link", "language", "dc:language", "channel", "rss", "feed", "rdf:rdf"})
_MATTER_IN_CHANNEL = _READ_IN_CHANNEL | _NOTED_IN_CHANNEL | {"items", "rdf:items", "skiphours", "skipdays"}
_PERIODS = {"hourly": 1, "daily": 24, "weekly": 168, "monthly": 720, "yearly": 8760}
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MOST_AROUND = 1_000  # elements outside of entries that are looked at; a long header has 50
_DEEPEST = 10_000  # elements one in another; the sanitiser stops at 512
_MAX_HINT = timedelta(days=30)
_USERLAND = "backend.userland.com/rss"  # addresses with it are all of RSS
_NOTHING: Mapping[str, str] = MappingProxyType({})


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


class _Reader(StrictFeedParser):  # type: ignore[misc]  # feedparser has no types
    """feedparser's own event handler, which gets what stands around the entries, and in them nothing."""

    def __init__(self, base: str, most_entries: int) -> None:
        # Spelled "utf8", feedparser does not "repair" titles that happen to survive a second decoding.
        super().__init__(base, None, "utf8")
        self.sanitize_html = False
        self.resolve_relative_uris = False
        self.read: list[RawEntry] = []
        self.noted: dict[str, list[str]] = {}  # the texts of elements that feedparser does not know
        self._most_entries = most_entries
        self._tags: dict[str, str] = {}  # as expat gives them → as we write them
        self._prefixes: dict[str, str] = {}  # by namespace, as the document first names it
        self._path: list[str] = []
        self._entry: EntryReader | None = None  # the one we are in
        self._entry_depth = 0  # of it
        self._kept_away = 0  # depth of the element whose content nobody reads; 0: none
        self._noting: list[str] | None = None  # where its text goes, if it is noted
        self._inline = 0  # depth of markup inside a text
        self._left_around = _MOST_AROUND

    def parse(self, document: bytes) -> None:
        """Reads a document in UTF-8. Raises NotWellFormedError; _EnoughError where there are more entries."""
        parser = expat.ParserCreate("utf-8", namespace_separator=" ")
        parser.namespace_prefixes = True
        parser.ordered_attributes = True
        parser.buffer_text = True
        parser.StartNamespaceDeclHandler = self._declare
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        try:
            parser.Parse(document, True)
        except expat.ExpatError as error:
            raise NotWellFormedError(expat.ErrorString(error.code)) from error

    def resolve_uri(self, uri: str) -> str:
        """As feedparser does, but for the slips that only look relative."""
        resolved: str = super().resolve_uri(mended(uri))
        return resolved

    def _declare(self, prefix: str | None, uri: str | None) -> None:
        self._tags.clear()
        self.startPrefixMapping(prefix, uri or "")
        if prefix and uri and self.namespaces_in_use.get(prefix) == uri:  # else feedparser has its own name for it
            self._prefixes.setdefault(uri, prefix)

    def _start(self, name: str, attributes: list[str]) -> None:
        tag = self._tags.get(name) or self._tag(name)
        self._path.append(tag)
        depth = len(self._path)
        if depth > _DEEPEST:
            raise NotWellFormedError("elements nested without end")
        # An entry in an entry is another one, where the one before was left open.
        if tag in _ENTRIES and not self._kept_away and (self._entry is None or depth == self._entry_depth + 1):
            self._start_entry(depth, self._given(attributes))
        elif self._entry is not None:
            self._entry.start(tag, self._given(attributes) if attributes else _NOTHING)
        elif not self._kept_away:
            self._start_around(tag, depth, self._given(attributes))

    def _start_entry(self, depth: int, given: dict[str, str]) -> None:
        self._finish_entry()
        if len(self.read) == self._most_entries:
            raise _EnoughError
        self._entry = EntryReader(
            given, is_atom=self.version.startswith("atom"), base=self.baseuri or None, language=self.lang
        )
        self._entry_depth = depth
        self.incontent = self._inline = 0  # a title of the channel that was left open ends here
        self.contentparams.clear()

    def _start_around(self, tag: str, depth: int, given: dict[str, str]) -> None:
        """An element outside of entries."""
        matters = bool(self.incontent) or depth == 1 or tag in _MATTER_IN_CHANNEL
        self._left_around -= matters
        if not matters or self._left_around < 0:
            self._kept_away = depth
        elif self.incontent:  # feedparser itself would run the handlers of whatever has a name that it knows
            self._inline += 1
            if not self.contentparams.get("type", "xml").endswith("xml"):
                self.contentparams["type"] = "application/xhtml+xml"
            self.handle_data(f"<{tag.rpartition(':')[2]}{self.strattrs(given.items())}>", escape=0)
        elif tag in _NOTED_IN_CHANNEL:
            self._kept_away, self._noting = depth, []
        else:
            self.unknown_starttag(tag, list(given.items()))

    def _characters(self, text: str) -> None:
        if self._entry is not None:
            self._entry.characters(text)
        elif self._noting is not None:
            self._noting.append(text)
        elif not self._kept_away:
            self.handle_data(text)

    def _end(self, _name: str) -> None:
        depth = len(self._path)
        tag = self._path.pop()
        if self._entry is not None:
            if depth == self._entry_depth:
                self._finish_entry()
            else:
                self._entry.end(tag)
        elif self._kept_away:
            if depth == self._kept_away:
                self._finish_note(tag)
        elif self._inline:
            self._inline -= 1
            self.handle_data(f"</{tag.rpartition(':')[2]}>", escape=0)
        else:
            self.unknown_endtag(tag)

    def _finish_entry(self) -> None:
        if self._entry is not None:
            self.read.append(self._entry.finished())
            self._entry = None

    def _finish_note(self, tag: str) -> None:
        if self._noting is not None:
            self.noted.setdefault(tag, []).append("".join(self._noting))
        self._kept_away, self._noting = 0, None

    def _tag(self, name: str) -> str:
        """The name in lower case, with the usual prefix of its namespace."""
        namespace, local, _ = _parts(name)
        prefix = self._prefix(namespace) or self._prefixes.get(namespace, "")
        self._tags[name] = tag = (f"{prefix}:{local}" if prefix else local).lower()
        return tag

    def _given(self, attributes: list[str]) -> dict[str, str]:
        """Attributes by their names, as those of tags."""
        given: dict[str, str] = {}
        for name, value in zip(attributes[::2], attributes[1::2], strict=True):
            namespace, local, prefix = _parts(name)
            prefix = (self._prefix(namespace) or prefix) if namespace else ""
            given[(f"{prefix}:{local}" if prefix else local).lower()] = value
        return given

    def _prefix(self, namespace: str) -> str:
        lower = namespace.lower()
        return "" if _USERLAND in lower else self._matchnamespaces.get(lower, "")


def _parts(name: str) -> tuple[str, str, str]:
    """Namespace, local name and prefix of a name as expat gives it."""
    parts = name.split(" ")
    if len(parts) == 1:
        return "", name, ""
    return parts[0], parts[1], parts[2] if len(parts) > 2 else ""


def read_feed(document: bytes, base: str | None, most_entries: int) -> RawFeed:
    """Reads a well-formed feed in UTF-8 without DOCTYPE. `base` is the address of the document.

    Raises NotWellFormedError. Entries stand in document order; what comes after `most_entries` is not looked at.
    """
    reader = _Reader(base or "", most_entries)
    with suppress(_EnoughError):
        reader.parse(document)
    channel: dict[str, Any] = reader.feeddata
    title = channel.get("title_detail")
    return RawFeed(
        format=_format(reader.version),
        title=_of_detail(title, is_atom=reader.version.startswith("atom")) if title else None,
        links=_links(channel),
        language=channel.get("language") or None,
        entries=tuple(reader.read),
        poll_hint=_poll_hint(reader.noted),
        skip_hours=_skip_hours(reader.noted),
        skip_days=_skip_days(reader.noted),
    )


def _format(version: str) -> str:
    if version in ("rss10", "rss090"):
        return "rdf"
    return version or "rss"


def _of_detail(detail: dict[str, Any], *, is_atom: bool) -> RawText:
    media_type = detail.get("type", "")
    if is_atom:
        kind = TextKind.HTML if "html" in media_type else TextKind.PLAIN
    else:
        kind = TextKind.HTML if "xhtml" in media_type else TextKind.GUESS
    return RawText(detail.get("value") or "", kind, detail.get("base") or None)


def _links(parent: dict[str, Any]) -> tuple[RawLink, ...]:
    return tuple(
        RawLink(str(link["href"]), str(link.get("rel", "")).rpartition("/")[2], str(link.get("type", "")))
        for link in parent.get("links", ())
        if link.get("href")
    )


def _first(noted: Mapping[str, list[str]], name: str) -> str:
    """The first text of an element that is not blank; "" without one."""
    return next((text for text in noted.get(name, ()) if text.strip()), "")


def _number(text: str) -> int | None:
    text = text.strip()
    return int(text) if text.isdecimal() and len(text) < 7 else None


def _poll_hint(noted: Mapping[str, list[str]]) -> timedelta | None:
    """The longer of the two rhythms that a channel can ask for, at most 30 days."""
    hints = []
    minutes = _number(_first(noted, "ttl"))
    if minutes:
        hints.append(timedelta(minutes=minutes))
    hours = _PERIODS.get(_first(noted, "sy:updateperiod").strip().lower())
    if hours:
        hints.append(timedelta(hours=hours) / (_number(_first(noted, "sy:updatefrequency")) or 1))
    return min(max(hints), _MAX_HINT) if hints else None


def _skip_hours(noted: Mapping[str, list[str]]) -> frozenset[int]:
    hours = (_number(text) for text in noted.get("hour", ()))
    return frozenset(hour % 24 for hour in hours if hour is not None and hour <= 24)  # RSS 0.91 counts to 24


def _skip_days(noted: Mapping[str, list[str]]) -> frozenset[int]:
    named = (text.strip().lower() for text in noted.get("day", ()))
    return frozenset(_DAYS.index(day) for day in named if day in _DAYS)
