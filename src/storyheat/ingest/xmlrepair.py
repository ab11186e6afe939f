"""Makes well-formed XML of what feeds send: stray ampersands, control characters, unbound prefixes."""

import html
import re
from dataclasses import dataclass
from itertools import islice

from storyheat.core.text.markup import unescaped
from storyheat.ingest.soup import mend


@dataclass(frozen=True, slots=True)
class RepairParams:
    """What a document may define for itself. Entities beyond these stay as text."""

    max_entities: int = 100
    max_entity_chars: int = 256  # namespaces and accented letters; nothing longer was met
    max_growth: int = 2_000_000  # characters that entities may add in all


DEFAULT_PARAMS = RepairParams()

# Prefixes that feeds use without declaring them, with the namespaces they mean.
_KNOWN_PREFIXES = {
    "atom": "http://www.w3.org/2005/Atom",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "feedburner": "http://rssnamespace.org/feedburner/ext/1.0",
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "media": "http://search.yahoo.com/mrss/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "slash": "http://purl.org/rss/1.0/modules/slash/",
    "sy": "http://purl.org/rss/1.0/modules/syndication/",
    "wfw": "http://wellformedweb.org/CommentAPI/",
}
_MAX_PREFIXES = 1_000  # to declare; real feeds forget one or two, and each costs time with every element
_PREFIXES_SHOWN = 10  # in a remark
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_C1 = re.compile("[\x80-\x9f]")
_DECLARATION = re.compile(r"\s*<\?xml[^<>]*\?>")
_DOCTYPE = re.compile(  # atomic throughout: each character is looked at once
    r"<!DOCTYPE(?>\"[^\"]*\"|'[^']*'|\[(?>\"[^\"]*\"|'[^']*'|<!--.*?-->|[^\]\"'])*+\]|[^\[\"'>])*+>",
    re.IGNORECASE | re.DOTALL,
)
_DOCTYPE_START = re.compile(r"<!DOCTYPE", re.IGNORECASE)
_ROOT = re.compile(r"<(?:[\w.-]+:)?(?:rss|rdf|feed|channel)(?=[\s>])", re.IGNORECASE)
_NAMESPACE = re.compile(r"(\sxmlns(?::[\w.-]+)?\s*=\s*)(\"[^\"<>]*\"|'[^'<>]*')")
_ENTITY = re.compile(r"<!ENTITY\s+([\w.-]+)\s+(?:\"([^\"<&%]*)\"|'([^'<&%]*)'|\"(&#\w+;)\"|'(&#\w+;)')\s*>")
_ANY_ENTITY = re.compile(r"<!ENTITY\s+([\w.-]+)\s")
_PIECES = re.compile(  # what is left alone, and what may need a repair
    r"(?P<opaque><!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z))"
    r"|&(?!(?:amp|lt|gt|quot|apos);)(?:(?P<reference>\#\d+|\#[xX][0-9A-Fa-f]+|[A-Za-z][\w.-]*);)?"
    r"|(?P<less><)(?![A-Za-z_/!?])",
    re.DOTALL,
)
_TAG = re.compile(r"<(?![!?/])[^\s/<>]+(?:\s[^<>]*)?>")
_TAG_PREFIX = re.compile(r"</?([A-Za-z_][\w.-]*):[A-Za-z_]")
_ATTRIBUTE_PREFIX = re.compile(r"\s([A-Za-z_][\w.-]*):[A-Za-z_][\w.-]*\s*=\s*[\"']")
_ROOT_TAG = re.compile(r"(<[A-Za-z_][^\s/<>]*)(?>[^<>\"']|\"[^\"]*\"|'[^']*')*+>")
_DECLARATION_OF_PREFIX = re.compile(r"\sxmlns:([A-Za-z_][\w.-]*)\s*=\s*[\"']([^\"'<>&]+)[\"']")
_DECLARED_PREFIX = re.compile(r"\sxmlns:([A-Za-z_][\w.-]*)\s*=")
_CDATA_OR_COMMENT = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_ROOT_END = re.compile(r"</(?:[\w.-]+:)?(?:rss|rdf|feed|channel)\s*>", re.IGNORECASE)
_LAST_ENTRY = re.compile(r".*</(?:[\w.-]+:)?(?:item|entry)\s*>", re.DOTALL | re.IGNORECASE)
_ESSENTIALS = (
    re.compile(r"</title\s*>", re.IGNORECASE),
    re.compile(r"</(?:link|guid|id)\s*>|<link\s[^<>]*>", re.IGNORECASE),
    re.compile(r"</(?:pubdate|published|updated|issued|(?:dc:)?date)\s*>", re.IGNORECASE),
)
_LAST_END_TAG = re.compile(r".*</[A-Za-z_][\w.:-]*\s*>", re.DOTALL)


def tidy(text: str, params: RepairParams = DEFAULT_PARAMS) -> tuple[str, list[str]]:
    """The text with every slip repaired that can be repaired without a tree, and remarks on what was.

    The DOCTYPE goes; entities it defines are put in only if they are short and hold no other. Nothing is
    ever fetched or expanded twice. The result has no XML declaration and no illegal character.
    """
    remarks: list[str] = []
    text, illegal = _ILLEGAL.subn("", text)
    if illegal:
        remarks.append("control characters were removed")
    text = _C1.sub(_windows_1252, text)
    declaration = _DECLARATION.match(text)
    text = text[declaration.end() :] if declaration else text
    text, entities = _without_doctype(text, params)
    text = _repair_references(text, entities, params, remarks)
    text = _NAMESPACE.sub(_without_blanks, text)
    return _bind_prefixes(text, remarks), remarks


def rebuild(text: str, most_entries: int) -> tuple[str, list[str]]:
    """The tidied text with its tags put in order, up to `most_entries`, and remarks.

    Where the document breaks off, what is incomplete is left out: half an address would pass for a whole one,
    and the next poll brings the rest.
    """
    whole = _without_broken_end(text)
    remarks = [] if whole == text else ["the document breaks off; what was incomplete was left out"]
    return _bind_prefixes(mend(whole, most_entries), []), remarks


def _without_doctype(text: str, params: RepairParams) -> tuple[str, dict[str, str | None]]:
    """The text without its DOCTYPE, and the entities that it defines; None: one that is not put in."""
    root = _ROOT.search(text)
    start = _DOCTYPE_START.search(text, 0, root.start() if root else len(text))
    if not start:
        return text, {}
    whole = _DOCTYPE.match(text, start.start())
    end = whole.end() if whole else (root.start() if root else start.end())
    entities: dict[str, str | None] = {}
    for definition in islice(_ENTITY.finditer(text, start.start(), end), params.max_entities):
        value = unescaped(next(group for group in definition.groups()[1:] if group is not None))
        entities.setdefault(definition[1], value if len(value) <= params.max_entity_chars else None)
    for named in _ANY_ENTITY.finditer(text, start.start(), end):
        entities.setdefault(named[1], None)
    return text[: start.start()] + text[end:], entities


def _repair_references(text: str, entities: dict[str, str | None], params: RepairParams, remarks: list[str]) -> str:
    grown = stray = left_out = 0

    def repaired(match: re.Match[str]) -> str:
        nonlocal grown, stray, left_out
        if match["opaque"]:
            return match[0]
        name = match["reference"]
        if not name:
            stray += 1
            return "&lt;" if match["less"] else "&amp;"
        if name[0] == "#":
            return _character(name)
        value = entities.get(name)
        if value is not None and grown < params.max_growth:
            grown += len(value)
            return html.escape(value)
        known = html.unescape(f"&{name};")
        if known != f"&{name};" and not known.endswith(";"):
            return html.escape(known)
        if name in entities:
            left_out += 1
        else:
            stray += 1
        return f"&amp;{name};"

    text = _PIECES.sub(repaired, text)
    if stray:
        remarks.append("bare ampersands or angle brackets were taken as text")
    if left_out:
        remarks.append("entities that the document defines were not expanded")
    return text


def _character(reference: str) -> str:
    """A numeric reference as it may stand in XML; those of C1 controls mean Windows-1252, as in browsers."""
    digits = (reference[2:] if reference[1] in "xX" else reference[1:]).lstrip("0") or "0"
    if len(digits) > 7:  # beyond every code point
        return ""
    code = int(digits, 16 if reference[1] in "xX" else 10)
    if 0x80 <= code <= 0x9F:
        return html.unescape(f"&#{code};")
    if code > 0x10FFFF or _ILLEGAL.match(chr(code)):
        return ""
    return f"&#{code};"


def _windows_1252(control: re.Match[str]) -> str:
    """What a control character of Latin-1 stands for: nobody writes those, and many programs read one for the other."""
    return control[0].encode("latin-1").decode("cp1252", "ignore")


def _without_blanks(match: re.Match[str]) -> str:
    """A namespace declaration without blanks in the name, which the standard library's reader splits at."""
    return match[1] + re.sub(r"\s|&#\w+;", "", match[2])


def _bind_prefixes(text: str, remarks: list[str]) -> str:
    """Declares on the root element every prefix that is used anywhere and not declared there.

    A prefix that some inner element declares is often used outside of it; it keeps that meaning.
    """
    markup = _CDATA_OR_COMMENT.sub("", text)
    root = _ROOT_TAG.search(text)
    used = set(_TAG_PREFIX.findall(markup))
    for tag in _TAG.findall(markup):
        if "=" in tag:
            used.update(_ATTRIBUTE_PREFIX.findall(tag))
    missing = used - set(_DECLARED_PREFIX.findall(root[0] if root else "")) - {"xml", "xmlns"}
    if not missing or root is None or len(missing) > _MAX_PREFIXES:
        return text
    inner: dict[str, str] = {}
    for prefix, uri in _DECLARATION_OF_PREFIX.findall(markup):
        inner.setdefault(prefix, uri)
    unknown = sorted(missing - set(inner))
    if unknown:
        shown = ", ".join(unknown[:_PREFIXES_SHOWN])
        more = len(unknown) - _PREFIXES_SHOWN
        remarks.append(f"undeclared prefixes: {shown}" + (f" and {more:,} more" if more > 0 else ""))
    meanings = {prefix: _KNOWN_PREFIXES.get(prefix.lower(), f"urn:undeclared:{prefix}") for prefix in missing} | inner
    declarations = "".join(f' xmlns:{prefix}="{meanings[prefix]}"' for prefix in sorted(missing))
    return text[: root.end(1)] + declarations + text[root.end(1) :]


def _without_broken_end(text: str) -> str:
    """The text up to its last complete element, if the root was not closed.

    The entry it breaks off in stays only if title, address and date were complete.
    """
    if _ROOT_END.search(text, max(0, text.rfind("</item>"), text.rfind("</entry>"))):
        return text
    opened = text.rfind("<![CDATA[")
    if opened >= 0 and text.find("]]>", opened) < 0:
        text = text[:opened]
    element, entry = _LAST_END_TAG.match(text), _LAST_ENTRY.match(text)
    end = element.end() if element else len(text)
    if entry and not all(pattern.search(text, entry.end(), end) for pattern in _ESSENTIALS):
        end = entry.end()
    return text[:end]
