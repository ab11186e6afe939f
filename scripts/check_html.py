"""Compares what we read in saved web pages with the gold values: publication day, article text, feeds named."""

import argparse
import gzip
import json
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from storyheat.core.addresses.urls import identity_key
from storyheat.ingest.article import article_text, can_extract
from storyheat.ingest.page import page_text
from storyheat.ingest.page_article import read_article_page
from storyheat.ingest.page_feeds import discover


@dataclass
class Tally:
    """What was compared and what differed."""

    days: Counter[str] = field(default_factory=Counter)  # right, wrong, unknown; invented: where gold has no date
    text_f1: list[float] = field(default_factory=list)
    feeds: Counter[str] = field(default_factory=Counter)  # right, wrong
    slowest: tuple[float, str] = (0.0, "")
    differences: list[str] = field(default_factory=list)

    def day_share(self, outcome: str) -> float:
        """Share of an outcome among the pages with a gold date, in per cent."""
        return 100 * self.days[outcome] / max(1, self.dated())

    def dated(self) -> int:
        """Pages with a gold date."""
        return sum(self.days[outcome] for outcome in ("right", "wrong", "unknown"))

    def mean_f1(self) -> float:
        """Mean token F1 of the article texts."""
        return sum(self.text_f1) / max(1, len(self.text_f1))


def shared_folder() -> Path:
    """Where the shared material lies: STORYHEAT_SHARED, else ../shared beside the project."""
    return Path(os.environ.get("STORYHEAT_SHARED", Path(__file__).resolve().parents[1] / "../shared"))


def pages(folder: Path) -> Iterator[tuple[dict[str, Any], str]]:
    """Every gold record with the decoded page."""
    for line in (folder / "gold.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        yield record, page_text(gzip.decompress((folder / record["file"]).read_bytes()))


def token_f1(ours: str, gold: str) -> float:
    """Harmonic mean of precision and recall over words, each counted as often as it stands there."""
    mine, theirs = (Counter(re.findall(r"\w+", text)) for text in (ours, gold))
    common = sum((mine & theirs).values())
    if not common:
        return float(not mine and not theirs)
    return 2 * common / (sum(mine.values()) + sum(theirs.values()))


def compare(folder: Path, *, texts: bool = True) -> Tally:
    """Reads every page and compares; without `texts` no article text is looked for."""
    tally = Tally()
    for record, text in pages(folder):
        started = time.perf_counter()
        gold = record["gold"]
        if "date" in gold:
            _compare_day(record, text, tally)
        if gold.get("feeds"):
            found = [identity_key(feed.url) for feed in discover(text, record["url"])]
            right = found == [identity_key(feed) for feed in gold["feeds"]]
            tally.feeds["right" if right else "wrong"] += 1
            if not right:
                tally.differences.append(f"{record['file']}: feeds {gold['feeds']} != {found}")
        if texts and gold.get("body"):
            tally.text_f1.append(token_f1(article_text(text, record["url"]), gold["body"]))
            if tally.text_f1[-1] < 0.8:
                tally.differences.append(f"{record['file']}: text F1 {tally.text_f1[-1]:.2f}")
        tally.slowest = max(tally.slowest, (time.perf_counter() - started, record["file"]))
    return tally


def _compare_day(record: dict[str, Any], text: str, tally: Tally) -> None:
    gold = (record["gold"]["date"] or "")[:10]
    claim = read_article_page(text, record["url"]).published
    ours = claim.at.date().isoformat() if claim else ""
    if not gold:
        outcome = "invented" if ours else "none"
    else:
        outcome = "unknown" if not ours else "right" if ours == gold else "wrong"
    tally.days[outcome] += 1
    if outcome not in ("right", "none"):
        tally.differences.append(
            f"{record['file']}: day {outcome}: {gold or None} != {ours or None} {record['url'][:80]}"
        )


def main() -> int:
    """Prints the figures and, with --differences, every value that is not the gold's."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--differences", action="store_true", help="list every difference")
    options = arguments.parse_args()
    folder = shared_folder() / "html"
    if not folder.is_dir():
        print(f"no material at {folder}; set STORYHEAT_SHARED", file=sys.stderr)
        return 1
    tally = compare(folder, texts=can_extract())
    print(
        f"publication day: right {tally.day_share('right'):.1f} %, wrong {tally.day_share('wrong'):.1f} %, "
        f"unknown {tally.day_share('unknown'):.1f} % of {tally.dated()}; "
        f"invented {tally.days['invented']} of {tally.days['invented'] + tally.days['none']} without one"
    )
    print(f"article text: token F1 {tally.mean_f1():.4f} on {len(tally.text_f1)} pages")
    print(f"feeds: right on {tally.feeds['right']} of {tally.feeds.total()} pages that name some")
    print(f"slowest page: {tally.slowest[0]:.2f} s ({tally.slowest[1]})")
    if options.differences:
        print(*tally.differences, sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
