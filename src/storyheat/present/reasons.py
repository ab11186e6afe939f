"""The stored records behind placing, in words: why an item is in its story, or alone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from storyheat.core.cluster_score import FEATURES as ORDER
from storyheat.core.cluster_score import TITLE_WEIGHTS, WEIGHTS, score
from storyheat.core.model import StoryId
from storyheat.present import words

# What the features of clustering measure; `core.cluster_score` computes them.
FEATURES = {
    "mass": "rare words in common, in absolute terms",
    "lm": "its title fits what the story's items say",
    "ahead": "share of its likeness that goes to this story, not the next",
    "margin": "nearer than to any other story",
    "multi": "a sentence that another story explains better",
    "gap": "silence of the story before it, ln(1 + days)",
    "same_source": "its source told the story already",
    "root": "likeness with the story's first report",
    "anchors": "names in common",
    "exclusive": "names in common that few stories have",
    "conflict": "names on both sides that do not meet",
    "first": "a main word of the story in its title or first sentence",
    "periodic": "a recurring piece, which the story is not",
    "short": "its text is short",
    "single": "it shares a single word, or none",
}
START = "where every pair of an item and a story starts"
_SHOWN_TITLE = 40  # letters of another story's title in a sentence
_COLLECTIONS = {"digest": "Its source is a digest", "round-up": "It reads like a round-up"}


def sentences(record: Mapping[str, Any], titles: Mapping[StoryId, str]) -> Iterator[str]:
    """What a decision rests on, a sentence each. `titles`: of the stories that the record names."""
    if "copy_of" in record:
        alike = ""
        if "similarity" in record:
            alike = f" ({words.rounded(100 * record['similarity'])}% of the word runs are the same)"
        yield f"Its text is that of {record['copy_of']}{alike}."
    if "original_by" in record:
        yield f"It is the original of {words.count(record['copies'], 'copy', 'copies')}: {record['original_by']}."
    if "kind" in record:
        kind = _COLLECTIONS.get(record["kind"], f"It is a {record['kind']}")
        yield f"{kind}: such items touch stories and are about none."
    if "sentence_cosine" in record:
        cosine, score = words.rounded(record["sentence_cosine"], 2), words.signed(record["z"], 2)
        yield f"Its best sentence is like the story by {cosine} of 1; its score as a whole is {score}."
    if "threshold" in record:
        yield _nearest(record, titles)
    if "runner_up" in record:
        score = words.signed(record["runner_up_z"], 2)
        yield f"The runner-up was {_named(record['runner_up'], titles)}: score {score}."


@dataclass(frozen=True, slots=True)
class Measured:
    """One feature of a decision: its value, what it added to the score, and what it measures."""

    contribution: float
    value: float
    meaning: str


def measured(record: Mapping[str, Any]) -> list[Measured]:
    """The features in a record, what moved the score most first; a record without a score has none.

    Items with a lead and bare titles have weights of their own; which were used shows in the score.
    """
    if not any(name in record for name in FEATURES):
        return []
    values = [1.0 if name == "bias" else float(record.get(name, 0.0)) for name in ORDER]
    weights = min((WEIGHTS, TITLE_WEIGHTS), key=lambda one: abs(score(values, one) - record.get("z", 0.0)))
    found = [
        Measured(weight * value, value, FEATURES.get(name, START))
        for name, weight, value in zip(ORDER, weights, values, strict=True)
        if name in record or name == "bias"
    ]
    return sorted(found, key=lambda one: (-abs(one.contribution), one.meaning))


def _nearest(record: Mapping[str, Any], titles: Mapping[StoryId, str]) -> str:
    if "nearest" not in record:
        return "No open story shared enough with it, so it founded a story of its own."
    score, limit = words.signed(record["z"], 2), words.signed(record["threshold"], 2)
    end = "so it joined" if record["z"] >= record["threshold"] else "so it founded a story of its own"
    nearest = _named(record["nearest"], titles)
    return f"The nearest story was {nearest}: score {score}; from {limit} on an item joins, {end}."


def _named(story: str, titles: Mapping[StoryId, str]) -> str:
    if StoryId(story) not in titles:
        return story
    title = words.title(titles[StoryId(story)])
    return f"{story} “{title if len(title) <= _SHOWN_TITLE else title[: _SHOWN_TITLE - 1].rstrip() + '…'}”"
