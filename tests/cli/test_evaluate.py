"""What another number would do to the stories of a database, and why an item is where it is, as a person asks."""

import json
from collections import defaultdict
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
from tests.command import on_terminal, storyheat
from tests.make import Post, rss, utc, write_recording

from storyheat.cluster_file import make_clusterer
from storyheat.core.clustering.model import ClusterParams
from storyheat.pipeline.what_if import judge
from storyheat.pipeline.what_if import what_if as what_if_of
from storyheat.store.database import open_database


@pytest.fixture(scope="module")
def week(tmp_path_factory: pytest.TempPathFactory, root: Path) -> str:
    """`--db=…` of the labelled week, polled once at its end."""
    posts = defaultdict(list)
    for line in (root / "tests/golden/stories.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        at = utc(row["published"].removesuffix("Z"))
        posts[row["source"]].append(Post(row["title"], f"https://a.example/{row['id']}", at, text=row["text"]))
    folder = tmp_path_factory.mktemp("week")
    polled = utc("2026-03-09 00:00")
    recording = write_recording(
        folder / "recorded", {f"feed{number}": {polled: rss(*own)} for number, own in enumerate(posts.values())}
    )
    database = f"--db=sqlite:///{folder / 'storyheat.db'}"
    assert storyheat("replay", recording, database).code == 0
    return database


def what_if(database: str, *numbers: str) -> Any:
    return storyheat("eval", *(f"--what-if={one}" for one in numbers), database).json


def test_nothing_changes_where_nothing_is_changed(week: str) -> None:
    found = what_if(week, "threshold=0")
    assert found["numbers"] == {"threshold": {"now": 0.0, "then": 0.0}}
    assert found["changes"] == []
    assert found["stories"]["now"] == found["stories"]["then"]
    assert found["items"] == found["stored"] >= 150


def test_a_threshold_out_of_reach_splits_every_story_and_nothing_is_written(week: str) -> None:
    before = storyheat("db", "check", "--digest", "--json", week).json["digest"]
    found = what_if(week, "threshold=100")
    assert {change["kind"] for change in found["changes"]} == {"split"}
    for change in found["changes"][:3]:
        [now] = change["now"]
        shown = storyheat("story", now["stored"], "--at=2026-03-09", "--json", week).json
        assert now["reports"] == change["reports"] == len(change["then"]) == shown["reports"] + shown["copies"]
        assert {flow["now"] for flow in change["flows"]} == {now["id"]}
    reports = sum(change["reports"] - 1 for change in found["changes"])
    assert found["stories"]["then"] == found["stories"]["now"] + reports
    assert storyheat("db", "check", "--digest", "--json", week).json["digest"] == before


def test_a_lower_threshold_merges_stories_and_regroups_others(week: str) -> None:
    found = what_if(week, "threshold=-3", "close_look=8")
    assert {"merge", "regroup"} <= {change["kind"] for change in found["changes"]}
    for change in found["changes"]:
        reports = change["reports"]
        assert sum(story["reports"] for story in change["now"]) == reports
        assert sum(story["reports"] for story in change["then"]) == reports
        assert sum(flow["reports"] for flow in change["flows"]) == reports


@pytest.fixture
def corrected(week: str, tmp_path: Path) -> str:
    """`--db=…` of a copy of the week, to be corrected."""
    copyfile(week.removeprefix("--db=sqlite:///"), tmp_path / "corrected.db")
    return f"--db=sqlite:///{tmp_path / 'corrected.db'}"


def story_of(database: str, words: str, at: str) -> str:
    shown = storyheat("top", "-n99", f"--at={at}", "--json", database).json["stories"]
    [found] = [story["id"] for story in shown if words in story["title"]]
    return str(found)


def reports_of(database: str, story: str) -> list[str]:
    """Newest first."""
    days = storyheat("story", story, "--at=2026-03-09", "--json", database).json["timeline"]
    return [item["id"] for day in days for item in day["items"] if item["role"] == "report"]


def test_what_was_put_in_order_by_hand_stays_so(corrected: str) -> None:
    twelfth = story_of(corrected, "twelfth sanctions", "2026-03-03")
    thirteenth = story_of(corrected, "thirteenth sanctions", "2026-03-08")
    shooting = story_of(corrected, "Torvik ice rink", "2026-03-07")
    reports = reports_of(corrected, shooting)
    assert len(reports) >= 4
    assert storyheat("merge", twelfth, thirteenth, corrected).code == 0
    for item in reports[:2]:
        assert storyheat("pin", item, shooting, corrected).code == 0
    found = {one["now"][0]["stored"]: one for one in what_if(corrected, "threshold=100")["changes"]}
    [merged] = {twelfth, thirteenth} & found.keys()
    assert found[merged]["then"][0]["reports"] == 2  # the first reports of both
    assert found[shooting]["then"][0]["reports"] == 3  # the two that are pinned, and the first


def test_corrections_are_pairs_that_the_clusterer_gets_right_or_wrong(corrected: str) -> None:
    assert storyheat("eval", "--from-corrections", corrected).json["pairs"] == 0
    twelfth = story_of(corrected, "twelfth sanctions", "2026-03-03")
    thirteenth = story_of(corrected, "thirteenth sanctions", "2026-03-08")
    shooting = story_of(corrected, "Torvik ice rink", "2026-03-07")
    [first, *_] = reports_of(corrected, shooting)
    assert storyheat("pin", first, shooting, corrected).code == 0
    right = storyheat("eval", "--from-corrections", corrected).json
    assert (right["right"], right["wrong"], right["unseen"]) == (right["pairs"], [], 0)
    assert right["pairs"] >= 3
    assert storyheat("merge", twelfth, thirteenth, corrected).code == 0
    found = storyheat("eval", "--from-corrections", corrected).json
    assert found["right"] == right["right"]
    assert len(found["wrong"]) == found["pairs"] - found["right"] >= 9
    assert all(pair["same_story"] and pair["correction"] == 2 for pair in found["wrong"])
    alone = storyheat("eval", "--from-corrections", "--what-if=threshold=100", corrected).json
    assert (alone["right"], alone["numbers"]["threshold"]["then"]) == (0, 100.0)


def test_only_the_newest_items_are_looked_at(corrected: str) -> None:
    oldest = story_of(corrected, "twelfth sanctions", "2026-03-03")
    assert storyheat("pin", reports_of(corrected, oldest)[0], oldest, corrected).code == 0
    params, told = ClusterParams(), []
    database = open_database(corrected.removeprefix("--db="))
    changes = what_if_of(database, make_clusterer, params, params, lambda *done: told.append(done), newest=20)
    pairs = judge(database, make_clusterer, params, lambda *done: None, newest=20)
    database.close()
    assert (changes.items, told[-1], changes.changes) == (20, (20, 20), ())
    assert changes.stored >= 150
    assert (pairs.right, pairs.wrong) == ((), ())
    assert pairs.unseen


def test_a_person_reads_sentences(week: str) -> None:
    shown = on_terminal("eval", "--what-if=threshold=100", week, columns=100)
    assert "With threshold 100 instead of 0, the newest 15" in shown
    assert "more; -v shows all" in shown


def test_a_person_reads_a_table(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text("".join(f'{{"id": "{item}", "title": "", "story": "{item // 2}"}}\n' for item in range(6)))
    shown = on_terminal("eval", str(gold), columns=100)
    assert "BCubed         1.000     0.500     0.667" in shown
    assert "a second on one core" in shown
