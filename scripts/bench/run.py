"""Measures storyheat: the stages of runs, whole processes, and the first poll beside another program.

    python scripts/bench/run.py --items 10000,100000 --json out.json
    python scripts/bench/run.py --only first_poll --reader OTHER/bin/python
    python scripts/bench/run.py --items 10000 --compare out.json

docs/performance.md tells how to read the figures and what is simulated. Everything is made from one seed, so two
measurements on one machine did the same work.
"""

import argparse
import json
import shutil
import sys
import tempfile
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import compare
import first_poll
import machine
import stages

BARE = "import sqlmodel, typer, rich"  # what any program of these libraries loads


def sizes(chosen: argparse.Namespace, folder: Path) -> list[dict[str, Any]]:
    """Every size in a process of its own, so that the peak of memory is its own."""
    told = []
    for items in chosen.items:
        history = max(0, items - chosen.recent) if items > chosen.whole else 0
        arguments = (items - history, _database(folder, items), chosen.seed, chosen.runs, history)
        with get_context("spawn").Pool(1) as pool:
            told.append(pool.apply(stages.measured, arguments))
        print(f"{items} items measured", file=sys.stderr)
    return told


def start(chosen: argparse.Namespace, folder: Path, at: dict[int, str]) -> dict[str, Any]:
    """`top` as a process over each database, beside the import of the libraries alone, in turns."""
    taken: dict[str, list[machine.Taken]] = {}
    for _ in range(chosen.rounds):
        taken.setdefault("bare", []).append(machine.process([sys.executable, "-c", BARE]))
        for items, instant in at.items():
            command = machine.storyheat("top", "--db", f"sqlite:///{_database(folder, items)}", "--at", instant)
            taken.setdefault(f"top_{items}", []).append(machine.process([*command, "--config", _no_feeds(folder)]))
    told: dict[str, Any] = {name: machine.median(found).as_json() for name, found in taken.items()}
    times = {name: round(told[name]["cpu"] / told["bare"]["cpu"], 2) for name in told if name != "bare"}
    return told | {"times_bare_cpu": times}


def _no_feeds(folder: Path) -> str:
    """A feeds.yaml that says nothing, so that none that lies about is read."""
    path = folder / "feeds.yaml"
    path.write_text("sources: []\n", "utf-8")
    return str(path)


def _database(folder: Path, items: int) -> Path:
    return folder / f"bench{items}.db"


def measured(chosen: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """The parts that are wanted, and where and with what they were measured."""
    told: dict[str, Any] = {
        "schema": "storyheat.bench/1",
        "commit": machine.commit(),
        "measured_at": datetime.now(UTC).replace(microsecond=0).isoformat(),
        "machine": machine.described(),
        "seed": chosen.seed,
    }
    if chosen.only in (None, "stages"):
        told["sizes"] = sizes(chosen, folder)
        at = {items: one["last_run_at"] for items, one in zip(chosen.items, told["sizes"], strict=True)}
        told["start"] = start(chosen, folder, at)
    if chosen.only in (None, "first_poll"):
        reader = None if chosen.reader is None else shutil.which(chosen.reader)
        told["first_poll"] = first_poll.measured(chosen.feeds, chosen.entries, chosen.polls, chosen.seed, reader)
    return told


def main() -> None:
    """Measures, and writes or compares what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=lambda text: [int(one) for one in text.split(",")], default=[10_000])
    parser.add_argument("--only", choices=("stages", "first_poll"), help="one part; all by default")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where the figures go [default: printed]")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="figures of another time to hold these against")
    parser.add_argument("--reader", metavar="PYTHON", help="a Python that has lemon24/reader, for the first poll")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the databases stay [default: they go]")
    parser.add_argument("--runs", type=int, default=80, help="runs of the pipeline a size is spread over, about")
    parser.add_argument("--whole", type=int, default=100_000, help="items up to which all go through the pipeline")
    parser.add_argument("--recent", type=int, default=10_000, help="of more items so many do; the others are history")
    parser.add_argument("--rounds", type=int, default=5, help="of processes, for the median")
    parser.add_argument("--polls", type=int, default=3, help="rounds of the first poll")
    parser.add_argument("--feeds", type=int, default=200, help="of the first poll")
    parser.add_argument("--entries", type=int, default=50, help="of each of them")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    before = None if chosen.compare is None else json.loads(chosen.compare.read_text("utf-8"))
    machine.compile_all()
    with tempfile.TemporaryDirectory() as passing:
        told = measured(chosen, chosen.keep or Path(passing))
    text = json.dumps(told, indent=1)
    if chosen.json is not None:
        chosen.json.write_text(text + "\n", "utf-8")
    elif before is None:
        print(text)
    if before is not None:
        print(compare.table(before, told))


if __name__ == "__main__":
    main()
