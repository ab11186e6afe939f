"""One entry of an RSS, Atom or RDF feed, put together from its elements as they come."""

import base64
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from storyheat.core.addresses.urls import join_base, resolve
from storyheat.core.items.normalise import RawEntry, RawLink, RawText
from storyheat.core.text.markup import MarkupParams, TextKind

_PUBLISHED = (
    "pubdate", "published", "issued", "dcterms:issued", "dcterms:available", "created", "dcterms:created",
)  # fmt: skip
_DATED = ("dc:date", "date")  # a publication date, where none of the above is given
_UPDATED = ("updated", "modified", "dcterms:modified", "lastbuilddate")
_ORIGINAL = ("feedburner:origlink", "pheedo:origlink")
_OTHER_TITLES = ("dc:title", "itunes:title", "media:title")
_OTHER_SUMMARIES = ("media:description", "itunes:summary", "itunes:subtitle")
_PLAIN = frozenset(
    (*_PUBLISHED, *_DATED, *_UPDATED, *_ORIGINAL, *_OTHER_TITLES, *_OTHER_SUMMARIES, "guid", "id", "news:source")
)
_SUMMARIES = frozenset({"description", "summary", "abstract"})
_CONTENTS = frozenset({"content", "content:encoded", "body", "xhtml:body", "fullitem"})
_RICH = _SUMMARIES | _CONTENTS | {"title"}
_PERSONS = frozenset({"author", "dc:creator", "dc:author", "itunes:author"})
_INSIDE = {  # the elements that have a meaning inside another
    "source": frozenset({"title", "link"}),
    "media:group": frozenset({"media:title", "media:description"}),
} | dict.fromkeys(_PERSONS, frozenset({"name"}))
_KNOWN = _PLAIN | _RICH | _INSIDE.keys() | {"link"}
_HTML_UNLESS_TOLD = frozenset({"description", "content:encoded", "fullitem", "body", "xhtml:body"})
_XHTML = frozenset({"xhtml", "application/xhtml+xml"})
_EMAIL_AND_NAME = re.compile(r"\S+@\S+\s*\(([^()]+)\)")  # RSS: desk@paper.example (News Desk)
_NAME_AND_EMAIL = re.compile(r"([^<>()]*[^<>()\s])\s*[<(]\S+@[^\s<>()]+[>)]")
_TAGGED = re.compile(r"\s*<(?:article|blockquote|div|figure|h[1-6]|ol|p|section|table|ul)[\s>].*</\w+>\s*\Z", re.DOTALL)
_MOST_OF_ONE_NAME = 10  # dates, ids and the like in one entry
_MAX_AUTHOR_CHARS = 500  # the patterns above take time with the square of it


@dataclass(slots=True)
class _Open:
    """An element whose text is collected, until it ends."""

    name: str
    attributes: Mapping[str, str]
    base: str | None
    pieces: list[str] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)  # which of the pieces are tags that stood in the text
    inner: int = 0  # elements that are open in it
    outermost: list[tuple[str, int, int]] = field(default_factory=list)  # elements in it: name, first and last piece
    named: str | None = None  # what an element in it says: a person's name, a source's title
    link: str | None = None  # where an element in it leads
    room: int = MarkupParams().max_html_chars  # characters; what comes after as many is not read by anyone

    def add(self, piece: str) -> None:
        """Adds to its text."""
        if self.room > 0:
            self.room -= len(piece)
            self.pieces.append(piece)

    def text(self) -> str:
        """What stood in it, tags as they were."""
        return "".join(self.pieces)

    def start_inner(self, tag: str, attributes: Mapping[str, str]) -> None:
        """A tag in a text that may hold markup."""
        if not self.inner and len(self.outermost) < 2:
            self.outermost.append((tag, len(self.pieces), len(self.pieces)))
        self.inner += 1
        if self.room > 0:
            shown = "".join(f" {name}={_quoted(value)}" for name, value in attributes.items())
            self._add_tag(f"<{tag.rpartition(':')[2]}{shown}>")

    def end_inner(self, tag: str) -> None:
        """Its end."""
        self.inner -= 1
        if not self.inner:
            name, first, _ = self.outermost[-1]
            self.outermost[-1] = (name, first, len(self.pieces))
        if self.room > 0:
            self._add_tag(f"</{tag.rpartition(':')[2]}>")

    def _add_tag(self, tag: str) -> None:
        self.tags.append(len(self.pieces))
        self.add(tag)

    def as_markup(self) -> str:
        """What stood in it as HTML, without the <div> that Atom asks for around XHTML."""
        tags = set(self.tags)
        pieces = [piece if place in tags else escape(piece) for place, piece in enumerate(self.pieces)]
        if len(self.outermost) == 1:
            name, first, last = self.outermost[0]
            around = pieces[:first] + pieces[last + 1 :]
            if name.rpartition(":")[2] == "div" and not "".join(around).strip():
                pieces = pieces[first + 1 : last]
        return "".join(pieces)


class EntryReader:
    """Takes the start, text and end of each element inside one entry; `finished` gives the entry.

    Tags are in lower case, with the usual prefix of their namespace; attributes likewise. `base` and `language` are
    those that hold where the entry begins.
    """

    def __init__(self, attributes: Mapping[str, str], *, is_atom: bool, base: str | None, language: str | None) -> None:
        self._is_atom = is_atom
        self._base = base_in(attributes, base)
        self._language = self._title_language = language_in(attributes, language)
        self._about = attributes.get("rdf:about", attributes.get("about"))
        self._open: list[_Open | None] = []  # None: an element that says nothing to us
        self._texts: dict[str, list[str]] = {}
        self._titles: list[RawText] = []
        self._descriptions: list[RawText] = []  # of RSS; these too go first
        self._summaries: list[RawText] = []
        self._contents: list[RawText] = []
        self._links: list[RawLink] = []
        self._links_of_rss: list[RawLink] = []  # these go before what other formats add
        self._authors: list[str] = []
        self._publisher: str | None = None
        self._publisher_url: str | None = None
        self._guid_is_link = True

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        around = self._open[-1] if self._open else None
        if around is None:
            self._open.append(self._opened(tag, attributes, self._base) if not self._open and tag in _KNOWN else None)
        elif around.name in _RICH:
            around.start_inner(tag, attributes)
            self._open.append(around)
        elif around.name in _INSIDE:
            known = tag in _INSIDE[around.name]
            self._open.append(self._opened(tag, attributes, around.base) if known else None)
        else:
            self._open.append(around)  # a stray tag in a date or the like

    def characters(self, text: str) -> None:
        """Text inside the innermost element."""
        if self._open and (innermost := self._open[-1]) is not None:
            innermost.add(text)

    def end(self, tag: str) -> None:
        """The innermost element ends."""
        ended = self._open.pop()
        if ended is None:
            return
        around = self._open[-1] if self._open else None
        if ended is not around:
            self._finish(ended, around)
        elif ended.name in _RICH:
            ended.end_inner(tag)

    def finished(self) -> RawEntry:
        """The entry as published."""
        summaries = [*self._descriptions, *self._summaries]
        summary = summaries[0] if summaries else None
        if summary is None and (text := self._first(*_OTHER_SUMMARIES)):
            summary = RawText(text, TextKind.HTML)
        return RawEntry(
            guid=self._first("guid", "id") or self._about,
            guid_is_link=self._guid_is_link,
            title=self._title(),
            links=(*self._links_of_rss, *self._links),
            original_link=self._first(*_ORIGINAL),
            published=self._all(*_PUBLISHED, *_DATED),
            updated=self._first(*_UPDATED),
            summary=summary,
            content=max((*summaries[1:], *self._contents), key=lambda text: len(text.value), default=None),
            author=(", ".join(self._authors) if self._is_atom else self._authors[-1]) if self._authors else None,
            publisher=self._publisher or self._first("news:source"),
            publisher_url=self._publisher_url,
            language=self._title_language,
        )

    def _all(self, *names: str) -> tuple[str, ...]:
        """The texts that are not blank, by the order of `names`."""
        return tuple(text for name in names if name in self._texts for text in self._texts[name] if text.strip())

    def _first(self, *names: str) -> str | None:
        return next(iter(self._all(*names)), None)

    def _title(self) -> RawText | None:
        if self._titles:
            return self._titles[0]
        text = self._first(*_OTHER_TITLES)
        return RawText(text, TextKind.GUESS) if text else None

    def _opened(self, tag: str, attributes: Mapping[str, str], base: str | None) -> _Open:
        if tag == "guid":
            self._guid_is_link = attributes.get("ispermalink", "true").strip().lower() != "false"
        elif tag == "title" and not self._open:
            self._title_language = language_in(attributes, self._language)
        return _Open(tag, attributes, base_in(attributes, base) if attributes else base)

    def _finish(self, ended: _Open, around: _Open | None) -> None:
        """Keeps what an element said. `around`: the one that it has its meaning in; None: the entry."""
        if ended.name == "link":
            self._finish_link(ended, around)
        elif around is not None and around.name != "media:group":
            around.named = ended.text().strip() or around.named
        elif ended.name in _RICH:
            self._finish_text(ended.name, self._rich_text(ended))
        elif ended.name in _PERSONS:
            written = ended.named or _without_email(ended.text().strip()[:_MAX_AUTHOR_CHARS])
            self._authors += [written] if written else []
        elif ended.name == "source":
            self._publisher = ended.text().strip() or ended.named or self._publisher
            self._publisher_url = ended.attributes.get("url") or ended.link or self._publisher_url
        elif len(texts := self._texts.setdefault(ended.name, [])) < _MOST_OF_ONE_NAME:
            texts.append(ended.text())

    def _finish_text(self, name: str, text: RawText) -> None:
        if not text.value:
            return
        if name == "title":
            self._titles.append(text)
        elif name in _CONTENTS:
            self._contents.append(text)
        elif name == "description" and not self._is_atom:
            self._descriptions.append(text)
        else:
            self._summaries.append(text)

    def _finish_link(self, link: _Open, source: _Open | None) -> None:
        """A link with an address: its attribute, or its text. One that is empty does not mean the document itself."""
        given = link.attributes
        href = given.get("url", given.get("uri", given.get("href")))
        href = link.text().strip() if href is None else href
        if not href.strip():
            return
        relation = given.get("rel", "alternate").lower().rpartition("/")[2]
        if source is None:
            links = self._links if given or self._is_atom else self._links_of_rss
            links.append(RawLink(href, relation, given.get("type", "").lower(), link.base))
        elif relation == "alternate":
            source.link = source.link or resolve(href, link.base) or href

    def _rich_text(self, ended: _Open) -> RawText:
        given = ended.attributes.get("type", "").strip().lower()
        is_html = "html" in given if given else ended.name in _HTML_UNLESS_TOLD
        is_xhtml = given in _XHTML or (not given and ended.name.endswith("body"))
        if is_xhtml or (self._is_atom and not is_html and ended.tags):
            return RawText(ended.as_markup().strip(), TextKind.HTML, ended.base)
        value = _decoded(ended.text(), ended.attributes, given).strip()
        if ended.tags or (self._is_atom and (is_html or (ended.name != "title" and _TAGGED.match(value)))):
            return RawText(value, TextKind.HTML, ended.base)
        return RawText(value, TextKind.PLAIN if self._is_atom else TextKind.GUESS, ended.base)


def base_in(attributes: Mapping[str, str], base: str | None) -> str | None:
    """The base of relative addresses in an element with these attributes."""
    given = attributes.get("xml:base", attributes.get("base"))
    return join_base(base, given) if given else base


def language_in(attributes: Mapping[str, str], language: str | None) -> str | None:
    """The language of an element with these attributes; an empty one takes away that of the elements around."""
    given = attributes.get("xml:lang", attributes.get("lang"))
    return language if given is None else given.replace("_", "-") or None


def _quoted(value: str) -> str:
    return '"' + escape(value, {'"': "&quot;"}) + '"'


def _decoded(text: str, attributes: Mapping[str, str], media_type: str) -> str:
    """The text of an element; Atom has some in base64."""
    other = "/" in media_type and not media_type.startswith("text/") and not media_type.endswith(("+xml", "/xml"))
    if not other and attributes.get("mode") != "base64":
        return text
    try:
        return base64.b64decode(text).decode()
    except ValueError:
        return "" if other else text


def _without_email(written: str) -> str:
    found = _EMAIL_AND_NAME.fullmatch(written) or _NAME_AND_EMAIL.fullmatch(written)
    return found[1] if found else written
