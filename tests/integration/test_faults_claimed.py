"""Every fault case has its copy here and a test that claims it, so that none is forgotten."""

from pathlib import Path

import pytest
from tests.integration import test_faults_parse, test_faults_store, test_http_faults

TESTS = Path(__file__).resolve().parents[1]
FAULTS = TESTS / "faults"
BY_PATTERN = {case.name for case in test_faults_parse.CASES}
BY_PATTERN |= {*test_http_faults.POLLED_CASES, *test_faults_store.PLAYED, *test_faults_store.DOCUMENTS}
INPUTS = ("input.xml", "input.json", "input.html", "http.json", "expect.json")


def claimed(case: str, sources: str) -> bool:
    """Whether a test takes the case by a pattern or names it."""
    return case in BY_PATTERN or f'"{case}"' in sources


@pytest.fixture(scope="module")
def sources() -> str:
    """The text of all tests but this one."""
    return "\n".join(path.read_text("utf-8") for path in sorted(TESTS.rglob("test_*.py")) if path != Path(__file__))


def test_every_case_here_is_claimed(sources: str) -> None:
    assert [case.name for case in sorted(FAULTS.iterdir()) if not claimed(case.name, sources)] == []


def test_every_shared_case_is_here_unchanged(shared: Path, sources: str) -> None:
    cases = sorted(path for path in (shared / "faults").iterdir() if path.is_dir())
    assert len(cases) >= 59
    for case in cases:
        assert claimed(case.name, sources), case.name
        for name in INPUTS:
            if (case / name).is_file():
                assert (FAULTS / case.name / name).read_bytes() == (case / name).read_bytes(), f"{case.name}/{name}"
