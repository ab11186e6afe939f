"""The clusterer on files: what comes out, what is refused with a line number, and how well it groups real sets."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from storyheat.background import background
from storyheat.cluster_file import cluster_file
from storyheat.errors import UsageError, WorkError
from storyheat.json_lines import MAX_LINE

ITEMS: list[dict[str, Any]] = [
    {"id": "b", "published": "2026-03-02T08:00:00Z", "title": "Petrel ferry freed off Marrow Island", "text": None},
    {"id": "a", "published": "2026-03-01T08:00:00+00:00", "title": "Petrel ferry stuck off Marrow Island"},
    {"id": "u", "published": None, "title": "Quarry opens near Tolland"},
    {"id": "c", "published": "2026-03-03", "title": "AI Weekly: the Petrel ferry", "text": "", "source": "x"},
    {"id": "d", "published": "2026-03-03T00:00:01", "title": "What moved us", "digest": True, "lang": "en", "url": ""},
]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n\n", "utf-8")
    return path


def labels(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def test_items_are_placed_in_the_order_of_time_and_each_gets_a_line(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    out = tmp_path / "out.jsonl"
    summary = cluster_file(write(tmp_path / "in.jsonl", ITEMS), out, progress=lambda n, of: told.append((n, of)))
    lines = labels(out)
    assert [(line.pop("nearest"), line.pop("z") is not None) for line in lines] == [
        (None, False), (None, False), ("a", True), (None, False), (None, False)
    ]  # fmt: skip
    assert lines == [
        {"id": "a", "story": "a", "role": "report", "mentions": []},
        {"id": "u", "story": "u", "role": "report", "mentions": []},
        {"id": "b", "story": "a", "role": "report", "mentions": []},
        {"id": "c", "story": None, "role": "mention", "mentions": ["a"]},
        {"id": "d", "story": None, "role": "mention", "mentions": []},
    ]
    assert (summary.items, summary.stories, summary.mentions) == (5, 2, 2)
    assert told == [(n, 5) for n in range(1, 6)]
    assert list(tmp_path.glob("*.part")) == []


def test_without_times_the_file_order_holds(tmp_path: Path) -> None:
    rows = [{"id": str(n), "title": f"Thing{n}"} for n in (3, 1, 2)]
    cluster_file(write(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl")
    assert [row["id"] for row in labels(tmp_path / "out.jsonl")] == ["3", "1", "2"]


def test_a_copy_stands_where_its_original_does(tmp_path: Path) -> None:
    text = " ".join(f"the ferry Petrel left harbour {n} with coal and mail" for n in range(6))
    notes = {"title": "Harbour notes", "text": "Harbour notes of the week. " * 20}
    rows: list[dict[str, Any]] = [
        {"id": "a", "published": "2026-03-01", "title": "Ferry Petrel sails", "text": text},
        {"id": "b", "published": "2026-03-02", "title": "The Petrel has sailed", "text": text + " again"},
        {"id": "w", "published": "2026-03-03", "digest": True, **notes},
        {"id": "x", "published": "2026-03-04", **notes},
    ]
    cluster_file(write(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl")
    assert [(row["id"], row["story"], row["role"]) for row in labels(tmp_path / "out.jsonl")] == [
        ("a", "a", "report"),
        ("b", "a", "copy"),
        ("w", None, "mention"),
        ("x", None, "mention"),
    ]


def test_labels_can_be_written_after_merges(tmp_path: Path, root: Path) -> None:
    golden = (root / "tests/golden/stories.jsonl").read_text("utf-8").splitlines()
    source = write(tmp_path / "in.jsonl", [json.loads(line) | {"text": None} for line in golden])
    online, after = tmp_path / "online.jsonl", tmp_path / "after.jsonl"
    summary, merged = cluster_file(source, online), cluster_file(source, after, consolidated=True)
    assert merged.stories == len({row["story"] for row in labels(after)} - {None}) < summary.stories
    assert [row["id"] for row in labels(after)] == [row["id"] for row in labels(online)]
    stories = {row["id"]: row["story"] for row in labels(after)}
    for row in labels(after):
        named = [story for story in (row["story"], *row["mentions"]) if story is not None]
        assert [stories[story] for story in named] == named, "only ids of stories that stand"
        assert len(set(named)) == len(named)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["after.jsonl", "in.jsonl", "online.jsonl"]


def test_an_empty_file_is_no_error(tmp_path: Path) -> None:
    assert cluster_file(write(tmp_path / "in.jsonl", []), tmp_path / "out.jsonl").items == 0
    assert labels(tmp_path / "out.jsonl") == []


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[1]", "must be a JSON object, not list"),
        (b'{"id": "\xff"}', "is not UTF-8"),
        (b"{}", '"id" must be a text'),
        (b'{"id": ""}', '"id" must be a text'),
        (b'{"id": 7}', '"id" must be a text'),
        (b'{"id": "a"}', "the id 'a' stands on line 1 already"),
        (b'{"id": "z", "title": 1}', '"title" must be a text or null'),
        (b'{"id": "z", "text": ["x"]}', '"text" must be a text or null'),
        (b'{"id": "z", "lang": 1}', '"lang" must be a text or null'),
        (b'{"id": "z", "digest": "yes"}', '"digest" must be true or false'),
        (b'{"id": "z", "published": "yesterday"}', '"published" must be null or an ISO time'),
        (b'{"id": "z", "published": 1790000000}', '"published" must be null or an ISO time'),
        (b'{"id": "z", "published": "0001-01-01T00:00:00+14:00"}', '"published" must be null or an ISO time'),
        (b'{"id": "' + b"z" * MAX_LINE + b'"}', "the line is longer than"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: bytes, reason: str) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(b'\xef\xbb\xbf{"id": "a"}\r\n' + line + b"\n")
    with pytest.raises(UsageError) as caught:
        cluster_file(source, tmp_path / "out.jsonl")
    assert str(caught.value).startswith(f"{source}:2: ")
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out.jsonl").exists()


def test_odd_texts_are_no_error(tmp_path: Path) -> None:
    rows = [{"id": "\ud800", "title": "\x00\u202e\ud800" * 3, "text": "9" * 5000 + "𝟘" * 200 + "a." * 3000}]
    cluster_file(write(tmp_path / "in.jsonl", rows), tmp_path / "out.jsonl")
    assert labels(tmp_path / "out.jsonl")[0]["id"] == "\ud800"


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    source = write(tmp_path / "in.jsonl", ITEMS)
    with pytest.raises(UsageError, match="cannot be read"):
        cluster_file(tmp_path / "absent", tmp_path / "out.jsonl")
    with pytest.raises(UsageError, match="overwrite its own input"):
        cluster_file(source, tmp_path / "." / "in.jsonl")
    with pytest.raises(WorkError, match="cannot be written"):
        cluster_file(source, tmp_path / "no" / "such" / "folder.jsonl")
    with pytest.raises(WorkError, match="cannot be written"):
        cluster_file(source, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["in.jsonl"]
    with subprocess.Popen(["true"], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        pipe = Path(f"/dev/fd/{process.stdout.fileno()}")
        if pipe.exists():
            with pytest.raises(UsageError, match="not a pipe"):
                cluster_file(pipe, tmp_path / "out.jsonl")


@pytest.mark.parametrize("consolidated", [False, True])
def test_a_pipe_takes_the_labels(tmp_path: Path, consolidated: bool) -> None:
    source = write(tmp_path / "in.jsonl", ITEMS)
    cluster_file(source, tmp_path / "out.jsonl", consolidated=consolidated)
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        cluster_file(source, tmp_path / "pipe", consolidated=consolidated)
        written, _ = reader.communicate(timeout=30)
    assert written == (tmp_path / "out.jsonl").read_bytes()
    assert (tmp_path / "pipe").is_fifo()


def test_labels_do_not_depend_on_the_seed_of_hashes(tmp_path: Path, shared: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from storyheat.cluster_file import cluster_file;"
        "cluster_file(Path(sys.argv[1]), Path(sys.argv[2]))"
    )
    outs = [tmp_path / f"out{seed}" for seed in ("1", "2")]
    for seed, out in zip(("1", "2"), outs, strict=True):
        env = {"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)}
        items = shared / "eval" / "scoop_ai_202602.jsonl"
        subprocess.run([sys.executable, "-c", code, items, out], check=True, env=env, timeout=60)
    assert outs[0].read_bytes() == outs[1].read_bytes()


def test_the_background_is_a_table_of_shares() -> None:
    table = background()
    assert 20_000 < len(table) < 50_000
    assert all(0.0 < share <= 1.0 for share in table.values())
    assert table["government"] < table["year"]
    assert table["公司"] > table["灯塔"] if "灯塔" in table else table["公司"] > 0.05
    assert background() is table


@pytest.mark.parametrize("history", [None, "scoop_ai_202602", "neus_train"])
def test_the_seed_story_is_whole_and_its_mentions_stay_out(tmp_path: Path, shared: Path, history: str | None) -> None:
    seed = (shared / "eval" / "seed.jsonl").read_text("utf-8")
    before = (shared / "eval" / f"{history}.jsonl").read_text("utf-8") if history else ""
    (tmp_path / "in.jsonl").write_text(before + seed, "utf-8")
    cluster_file(tmp_path / "in.jsonl", tmp_path / "out.jsonl")
    roles = {row["id"]: row["role"] for row in map(json.loads, seed.splitlines())}
    out = {row["id"]: row for row in labels(tmp_path / "out.jsonl") if row["id"] in roles}
    reports = {out[item]["story"] for item, role in roles.items() if role == "report"}
    mentions = [out[item] for item, role in roles.items() if role == "mention"]
    assert len(reports) == 1
    (story,) = reports
    assert sum(story in row["mentions"] for row in mentions) >= 3
    assert all(row["story"] != story for row in mentions)
