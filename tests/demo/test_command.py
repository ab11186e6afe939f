"""The command `demo`: what it prints, where it writes, and what it leaves behind."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command import storyheat
from tests.demo.conftest import AT, Played
from tests.make import Post, rss, utc, write_recording

from storyheat.cli import common
from storyheat.cli.common import UsualJson
from storyheat.cli.demo import next_commands, show_week
from storyheat.cli.run import Sums
from storyheat.demo.play import CONFIG


def test_what_it_prints_is_what_the_commands_print(played: Played) -> None:
    shown = played.printed
    assert shown["database"] == str(played.database)
    assert shown["top"] == played.json("top", "-n10", AT)
    most = max(shown["top"]["stories"], key=lambda story: story["voices"])
    assert shown["story"] == played.json("story", most["id"], AT)


def test_the_page_ends_with_commands_that_work(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    with common.asking(UsualJson(db=str(played.database), config=CONFIG, tz="UTC"), AT.removeprefix("--at=")) as asked:
        show_week(asked, Sums(), played.database, as_json=False, quiet=False, verbose=False)
    printed = capsys.readouterr().out
    assert "Fernway" in printed
    assert "old-mill-gazette  gone" in printed
    for command in next_commands(played.database, played.printed["story"]["id"], played.printed["story"]["at"]):
        assert command.partition(" --db")[0] in printed
        assert storyheat(*shlex.split(command)).code == 0


def test_it_leaves_the_database_and_nothing_else(played: Played) -> None:
    assert [path.name for path in played.database.parent.iterdir() if "db-" not in path.name] == ["demo.db"]
    assert sorted(path.name for path in played.kept.iterdir()) == ["feeds.yaml", "gold.jsonl", "snapshots"]


def test_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    command = ["timeout", "--preserve-status", "-s", "INT", "4", sys.executable, "-m", "storyheat", "demo"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "storyheat: interrupted\n")
    assert list(tmp_path.iterdir()) == []


def test_a_database_with_other_sources_is_left_alone(tmp_path: Path) -> None:
    post = Post("Pears are ripe", "https://orchard.example/1", utc("2026-11-09 08:00"))
    recording = write_recording(tmp_path / "recorded", {"orchard": {utc("2026-11-09 09:00"): rss(post)}})
    database = f"--db=sqlite:///{tmp_path / 'mine.db'}"
    assert storyheat("replay", recording, database).code == 0
    before = (tmp_path / "mine.db").read_bytes()
    ran = storyheat("demo", database)
    assert ran.code == 1
    assert "holds other sources (orchard)" in ran.err
    assert (tmp_path / "mine.db").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--db=sqlite:///{tmp}/none/demo.db"], 1, "name another place with --db"),
        (["--db=sqlite:///{tmp}/demo.db", "--keep={tmp}/file"], 1, "name another with --keep"),
        (["--db=sqlite:///:memory:"], 2, "an SQLite file of its own"),
    ],
)
def test_places_that_will_not_do(tmp_path: Path, options: list[str], code: int, said: str) -> None:
    (tmp_path / "file").touch()
    ran = storyheat("demo", *(option.format(tmp=tmp_path) for option in options))
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
