"""Reads broken feeds tag by tag and writes what they meant: an element ends where the next one of its kind begins.

A general parser that recovers from everything knows no feeds: of `<title>A<link>…` it makes a link inside a title.
Here the words of the formats are known, so a tag says what was left open before it.
"""

import html
import re
from collections import Counter
from itertools import islice, takewhile

_ROOTS = frozenset({"rss", "feed", "rdf", "rdf:rdf"})
_ENTRIES = frozenset({"item", "entry"})
_AROUND = dict.fromkeys(_ENTRIES, _ROOTS | {"channel", "items"}) | {"channel": _ROOTS | {"items"}}
_MOST_AROUND = 4  # of them one in another
_MOST_OPEN = 100  # elements one in another; those of feeds are five deep
_MOST_INLINE = 1_000  # elements one in another inside a text; the sanitiser stops at half of that
_MOST_TAGS = 1_000_000  # a feed of 30,000 entries has 300,000; what lies behind is left out, and costs no time
_ENTRY_START = re.compile(r".*<(?:item|entry)[\s>]", re.DOTALL | re.IGNORECASE)
# Elements that hold a text, nothing else; another of them, or an entry, ends one that was left open.
_TEXTS = frozenset({
    "title", "link", "guid", "id", "pubdate", "description", "summary", "content", "content:encoded", "comments",
    "category", "enclosure", "updated", "published", "modified", "issued", "created", "dc:title", "dc:date",
    "dc:creator", "dc:subject", "dc:description", "dc:identifier", "ttl", "language", "lastbuilddate", "generator",
    "copyright", "managingeditor", "webmaster", "docs", "name", "email", "uri", "itunes:summary", "itunes:author",
    "itunes:subtitle", "media:title", "media:description", "feedburner:origlink", "slash:comments", "wfw:commentrss",
    "author", "source",
})  # fmt: skip
_HOLDERS = frozenset({"author", "source", "contributor"})  # in Atom they hold elements
_MARKUP = frozenset({  # a stray end tag of these is left over from a text; any other ends the text it stands in
    "a", "abbr", "b", "blockquote", "br", "center", "code", "div", "em", "font", "h1", "h2", "h3", "h4", "i", "img",
    "li", "ol", "p", "pre", "q", "s", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "th", "tr", "u",
    "ul",
})  # fmt: skip
_TOKEN = re.compile(
    r"<!\[CDATA\[|<!--|<[?!][^<>]*>"
    r"|<(?P<end>/?)(?P<name>[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)"
    r"(?P<attributes>(?:[\s/](?>[^<>\"']|\"[^\"<]*\"|'[^'<]*'|[\"'])*+)?)>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([A-Za-z_][\w.:-]*)\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))")
_STRAY = re.compile(r"<|\]\]>|&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);)")
_ESCAPES = {"<": "&lt;", "]]>": "", "&": "&amp;"}


def mend(text: str, most_entries: int) -> str:
    """A well-formed feed of the tags in `text`, which is broken XML without DOCTYPE. Text before the root and after
    its end is left out, and so is what comes after `most_entries`; entries without a root get one."""
    return _Soup(text, most_entries).written()


class _Names:
    """Names of elements that are open, outermost first; each question costs the same however many they are."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._counts: Counter[str] = Counter()

    def __contains__(self, lower: str) -> bool:
        return self._counts[lower] > 0

    def append(self, name: str) -> None:
        """Opens one more."""
        self.names.append(name)
        self._counts[name.lower()] += 1

    def last(self, lower: str) -> int:
        """The place of the innermost of a name that is open; all inside of it is about to be cut."""
        return next(place for place in reversed(range(len(self.names))) if self.names[place].lower() == lower)

    def cut(self, depth: int) -> list[str]:
        """Takes away all from a place on; gives them innermost first."""
        if depth >= len(self.names):
            return []
        ended = self.names[depth:][::-1]
        del self.names[depth:]
        for name in ended:
            self._counts[name.lower()] -= 1
        return ended


class _Soup:
    """One pass over the tags; `_open` are the elements that are open in what is written, outermost first."""

    def __init__(self, text: str, most_entries: int) -> None:
        self._text = text
        self._entries_left = most_entries
        last = _ENTRY_START.match(text)
        self._last_entry = last.end() if last else 0
        self._out: list[str] = []
        self._found: dict[str, tuple[int, int]] = {}  # mark → searched from, found at
        self._open = _Names()
        self._inline = _Names()  # elements inside the text that is open, kept as text
        self._as_markup = False  # the text that is open has type xhtml: elements in it stay elements
        self._atom = False

    def written(self) -> str:
        place = 0
        opaque_to = 0
        for found in islice(_TOKEN.finditer(self._text), _MOST_TAGS):
            if found.start() < opaque_to:
                continue
            self._write_text(self._text[place : found.start()])
            place = found.end()
            if found[0] == "<![CDATA[":
                place = opaque_to = self._cdata(place)
            elif found[0] == "<!--":
                place = opaque_to = max(place, self._find("-->", place) + len("-->"))
            elif found["name"] is None:
                continue
            elif found["end"]:
                if not (found["name"].lower() in _ROOTS and place < self._last_entry):
                    self._end(found["name"], found[0])
            else:
                self._start(found["name"], found["attributes"], found[0])
            if self._entries_left < 0 or (self._out and not self._open.names and place > self._last_entry):
                break
        else:
            self._write_text(self._text[place:])
        self._close_to(0)
        return "".join(self._out)

    def _in_text(self) -> bool:
        return bool(self._open.names) and self._holds_text(self._open.names[-1].lower())

    def _holds_text(self, name: str) -> bool:
        return name in _TEXTS and not (self._atom and name in _HOLDERS)

    def _write_text(self, text: str) -> None:
        if self._open.names and text:
            self._out.append(_as_text(text))

    def _cdata(self, start: int) -> int:
        """Writes the section that begins at `start`; gives the place behind it."""
        end = self._find("]]>", start)
        behind = end + 3
        closing = self._find(f"</{self._open.names[-1]}", start) if self._in_text() else -1
        if closing >= 0 and (end < 0 or closing < self._find("<![CDATA[", start) < end):
            end = behind = closing  # left open; the next mark of an end belongs to another section
        if end < 0:
            end = behind = len(self._text)
        if self._open.names:
            self._out.append(html.escape(self._text[start:end].replace("<![CDATA[", ""), quote=False))
        return behind

    def _find(self, mark: str, start: int) -> int:
        """Where a mark stands next, or -1. Remembers what it found, so that no part is searched twice."""
        searched, found = self._found.get(mark, (start + 1, -1))
        if not (searched <= start and (found >= start or found == -1)):
            found = self._text.find(mark, start)
            self._found[mark] = (start, found)
        return found

    def _start(self, name: str, attributes: str, raw: str) -> None:
        lower = name.lower()
        alone = attributes.rstrip().endswith("/")
        if self._open.names and lower in _ROOTS:
            return  # a second document
        if not self._open.names and lower not in _ROOTS:
            if lower not in _ENTRIES and lower != "channel":
                return
            self._push("feed" if lower == "entry" else "rss", "")
        if lower in _ENTRIES or lower == "channel":
            self._leave_entry(lower)
            self._entries_left -= 1
        elif self._in_text():
            if self._belongs_to_text(lower):
                self._start_inline(name, attributes, raw, alone)
                return
            self._close_to(len(self._open.names) - 1)
        if alone:
            self._write_tag(name, attributes, alone)
        elif len(self._open.names) < _MOST_OPEN:
            self._push(name, attributes)

    def _belongs_to_text(self, lower: str) -> bool:
        if self._as_markup or not self._holds_text(lower):
            return True
        return bool(self._inline.names) and lower == self._open.names[-1].lower()

    def _start_inline(self, name: str, attributes: str, raw: str, alone: bool) -> None:
        if len(self._inline.names) >= _MOST_INLINE:
            return
        if not alone:
            self._inline.append(name)
        if self._as_markup:
            self._write_tag(name, attributes, alone)
        else:
            self._out.append(html.escape(raw, quote=False))

    def _leave_entry(self, lower: str) -> None:
        """Closes all that is open but what holds entries; a channel ends the one before."""
        around = takewhile(_AROUND[lower].__contains__, map(str.lower, self._open.names[:_MOST_AROUND]))
        self._close_to(sum(1 for _ in around))

    def _end(self, name: str, raw: str) -> None:
        lower = name.lower()
        if lower in self._inline:
            self._end_inline(self._inline.last(lower), raw)
        elif lower in self._open:
            self._close_to(self._open.last(lower))
        elif self._in_text() and lower not in _MARKUP:
            self._close_to(len(self._open.names) - 1)  # a slip in its name, or the end of something never begun

    def _end_inline(self, depth: int, raw: str) -> None:
        ended = self._inline.cut(depth)
        if self._as_markup:
            self._out.extend(f"</{name}>" for name in ended)
        else:
            self._out.append(html.escape(raw, quote=False))

    def _push(self, name: str, attributes: str) -> None:
        lower = name.lower()
        if not self._open.names:
            self._atom = lower == "feed"
        self._write_tag(name, attributes, alone=False)
        self._open.append(name)
        self._inline.cut(0)
        self._as_markup = self._holds_text(lower) and "xhtml" in attributes

    def _write_tag(self, name: str, attributes: str, alone: bool) -> None:
        given: dict[str, str] = {}
        for key, *values in _ATTRIBUTE.findall(attributes) if "=" in attributes else ():
            value = next((value for value in values if value), "")
            if value or not key.startswith("xmlns:"):
                given.setdefault(key, value)
        written = "".join(f' {key}="{_attribute(value)}"' for key, value in given.items())
        self._out.append(f"<{name}{written}{'/' if alone else ''}>")

    def _close_to(self, depth: int) -> None:
        if self._inline.names:
            inline = self._inline.cut(0)
            if self._as_markup:
                self._out.extend(f"</{name}>" for name in inline)
        self._as_markup = False
        self._out.extend([f"</{name}>" for name in self._open.cut(depth)])


def _as_text(text: str) -> str:
    """The text with what would be taken for markup escaped."""
    if "<" not in text and "&" not in text and "]]>" not in text:
        return text
    return _STRAY.sub(lambda m: _ESCAPES[m[0]], text)


def _attribute(value: str) -> str:
    return _as_text(value).replace('"', "&quot;")
