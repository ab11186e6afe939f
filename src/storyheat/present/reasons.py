"""The stored records behind placing, in words: why an item is in its story, or alone."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from storyheat.core.model import StoryId
from storyheat.present import words

# What the features of clustering measure, so that it can stand in a list; `core.clustering.score` computes them.
FEATURES = {
    "bias": "where every pair of an item and a story starts",
    "mass": "rare words in common",
    "lm": "a title that fits what the story's reports say",
    "ahead": "a likeness with this story and no other",
    "margin": "being nearer to it than to the next story",
    "multi": "a sentence that another story explains better",
    "gap": "days of silence between the story and it",
    "same_source": "a source that told the story already",
    "anchors": "names in common",
    "exclusive": "names in common that few stories have",
    "first": "a main word of the story in its title or first sentence",
    "periodic": "being a recurring piece, which the story is not",
    "headline": "words of the first report's title",
    "stranger": "a name in its title that the story never had",
    "root_names": "names in common with the first report",
    "figures": "figures on both sides that do not meet",
    "edition": "being another one of a series",
    "elsewhere": "being told of another place, in the same words",
    "no_core": "having no word that holds the story together",
    "short": "a short text",
    "references": "a link or a quotation in common",
    "single": "one word in common, or none",
    "meaning": "meaning what the story's first report means",
    "meaning_ahead": "meaning nearer to it than to any other story",
}
_TELLING = 0.5  # points of score from which a feature is named in a sentence: it can turn a close decision
_NAMED = 3  # features in a sentence
_COLLECTIONS = {"digest": "Its source is a digest", "round-up": "It reads like a round-up"}


@dataclass(frozen=True, slots=True)
class Measured:
    """One feature of a decision, as it was then: its value, its weight, and what it measures."""

    name: str
    value: float
    weight: float

    @property
    def adds(self) -> float:
        """What it added to the score."""
        return self.value * self.weight

    @property
    def lacks(self) -> float:
        """What it would have added beyond that at the most: the most of nearly every feature is 1."""
        return max(0.0, self.weight * (1.0 - self.value)) if self.weight > 0.0 and self.name != "bias" else 0.0

    @property
    def meaning(self) -> str:
        """What it measures; a feature of an older version has but its name."""
        return FEATURES.get(self.name, self.name)


def measured(record: Mapping[str, Any]) -> list[Measured]:
    """The features kept with a decision, what moved the score most first; their sum is the score."""
    found = [Measured(name, value, weight) for name, (value, weight) in record.get("features", {}).items()]
    return sorted(found, key=lambda one: (-abs(one.adds), one.name))


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
        yield from _mention(record)
    if "threshold" in record:
        yield from _placed(record, titles)
    yield from _by_hand(record, titles)


def _by_hand(record: Mapping[str, Any], titles: Mapping[StoryId, str]) -> Iterator[str]:
    if "moved_from" in record:
        origin = record["moved_from"]
        yield "It was put here by hand." if origin is None else f"It was moved by hand from {_named(origin, titles)}."
    if "moved_to" in record:
        target = record["moved_to"]
        yield "It was taken out by hand." if target is None else f"It was moved by hand to {_named(target, titles)}."
    if "merged_into" in record:
        yield f"Its story was merged into {_named(record['merged_into'], titles)}."
    if "merged_from" in record:
        yield f"It came with {_named(record['merged_from'], titles)}, which was merged into this story."
    if "put_back" in record:
        yield f"It was put back when correction c{record['put_back']} was undone."
    if "pinned" in record:
        yield f"It is pinned here by correction c{record['pinned']}: the machine leaves it alone."


def _mention(record: Mapping[str, Any]) -> Iterator[str]:
    cosine, least = words.rounded(record["sentence_cosine"], 2), words.rounded(record["sentence_limit"], 2)
    score, limit = words.signed(record["z"], 2), words.signed(record["z_limit"], 2)
    yield f"Its best sentence is like the story by {cosine} of 1; from {least} on an item mentions a story."
    yield f"Its score as a whole, several topics forgiven, is {score}; from {limit} on it mentions the story as well."


def _placed(record: Mapping[str, Any], titles: Mapping[StoryId, str]) -> Iterator[str]:
    if "nearest" not in record:
        yield "No open story shared enough with it, so it founded a story of its own."
        return
    score, limit = words.signed(record["z"], 2), words.signed(record["threshold"], 2)
    joined = record["z"] >= record["threshold"]
    end = "so it joined" if joined else "so it founded a story of its own"
    nearest = _named(record["nearest"], titles)
    yield f"The nearest story was {nearest}: score {score}; from {limit} on an item joins, {end}."
    if "dormant" in record:
        yield "That story had closed for want of reports; only names and rare words can wake one."
    found = [one for one in measured(record) if one.name != "bias"]
    yield from _listed("What spoke for it", [(one.adds, one) for one in found])
    yield from _listed("What spoke against it", [(-one.adds, one) for one in found])
    if not joined:
        yield from _listed("What was missing", [(one.lacks, one) for one in found])
    if "runner_up" in record:
        score = words.signed(record["runner_up_z"], 2)
        yield f"The runner-up was {_named(record['runner_up'], titles)}: score {score}."


def _listed(head: str, found: Sequence[tuple[float, Measured]]) -> Iterator[str]:
    """One sentence with the features that move the score most, if any moves it."""
    telling = sorted([pair for pair in found if pair[0] >= _TELLING], key=lambda pair: (-pair[0], pair[1].name))
    if telling:
        yield f"{head}: {', '.join(one.meaning for _, one in telling[:_NAMED])}."


def _named(story: str, titles: Mapping[StoryId, str]) -> str:
    if StoryId(story) not in titles:
        return story
    return f"{story} {words.quoted(titles[StoryId(story)])}"
