"""How well items are grouped, as floors: on labelled items of our own, and on the first items of real sets.

`scripts/check_clusters.py` measures the sets whole, and raises the floors in `clusters.json`.
"""

import importlib.util
import json
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
PINS = json.loads((ROOT / "tests/golden/clusters.json").read_text("utf-8"))
OWN = "tests/golden/stories.jsonl"
SAMPLES = [(name, form) for name, one in PINS.items() for form in one["floors"] if "first" in form and name != OWN]


@pytest.fixture(scope="module")
def check_clusters(root: Path) -> ModuleType:
    path = root / "scripts" / "check_clusters.py"
    specification = importlib.util.spec_from_file_location("check_clusters", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["check_clusters"] = module  # where dataclasses look their annotations up
    specification.loader.exec_module(module)
    return module


def assert_reached(check_clusters: ModuleType, path: Path, name: str, form: str) -> None:
    pinned = PINS[name]
    assert check_clusters.fingerprint(path) == pinned["sha256"], "another file than the one whose floors are pinned"
    assert pinned["floors"][form], "nothing is pinned: run scripts/check_clusters.py --raise"
    assert check_clusters.below(check_clusters.measure(path, form), pinned["floors"][form]) == []


@pytest.mark.parametrize("form", [form for form in PINS[OWN]["floors"] if form != "semantic"])
def test_our_own_items(check_clusters: ModuleType, root: Path, form: str) -> None:
    assert_reached(check_clusters, root / OWN, OWN, form)


@pytest.mark.parametrize(("name", "form"), SAMPLES)
def test_the_first_items_of_real_sets(check_clusters: ModuleType, shared: Path, name: str, form: str) -> None:
    assert_reached(check_clusters, shared / name, name, form)


def test_our_own_items_are_of_the_kinds_that_go_wrong(root: Path) -> None:
    rows = [json.loads(line) for line in (root / OWN).read_text("utf-8").splitlines()]
    stories = Counter(row["story"] for row in rows)
    assert len(rows) >= 150
    assert sum(items > 1 for items in stories.values()) >= 30
    assert {row["lang"] for row in rows} == {"en", "zh"}
    assert sum(not row["text"] for row in rows) >= 10
    assert len({story for story in stories if story.startswith("roundup")}) >= 5
    twins = {"package12": "package13", "shooting-station": "shooting-rink", "quillon21": "quillon22"}
    twins |= {"halvard-q2": "halvard-q3", "halvard-q3": "osterby-q3", "zh-whale21": "zh-whale22"}
    assert twins.keys() | set(twins.values()) <= stories.keys()


def test_floors_are_only_raised(check_clusters: ModuleType) -> None:
    raised = check_clusters.raised({"bcubed_f1": 0.91239, "ami": 0.7}, {"bcubed_f1": 0.9, "ami": 0.8})
    assert raised == {"bcubed_f1": 0.912, "ami": 0.8}
    assert check_clusters.below({"bcubed_f1": 0.91239, "ami": 0.7}, raised) == ["ami 0.70000 < 0.8"]
