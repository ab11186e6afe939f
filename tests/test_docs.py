"""The documents cannot rot: what the program has is in them, and what they link to is there."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from storyheat.cli.commands import app
from storyheat.core.feeds.doctor import FindingKind
from storyheat.core.model import FailureKind
from storyheat.settings.reference import with_reference
from storyheat.store.schema import described, described_views, views

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])

SCHEMA_BEGIN = "<!-- schema: made by storyheat.store.schema -->"
SCHEMA_END = "<!-- end of schema -->"
VIEWS_BEGIN = "<!-- views: made by storyheat.store.schema -->"
VIEWS_END = "<!-- end of views -->"
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def page(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def anchor(heading: str) -> str:
    """The fragment that a heading gets when Markdown is shown as a page."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def options() -> Iterator[tuple[str, str]]:
    """Every command of the command line with every option of its own."""
    pending: list[tuple[str, Any]] = [("storyheat", get_command(app))]
    while pending:
        name, command = pending.pop()
        yield name, ""
        for parameter in command.params:
            if parameter.param_type_name == "option":
                yield from ((name, option) for option in parameter.opts if option.startswith("--"))
        pending += [(f"{name} {part}", inner) for part, inner in getattr(command, "commands", {}).items()]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    for target in _LINK.findall(_FENCE.sub("", path.read_text("utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, fragment = target.partition("#")
        file = (path.parent / name) if name else path
        assert file.exists(), f"{target} leads nowhere"
        if fragment:
            headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE)
            assert fragment in {anchor(heading) for heading in headings}, f"{target}: no such heading"


def test_every_setting_is_documented() -> None:
    text = page("configuration.md")
    assert with_reference(text) == text, "run: python -m storyheat.settings.reference docs/configuration.md"


def test_every_variable_is_documented() -> None:
    text = page("configuration.md")
    code = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    for name in sorted(set(re.findall(r"STORYHEAT_[A-Z_]+", code))):
        assert f"`{name}`" in text


def test_every_view_is_documented() -> None:
    text = page("data-model.md")
    for name, _ in views():
        assert f"`{name}`" in text


def test_the_views_are_those_of_the_code() -> None:
    block = page("data-model.md").split(VIEWS_BEGIN)[1].split(VIEWS_END)[0]
    assert block.strip() == described_views().strip()


def test_the_schema_is_the_one_of_the_code() -> None:
    block = page("data-model.md").split(SCHEMA_BEGIN)[1].split(SCHEMA_END)[0]
    assert block.strip() == described().strip()


def test_every_command_and_option_is_documented() -> None:
    _, *parts = re.split(r"^##+ ", page("commands.md"), flags=re.MULTILINE)
    sections = {heading.strip("`"): text for heading, _, text in (part.partition("\n") for part in parts)}
    common = sections["Options of every command"]
    for name, option in options():
        assert name in sections, f"no section {name}"
        assert not option or f"`{option}" in sections[name] + common, f"{name} does not explain {option}"


@pytest.mark.parametrize(
    ("heading", "kinds"), [("When a feed fails", FailureKind), ("What the doctor finds", FindingKind)]
)
def test_every_kind_of_trouble_is_documented(heading: str, kinds: type[FailureKind] | type[FindingKind]) -> None:
    section = page("operating.md").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:2] == "| "]
    assert sorted(row[0] for row in rows[1:]) == sorted(f"`{kind.value}`" for kind in kinds)
    assert all(len(row) == 4 and all(row) for row in rows)


def test_every_decision_has_its_parts() -> None:
    numbers = []
    for path in sorted((DOCS / "decisions").glob("*.md")):
        numbers.append(int(path.name[:4]))
        text = path.read_text("utf-8")
        for part in ("Question", "Answer", "Why", "What we gave up", "When to look again"):
            assert f"\n## {part}\n" in text, f"{path.name}: no part {part!r}"
    assert numbers == list(range(len(numbers))), "decisions are numbered one by one"
