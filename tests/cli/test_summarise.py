"""`summarise` on the command line, with a model on loopback, and what `story` shows of it."""

from pathlib import Path
from shutil import copyfile

import pytest
from tests.command import storyheat
from tests.model import Reply, complains, says, serving

AT = "--at=2026-10-27T20:00Z"
ANSWER = {
    "summary": [{"text": "Quuxcorp released the seventh Zorblat engine in Torvik.", "items": [1]}],
    "why_it_matters": [{"text": "Plugins in the old format stop working in spring.", "items": [2]}],
    "players": [{"name": "Quuxcorp", "role": "It announced the engine.", "items": [2]}],
    "details": [{"text": "Compiling takes half the time.", "items": [2]}, {"text": "It costs $42.", "items": [2]}],
    "timeline": [{"text": "Quuxcorp showed the engine.", "items": [1]}],
    "takeaway": [],
}


@pytest.fixture
def own(planted: list[str], tmp_path: Path) -> list[str]:
    """`--db=…` and `--config=…` of a copy, since a brief would show in every other test."""
    database, config = planted
    copyfile(database.removeprefix("--db=sqlite:///"), tmp_path / "own.db")
    return [f"--db=sqlite:///{tmp_path / 'own.db'}", config]


@pytest.fixture
def engine(own: list[str]) -> str:
    """The story of the engine."""
    stories = storyheat("top", "--json", AT, *own).json["stories"]
    return str(max(stories, key=lambda one: int(one["voices"]))["id"])


def setup(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    for name, value in (("URL", url), ("MODEL", "tiny-1"), ("KEY", "sk-0123456789")):
        monkeypatch.setenv(f"STORYHEAT_LLM_{name}", value)


def test_without_a_model_it_says_what_to_set(own: list[str], engine: str) -> None:
    ended = storyheat("summarise", engine, *own)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "storyheat: no language model is set up: set STORYHEAT_LLM_URL and STORYHEAT_LLM_MODEL (and "
        "STORYHEAT_LLM_KEY where it wants one); summaries go on without one\n"
    )


def test_a_brief_from_the_command_to_the_story(own: list[str], engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving([says(ANSWER)]) as (url, script):
        setup(monkeypatch, url)
        dry = storyheat("summarise", engine, "--dry-run", *own)
        assert (dry.code, len(script.requests)) == (0, 0)
        assert dry.out.startswith(f"{engine}  would be asked for: 2 reports, at most ")
        done = storyheat("summarise", engine, *own)
        assert (done.code, done.err) == (0, "")
        assert done.out.startswith(f"{engine}  written: 5 sentences from 2 reports, 1 dropped, 900 tokens.  ")
        again = storyheat("summarise", engine, "--json", *own)
        assert again.json["stories"][0]["outcome"] == "up_to_date"
        assert again.json["spent_today"] == {"requests": 1, "of_requests": 200, "tokens": 900, "of_tokens": 500_000}
        assert storyheat("summarise", engine, "-q", *own).out == ""
        assert "sk-0123456789" not in done.out + again.out
    told = storyheat("story", engine, AT, *own).out
    for line in (
        "  Quuxcorp released the seventh Zorblat engine in Torvik. [",
        "Why it matters\n  Plugins in the old format stop working in spring. [",
        "The players\n  Quuxcorp: It announced the engine. [",
        "The details\n  Compiling takes half the time. [",
        "What happened when\n  Tue Oct 27 2026: Quuxcorp showed the engine. [",
        "  Written by the model tiny-1, ",
    ):
        assert line in told
    assert "The takeaway" not in told
    assert "$42" not in told
    assert storyheat("story", engine, "--json", AT, *own).json["summary"]["made_by"] == "tiny-1"


@pytest.mark.parametrize(
    ("replies", "code", "out", "err"),
    [
        ([complains(503)], 1, "failed: 127.0.0.1 is busy or out of order (status 503)", "written: 127.0.0.1 is busy"),
        ([says("No.")], 1, "failed: the answer is no JSON object", "no brief was written: the answer is no JSON"),
        ([says(ANSWER), Reply(404)], 3, "failed: 127.0.0.1 answered with status 404", ""),
    ],
)  # fmt: skip
def test_what_fails_has_a_line_and_a_code(
    own: list[str], monkeypatch: pytest.MonkeyPatch, replies: list[Reply], code: int, out: str, err: str
) -> None:
    stories = [one["id"] for one in storyheat("top", "--json", AT, *own).json["stories"]]
    stories.sort(key=lambda one: -len(storyheat("story", one, "--json", AT, *own).json["timeline"][0]["items"]))
    with serving(replies) as (url, _):
        setup(monkeypatch, url)
        config = Path(own[1].removeprefix("--config=")).read_text("utf-8") + "summaries: {retries: 0}\n"
        file = Path(own[0].removeprefix("--db=sqlite:///")).with_name("feeds.yaml")
        file.write_text(config, "utf-8")
        ended = storyheat("summarise", *stories[: 2 if code == 3 else 1], own[0], f"--config={file}")
    assert ended.code == code
    assert out in ended.out
    assert err in ended.err


def test_where_nothing_is_hot_it_says_so(own: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    setup(monkeypatch, "http://127.0.0.1:9/v1")
    ended = storyheat("summarise", *own)
    assert (ended.code, ended.out) == (0, "No story has heat now; name one by its id to have its brief written.\n")
    assert storyheat("summarise", "s", "--limit", "3", *own).code == 2
    config = Path(own[0].removeprefix("--db=sqlite:///")).with_name("off.yaml")
    config.write_text("summaries: {enabled: false}\n", "utf-8")
    assert "summaries.enabled is false" in storyheat("summarise", own[0], f"--config={config}").err
