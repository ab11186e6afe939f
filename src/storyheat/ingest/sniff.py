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
# What the pages of protection services have in common that want to see a browser or a human: scripts that they load,
# cookies that they set, titles and sentences. Gathered from such pages; a brand's name alone is no mark.
_RIDDLE_SCRIPTS = (
    r"cdn-cgi/challenge-platform|challenges\.cloudflare\.com|_?_cf_chl_|cf-browser-verification",  # Cloudflare
    r"awswaf\.com|aws-waf-token|AwsWafIntegration",  # Amazon
    r"captcha-delivery\.com",  # DataDome
    r"px-captcha|_pxAppId|human-challenge|/_px/",  # Human (PerimeterX)
    r"_Incapsula_Resource|incapsula incident id",  # Imperva
    r"sec-if-cpt|sec-cpt-if|/_sec/cp_challenge|bm-verify=|akam-sw\.js",  # Akamai
    r"sucuri_cloudproxy|/_vercel/security|_fs-ch-",  # Sucuri, Vercel, Fastly
    r"KPSDK\b|/TSPD/|bobcmn|validate\.perfdrive\.com|rbzns|__qrator",  # Kasada, F5, Radware, Reblaze, Qrator
    r"ddos-guard/js-challenge|/\.well-known/(?:ddos-guard|sgcaptcha)|hcdn-cgi/jschallenge",
    r"within\.website/x/cmd/anubis|techaro\.lol|go-away/challenge|imunify360",
    r"acw_sc__v[23]|aliyun_waf|_waf_bd8ce2ce37|TencentCaptcha|wappass\.baidu\.com|yunsuo_session",
    r"slowAES\.decrypt|testcookie-nginx|document\.cookie\s*=\s*[\"']__test=",  # cookie tests of hosters
    r"g-recaptcha|hcaptcha\.com/1/api|friendly-?captcha",
)
_RIDDLE_TITLES = (
    "just a moment", "attention required", "ddos-guard", "pardon our interruption", "please wait",
    "one moment,? please", "human verification", "bot verification", "one more step",
    "security (?:check|verification)", "you are being redirected", "checking your browser", "are you a robot",
    "robot check", "client challenge", "verifying (?:your browser|you are human|connection)", "making sure you",
    "captcha", "vercel security checkpoint",
    "(?:百度)?安全验证", "人机验证", "访问验证", "滑动验证", "验证码", "环境异常",
)  # fmt: skip
_RIDDLE_SENTENCES = (
    "enable javascript and cookies to continue",
    "this site requires javascript to work, please enable",
    "verify(?:ing)? (?:that )?you are (?:a )?human",
    "checking if the site connection is secure",
    "checking your browser before accessing",
    "making sure you(?:'|’|&#39;|&#x27;)re not a bot",
    "请完成安全验证|请进行人机验证",
)
_RIDDLE = re.compile(
    "|".join((*_RIDDLE_SCRIPTS, rf"<title>\s*(?:{'|'.join(_RIDDLE_TITLES)})", *_RIDDLE_SENTENCES)), re.IGNORECASE
)
_DENIED = re.compile(r"<title>\s*access denied", re.IGNORECASE)  # with status 200: what a riddle leads to


def asks_for_a_human(text: str, params: SniffParams = DEFAULT_PARAMS) -> bool:
    """Whether a page has the marks of one by which a site wants to see a browser or a human first."""
    return _RIDDLE.search(text[: params.page_chars]) is not None


def sniff(text: str, params: SniffParams = DEFAULT_PARAMS) -> Kind:
    """What a decoded document is. The media type has no say: good feeds come as text/html."""
    head = text[: params.root_chars].lstrip()
    if not head:
        return Kind.EMPTY
    if head.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        return Kind.JSON
    name = _root_name(head)
    if name in _FEED_ROOTS:
        return Kind.XML_FEED
    if (_FEED_IN_PAGE if name == "html" else _FEED_START).search(head):
        return Kind.XML_FEED
    if name in _PAGE_ROOTS or _PAGE_MARK.search(head):
        denied = _DENIED.search(text[: params.page_chars])
        return Kind.CHALLENGE if denied or asks_for_a_human(text, params) else Kind.HTML
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
