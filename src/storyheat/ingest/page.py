"""A web page as a tree of bounded size, and the small questions that are asked of it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PageElement

from storyheat.core.addresses.urls import join_base, resolve
from storyheat.core.text.markup import one_line
from storyheat.ingest.charset import decode


@dataclass(frozen=True, slots=True)
class PageParams:
    """How much of a page is read. Real pages of 1.5 million characters have 2,500 tags; builders of bombs, more."""

    max_chars: int = 3_000_000  # what lies behind is cut off
    max_tags: int = 50_000  # so many cost about 0.7 s and 80 MB
    max_attributes: int = 150_000  # guessed by "=" signs inside tags
    max_depth: int = 512  # of nested elements, as in browsers; what lies deeper is left out
    max_json_chars: int = 500_000  # of one JSON-LD script; the longest real one has 60,000
    max_json_objects: int = 5_000  # in all scripts of a page


DEFAULT_PARAMS = PageParams()

_WITHIN_WORDS = frozenset({"a", "abbr", "b", "em", "font", "i", "mark", "small", "strong", "sub", "sup", "u", "wbr"})
_TAG = re.compile(r"<[a-zA-Z/!][^<>]*")
_JSON_LD = re.compile(r"application/ld\+json", re.IGNORECASE)
_CONTEXT = re.compile(r"\s*[{\[]\s*(?:\{\s*)?\"@context\"")
_CONTROLS = re.compile(r"[\x00-\x1f]+")  # raw line ends inside JSON texts


@dataclass(frozen=True, slots=True)
class Page:
    """A page as read: its tree, the base of its relative addresses, and what was left out."""

    soup: BeautifulSoup
    base: str | None
    remarks: tuple[str, ...] = ()


def page_text(body: bytes | str, content_type: str | None = None) -> str:
    """The text of a page; of bytes by the encoding that they, the page or the header show."""
    return body if isinstance(body, str) else decode(body, content_type).text


def read_page(text: str, url: str | None, params: PageParams = DEFAULT_PARAMS) -> Page:
    """The tree of a decoded page, bounded in size, with the base of its links (`<base href>`, else `url`).

    Total for any text: of what is too large the beginning is read, and a remark says so.
    """
    shown = bounded(text, params)
    remarks: tuple[str, ...] = ()
    if len(shown) < len(text):
        remarks = ("the page is very large; only its beginning was read",)
    # libxml2 ends in linear time on input that takes html.parser minutes ("<!--" again and again). To browsers
    # "<?" begins a comment; to bs4 it is a sign of XML, which it warns of.
    soup = BeautifulSoup(shown.replace("<?", "<!"), "lxml")
    if _prune(soup, params.max_depth):
        remarks = (*remarks, "the page nests its elements without end; the innermost were left out")
    base = soup.find("base", href=True)
    return Page(soup, join_base(resolve(url, None), attribute(base, "href") if base else None), remarks)


def bounded(text: str, params: PageParams = DEFAULT_PARAMS) -> str:
    """The text, or its beginning where it has more characters, tags or attributes than are read."""
    text = text[: params.max_chars].encode("utf-8", "replace").decode()  # half surrogates end libxml2
    if text.count("<") <= params.max_tags and text.count("=") <= params.max_attributes:
        return text
    attributes = 0
    for number, tag in enumerate(_TAG.finditer(text), start=1):
        attributes += tag[0].count("=")
        if number > params.max_tags or attributes > params.max_attributes:
            return text[: tag.start()]
    return text


def _prune(soup: BeautifulSoup, max_depth: int) -> bool:
    """Empties the elements at the greatest depth allowed; whether there were any."""
    level: list[Tag] = [soup]
    for _ in range(max_depth):
        level = [child for tag in level for child in tag.children if isinstance(child, Tag)]
        if not level:
            return False
    for tag in level:
        tag.clear()
    return True


def attribute(tag: Tag, name: str) -> str:
    """An attribute's value without blanks around it; "" where there is none."""
    value = tag.get(name)
    return (value if isinstance(value, str) else " ".join(value or ())).strip()


def words_of(tag: Tag) -> str:
    """The text of an element on one line, without scripts and styles; a blank where an element may stand apart."""
    pieces: list[str] = []
    for node in tag.descendants:
        if _stands_apart(node) or _stands_apart(node.previous_sibling):
            pieces.append(" ")
        if type(node) is NavigableString:
            pieces.append(node)
    return one_line("".join(pieces))


def _stands_apart(node: PageElement | None) -> bool:
    return isinstance(node, Tag) and node.name not in _WITHIN_WORDS


def json_ld(page: Page, params: PageParams = DEFAULT_PARAMS) -> list[dict[str, Any]]:
    """Every object in the JSON-LD scripts of a page, nested ones after the one around them.

    Broken scripts are left out.
    """
    found: list[dict[str, Any]] = []
    for script in _json_ld_scripts(page):
        for thing in _objects(_json(script, params)):
            if len(found) >= params.max_json_objects:
                return found
            found.append(thing)
    return found


def _json_ld_scripts(page: Page) -> Iterator[str]:
    """What stands in the scripts that are JSON-LD, by their type or, where they name none, by how they begin."""
    for script in page.soup.find_all("script"):
        text = script.get_text()
        if _JSON_LD.fullmatch(attribute(script, "type")) or (not script.has_attr("type") and _CONTEXT.match(text)):
            yield text


def broken_json_ld_texts(page: Page, name: str, params: PageParams = DEFAULT_PARAMS) -> list[str]:
    """What `name` says in the JSON-LD scripts that are no JSON, if it says but one thing in all of them."""
    scripts = (script[: params.max_json_chars] for script in _json_ld_scripts(page))
    broken = [text for text in scripts if text.strip() and _json(text, params) is None]
    found = {value for text in broken for value in re.findall(rf'"{re.escape(name)}"\s*:\s*"([^"]{{1,100}})"', text)}
    return sorted(found) if len(found) == 1 else []


def _json(text: str, params: PageParams) -> object:
    text = text.strip().removeprefix("<![CDATA[").removesuffix("]]>").strip().rstrip(";")
    if len(text) > params.max_json_chars:
        return None
    try:
        return json.loads(_CONTROLS.sub(" ", text))
    except (ValueError, RecursionError):
        return None


def _objects(root: object) -> Iterator[dict[str, Any]]:
    waiting = [root]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield value
            waiting.extend(reversed(list(value.values())))
        elif isinstance(value, list):
            waiting.extend(reversed(value))


def types_of(thing: dict[str, Any]) -> frozenset[str]:
    """The schema.org types of a JSON-LD object, without the vocabulary's address."""
    named = thing.get("@type")
    names = named if isinstance(named, list) else [named]
    return frozenset(name.rpartition("/")[2] for name in names if isinstance(name, str))
