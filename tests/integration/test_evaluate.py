"""`eval` on files: the figures of the independent scorer on odd inputs, short forms, and what is refused."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.command import storyheat

Rows = list[dict[str, Any]]

GOLD: Rows = [
    {"id": "a", "story": "x", "title": "Ferry stuck"},
    {"id": "b", "story": "x"},
    {"id": 3, "story": "x"},
    {"id": "d", "story": 1},
    {"id": "e", "story": 1.0},
    {"id": "f", "story": "1"},
    {"id": "g", "story": ""},
    {"id": "h", "story": None},
    {"id": "i"},
]
ODD: dict[str, Rows] = {
    "all missing": [],
    "null stories": [{"id": "a", "story": None}, {"id": "b", "story": "p"}, {"id": "3"}],
    "extra": [
        {"id": "a", "story": "p"},
        {"id": "h", "story": "p"},
        {"id": "z", "story": "p"},
        {"id": "b", "story": "p"},
    ],
    "mentions": [
        {"id": "a", "story": "p", "role": "report", "mentions": ["q"]},
        {"id": "b", "story": None, "role": "mention", "mentions": ["p"]},
        {"id": "d", "story": "q", "role": "copy", "mentions": []},
    ],
    "numbers and texts": [{"id": "a", "story": 1}, {"id": "b", "story": "1"}, {"id": 3, "story": 1.0}, {"id": "d"}],
    "one story": [{"id": row["id"], "story": "p"} for row in GOLD],
    "singletons": [{"id": row["id"], "story": number} for number, row in enumerate(GOLD)],
    "right": GOLD,
}


def write(path: Path, rows: Rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n\n" for row in rows), "utf-8")
    return path


def flat(value: Any, name: str = "") -> dict[str, Any]:
    if not isinstance(value, dict):
        return {name: value}
    return {key: leaf for inner, one in value.items() for key, leaf in flat(one, f"{name}.{inner}").items()}


@pytest.mark.parametrize("name", ODD)
def test_odd_inputs_are_scored_as_by_the_independent_scorer(tmp_path: Path, shared: Path, name: str) -> None:
    gold, predicted = write(tmp_path / "gold.jsonl", GOLD), write(tmp_path / "pred.jsonl", ODD[name])
    command = [sys.executable, str(shared / "eval" / "score.py"), str(gold), str(predicted)]
    run = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    theirs = flat(json.loads(run.stdout))
    ours = flat(storyheat("eval", gold, predicted).json)
    assert {key: pytest.approx(value, abs=5.1e-6) for key, value in theirs.items()} == {
        key: ours[key] for key in theirs
    }  # it rounds to five decimals


def test_our_clusterer_is_scored_with_its_speed(tmp_path: Path) -> None:
    rows: Rows = [
        {"id": "a", "published": "2026-03-01", "title": "Petrel ferry stuck off Marrow Island", "story": "ferry"},
        {"id": "b", "published": "2026-03-02", "title": "Petrel ferry freed off Marrow Island", "story": "ferry"},
        {"id": "c", "published": "2026-03-03", "title": "Quarry opens near Tolland", "story": "quarry"},
        {"id": "d", "published": "2026-03-03", "title": "Morning brief: ferry and quarry", "story": None},
    ]
    gold = write(tmp_path / "gold.jsonl", rows)
    found = storyheat("eval", gold).json
    assert (found["n"], found["bcubed"], found["missing"], found["extra"]) == (3, {"p": 1, "r": 1, "f1": 1}, 0, 1)
    assert found["items_per_second"] > 0
    assert storyheat("eval", gold, gold).json["items_per_second"] is None
    alone = storyheat("eval", gold, "--what-if", "threshold=100").json
    assert alone["clusters"]["pred"] == 3


def test_short_forms_show_the_clusterer_less(tmp_path: Path) -> None:
    """The titles say nothing; the texts do after their first letters."""
    text = "In other news, " + "the Petrel ferry ran aground off Marrow Island with sheep aboard. " * 2
    rows: Rows = [
        {"id": "a", "published": "2026-03-01", "title": "Trouble at sea again", "text": text, "story": "x"},
        {
            "id": "b",
            "published": "2026-03-02",
            "title": "An unlucky morning",
            "text": text + "A tug came.",
            "story": "x",
        },
        {"id": "c", "published": "2026-03-02", "title": "Nothing more", "text": None, "story": "y"},
    ]
    gold = write(tmp_path / "gold.jsonl", rows)
    assert storyheat("eval", gold).json["clusters"]["pred"] == 2
    assert storyheat("eval", gold, "--titles-only").json["clusters"]["pred"] == 3
    assert storyheat("eval", gold, "--lead=14").json["clusters"]["pred"] == 3
    assert storyheat("eval", gold, "--lead=999").json["clusters"]["pred"] == 2


@pytest.mark.parametrize(
    ("gold", "predicted", "words"),
    [
        ('{"id": "a", "story": "x"}\n{"id": "a", "story": "y"}', "", "gold.jsonl:2: the id 'a' stands on line 1"),
        ('{"id": "a", "story": "x"}', '{"id": 1}\n\n{"id": "1"}', "pred.jsonl:3: the id '1' stands on line 1"),
        ("", "", "gold.jsonl: no item is labelled"),
        ('{"id": "a", "story": null}', '{"id": "a", "story": "x"}', "gold.jsonl: no item is labelled"),
        ('{"story": "x"}', "", 'gold.jsonl:1: "id" must be a text'),
        ('{"id": "a", "story": ["x"]}', "", 'gold.jsonl:1: "story" must be a text or null'),
        ('{"id": "a", "story": "x"}', "[]", "pred.jsonl:1: must be a JSON object, not list"),
        ('{"id": "a", "story": "x"}', '{"id": "a"', "pred.jsonl:1: is not JSON"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, gold: str, predicted: str, words: str) -> None:
    (tmp_path / "gold.jsonl").write_text(gold)
    (tmp_path / "pred.jsonl").write_text(predicted)
    outcome = storyheat("eval", tmp_path / "gold.jsonl", tmp_path / "pred.jsonl")
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name a file of labelled items"),
        (["GOLD", "--from-corrections"], "leave out GOLD.jsonl"),
        (["GOLD", "--lead=3", "--titles-only"], "choose one"),
        (["--titles-only", "--what-if=threshold=1"], "are for a file of labelled items"),
        (["--semantic", "--from-corrections"], "are for a file of labelled items"),
        (["GOLD", "GOLD", "--titles-only"], "leave out PRED.jsonl"),
        (["GOLD", "GOLD", "--consolidated"], "leave out PRED.jsonl"),
        (["GOLD", "--what-if=treshold=1"], "treshold is none of "),
        (["GOLD", "--what-if=threshold"], "write it like threshold=0.5"),
        (["GOLD", "--what-if=candidates=0"], "candidates must be a whole number from 1 on"),
        (["absent.jsonl"], "absent.jsonl: cannot be read"),
        (["GOLD", "absent.jsonl"], "absent.jsonl: cannot be read"),
    ],
)
def test_wrong_usage_is_told(tmp_path: Path, arguments: list[str], words: str) -> None:
    gold = write(tmp_path / "gold.jsonl", GOLD)
    outcome = storyheat("eval", *(gold if one == "GOLD" else one for one in arguments))
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
