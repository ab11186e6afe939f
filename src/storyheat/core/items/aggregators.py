"""What feeds of links say: the publisher behind an item, the article's own address, and no more text than its own.

The rule for whose voice an item is stands in docs/configuration.md; here is only read what an entry says.
"""

import base64
import binascii
import re
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import urlsplit

from storyheat.core.addresses.urls import host_of, resolve
from storyheat.core.model import Entry
from storyheat.core.text.markup import unescaped

_GOOGLE_NEWS = "news.google.com"
_LOBSTERS = "lobste.rs"
_TECHMEME = frozenset({"techmeme.com", "mediagazer.com", "memeorandum.com"})
_REDDIT = frozenset({"reddit.com", "redd.it", "redditmedia.com"})
_NO_ARTICLES = _REDDIT | {"imgur.com"}  # pictures and videos of a post
_SUFFIX = re.compile(r"(?P<title>.*\S)\s+[-–—|·_]\s+(?P<publisher>[^-–—|]{1,60})")  # the longest real name has 47
_IN_BRACKETS = re.compile(r"(?P<title>.*\S)\s+\((?:[^()/]+/\s*)?(?P<publisher>[^()/]{1,60})\)")
_LINK = re.compile(r"<a\s[^<>]*?href=[\"']([^\"'<>]+)[\"'][^<>]*>\s*\[link\]\s*</a>", re.IGNORECASE)
_GOOGLE_NEWS_PATH = re.compile(r"/articles/([\w-]{20,})$", re.ASCII)
_GOOGLE_NEWS_MARK = b"\x08\x13\x22"  # before the address, in the older ones; the newer are opaque
_REDDIT_TAIL = re.compile(
    r"\s*submitted by\s+\S+(?:\s+to\s+\S+)?\s*\[link\]\s*\[(?:\d+\s+)?comments?\]\s*\Z", re.IGNORECASE
)
_HACKER_NEWS_TAIL = re.compile(  # of hnrss.org
    r"\s*(?:^Article URL: \S+\s*)?^Comments URL: \S+\s*(?:^Points: \d+\s*)?(?:^# Comments: \d+\s*)?\Z", re.MULTILINE
)


class Headline(NamedTuple):
    """A title without the name of its publisher, and that name, if the entry gives one anywhere."""

    title: str | None
    publisher: str | None


def headline(title: str | None, publisher: str | None, link: str | None) -> Headline:
    """Takes the publisher's name off a title that ends with it; where aggregators only put it there, finds it there.

    `publisher` is what the entry itself names, and is kept.
    """
    if not title:
        return Headline(title, publisher)
    host = host_of(link)
    found = (_IN_BRACKETS if host in _TECHMEME else _SUFFIX).fullmatch(title)
    if publisher:
        ending = re.compile(rf"(.*\S)\s+[-–—|·_]\s+{re.escape(publisher)}", re.IGNORECASE).fullmatch(title)
        return Headline(ending[1] if ending else title, publisher)
    if found and (host == _GOOGLE_NEWS or host in _TECHMEME):
        return Headline(found["title"], found["publisher"])
    return Headline(title, None)


def relayed(entry: Entry) -> Entry:
    """An entry of an aggregator as its publisher would give it: the title without the publisher's name."""
    return replace(entry, title=headline(entry.title, entry.publisher, entry.link).title)


def article_behind(link: str | None, content: str) -> str | None:
    """The address of the article that an aggregator's link or text leads to; None where it leads to none.

    A Reddit post that links to a page elsewhere stands for that page; older links of Google News carry it.
    """
    host = host_of(link)
    if link is None or host is None:
        return None
    if host == _GOOGLE_NEWS:
        return _in_google_news(link)
    if _is_of(host, _REDDIT) and (found := _LINK.search(content)):
        target = resolve(unescaped(found[1]), None)
        return None if _is_of(host_of(target) or "", _NO_ARTICLES) else target
    return None


def own_text(link: str | None, text: str) -> str:
    """The plain text of an entry without what an aggregator wrote around it: who sent it, its points and links."""
    if text == "Comments" or host_of(link) == _GOOGLE_NEWS:  # Hacker News, Lobsters; a list of other headlines
        return ""
    if host_of(link) == _LOBSTERS:
        return text.removesuffix("\nComments")
    if text.endswith("]"):
        return _REDDIT_TAIL.sub("", text)
    return _HACKER_NEWS_TAIL.sub("", text) if "Comments URL: " in text else text


def _is_of(host: str, sites: frozenset[str]) -> bool:
    return any(host == site or host.endswith("." + site) for site in sites)


def _in_google_news(link: str) -> str | None:
    found = _GOOGLE_NEWS_PATH.search(urlsplit(link).path)
    if not found:
        return None
    try:
        told = base64.urlsafe_b64decode(found[1] + "=" * (-len(found[1]) % 4))
    except binascii.Error:
        return None
    if not told.startswith(_GOOGLE_NEWS_MARK) or len(told) < 6:
        return None
    length, start = (told[3], 4) if told[3] < 128 else (told[3] - 128 + 128 * told[4], 5)
    return resolve(told[start : start + length].decode("ascii", "replace"), None)
