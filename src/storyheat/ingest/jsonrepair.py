"""Reads JSON as it is sent: with numbers of any length, NaN, double keys, and as far as it goes where it is broken."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any


class Number(str):
    """A number as it is written. Nothing asks for its value, which may have thousands of digits."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class JsonParams:
    """How far a broken text is followed."""

    max_depth: int = 64  # of nested values; what lies deeper is taken as null. Feeds have five
    hopeless_depth: int = 100_000  # nothing is looked for in what is nested so deep
    max_tokens: int = 1_000_000  # texts, brackets and slips; a broken feed of 10 MB has 500,000
    max_rereading: int = 2  # times its length, in search of items behind a broken one
    max_lists: int = 10  # that are called items; the first with one in it counts
    max_broken: int = 300  # of its items; each costs a count of all the lines before it


DEFAULT_PARAMS = JsonParams()

NO_VALUES = "NaN and Infinity are no values in JSON; they were taken as none"
DOUBLE_KEYS = "a key is given twice in one object; the last one that says something was read"
TEXT_BEHIND = "text after the JSON was left out"
BROKEN = "the JSON is broken; what is whole in it was read"

_TOKEN = re.compile(  # what a repair looks at; texts are tokens so that nothing in them is taken for one, and what
    # repeats in them is never given back: to remember where each escape began takes thirty times its bytes
    r'(?P<text>"(?:[^"\\]++|\\.)*+(?:"|\\?\Z))|(?P<open>[{\[])|(?P<close>[}\]])|(?P<comma>,)(?=\s*[}\]])|(?P<colon>:)(?=\s*[,}\]])'
    r"|(?P<nothing>\b(?:undefined|None|nan|inf)\b)",
    re.DOTALL,
)
_BAD_ESCAPE = re.compile(r'\\(?:\\|(?!["/bfnrt]|u[0-9A-Fa-f]{4}))')
_LIST_OF_ITEMS = re.compile(r'"(items?)"\s*:\s*\[')
_BETWEEN = re.compile(r"[\s,]*")
_OBJECT = re.compile(r'\{\s*"')
_MARKS = frozenset({"id", "guid", "content_html", "content_text", "date_published", "external_url"})


def read_json(text: str, most_items: int, params: JsonParams = DEFAULT_PARAMS) -> tuple[object, list[str]]:
    """The value of a JSON text, numbers as `Number`, and remarks on what was not in order.

    Of a text that is broken beyond its commas, escapes and depth, an object with the whole items of its list, at most
    `most_items`, is what is left. Raises ValueError where there are none.
    """
    decoder = _Decoder()
    value = decoder.try_whole(text)
    if value is None:
        decoder.remark(BROKEN)
        mended = _mended(text, params)
        value = decoder.try_whole(mended) or _with_whole_items(mended, decoder, most_items, params)
    if value is None:
        raise ValueError("the JSON is broken")
    return value, decoder.remarks


class _Decoder:
    """The standard library's decoder, with remarks on what it let pass."""

    def __init__(self) -> None:
        self.remarks: list[str] = []
        self._json = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_float=Number,
            parse_int=Number,
            parse_constant=self._constant,
            strict=False,
        )

    def remark(self, words: str) -> None:
        if words not in self.remarks:
            self.remarks.append(words)

    def try_whole(self, text: str) -> object:
        """The value that begins the text; None where it is broken (or null)."""
        start = text.lstrip("\ufeff \t\r\n")
        try:
            value, end = self._json.raw_decode(start)
        except (ValueError, RecursionError):
            return None
        if start[end:].strip("\x00\ufeff \t\r\n"):
            self.remark(TEXT_BEHIND)
        return value

    def try_at(self, text: str, place: int) -> tuple[object, int]:
        """The value at a place and where it ends; without a value, how far it was read."""
        try:
            return self._json.raw_decode(text, place)
        except json.JSONDecodeError as error:
            return None, max(error.pos, place)
        except RecursionError:
            return None, place + 1

    def _constant(self, _name: str) -> None:
        self.remark(NO_VALUES)

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        self.remark(DOUBLE_KEYS)
        found = {}
        for key, value in pairs:
            earlier = found.get(key)
            if key in ("items", "item") and isinstance(earlier, list) and isinstance(value, list):
                earlier.extend(value)
            elif value not in (None, "") or key not in found:
                found[key] = value
        return found


def _mended(text: str, params: JsonParams) -> str:
    """The text without commas too many, wrong escapes, words for nothing, and what is nested beyond all measure."""
    out: list[str] = []
    depth = written = 0
    too_deep: int | None = None  # where the value begins that is left out
    for number, token in enumerate(_TOKEN.finditer(text)):
        if number > params.max_tokens:
            return text
        if token["open"]:
            depth += 1
            if depth > params.hopeless_depth:
                return text
            if depth > params.max_depth and too_deep is None:
                too_deep = token.start()
        elif token["close"]:
            depth -= 1
            if too_deep is not None and depth == params.max_depth:
                out += (text[written:too_deep], "null")
                written, too_deep = token.end(), None
        elif too_deep is None and (better := _better(token)) != token[0]:
            out += (text[written : token.start()], better)
            written = token.end()
    return "".join((*out, text[written:]))


def _better(token: re.Match[str]) -> str:
    if token["text"]:
        return _BAD_ESCAPE.sub(r"\\\\", token[0]) if "\\" in token[0] else token[0]
    if token["colon"]:
        return ": null"
    return "null" if token["nothing"] else ""


def _with_whole_items(text: str, decoder: _Decoder, most_items: int, params: JsonParams) -> dict[str, Any] | None:
    """What stands before the list of items, as far as it can be read, and those that are whole."""
    for start in islice(_LIST_OF_ITEMS.finditer(text), params.max_lists):
        items = list(islice(_whole_items(text, start.end(), decoder, params), most_items))
        if not items:
            continue
        head = text[: start.start()].rstrip().rstrip(",")
        if start[1] == "items":
            before = decoder.try_whole(head + "}")
            return {**(before if isinstance(before, dict) else {}), "items": items}
        return {"rss": {"channel": {"item": items}}}
    return None


def _whole_items(text: str, place: int, decoder: _Decoder, params: JsonParams) -> Iterator[object]:
    """The items of a list that begins at `place`. Behind a broken one the next object counts that looks like one."""
    in_order, broken, reread = True, 0, 0
    while broken < params.max_broken and reread < params.max_rereading * len(text):
        between = _BETWEEN.match(text, place)
        begin = between.end() if between else place
        value, place = decoder.try_at(text, begin)
        if value is not None and (in_order or _looks_like_item(value)):
            yield value
            in_order = True
            continue
        if in_order and text.startswith("]", begin):
            return
        found = _OBJECT.search(text, begin + 1 if value is None else place)
        if found is None:
            return
        in_order, broken, reread = False, broken + 1, reread + place - begin
        place = found.start()


def _looks_like_item(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    return bool(_MARKS & value.keys()) or (
        "title" in value and ("url" in value or "link" in value) and "mime_type" not in value
    )
