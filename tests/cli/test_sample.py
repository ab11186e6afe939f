"""The bundled sample: what the README shows of it is what the program prints."""

from pathlib import Path

import pytest
from tests.command import storyheat

AT = "--at=2026-11-03T21:00:00Z"  # the sample's newest snapshot


@pytest.fixture(scope="module")
def sample(root: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The options that lead to a database made of the sample."""
    folder = root / "src" / "storyheat" / "sample"
    options = [f"--config={folder / 'feeds.yaml'}", f"--db=sqlite:///{tmp_path_factory.mktemp('sample') / 'sample.db'}"]
    assert storyheat("replay", folder / "snapshots", *options).code == 0
    return options


def test_the_receipt_in_the_readme_is_what_is_printed(root: Path, sample: list[str]) -> None:
    printed = storyheat("explain", "s3rbt", AT, *sample).out
    shown = (
        (root / "README.md").read_text("utf-8").split("$ storyheat explain s3rbt --at 2026-11-03T21:00:00Z --tz UTC\n")
    )
    assert shown[1].split("```")[0] == printed


def test_the_hot_list_in_the_readme_holds_the_same_figures(root: Path, sample: list[str]) -> None:
    shown = (root / "README.md").read_text("utf-8").split("$ storyheat top\n")[1].split("```")[0]
    lines = storyheat("top", "-n", "3", AT, *sample).out.splitlines()
    for line in lines:
        rank, heat, _, rest = line.split(maxsplit=3)
        identifier = next(word for word in rest.split() if word.startswith("s") and len(word) == 12)
        assert f"  {rank}   {heat} " in shown
        assert identifier in shown


def test_what_the_sample_is_to_show(sample: list[str]) -> None:
    """A copy, a round-up, two authors of one board, and a story in two languages count as they should."""
    hottest = storyheat("top", "-n", "1", "--json", AT, *sample).json["stories"][0]
    assert (hottest["voices"], hottest["copies"], hottest["mentions"]) == (7, 1, 1)
    assert set(hottest["languages"]) == {"en", "zh-Hans"}
