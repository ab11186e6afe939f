"""What a document is: a feed, JSON, a page, a challenge, or nothing of these."""

import re
from dataclasses import dataclass
from enum import StrEnum

from storyheat.core.model import FailureKind


class Kind(StrEnum):
    """What a document is."""

    XML_FEED = "xml_feed"
    JSON = "json"
    HTML = "html"
    CHALLENGE = "challenge"
    EMPTY = "empty"
    OTHER = "other"


FAILURES = {
    Kind.HTML: (FailureKind.HTML, "the address gives a web page, not a feed"),
    Kind.CHALLENGE: (FailureKind.CHALLENGE, "the site asks for a browser or a human (challenge page)"),
    Kind.EMPTY: (FailureKind.EMPTY, "the reply is empty"),
    Kind.OTHER: (FailureKind.NOT_A_FEED, "the reply is neither a feed nor a web page"),
}


@dataclass(frozen=True, slots=True)
class SniffParams:
    """How far the sniffer looks."""

    root_chars: int = 65_536  # where the root element may start; DOCTYPEs and PHP warnings stand before it
    page_chars: int = 200_000  # of a page, for the marks of a challenge


DEFAULT_PARAMS = SniffParams()


_PREAMBLE = re.compile(
    r"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^\[>]|\[.*?\]\s*(?=>))*>)*", re.DOTALL | re.IGNORECASE
)
_ROOT = re.compile(r"<(?:[\w.-]+:)?([A-Za-z][\w.-]*)")
_FEED_ROOTS = frozenset({"rss", "feed", "rdf", "channel", "item", "entry"})  # the last two: the root was lost
_FEED_START = re.compile(r"(?:<\?xml\s[^>]*>\s*)?<(?:rss|(?:rdf:)?RDF|feed|(?:atom:)?feed)(?=[\s>])")
_FEED_IN_PAGE = re.compile(r"<body[^<>]*>\s*(?=<(?:rss|feed)\s[^<>]*>)", re.IGNORECASE)  # saved by a browser
_PAGE_ROOTS = frozenset(
    {"html", "head", "body", "title", "meta", "script", "style", "div", "p", "table", "center", "h1"}
)
_PAGE_MARK = re.compile(r"<!doctype\s+html|<html[\s>]", re.IGNORECASE)
_CHALLENGE = re.compile(
    r"cdn-cgi/challenge-platform|__cf_chl_|cf-browser-verification|"
    r"<title>\s*(?:just a moment|attention required|ddos-guard|access denied|pardon our interruption|"
    r"please wait|human verification|one more step|security check|you are being redirected|"
    r"checking your browser|are you a robot|robot check)|"
    r"g-recaptcha|hcaptcha\.com/1/api|_Incapsula_Resource|captcha-delivery\.com|px-captcha|aws-waf-token|"
    r"awswaf\.com|sucuri_cloudproxy|enable javascript and cookies to continue|"
    r"verify(?:ing)? (?:that )?you are (?:a )?human",
    re.IGNORECASE,
)


def sniff(text: str, params: SniffParams = DEFAULT_PARAMS) -> Kind:
    """What a decoded document is. The media type has no say: good feeds come as text/html."""
    head = text[: params.root_chars].lstrip()
    if not head:
        return Kind.EMPTY
    if head[0] in "{[":
        return Kind.JSON
    name = _root_name(head)
    if name in _FEED_ROOTS:
        return Kind.XML_FEED
    if (_FEED_IN_PAGE if name == "html" else _FEED_START).search(head):
        return Kind.XML_FEED
    if name in _PAGE_ROOTS or _PAGE_MARK.search(head):
        return Kind.CHALLENGE if _CHALLENGE.search(text[: params.page_chars]) else Kind.HTML
    return Kind.OTHER


def _root_name(head: str) -> str:
    """The root element's name in lower case without its prefix; "" if something else stands there."""
    preamble = _PREAMBLE.match(head)
    root = _ROOT.match(head, preamble.end() if preamble else 0)
    return root[1].lower() if root else ""


def feed_start(text: str, params: SniffParams = DEFAULT_PARAMS) -> int:
    """Where an XML feed begins in a text that `sniff` called one; not 0 where something stands before it."""
    stripped = len(text) - len(text.lstrip())
    head = text[: params.root_chars + stripped]
    if _root_name(head) in _FEED_ROOTS:
        return stripped
    page = _FEED_IN_PAGE.search(head)
    if page:
        return page.end()
    found = _FEED_START.search(head)
    return found.start() if found else stripped
