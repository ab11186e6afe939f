"""What a person at a terminal sees: widths, colours, and nothing that a feed could do to the terminal."""

from pathlib import Path

import pytest
from rich.cells import cell_len
from tests.command import on_terminal, plain, storyheat
from tests.make import rss, utc, write_recording

AT = "--at=2026-10-27T20:00Z"
FORBIDDEN = "\x1b\x07\u202e\u2066"


def test_two_lines_a_story_on_80_columns(planted: list[str]) -> None:
    rows = [plain(line) for line in on_terminal("top", AT, *planted, columns=80).splitlines()]
    assert len(rows) == 1 + 2 * 2
    assert max(cell_len(row) for row in rows) <= 80
    assert "…" in rows[4]  # the Chinese title is longer than its room
    assert rows[2].endswith(storyheat("top", "--json", AT, *planted).json["stories"][0]["id"])


def test_a_pipe_gets_whole_lines_without_colour(planted: list[str]) -> None:
    out = storyheat("top", AT, *planted).out
    assert len(out.splitlines()) == 2
    assert "一半，工程预计持续到三月" in out
    assert not set(FORBIDDEN) & set(out)


@pytest.mark.parametrize("command", ["story", "explain", "heat"])
def test_text_of_feeds_cannot_steer_the_terminal(planted: list[str], command: str) -> None:
    story = storyheat("top", "--json", AT, *planted).json["stories"][0]["id"]
    out = storyheat(command, story, AT, "--verbose", *planted).out
    assert not set(FORBIDDEN) & set(out)
    if command == "story":
        assert "[bold]seven[/bold]" in out  # as published, not obeyed
        assert "=Weekly[bold] (weekly): Press, digest" in out


def test_a_copy_stands_under_its_original(planted: list[str]) -> None:
    story = storyheat("top", "--json", AT, *planted).json["stories"][0]["id"]
    lines = storyheat("story", story, AT, *planted).out.splitlines()
    original = next(number for number, line in enumerate(lines) if line.startswith("  09:00  alpha"))
    assert "copier  Press · Copy" in lines[original + 2]


@pytest.mark.parametrize("columns", [40, 80])
def test_the_story_fits_its_terminal_with_peak_developments_and_note(planted: list[str], columns: int) -> None:
    story = storyheat("top", "--json", AT, *planted).json["stories"][0]["id"]
    rows = [plain(line) for line in on_terminal("story", story, AT, *planted, columns=columns).splitlines()]
    assert max(cell_len(row) for row in rows) <= columns
    place = next(number for number, row in enumerate(rows) if "▼" in row)
    assert rows[place + 1][rows[place].index("▼")] == "█"
    axis = next(number for number, row in enumerate(rows) if row.startswith("    0 "))
    assert rows[axis + 1].strip() in ("1", "12", "+")
    assert any(row.startswith("Latest, ") for row in rows)
    told = " ".join(row.strip() for row in rows[rows.index("Sources") :])
    assert "1 item is a copy: Copier of Alpha Post, i" in told


def test_progress_is_shown_on_terminals_only(planted: list[str], tmp_path: Path) -> None:
    recording = write_recording(tmp_path / "recorded", {"one": {utc("2026-11-10 12:00"): rss()}})
    arguments = ["replay", str(recording), "--every=1h", "--until=2026-11-10T20:00Z", "--db"]
    assert "Polls" in on_terminal(*arguments, f"sqlite:///{tmp_path / 'one.db'}", columns=80)
    piped = storyheat(*arguments, f"sqlite:///{tmp_path / 'two.db'}")
    assert (piped.err, len(piped.out.splitlines())) == ("", 1)
