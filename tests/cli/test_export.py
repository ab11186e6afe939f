"""export: what the commands answer, as files and feeds for other programs."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command import storyheat
from tests.feeds_out import FORMATS, read

AT = "--at=2026-10-27T20:00:00Z"


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture(scope="module")
def engine(planted: list[str]) -> str:
    """The id of the story with an item of every role."""
    shown = storyheat("top", "--json", AT, *planted).json
    return str(max(shown["stories"], key=lambda one: int(one["voices"]))["id"])


def test_json_is_what_the_commands_print(planted: list[str], engine: str) -> None:
    listed = storyheat("export", "-n2", "--sort=new", AT, *planted)
    assert listed.out == storyheat("top", "-n2", "--sort=new", "--json", AT, *planted).out
    for what in ("story", "heat"):
        exported = storyheat("export", f"--what={what}", engine, "--period=3d", AT, *planted)
        assert exported.out == storyheat(what, engine, "--period=3d", "--json", AT, *planted).out


def test_csv_of_the_list_has_its_numbers_unrounded(planted: list[str]) -> None:
    told = storyheat("top", "--json", AT, *planted).json["stories"]
    table = rows(storyheat("export", "--format=csv", AT, *planted).out)
    assert [(one["id"], float(one["heat"]), float(one["peak"])) for one in table] == [
        (one["id"], one["heat"]["current"], one["heat"]["peak"]["value"]) for one in told
    ]
    assert [one["rank"] for one in table] == [str(rank) for rank in range(1, len(told) + 1)]
    assert table[0]["change_24h_percent"] == ""
    assert table[0]["change_24h_reason"] != ""
    assert "business; engines" in [one["topics"] for one in table]


def test_csv_of_a_story_has_an_item_a_row_and_no_formula(planted: list[str], engine: str) -> None:
    told = storyheat("story", engine, "--json", AT, *planted).json
    table = rows(storyheat("export", "--format=csv", "--what=story", engine, AT, *planted).out)
    items = [item for day in told["timeline"] for item in day["items"]]
    assert [(one["id"], one["role"], one["effective_at"]) for one in table] == [
        (one["id"], one["role"], one["effective_at"]) for one in items
    ]
    assert "'=HYPERLINK week" in [one["title"] for one in table]
    assert {one["counted"] for one in table} == {"0", "1"}
    hours = storyheat("export", "--format=csv", "--what=heat", engine, AT, *planted).out
    assert hours == storyheat("heat", engine, "--csv", AT, *planted).out


@pytest.mark.parametrize("form", FORMATS)
def test_feeds_have_the_stories_of_the_list(planted: list[str], engine: str, form: str) -> None:
    told = storyheat("top", "--json", AT, *planted).json["stories"]
    listed = read(storyheat("export", f"--format={form}", AT, *planted).out, form)
    assert {one.id.rpartition("/")[2] for one in listed} == {one["id"] for one in told}
    assert [one.updated for one in listed] == sorted((one.updated for one in listed), reverse=True)
    chinese = read(storyheat("export", f"--format={form}", "--language=zh", AT, *planted).out, form)
    assert [one.title[:4] for one in chinese] == ["哈伦德大"]
    (alone,) = read(storyheat("export", f"--format={form}", "--what=story", engine[:6], AT, *planted).out, form)
    assert alone in listed


def test_a_file_is_written_whole_and_keeps_its_mode(planted: list[str], tmp_path: Path) -> None:
    target, link = tmp_path / "top.atom", tmp_path / "link.atom"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    ran = storyheat("export", "--format=atom", "-o", link, AT, *planted)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == f"{link}: top as atom, {target.stat().st_size} bytes\n"
    assert target.read_text("utf-8") == storyheat("export", "--format=atom", AT, *planted).out
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert storyheat("export", "-q", "-o", tmp_path / "new.json", AT, *planted).out == ""
    assert json.loads((tmp_path / "new.json").read_text("utf-8"))["schema"] == "storyheat.top/1"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.atom", "new.json", "top.atom"]
    assert storyheat("export", "-o", "/dev/null", AT, *planted).code == 0


def test_a_pipe_is_written_to(planted: list[str]) -> None:
    command = [sys.executable, "-m", "storyheat", "export", "-q", "-o", "/dev/stdout", AT, "--tz=UTC", *planted]
    piped = subprocess.run(command, capture_output=True, check=True)
    assert piped.stdout.decode() == storyheat("export", AT, *planted).out


def test_what_it_is_made_of_is_not_written_over(planted: list[str], tmp_path: Path) -> None:
    database, config = (Path(option.partition("=")[2].removeprefix("sqlite:///")) for option in planted)
    link = tmp_path / "link"
    link.symlink_to(database)
    for path in (database, link, database.with_name(f"{database.name}-wal"), config):
        for command in ("export", "export-opml"):
            ran = storyheat(command, "-o", path, *planted)
            assert (ran.code, ran.out, "name another file" in ran.err) == (2, "", True)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--what=heat", "ENGINE", "--format=rss"], 2, "heat goes as json or csv, not as rss"),
        (["--what=rank"], 2, "none of top, story, heat"),
        (["--format=xml"], 2, "none of json, csv, rss, atom, jsonfeed"),
        (["--what=story"], 2, "needs the id of a story"),
        (["ENGINE"], 2, "--what story or --what heat"),
        (["--what=story", "ENGINE", "--topic=x"], 2, "--topic: only for --what top"),
        (["--what=story", "ENGINE", "-n3"], 2, "--number: only for --what top"),
        (["--base-url=https://news.example.org"], 2, "json has no links to pages"),
        (["--format=rss", "--base-url=https://news.example.org/x"], 2, "without a path"),
        (["--format=rss", "--base-url=news"], 2, "must look like https://"),
        (["--sort=size"], 2, "none of heat, rising"),
        (["--what=story", "zzz"], 2, "no story has an id"),
        (["-o", "/nowhere/at/all"], 1, "choose another place"),
    ],
)
def test_what_does_not_go_together_is_refused(
    planted: list[str], engine: str, arguments: list[str], code: int, said: str
) -> None:
    given = [engine if argument == "ENGINE" else argument for argument in arguments]
    ran = storyheat("export", *given, AT, *planted)
    assert (ran.code, ran.out, len(ran.err.splitlines())) == (code, "", 1)
    assert said in ran.err


def test_the_address_of_the_page_is_a_setting(planted: list[str], tmp_path: Path) -> None:
    config = tmp_path / "feeds.yaml"
    config.write_text("web: {base_url: https://news.example.org}\n", "utf-8")
    exported = storyheat("export", "--format=atom", AT, planted[0], f"--config={config}")
    assert 'href="https://news.example.org/story/' in exported.out
    config.write_text("web: {base_url: https://news.example.org/sub/}\n", "utf-8")
    wrong = storyheat("export", "--format=atom", AT, planted[0], f"--config={config}")
    assert wrong.code == 2
    assert "without a path" in wrong.err
