"""The commands that correct, as a person or a program sees them."""

from pathlib import Path

import pytest
from tests.command import Outcome, storyheat

from storyheat.core.clustering.consolidate import MergeProposal, SplitProposal
from storyheat.pipeline.proposals import Proposals
from storyheat.present import proposals as presenting
from storyheat.store.database import open_database
from storyheat.store.queries import ask
from storyheat.store.runlock import run_lock

AT = "--at=2026-10-27T20:00:00Z"


@pytest.fixture
def desk(planted: list[str], tmp_path: Path) -> list[str]:
    """`--db=…` and `--config=…` of a copy of the planted day, and who corrects."""
    original = open_database(planted[0].removeprefix("--db="))
    original.copy_to(tmp_path / "copy.db")
    original.close()
    return [f"--db=sqlite:///{tmp_path / 'copy.db'}", planted[1]]


def stories(desk: list[str]) -> list[str]:
    return [one["id"] for one in storyheat("top", "--json", AT, *desk).json["stories"]]


def told(*arguments: str) -> Outcome:
    return storyheat(*arguments, "--by", "ada")


def test_a_merged_story_is_found_by_both_ids_everywhere(desk: list[str]) -> None:
    engine, bridge = stories(desk)
    before = storyheat("story", engine, "--json", AT, *desk).json
    done = told("merge", engine, bridge, "--why", "one \x1b[31mevent", "--json", *desk).json
    assert (done["kind"], done["who"], done["why"]) == ("merge", "ada", "one [31mevent")
    old, new = done["arguments"]["story"], done["arguments"]["into"]
    assert done["leads"] == {old: new}
    [merged] = done["stories"]
    assert (merged["id"], merged["voices"]) == (new, 3)
    for command, key in (("story", "id"), ("heat", "story"), ("explain", "story")):
        assert storyheat(command, old, "--json", AT, *desk).json[key] == new
    assert storyheat("story", new, "--json", AT, *desk).json["aliases"] == [old]
    assert stories(desk) == [new]
    assert storyheat("rebuild", "--check", *desk).code == 0
    [line, *_] = told("undo", *desk).out.splitlines()
    assert line.startswith("c2: c1 was undone: ")
    assert storyheat("story", engine, "--json", AT, *desk).json == before


def test_a_copy_moves_with_its_text_and_the_receipt_tells(desk: list[str]) -> None:
    engine, bridge = stories(desk)
    items = {one["role"]: one for day in storyheat("story", engine, "--json", AT, *desk).json["timeline"]
             for one in day["items"]}  # fmt: skip
    shown = told("move", items["copy"]["id"], bridge, *desk)
    assert f"with 1 copy: {items['copy']['id']}" in shown.out
    assert "`storyheat undo c1` takes it back" in shown.out
    told_why = storyheat("explain", engine, "--json", AT, *desk).json["not_counted"]
    assert "moved out by hand" in [one["because"] for one in told_why]
    explained = storyheat("explain", "--item", items["copy"]["copy_of"], *desk).out
    assert f"It is a report in {bridge}" in explained
    assert f"Before, it was a report in {engine}" in explained
    assert storyheat("explain", "--item", items["copy"]["id"], "--json", *desk).json["earlier"][0]["role"] == "copy"


def test_the_history_of_a_story_tells_what_when_and_by_whom(desk: list[str]) -> None:
    engine, _ = stories(desk)
    day = storyheat("story", engine, "--json", AT, *desk).json["timeline"][0]["items"]
    report = next(one["id"] for one in day if one["role"] == "report")
    mention = next(one["id"] for one in day if one["role"] == "mention")
    told("pin", report, "--why", "sure", *desk)
    told("unpin", report, *desk)
    told("undo", *desk)
    told("move", mention, engine, "--as", "none", *desk)
    told("move", report, "--alone", *desk)
    history = storyheat("history", engine, "--json", *desk).json
    assert [one["correction"]["kind"] for one in history["events"] if one["correction"]] == [
        "split", "move", "undo", "unpin", "pin",
    ]  # fmt: skip
    assert [one["undone_by"] for one in history["events"][:5]] == [None, None, None, 3, None]
    assert history["events"][-1]["who"] == "machine"
    lines = storyheat("history", engine, "-n", "5", *desk).out.splitlines()
    assert lines[0].startswith(engine)
    assert "was taken out of" in lines[2]
    assert "undone by c3" in lines[4]
    assert lines[5].endswith("(sure)")
    assert lines[-1] == "… and older; -n shows more"
    assert storyheat("explain", "--item", mention, *desk).out.count("It was taken out by hand.") == 1


def test_a_split_can_be_said_and_undone(desk: list[str]) -> None:
    engine, _ = stories(desk)
    report = storyheat("explain", engine, "--json", AT, *desk).json["terms"][0]["item"]
    shown = told("split", engine, report, *desk).out
    assert "is a story of its own now" in shown
    assert storyheat("undo", "1", "--quiet", *desk).out == ""
    assert storyheat("undo", "c2", "--json", *desk).json["who"], "the login name, if nobody is named"
    told("undo", "c3", *desk)
    assert stories(desk)[0] == engine


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["merge", "s"], "Missing argument"),
        (["move", "i123"], "name a story, or --alone"),
        (["move", "i123", "s1", "--alone"], "name a story, or --alone"),
        (["move", "i123", "s1", "--as", "copy"], '"copy" is none of report, mention, none'),
        (["undo", "--by", " "], "--by: there is nothing in it"),
        (["undo"], "so far back: 0 hold now"),
        (["history", "sxyz"], 'no story has an id that begins with "sxyz"'),
    ],
)
def test_wrong_usage_is_one_line(desk: list[str], arguments: list[str], words: str) -> None:
    outcome = storyheat(*arguments, *desk)
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_correction_waits_for_no_run(desk: list[str]) -> None:
    with run_lock(desk[0].removeprefix("--db=")):
        outcome = told("merge", *stories(desk), *desk)
    assert outcome.code == 1
    assert "another run is at work" in outcome.err


def test_proposals_come_with_the_command_that_accepts_them(desk: list[str]) -> None:
    engine, _ = stories(desk)
    report = storyheat("explain", engine, "--json", AT, *desk).json["terms"][0]["item"]
    assert "Nothing to propose" in storyheat("proposals", *desk).out
    told("split", engine, report, *desk)
    assert storyheat("proposals", "--json", *desk).json["merges"] == [], "a person parted them"


def test_a_proposal_is_told_with_its_reason(desk: list[str]) -> None:
    engine, bridge = stories(desk)
    report = storyheat("explain", engine, "--json", AT, *desk).json["terms"][0]["item"]
    merge = MergeProposal(engine, bridge, 1.25, 0.5, {"z": [1.25]})
    found = Proposals(
        [merge], [SplitProposal(engine, (report,), -2.0, {}), SplitProposal(bridge, ("ix", "iy"), -2.5, {})]
    )
    database = open_database(desk[0].removeprefix("--db="))
    with ask(database) as questions:
        merges, splits = presenting.told(found, questions)
    database.close()
    accepted = presenting.as_json(found, merges, splits)
    [told_merge] = accepted["merges"]
    assert told_merge["command"] == f"storyheat merge {told_merge['into']} {told_merge['story']}"
    assert "score +1.25 with the other, the least of them +0.50" in told_merge["reason"]
    assert [one["command"] for one in accepted["splits"]] == [
        f"storyheat split {engine} {report}", f"storyheat split {bridge} ix iy",
    ]  # fmt: skip
    assert "it scores −2.00" in splits[0].reason
    assert splits[1].names[1] == "ix “(without a title)”"
