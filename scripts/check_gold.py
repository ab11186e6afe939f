"""Compares what we read in the real feeds with the gold values and lists every difference."""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from storyheat.core.addresses.urls import resolve
from storyheat.core.model import Entry, ParsedFeed
from storyheat.errors import DocumentError
from storyheat.ingest.document import parse_document

GOLD_FILES = ("gold_consensus.jsonl", "gold.jsonl")
FIELDS = ("title", "link", "published")


@dataclass
class Tally:
    """What was compared and what differed in one gold file."""

    feeds: int = 0
    right_counts: int = 0
    failed: int = 0
    slowest: tuple[float, str] = (0.0, "")
    compared: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def share(self, name: str) -> float:
        """Share of right values of a field, in per cent."""
        return 100 * self.right[name] / max(1, self.compared[name])


def shared_folder() -> Path:
    """Where the shared material lies: STORYHEAT_SHARED, else ../shared beside the project."""
    return Path(os.environ.get("STORYHEAT_SHARED", Path(__file__).resolve().parents[1] / "../shared"))


def ours(entry: Entry, name: str) -> str | None:
    """A value of ours in the form that the gold files use."""
    if name == "published":
        return entry.published.at.strftime("%Y-%m-%dT%H:%M:%SZ") if entry.published else None
    return entry.title if name == "title" else entry.link


def same(name: str, gold: str | None, own: str | None, base: str | None) -> bool:
    """Whether two values say the same. White space makes no difference; the gold's relative links are as
    published, ours are resolved or, without a base, null."""
    if name == "link":
        return resolve(gold, base) == own
    if name == "title":
        return " ".join((gold or "").split()) == " ".join((own or "").split())
    return (gold or None) == (own or None)


def pairs(record: dict[str, Any], feed: ParsedFeed) -> Iterator[tuple[dict[str, Any], Entry | None]]:
    """Gold entries with ours: by index where given, else by id, else by title, else by place."""
    by_id = {entry.guid: entry for entry in feed.entries if entry.guid}
    by_title = {entry.title: entry for entry in feed.entries}
    for place, gold in enumerate(record["entries"]):
        index = gold.get("i", gold.get("index"))
        if index is None and gold.get("id") in by_id:
            yield gold, by_id[gold["id"]]
            continue
        if index is None and "match_title" in gold:
            yield gold, by_title.get(gold["match_title"])
            continue
        index = place if index is None else index
        yield gold, feed.entries[index] if index < len(feed.entries) else None


def compare(gold_file: Path) -> Tally:
    """Reads every feed of a gold file and compares."""
    tally = Tally()
    for line in gold_file.read_text("utf-8").splitlines():
        record = json.loads(line)
        tally.feeds += 1
        body = (gold_file.parent / "real" / record["file"]).read_bytes()
        base = record.get("source_url") or next((e["base"] for e in record["entries"] if e.get("base")), None)
        started = time.process_time()
        try:
            feed = parse_document(body, url=base, content_type=None, source_timezone=None)
        except DocumentError as error:
            tally.failed += 1
            tally.differences.append(f"{record['file']}: {error.kind}: {error}")
            continue
        tally.slowest = max(tally.slowest, (time.process_time() - started, record["file"]))
        if record["count"] is None or len(feed.entries) == record["count"]:
            tally.right_counts += 1
        else:
            tally.differences.append(f"{record['file']}: count {record['count']} != {len(feed.entries)}")
        for gold, entry in pairs(record, feed):
            for name in FIELDS:
                if name not in gold:
                    continue
                tally.compared[name] += 1
                own = ours(entry, name) if entry else None
                if entry and same(name, gold[name], own, base):
                    tally.right[name] += 1
                else:
                    votes = gold.get({"published": "date_votes"}.get(name, f"{name}_votes"), "")
                    raw = f" raw {gold.get('published_raw')!r}" if name == "published" else ""
                    tally.differences.append(f"{record['file']}: {name} {gold[name]!r} != {own!r} {votes}{raw}")
    return tally


def main() -> int:
    """Prints the figures and, with --differences, every value that is not the gold's."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--differences", action="store_true", help="list every difference")
    options = arguments.parse_args()
    folder = shared_folder() / "feeds"
    if not folder.is_dir():
        print(f"no material at {folder}; set STORYHEAT_SHARED", file=sys.stderr)
        return 1
    for name in GOLD_FILES:
        tally = compare(folder / name)
        print(
            f"{name}: {tally.feeds} feeds, right count {100 * tally.right_counts / tally.feeds:.2f} %, "
            + ", ".join(f"{field} {tally.share(field):.2f} % of {tally.compared[field]}" for field in FIELDS)
            + f"; not read {tally.failed}; slowest {tally.slowest[0]:.2f} s of CPU ({tally.slowest[1]})"
        )
        if options.differences:
            print(*tally.differences, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
