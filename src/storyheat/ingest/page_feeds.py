"""Finds the feeds that a web page names (autodiscovery)."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from bs4 import Tag

from storyheat.core.addresses.urls import feed_link, identity_key
from storyheat.core.model import Url
from storyheat.core.text.markup import one_line
from storyheat.ingest.page import Page, attribute, page_text, read_page, words_of


@dataclass(frozen=True, slots=True)
class FoundFeed:
    """A feed as a page names it. `type` is its media type; "" where only the address tells."""

    url: Url
    title: str
    type: str


@dataclass(frozen=True, slots=True)
class DiscoveryParams:
    """Bounds on what one page may name."""

    max_feeds: int = 50  # a portal with a feed a section names about 30
    max_title_chars: int = 200
    max_links: int = 500  # in head and body that are looked at closely


DEFAULT_PARAMS = DiscoveryParams()

_FEED_TYPES = frozenset(
    {
        "application/rss+xml",
        "application/atom+xml",
        "application/rdf+xml",
        "application/feed+json",
        "application/x.atom+xml",
        "application/x-atom+xml",
        "text/rss+xml",
        "text/atom+xml",
    }
)
_SHARED_TYPES = frozenset({"application/xml", "text/xml", "application/json"})  # of feeds, and of much else
_FEED_PATH = re.compile(
    r"(?:^|[/._-])(?:rss|atom|feeds?|rdf)(?:\d|[./_-]|$)|\.(?:rss|atom|rdf)$|feed\.json$|^/?index\.xml$|/index\.xml$",
    re.IGNORECASE,
)
_FEED_QUERY = re.compile(r"(?:^|&)(?:feed|format|type|output|alt)=(?:rss2?|atom|feed|rdf)(?:&|$)", re.IGNORECASE)
_FEED_WORDS = re.compile(
    r"(?<![^\W_])(?:rss|atom|web ?feed|news ?feed|flux rss|rss订阅|订阅rss)(?![^\W_])", re.IGNORECASE
)
_OEMBED = re.compile(r"oembed|wp-json|opensearch|manifest|sitemap", re.IGNORECASE)


def discover(html: bytes | str, url: str, params: DiscoveryParams = DEFAULT_PARAMS) -> list[FoundFeed]:
    """The feeds that the page at `url` names, in its order, each address once.

    Those declared by `<link rel="alternate">` hold; only a page that declares none is searched for links that
    look like feeds, which must be tried before they are believed. Total for any page; an address may still be
    one that is never asked (the fetcher's guard decides).
    """
    page = read_page(page_text(html), url)
    found = _declared(page, params) or _linked(page, url, params)
    unique: dict[str, FoundFeed] = {}
    for feed in found:
        unique.setdefault(identity_key(feed.url) or feed.url, feed)
    return list(unique.values())[: params.max_feeds]


def _declared(page: Page, params: DiscoveryParams) -> list[FoundFeed]:
    found = []
    for link in page.soup.find_all("link", href=True, limit=params.max_links):
        relations = attribute(link, "rel").lower().split()
        media_type = attribute(link, "type").partition(";")[0].strip().lower()
        address = feed_link(attribute(link, "href"), page.base)
        if address is None or "stylesheet" in relations:
            continue
        named = "alternate" in relations and _is_feed_type(media_type, address)
        if named or "feed" in relations:
            found.append(_feed(address, attribute(link, "title"), media_type, params))
    return found


def _is_feed_type(media_type: str, address: str) -> bool:
    if media_type in _FEED_TYPES:
        return True
    return media_type in _SHARED_TYPES and not _OEMBED.search(address)


def _linked(page: Page, url: str, params: DiscoveryParams) -> list[FoundFeed]:
    """Links in the body whose address looks like a feed, those whose words say so first."""
    here = identity_key(url)
    sure: list[FoundFeed] = []
    likely: list[FoundFeed] = []
    links = [link for link in page.soup.find_all("a", href=True) if _looks_like_feed(attribute(link, "href"))]
    for link in links[: params.max_links]:
        address = feed_link(attribute(link, "href"), page.base)
        if address is None or identity_key(address) == here:
            continue
        media_type = attribute(link, "type").partition(";")[0].strip().lower()
        called_feed = attribute(link, "href").strip().lower().startswith("feed:")
        says = called_feed or media_type in _FEED_TYPES or _FEED_WORDS.search(_words(link))
        (sure if says else likely).append(
            _feed(address, attribute(link, "title") or words_of(link), media_type, params)
        )
    return sure + likely


def _looks_like_feed(href: str) -> bool:
    try:
        parts = urlsplit(href)
    except ValueError:
        return False
    if parts.scheme == "feed":
        return True
    if parts.fragment or _OEMBED.search(parts.path):
        return False
    return bool(_FEED_PATH.search(parts.path) or _FEED_QUERY.search(parts.query))


def _words(link: Tag) -> str:
    image = link.find("img", alt=True)
    inner = attribute(image, "alt") if image else ""
    return " ".join((words_of(link), attribute(link, "title"), attribute(link, "class"), inner))


def _feed(address: str, title: str, media_type: str, params: DiscoveryParams) -> FoundFeed:
    return FoundFeed(Url(address), one_line(title)[: params.max_title_chars], media_type)
