"""How good a grouping is: labels of a file against labels, or our clusterer against labels, with its speed."""

import json
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from storyheat.core.evaluation.partition_scores import Scores, compare
from storyheat.errors import UsageError
from storyheat.json_lines import lines_of, opened

ClusterFile = Callable[[Path, Path], object]
"""Reads items from a file and writes {id, story} to another, as `cluster_file.cluster_file` does."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came of one comparison."""

    scores: Scores
    items_per_second: float | None  # clustered in a second of one core, reading included; None: nothing was clustered


def evaluate(gold: Path, predicted: Path) -> Evaluation:
    """Compares lines {id, story} with labelled ones. Raises UsageError naming the line that cannot be read."""
    return Evaluation(compare(_gold(gold), _predictions(predicted)), None)


def evaluate_clusterer(gold: Path, cluster: ClusterFile, lead: int | None = None) -> Evaluation:
    """Clusters the labelled items and compares. `lead`: only so many letters of each text are shown; 0: titles only.

    Raises UsageError naming the line that cannot be read.
    """
    labels = _gold(gold)
    with TemporaryDirectory(prefix="storyheat-") as folder:
        items, predicted = gold, Path(folder) / "predicted.jsonl"
        if lead is not None:
            items = Path(folder) / "items.jsonl"
            _write_short(gold, items, lead)
        started = time.process_time()
        cluster(items, predicted)
        seconds = time.process_time() - started
        return Evaluation(compare(labels, _predictions(predicted)), len(labels) / max(seconds, 1e-9))


def _gold(path: Path) -> dict[str, Hashable]:
    labels = _labels(path)
    if not any(story is not None for story in labels.values()):
        raise UsageError(f'{path}: no item is labelled; give lines with "id" and "story"')
    return labels


def _predictions(path: Path) -> dict[str, str | None]:
    return {item: None if story is None else str(story) for item, story in _labels(path).items()}


def _labels(path: Path) -> dict[str, Hashable]:
    """Item → story of a file of lines {id, story}; None for no story. Ids are compared as text."""
    stories: dict[str, Hashable] = {}
    seen: dict[str, int] = {}
    with opened(path) as file:
        for line in lines_of(file, path):
            if isinstance(line.row.get("id"), None | dict | list):
                raise UsageError(f'{line.where}: "id" must be a text')
            item, story = str(line.row["id"]), line.row.get("story")
            if isinstance(story, dict | list):
                raise UsageError(f'{line.where}: "story" must be a text or null')
            if item in seen:
                raise UsageError(f"{line.where}: the id {item!a} stands on line {seen[item]} already")
            seen[item], stories[item] = line.number, story
    return stories


def _write_short(items: Path, target: Path, lead: int) -> None:
    """The same items with texts cut to `lead` letters."""
    with opened(items) as file, target.open("w", encoding="ascii") as out:
        for line in lines_of(file, items):
            text = line.row.get("text")
            out.write(json.dumps(line.row | {"text": text[:lead]} if isinstance(text, str) else line.row) + "\n")
