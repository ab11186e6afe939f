"""Reads a page as a browser and a screen reader would: its tree, its ids, its headings, what it loads."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import pairwise

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}


@dataclass
class Element:
    """One element with its attributes and what stands in it."""

    tag: str
    attributes: dict[str, str | None]
    parent: "Element | None"
    parts: list["Element | str"] = field(default_factory=list)  # in the order of the page

    @property
    def children(self) -> list["Element"]:
        """The elements right inside."""
        return [part for part in self.parts if isinstance(part, Element)]

    def walk(self) -> Iterator["Element"]:
        """This element and all inside it, in the order of the page."""
        yield self
        for child in self.children:
            yield from child.walk()

    @property
    def text(self) -> str:
        """All text inside, with single blanks."""
        return " ".join("".join(self._pieces()).split())

    def _pieces(self) -> Iterator[str]:
        for part in self.parts:
            yield from (part,) if isinstance(part, str) else part._pieces()

    def all(self, tag: str, **attributes: str) -> list["Element"]:
        """The elements of a kind inside, with these attributes (`class_` for class)."""
        wanted = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
        return [
            one
            for one in self.walk()
            if one.tag == tag
            and all(
                value in (one.attributes.get(name) or "").split()
                if name == "class"
                else one.attributes.get(name) == value
                for name, value in wanted.items()
            )
        ]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("#document", {}, None)
        self.at = self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len({name for name, _ in attrs}) == len(attrs), f"<{tag}> has an attribute twice: {attrs}"
        made = Element(tag, dict(attrs), self.at)
        self.at.parts.append(made)
        if tag not in VOID:
            self.at = made

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.at.tag == tag, f"</{tag}> inside <{self.at.tag}>, line {self.getpos()[0]}"
        assert self.at.parent is not None
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.parts.append(data)


def read(page: str) -> Element:
    """The tree of a page; every element is closed where it was opened."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert reader.at is reader.root, f"<{reader.at.tag}> is never closed"
    return reader.root


def complaints(root: Element) -> Iterator[str]:
    """What is wrong with the structure of a page."""
    every = list(root.walk())
    ids = [one.attributes["id"] for one in every if "id" in one.attributes]
    yield from (f"id {name} stands twice" for name in sorted({str(one) for one in ids}) if ids.count(name) > 1)
    levels = [int(one.tag[1]) for one in every if one.tag in {"h1", "h2", "h3", "h4", "h5", "h6"}]
    if levels.count(1) != 1 or levels[0] != 1:
        yield f"headings {levels}: there must be one h1, the first"
    yield from (f"h{a} is followed by h{b}" for a, b in pairwise(levels) if b > a + 1)
    for one in every:
        for name in ("aria-labelledby", "aria-describedby", "for"):
            if name in one.attributes and one.attributes[name] not in ids:
                yield f"{name}={one.attributes[name]} leads nowhere"
        href = one.attributes.get("href") or ""
        if href.startswith("#") and href[1:] not in ids:
            yield f"{href} leads nowhere"
        if one.tag == "a" and not (one.text or one.attributes.get("aria-label")):
            yield f"a link without words to {href}"
        if one.tag == "input" and one.attributes.get("type") != "hidden" and not _labelled(one, every):
            yield f"input {one.attributes.get('name')} has no label"
        if one.tag in {"ul", "ol"} and any(child.tag != "li" for child in one.children):
            yield f"<{one.tag}> holds more than <li>"
        if one.tag == "dl" and any(child.tag not in {"div", "dt", "dd"} for child in one.children):
            yield "<dl> holds more than <div>, <dt> and <dd>"


def _labelled(one: Element, every: list[Element]) -> bool:
    at: Element | None = one
    while at is not None:
        if at.tag == "label":
            return True
        at = at.parent
    return any(other.tag == "label" and other.attributes.get("for") == one.attributes.get("id") for other in every)


def unsafe(root: Element) -> Iterator[str]:
    """What a strict policy would refuse, or what leads where no link should."""
    for one in root.walk():
        yield from (f"<{one.tag} {name}>" for name in one.attributes if name == "style" or name.startswith("on"))
        if one.tag == "style" or (one.tag == "script" and (one.parts or "src" not in one.attributes)):
            yield f"inline <{one.tag}>"
        if one.tag in {"iframe", "object", "embed", "img", "video", "audio", "base"} or "http-equiv" in one.attributes:
            yield f"<{one.tag}>"
        loads = "src" if one.tag == "script" else "href" if one.tag == "link" else None
        if loads and not (one.attributes.get(loads) or "").startswith("/"):
            yield f"<{one.tag}> loads {one.attributes.get(loads)}"
        href = one.attributes.get("href") or ""
        if one.tag == "a" and not href.startswith(("/", "#")):
            if not href.startswith(("http://", "https://")):
                yield f"a link to {href}"
            elif one.attributes.get("rel") != "noopener nofollow ugc":
                yield f"a link to {href} without its rel"
