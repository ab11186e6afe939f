"""Weights of terms: how rare a term is among stories and in ordinary texts, and an item's vector made of that."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from storyheat.core.text.terms import Reading

Vector = dict[str, float]  # term → weight, heaviest first, rounded to DIGITS

DIGITS = 4  # of every stored weight: rounded at birth, so that a stored story equals the one in memory
SCALE: int = 10**DIGITS
_STEPS = tuple([step / SCALE for step in range(SCALE + 1)])  # the weights that there are, each kept once


@dataclass(frozen=True, slots=True)
class WeightParams:
    """How terms are weighed."""

    prior: float = 100.0  # stories that the background table counts for; prototype
    saturation: float = 2.0  # tf = c / (c + saturation); prototype
    vector_terms: int = 80  # heaviest terms of a vector; prototype
    counted_stories: float = 50_000.0  # beyond it all counts are halved, so that tables stay bounded; own choice
    least_count: float = 0.5  # a count below it after halving is forgotten; own choice


@dataclass(slots=True)
class Counts:
    """In how many stories a term occurs (document frequency over stories, fractional).

    The k-th member of a story adds 1/k for each of its terms, so that a big story cannot destroy the weight of
    its own name. `df` needs to hold only the terms of the items that will be placed. What changed since the last
    `saved()` is in `changed` (terms to write) and `halvings` (apply those first, to all rows).
    """

    total: float = 0.0
    df: dict[str, float] = field(default_factory=dict)
    changed: dict[str, None] = field(default_factory=dict)
    halvings: int = 0

    def add(self, terms: Mapping[str, float], share: float, params: WeightParams) -> None:
        """Counts the terms of one member of a story; `share` is 1 for its first, 1/k for its k-th."""
        self.total += share if share == 1.0 else 0.0
        df = self.df
        for term in terms:
            df[term] = df.get(term, 0.0) + share
        self.changed.update(dict.fromkeys(terms))
        if self.total >= params.counted_stories:
            self._halve(params)

    def _halve(self, params: WeightParams) -> None:
        self.total /= 2
        self.df = {term: n / 2 for term, n in self.df.items() if n / 2 >= params.least_count}
        self.changed = {term: None for term in self.changed if term in self.df}
        self.halvings += 1

    def saved(self) -> None:
        """Forgets what changed, after the caller has written it down."""
        self.changed = {}
        self.halvings = 0


@dataclass(frozen=True, slots=True)
class Weighed:
    """One item's terms with their weights at its arrival."""

    idf: dict[str, float]  # of every term
    vector: Vector  # of the heaviest terms, unit length


def weigh(reading: Reading, counts: Counts, background: Mapping[str, float], params: WeightParams) -> Weighed:
    """Weighs an item's terms by the counts of now. `background` is term → share of ordinary texts (0–1)."""
    log, saturation, prior = math.log, params.saturation, params.prior
    top = log(counts.total + prior + 1.0)
    stories, usual = counts.df.get, background.get
    idf: dict[str, float] = {}
    weights: list[tuple[float, str]] = []
    for term, count in reading.terms().items():
        rarity = top - log(stories(term, 0.0) + prior * usual(term, 0.0) + 0.5)
        idf[term] = rarity
        if rarity > 0.0:
            weights.append((-rarity * count / (count + saturation), term))
    weights.sort()
    return Weighed(idf, unit({term: -weight for weight, term in weights[: params.vector_terms]}))


def unit(weights: Mapping[str, float]) -> Vector:
    """The same direction at length one, rounded. No weight may be negative."""
    length = norm(weights)
    if not length:
        return {}
    return {term: _STEPS[int(weight / length * SCALE + 0.5)] for term, weight in weights.items()}


def rounded(weight: float) -> float:
    """A weight (from 0 on) as it may be stored; of those up to 1 each number is kept once, however many have it."""
    step = int(weight * SCALE + 0.5)
    return _STEPS[step] if step <= SCALE else step / SCALE


def weights_of(steps: Iterable[int]) -> list[float]:
    """The weights of so many steps each, as `rounded` gives them."""
    return [_STEPS[step] if step <= SCALE else step / SCALE for step in steps]


def norm(vector: Mapping[str, float]) -> float:
    """Euclidean length."""
    return math.sqrt(sum([weight * weight for weight in vector.values()]))


def dot(a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """Inner product, summed in the order of `a`."""
    total = 0.0
    for term in filter(b.__contains__, a):
        total += a[term] * b[term]
    return total
