"""Edits the text of feeds.yaml: adds, removes and switches sources, and touches no line but theirs.

Pure: a document goes in, the new text comes out together with the values it must give when it is read again.
Where a source begins and ends, the YAML parser says; comments, order, quotes and blank lines stay as they are.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storyheat.errors import ConfigError, NotFound
from storyheat.settings.document import Document, Span, scalar, template
from storyheat.settings.quoting import quoted

Entry = Mapping[str, object]
"""A source in the words of feeds.yaml: text, templates, numbers, truth values, lists and mappings of them."""

INDENT = 2  # columns, as in the shipped file; a list that is there keeps its own
_HEADED = ("id", "name", "owner", "site")  # `enabled` goes below these, as in the shipped file


@dataclass(frozen=True, slots=True)
class Template:
    """A text that takes values from the environment: as it is written, with `${NAME}`, and what it gives now."""

    written: str
    value: str


def given(value: Any) -> Any:
    """A value of an entry with all templates in it as what they give."""
    if isinstance(value, Template):
        return value.value
    if isinstance(value, Mapping):
        return {key: given(each) for key, each in value.items()}
    return [given(each) for each in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True, slots=True)
class Edited:
    """A new text of the file, and the values that reading it must give."""

    text: str
    values: Mapping[str, object]


def with_sources(document: Document, entries: Sequence[Entry]) -> Edited:
    """The document with sources added below the last one. Raises ConfigError where the list is in brackets."""
    known = _sources(document)
    values = {**document.values, "sources": [*known, *map(given, entries)]}
    text, at, column, between = _room(document, len(known))
    newline = _newline(text)
    written = ""
    for entry in entries:
        rows = _dashed(entry, column)
        written += (newline if between else "") + "".join(row + newline for row in rows)
        between = between or len(rows) > 1  # a source of several lines stands apart
    if at and text[at - 1] != "\n":  # the last line of the file has no end: now it needs one, and the new one has none
        return Edited(text[:at] + newline + written.removesuffix(newline) + text[at:], values)
    return Edited(text[:at] + written + text[at:], values)


def without_source(document: Document, source_id: str) -> Edited:
    """The document without a source, and without a comment that stands right above that source alone.

    Raises NotFound, and ConfigError where the list is in brackets.
    """
    number, known = _find(document, source_id), _sources(document)
    text, column = document.text, _column(document)
    start, end = _lines_of(document, number)
    top = _start_of_comment(text, start, column)
    below = _line(text, end)
    if top < start and not (below.strip() and _indent(below) == column and below.lstrip().startswith("-")):
        start = top  # else it heads the next sources too
    if number == len(known) - 1:
        above = _over_blank_lines_above(text, start)
        line = _line(text, _line_start(text, above - 1))
        heading = line.lstrip().startswith("#") and _indent(line) <= column
        start = start if heading or number == 0 else above
    elif number == 0 or _over_blank_lines_above(text, start) < start:
        end = _over_blank_lines_below(text, end)
    if end == len(text) and not text.endswith("\n"):
        start -= len(_newline(text))  # what is now the last line ends as the removed one did
    values = {**document.values, "sources": [*known[:number], *known[number + 1 :]] or None}
    return Edited(text[:start] + text[end:], values)


def with_enabled(document: Document, source_id: str, enabled: bool) -> Edited | None:
    """The document with a source switched on or off; None if it is so already.

    Raises NotFound, and ConfigError where the environment decides.
    """
    number, known = _find(document, source_id), _sources(document)
    entry, place = known[number], ("sources", number, "enabled")
    if bool(entry.get("enabled", True)) == enabled:
        return None
    text, word = document.text, "true" if enabled else "false"
    changed = [*known[:number], {**entry, "enabled": enabled}, *known[number + 1 :]]
    values = {**document.values, "sources": changed}
    if place in document.spans:
        if place in document.filled:
            raise document.mistake(place, "is set by the environment; change it there")
        span = document.spans[place]
        return Edited(text[: span.start] + word + text[span.end :], values)
    if document.spans["sources", number].in_brackets:
        at = document.spans["sources", number, "id"].end
        return Edited(f"{text[:at]}, enabled: {word}{text[at:]}", values)
    at = _line_end(text, _head(document, number, entry).end)
    first = document.spans["sources", number].start
    indent, newline = " " * (first - _line_start(text, first)), _newline(text)
    if at and text[at - 1] != "\n":
        return Edited(f"{text[:at]}{newline}{indent}enabled: {word}", values)
    return Edited(f"{text[:at]}{indent}enabled: {word}{newline}{text[at:]}", values)


# -- where things stand ---------------------------------------------------------------------------


def _sources(document: Document) -> list[dict[str, object]]:
    """The entries of the list; the document has been checked, so they are mappings."""
    listed = document.values.get("sources")
    return [entry for entry in listed if isinstance(entry, dict)] if isinstance(listed, list) else []


def _find(document: Document, source_id: str) -> int:
    ids = [str(entry.get("id")) for entry in _sources(document)]
    if source_id in ids:
        return ids.index(source_id)
    near = next((each for each in ids if each.casefold() == source_id.casefold()), None)
    hint = f'did you mean "{near}"?' if near else '"storyheat sources" lists them'
    raise NotFound(f"{document.name} has no source {quoted(source_id)}; {hint}")


def _room(document: Document, known: int) -> tuple[str, int, int, bool]:
    """The text, where in it new sources go, in which column, and whether a blank line goes before the first."""
    text = document.text
    if known:
        _, end = _lines_of(document, known - 1)
        first, last = document.spans["sources", max(0, known - 2)], document.spans["sources", known - 1]
        between = text[first.end : last.start] if known > 1 else text[last.start : last.end]
        apart = any(not line.strip() for line in between.splitlines()[1:-1]) if known > 1 else "\n" in between
        return text, end, _column(document), apart
    if document.spans.get((), Span(0, 0)).in_brackets:
        raise _bracketed(document)
    if "sources" not in document.values:
        newline = _newline(text)
        text += newline if text and not text.endswith("\n") else ""
        text += (newline if text else "") + "sources:" + newline
        return text, len(text), INDENT, False
    span = document.spans["sources",]
    if "#" in text[span.start : span.end]:
        raise _bracketed(document)
    if span.end > span.start:  # [] or null
        text = text[: span.start].rstrip(" ") + text[span.end :]
    at = _line_end(text, span.start - 1)
    below = _line(text, at)
    return text, at, _indent(below) if below.lstrip().startswith("#") else INDENT, False


def _bracketed(document: Document) -> ConfigError:
    return document.mistake(("sources",), "is written in brackets; write a source a line, each after a dash")


def _column(document: Document) -> int:
    """The column of the dashes."""
    span = document.spans["sources",]
    if span.in_brackets:
        raise _bracketed(document)
    return span.start - _line_start(document.text, span.start)


def _lines_of(document: Document, number: int) -> tuple[int, int]:
    """The lines of a source from its dash to the comments that are indented below it.

    Raises ConfigError where no such lines are: a file that ends them with CR alone, or a list behind `:`.
    """
    text, column, span = document.text, _column(document), document.spans["sources", number]
    start = _line_start(text, span.start)
    while (line := _line(text, start))[:column].strip() or line[column : column + 1] != "-":
        if start == 0:
            raise document.mistake(("sources",), "has no line that begins with the dash of a source; edit it by hand")
        start = _line_start(text, start - 1)
    end = _line_end(text, span.end)
    while (line := _line(text, end)).lstrip().startswith("#") and _indent(line) > column:
        end += len(line)
    return start, end


def _start_of_comment(text: str, start: int, column: int) -> int:
    """Where the comment right above a line begins; what is indented deeper belongs to what stands before."""
    while start:
        above = _line_start(text, start - 1)
        line = _line(text, above)
        if not line.lstrip().startswith("#") or _indent(line) > column:
            break
        start = above
    return start


def _over_blank_lines_above(text: str, start: int) -> int:
    while start and not _line(text, above := _line_start(text, start - 1)).strip():
        start = above
    return start


def _over_blank_lines_below(text: str, end: int) -> int:
    while (line := _line(text, end)) and not line.strip():
        end += len(line)
    return end


def _head(document: Document, number: int, entry: Entry) -> Span:
    """The value under which `enabled` goes: the last of those at the top of a source that say who it is."""
    head = document.spans["sources", number, "id"]
    for key in entry:
        span = document.spans["sources", number, key]
        if key not in _HEADED or "\n" in document.text[span.start : span.end]:
            break
        head = span
    return head


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    return text.find("\n", at) + 1 or len(text)


def _line(text: str, start: int) -> str:
    return text[start : _line_end(text, start)]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _newline(text: str) -> str:
    """How the lines of the file end."""
    return "\r\n" if text[: text.find("\n") + 1].endswith("\r\n") else "\n"


# -- how a source is written ------------------------------------------------------------------------


def _dashed(entry: Entry, column: int) -> list[str]:
    """The lines of a list's entry, the first after a dash."""
    return [" " * column + ("  " if number else "- ") + row for number, row in enumerate(_rows(entry))]


def _rows(entry: Entry) -> Iterator[str]:
    for key, value in entry.items():
        if isinstance(value, Mapping):
            yield f"{key}:"
            yield from (" " * INDENT + row for row in _rows(value))
        elif isinstance(value, Sequence) and value and isinstance(value[0], Mapping):
            yield f"{key}:"
            for each in value:
                yield from _dashed(each, INDENT)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            yield f"{key}: [{', '.join(_value(each) for each in value)}]"
        else:
            yield f"{key}: {_value(value)}"


def _value(value: object) -> str:
    if isinstance(value, Template):
        return template(value.written)
    if isinstance(value, str):
        return scalar(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    mantissa, mark, exponent = repr(value).partition("e")
    return mantissa + (".0" if mark and "." not in mantissa else "") + mark + exponent  # YAML 1.1: no 1e-05
