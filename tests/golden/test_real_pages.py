"""Saved web pages against gold values; the floors are those that were asked for.

`scripts/check_html.py --differences` lists every value that differs. The wrong days that are left are mostly of two
kinds: the gold has the day of an update, or that of another time zone.
"""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from storyheat.ingest.article import can_extract


@pytest.fixture(scope="module")
def check_html(root: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location("check_html", root / "scripts" / "check_html.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["check_html"] = module  # where dataclasses look their annotations up
    specification.loader.exec_module(module)
    return module


def test_days_and_feeds_of_real_pages(shared: Path, check_html: ModuleType) -> None:
    tally = check_html.compare(shared / "html", texts=False)
    assert tally.day_share("right") >= 80, "\n".join(tally.differences)
    assert tally.day_share("wrong") <= 5, "\n".join(tally.differences)
    assert tally.feeds["wrong"] == 0, "\n".join(tally.differences)
    assert tally.feeds["right"] > 0


@pytest.mark.skipif(not can_extract(), reason="trafilatura is not installed (extra fulltext)")
def test_texts_of_real_pages(shared: Path, check_html: ModuleType) -> None:
    assert check_html.compare(shared / "html").mean_f1() >= 0.93
