"""Real feeds against the values that other parsers agree on; the floors are what we reach, less a little.

`scripts/check_gold.py --differences` lists every value that differs. Those left are ours by decision: text that
was encoded twice is read once (the other parsers leave it), a title in JSON keeps its literal tags.
"""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from storyheat.core.model import FailureKind
from storyheat.errors import DocumentError
from storyheat.ingest.document import parse_document


@pytest.fixture(scope="module")
def check_gold(root: Path) -> ModuleType:
    specification = importlib.util.spec_from_file_location("check_gold", root / "scripts" / "check_gold.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["check_gold"] = module  # where dataclasses look their annotations up
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("name", "floors"),
    [
        ("gold_consensus.jsonl", {"count": 99.5, "title": 99.2, "link": 99.9, "published": 99.95}),
        ("gold.jsonl", {"count": 100.0, "title": 99.8, "link": 99.8, "published": 99.9}),
    ],
)
def test_values_agree_with_other_parsers(
    shared: Path, check_gold: ModuleType, name: str, floors: dict[str, float]
) -> None:
    tally = check_gold.compare(shared / "feeds" / name)
    assert tally.slowest[0] < 2
    assert 100 * tally.right_counts / tally.feeds >= floors["count"]
    assert {field: tally.share(field) >= floors[field] for field in ("title", "link", "published")} == {
        "title": True,
        "link": True,
        "published": True,
    }, "\n".join(tally.differences)


def test_no_real_feed_raises_anything_but_our_own_error(shared: Path) -> None:
    refused = {}
    for path in sorted((shared / "feeds" / "real").iterdir()):
        try:
            parse_document(path.read_bytes()[:60_000], url="https://wire.example/feed")
        except DocumentError as error:
            refused[path.name] = error.kind
    # Cut short, a JSON document may hold no whole item.
    assert {name for name in refused if not name.endswith(".json")} == set()
    assert set(refused.values()) <= {FailureKind.NOT_A_FEED}
