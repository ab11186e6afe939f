"""The command that selects, and where the mark is shown."""

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


def items(desk: list[str]) -> dict[str, str | None]:
    """The items of the story, by role, with the reason why each is selected."""
    story = storyheat("top", "--json", AT, *desk).json["stories"][0]["id"]
    days = storyheat("story", story, "--json", AT, *desk).json["timeline"]
    found = [one for day in days for one in day["items"]]
    assert all(one["selected"] is (one["selected_because"] is not None) for one in found)
    return {one["id"]: one["selected_because"] for one in found}


def selected_by_hand(desk: list[str]) -> list[str]:
    """What the view for people says of marks by hand."""
    with open_database(desk[0].removeprefix("--db=")) as database, database.read() as connection:
        return list(connection.exec_driver_sql("SELECT item_id FROM selected_items WHERE by_hand = 1").scalars())


def test_a_mark_by_hand_lasts_until_it_is_taken_back(desk: list[str]) -> None:
    before = items(desk)
    assert set(before.values()) == {None}  # two reports are read anyway
    one = min(before)
    assert storyheat("select", one[:7], "--by", "ada", *desk).out.startswith(f"{one} “")
    assert storyheat("select", one, *desk).err == f"storyheat: {one} is selected by hand already\n"
    assert storyheat("rebuild", *desk).code == 0
    assert items(desk) == {**before, one: "selected by hand"}
    assert selected_by_hand(desk) == [one]
    story = storyheat("top", "--json", AT, *desk).json["stories"][0]["id"]
    [line] = [line for line in storyheat("story", story, AT, *desk).out.splitlines() if "Selected" in line]
    assert line.endswith(one)
    assert "selected by hand" in storyheat("story", story, "-v", AT, *desk).out
    told = storyheat("select", one, "--remove", "--by=ada", "--json", *desk).json
    assert (told["item"], told["mark"], told["who"]) == (one, "removed", "ada")
    assert items(desk) == before
    assert selected_by_hand(desk) == []
    assert storyheat("select", one, "--by-rule", "--quiet", *desk).out == ""
    assert storyheat("select", one, "--by-rule", *desk).code == 2
    assert storyheat("select", one, "--by-rule", "--remove", *desk).code == 2
    assert storyheat("select", "inone", *desk).code == 2
