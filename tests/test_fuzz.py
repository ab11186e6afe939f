"""The fuzz program itself: it runs, repeats one input, and tells what goes wrong."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def fuzz(root: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location("fuzz", root / "scripts" / "fuzz.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["fuzz"] = module  # where dataclasses look their annotations up
    specification.loader.exec_module(module)
    return module


def test_damaged_inputs_give_nothing_but_our_own_error(
    fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("STORYHEAT_SHARED", str(tmp_path))  # the fault cases alone: the same everywhere
    most = ["--megabytes", "10000"]  # the memory of this process says nothing
    assert fuzz.main(["--documents", "150", "--minutes", "1", *most]) == 0, capsys.readouterr().out
    told = capsys.readouterr().out
    assert told.startswith("150 documents among ")
    assert "wrong: 0" in told
    assert fuzz.main(["--only", "7", *most]) == 0


def test_it_tells_what_went_wrong(fuzz: ModuleType) -> None:
    meter = fuzz.Meter(until=0, documents=1, most_seconds=-1)
    meter.run("date", "1", lambda: int("no number"))
    assert meter.is_over()
    assert [line.split(":")[0] for line in meter.wrong] == ["date 1", "date 1"]
    assert "ValueError" in meter.wrong[0]
    assert "took" in meter.wrong[1]
