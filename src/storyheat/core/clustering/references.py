"""What an item points to outside itself: links and longer quotations. Two items share one only for a reason,
whatever their languages."""

import re
from collections.abc import Iterable

from storyheat.core.addresses.urls import host_of, identity_key
from storyheat.core.text.quantities import CJK

MAX_CHARS = 3000  # of a text that are looked through; own choice, twice what is read for words
MAX_REFERENCES = 40  # of one item; own choice, a page of links says nothing by each of them
QUOTED_WORDS = 5  # of a quotation in letters; shorter ones are names and turns of phrase
QUOTED_CHARACTERS = 12  # the same in Chinese, Japanese or Korean

_LINK = re.compile(r"https?://[^\s<>\"'“”‘’（）()\[\]{}，。、；]+", re.IGNORECASE)
_HREF = re.compile(r"<a\s[^<>]*?href=\"(https?://[^\"<>]+)\"", re.IGNORECASE)
_QUOTED = re.compile(r"[“\"「『]([^“”\"「」『』\n]{12,400})[”\"」』]")
_WORDS = re.compile(r"\w+")
_CHARACTERS = re.compile(rf"[{CJK}]")
_DIGIT = re.compile(r"\d")
_LONG = 12  # letters of a path of one part that names an article; shorter ones are names of people and sections
_KEPT = 100  # letters of a quotation that tell it from others


def links_of(html: str) -> tuple[str, ...]:
    """The addresses that a sanitised text links to, in order."""
    return tuple(dict.fromkeys(link.replace("&amp;", "&") for link in _HREF.findall(html)))


def references(url: str | None, text: str, links: Iterable[str]) -> tuple[str, ...]:
    """What an item refers to, in one spelling each, at most MAX_REFERENCES: its own address, so that others meet it
    there; the links in its text and those given, to other hosts; and its longer quotations.
    """
    text = text[:MAX_CHARS]
    found: dict[str, None] = {}
    host = host_of(url)
    others = [link.rstrip(".,:;!?") for link in _LINK.findall(text)] if "://" in text else []
    for link in [url, *(one for one in (*links, *others) if host_of(one) != host)]:
        key = identity_key(link)
        if link and key and (link == url or _is_a_page(key)):
            found[f">{key}"] = None
    for quotation in _QUOTED.findall(text):
        words = _WORDS.findall(quotation.lower())
        if len(words) >= QUOTED_WORDS or len(_CHARACTERS.findall(quotation)) >= QUOTED_CHARACTERS:
            found['"' + " ".join(words)[:_KEPT]] = None
    return tuple(found)[:MAX_REFERENCES]


def _is_a_page(key: str) -> bool:
    """Whether an address is that of something in a site, not of the site or of somebody's profile in it."""
    segments = key.partition("?")[0].split("/")[1:]
    return len(segments) > 1 or any(len(one) >= _LONG or _DIGIT.search(one) for one in segments)
