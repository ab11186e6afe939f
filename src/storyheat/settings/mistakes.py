"""Turns what pydantic says about a file into one line for the person who wrote it."""

from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from storyheat.errors import ConfigError
from storyheat.settings.document import Document, Place
from storyheat.settings.quoting import quoted

_BOUNDS = {
    "greater_than": ("gt", "above"),
    "greater_than_equal": ("ge", "at least"),
    "less_than_equal": ("le", "at most"),
}
_TYPES = {
    "string_type": "text",
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "bool_type": "true or false",
    "list_type": "a list, such as [a, b]",
    "dict_type": 'a group of "topic: [word, word]" lines',
    "model_type": 'a group of "key: value" lines',
}


def first_mistake(error: ValidationError, document: Document, schema: type[BaseModel]) -> ConfigError:
    """The mistake that stands highest in the file; an unknown key before what is missing for its sake."""
    details = min(
        error.errors(include_url=False),
        key=lambda each: (document.line(each["loc"]), each["type"] != "extra_forbidden", each["loc"] == ()),
    )
    place: Place = details["loc"]
    if details["type"] == "extra_forbidden":
        key = str(place[-1])
        return document.mistake(place, _unknown(key, known_keys(schema, place[:-1])), within=place[:-1])
    if details["type"] == "missing":
        return document.mistake(place[:-1], f"needs {quoted(place[-1])}")
    if place[-1:] == ("[key]",):
        return document.mistake(place[:-2], f"the name {quoted(place[-2])} {details.get('ctx', {}).get('error')}")
    return document.mistake(place, _words(details, document))


def known_keys(schema: type[BaseModel], place: Place) -> list[str]:
    """The keys that may stand at `place`, in the order of the schema."""
    for step in place:
        if isinstance(step, str):
            schema = inner_section(schema.model_fields[step].annotation) or schema
    return keys_of(schema)


def keys_of(section: type[BaseModel]) -> list[str]:
    """The keys of a section: its own, then those it shares with others."""
    return sorted(section.model_fields, key=lambda key: key not in section.__annotations__)


def inner_section(annotation: Any) -> type[BaseModel] | None:
    """The section inside a type such as `Section`, `list[Section]` or `Section | None`, if there is one."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := inner_section(part))), None)


def _unknown(key: str, known: list[str]) -> str:
    close = get_close_matches(key.lower(), known, 1, 0.65)
    return f"unknown key {quoted(key)}; " + (
        f'did you mean "{close[0]}"?' if close else f"known are {', '.join(known)}"
    )


def _words(details: ErrorDetails, document: Document) -> str:
    """What is wrong with the value itself."""
    kind, place, value = details["type"], details["loc"], details["input"]
    context = details.get("ctx", {})
    shown = document.shown(place, value)
    if kind == "value_error":
        return f"{shown} {context['error']}" if place in document.written else str(context["error"])
    if kind == "enum":
        return f"must be {context['expected']}, not {shown}"
    if kind in _BOUNDS:
        name, word = _BOUNDS[kind]
        return f"must be {word} {context[name]:.12g}, not {shown}"
    if kind in _TYPES:
        if value is None:
            return f"is empty; it must be {_TYPES[kind]}"
        hint = "; put it in quotes" if kind == "string_type" and place in document.written else ""
        return f"must be {_TYPES[kind]}, not {shown}{hint}"
    return f"{shown}: {details['msg'][:1].lower()}{details['msg'][1:]}"
