"""The widget of the design, from recorded feeds to what is shown."""

import pytest
from tests.command import storyheat

AT = "--at=2026-10-27T23:45:00Z"


@pytest.fixture(scope="module")
def story(widget: str) -> str:
    """The id of the one story."""
    [only] = storyheat("top", "--json", AT, widget).json["stories"]
    return str(only["id"])


def test_the_figures_as_shown(widget: str, story: str) -> None:
    shown = storyheat("story", story, "--json", AT, widget).json
    assert shown["widget"] == {
        "current": "5",
        "peak": "15",
        "peak_at": "Oct 26 23:00",
        "change_24h": "—",
        "change_reason": "not watched 24 hours ago",
        "timezone": "UTC",
    }
    assert shown["heat"]["current"] == pytest.approx(4.869, abs=5e-4)
    assert shown["heat"]["peak"] == {
        "value": pytest.approx(15.025, abs=5e-4),
        "at": "2026-10-26T23:00:00Z",
        "standing": "rebuilt",
        "because": [
            {"voice": "a", "item": "i6xcioztrmu4", "points": pytest.approx(9.952, abs=5e-4)},
            {"voice": "b", "item": "iziji2u2smr3", "points": pytest.approx(5.073, abs=5e-4)},
        ],
    }


def test_the_figures_in_another_zone(widget: str, story: str) -> None:
    shown = storyheat("story", story, "--json", AT, widget, tz="Asia/Shanghai").json
    assert (shown["widget"]["peak_at"], shown["widget"]["timezone"]) == ("Oct 27 07:00", "Asia/Shanghai")
    assert shown["heat"]["peak"]["at"] == "2026-10-26T23:00:00Z"
    assert [day["date"] for day in shown["timeline"]] == ["2026-10-27", "2026-10-26"]


def test_the_line_in_a_terminal(widget: str, story: str) -> None:
    page = storyheat("story", story, AT, widget).out
    assert "Current 5 · Period peak 15  Oct 26 23:00 · 24-hour change —  (not watched 24 hours ago)" in page
    assert "\nPeak: 2 voices, newest a at Oct 26 22:50\n" in page
    assert "░" in page
    assert "·" in page


def test_the_receipt_of_the_peak(widget: str, story: str) -> None:
    receipt = storyheat("explain", story, "--json", "--at=2026-10-26T23:00Z", widget).json
    assert [(term["voice"], round(term["points"], 2)) for term in receipt["terms"]] == [("a", 9.95), ("b", 5.07)]
    page = storyheat("explain", story, "--at=2026-10-26T23:00Z", widget).out
    assert [line.split()[:2] for line in page.splitlines() if line.endswith("in all")] == [["15.02", "in"]]


def test_neighbouring_hours(widget: str, story: str) -> None:
    hours = storyheat("heat", story, "--json", AT, widget).json["hours"]
    by_time = {hour["at"]: hour for hour in hours}
    assert by_time["2026-10-27T23:00:00Z"]["heat"] == pytest.approx(7.512, abs=5e-4)
    assert by_time["2026-10-27T00:00:00Z"]["standing"] == "rebuilt"
    assert by_time["2026-10-27T01:00:00Z"]["standing"] == "observed"
    at_2329, at_2330 = (
        storyheat("explain", story, "--json", f"--at=2026-10-27T23:{minute}Z", widget).json["terms"]
        for minute in ("29:59", "30:00")
    )
    assert (len(at_2329), len(at_2330)) == (2, 1)


def test_twice_gives_the_same_digest(widget: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = next(iter(sorted(tmp_path_factory.getbasetemp().glob("widget*"))))
    again = f"--db=sqlite:///{folder / 'again.db'}"
    storyheat("replay", folder / "recorded", "--every=10m", "--until=2026-10-27T23:45:00Z", again)
    marks = [storyheat("db", "check", "--digest", "--json", database).json for database in (widget, again)]
    assert marks[0] == marks[1]
    assert marks[0]["problems"] == []
