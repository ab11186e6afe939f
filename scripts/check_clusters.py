"""Measures the clusterer on labelled sets and compares the figures with the floors that are pinned.

    python scripts/check_clusters.py [NAME …] [--samples] [--raise]

The floors stand in `tests/golden/clusters.json`, for each set with the fingerprint of its file, and for each *form* of
it: `whole` (or `pairs`, for a set of pairs), or some of `first N` (the N earliest items), `titles`, `lead N` (so many
letters of each text), `consolidated` (labels after merges), and `semantic`. The forms with `first`, and those of our
own items but for `semantic`, run in
the tests as well; `--samples` measures them alone.

A floor is raised by `--raise`, to what was measured. It is lowered only by hand, with a decision that says why.
"""

import argparse
import hashlib
import json
import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from storyheat.cluster_file import cluster_file, make_clusterer
from storyheat.core.clustering.model import Doc
from storyheat.core.evaluation.partition_scores import Scores
from storyheat.errors import UsageError
from storyheat.evaluate import evaluate_clusterer
from storyheat.ports import Embedder
from storyheat.wiring import embedder

ROOT = Path(__file__).resolve().parents[1]
PINS = ROOT / "tests" / "golden" / "clusters.json"
PAIRS = "pairs"  # the form of a set of pairs
STEP = 1000  # floors have three decimals

Figures = dict[str, float]


@dataclass(frozen=True)
class Pinned:
    """The floors of one set in one form."""

    name: str
    form: str
    floors: Mapping[str, float]


def pins() -> dict[str, Any]:
    """What is pinned: set → its fingerprint, and form → figure → floor."""
    found: dict[str, Any] = json.loads(PINS.read_text("utf-8"))
    return found


def pinned() -> Iterator[Pinned]:
    """All that is pinned."""
    for name, one in pins().items():
        for form, floors in one["floors"].items():
            yield Pinned(name, form, floors)


def path_of(name: str, shared: Path) -> Path:
    """Where a set lies: with the tests, or in the shared material."""
    return ROOT / name if name.startswith("tests/") else shared / name


def fingerprint(path: Path) -> str:
    """Of the bytes of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def measure(path: Path, form: str) -> Figures:
    """The figures of a set in a form."""
    words = form.split()
    meanings = embedder("semantic" in words)
    if PAIRS in words:
        return areas_of_pairs(path, meanings)
    number = {words[i]: int(words[i + 1]) for i in range(len(words) - 1) if words[i] in ("first", "lead")}
    with TemporaryDirectory(prefix="storyheat-") as folder:
        if "first" in number:
            path = earliest(path, number["first"], Path(folder) / path.name)
        lead = 0 if "titles" in words else number.get("lead")
        run = partial(cluster_file, embedder=meanings, consolidated="consolidated" in words)
        return figures(evaluate_clusterer(path, run, lead).scores)


def figures(scores: Scores) -> Figures:
    """What is pinned of a comparison; NMI is not, as it flatters many small stories."""
    return {"bcubed_f1": scores.bcubed.f1, "pairwise_f1": scores.pairs.rates.f1, "ami": scores.ami}


def earliest(path: Path, count: int, target: Path) -> Path:
    """Writes the first items of a set in the order of (published, id); without times in the order of the file."""
    lines = path.read_text("utf-8").splitlines()

    def turn(number: int) -> tuple[str, str]:
        row = json.loads(lines[number])
        return (row["published"] or "", row["id"] if row["published"] else "")

    order = sorted(range(len(lines)), key=turn)
    target.write_text("".join(f"{lines[number]}\n" for number in order[:count]), "utf-8")
    return target


def areas_of_pairs(path: Path, meanings: Embedder | None) -> Figures:
    """How well the score tells pairs of one story from others: the area under the curve, by their languages."""
    told: dict[str, tuple[list[float], list[float]]] = {}
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        name = "auc_" + "_".join(sorted((row["a"]["lang"], row["b"]["lang"])))
        told.setdefault(name, ([], []))[row["same_story"]].append(score_of_pair(row["a"], row["b"], meanings))
    return {name: area(others, same) for name, (others, same) in sorted(told.items())}


def score_of_pair(a: Mapping[str, str], b: Mapping[str, str], meanings: Embedder | None) -> float:
    """The score by which the second text would join the story of the first, of nothing else known."""
    clusterer = make_clusterer(embedder=meanings)
    first, second = (Doc(name, None, one["title"], one["text"]) for name, one in (("a", a), ("b", b)))
    clusterer.place(first, "a")
    fits = clusterer.fits(clusterer.prepare(second, clusterer.read(second)))
    return fits[0].z if fits else -math.inf


def area(others: list[float], same: list[float]) -> float:
    """The share of (same, other) in which the same has the higher score; equal ones count half."""
    return sum((high > low) + 0.5 * (high == low) for high in same for low in others) / (len(same) * len(others))


def below(found: Figures, floors: Mapping[str, float]) -> list[str]:
    """What falls short, in words."""
    return [f"{name} {found[name]:.5f} < {floor}" for name, floor in floors.items() if found[name] < floor]


def raised(found: Figures, floors: Mapping[str, float]) -> Figures:
    """The floors moved up to what was measured, rounded down."""
    return {name: max(floors.get(name, 0.0), math.floor(value * STEP) / STEP) for name, value in found.items()}


def main() -> int:
    """Prints every figure with its floor; 1 if one falls short or a file is another than was pinned."""
    from check_gold import shared_folder

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="sets, by any part of their names; all without")
    parser.add_argument("--samples", action="store_true", help="only the forms that the tests run")
    parser.add_argument("--raise", dest="raising", action="store_true", help="write what was measured as floors")
    options = parser.parse_args()
    all_pins, shared, short = pins(), shared_folder(), 0
    for name, one in all_pins.items():
        path = path_of(name, shared)
        if options.names and not any(part in name for part in options.names):
            continue
        if not path.is_file():
            print(f"{name}: not at {path}; set STORYHEAT_SHARED")
            continue
        if fingerprint(path) != one["sha256"]:
            print(f"{name}: is another file than the one whose floors are pinned")
            short += 1
            continue
        for form, floors in one["floors"].items():
            if options.samples and ("semantic" in form or not ("first" in form or name.startswith("tests/"))):
                continue
            try:
                found = measure(path, form)
            except UsageError as error:
                print(f"{name}, {form}: {error}")
                continue
            missed = below(found, floors)
            short += len(missed)
            shown = ", ".join(f"{key} {value:.4f} ({floors.get(key, 0.0):.3f})" for key, value in found.items())
            print(f"{name}, {form}: {shown}" + (f"  BELOW: {'; '.join(missed)}" if missed else ""), flush=True)
            one["floors"][form] = raised(found, floors) if options.raising else floors
    if options.raising:
        PINS.write_text(json.dumps(all_pins, indent=2) + "\n", "utf-8")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
