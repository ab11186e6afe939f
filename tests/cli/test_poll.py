"""The commands of the reader poll."""

from pathlib import Path

import pytest
from tests.command import storyheat

from storyheat.store.database import open_database

AT = "--at=2026-10-27T20:00:00Z"


@pytest.fixture
def desk(planted: list[str], tmp_path: Path) -> list[str]:
    """`--db=…` and `--config=…` of a copy of the planted day."""
    original = open_database(planted[0].removeprefix("--db="))
    original.copy_to(tmp_path / "copy.db")
    original.close()
    return [f"--db=sqlite:///{tmp_path / 'copy.db'}", planted[1]]


def test_a_poll_from_its_question_to_its_end(desk: list[str]) -> None:
    engine, bridge = (one["id"] for one in storyheat("top", "--json", AT, *desk).json["stories"])
    assert storyheat("poll", "show", *desk).out == "There is no poll: `storyheat poll set` asks one.\n"
    asked = storyheat("poll", "set", engine[:6], "Will it hold?", "--answers", "yes,no", *desk)
    assert asked.out.splitlines()[:4] == [engine, "  Will it hold?", "  yes", "         0    0%"]
    told = storyheat("poll", "set", bridge, "会封闭吗？", "--answers", "会，不会", "--json", *desk).json["polls"]
    assert [(one["story"], [answer["text"] for answer in one["answers"]]) for one in told] == [(bridge, ["会", "不会"])]
    shown = storyheat("poll", "show", "--json", *desk).json["polls"]
    assert [one["story"] for one in shown] == [bridge, engine]
    assert "closed" in storyheat("poll", "close", engine, *desk).out
    assert storyheat("poll", "close", engine, *desk).code == 2
    assert storyheat("rebuild", *desk).code == 0
    assert storyheat("story", engine, "--json", AT, *desk).json["poll"]["closed_at"]
    assert storyheat("poll", "remove", engine, *desk).out == f"{engine} has no poll now\n"
    assert storyheat("poll", "remove", bridge, "--quiet", *desk).out == ""
    assert storyheat("story", engine, "--json", AT, *desk).json["poll"] is None


def test_a_poll_follows_a_merge_and_comes_back(desk: list[str]) -> None:
    engine, bridge = (one["id"] for one in storyheat("top", "--json", AT, *desk).json["stories"])
    storyheat("poll", "set", engine, "Will it hold?", "--answers", "yes,no", *desk)
    storyheat("poll", "set", bridge, "Or this?", "--answers", "yes,no", *desk)
    storyheat("merge", engine, bridge, *desk)
    [one] = storyheat("poll", "show", "--json", *desk).json["polls"]
    assert one["question"] == "Or this?"
    storyheat("undo", *desk)
    assert storyheat("poll", "show", engine, "--json", *desk).json["polls"][0]["question"] == "Will it hold?"


def test_what_cannot_be_asked(desk: list[str]) -> None:
    [engine, _] = (one["id"] for one in storyheat("top", "--json", AT, *desk).json["stories"])
    few = storyheat("poll", "set", engine, "Well?", "--answers", "yes", *desk)
    assert (few.code, few.err) == (2, "storyheat: poll set: a poll has 2 to 10 answers, not 1\n")
    assert storyheat("poll", "set", "snone", "Well?", "--answers", "yes,no", *desk).code == 2
    assert storyheat("poll", "close", engine, *desk).err.startswith(f"storyheat: {engine} has no poll")
