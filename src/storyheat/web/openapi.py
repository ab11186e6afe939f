"""The description of the JSON API as an OpenAPI document, made from its operations and the schemas of the objects."""

from datetime import datetime
from typing import Any

from storyheat import __version__
from storyheat.present.notation import COUNT, TEXT, Schema, fields, maybe
from storyheat.present.schemas import OBJECTS, schema
from storyheat.web.operations import OPERATIONS, PREFIX, Operation, Parameter, schema_of

PROBLEM = fields(
    {
        "type": {**TEXT, "format": "uri-reference", "description": "which kind of problem; leads to its meaning"},
        "title": TEXT,
        "status": COUNT,
        "detail": TEXT,
        "instance": {**TEXT, "format": "uri-reference", "description": "the address that was asked"},
        "reference": {**maybe(TEXT), "description": "under which the log of the server has more"},
    },
    "RFC 9457",
)
ETAG = {"description": "names the content; with If-None-Match it is not sent again", "schema": TEXT}
LINK = {"description": 'rel="next", "prev", "first": other parts; rel="canonical": the whole id', "schema": TEXT}
_FAILURES = {
    "400": "A parameter makes no sense; detail says which and why",
    "404": "There is no such thing, or several fit the beginning of an id",
    "500": "A mistake in storyheat",
    "503": "The database is missing, held, or of another version",
}


def document(now: datetime) -> dict[str, Any]:
    """The whole document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "storyheat",
            "version": __version__,
            "summary": "What is hot in the news feeds you follow, since when, when it peaked, and why.",
            "description": "The objects are those that the commands print with --json.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": {PREFIX + one.path: {"get": _operation(one, now)} for one in OPERATIONS.values()},
        "components": {
            "schemas": {
                "problem": PROBLEM,
                **{
                    _named(name): _embedded(name)
                    for name in OBJECTS
                    if name in {o.answers for o in OPERATIONS.values()}
                },
            }
        },
    }


def _operation(one: Operation, now: datetime) -> dict[str, Any]:
    parameters = [_parameter(parameter, now) for parameter in one.parameters]
    if one.of:
        meaning = "Its id, whole" if one.of == "source" else "Its id, an old one that leads to it, or its first letters"
        shape: Schema = {"type": "string", "pattern": "^[A-Za-z0-9._-]*[A-Za-z0-9_-][A-Za-z0-9._-]*$", "maxLength": 100}
        parameters.insert(0, {"name": "name", "in": "path", "required": True, "description": meaning, "schema": shape})
    content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{_named(one.answers)}"}}}
    headers = {"ETag": ETAG, **({"Link": LINK} if one.paged or one.of else {})}
    return {
        "operationId": one.name,
        "summary": one.summary,
        "parameters": parameters,
        "responses": {
            "200": {"description": one.summary, "headers": headers, "content": content},
            "304": {"description": "What was sent with this ETag still holds"},
            **{status: _problem(meaning) for status, meaning in _FAILURES.items() if status != "404" or one.of},
        },
    }


def _parameter(one: Parameter, now: datetime) -> dict[str, Any]:
    return {
        "name": one.name,
        "in": "query",
        "required": one.required,
        "description": one.meaning,
        "schema": schema_of(one, now),
        **({"style": "form", "explode": True} if one.repeated else {}),
    }


def _problem(meaning: str) -> dict[str, Any]:
    content = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/problem"}}}
    return {"description": meaning, "content": content}


def _embedded(name: str) -> Schema:
    return {key: value for key, value in schema(name).items() if key != "$schema"}


def _named(name: str) -> str:
    """`top-1` for `top/1`."""
    return name.replace("/", "-")
