"""How well an item fits a story: features, and the logistic score made of them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from storyheat.core.cluster_index import gap
from storyheat.core.cluster_state import StoryState
from storyheat.core.text import Reading, is_cjk_term
from storyheat.core.vectors import Vector, Weighed, dot

# Each feature: its name, the sign its weights may take (0: either), and the weights that
# scripts/train_cluster.py learned (see docs/clustering.md): for items with a lead, and for bare titles, whose
# few terms make every feature mean something else. 0.0: training had no use for it.
_TABLE: tuple[tuple[str, int, float, float], ...] = (
    ("bias", 0, -4.58, -2.54),
    ("mass", 1, 0.0, 5.18),
    ("lm", 1, 2.61, 0.0),
    ("ahead", 1, 8.88, 3.95),
    ("margin", 1, 0.0, 1.53),
    ("multi", -1, -9.5, 0.0),
    ("gap", -1, -1.2, -2.17),
    ("same_source", -1, -1.23, 0.0),
    ("root", 1, 2.07, 1.22),
    ("anchors", 1, 0.99, 0.0),
    ("exclusive", 1, 1.08, 0.0),
    ("conflict", -1, 0.0, -0.52),
    ("first", 1, 0.8, 1.02),
    ("periodic", -1, -4.5, -4.5),
    ("single", -1, -4.0, -4.0),
    ("short", 0, -1.02, 0.0),
)
FEATURES = tuple([row[0] for row in _TABLE])
SIGNS = tuple([row[1] for row in _TABLE])
WEIGHTS = tuple([row[2] for row in _TABLE])
TITLE_WEIGHTS = tuple([row[3] for row in _TABLE])
_SEVERAL_TOPICS = frozenset({"multi", "periodic"})
_DAY = 86_400.0
_SHORT_LEAD = 250  # characters
_COMMON = 2.0  # idf of a term that is in a seventh of all texts: below it a term is no evidence
_FEW_WORDS = 2.0  # shared words below which a story is hardly ever the same: one name, or one common topic
_PAIR = 0.4  # words that a pair of characters counts for: a name of four characters makes three pairs
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


def features(item: Item, story: StoryState, cosine: float, best_other: float, multi: float = 0.0) -> list[float]:
    """The features of (item, story) in the order of `FEATURES`.

    `best_other` is the best cosine of another candidate, 0 without one; `multi` one of `several_topics`.
    """
    anchors, exclusive, conflict = _names(item, story)
    reading = item.reading
    return [
        1.0,
        _mass(item, story),
        _lm(item, story),
        cosine / (cosine + best_other + 0.1),
        cosine - best_other,
        multi,
        math.log(1.0 + gap(story, item.at) / _DAY),
        float(item.source in story.sources),
        dot(item.vector, story.root),
        anchors,
        exclusive,
        conflict,
        _first(item, story),
        float(reading.periodic and not story.periodic),
        float(_shared_words(item, story) < _FEW_WORDS),
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


def _shared_words(item: Item, story: StoryState) -> float:
    """How many words that say something both have; a pair of characters is less than a word."""
    idf, members = item.weighed.idf, story.members
    return sum([_PAIR if is_cjk_term(term) else 1.0 for term in item.vector if term in members and idf[term] > _COMMON])


def _lm(item: Item, story: StoryState) -> float:
    """Mean log odds of the title's terms under the story against the background, scaled by 1/8."""
    idf, members, size = item.weighed.idf, story.members, story.size
    odds = 0.0
    for term in item.reading.title:
        share = math.exp(-max(idf[term], 0.0))
        odds += math.log((members.get(term, 0) + share) / ((size + 1.0) * share))
    return odds / (8.0 * max(len(item.reading.title), 1))


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


def several_topics(sentences: Sequence[Vector], stories: Sequence[StoryState]) -> list[float]:
    """For each story: how much better another one explains some sentence of the item (difference of cosines).

    High where an item has several topics. 0 where there are no two stories or no two sentences.
    """
    if len(sentences) < 2 or len(stories) < 2:
        return [0.0] * len(stories)
    worst = [0.0] * len(stories)
    for sentence in sentences:
        cosines = [dot(sentence, story.centroid) / story.length for story in stories]
        best = max(cosines)
        worst = [max(so_far, best - own) for so_far, own in zip(worst, cosines, strict=True)]
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
