"""The scripts: they parse, and they install once, again only when what they read has changed."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = ["scripts/setup.sh", "scripts/start", "scripts/test", ".ci/run"]

# Stands in for the Python in .venv: notes what pip is asked for, and refuses the extra "rare".
PYTHON = """#!/bin/sh
case "$*" in
    *rare*) exit 1 ;;
    *"pip install"*) echo "$*" | sed 's/.*--editable //' >>"$(dirname "$0")/asked" ;;
esac
"""


@pytest.mark.parametrize("script", SCRIPTS)
def test_it_is_bash_and_may_be_run(script: str) -> None:
    path = ROOT / script
    subprocess.run(["bash", "-n", path], check=True)
    assert path.suffix == ".sh" or path.stat().st_mode & 0o100


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with nothing but the files that an installation reads, and a venv."""
    for name in ("pyproject.toml", "constraints.txt", "src/storyheat/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("1")
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(PYTHON)
    python.chmod(0o755)
    return tmp_path


def install(project: Path, *arguments: str) -> tuple[list[str], str]:
    """What pip was asked for in one more set-up, and what was said."""
    asked = project / ".venv/bin/asked"
    asked.unlink(missing_ok=True)
    script = 'set -euo pipefail; root=$1; . "$2"; shift 2; install_locked "$@"; echo "missing:$missing"'
    run = subprocess.run(
        ["bash", "-c", script, "bash", project, ROOT / "scripts/setup.sh", *arguments],
        check=True,
        capture_output=True,
        text=True,
        timeout=30,
    )
    return (asked.read_text().splitlines() if asked.exists() else []), run.stdout + run.stderr


def test_it_installs_once_and_again_after_a_change(project: Path) -> None:
    assert install(project, "dev", "web", "fulltext")[0] == [".[dev,web,fulltext]"]
    assert install(project, "dev", "web", "fulltext") == ([], "missing:\n")
    (project / "constraints.txt").write_text("2")
    assert install(project, "dev", "web", "fulltext")[0] == [".[dev,web,fulltext]"]


def test_an_extra_that_cannot_be_installed_is_said_and_gone_on_without(project: Path) -> None:
    asked, said = install(project, "", "web", "rare")
    assert asked == [".", ".[web]"]
    assert 'Going on without the extra "rare"' in said
    assert "missing: rare" in said
