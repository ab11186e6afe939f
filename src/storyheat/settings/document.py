"""Reads feeds.yaml into plain values and remembers where each of them stands.

The only home of PyYAML. Nothing is made of the file but text, numbers, truth values, lists and mappings;
aliases, tags and whatever else can grow or run is refused.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from storyheat.core.addresses.secrets import Filled, without_keys
from storyheat.core.addresses.urls import without_credentials, without_feed_scheme
from storyheat.errors import ConfigError
from storyheat.settings.quoting import quoted

Place = tuple[str | int, ...]
"""The way to a value: keys of mappings, numbers of list entries, outermost first."""

MAX_BYTES = 4_000_000  # 2,000 sources take about 0.6 MB
MAX_DEPTH = 12  # the deepest setting lies 6 deep

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # in C where built so: 12 times faster
_RESOLVER = yaml.resolver.Resolver()
_CONSTRUCTOR = yaml.constructor.SafeConstructor()
_TAG = "tag:yaml.org,2002:"
_MAKE: dict[str, Callable[[yaml.ScalarNode], object]] = {
    _TAG + "null": _CONSTRUCTOR.construct_yaml_null,
    _TAG + "bool": _CONSTRUCTOR.construct_yaml_bool,
    _TAG + "int": _CONSTRUCTOR.construct_yaml_int,
    _TAG + "float": _CONSTRUCTOR.construct_yaml_float,
}
_VARIABLE = re.compile(r"\$(?:(\$)\{|\{([^}]*)(\}?))")  # "$${" stands for "${" itself
_VARIABLE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLAIN = re.compile(r"https?://(?:[\w./?&=%~+@;-]|:(?=\w))+|[^\W_][\w ./+()&-]*")  # needs no quotes if it is text


class Span(NamedTuple):
    """Where a value is written: from the first character to the one behind the last, without what follows it."""

    start: int
    end: int
    in_brackets: bool = False  # a list or mapping written as [a, b] or {a: b}


@dataclass(slots=True)
class Document:
    """The values of one file, the line and span of each, and the scalars as they were written.

    `written` differs from the values where `${NAME}` was replaced: messages show the former, so that no
    secret of the environment gets into a log. `filled` tells where in a value that was done.
    """

    name: str
    values: dict[str, object] = field(default_factory=dict)
    text: str = ""  # without a byte order mark
    lines: dict[Place, int] = field(default_factory=dict)
    spans: dict[Place, Span] = field(default_factory=dict)
    written: dict[Place, str] = field(default_factory=dict)
    filled: dict[Place, tuple[Filled, ...]] = field(default_factory=dict)  # only where something was

    def mistake(self, place: Place, message: str, *, within: Place | None = None) -> ConfigError:
        """The error of one line for a mistake at `place`; `within`: the place to name, if another."""
        where = _in_words(place if within is None else within, self.values)
        return ConfigError(f"{self.name}:{self.line(place)}: {where}{': ' if where else ''}{message}")

    def line(self, place: Place) -> int:
        """The line of `place`, or of the nearest thing around it that has one; counted from 1."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def shown(self, place: Place, value: object) -> str:
        """A wrong value as a message shows it: as written, quoted, on one line, cut."""
        written = self.written.get(place)
        return quoted(value if written is None else without_credentials(without_keys(written)))

    def value(self, place: Place) -> object:
        """What stands at a place that there is."""
        found: Any = self.values
        for step in place:
            found = found[step]
        return found


def read_document(path: Path, environment: Mapping[str, str]) -> Document:
    """The document in the file at `path`, with every `${NAME}` replaced from `environment`.

    Raises ConfigError with file and line for whatever is no YAML mapping as we take it.
    """
    return document_of(str(path), read_file(path), environment)


def read_file(path: Path) -> bytes:
    """The bytes of feeds.yaml. Raises ConfigError."""
    name = str(path)
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise ConfigError(f'{name}: there is no such file; "storyheat init" writes one') from error
    except IsADirectoryError as error:
        raise ConfigError(f"{name}: is a folder; name the file in it, such as {path / 'feeds.yaml'}") from error
    except PermissionError as error:
        raise ConfigError(f"{name}: may not be read by you; give yourself the right to read it") from error
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read ({error.strerror}); name another file with --config") from error
    except ValueError as error:  # a NUL in the path
        raise ConfigError(f"{quoted(name)} is no file name; name another file with --config") from error


def document_of(name: str, data: bytes, environment: Mapping[str, str]) -> Document:
    """The document that the bytes of a file give; `name` is what errors call it. As `read_document`."""
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{name}: {len(data)} bytes are more than a feeds.yaml may have ({MAX_BYTES})")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(f"{name}:{line}: not UTF-8; save the file with that encoding") from error
    return _Reader(Document(name, text=text), environment).read()


def scalar(text: str) -> str:
    """`text` as it is written in a list or after a key: in quotes where needed, and so that it is read as itself."""
    return _quoted_where_needed(text.replace("${", "$${"))


def template(text: str) -> str:
    """A text that takes values from the environment (`${NAME}`) as it is written in a list or after a key."""
    return _quoted_where_needed(text)


def fill(text: str, environment: Mapping[str, str]) -> tuple[str, tuple[Filled, ...]]:
    """The text with the values of its variables, and where these stand. Raises ValueError with what is wrong."""
    found, filled, at = "", [], 0
    for match in _VARIABLE.finditer(text):
        found, at = found + text[at : match.start()], match.end()
        literal, name, end = match.groups()
        if literal:
            found += "${"
            continue
        if not end or not _VARIABLE_NAME.fullmatch(name):
            raise ValueError(f"{quoted(match.group())} names no variable; write ${{NAME}}")
        if name not in environment:
            raise ValueError(f"the environment variable {name} is not set")
        filled.append(Filled(name, len(found), len(found) + len(environment[name])))
        found += environment[name]
    return found + text[at:], tuple(filled)


def _quoted_where_needed(text: str) -> str:
    tag = _RESOLVER.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    if tag == _TAG + "str" and _PLAIN.fullmatch(text) and text == text.strip():
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())


class _Reader:
    """Turns the parser's events into the values of one document."""

    def __init__(self, document: Document, environment: Mapping[str, str]) -> None:
        self._document = document
        self._text = document.text
        self._environment = environment

    def read(self) -> Document:
        """Fills the document and gives it back."""
        try:
            events = yaml.parse(self._text, Loader=_LOADER)
            values: object = None
            documents = 0
            for event in events:
                if isinstance(event, yaml.DocumentStartEvent):
                    documents += 1
                    if documents > 1:
                        raise self._error(event, 'a second document starts here; remove the line "---"')
                elif isinstance(event, yaml.NodeEvent):
                    values = self._value(event, events, ())
        except yaml.reader.ReaderError as error:
            line = self._text[: error.position].count("\n") + 1
            code = error.character if isinstance(error.character, int) else ord(error.character)
            raise self._error(line, f"holds the control character U+{code:04X}; remove it") from error
        except yaml.MarkedYAMLError as error:
            raise self._syntax_error(error) from error
        if values is None:  # an empty file, or nothing but comments
            values = {}
        if not isinstance(values, dict):
            raise self._document.mistake((), 'must hold settings such as "sources:" at its top level')
        self._document.values = values
        return self._document

    def _value(self, event: yaml.Event, events: Iterator[yaml.Event], place: Place) -> object:
        self._document.lines.setdefault(place, _line(event))
        if len(place) > MAX_DEPTH:
            raise self._error(event, "nested too deep")
        if isinstance(event, yaml.AliasEvent):
            raise self._error(
                event, f'aliases ("*{event.anchor}") are not read; what sources share goes under "defaults:"'
            )
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, place)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[object] = []
            brackets, start = bool(event.flow_style), _start(event)
            while not isinstance(event := next(events), yaml.SequenceEndEvent):
                items.append(self._value(event, events, (*place, len(items))))
            end = _end(event) if brackets else self._last((*place, len(items) - 1))
            self._document.spans[place] = Span(start, end, brackets)
            return items
        mapping: dict[str, object] = {}
        brackets, start, end = isinstance(event, yaml.MappingStartEvent) and bool(event.flow_style), _start(event), 0
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise self._error(event, "a key must be a plain word")
            key = event.value
            within = (*place, key)
            if key in mapping:
                first = self._document.line(within)
                raise self._error(event, f"the key {quoted(key)} stands here twice (first on line {first})")
            self._document.lines[within] = _line(event)
            end = _end(event)
            mapping[key] = self._value(next(events), events, within)
            end = max(end, self._last(within))
        self._document.spans[place] = Span(start, _end(event) if brackets else end, brackets)
        return mapping

    def _last(self, place: Place) -> int:
        """The end of a value that was read; without brackets a list or mapping ends with the last thing in it."""
        return self._document.spans[place].end

    def _scalar(self, event: yaml.ScalarEvent, place: Place) -> object:
        if event.tag is not None and event.tag != _TAG + "str":
            raise self._error(event, f"the tag {quoted(event.tag)} is not read; remove it")
        written = event.value
        self._document.written[place] = written
        start = _start(event)  # the end of a block of text takes in the blank lines below it
        self._document.spans[place] = Span(start, start + len(self._text[start : _end(event)].rstrip()))
        try:
            text, filled = fill(written, self._environment)
        except ValueError as error:
            raise self._error(event, str(error)) from error
        if place[:1] == ("sources",) and place[2:3] == ("feeds",) and place[4:] == ("url",):
            text, filled = _without_feed_scheme(text, filled)
        if filled:
            self._document.filled[place] = filled
        if not event.implicit[0]:  # in quotes, or a block
            return text
        tag = _RESOLVER.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
        try:
            return _MAKE[tag](yaml.ScalarNode(tag, text)) if tag in _MAKE else text
        except ValueError:  # a number of thousands of digits
            return text

    def _error(self, where: yaml.Event | int, message: str) -> ConfigError:
        line = where if isinstance(where, int) else _line(where)
        return ConfigError(f"{self._document.name}:{line}: {message}")

    def _syntax_error(self, error: yaml.MarkedYAMLError) -> ConfigError:
        mark = error.problem_mark or error.context_mark
        lines = self._text.rstrip("\n").split("\n")
        line = min(mark.line + 1 if mark else 1, len(lines))  # at the end of the file it is one too many
        hint = "; indent with spaces, not tabs" if "\t" in lines[line - 1] else ""
        return self._error(line, f"no valid YAML: {error.problem or error.context}{hint}")


def _without_feed_scheme(text: str, filled: tuple[Filled, ...]) -> tuple[str, tuple[Filled, ...]]:
    """The address of a feed without `feed:` before it, and where values of the environment stand in that."""
    address = without_feed_scheme(text)
    cut = len(text) - len(address)
    return address, tuple(Filled(one.name, max(0, one.start - cut), one.end - cut) for one in filled)


def _line(event: yaml.Event) -> int:
    """The line an event starts on, counted from 1."""
    return event.start_mark.line + 1 if event.start_mark else 1


def _start(event: yaml.Event) -> int:
    return event.start_mark.index if event.start_mark else 0


def _end(event: yaml.Event) -> int:
    return event.end_mark.index if event.end_mark else 0


def _in_words(place: Place, values: object) -> str:
    """A place such as `sources[3].feeds[0].url (id "x")`; the id helps where entries were moved about."""
    words = ""
    for step in place:
        words += f"[{step}]" if isinstance(step, int) else f"{'.' if words else ''}{step}"
    if len(place) >= 2 and place[0] == "sources" and isinstance(place[1], int) and isinstance(values, dict):
        sources = values.get("sources")
        entry = sources[place[1]] if isinstance(sources, list) else None
        identity = entry.get("id") if isinstance(entry, dict) else None
        if isinstance(identity, str):
            words += f" (id {quoted(identity)})"
    return words
