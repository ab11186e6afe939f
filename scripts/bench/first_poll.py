"""The first poll of many feeds as a whole process, from fetching to heat; beside it another program, and the floors.

The other program is lemon24/reader, run by a Python that has it: its `update_feeds` fetches, parses and stores the
same documents of the same server, and neither finds stories nor measures. The floors are what nobody can be below who
reads with feedparser and keeps in SQLite: parsing alone, and inserting alone, of the same bytes.
"""

import json
import sqlite3
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import documents
import feedparser
import stream
from loopback import serving
from machine import Taken, median, process, storyheat

READER = """
import sys
from reader import make_reader
database, workers, *urls = sys.argv[1:]
reader = make_reader(database)
for url in urls:
    reader.add_feed(url, exist_ok=True)
reader.update_feeds(workers=int(workers))
assert reader.get_entry_counts().total, "nothing was read"
"""


def measured(feeds: int, entries: int, rounds: int, seed: int, reader: str | None) -> dict[str, Any]:
    """The first and the second poll, of us and of the other program in turns; medians of the rounds."""
    served = bodies(feeds, entries, seed)
    taken: dict[str, list[Taken]] = {}
    with serving(served) as places, tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            own = Path(folder, f"own{number}")
            own.mkdir()
            _configure(own, places)
            ingest = [*storyheat("ingest", "--json", "--force"), "--config", f"{own}/feeds.yaml"]
            ingest += ["--db", f"sqlite:///{own}/storyheat.db"]
            for turn in ("first", "second"):
                taken.setdefault(turn, []).append(process(ingest))
            _check(own / "storyheat.db", feeds * entries)
            for workers in (1, 4) if reader else ():
                other = [reader or "", "-c", READER, f"{own}/reader{workers}.db", str(workers)]
                other += [f"http://{place}/feed" for place in places.values()]
                for turn in ("first", "second"):
                    taken.setdefault(f"reader_{workers}_{turn}", []).append(process(other, {}))  # no paths of ours
        told = {name: median(found).as_json() for name, found in taken.items()}
    return {
        "feeds": feeds,
        "entries": feeds * entries,
        "bytes": sum(map(len, served.values())),
        "rounds": rounds,
        "polls": told,
        "floors": floors(served),
    }


def bodies(feeds: int, entries: int, seed: int) -> dict[str, bytes]:
    """So many documents of so many entries, all sources as busy as each other."""
    params = stream.StreamParams(seed=seed, sources=feeds, activity=0.0)
    listed: dict[str, list[stream.Item]] = {one.id: [] for one in stream.sources(params)}
    missing = feeds * entries
    for item in stream.items(feeds * entries * 100, params):
        if len(listed[item.source]) < entries:
            listed[item.source].insert(0, item)
            missing -= 1
        if not missing:
            break
    return {source: documents.document(source, found) for source, found in listed.items()}


def _configure(folder: Path, places: Mapping[str, str]) -> None:
    """A feeds.yaml with one source for each feed; loopback is asked only where the settings allow it."""
    sources = [
        {"id": source, "name": f"Source {source}", "feeds": [{"url": f"http://{place}/feed"}]}
        for source, place in places.items()
    ]
    settings = {"network": {"allow_hosts": list(places.values())}, "sources": sources}
    (folder / "feeds.yaml").write_text(json.dumps(settings), "utf-8")  # JSON is YAML


def _check(database: Path, entries: int) -> None:
    """Nothing is measured that did not do the work."""
    with sqlite3.connect(database) as connection:
        (items,) = connection.execute("SELECT count(*) FROM item").fetchone()
        (heated,) = connection.execute("SELECT count(*) FROM story").fetchone()
    assert items > 0.9 * entries, f"{items} items of {entries} entries"
    assert heated, "no story was found"


def floors(served: Mapping[str, bytes]) -> dict[str, float]:
    """Seconds of the processor: feedparser alone on the bytes, and SQLite alone with what it found in them."""
    begun = time.process_time()
    parsed = [feedparser.parse(body) for body in served.values()]
    read = time.process_time()
    rows = [
        (one.get("id"), one.get("link"), one.get("title"), one.get("published"), one.get("summary"),
         "".join(part.value for part in one.get("content", ())))
        for feed in parsed
        for one in feed.entries
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder, sqlite3.connect(Path(folder, "floor.db")) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        start = time.process_time()
        connection.execute("CREATE TABLE entry (id PRIMARY KEY, link, title, published, summary, content)")
        connection.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", rows)
        connection.commit()
        stored = time.process_time() - start
    return {"feedparser_cpu": round(read - begun, 3), "sqlite_cpu": round(stored, 3), "entries": len(rows)}
