"""How well an item fits a story: features, and the logistic score made of them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from storyheat.core.cluster_index import gap
from storyheat.core.cluster_state import StoryState
from storyheat.core.text import Reading
from storyheat.core.vectors import Vector, Weighed, dot

# Each feature: its name, the sign its weight may take (0: either), and the weight that
# scripts/train_cluster.py learned (see docs/clustering.md). 0.0: kept out by training.
_TABLE: tuple[tuple[str, int, float], ...] = (
    ("bias", 0, -3.59),
    ("closeness", 1, 0.0),
    ("mass", 1, 0.45),
    ("lm", 1, 2.75),
    ("lead", 1, 6.77),
    ("margin", 1, 0.0),
    ("multi", -1, -9.67),
    ("gap", -1, -1.33),
    ("same_source", -1, -1.02),
    ("root", 1, 2.69),
    ("cover", 1, 0.0),
    ("anchors", 1, 0.99),
    ("exclusive", 1, 0.98),
    ("conflict", -1, -0.1),
    ("first", 1, 1.2),
    ("periodic", -1, -3.5),
    ("title_only", 0, -0.56),
    ("short", 0, -1.31),
)
FEATURES = tuple([name for name, _, _ in _TABLE])
SIGNS = tuple([sign for _, sign, _ in _TABLE])
WEIGHTS = tuple([weight for _, _, weight in _TABLE])
_SEVERAL_TOPICS = frozenset({"multi", "periodic"})
_DAY = 86_400.0
_SHORT_LEAD = 250  # characters
_COMMON = 2.0  # idf of a term that is in a seventh of all texts: below it a term is no evidence
_CORE_TERMS = 5  # heaviest terms of a story


@dataclass(frozen=True, slots=True)
class Item:
    """One item, read and weighed: all that scoring looks at."""

    at: int | None  # seconds since 1970 UTC
    source: str
    reading: Reading
    weighed: Weighed
    sentences: tuple[Vector, ...]  # unit vectors
    exclusive: Mapping[str, float]  # anchors that few stories have → how exclusive, 0–1

    @property
    def vector(self) -> Vector:
        return self.weighed.vector


def features(
    item: Item, story: StoryState, cosine: float, best_other: float, others: Sequence[StoryState]
) -> list[float]:
    """The features of (item, story) in the order of `FEATURES`.

    `best_other` is the best cosine of another candidate (0 without one), `others` those candidates.
    """
    lm, cover = _title(item, story)
    anchors, exclusive, conflict = _names(item, story)
    reading = item.reading
    return [
        1.0,
        math.log(0.03 + cosine),
        _mass(item, story),
        lm,
        cosine / (cosine + best_other + 0.1),
        cosine - best_other,
        _multi(item.sentences, story, others),
        math.log(1.0 + gap(story, item.at) / _DAY),
        float(item.source in story.sources),
        dot(item.vector, story.root),
        cover,
        anchors,
        exclusive,
        conflict,
        _first(item, story),
        float(reading.periodic and not story.periodic),
        float(reading.lead_chars == 0),
        float(0 < reading.lead_chars < _SHORT_LEAD),
    ]


def _mass(item: Item, story: StoryState) -> float:
    """Absolute evidence (0–1): the rarity of shared terms, those of many members more. Stops one-word matches."""
    idf, members, size = item.weighed.idf, story.members, story.size
    mass = 0.0
    for term in item.vector:
        if term in members and idf[term] > _COMMON:
            mass += (idf[term] - _COMMON) * min(1.0, 0.25 + members[term] / size)
    return mass / (mass + 15.0)


def _title(item: Item, story: StoryState) -> tuple[float, float]:
    """(title's mean log odds under the story against the background, share of its rarity the story knows)."""
    idf, members, size = item.weighed.idf, story.members, story.size
    odds = covered = total = 0.0
    for term in item.reading.title:
        rarity = max(idf[term], 0.0)
        share = math.exp(-rarity)
        known = members.get(term, 0)
        odds += math.log((known + share) / ((size + 1.0) * share))
        total += rarity
        covered += rarity * min(1.0, 0.5 + known / size) if known else 0.0
    return odds / (8.0 * max(len(item.reading.title), 1)), covered / total if total else 0.0


def _names(item: Item, story: StoryState) -> tuple[float, float, float]:
    """(rarity of shared names, of shared exclusive names, how far both name things and share none), each 0–1."""
    idf, size = item.weighed.idf, story.size
    shared = weighted = named = exclusive = 0.0
    for name in item.reading.anchors:
        rarity = idf[name]
        named += rarity
        known = story.anchors.get(name, 0)
        if known:
            shared += rarity
            weighted += rarity * min(1.0, 0.5 + 0.5 * known / size)
            if name in item.exclusive:
                exclusive += item.exclusive[name] * min(1.0, 0.4 + known / size)
    core = have = 0
    for name, known in story.anchors.items():
        if known >= 0.5 * size:
            core += 1
            have += name in idf
    conflict = (1.0 - shared / named) * (1.0 - have / core) if core and named > 0.0 else 0.0
    return weighted / (weighted + 12.0), exclusive / (exclusive + 1.0), conflict


def _multi(sentences: Sequence[Vector], story: StoryState, others: Sequence[StoryState]) -> float:
    """How much better another story explains some sentence of the item: the item has several topics."""
    if len(sentences) < 2 or not others:  # noqa: PLR2004
        return 0.0
    worst = 0.0
    for sentence in sentences:
        own = dot(sentence, story.centroid) / story.length
        for other in others:
            worst = max(worst, dot(sentence, other.centroid) / other.length - own)
    return worst


def _first(item: Item, story: StoryState) -> float:
    """How rare a core term of the story is (0–1) that the title or the first sentence has; 0 for none."""
    first = item.sentences[0] if item.sentences else {}
    idf, best = item.weighed.idf, 0.0
    for term in list(story.centroid)[:_CORE_TERMS]:
        if term in item.reading.title or term in first:
            best = max(best, min(1.0, (idf[term] - _COMMON) / 4.0))
    return best


def score(values: Sequence[float], weights: Sequence[float]) -> float:
    """The logit z of "this item is a report of this story"."""
    return sum([value * weight for value, weight in zip(values, weights, strict=True)])


def mention_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """The weights without what punishes an item for having several topics: a mention may have them."""
    return tuple([0.0 if name in _SEVERAL_TOPICS else weight for name, weight in zip(FEATURES, weights, strict=True)])
