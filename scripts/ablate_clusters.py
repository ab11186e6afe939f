"""Measures what each feature of the clusterer brings: the weights learned without it, and how well they do.

    python scripts/ablate_clusters.py SHARED BACKGROUNDS [FEATURE …]

SHARED and BACKGROUNDS as for `train_cluster.py`. All candidates that the clusterer looks at while it runs with the
weights that ship are examples; the weights of each kind of item are learned from them once with all features, once
without each, and once without the examples of each set. A bias keeps the offset that training gave it. What is set by
hand is taken out of the weights that ship. Prints rows of the table in docs/clustering.md: BCubed F1 of one pass, the
set's own words left out of the background. Deterministic; most of the quarter of an hour goes into the passes.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from train_cluster import COLUMNS, KEPT, Example, Examples, Stream, learned, streams, with_weights

from storyheat.core.clustering.model import ClusterParams
from storyheat.core.clustering.score import FEATURES

JUDGES = ("gva_dev", "neus_train", "scoop_ai_202602", "gva_short", "gva_titles", "neus_titles")
BIAS = FEATURES.index("bias")
IN_SEMANTIC_MODE_ONLY = ("meaning", "meaning_ahead")


def relearned(every: Sequence[Example], without: str | None, some: Sequence[Example] | None = None) -> ClusterParams:
    """Parameters with weights learned without a feature, each bias as far from the learned one as that which ships.

    With `some` they are learned from these examples, and `every` only tells how far the bias was moved.
    """
    params = ClusterParams()
    for kind, column in COLUMNS.items():
        ships: tuple[float, ...] = getattr(params, column)
        if without in KEPT:
            weights = list(ships)
        else:
            offset = ships[BIAS] - learned(every, kind)[0][BIAS]
            weights = list(learned(some or every, kind, without)[0])
            weights[BIAS] += offset
        if without is not None:
            weights[FEATURES.index(without)] = 0.0
        params = with_weights(params, kind, tuple(weights))
    return params


def without_sleep(params: ClusterParams) -> ClusterParams:
    """The parameters under which no closed story wakes."""
    return replace(params, index=replace(params.index, dormant=replace(params.index.dormant, woken=0)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("backgrounds", type=Path)
    parser.add_argument("features", nargs="*", metavar="FEATURE", help="[default: all]")
    args = parser.parse_args()
    all_streams, seen = streams(args.shared, args.backgrounds), Examples()
    judges = [stream for stream in all_streams if stream.name in JUDGES]
    of_stream = {
        stream.name: seen.collect(stream, ClusterParams(), own=True) for stream in all_streams if stream.weight
    }
    examples = [example for found in of_stream.values() for example in found]

    def row(name: str, params: ClusterParams, of: Sequence[Stream] = judges) -> None:
        print(f"| {name} |", " | ".join(f"{seen.run(stream, params):.3f}" for stream in of), "|", flush=True)

    print("| without |", " | ".join(stream.name for stream in judges), "|")
    row("nothing: the weights that ship", ClusterParams())
    row("nothing: learned from these examples", relearned(examples, None))
    for left_out in ("gva", "neus", "scoop"):
        others = [one for name, found in of_stream.items() if not name.startswith(left_out) for one in found]
        row(f"the examples of {left_out}", relearned(examples, None, others))
    for name in args.features or FEATURES[1:]:
        if name not in IN_SEMANTIC_MODE_ONLY:
            row(name, relearned(examples, name))
    row("closed stories that wake", without_sleep(ClusterParams()))
    row("the table of ordinary texts", ClusterParams(), [replace(stream, background={}) for stream in judges])


if __name__ == "__main__":
    main()
