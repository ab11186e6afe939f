"""Where results go: terminals of any width, closed pipes, full disks, no standard output, Ctrl-C while loading."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.text import Text
from tests.command import on_terminal, plain, storyheat

from storyheat.cli.screen import folded, wrapped

AT = "--at=2026-10-27T20:00Z"
FULL = Path("/dev/full")


def in_shell(command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A shell line in which `$@` is storyheat with these arguments."""
    line = ["sh", "-c", command, "sh", sys.executable, "-m", "storyheat", *arguments]
    return subprocess.run(line, check=False, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("arguments", [("sources",), ("top", "--json", AT)], ids=" ".join)
@pytest.mark.parametrize(
    ("command", "words"),
    [
        pytest.param(
            '"$@" >/dev/full', "make room", marks=pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
        ),
        ('"$@" >&-', "there is no standard output"),
    ],
)
def test_results_that_cannot_be_written(
    planted: list[str], arguments: tuple[str, ...], command: str, words: str
) -> None:
    ended = in_shell(command, *arguments, *planted)
    assert (ended.returncode, len(ended.stderr.splitlines())) == (1, 1)
    assert words in ended.stderr


def test_a_reader_that_stops_reading_is_no_error(planted: list[str]) -> None:
    for arguments in (("top", AT, *planted), ("--help",)):
        ended = in_shell('{ sleep 0.01; "$@"; echo "code $?" >&2; } | true', *arguments)
        assert ended.stderr == "code 0\n"


def test_ctrl_c_while_the_program_loads() -> None:
    program = (
        "import sys\n"
        "class Pressed:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'storyheat.cli.commands': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Pressed())\n"
        "from storyheat.cli import main\n"
        "raise SystemExit(main(['top']))\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (130, "storyheat: interrupted\n")


@pytest.mark.parametrize("columns", [40, 80])
def test_no_line_is_wider_than_the_terminal(planted: list[str], widget: str, columns: int) -> None:
    story = storyheat("top", "--json", AT, *planted).json["stories"][0]["id"]
    for arguments in (
        ("top", "-v", AT, *planted),
        ("story", "-v", story, AT, *planted),
        ("story", "s", "--at=2026-10-27T23:45Z", widget),
        ("heat", "-v", story, "--period=24h", "--at=2026-10-28T05:00Z", *planted),
        ("explain", story, AT, *planted),
        ("sources", *planted),
    ):
        lines = [plain(line) for line in on_terminal(*arguments, columns=columns).splitlines()]
        assert max(cell_len(line) for line in lines) <= columns, arguments


@pytest.mark.parametrize(
    ("text", "cells", "lines"),
    [
        ("one two three", 22, ["  one two three"]),
        ("one two three four five six", 22, ["  one two three four", "  five six"]),
        ("青瓷茶事被罚 86 万元，市场监管部门公布", 24, ["  青瓷茶事被罚 86 万元，", "  市场监管部门公布"]),
        ("他说：“我们不会封闭大桥。”随后离开", 24, ["  他说：“我们不会封闭大", "  桥。”随后离开"]),
        ("https://example.org/" + "a" * 10, 22, ["  https://example.org/", "  aaaaaaaaaa"]),
        ("", 22, ["  "]),
    ],
)
def test_text_breaks_between_words_and_chinese_characters(text: str, cells: int, lines: list[str]) -> None:
    assert wrapped(text, cells, "  ") == lines
    assert wrapped(text, None, "  ") == ["  " + text]


def test_a_folded_line_goes_on_further_in() -> None:
    assert [part.plain for part in folded("  one two three", 10)] == ["  one", "    two", "    three"]
    assert [part.plain for part in folded(Text("short"), 10)] == ["short"]


def test_an_unknown_hour_has_no_bar_and_the_instant_stands_once(planted: list[str]) -> None:
    story = storyheat("top", "--json", AT, *planted).json["stories"][0]["id"]
    page = storyheat("heat", story, "--period=24h", "--at=2026-10-28T05:00Z", *planted).out.splitlines()
    assert page[-1] == "2026-10-28 05:00 UTC            ·       2    0  unknown"
    assert (page[2].split()[0], len(page)) == ("2026-10-27", 2 + 24)
    assert len(storyheat("heat", story, "--period=24h", "--at=2026-10-28T05:01Z", *planted).out.splitlines()) == 2 + 25


def test_a_changed_rule_is_remarked_on(planted: list[str], tmp_path: Path) -> None:
    story = storyheat("top", "--json", AT, *planted).json["stories"][0]["id"]
    assert storyheat("top", AT, *planted).err == ""
    config = tmp_path / "feeds.yaml"
    config.write_text("heat: {half_life_hours: 12}\n", "utf-8")
    for arguments in (("top", "--json"), ("heat", story)):
        outcome = storyheat(*arguments, AT, planted[0], f"--config={config}")
        assert outcome.err.endswith("the stored views follow at the next ingest\n")
    assert storyheat("top", "-q", AT, planted[0], f"--config={config}").err == ""


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
@pytest.mark.parametrize("command", ["top", "db check"])
def test_a_database_that_cannot_be_written_can_be_read(planted: list[str], tmp_path: Path, command: str) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    copy = folder / "storyheat.db"
    copy.write_bytes(Path(planted[0].removeprefix("--db=sqlite:///")).read_bytes())
    copy.chmod(0o444)
    folder.chmod(0o555)
    drop = "-dac_override,-dac_read_search"  # root may write anywhere, unless it gives that up
    prefix = f"setpriv --bounding-set={drop} --inh-caps={drop} " if os.geteuid() == 0 else ""
    options = [f"--db=sqlite:///{copy}", planted[1]]
    try:
        ended = in_shell(f'{prefix}"$@"', *command.split(), *options)
        stopped = in_shell(f'{prefix}"$@"', "ingest", *options)
    finally:
        folder.chmod(0o755)
    if "setpriv" in ended.stderr:
        pytest.skip("root cannot give up its rights here")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (stopped.returncode, "check the rights" in stopped.stderr) == (1, True)
    assert [path.name for path in folder.iterdir()] == ["storyheat.db"]
