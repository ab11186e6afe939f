"""Measures the clusterer on a made-up stream: items a second of one core at several lengths of it, and memory.

    python scripts/bench/cluster.py [--items 200000] [--window 5000] [--seed 1]

Reading and placing are timed together, and the sketch by which copies are found apart; making the stream is not timed.
Time is that of the processor, so that other work on the machine tells little. The peak of memory is that of the whole
process, with the stream's own words in it (some 20 MB). Prints JSON.
"""

import argparse
import json
import platform
import resource
import sys
import time
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from stream import Item, StreamParams, items

from storyheat.cluster_file import COPIES, make_clusterer
from storyheat.core.clustering.model import Doc
from storyheat.core.items.copies import sketch

MARKS = (10_000, 50_000, 100_000, 200_000, 500_000, 1_000_000)  # items after which a window is told
BLOCK = 500  # items made before they are timed


def measured(count: int, window: int, seed: int) -> Iterator[dict[str, Any]]:
    """What the last `window` items before each mark took, and what is remembered there."""
    clusterer = make_clusterer()
    stream = items(count, StreamParams(seed=seed))
    done, placing, sketching = 0, 0.0, 0.0
    whole = 0.0
    while block := [doc_of(item) for item in islice(stream, BLOCK)]:
        begun = time.process_time()
        for doc in block:
            clusterer.place(doc, doc.id)
            clusterer.take_changes()
            clusterer.counts.saved()
        placed = time.process_time()
        for doc in block:
            sketch(doc.title, doc.text, COPIES)
        ended = time.process_time()
        whole += placed - begun
        done += len(block)
        mark = next((mark for mark in (*MARKS, count) if mark >= done), count)
        if done > min(mark, count) - window:
            placing += placed - begun
            sketching += ended - placed
        if done in (mark, count):
            told = min(window, done)
            yield {
                "items": done,
                "items_per_second": round(told / placing),
                "sketches_per_second": round(told / sketching),
                "seconds": round(whole, 1),
                "open_stories": len(clusterer.open_ids),
                "known_stories": len(clusterer.known_ids),
                "terms": len(clusterer.counts.df),
                "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            }
            placing = sketching = 0.0


def doc_of(item: Item) -> Doc:
    """An item as the clusterer sees it."""
    at: datetime = item.published
    return Doc(item.id, at, item.title, item.text, item.source, language=item.lang, url=item.url)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=200_000)
    parser.add_argument("--window", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    windows = []
    for window in measured(chosen.items, chosen.window, chosen.seed):
        print(json.dumps(window), file=sys.stderr, flush=True)
        windows.append(window)
    machine = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
    print(json.dumps({"seed": chosen.seed, "window": chosen.window, **machine, "windows": windows}, indent=2))


if __name__ == "__main__":
    main()
