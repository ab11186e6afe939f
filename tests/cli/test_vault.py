"""db backup, db restore and db stats: copies that are whole, checked and never lose what was there."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.command import storyheat
from tests.make import Post, rss, utc, write_recording

from storyheat.store.runlock import run_lock

NOON = utc("2026-11-10 12:00")


@pytest.fixture
def database(tmp_path: Path) -> str:
    """`--db=…` of a database with one item."""
    post = Post("A tower of Lego in Torvik", "https://one.example/1", NOON, text="Twelve metres.")
    recording = write_recording(tmp_path / "recorded", {"one": {NOON: rss(post)}})
    option = f"--db=sqlite:///{tmp_path / 'storyheat.db'}"
    assert storyheat("replay", recording, option).code == 0
    return option


def digest(option: str) -> str:
    return storyheat("db", "check", "--digest", option).out.strip()


def raw(path: Path) -> closing[sqlite3.Connection]:
    return closing(sqlite3.connect(path, isolation_level=None, timeout=0))


def test_a_copy_is_made_checked_and_not_overwritten(database: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    told = storyheat("db", "backup", copy, database)
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith(f"{copy}: a sound copy, 1 item, ")
    assert digest(f"--db=sqlite:///{copy}") == digest(database)
    again = storyheat("db", "backup", copy, database)
    assert (again.code, again.out) == (2, "")
    assert "--force" in again.err
    assert storyheat("db", "backup", copy, "--force", "--json", database).json["items"] == 1
    itself = storyheat("db", "backup", tmp_path / "storyheat.db", "--force", database)
    assert (itself.code, "the database itself" in itself.err) == (2, True)
    lost = storyheat("db", "backup", tmp_path / "nowhere" / "x.db", database)
    assert (lost.code, f"cannot write {tmp_path / 'nowhere' / 'x.db'}" in lost.err) == (1, True)
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_nothing_but_a_plain_file_is_replaced_by_a_copy(database: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, words in (
        ("pipe", "no plain file"),
        (".", "no plain file"),
        ("storyheat.db-wal", "part of the database itself"),
        ("storyheat.db.lock", "part of the database itself"),
    ):
        told = storyheat("db", "backup", tmp_path / name, "--force", database)
        assert (told.code, told.out, words in told.err) == (2, "", True), name
    assert (tmp_path / "pipe").is_fifo()
    assert storyheat("demo", f"--db={tmp_path / 'pipe'}").code == 2


def test_a_copy_is_consistent_while_another_program_writes(database: str, tmp_path: Path) -> None:
    before = digest(database)
    with raw(tmp_path / "storyheat.db") as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM membership")
        assert storyheat("db", "backup", tmp_path / "copy.db", database).code == 0
        other.execute("ROLLBACK")
    assert digest(f"--db=sqlite:///{tmp_path / 'copy.db'}") == before


def test_a_copy_is_brought_back_and_what_was_there_is_kept(database: str, tmp_path: Path) -> None:
    copy, before = tmp_path / "copy.db", digest(database)
    storyheat("db", "backup", copy, database)
    with raw(tmp_path / "storyheat.db") as other, raw(tmp_path / "storyheat.db") as reader:
        other.execute("UPDATE item SET title = 'Spoilt'")
        reader.execute("BEGIN")
        assert reader.execute("SELECT title FROM item").fetchone() == ("Spoilt",)
        told = storyheat("db", "restore", copy, database)
        assert (told.code, told.err) == (0, "")
        assert reader.execute("SELECT title FROM item").fetchone() == ("Spoilt",)  # who reads goes on reading
    assert digest(database) == before
    [kept] = tmp_path.glob("storyheat.db.before-*Z")
    assert str(kept) in told.out
    with raw(kept) as old:
        assert old.execute("SELECT title FROM item").fetchone() == ("Spoilt",)
    with raw(tmp_path / "storyheat.db") as restored:
        assert restored.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_copy_is_brought_back_where_there_was_none_or_no_database(database: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    storyheat("db", "backup", copy, database)
    made = storyheat("db", "restore", copy, "--json", f"--db=sqlite:///{tmp_path / 'new.db'}").json
    assert (made["kept"], made["items"]) == (None, 1)
    spoilt = tmp_path / "spoilt.db"
    spoilt.write_bytes(b"\0garbage" * 1000)
    told = storyheat("db", "restore", copy, f"--db=sqlite:///{spoilt}")
    assert (told.code, told.err) == (0, "")
    [kept] = tmp_path.glob("spoilt.db.before-*")
    assert kept.read_bytes().startswith(b"\0garbage")
    assert digest(f"--db=sqlite:///{spoilt}") == digest(database)


def test_what_is_no_sound_copy_is_refused_and_nothing_changes(database: str, tmp_path: Path) -> None:
    before, copy = digest(database), tmp_path / "copy.db"
    storyheat("db", "backup", copy, database)
    (tmp_path / "text.db").write_text("Buy milk. " * 500)
    with raw(tmp_path / "foreign.db") as foreign:
        foreign.execute("CREATE TABLE recipe (name)")
    broken = bytearray(copy.read_bytes())
    broken[8192:40960] = bytes(40960 - 8192)
    (tmp_path / "broken.db").write_bytes(broken)
    storyheat("db", "backup", tmp_path / "newer.db", database)
    with raw(tmp_path / "newer.db") as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9'")
    for name, words in (
        ("none.db", "there is no file"),
        ("text.db", "no SQLite database"),
        ("foreign.db", "no database of storyheat"),
        ("broken.db", "damaged"),
        ("newer.db", "newer storyheat"),
    ):
        told = storyheat("db", "restore", tmp_path / name, database)
        assert (told.code, told.out, len(told.err.splitlines())) == (1, "", 1), name
        assert words in told.err
    assert storyheat("db", "restore", tmp_path / "storyheat.db", database).code == 2
    foreign_target = f"--db=sqlite:///{tmp_path / 'foreign.db'}"
    assert "another program" in storyheat("db", "restore", copy, foreign_target).err
    assert digest(database) == before
    assert list(tmp_path.glob("*before*")) == []


def test_a_run_at_work_is_not_restored_over(database: str, tmp_path: Path) -> None:
    storyheat("db", "backup", tmp_path / "copy.db", database)
    with run_lock(database.removeprefix("--db=")):
        told = storyheat("db", "restore", tmp_path / "copy.db", database)
    assert (told.code, "another run is at work" in told.err) == (1, True)


def test_stats_tell_what_fills_the_database(database: str) -> None:
    told = storyheat("db", "stats", "--json", database).json
    assert (told["items"], told["free_bytes"]) == (1, 0)
    sizes = [one["bytes"] + one["index_bytes"] for one in told["tables"]]
    assert sizes == sorted(sizes, reverse=True)
    assert told["bytes"] * 0.8 < sum(sizes) < told["bytes"]  # the rest is the schema itself
    assert told["oldest_item_at"] == told["newest_item_at"] == "2026-11-10T12:00:00Z"
    first, *lines = storyheat("db", "stats", database).out.splitlines()
    assert first.startswith("1 item, ")
    assert any(line.split()[0] == "item" for line in lines[2:])
    assert len(storyheat("db", "stats", "--verbose", database).out.splitlines()) > len(lines)
    assert len(storyheat("db", "stats", "--quiet", database).out.splitlines()) == 3
