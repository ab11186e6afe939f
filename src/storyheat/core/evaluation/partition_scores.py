"""How well predicted stories agree with labelled ones: BCubed, pairs of items, and mutual information."""

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Rates:
    """Precision, recall and their harmonic mean, each 0–1."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean; 0 where both are 0."""
        both = self.precision + self.recall
        return 2.0 * self.precision * self.recall / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of items in one story."""

    right: int  # predicted and labelled
    predicted: int
    labelled: int

    @property
    def rates(self) -> Rates:
        """Who predicts no pair says nothing wrong; where there is none to find, nothing is missed."""
        return Rates(
            self.right / self.predicted if self.predicted else 1.0, self.right / self.labelled if self.labelled else 1.0
        )


@dataclass(frozen=True, slots=True)
class Sizes:
    """The stories of one side."""

    stories: int
    several: int  # stories of two items or more
    largest: int  # items


@dataclass(frozen=True, slots=True)
class Scores:
    """How well a prediction agrees with labels."""

    items: int  # labelled
    missing: int  # labelled items without a predicted story; each counts as a story of its own
    extra: int  # predictions about items that are not labelled; they count for nothing
    bcubed: Rates
    pairs: Pairs
    ami: float  # adjusted mutual information: 0 is chance, 1 is perfect; may fall below 0
    nmi: float  # mutual information over the geometric mean of both entropies, 0–1
    labelled: Sizes
    predicted: Sizes
    floor_singletons: float  # BCubed F1 of putting every item alone
    floor_one_story: float  # BCubed F1 of putting all items together

    @property
    def gain_over_floor(self) -> float | None:
        """How much of the way from the floor of singletons to perfection is gone; None where the floor is perfect."""
        floor = self.floor_singletons
        return (self.bcubed.f1 - floor) / (1.0 - floor) if floor < 1.0 else None


def compare(labels: Mapping[str, Hashable], predictions: Mapping[str, str | None]) -> Scores:
    """Scores predictions against labels; both map an item to its story, None for no story.

    An item without a label is ignored; one without a prediction counts as a story of its own.
    Raises ValueError where no item is labelled.
    """
    known = {item: story for item, story in labels.items() if story is not None}
    if not known:
        raise ValueError("no item is labelled")
    told = [predictions.get(item) for item in known]
    # Two texts or two bare numbers: no predicted story can be mistaken for the place of a missing one.
    theirs: list[Hashable] = [number if story is None else story for number, story in enumerate(told)]
    table = _Table.of(list(known.values()), theirs)
    ami, nmi = _mutual_information(table)
    count = len(known)
    return Scores(
        items=count,
        missing=told.count(None),
        extra=len(predictions) - sum([item in known for item in predictions]),
        bcubed=_bcubed(table),
        pairs=_pairs(table),
        ami=ami,
        nmi=nmi,
        labelled=_sizes(table.ours),
        predicted=_sizes(table.theirs),
        floor_singletons=_bcubed(_Table.of(table.of_ours, range(count))).f1,
        floor_one_story=_bcubed(_Table.of(table.of_ours, [0] * count)).f1,
    )


@dataclass(frozen=True, slots=True)
class _Table:
    """How many items each story of either side has, and each pair of stories shares."""

    of_ours: Sequence[Hashable]  # item → labelled story
    ours: Counter[Hashable]
    theirs: Counter[Hashable]
    shared: Counter[tuple[Hashable, Hashable]]

    @classmethod
    def of(cls, ours: Sequence[Hashable], theirs: Sequence[Hashable]) -> "_Table":
        return cls(ours, Counter(ours), Counter(theirs), Counter(zip(ours, theirs, strict=True)))

    @property
    def items(self) -> int:
        return len(self.of_ours)


def _bcubed(table: _Table) -> Rates:
    """The mean over items: which share of its predicted story is of its labelled one, and the other way round."""
    precision = math.fsum([both * both / table.theirs[their] for (_, their), both in table.shared.items()])
    recall = math.fsum([both * both / table.ours[our] for (our, _), both in table.shared.items()])
    return Rates(precision / table.items, recall / table.items)


def _pairs(table: _Table) -> Pairs:
    shared, theirs, ours = [
        sum([math.comb(size, 2) for size in sizes.values()]) for sizes in (table.shared, table.theirs, table.ours)
    ]
    return Pairs(shared, theirs, ours)


def _sizes(stories: Counter[Hashable]) -> Sizes:
    sizes = stories.values()
    return Sizes(len(stories), sum([size > 1 for size in sizes]), max(sizes))


def _mutual_information(table: _Table) -> tuple[float, float]:
    """(adjusted, normalised) mutual information. Two trivial partitions of one kind agree perfectly."""
    items = table.items
    if len(table.ours) == len(table.theirs) and len(table.ours) in (1, items):
        return 1.0, 1.0
    found = math.fsum(
        [
            both / items * math.log(both * items / (table.ours[our] * table.theirs[their]))
            for (our, their), both in table.shared.items()
        ]
    )
    ours, theirs = _entropy(table.ours, items), _entropy(table.theirs, items)
    chance = _expected_information(table.ours, table.theirs, items)
    # By chance alone as much as there can be happens only to the trivial partitions above.
    adjusted = (found - chance) / ((ours + theirs) / 2.0 - chance)
    normalised = found / math.sqrt(ours * theirs) if ours and theirs else 0.0
    return adjusted + 0.0, min(1.0, max(0.0, normalised))


def _entropy(stories: Counter[Hashable], items: int) -> float:
    """In nats."""
    return -math.fsum([size / items * math.log(size / items) for size in stories.values()]) + 0.0


def _expected_information(ours: Counter[Hashable], theirs: Counter[Hashable], items: int) -> float:
    """The mean mutual information over all ways to deal the items into stories of these sizes, exactly.

    Two stories of sizes a and b share k items with hypergeometric probability (Vinh, Epps and Bailey 2010). Sizes
    recur, so the sum is taken once a pair of different sizes.
    """
    log_factorial = np.array([math.lgamma(number + 1.0) for number in range(items + 1)])
    parts = []
    for a, many_a in sorted(Counter(ours.values()).items()):
        for b, many_b in sorted(Counter(theirs.values()).items()):
            k = np.arange(max(1, a + b - items), min(a, b) + 1)
            ways = log_factorial[a] + log_factorial[b] + log_factorial[items - a] + log_factorial[items - b]
            ways = ways - log_factorial[items] - log_factorial[k] - log_factorial[a - k] - log_factorial[b - k]
            ways = ways - log_factorial[items - a - b + k]
            gain = k / items * (np.log(k) + math.log(items) - math.log(a) - math.log(b))
            parts.append(many_a * many_b * float(np.sum(gain * np.exp(ways))))
    return math.fsum(parts)
