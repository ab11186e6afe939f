"""init, db, rebuild, cluster, parse, replay's refusals, and how usage errors look."""

import io
import json
import sys
from pathlib import Path

import pytest
from tests.command import storyheat
from tests.make import Post, rss, utc, write_recording

from storyheat.settings.shipped import shipped_feeds_yaml

NOON = utc("2026-11-10 12:00")


def test_init_writes_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("STORYHEAT_DB", raising=False)
    folder = tmp_path / "new"
    first = storyheat("init", folder)
    assert first.code == 0
    assert (folder / "feeds.yaml").read_text("utf-8") == shipped_feeds_yaml()
    assert (folder / "storyheat.db").exists()
    (folder / "feeds.yaml").write_text("sources: []\n", "utf-8")
    second = storyheat("init", folder)
    assert second.code == 0
    assert "was there, left as it is, 0 sources" in second.out
    assert "was there, is sound" in second.out
    assert (folder / "feeds.yaml").read_text("utf-8") == "sources: []\n"
    assert storyheat("init", folder, "--quiet").out == ""


def test_init_says_why_it_cannot_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    outcome = storyheat("init", tmp_path / "file" / "below")
    assert outcome.code == 1
    assert "choose another folder" in outcome.err


def test_upgrade_and_check(tmp_path: Path) -> None:
    database = f"--db=sqlite:///{tmp_path / 'storyheat.db'}"
    assert "upgraded through 0001" in storyheat("db", "upgrade", database).out
    assert storyheat("db", "upgrade", "--json", database).json["steps"] == []
    assert "nothing to do" in storyheat("db", "upgrade", database).out
    assert storyheat("db", "check", database).out.endswith("sound\n")
    mark = storyheat("db", "check", "--digest", database).out.strip()
    assert len(mark) == 64
    assert storyheat("db", "check", "--digest", "--json", database).json["digest"] == mark
    (tmp_path / "text.db").write_text("no database" * 100, "utf-8")
    outcome = storyheat("db", "check", f"--db=sqlite:///{tmp_path / 'text.db'}")
    assert (outcome.code, len(outcome.err.splitlines())) == (1, 1)


def test_rebuild_compares_and_makes_anew(tmp_path: Path) -> None:
    import sqlite3

    post = Post("A tower of Lego in Torvik", "https://one.example/1", NOON, text="Twelve metres.")
    recording = write_recording(tmp_path / "recorded", {"one": {NOON: rss(post)}})
    database = f"--db=sqlite:///{tmp_path / 'storyheat.db'}"
    assert storyheat("replay", recording, "--json", database).json["items"]["new"] == 1
    assert storyheat("rebuild", "--check", database).out == "What is stored is what the facts give.\n"
    connection = sqlite3.connect(tmp_path / "storyheat.db")
    with connection:
        connection.execute("UPDATE measure SET heat = heat + 1")
    connection.close()
    differs = storyheat("rebuild", "--check", database)
    assert differs.code == 1
    [head, row] = differs.out.splitlines()
    assert head == "measure: 1 row differs"
    assert row.startswith("  story_id s")
    assert row.endswith(": heat: stored 11.0 / remade 10.0")
    assert "storyheat rebuild" in differs.err
    assert storyheat("rebuild", "--check", "--json", database).json["differences"]
    assert "made anew" in storyheat("rebuild", database).out
    assert storyheat("rebuild", "--check", "--quiet", database).out == ""


def test_an_unfinished_run_is_no_difference(tmp_path: Path) -> None:
    import sqlite3

    post = Post("A tower of Lego in Torvik", "https://one.example/1", NOON, text="Twelve metres.")
    recording = write_recording(tmp_path / "recorded", {"one": {NOON: rss(post)}})
    database = f"--db=sqlite:///{tmp_path / 'storyheat.db'}"
    storyheat("replay", recording, database)
    connection = sqlite3.connect(tmp_path / "storyheat.db")
    for change in (
        "UPDATE derivation SET up_to = '2026-11-10T11:00:00Z' WHERE what = 'heat'",
        "UPDATE derivation SET up_to = '2026-11-10T11:00:00Z'",
        "DELETE FROM derivation",
    ):
        with connection:
            connection.execute(change)
        outcome = storyheat("rebuild", "--check", database)
        assert (outcome.code, outcome.out) == (1, "")
        assert 'the next "storyheat ingest" makes up for it' in outcome.err
    told = storyheat("rebuild", "--check", "--json", database).json
    assert (told["unfinished"], told["differences"]) == (True, [])
    connection.close()


def test_problems_come_with_what_to_do(tmp_path: Path) -> None:
    import sqlite3

    post = Post("A tower of Lego in Torvik", "https://one.example/1", NOON, text="Twelve metres.")
    recording = write_recording(tmp_path / "recorded", {"one": {NOON: rss(post)}})
    database = f"--db=sqlite:///{tmp_path / 'storyheat.db'}"
    storyheat("replay", recording, database)
    connection = sqlite3.connect(tmp_path / "storyheat.db")
    with connection:
        connection.execute("DELETE FROM membership")
    lost = storyheat("db", "check", database)
    assert lost.out == "1 item was never placed: run `storyheat rebuild`\n"
    assert lost.err.count("run `storyheat") == 1
    assert storyheat("rebuild", "--check", database).out.startswith("membership: 1 row is missing\n  item_id ")
    with connection:
        connection.execute(
            "INSERT INTO membership SELECT 1, id, 'snone', 'none', first_seen_at, 'machine', NULL, 0, '{}' FROM item"
        )
        connection.execute("DELETE FROM story")
    many = storyheat("db", "check", database)
    assert "lead" in many.out
    assert "problems; do what stands behind each" in many.err
    assert "1 row should not be there" in storyheat("rebuild", "--check", database).out
    connection.close()


def test_a_database_that_is_refused_gets_no_lock(tmp_path: Path) -> None:
    import sqlite3

    config = tmp_path / "feeds.yaml"
    config.write_text("sources: []\n", "utf-8")
    (tmp_path / "text.db").write_text("no database" * 100, "utf-8")
    storyheat("db", "upgrade", f"--db=sqlite:///{tmp_path / 'newer.db'}")
    for name, statement in (
        ("foreign", "CREATE TABLE t (a)"),
        ("newer", "UPDATE alembic_version SET version_num = '9'"),
    ):
        with sqlite3.connect(tmp_path / f"{name}.db") as connection:
            connection.execute(statement)
        connection.close()
    for name in ("text", "foreign", "newer"):
        outcome = storyheat("ingest", f"--db=sqlite:///{tmp_path / name}.db", f"--config={config}")
        assert (outcome.code, len(outcome.err.splitlines())) == (1, 2), outcome.err  # the first: no feed to poll
    assert not list(tmp_path.glob("*.lock"))


def test_replay_refuses_what_is_no_recording(tmp_path: Path) -> None:
    database = f"--db=sqlite:///{tmp_path / 'storyheat.db'}"
    assert storyheat("replay", tmp_path / "none", database).code == 2
    recording = write_recording(tmp_path / "recorded", {"one": {NOON: rss()}})
    assert "--every: " in storyheat("replay", recording, "--every=often", database).err
    early = storyheat("replay", recording, "--until=2026-11-09", database)
    assert (early.code, early.out.rstrip()) == (0, f"{recording}: no snapshot is that old; nothing was polled")
    (recording / "two").mkdir()
    (recording / "two" / "20261110T120000Z.html").write_text("<html><body>Hello</body></html>", "utf-8")
    failed = storyheat("replay", recording, "--verbose", database)
    assert failed.code == 3
    assert "  failed: two: " in failed.out


ITEMS = (
    {
        "id": "1",
        "published": "2026-11-10T08:00:00Z",
        "title": "Zorblat engine seven out",
        "text": "Quuxcorp in Torvik.",
    },
    {"id": "2", "published": None, "title": "Pears in season", "text": ""},
)


def test_cluster_alone(tmp_path: Path) -> None:
    given, made = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    given.write_text("".join(json.dumps(item) + "\n" for item in ITEMS), "utf-8")
    outcome = storyheat("cluster", given, "-o", made)
    assert (outcome.code, outcome.out) == (0, f"{made}: 2 items, 2 stories, 0 only mentions\n")
    labels = [json.loads(line) for line in made.read_text("utf-8").splitlines()]
    assert [(label["id"], label["role"], label["mentions"]) for label in labels] == [
        ("1", "report", []),
        ("2", "report", []),
    ]
    assert storyheat("cluster", given, "--output", made, "--lexical", "--json").json["stories"] == 2
    given.write_text("{}\n", "utf-8")
    assert storyheat("cluster", given, "-o", made).code == 2


FEED = rss(
    Post("Tower", "/1", "Tue, 10 Nov 2026 10:00:00 GMT", guid="g1"),
    Post("Bridge", "https://two.example/2", "Tue, 10 Nov 2036 10:00:00 GMT"),
)


def test_parse_one_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "feed.xml"
    file.write_text(FEED, "utf-8")
    bare = storyheat("parse", file, "--json", "--fetched-at=2026-11-10T12:00Z").json
    first, second = bare["entries"]
    assert (bare["format"], bare["count"], bare["error"]) == ("rss20", 2, None)
    assert (first["id"], first["link"], first["published"]) == ("g1", None, "2026-11-10T10:00:00Z")
    assert second["effective"] == "2026-11-10T12:00:00Z"  # not in the future
    assert any(remark.startswith("entry 1: ") for remark in bare["remarks"])
    based = storyheat("parse", file, "--json", "--url=https://one.example/feed").json
    assert based["entries"][0]["link"] == "https://one.example/1"
    page = storyheat("parse", file, "--verbose", "--source-tz=Europe/Berlin", "--content-type=text/xml").out
    assert page.startswith("rss20  2 entries  Sample\n")
    assert "counts from" in page
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FEED.encode())))
    assert storyheat("parse", "-", "--quiet").out.startswith("   1  2026-11-10 10:00 UTC  Tower\n")


def test_parse_what_is_no_feed(tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("<html><body>Hello</body></html>", "utf-8")
    outcome = storyheat("parse", file, "--json")
    assert (outcome.code, outcome.json["error"]["kind"], outcome.json["entries"]) == (1, "html", [])
    assert len(outcome.err.splitlines()) == 1
    assert storyheat("parse", tmp_path / "none.xml").code == 2
    assert "no IANA time zone" in storyheat("parse", file, "--source-tz=Mars/Base").err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nonsense",), "No such command 'nonsense'"),
        (("story",), "Missing argument 'STORY'; \"storyheat story --help\" explains"),
        (("top", "-n", "0"), "Invalid value for '--number'"),
        (("top", "--colour"), "No such option: --colour"),
    ],
)
def test_wrong_usage_is_one_line(arguments: tuple[str, ...], words: str) -> None:
    outcome = storyheat(*arguments, tz=None)
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
    assert len(outcome.err.splitlines()) == 1


@pytest.mark.parametrize("arguments", [(), ("--help",), ("top", "--help"), ("db", "check", "--help")])
def test_help_has_an_example(arguments: tuple[str, ...]) -> None:
    outcome = storyheat(*arguments, tz=None)
    assert outcome.code == 0
    assert "Usage: storyheat" in outcome.out
    assert "storyheat" in outcome.out.splitlines()[-1]


def test_the_version() -> None:
    from storyheat import __version__

    assert storyheat("--version", tz=None).out == f"storyheat {__version__}\n"
