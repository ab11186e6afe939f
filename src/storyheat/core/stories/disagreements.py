"""Figures of a story that contradict each other: one thing counted by two voices with two results."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from storyheat.core.model import ItemId, Voice
from storyheat.core.stories.developments import Told
from storyheat.core.stories.statements import Figure
from storyheat.core.stories.told import Claim, Disagreement


@dataclass(frozen=True, slots=True)
class DisagreementParams:
    """When two figures are about one thing. Found on the seed story and the demo week; see docs/evidence.md."""

    largest_ratio: float = 2.0  # of the two values; figures further apart are rarely about one thing
    common_context: float = 0.3  # of the fewer words of the two sentences
    least_common: int = 3  # words of both sentences
    figures: int = 400  # of a story that are compared, in order of time; cost is their square at most


@dataclass(frozen=True, slots=True)
class _Stated:
    """A figure and who states it."""

    item: ItemId
    voice: Voice
    figure: Figure

    @property
    def claim(self) -> Claim:
        """What of it is kept."""
        return Claim(self.item, self.figure.said, self.figure.sentence)


def disagreements(reports: Sequence[Told], params: DisagreementParams) -> list[Disagreement]:
    """Pairs of figures that contradict each other, in order of time; of pairs with equal figures the first."""
    stated: list[_Stated] = []
    together: set[frozenset[str]] = set()  # figures of one item: it tells two things, or compares them
    for told in sorted(reports, key=lambda told: (told.at, told.item)):
        says = told.says
        together.update(frozenset((a.key, b.key)) for a, b in combinations(says.figures, 2))
        stated += [_Stated(told.item, told.voice, figure) for figure in says.figures if figure.key in says.lead_figures]
    found: dict[frozenset[str], Disagreement] = {}
    for first, second in combinations(stated[: params.figures], 2):
        pair = frozenset((first.figure.key, second.figure.key))
        if first.voice == second.voice or pair in together or pair in found:
            continue
        if _of_one_thing(first.figure, second.figure, params):
            found[pair] = Disagreement(first.claim, second.claim)
    return list(found.values())


def _of_one_thing(a: Figure, b: Figure, params: DisagreementParams) -> bool:
    """True where two figures are of one thing, and further apart than rounding explains."""
    counted_apart = bool(a.counted or b.counted) and not a.counted & b.counted
    if a.unit != b.unit or counted_apart or min(a.value, b.value) <= 0.0:
        return False
    if max(a.value, b.value) / min(a.value, b.value) > params.largest_ratio:
        return False
    if abs(a.value - b.value) <= max(a.step, b.step) / 2:
        return False
    common = len(a.context & b.context)
    return common >= max(params.least_common, params.common_context * min(len(a.context), len(b.context)))
