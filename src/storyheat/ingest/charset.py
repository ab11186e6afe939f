"""The encoding of a reply's bytes: what they show, before what the document or the header declares."""

import codecs
import re
from dataclasses import dataclass

from storyheat.ingest.charset_guess import Guess, guess_codec
from storyheat.ingest.charset_labels import codec_of


@dataclass(frozen=True, slots=True)
class CharsetParams:
    """When bytes are believed rather than declarations."""

    prolog_bytes: int = 4096  # where a declaration or <meta charset> may stand; browsers look at 1,024
    certain_utf8_bytes: int = 6  # so many non-ASCII bytes that form valid UTF-8 are no accident
    bad_share: float = 0.02  # of the non-ASCII characters; fewer broken ones are slips in UTF-8


DEFAULT_PARAMS = CharsetParams()


@dataclass(frozen=True, slots=True)
class Decoded:
    """A document as text without byte-order mark, with remarks on how it was read."""

    text: str
    encoding: str
    remarks: tuple[str, ...] = ()


_SEVEN_BITS = ("iso2022", "hz")
_SINGLE_BYTES = ("cp125", "iso8859", "koi8", "mac")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WIDE_STARTS = (  # "<" or "{" without a mark, by the place of its zero bytes
    (re.compile(rb"\x00\x00\x00[<{\[]"), "utf-32-be"),
    (re.compile(rb"[<{\[]\x00\x00\x00"), "utf-32-le"),
    (re.compile(rb"\x00[<{\[]\x00."), "utf-16-be"),
    (re.compile(rb"[<{\[]\x00.\x00"), "utf-16-le"),
)
# The characters that Windows-1252 puts where Latin-1 has controls, with the byte they stand for. The five
# bytes that it leaves undefined pass as controls, as every program that doubles an encoding lets them.
_CP1252_BYTES = {
    ord(character): byte for byte in range(0x80, 0xA0) if (character := bytes([byte]).decode("cp1252", "ignore"))
}
_DOUBLED = re.compile("[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u2122]")  # the start of such a character and what follows
_SURROGATES = re.compile(rb"(?:\xed[\xa0-\xbf][\x80-\xbf])+")
_SLIPS = "some bytes are not valid UTF-8"
_XML_DECLARATION = re.compile(rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']\s*([A-Za-z0-9._:-]+)\s*[\"']", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9._:-]+)", re.IGNORECASE)
_HEADER_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9._:-]+)", re.IGNORECASE)


def decode(body: bytes, content_type: str | None, params: CharsetParams = DEFAULT_PARAMS) -> Decoded:
    """Reads bytes as text. Never fails: the last resort puts replacement marks and says so.

    A byte-order mark decides, then what the bytes themselves show (zero bytes; valid UTF-8), then the
    document's own declaration, then the header, whichever of these decodes without an error.
    """
    for mark, encoding in _BOMS:
        if body.startswith(mark):
            return _undoubled(_read(body[len(mark) :], encoding))
    start = body.lstrip()[:4]
    for pattern, encoding in _WIDE_STARTS:
        if pattern.match(start):
            return _read(body[len(body) - len(body.lstrip()) :], encoding)
    declared = _declared(body[: params.prolog_bytes], content_type)
    if _is_certainly_utf8(body, declared, params):
        text = body.decode("utf-8")
        wrong = next((name for name in declared if codec_of(name) != "utf-8"), None)
        remarks = (f"declared as {wrong}, but the bytes are UTF-8",) if wrong and not text.isascii() else ()
        return _undoubled(Decoded(text, "utf-8", remarks))
    for name in declared:
        if codec_of(name) == "cp1252" and _shows_other_than_western(body):
            continue  # nearly every text is valid Windows-1252
        found = _strictly(body, name)
        if found is not None:
            remarks = () if name == declared[0] else (f"declared as {declared[0]}, but the bytes are {name}",)
            return Decoded(found, codec_of(name) or name, remarks)
    return _undeclared(body, declared, params)


def _read(body: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(body.decode(encoding).lstrip("\ufeff"), encoding)
    except UnicodeDecodeError:
        remark = f"some bytes are not valid {encoding.upper()}"
        return Decoded(body.decode(encoding, "replace").lstrip("\ufeff"), encoding, (remark,))


def _declared(prolog: bytes, content_type: str | None) -> list[str]:
    """The encodings that the document and the header declare, in order of trust, in lower case."""
    names = []
    found = _XML_DECLARATION.match(prolog) or _META_CHARSET.search(prolog)
    if found:
        names.append(found[1].decode("ascii").lower())
    header = _HEADER_CHARSET.search(content_type or "")
    if header:
        names.append(header[1].lower())
    # Without zero bytes no text of more than a few characters is UTF-16 or UTF-32.
    return [name for name in dict.fromkeys(names) if not (codec_of(name) or "").startswith(("utf-16", "utf-32"))]


def _strictly(body: bytes, name: str) -> str | None:
    codec = codec_of(name)
    try:
        return body.decode(codec) if codec else None
    except (UnicodeError, ValueError):
        return None


def _is_certainly_utf8(body: bytes, declared: list[str], params: CharsetParams) -> bool:
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return False
    codec = (codec_of(declared[0]) or "") if declared else ""
    if codec.startswith(_SEVEN_BITS):
        return not text.isascii()
    if codec.startswith(_SINGLE_BYTES):
        return True  # `Ã©` is no word of any language
    return text.isascii() or len(body) - len(body.translate(None, bytes(range(128, 256)))) >= params.certain_utf8_bytes


def _undeclared(body: bytes, declared: list[str], params: CharsetParams) -> Decoded:
    """Bytes that no declaration fits: UTF-8 with slips, the declared encoding with slips, or Windows-1252."""
    text = _SURROGATES.sub(_without_surrogates, body).decode("utf-8", "replace")
    bad = text.count("\ufffd")
    foreign = len(text) - len(text.encode("ascii", "ignore"))
    if bad == 0:
        return Decoded(text, "utf-8")
    if bad <= params.bad_share * foreign:
        return Decoded(text, "utf-8", (_SLIPS,))
    for name in declared:
        codec = codec_of(name)
        if codec and codec != "utf-8" and not (codec == "cp1252" and _shows_other_than_western(body)):
            return Decoded(body.decode(codec, "replace"), codec, (f"some bytes are not valid {name}",))
    says_utf8 = "utf-8" in map(codec_of, declared)
    codec, is_certain = guess_codec(body, says_utf8=says_utf8) or Guess("cp1252", is_certain=False)
    if codec == "utf-8":
        return Decoded(text, codec, (_SLIPS,))
    doubt = "" if is_certain else ", which the few letters that are not ASCII leave in doubt"
    shown = "Windows-1252" if codec == "cp1252" else codec
    remark = f"no declared encoding fits the bytes; read as {shown}{doubt}"
    return Decoded(body.decode(codec, "replace"), codec, (remark,))


def _without_surrogates(found: re.Match[bytes]) -> bytes:
    """Characters that were encoded by way of UTF-16, two halves each, as UTF-8 has them; a half alone is a slip."""
    halves = found[0].decode("utf-8", "surrogatepass")
    return halves.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _shows_other_than_western(body: bytes) -> bool:
    guess = guess_codec(body)
    return guess is not None and guess.is_certain and guess.codec != "cp1252"


def _undoubled(decoded: Decoded) -> Decoded:
    """A text that was encoded in UTF-8 twice, read back once; only if the whole document shows the pattern.

    One clean accented letter, or one character outside Windows-1252, and nothing is touched: a title that
    quotes such garbage stays as it is.
    """
    text = decoded.text
    if text.isascii() or not _DOUBLED.search(text):
        return decoded
    try:
        once = text.translate(_CP1252_BYTES).encode("latin-1").decode("utf-8")
    except UnicodeError:
        return decoded
    remark = "the text was encoded in UTF-8 more than once; undone"
    remarks = decoded.remarks if remark in decoded.remarks else (*decoded.remarks, remark)
    return _undoubled(Decoded(once.lstrip("\ufeff"), decoded.encoding, remarks))
