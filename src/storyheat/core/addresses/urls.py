"""Addresses: resolving, the canonical form of an article's address, and the key that compares two of them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import SplitResult, parse_qsl, urljoin, urlsplit, urlunsplit

from w3lib.url import safe_url_string

from storyheat.core.addresses.trackers import is_tracker, without_trackers

_REMEMBERED = 2048  # addresses; each is asked for several times while its entry is read
_DEFAULT_PORTS = {"http": 80, "https": 443}
_TWICE = re.compile(r"^https?:/*(?=https?:/)", re.IGNORECASE)  # http://https://host
_SLIP = re.compile(r"^(https?)(?::[/\\]*|[/\\]{2})(?=[^/\\?#]+\.)", re.IGNORECASE)  # http:/host, http//host
_WITHOUT_SCHEME = re.compile(r"^www\.[^/\s?#]+\.[^/\s?#.]{2,}(?:[/?#]|$)", re.IGNORECASE)
_LOGIN = re.compile(r"//[^/?#\s]*@")
_BLANKS = re.compile(r"[\t\r\n]+")
_PERCENT = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")
# What nearly all addresses are: nothing in them is spelled in more than one way, mended or quoted.
_ORDINARY = re.compile(
    r"(https?://(?!https?:)((?:(?!xn--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,6}[a-z]{2,63}))"
    r"(/[A-Za-z0-9._~/-]*)?(?:\?([A-Za-z0-9._~=&-]*))?",
    re.ASCII,
)
_INDEX_PAGE = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?|jsp)$", re.IGNORECASE)
_ESCAPED_AGAIN = re.compile(r"&(?:(?:amp|#0*38|#x0*26);)+", re.IGNORECASE)
_MARKED_AGAIN = re.compile(r"\?(?=utm_|fbclid=|gclid=)", re.IGNORECASE)  # /a?id=5?utm_source=x
_SWALLOWED = re.compile(r"%26(?:amp%3B)?([\w.]+)%3D[^&%]*(?:%(?!26)[^&%]*)*", re.IGNORECASE)  # ?id=5%26utm_source%3Dx
_SESSION_PATH = re.compile(r"(?:;|%3B)(?:jsessionid|phpsessid|sessionid|sid)(?:=|%3D)[^/;]*", re.IGNORECASE)
_SESSION_SEGMENT = re.compile(r"/\((?:[A-Z]\([A-Za-z0-9_-]{16,}\))+\)(?=/|$)")  # ASP.NET without cookies
_AMP_PROXY_PATH = re.compile(r"^/(?:amp|[cvrwi])/(s/)?([^/]+\.[^/]+)(/.*)?$")


@dataclass(frozen=True, slots=True)
class UrlParams:
    """What the comparison of addresses folds."""

    max_length: int = 4000  # characters; longer "addresses" are text that slipped in (longest real one: 1,931)
    mobile_labels: frozenset[str] = field(default_factory=lambda: frozenset({"www", "m", "mobile", "amp", "wap"}))


DEFAULT_PARAMS = UrlParams()


class _Unwrap(NamedTuple):
    """A redirecting address that carries its target in a query parameter."""

    host: str
    path: str
    parameters: tuple[str, ...]


_UNWRAP = (
    _Unwrap("google.com", "/url", ("url", "q")),
    _Unwrap("bing.com", "/news/apiclick.aspx", ("url",)),
    _Unwrap("l.facebook.com", "/l.php", ("u",)),
    _Unwrap("out.reddit.com", "/", ("url",)),
)
_CARRIERS = ("ampproject.org", "google.com", *(known.host for known in _UNWRAP))


@lru_cache(maxsize=_REMEMBERED)
def resolve(link: str | None, base: str | None) -> str | None:
    """The absolute http(s) address of `link` seen from `base`, spelled as published; None if there is none.

    An empty link is no link: it does not mean the document itself. `javascript:`, `data:`, `tag:` and
    every other scheme give None, and so does a relative link without a base.
    """
    text = _BLANKS.sub("", (link or "").strip())
    if not text or len(text) > DEFAULT_PARAMS.max_length:
        return None
    if _ordinary(text):
        return text
    text = mended(text)
    try:
        absolute = text if _SCHEME.match(text) else urljoin(base or "", text)
        parts = urlsplit(absolute)
        if parts.scheme not in _DEFAULT_PORTS or not _plausible_host(parts.hostname):
            return None
        safe_url_string(absolute)  # what cannot be asked for is no address
    except ValueError:
        return None
    return absolute


def mended(link: str) -> str:
    """The link with its scheme as it was meant: `http:/host`, `http//host`, `http://https://host`, `www.host.example`.

    Taken as written these would be pages of the feed's own site.
    """
    link = _SLIP.sub(lambda m: f"{m[1]}://", _TWICE.sub("", link.strip()))
    return f"https://{link}" if _WITHOUT_SCHEME.match(link) else link


def is_relative(link: str) -> bool:
    """Whether `link` needs a base to mean anything."""
    return bool(link.strip()) and not _SCHEME.match(link.strip())


def join_base(base: str | None, inner: str | None) -> str | None:
    """The base that holds inside an element with `xml:base` = `inner`; the outer one if that is unusable."""
    return resolve(inner, base) or base


@lru_cache(maxsize=_REMEMBERED)
def canonical_url(url: str | None) -> str | None:
    """The address an article is known by: the scheme as published, the rest in one spelling.

    Host in lower case and A-labels, no default port, no user, no fragment (but `#!…`), no `.` and `..`, no
    tracking parameters or sessions, the others in their order, upper-case percent escapes; addresses of caches
    and counting redirects give the address they carry. None for everything that is not http(s).
    """
    ordinary = _ordinary(url)
    if ordinary and not ordinary[2].endswith(_CARRIERS) and "/." not in (ordinary[3] or ""):
        kept = without_trackers(ordinary[4] or "", ordinary[2])
        return ordinary[1] + (ordinary[3] or "/") + (f"?{kept}" if kept else "")
    absolute = resolve(url, None)
    while absolute and (carried := _carried_address(absolute)):  # each is shorter than the one around it
        absolute = carried
    if absolute is None:
        return None
    parts = urlsplit(safe_url_string(_ESCAPED_AGAIN.sub("&", absolute)))
    host = _host_and_port(parts)
    query = _SWALLOWED.sub(_without_swallowed, _MARKED_AGAIN.sub("&", _PERCENT.sub(_tidy_escape, parts.query)))
    fragment = parts.fragment if parts.fragment.startswith("!") else ""
    path = _SESSION_SEGMENT.sub("", _SESSION_PATH.sub("", _PERCENT.sub(_tidy_escape, parts.path)))
    kept = without_trackers(query, parts.hostname or "")
    return urlunsplit((parts.scheme, host, without_dots(path), kept, fragment))


def identity_key(url: str | None, params: UrlParams = DEFAULT_PARAMS) -> str | None:
    """A text that is equal for two addresses of one article; it is for comparing, not for fetching.

    Folds what `canonical_url` leaves: scheme, `www.` and mobile or AMP hosts, AMP path marks and
    parameters, a trailing slash or index page. None where there is no canonical address.
    """
    canonical = canonical_url(url)
    if canonical is None:
        return None
    parts = urlsplit(canonical)
    labels = parts.netloc.split(".")
    while len(labels) > 2 and labels[0] in params.mobile_labels:
        labels = labels[1:]
    if labels[-2:] == ["wikipedia", "org"]:
        labels = [label for label in labels if label != "m"]
    path = _INDEX_PAGE.sub("/", _without_amp(parts.path)).rstrip("/")
    pairs = [pair for pair in parts.query.split("&") if pair and not _is_amp_parameter(pair)]
    fragment = f"#{parts.fragment}" if parts.fragment else ""
    return ".".join(labels) + path + ("?" + "&".join(pairs) if pairs else "") + fragment


def feed_address(text: str | None) -> str | None:
    """The address of a feed to follow as it is asked for: A-labels, percent escapes; None if it is none.

    `feed://host/…` means http, as it always did; `feed:https://…` means what follows. What no server is sent goes: the
    fragment, `.` and `..`, a default port. Nothing else is tidied: to a server of feeds each parameter may matter.
    An address with a control character in it is none.
    """
    text = without_feed_scheme((text or "").strip())
    absolute = resolve(text, None) if text.isprintable() else None
    if absolute is None:
        return None
    parts = urlsplit(safe_url_string(absolute))
    login = "".join(parts.netloc.rpartition("@")[:2])
    path = parts.path and without_dots(parts.path)
    return urlunsplit((parts.scheme, login + _host_and_port(parts), path, parts.query, ""))


def without_feed_scheme(text: str) -> str:
    """`feed://host/…` as http, `feed:https://…` as what follows; everything else as it is."""
    scheme, colon, rest = text.partition(":")
    if not colon or scheme.lower() != "feed":
        return text
    return f"http:{rest}" if rest.startswith("//") else rest


def feed_link(link: str, base: str | None) -> str | None:
    """The address of a feed that a page at `base` links to; None if it is none."""
    return feed_address(resolve(without_feed_scheme(link.strip()), base))


def same_request(address: str) -> str:
    """A text that is equal for two spellings of one address that ask a server, with one login, for the same."""
    spelled = feed_address(address) or address
    parts = urlsplit(spelled)
    return f"{parts.scheme} {parts.netloc.rpartition('@')[0]} {feed_key(spelled)}"


def feed_key(address: str) -> str:
    """A text that is equal for two spellings of one feed's address; http and https are one, a login is left out.

    Takes what `feed_address` gives.
    """
    parts = urlsplit(address)
    path = without_dots(_PERCENT.sub(_tidy_escape, parts.path))
    query = f"?{_PERCENT.sub(_tidy_escape, parts.query)}" if parts.query else ""
    return _host_and_port(parts).lower() + path + query


def without_login(address: str) -> str:
    """An address that `resolve` took, as it may be given to others: without the user and password in it."""
    if "@" not in address:
        return address
    place = urlsplit(address).netloc
    return address.replace(place, place.rpartition("@")[2], 1)


def article_address(
    url: str | None, told: Iterable[str | None], params: UrlParams = DEFAULT_PARAMS
) -> tuple[str | None, str | None]:
    """The address that the page at `url` gives for its article: (on its own site, on another site).

    `told` are the absolute addresses that it names, the surest first. A front page is no article's address, unless
    the page itself is one. An address of another site says where the text was taken from; it does not make the
    two pages one.
    """
    for named in told:
        address = canonical_url(named)
        if address is None or (is_front_page(address) and not (url and is_front_page(url))):
            continue
        if url is None or _same_site(address, url, params):
            return address, None
        return None, address
    return None, None


def is_front_page(url: str) -> bool:
    """Whether an address is that of a whole site, not of something in it."""
    parts = urlsplit(url)
    return not _INDEX_PAGE.sub("/", parts.path).strip("/") and not parts.query


def _same_site(one: str, two: str, params: UrlParams) -> bool:
    """Whether two addresses are of one host, or of hosts of which one lies within the other."""
    first, second = (_bare_host(url, params) for url in (one, two))
    return _within(first, second) or _within(second, first)


def _bare_host(url: str, params: UrlParams) -> str:
    labels = (urlsplit(url).hostname or "").split(".")
    while len(labels) > 2 and labels[0] in params.mobile_labels:
        labels = labels[1:]
    return ".".join(labels)


def without_credentials(url: str) -> str:
    """`url` as it may be shown: the user and password in it, if any, replaced by `…`."""
    return _LOGIN.sub("//…@", url)


@lru_cache(maxsize=_REMEMBERED)
def host_of(url: str | None) -> str | None:
    """The host of an http(s) address in lower case without `www.`, or None."""
    if ordinary := _ordinary(url):
        return ordinary[2].removeprefix("www.")
    absolute = resolve(url, None)
    host = urlsplit(absolute).hostname if absolute else None
    return host.removeprefix("www.") if host else None


def _ordinary(url: str | None) -> re.Match[str] | None:
    return _ORDINARY.fullmatch(url) if url and len(url) <= DEFAULT_PARAMS.max_length else None


def _plausible_host(host: str | None) -> bool:
    return bool(host) and not re.search(r"[\s<>\"'\\^`{}|%]", host or "")


def _host_and_port(parts: SplitResult) -> str:
    host = (parts.hostname or "").rstrip(".")
    host = f"[{host}]" if ":" in host else host
    if parts.port is None or parts.port == _DEFAULT_PORTS[parts.scheme]:
        return host
    return f"{host}:{parts.port}"


def _tidy_escape(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def without_dots(path: str) -> str:
    """A path without its `.` and `..` (RFC 3986, 5.2.4); `/` for an empty one. Double slashes stay: servers differ."""
    if "/." not in path:
        return path or "/"
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return "/" + "/".join(kept) + ("/" if segments[-1] in (".", "..") and kept else "")


def _without_swallowed(match: re.Match[str]) -> str:
    return "" if is_tracker(match[1]) else match[0]


def _within(host: str, site: str) -> bool:
    return host == site or host.endswith("." + site)


def _carried_address(url: str) -> str | None:
    """The address that a cache's or a counting redirect's address carries."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if not host.endswith(_CARRIERS):
        return None
    if _within(host, "cdn.ampproject.org") or (_within(host, "google.com") and parts.path.startswith("/amp/")):
        found = _AMP_PROXY_PATH.match(parts.path)
        if found:
            scheme = "https" if found[1] else "http"
            query = f"?{parts.query}" if parts.query else ""
            return resolve(f"{scheme}://{found[2]}{found[3] or '/'}{query}", None)
    for known in _UNWRAP:
        if _within(host, known.host) and parts.path == known.path:
            values = dict(parse_qsl(parts.query))
            targets = (resolve(values.get(name), None) for name in known.parameters)
            return next((target for target in targets if target), None)
    return None


def _without_amp(path: str) -> str:
    segments = path.split("/")
    if len(segments) > 2 and segments[1] == "amp" and any(segments[2:]):
        segments = segments[:1] + segments[2:]
    while segments and not segments[-1]:
        segments.pop()
    if len(segments) > 2 and segments[-1] == "amp":
        segments.pop()
    path = "/".join(segments)
    return re.sub(r"\.amp(?=(?:\.html?)?$)", "", path)


def _is_amp_parameter(pair: str) -> bool:
    name, _, value = pair.lower().partition("=")
    return (name == "amp" and value in ("", "1", "true")) or (name in ("outputtype", "output") and value == "amp")
