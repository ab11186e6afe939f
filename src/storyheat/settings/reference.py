"""Writes the tables of docs/configuration.md from the schema, so that no setting is without its words.

`python -m storyheat.settings.reference docs/configuration.md` renews the part between the two marks.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from storyheat.settings.mistakes import inner_section, keys_of
from storyheat.settings.schema import FeedsFile

BEGIN = "<!-- settings: made by storyheat.settings.reference -->"
END = "<!-- end of settings -->"


def settings_reference() -> str:
    """A section of Markdown for each section of feeds.yaml: what it is, and a table of its keys."""
    return "\n\n".join(_section("", FeedsFile))


def with_reference(page: str) -> str:
    """`page` with what stands between the two marks made anew."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n\n{settings_reference()}\n\n{END}{after}"


def _section(name: str, section: type[BaseModel]) -> Iterator[str]:
    """The section called `name`, then those inside it."""
    rows = ["| key | default | unit | what it means |", "|---|---|---|---|"]
    inside: list[tuple[str, type[BaseModel]]] = []
    for key in keys_of(section):
        field = section.model_fields[key]
        inner = inner_section(field.annotation)
        rows.append(_row(key, field, inner))
        if inner is not None:
            inside.append((f"{name}.{key}" if name else key, inner))
    title = f"## `{name}`" if name else "## The whole file"
    yield "\n".join([title, "", section.__doc__ or "", "", *rows])
    for inner_name, inner in inside:
        yield from _section(inner_name, inner)


def _row(key: str, field: FieldInfo, inner: type[BaseModel] | None) -> str:
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    if field.is_required():
        default = "must be given"
    elif extra["shown"]:
        default = str(extra["shown"])
    elif inner is not None:
        default = "see below"
    else:
        default = f"`{json.dumps(field.default)}`"
    return f"| `{key}` | {default} | {extra['unit']} | {field.description} |"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_reference(path.read_text("utf-8")), "utf-8")
