"""Learns the numbers of `core/clustering/semantic_weights.py`: of the score where items and stories have vectors.

    python scripts/train_semantic.py SHARED BACKGROUNDS

SHARED and BACKGROUNDS as for `train_cluster.py`, after which it comes; needs the extra `semantic`.

Within a language the score by words and the meaning make one score. Of a few blends that one is taken under which the
labelled streams gain most in BCubed F1 and none loses: log loss does not choose well here, as streams agree on how
much a likeness in meaning says only near the border.

Across languages the weights come from labelled pairs of a Chinese and an English text, looked at alone and among all
others: every first text founds a story, then each second one is looked at. What nobody labelled is left out, but for
stories of other years, which are surely not the same.

Deterministic; most of the half hour goes into embedding.
"""

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from train_cluster import KEPT, Example, Examples, Stream, fit, streams

from storyheat.background import background
from storyheat.core.clustering.clusterer import Clusterer, MeaningOf
from storyheat.core.clustering.meaning import Meaning, embedded_texts, meaning_of
from storyheat.core.clustering.model import ClusterParams, Doc
from storyheat.core.clustering.score import FEATURES, SIGNS
from storyheat.core.clustering.semantic_weights import Blend
from storyheat.semantic import sentence_encoder

JUDGES = {  # streams that choose the blends
    "lead": ("gva_dev", "neus_train", "scoop_ai_202602", "gva_short"),
    "bare": ("gva_titles", "neus_titles", "scoop_ai_202602"),
}
BLENDS = tuple(
    Blend(words=words, bias=round(-meaning * border, 2), meaning=meaning)
    for words in (0.6, 0.8, 1.0)
    for meaning in (4.0, 5.0)
    for border in (0.5, 0.55)  # the cosine that says nothing
)
OTHER_YEARS = ("gva_dev", "scoop_ai_202602")
# What pairs cannot teach: they have no times and no series. As within a language.
FOREIGN_KEPT = {"gap": -1.2, **{name: KEPT[name] for name in ("periodic", "edition", "references")}}
# Words of two languages that look alike, and how far the rivals lie in words, are accidents.
FOREIGN_FEATURES = ("bias", "anchors", "exclusive", "meaning", "meaning_ahead")


Rows = list[tuple[tuple[float, ...], float]]  # features, and whether they are of the same story


@dataclass(frozen=True)
class Pair:
    """Two texts in two languages, and whether they tell of the same event."""

    known: Doc
    new: Doc
    same: bool


def pairs(path: Path) -> list[Pair]:
    """The labelled pairs of texts in two languages, in both directions."""
    found = []
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        row = json.loads(line)
        a, b = (
            Doc(f"{number}{side}", None, row[side]["title"], row[side]["text"], language=row[side]["lang"])
            for side in "ab"
        )
        if a.language != b.language:
            found += [Pair(a, b, bool(row["same_story"])), Pair(b, a, bool(row["same_story"]))]
    return found


class PairExamples:
    """Makes examples of pairs."""

    def __init__(self, examples: Examples) -> None:
        self._examples = examples

    def stories(self, docs: Iterable[Doc]) -> Clusterer:
        """A clusterer that knows each text as a story of its own."""
        clusterer = self._examples.clusterer(Stream("", (), background(), 1.0), ClusterParams())
        for doc in docs:
            clusterer.admit(clusterer.prepare(doc, self._examples.reading(doc)), doc.id)
        return clusterer

    def seen(self, clusterer: Clusterer, doc: Doc) -> dict[str, tuple[float, ...]]:
        """The features of a text with each story that it finds."""
        fits = clusterer.fits(clusterer.prepare(doc, self._examples.reading(doc)))
        return {fit.story.id: fit.values for fit in fits}

    def collect(self, found: Sequence[Pair]) -> list[Example]:
        """Examples of pairs, alone and among all others that are known in the same language."""
        alone: Rows = []
        among: Rows = []
        for language in sorted({pair.known.language or "" for pair in found}):
            turned = [pair for pair in found if pair.known.language == language]
            crowd = self.stories(pair.known for pair in turned)
            for pair in turned:
                for rows, clusterer in ((alone, self.stories([pair.known])), (among, crowd)):
                    values = self.seen(clusterer, pair.new).get(pair.known.id)
                    if values is not None:
                        rows.append((values, float(pair.same)))
        return [_example(rows, 1.0) for rows in (alone, among)]

    def elsewhere(self, found: Sequence[Pair], others: Sequence[Stream]) -> list[Example]:
        """Examples of the texts that are not English, beside English stories of other years."""
        rows: Rows = []
        for stream in others:
            clusterer = self.stories(replace(doc, at=None) for doc, _ in stream.items)
            for pair in found:
                if pair.new.language != "en":
                    rows += [(values, 0.0) for values in self.seen(clusterer, pair.new).values()]
        return [_example(rows, 0.5)]


def _example(rows: Rows, weight: float) -> Example:
    used = np.array([name in FOREIGN_FEATURES for name in FEATURES])
    return "foreign", np.array([values for values, _ in rows]) * used, np.array([answer for _, answer in rows]), weight


def meanings() -> MeaningOf:
    """Embeds each item once."""
    embedder = sentence_encoder()
    known: dict[tuple[str, str], Meaning] = {}

    def of(doc: Doc) -> Meaning:
        key = (doc.title, doc.text)
        if key not in known:
            known[key] = meaning_of(embedded_texts(*key), embedder.embed)
        return known[key]

    return of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("backgrounds", type=Path)
    args = parser.parse_args()
    all_streams, examples = streams(args.shared, args.backgrounds), Examples(meanings())
    named = {stream.name: stream for stream in all_streams}
    foreign = pairs(args.shared / "eval" / "pairs_semeval_zh.jsonl")
    of_pairs = PairExamples(examples)
    seen = of_pairs.collect(foreign) + of_pairs.elsewhere(foreign, [named[name] for name in OTHER_YEARS])
    weights, loss = fit([(x, y, weight) for _, x, y, weight in seen], SIGNS)
    by_name = dict(zip(FEATURES, weights.round(2).tolist(), strict=True)) | FOREIGN_KEPT
    print(f"foreign: log loss {loss:.5f}", {name: weight for name, weight in by_name.items() if weight}, flush=True)
    for column, judges in JUDGES.items():
        print(column, chosen(column, [named[judge] for judge in judges], examples), flush=True)


def chosen(column: str, judges: Sequence[Stream], examples: Examples) -> Blend | None:
    """The blend of most F1 among those under which no stream loses; None: words alone are best."""
    params, words_only = ClusterParams(), Examples()
    before = [words_only.run(judge, params) for judge in judges]
    print(column, "words", [round(f1, 4) for f1 in before], flush=True)
    best: tuple[float, Blend] | None = None
    for blend in BLENDS:
        blended = replace(params, semantic=replace(params.semantic, **{column: blend}))
        after = [examples.run(judge, blended) for judge in judges]
        print(column, blend, [round(f1, 4) for f1 in after], flush=True)
        loses = any(one < other for one, other in zip(after, before, strict=True))
        if not loses and (best is None or sum(after) > best[0]):
            best = sum(after), blend
    return best and best[1]


if __name__ == "__main__":
    main()
