"""Text out of markup: plain text for titles and summaries, sanitised HTML for the page."""

import html
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Literal

import nh3


class TextKind(StrEnum):
    """How a text was published."""

    PLAIN = "plain"  # no markup, no entities: to be taken as it stands
    HTML = "html"  # markup, or a fragment of a page
    GUESS = "guess"  # nominally plain, in practice often holds entities or tags (RSS titles)


@dataclass(frozen=True, slots=True)
class MarkupParams:
    """Bounds on what is kept of a text."""

    max_title_chars: int = 1000  # the longest real title found has 516
    max_text_chars: int = 200_000  # a long article has 60,000
    max_depth: int = 512  # of nested elements; browsers stop at the same
    max_nodes: int = 1_000_000  # that a sanitiser may have to make; see `_flattened`
    max_html_chars: int = 400_000  # input of the sanitiser; it takes about 10 ms at this size


DEFAULT_PARAMS = MarkupParams()

_REMEMBERED = 64  # sanitisers; few feeds have more than one base
_NESTING = re.compile(  # elements that end by themselves do not nest
    r"<(/?)(?!(?:area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|param|source|td|th|tr|wbr)\b)"
    r"(?:((?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)\b)|[a-z])",
    re.IGNORECASE,
)
_ANY_TAG = re.compile(r"<[^<>]*>")
_BLOCKS = re.compile(
    r"(</?(?:address|article|aside|blockquote|br|caption|center|dd|details|div|dl|dt|fieldset|figcaption|"
    r"figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|"
    r"ul)(?=[\s/>]))",
    re.IGNORECASE,
)
# Tags that publishers use inside titles. Others, such as <dialog>, are more often what the title is about.
_TITLE_TAGS = re.compile(
    r"</?(?:a|abbr|acronym|b|bdi|bdo|big|br|center|cite|code|del|div|em|font|h[1-6]|i|img|ins|kbd|mark|nobr|p|q|"
    r"s|script|small|span|strike|strong|style|sub|sup|svg|tt|u|wbr)(?:\s[^<>]*=[^<>]*|\s*)/?>|<!--.*?-->",
    re.IGNORECASE | re.DOTALL,
)
_CONTENT_TAGS = frozenset({"script", "style", "template", "noscript", "iframe", "object", "svg", "math", "title"})
_KEPT_TAGS = frozenset({
    "a", "abbr", "b", "blockquote", "br", "caption", "cite", "code", "dd", "del", "dfn", "div", "dl",
    "dt", "em", "figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins",
    "kbd", "li", "mark", "ol", "p", "pre", "q", "s", "samp", "small", "span", "strong", "sub", "sup",
    "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "u", "ul",
})  # fmt: skip
_KEPT_ATTRIBUTES: dict[str, set[str]] = {
    "a": {"href", "title"},
    "img": {"src", "alt", "title", "width", "height"},
    "time": {"datetime"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start"},
    "*": {"lang", "dir"},
}
_TEXT_CLEANER = nh3.Cleaner(tags=set(), clean_content_tags=set(_CONTENT_TAGS))
_NEWLINE_BLANKS = re.compile(r"[^\S\n]*\n\s*")
_BLANKS = re.compile(r"[^\S\n]+")
# Zero-width and bidi controls, the byte-order mark, soft hyphens, noncharacters; ZWJ and ZWNJ stay,
# since Persian, Hindi and emoji need them.
_INVISIBLE = re.compile("[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_LOGIN_IN_LINK = re.compile(r"""(\s(?:href|src)="https?://)[^/?#"\s]*@""", re.IGNORECASE)
_MOST_DIGITS = 7  # of the last code point, 1114111
_LONG_REFERENCE = re.compile(r"&#([0-9]{8,});?")
_SURROGATES = re.compile(r"[\ud800-\udfff]")


def clean(text: str) -> str:
    """The text without control, bidi and other invisible characters, in NFC; blanks as they are."""
    if text.isascii():
        return text if text.isprintable() else _CONTROLS.sub("", text)
    text = _INVISIBLE.sub("", _CONTROLS.sub("", text))
    return unicodedata.normalize("NFC", _SURROGATES.sub("\ufffd", text))


def one_line(text: str) -> str:
    """`clean` with every run of white space as one blank."""
    return " ".join(clean(text).split())


def title_text(raw: str | None, kind: TextKind, params: MarkupParams = DEFAULT_PARAMS) -> str | None:
    """A title as one line of plain text; None if nothing is left.

    Exactly one level of HTML is undone for `HTML` and `GUESS`, none for `PLAIN`.
    """
    if raw is None:
        return None
    text = raw[: 10 * params.max_title_chars]
    if kind is TextKind.HTML:
        text = plain_text(text)
    elif kind is TextKind.GUESS and ("<" in text or "&" in text):
        text = unescaped(_TITLE_TAGS.sub(_blank_for_break, text))
    return _cut(one_line(text), params.max_title_chars) or None


def plain_text(fragment: str, params: MarkupParams = DEFAULT_PARAMS) -> str:
    """The readable text of an HTML fragment: one line per block, entities resolved, no scripts."""
    text = _SURROGATES.sub("\ufffd", fragment[: params.max_html_chars])
    if "<" in text:
        text = _TEXT_CLEANER.clean(_BLOCKS.sub(r"\n\1", _flattened(text, params)))
    text = _BLANKS.sub(" ", clean(unescaped(text)))
    return _cut(_NEWLINE_BLANKS.sub("\n", text).strip(), params.max_text_chars)


def sanitised(fragment: str, base: str | None, params: MarkupParams = DEFAULT_PARAMS) -> str:
    """The fragment with an allow-list of tags and attributes; addresses absolute, only http(s) and mailto."""
    if "<" not in fragment and "&" not in fragment:
        return escaped(fragment[: params.max_html_chars])
    tidy = _flattened(clean(fragment[: params.max_html_chars]), params)
    try:
        return _sanitise(tidy, ("rewrite_with_base", base) if base else "deny")
    except ValueError:  # the sanitiser takes fewer host names for possible than we do
        return _sanitise(tidy, "deny")


def _sanitise(fragment: str, relative: Literal["deny"] | tuple[Literal["rewrite_with_base"], str]) -> str:
    cleaned = _sanitiser(relative).clean(fragment).strip()
    return _LOGIN_IN_LINK.sub(r"\1", cleaned) if "@" in cleaned else cleaned


@lru_cache(maxsize=_REMEMBERED)
def _sanitiser(relative: Literal["deny"] | tuple[Literal["rewrite_with_base"], str]) -> nh3.Cleaner:
    """To make one takes longer than to clean a short text, and the texts of a feed share their base."""
    return nh3.Cleaner(
        tags=set(_KEPT_TAGS),
        clean_content_tags=set(_CONTENT_TAGS),
        attributes=_KEPT_ATTRIBUTES,
        url_schemes={"http", "https", "mailto"},
        url_relative=relative,
        link_rel="noopener noreferrer nofollow",
    )


def unescaped(text: str) -> str:
    """The text with one level of character references undone, whatever number they name."""
    return html.unescape(_LONG_REFERENCE.sub(_short_reference, text) if "&" in text else text)


def _short_reference(match: re.Match[str]) -> str:
    """A reference in as many digits as Python reads; one that names no character as the mark for that."""
    digits = match[1].lstrip("0")
    return f"&#{digits};" if len(digits) <= _MOST_DIGITS else "\ufffd"


def escaped(text: str) -> str:
    """Plain text as an HTML fragment."""
    return html.escape(clean(text), quote=False).strip()


def _flattened(fragment: str, params: MarkupParams) -> str:
    """The fragment, without any tag if it is built to exhaust a parser.

    Deep nesting costs time with its square, and by the rules of HTML every open <b> or <font> is made again
    in each later paragraph.
    """
    tags = fragment.count("<")
    if tags <= params.max_depth:
        return fragment
    depth = formatting = most_formatting = 0
    for match in _NESTING.finditer(fragment):
        step = -1 if match[1] else 1
        depth = max(0, depth + step)
        if match[2]:
            formatting = max(0, formatting + step)
            most_formatting = max(most_formatting, formatting)
        if depth > params.max_depth:
            return _ANY_TAG.sub(" ", fragment)
    return _ANY_TAG.sub(" ", fragment) if most_formatting * tags > params.max_nodes else fragment


def _blank_for_break(match: re.Match[str]) -> str:
    return " " if match[0][1:3].lower() in ("br", "p>", "di", "/p", "/d", "h1", "h2") else ""


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"
