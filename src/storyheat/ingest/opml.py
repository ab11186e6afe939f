"""Reads OPML, the list of subscriptions that feed readers exchange: what is to be followed, and what is not and why.

The parser is the standard library's expat, driven by its events: nothing is fetched, no entity is known, no tree is
built, and depth costs nothing. Why not lxml: docs/decisions.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit
from xml.parsers import expat

from storyheat.core.addresses.urls import feed_address, feed_key, without_credentials
from storyheat.core.feeds.naming import source_name
from storyheat.core.model import FailureKind, Url
from storyheat.errors import DocumentError
from storyheat.ingest.charset import decode
from storyheat.ingest.guard import Refused, check_spelling, target_of
from storyheat.ingest.xmlrepair import tidy


@dataclass(frozen=True, slots=True)
class OpmlParams:
    """The largest list that is read."""

    max_bytes: int = 4_000_000  # as feeds.yaml; 10,000 feeds of an ordinary reader's export take 2.5 MB
    max_outlines: int = 10_000
    max_topics: int = 5  # folders and categories of one feed that are kept, the innermost folders first


DEFAULT_PARAMS = OpmlParams()

NAMESPACE = "urn:storyheat:opml"
"""Of the two attributes that our own exports add: `source` and `feed`, settings as JSON."""

UNNAMED = "(without a name)"

_BLANK = " "  # between namespace and name, as expat gives them; in neither can one be
_SOURCE, _FEED = f"{NAMESPACE}{_BLANK}source", f"{NAMESPACE}{_BLANK}feed"
_FEED_TYPES = frozenset({"rss", "atom", "rdf", "feed", "json"})
_ENTITY = re.compile(r"<!ENTITY\b", re.IGNORECASE)
_SHOWN = 100  # characters of an address that is told


@dataclass(frozen=True, slots=True)
class OpmlFeed:
    """One feed of a list. `source` and `feed` are settings that an export of ours brought along, unchecked."""

    address: Url
    name: str | None
    site: Url | None
    language: str | None
    topics: tuple[str, ...]
    source: Mapping[str, object] | None = None
    feed: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """One outline that gives nothing to follow. `address` is as it may be shown, "" where there is none."""

    name: str
    address: str
    reason: str


@dataclass(frozen=True, slots=True)
class OpmlList:
    """What a list holds, in its order; a feed that it names twice is once in it, with the topics of both."""

    feeds: tuple[OpmlFeed, ...]
    skipped: tuple[Skipped, ...]
    remarks: tuple[str, ...] = ()


def read_opml(data: bytes, allow_hosts: Sequence[str] = (), params: OpmlParams = DEFAULT_PARAMS) -> OpmlList:
    """The feeds of an OPML document. No name is looked up and nothing is fetched.

    `allow_hosts` are the `host:port` pairs that may be followed although they are inside. Raises DocumentError
    (kind: too_large, not_a_feed) for what is no OPML, is broken, or defines entities.
    """
    if len(data) > params.max_bytes:
        raise DocumentError(FailureKind.TOO_LARGE, f"the list has more than {params.max_bytes:,} bytes")
    decoded = decode(data, None)
    if _ENTITY.search(decoded.text):
        raise _refused("the document defines entities, which no list of feeds needs; nothing of it was read")
    text, repairs = tidy(decoded.text)
    reader = _Reader(allow_hosts, params)
    reader.read(text)
    return OpmlList(
        tuple(reader.feeds.values()), tuple(reader.skipped), tuple(dict.fromkeys((*decoded.remarks, *repairs)))
    )


def _refused(message: str) -> DocumentError:
    return DocumentError(FailureKind.NOT_A_FEED, message)


@dataclass(slots=True)
class _Outline:
    """An outline that is open."""

    name: str | None
    address: str  # "" where it has none; not always that of a feed
    folder: bool  # without a feed of its own
    promised: bool  # it looks like a feed or page rather than a folder
    commented: bool  # it, or one around it
    empty: bool = True  # no other inside


class _Reader:
    def __init__(self, allow_hosts: Sequence[str], params: OpmlParams) -> None:
        self.feeds: dict[str, OpmlFeed] = {}  # by key
        self.skipped: list[Skipped] = []
        self._allow_hosts = allow_hosts
        self._params = params
        self._open: list[_Outline] = []
        self._outlines = 0  # so far
        self._root_seen = False

    def read(self, text: str) -> None:
        parser = expat.ParserCreate("utf-8", _BLANK)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.StartDoctypeDeclHandler = _no_doctype
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)
        except expat.ExpatError as error:
            what = expat.ErrorString(error.code)
            raise _refused(f"is no well-formed XML ({what}, line {error.lineno}); nothing was imported") from error

    def _start(self, tag: str, given: dict[str, str]) -> None:
        name = tag.rpartition(_BLANK)[2].lower()
        if not self._root_seen:
            self._root_seen = True
            if name != "opml":
                raise _refused(f"is no OPML: its first element is <{name[:40]}>")
        if name != "outline":
            return
        self._outlines += 1
        if self._outlines > self._params.max_outlines:
            raise DocumentError(
                FailureKind.TOO_LARGE, f"the list has more than {self._params.max_outlines:,} outlines; split it"
            )
        values: dict[str, str] = {}
        for key, value in given.items():  # capitals differ from program to program
            values.setdefault(key if _BLANK in key else key.lower(), value)
        self._outline(values)

    def _outline(self, values: Mapping[str, str]) -> None:
        around = self._open[-1] if self._open else None
        if around is not None:
            around.empty = False
        kind = values.get("type", "").strip().lower()
        address = values.get("xmlurl", "") or (values.get("url", "") if kind in _FEED_TYPES or _FEED in values else "")
        commented = values.get("iscomment", "").strip().lower() == "true" or (around is not None and around.commented)
        promised = bool(kind) or "xmlurl" in values or "url" in values
        name = source_name(values.get("text")) or source_name(values.get("title"))
        self._open.append(_Outline(name, address or values.get("url", ""), not address, promised, commented))
        if kind == "include":
            self._open[-1].folder = False
            self._skip("another list, which is not followed; import it by itself")
        elif address and commented:
            self._skip("commented out")
        elif address:
            self._feed(address, values)

    def _end(self, tag: str) -> None:
        if tag.rpartition(_BLANK)[2].lower() != "outline":
            return
        outline = self._open[-1]
        if outline.folder and outline.empty:
            if outline.commented:
                self._skip("commented out")
            else:
                self._skip("no feed address" if outline.promised else "nothing in it")
        self._open.pop()

    def _feed(self, raw: str, values: Mapping[str, str]) -> None:
        address = feed_address(raw)
        reason = self._why_not(raw, address)
        if address is None or reason is not None:
            self._skip(reason or "no address")
            return
        feed = OpmlFeed(
            address=Url(address),
            name=source_name(values.get("text")) or source_name(values.get("title")),
            site=self._site(values.get("htmlurl")),
            language=values.get("language", "").strip() or None,
            topics=self._topics(values.get("category", "")),
            source=_settings(values.get(_SOURCE)),
            feed=_settings(values.get(_FEED)),
        )
        key = f"{feed_key(address)} {(feed.source or {}).get('id', '')}"  # sources of ours may share a feed
        first = self.feeds.setdefault(key, feed)
        if first is not feed:
            self.feeds[key] = _with_topics(first, feed.topics, self._params.max_topics)
            self._skip(f'the same feed as "{first.name or without_credentials(first.address)}" above')

    def _why_not(self, raw: str, address: str | None) -> str | None:
        """The reason not to follow an address, as far as its spelling tells."""
        if not raw.strip():
            return "no feed address"
        if not raw.strip().isprintable():
            return "a line break or control character in its address"
        try:
            parts = urlsplit(address or raw.strip())
            if "@" in parts.netloc:
                return "a user or password in its address; add it by hand, with ${NAME} in place of the secret"
            check_spelling(target_of(parts.scheme, parts.hostname or "", parts.port), self._allow_hosts)
        except Refused as refused:
            return str(refused)
        except ValueError:
            return "its address is none"
        return None if address else "its address is none"

    def _site(self, raw: str | None) -> Url | None:
        """The home page, where it is one that may be followed; else it is left out without a word."""
        address = feed_address(raw)
        if address is None or self._why_not(raw or "", address):
            return None
        return Url(address)

    def _topics(self, category: str) -> tuple[str, ...]:
        folders = [outline.name for outline in self._open[:-1] if outline.folder and outline.name]
        categories = [source_name(part) for path in category.split(",") for part in path.split("/")]
        kept = folders[-self._params.max_topics :] + [each for each in categories if each]
        return tuple(dict.fromkeys(kept))[: self._params.max_topics]

    def _skip(self, reason: str) -> None:
        outline = self._open[-1]
        address = source_name(without_credentials(outline.address)) or ""
        self.skipped.append(Skipped(outline.name or UNNAMED, address[:_SHOWN], reason))


def _no_doctype(*_: object) -> None:
    raise _refused("the document has a DOCTYPE that cannot be set aside; nothing of it was read")


def _settings(text: str | None) -> Mapping[str, object] | None:
    """The settings in an attribute of ours; None where it is absent or broken."""
    try:
        value = json.loads(text or "null")
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _with_topics(feed: OpmlFeed, more: Sequence[str], most: int) -> OpmlFeed:
    topics = tuple(dict.fromkeys((*feed.topics, *more)))[:most]
    return OpmlFeed(feed.address, feed.name, feed.site, feed.language, topics, feed.source, feed.feed)
