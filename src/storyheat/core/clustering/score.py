"""How well an item fits a story: features, and the logistic score made of them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from storyheat.core.clustering.index import gap
from storyheat.core.clustering.meaning import Meaning
from storyheat.core.clustering.meaning import cosine as cosine_of
from storyheat.core.clustering.state import Member, StoryState
from storyheat.core.clustering.vectors import Vector, Weighed, dot, rounded
from storyheat.core.text.editions import differ
from storyheat.core.text.quantities import MARK
from storyheat.core.text.terms import Reading
from storyheat.core.text.words import is_cjk_term

# Each feature: its name, the sign its weights may take (0: either), and the weights that
# scripts/train_cluster.py learned (see docs/clustering.md): for items with a lead, and for bare titles, whose
# few terms make every feature mean something else. 0.0: training had no use for it.
_TABLE: tuple[tuple[str, int, float, float, float, float], ...] = (
    ("bias", 0, -4.37, -3.21, -1.45, -10.27),
    ("mass", 1, 0.0, 5.02, 0.0, 4.21),
    ("lm", 1, 2.21, 6.59, 0.0, 0.0),
    ("ahead", 1, 8.58, 2.95, 6.5, 6.05),
    ("margin", 1, 0.0, 1.88, 0.0, 0.0),
    ("multi", -1, -10.1, 0.0, 0.0, 0.0),
    ("gap", -1, -1.34, -2.4, 0.0, 0.0),
    ("same_source", -1, -1.35, 0.0, 0.0, -0.08),
    ("anchors", 1, 0.0, 0.0, 0.0, 1.2),
    ("exclusive", 1, 0.61, 0.61, 0.0, 1.52),
    ("first", 1, 0.66, 1.25, 0.0, 0.46),
    ("periodic", -1, -4.5, -4.5, -4.5, -4.5),
    ("single", -1, -4.0, -4.0, -1.32, 0.0),
    ("headline", 1, 1.73, 1.5, 0.0, 1.21),
    ("stranger", -1, -1.25, -0.41, 0.0, -1.17),
    ("root_names", 1, 1.74, 1.18, 0.0, 1.51),
    ("figures", -1, -0.68, 0.0, 0.0, 0.0),
    ("edition", -1, -5.0, -5.0, -5.0, -5.0),
    ("short", 0, -0.51, 0.0, 0.0, 0.0),
    ("elsewhere", -1, -5.0, -5.0, -5.0, -5.0),  # set by hand: events of one kind on one day are few in the sets
    ("no_core", -1, -5.0, -5.0, 0.0, -5.0),  # set by hand; stories without times never close, and their words change
    ("references", 1, 4.0, 4.0, 4.0, 4.0),  # set by hand, the sets hold no links: one rare link is worth two units
    ("meaning", 1, 0.0, 0.0, 0.0, 0.0),  # this and the next: see semantic_weights.py
    ("meaning_ahead", 1, 0.0, 0.0, 0.0, 0.0),
)
FEATURES = tuple([row[0] for row in _TABLE])
SIGNS = tuple([row[1] for row in _TABLE])
WEIGHTS = tuple([row[2] for row in _TABLE])
TITLE_WEIGHTS = tuple([row[3] for row in _TABLE])
UNTIMED_WEIGHTS = tuple([row[4] for row in _TABLE])
DORMANT_WEIGHTS = tuple([row[5] for row in _TABLE])
_SEVERAL_TOPICS = frozenset({"multi", "periodic", "figures"})
KEPT_DIGITS = 6  # of scores and features, kept with every decision; for space
_DAY = 86_400.0
_SHORT_LEAD = 250  # characters
_RAREST = 10.0  # idf of a word that no text had, at some thousand stories
_COMMON = 2.0  # idf of a term that is in a seventh of all texts: below it a term is no evidence
_FEW_WORDS = 2.0  # shared words below which a story is hardly ever the same: one name, or one common topic
_TELLING = 2.0  # words that a very rare word counts for, or a coined name in the title
_VERY_RARE = 5.5  # idf from which on a word tells a story alone; one of 250 stories
_PLACE = 1.5  # words that the name of a place counts for: two events there need not be one
_SOME_TOPIC = 0.5  # words that common words in common count for, however many
_PAIR = 0.4  # words that a pair of characters counts for: a name of four characters makes three pairs
_SAME_TITLE = 0.5  # share of the first report's title from which on another one tells the same; own choice
_SAME_TITLE_CJK = 0.35  # the same in pairs of characters, of which a name has several; own choice
_RARE_NAME = 4.0  # idf of a place that is not in the news all the time; own choice
_LARGE = 9  # reports from which on a story must have a core that holds it together; own choice
_CORE_SHARE = 0.5  # of a story's reports, for a word of its core; in the sets with times no right report lacks it
_CORE_TERMS = 5  # heaviest terms of a story


@dataclass(frozen=True, slots=True)
class Item:
    """One item, read and weighed: all that scoring looks at."""

    at: int | None  # seconds since 1970 UTC
    source: str
    reading: Reading
    weighed: Weighed
    sentences: tuple[Vector, ...]  # unit vectors
    figures: tuple[str, ...]
    exclusive: Mapping[str, float]  # anchors that few stories have → how exclusive, 0–1
    language: str | None = None  # primary subtag; None: unknown, in Latin letters
    meaning: Meaning | None = None  # None: without vectors
    references: tuple[str, ...] = ()
    rare: Mapping[str, float] = field(default_factory=dict)  # references that few stories have → how rare, 0–1

    @property
    def member(self) -> Member:
        """What a story remembers of this item."""
        reading = self.reading
        return Member(
            self.at, self.source, self.vector, self.headline, reading.anchors, reading.periodic, reading.editions,
            self.language, self.meaning, self.references,
        )  # fmt: skip

    @property
    def headline(self) -> Vector:
        """The title's terms with their shares of its weight."""
        idf = self.weighed.idf
        weights = {term: idf[term] for term in self.reading.title if idf[term] > 0.0}
        whole = sum(weights.values())
        return {term: rounded(weight / whole) for term, weight in weights.items()}

    @property
    def vector(self) -> Vector:
        return self.weighed.vector


def features(
    item: Item,
    story: StoryState,
    cosine: float,
    best_other: float,
    multi: float = 0.0,
    meanings: tuple[float, float] = (0.0, 0.0),
) -> list[float]:
    """The features of (item, story) in the order of `FEATURES`.

    `best_other` is the best cosine of another candidate, 0 without one; `multi` one of `several_topics`,
    `meanings` one of `alike`.
    """
    anchors, exclusive = _names(item, story)
    headline = sum([share for term, share in story.headline.items() if term in item.weighed.idf])
    mass, words = _shared(item, story)
    reading = item.reading
    return [
        1.0,
        mass,
        _lm(item, story),
        cosine / (cosine + best_other + 0.1),
        cosine - best_other,
        multi,
        0.0 if story.dormant else math.log(1.0 + gap(story, item.at) / _DAY),
        float(item.source in story.sources),
        anchors,
        exclusive,
        _first(item, story),
        float(reading.periodic and not story.periodic),
        float(words < _FEW_WORDS),
        headline,
        _stranger(item, story),
        _root_names(item, story),
        _figures(item, story),
        float(differ(reading.editions, story.editions)),
        float(0 < reading.lead_chars < _SHORT_LEAD),
        float(_elsewhere(item, story, headline)),
        float(story.size >= _LARGE and not _has_core(item, story)),
        _references(item, story),
        *meanings,
    ]


def _stranger(item: Item, story: StoryState) -> float:
    """How rare (0–1) a name in the item's title is that the story has never had."""
    title, idf = item.reading.title, item.weighed.idf
    new = [idf[n] for n in item.reading.anchors if n in title and n not in story.anchors and n not in story.centroid]
    return max(new, default=0.0) / _RAREST


def _elsewhere(item: Item, story: StoryState, headline: float) -> bool:
    """True where the title tells what that of the story's first report tells (`headline`: its share), of another
    place, and neither report has the name of the other's.

    A Chinese title says no "in", but mostly begins with the name of a place or of whom it is about.
    """
    idf = item.weighed.idf
    theirs = next(iter(story.headline), "")
    if is_cjk_term(theirs):
        own = next(iter(item.reading.title), "")
        known = own in story.centroid or theirs in idf
        return headline >= _SAME_TITLE_CJK and is_cjk_term(own) and idf[own] >= _RARE_NAME and not known
    places = item.reading.places
    if headline < _SAME_TITLE or not any(idf.get(place, 0.0) >= _RARE_NAME for place in places):
        return False
    named = [name for name in item.reading.anchors if name in item.reading.title]
    if any(name in story.anchors or name in story.centroid for name in (*places, *named)):
        return False
    others = [name for name in story.headline if name in story.anchors and not name.startswith(MARK)]
    return bool(others) and not any(name in idf for name in others)


def _has_core(item: Item, story: StoryState) -> bool:
    """True where the item has a word that says something and that most of the story's reports have."""
    idf, repeated = item.weighed.idf, story.repeated
    least = _CORE_SHARE * story.size
    return any(count >= least and idf.get(term, 0.0) > _COMMON for term, count in repeated.items())


def _root_names(item: Item, story: StoryState) -> float:
    """Rarity of the names shared with the first report (0–1)."""
    shared = sum([item.weighed.idf[name] for name in item.reading.anchors if name in story.root])
    return shared / (shared + 12.0)


def _figures(item: Item, story: StoryState) -> float:
    """1 where both have figures and share none."""
    if not item.figures or any(term in story.anchors or term in story.centroid for term in item.figures):
        return 0.0
    return float(any(name.startswith(MARK) for name in story.anchors))


def _references(item: Item, story: StoryState) -> float:
    """How rare what both point to is (0–1). Within one source that is what stands under all its items."""
    if item.source in story.sources:
        return 0.0
    shared = sum([rare for reference, rare in item.rare.items() if reference in story.references])
    return shared / (shared + 1.0)


def alike(meaning: Meaning | None, stories: Sequence[StoryState]) -> list[tuple[float, float]]:
    """For each story, as cosines of what item and story are about: (with its first report, with all of them minus
    that of the best other story); zeros without vectors.
    """
    if meaning is None:
        return [(0.0, 0.0)] * len(stories)
    known = [story.meaning for story in stories]
    whole = [cosine_of(meaning.whole, one.whole) if one else 0.0 for one in known]
    return [
        (cosine_of(meaning.whole, one.root), own - max([0.0, *whole[:i], *whole[i + 1 :]])) if one else (0.0, 0.0)
        for i, (one, own) in enumerate(zip(known, whole, strict=True))
    ]


def _shared(item: Item, story: StoryState) -> tuple[float, float]:
    """(absolute evidence (0–1): the rarity of shared terms, those of many members more, which stops one-word matches;
    how many words that say something both have, of which a pair of characters is less than one and a coined name more).
    """
    idf, centroid, repeated, size = item.weighed.idf, story.centroid, story.repeated, story.size
    mass = words = common = 0.0
    for term in [term for term in item.vector if term in centroid]:
        rarity = idf[term] - _COMMON
        if rarity > 0.0:
            mass += rarity * min(1.0, 0.25 + repeated.get(term, 1) / size)
            words += _words_for(term, item)
        else:
            common = _SOME_TOPIC
    return mass / (mass + 15.0), words + common


def _words_for(term: str, item: Item) -> float:
    """How many words a term that says something counts for."""
    if is_cjk_term(term):
        return _PAIR
    if term in item.reading.places:
        return _PLACE
    coined = term in item.exclusive and term in item.reading.title
    return _TELLING if coined or item.weighed.idf[term] >= _VERY_RARE else 1.0


def _lm(item: Item, story: StoryState) -> float:
    """Mean log odds of the title's terms under the story against the background, scaled by 1/8."""
    idf, centroid, repeated, size = item.weighed.idf, story.centroid, story.repeated, story.size
    odds = 0.0
    for term in item.reading.title:
        share = math.exp(-max(idf[term], 0.0))
        members = repeated.get(term, 1) if term in centroid else 0
        odds += math.log((members + share) / ((size + 1.0) * share))
    return odds / (8.0 * max(len(item.reading.title), 1))


def _names(item: Item, story: StoryState) -> tuple[float, float]:
    """(rarity of shared names, of shared exclusive names), each 0–1."""
    idf, size = item.weighed.idf, story.size
    weighted = exclusive = 0.0
    for name in item.reading.anchors:
        known = story.anchors.get(name, 0)
        if known:
            weighted += idf[name] * min(1.0, 0.5 + 0.5 * known / size)
            if name in item.exclusive:
                exclusive += item.exclusive[name] * min(1.0, 0.4 + known / size)
    return weighted / (weighted + 12.0), exclusive / (exclusive + 1.0)


def sentence_cosines(item: Item, story: StoryState) -> list[float]:
    """How near each sentence of the item is to a story."""
    return [dot(sentence, story.centroid) / story.length for sentence in item.sentences]


def several_topics(cosines: Sequence[Sequence[float]]) -> list[float]:
    """For each story: how much better another one explains some sentence of the item (difference of cosines).

    `cosines` are for each story those of the sentences. High where an item has several topics. 0 where there are no
    two stories or no two sentences.
    """
    if len(cosines) < 2 or len(cosines[0]) < 2:
        return [0.0] * len(cosines)
    best = [max(of_stories) for of_stories in zip(*cosines, strict=True)]
    return [max([0.0, *(most - own for most, own in zip(best, story, strict=True))]) for story in cosines]


def _first(item: Item, story: StoryState) -> float:
    """How rare a core term of the story is (0–1) that the title or the first sentence has; 0 for none."""
    first = item.sentences[0] if item.sentences else {}
    idf, best = item.weighed.idf, 0.0
    for term in islice(story.centroid, _CORE_TERMS):
        if term in item.reading.title or term in first:
            best = max(best, min(1.0, (idf[term] - _COMMON) / 4.0))
    return best


def score(values: Sequence[float], weights: Sequence[float]) -> float:
    """The logit z of "this item is a report of this story"."""
    return sum([value * weight for value, weight in zip(values, weights, strict=True)])


def told(values: Sequence[float], weights: Sequence[float]) -> dict[str, tuple[float, float]]:
    """What a score is made of, to be kept with the decision: (value, weight) of each feature that counts, by name.

    What did not speak against the item is left out; what did not speak for it was missing, and is told.
    """
    named = zip(FEATURES, values, weights, strict=True)
    return {
        name: (round(value, KEPT_DIGITS), weight) for name, value, weight in named if weight > 0.0 or (weight and value)
    }


def mention_weights(weights: Sequence[float]) -> tuple[float, ...]:
    """The weights without what punishes an item for having several topics: a mention may have them."""
    return tuple([0.0 if name in _SEVERAL_TOPICS else weight for name, weight in zip(FEATURES, weights, strict=True)])
