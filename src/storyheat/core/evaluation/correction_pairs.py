"""Corrections as labelled pairs: two reports that a person put into one story, or parted."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, product

from storyheat.core.model import ItemId


@dataclass(frozen=True, slots=True)
class PairParams:
    """What bounds the pairs of one correction."""

    each_side: int = 20  # reports looked at of each group: a merge of two large stories gives 400 pairs; own choice


@dataclass(frozen=True, slots=True)
class Claim:
    """What a correction that holds says about reports. `items` belong to those in `beside`, not to those in `apart`.

    `together`: the items also belong to each other.
    """

    correction: int
    items: tuple[ItemId, ...]
    beside: tuple[ItemId, ...] = ()
    apart: tuple[ItemId, ...] = ()
    together: bool = False


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two reports, a < b, of one story or not, by the newest correction that says so."""

    a: ItemId
    b: ItemId
    same: bool
    correction: int


DEFAULT_PARAMS = PairParams()


def labelled_pairs(claims: Iterable[Claim], params: PairParams = DEFAULT_PARAMS) -> list[LabelledPair]:
    """The pairs of all claims, sorted; of two about the same pair the later correction holds."""
    found: dict[tuple[ItemId, ItemId], LabelledPair] = {}
    most = params.each_side
    for claim in sorted(claims, key=lambda claim: claim.correction):
        items = claim.items[:most]
        said = [(pair, True) for pair in product(items, claim.beside[:most])]
        said += [(pair, False) for pair in product(items, claim.apart[:most])]
        if claim.together:
            said += [(pair, True) for pair in combinations(items, 2)]
        for (one, other), same in said:
            a, b = min(one, other), max(one, other)
            if a != b:
                found[a, b] = LabelledPair(a, b, same, claim.correction)
    return [found[pair] for pair in sorted(found)]
