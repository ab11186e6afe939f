"""A short notation for JSON Schemas."""

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
COUNT: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}
INSTANT: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", "description": "UTC"}
DATE: Schema = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\d$"}
RECORD: Schema = {"type": "object"}


def one_of(*words: str) -> Schema:
    """One of some words."""
    return {"enum": list(words)}


def maybe(schema: Schema) -> Schema:
    """The value, or null for unknown."""
    return {"anyOf": [schema, {"type": "null"}]}


def each(schema: Schema) -> Schema:
    """A list of values of one kind."""
    return {"type": "array", "items": schema}


def fields(properties: Mapping[str, Schema], note: str = "") -> Schema:
    """An object that has at least these fields."""
    made: Schema = {"type": "object", "properties": dict(properties), "required": list(properties)}
    return made | ({"description": note} if note else {})


LEVEL = one_of("first_party", "press", "discussion")
