"""What top, story, heat and explain answer, as objects."""

import csv
import io
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from math import fsum
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import UNTIL
from tests.command import storyheat

AT = "--at=2026-10-27T20:00Z"


@pytest.fixture(scope="module")
def engine(planted: list[str]) -> str:
    """The id of the hottest story: two reports, a copy, a mention."""
    return str(storyheat("top", "--json", AT, *planted).json["stories"][0]["id"])


@pytest.fixture(scope="module")
def roles(planted: list[str], engine: str) -> dict[str, dict[str, Any]]:
    """The items of that story, by source."""
    shown = storyheat("story", engine, "--json", AT, *planted).json
    return {item["source"]: item for day in shown["timeline"] for item in day["items"]}


def test_a_story_in_the_list(planted: list[str]) -> None:
    answer = storyheat("top", "--json", AT, *planted).json
    first, second = answer["stories"]
    assert (answer["at"], answer["period"]) == ("2026-10-27T20:00:00Z", "7d")
    assert [first[key] for key in ("voices", "reports", "mentions", "copies")] == [2, 2, 1, 1]
    assert (first["topics"], first["languages"]) == (["business", "engines"], ["en"])
    assert (first["first_at"], first["last_at"]) == ("2026-10-27T09:00:00Z", "2026-10-27T10:30:00Z")
    assert first["heat"]["change_24h"]["standing"] == "young"
    assert second["languages"] == ["zh-Hans"]


def ids(*arguments: str) -> list[str]:
    return [story["id"] for story in storyheat("top", "--json", AT, *arguments).json["stories"]]


def test_filters_and_orders(planted: list[str], engine: str) -> None:
    both = ids(*planted)
    chinese = both[1]
    assert both == [engine, chinese]
    assert ids("-n1", *planted) == [engine]
    assert (
        ids("--topic=Engines", *planted)
        == ids("--min-voices=2", *planted)
        == ids("--source=beta", *planted)
        == [engine]
    )
    assert ids("--language=zh", *planted) == ids("--topic=cities", *planted) == [chinese]
    assert ids("--language=z", *planted) == ids("--source=nobody", *planted) == []
    assert ids("--sort=new", *planted) == ids("--sort=peak", *planted) == ids("--sort=rising", *planted) == both
    assert ids("--sort=new", "--at=2026-10-27T08:30Z", *planted)  # the later --at holds


def test_the_list_of_a_past_instant(planted: list[str]) -> None:
    [only] = storyheat("top", "--json", "--at=2026-10-27T08:30Z", *planted).json["stories"]
    assert only["languages"] == ["zh-Hans"]


def test_roles_on_the_timeline(roles: dict[str, dict[str, Any]]) -> None:
    assert {name: item["role"] for name, item in roles.items()} == {
        "alpha": "report", "beta": "report", "copier": "copy", "weekly": "mention",
    }  # fmt: skip
    assert roles["copier"]["copy_of"] == roles["alpha"]["id"]
    assert roles["alpha"]["copy_of"] is None
    assert {name for name, item in roles.items() if item["counted"]} == {"alpha", "beta"}
    assert roles["weekly"]["not_counted_because"].startswith("a mention")
    assert roles["beta"]["level"] == "discussion"


def test_what_comes_with_later_versions_is_there_and_empty(planted: list[str], engine: str) -> None:
    shown = storyheat("story", engine, "--json", AT, *planted).json
    assert [shown[key] for key in ("related", "aliases")] == [[], []]


def test_what_became_known_is_told_with_its_items(planted: list[str], engine: str) -> None:
    shown = storyheat("story", engine, "--json", AT, *planted).json
    first, second = shown["developments"]
    assert (first["source"], first["confirmed"]) == ("alpha", True)
    assert first["because"] == "independent voices say so: Alpha Post and Beta Times"
    assert (second["confirmed"], second["because"]) == (False, "only Beta Times says so")
    assert shown["latest_development"] == second
    items = {item["id"] for day in shown["timeline"] for item in day["items"]}
    assert {cited for sentence in shown["summary"]["sentences"] for cited in sentence["items"]} <= items


def test_every_hour_follows_from_the_items_of_the_story(
    planted: list[str], engine: str, roles: dict[str, dict[str, Any]]
) -> None:
    hours = storyheat("heat", engine, "--json", "--period=3d", AT, *planted).json["hours"]
    assert len(hours) == 72
    assert any(hour["heat"] for hour in hours)
    for hour in hours:
        at = datetime.fromisoformat(hour["at"])
        newest: dict[str, datetime] = {}
        for item in sorted(roles.values(), key=lambda item: item["effective_at"]):
            effective = datetime.fromisoformat(item["effective_at"])
            if item["counted"] and effective <= at and at - effective < timedelta(hours=48):
                newest[item["voice"]] = effective
        by_hand = fsum(10 * 2 ** (-((at - time) / timedelta(hours=24))) for time in newest.values())
        assert hour["heat"] == pytest.approx(by_hand, abs=0.01)
        assert hour["voices"] == len(newest)


def test_the_receipt_adds_up_at_any_hour(planted: list[str], engine: str) -> None:
    for hour in storyheat("heat", engine, "--json", "--period=24h", AT, *planted).json["hours"][::4]:
        receipt = storyheat("explain", engine, "--json", f"--at={hour['at']}", *planted).json
        assert fsum(term["points"] for term in receipt["terms"]) == pytest.approx(receipt["heat"])
        assert receipt["heat"] == pytest.approx(hour["heat"])
        listed = [*receipt["terms"], *receipt["spent"], *receipt["not_counted"]]
        assert len(listed) == 4


def test_hours_as_a_table(planted: list[str], engine: str) -> None:
    rows = list(csv.DictReader(io.StringIO(storyheat("heat", engine, "--csv", AT, *planted).out)))
    hours = storyheat("heat", engine, "--json", AT, *planted).json["hours"]
    assert len(rows) == len(hours) == 168
    assert float(rows[-1]["heat"]) == hours[-1]["heat"]
    assert rows[-1]["at"] == hours[-1]["at"] == "2026-10-27T20:00:00Z"


def test_why_an_item_is_where_it_is(planted: list[str], engine: str, roles: dict[str, dict[str, Any]]) -> None:
    for name, words in (("beta", "a report in"), ("copier", "a copy in"), ("weekly", "a mention in")):
        item = roles[name]["id"]
        [seat] = storyheat("explain", "--item", item, "--json", *planted).json["stories"]
        assert (seat["story"], seat["role"]) == (engine, roles[name]["role"])
        assert f"It is {words} {engine}" in storyheat("explain", "--item", item, *planted).out
        assert seat["reasons"]
        assert bool(seat["features"]) == ("nearest" in seat["because"])
        if seat["features"]:
            assert fsum(one["adds"] for one in seat["features"]) == pytest.approx(seat["because"]["z"], abs=1e-4)
            assert all(one["meaning"] != one["name"] for one in seat["features"])
    page = storyheat("explain", "--item", roles["copier"]["id"], *planted).out
    assert f"Its text is that of {roles['alpha']['id']} (100% of the word runs are the same)." in page


def test_ids_by_prefix_and_ids_that_lead_nowhere(
    planted: list[str], engine: str, roles: dict[str, dict[str, Any]]
) -> None:
    assert storyheat("story", engine[:6], "--json", AT, *planted).json["id"] == engine
    for arguments, words in (
        (("story", "s"), "fits several: "),
        (("story", "sZZ"), 'no story has an id that begins with "sZZ"'),
        (("story", roles["beta"]["id"]), "is an item, not a story"),
        (("explain", "--item", "i"), "fits several: "),
        (("explain", "--item", "iZZ"), "no item has an id"),
        (("explain",), "name a story, or an item with --item"),
        (("explain", "--item", "i", AT), "has no --at"),
        (("heat", engine, "--json", "--csv"), "choose one"),
        (("heat", engine, "--period=2d"), '"2d" is none of 24h, 3d, 7d, 30d, all'),
        (("top", "--sort=best"), '"best" is none of heat, rising, peak, new'),
        (("top", "--at=soon"), '"soon" is no time'),
        (("top", "--at=0001-01-01"), "not between 1970 and 2099"),
        (("heat", engine, "--period=all", "--at=9999-12-31"), "not between 1970 and 2099"),
        (("top", "-n99999999999999999999"), "less than or equal to 1000000000"),
        (("story", "s\udce9"), "no story has an id"),
        (("explain", "--item", "\udce9"), "no item has an id"),
        (("search", "\udce9 \udcff"), "give at least one word"),
    ):
        outcome = storyheat(*arguments, *planted)
        assert (outcome.code, outcome.out) == (2, ""), arguments
        assert words in outcome.err
        assert len(outcome.err.splitlines()) == 1


@pytest.fixture
def scratch(planted: list[str], tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A copy of the planted database to write in; `--db` of it is `scratch_option`."""
    original = sqlite3.connect(planted[0].removeprefix("--db=sqlite:///"))
    target = sqlite3.connect(tmp_path / "scratch.db", isolation_level=None)
    original.backup(target)
    original.close()
    yield target
    target.close()


@pytest.fixture
def scratch_option(tmp_path: Path) -> str:
    """`--db=…` of the copy."""
    return f"--db=sqlite:///{tmp_path / 'scratch.db'}"


def test_an_old_id_leads_to_the_story_it_was_merged_into(
    scratch: sqlite3.Connection, scratch_option: str, engine: str
) -> None:
    founders = scratch.execute("SELECT id FROM item WHERE title LIKE 'What%' ORDER BY id LIMIT 2").fetchall()
    for old, [item] in zip(("solder", "soldest"), founders, strict=True):
        scratch.execute("INSERT INTO story VALUES (?, ?, '2026-10-27T12:00:00Z')", (old, item))
    merge = (
        "INSERT INTO merge (story_id, into_id, decided_at, decided_by, because) "
        "VALUES (?, ?, '2026-10-27T13:00:00Z', 'machine', '{}')"
    )
    scratch.executemany(merge, [("soldest", "solder"), ("solder", engine)])
    shown = storyheat("story", "soldest", "--json", AT, scratch_option).json
    assert (shown["id"], shown["aliases"]) == (engine, ["solder", "soldest"])
    assert storyheat("story", "sold", "--json", AT, scratch_option).json["id"] == engine
    assert "Also known as solder, soldest" in storyheat("story", engine, AT, scratch_option).out
    scratch.execute(merge, (engine, "soldest"))  # a loop, which no run makes: it must only not hang
    assert storyheat("story", "soldest", AT, scratch_option).code in (0, 2)


def test_a_story_is_called_by_its_first_item_with_a_title(
    scratch: sqlite3.Connection, scratch_option: str, engine: str, roles: dict[str, dict[str, Any]]
) -> None:
    scratch.execute("UPDATE item SET title = '' WHERE id = ?", (roles["alpha"]["id"],))
    shown = storyheat("story", engine, "--json", AT, scratch_option).json
    assert (shown["title"], shown["url"]) == (roles["beta"]["title"], roles["beta"]["url"])
    assert "(without a title)" in storyheat("story", engine, AT, scratch_option).out
    scratch.execute("UPDATE item SET title = ''")
    assert storyheat("story", engine, "--json", AT, scratch_option).json["title"] == ""


def test_a_story_and_an_item_that_lost_their_place(
    scratch: sqlite3.Connection, scratch_option: str, engine: str, roles: dict[str, dict[str, Any]]
) -> None:
    scratch.execute("DELETE FROM membership")
    assert "has no items any more" in storyheat("story", engine, scratch_option).err
    item = roles["weekly"]["id"]
    assert "It is not placed yet" in storyheat("explain", "--item", item, scratch_option).out
    scratch.execute("INSERT INTO loner VALUES (?, '2026-10-27T12:00:00Z', '{\"kind\":\"digest\"}')", (item,))
    page = storyheat("explain", "--item", item, scratch_option).out
    assert "It is in no story.\n  Its source is a digest: such items touch stories and are about none." in page
    assert storyheat("explain", "--item", item, "--json", scratch_option).json["alone"]["because"] == {"kind": "digest"}


def test_what_gives_nothing_now_stands_in_the_receipt(planted: list[str], engine: str) -> None:
    late = storyheat("explain", engine, "--at=2026-10-29T10:00Z", *planted).out
    assert "Counted, but gives nothing now" in late
    assert "48 hours old or older" in late
    early = storyheat("explain", engine, "--at=2026-10-26", *planted).out
    assert "No voice speaks at that time." in early
    assert "effective only after this time" in early
    assert "not counted: effective only after this time" in storyheat("story", engine, "--at=2026-10-26", *planted).out


def test_nothing_to_show(planted: list[str], tmp_path: Path) -> None:
    missing = storyheat("top", f"--db=sqlite:///{tmp_path / 'none.db'}")
    assert (missing.code, missing.err.count("\n")) == (1, 1)
    assert "run `storyheat ingest` or `storyheat init` first" in missing.err
    empty = f"--db=sqlite:///{tmp_path / 'empty.db'}"
    storyheat("db", "upgrade", empty)
    assert storyheat("top", empty).out == 'Nothing is stored yet: "storyheat ingest" polls the sources of feeds.yaml.\n'
    assert storyheat("top", "--json", empty).json["stories"] == []
    cold = storyheat("top", "--at=2027-01-01", *planted).out
    assert 'the newest item is of 2026-10-27 11:30 UTC: "storyheat ingest" polls' in cold
    assert storyheat("top", "--topic=pears", AT, *planted).out.startswith("No story that fits has heat")
    assert storyheat("top", "--quiet", "--at=2027-01-01", *planted).out == ""


def test_the_health_of_the_sources(planted: list[str]) -> None:
    answer = storyheat("sources", "--json", *planted).json
    by_id = {source["id"]: source for source in answer["sources"]}
    assert sorted(by_id) == ["alpha", "beta", "copier", "weekly", "zh"]
    assert {source["health"] for source in by_id.values()} == {"behind"}  # the recording ended long ago
    assert by_id["alpha"]["items"] == 2
    assert by_id["alpha"]["feeds"][0]["last_success_at"] == f"{UNTIL:%Y-%m-%dT%H:%M:%SZ}"
    page = storyheat("sources", *planted).out
    assert "5 sources, 5 of them need a look" in page
