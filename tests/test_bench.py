"""The stream for measuring: always the same, in order, with the shares that it promises; and what it measures."""

import importlib.util
import json
import subprocess
import sys
from collections import Counter
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parent.parent / "scripts" / "bench"


def loaded(name: str) -> ModuleType:
    specification = importlib.util.spec_from_file_location(name, BENCH / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules[name] = module  # where dataclasses look for their module
    specification.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def stream() -> ModuleType:
    return loaded("stream")


@pytest.fixture(scope="module")
def told(stream: ModuleType) -> list[Any]:
    return list(stream.items(2000))


def test_it_is_the_same_for_one_seed_and_another_for_another(stream: ModuleType, told: list[Any]) -> None:
    assert list(stream.items(300)) == told[:300]
    assert list(stream.items(300, stream.StreamParams(seed=2))) != told[:300]


def test_items_come_in_order_with_ids_of_their_own(told: list[Any]) -> None:
    assert len({item.id for item in told}) == len(told)
    assert len({item.url for item in told}) == len(told)
    assert all((one.published, one.id) < (two.published, two.id) for one, two in pairwise(told))
    assert json.loads(json.dumps(told[0].row()))["published"].endswith("Z")


def test_stories_sources_languages_and_texts_are_of_all_sizes(stream: ModuleType, told: list[Any]) -> None:
    stories = sorted(Counter(item.story for item in told).values())
    assert 0.6 < sum(size == 1 for size in stories) / len(stories) < 0.85
    assert stories[-1] >= 20
    busiest = Counter(item.source for item in told).most_common()
    assert busiest[0][1] > 5 * busiest[len(busiest) // 2][1]
    languages = Counter(item.lang for item in told)
    assert languages.keys() == {"en", "zh", "de", "fr"}
    assert 0.5 < languages["en"] / len(told) < 0.8
    assert 0.05 < sum(not item.text for item in told) / len(told) < 0.3
    assert sum(len(item.text) > 1500 for item in told) > 0.15 * len(told)
    copies = Counter((item.title, item.text) for item in told)
    assert 0.001 < sum(number - 1 for number in copies.values()) / len(told) < 0.04


def test_hours_show_every_item_once_and_some_again_under_a_newer_date(stream: ModuleType, told: list[Any]) -> None:
    hours = list(stream.hours(2000))
    assert all(two[0] - one[0] == timedelta(hours=1) for one, two in pairwise(hours))
    shown = []
    for end, feeds in hours:
        for source, entries in feeds.items():
            assert all(
                entry.source == source and end - timedelta(hours=1) <= entry.published < end for entry in entries
            )
            assert entries == sorted(entries, key=lambda entry: entry.published, reverse=True)
            shown += entries
    assert {item.id for item in shown} == {item.id for item in told}
    again = len(shown) - len(told)
    assert 0.01 < again / len(told) < 0.05


def test_the_clusterer_is_measured() -> None:
    command = [sys.executable, str(BENCH / "cluster.py"), "--items", "600", "--window", "200"]
    run = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    (window,) = json.loads(run.stdout)["windows"]
    assert window["items"] == 600
    assert window["items_per_second"] > 0
    assert 0 < window["open_stories"] <= 600


def test_stages_processes_and_the_first_poll_are_measured_and_compared(tmp_path: Path) -> None:
    small = {
        "items": "120,400",
        "whole": 200,
        "recent": 100,
        "runs": 2,
        "rounds": 1,
        "polls": 1,
        "feeds": 3,
        "entries": 4,
    }
    options = [part for name, value in small.items() for part in (f"--{name}", str(value))]
    command = [sys.executable, str(BENCH / "run.py"), *options, "--json", str(tmp_path / "told.json")]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    told = json.loads((tmp_path / "told.json").read_text("utf-8"))
    assert told["schema"] == "storyheat.bench/1"
    assert all(told["machine"][name] for name in ("cores", "cpu", "python", "sqlite"))
    whole, recent = told["sizes"]
    assert (whole["items"], whole["history"]) == (120, 0)
    assert (recent["items"], recent["history"]) == (100, 300)
    for size in (whole, recent):
        assert {"fetch", "parse", "store", "cluster", "tell", "heat", "index"} <= size["stages"].keys()
        assert min(size["answers"]["top"], size["answers"]["story"], size["bytes_per_item"], size["runs"]) > 0
        assert size["tables"]["item"] > 0
    assert told["start"]["bare"]["cpu"] > 0
    assert told["start"]["times_bare_cpu"].keys() == {"top_120", "top_400"}
    poll = told["first_poll"]
    assert (poll["entries"], poll["floors"]["entries"]) == (12, 12)
    assert poll["polls"].keys() == {"first", "second"}


def test_two_measurements_are_held_against_each_other() -> None:
    compare = loaded("compare")
    before = {"start": {"bare": {"cpu": 0.5}}, "sizes": [{"items": 10, "history": 0, "stages": {"heat": 2.0}}]}
    after = {"start": {"bare": {"cpu": 0.5}}, "sizes": [{"items": 10, "history": 0, "stages": {"heat": 1.0, "top": 1}}]}
    lines = compare.table(before, after).splitlines()
    heat = next(line for line in lines if line.startswith("10 items stages heat"))
    assert heat.split()[-4:] == ["2.000", "1.000", "0.50", "*"]
    assert not any("top" in line for line in lines)


def test_the_daemon_lives_through_a_short_month(tmp_path: Path) -> None:
    small = ["--days", "2", "--sources", "4", "--per-day", "30", "--json", str(tmp_path / "told.json")]
    command = [sys.executable, str(BENCH / "month.py"), *small]
    subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    told = json.loads((tmp_path / "told.json").read_text("utf-8"))
    assert [day["runs"] for day in told["days"]] == [12, 12]
    assert told["items"] > 0
    assert told["lost"] == told["rebuild_differs"] == told["problems"] == []
