"""The weights of the score in semantic mode, as scripts/train_semantic.py learned them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from storyheat.core.clustering.score import FEATURES


class Blend(NamedTuple):
    """How the score by words and the meaning make one score, within a language."""

    words: float  # of the score by words
    bias: float
    meaning: float

    def weights(self, lexical: Sequence[float]) -> tuple[float, ...]:
        """In the order of FEATURES, on top of the weights for words alone."""
        added = {"bias": self.bias, "meaning": self.meaning}
        pairs = zip(FEATURES, lexical, strict=True)
        return tuple([self.words * weight + added.get(name, 0.0) for name, weight in pairs])


_LEAD = Blend(words=0.8, bias=-2.2, meaning=4.0)
_BARE = Blend(words=0.6, bias=-2.0, meaning=4.0)
# For stories that have no report in the item's language: words tell nothing there; names, figures and meaning do.
_FOREIGN = {
    "bias": -6.48,
    "gap": -1.2,
    "anchors": 3.65,
    "periodic": -4.5,
    "edition": -5.0,
    "references": 4.0,
    "meaning": 9.55,
    "meaning_ahead": 1.13,
}


@dataclass(frozen=True, slots=True)
class SemanticParams:
    """What tunes the score where item and story have vectors."""

    lead: Blend = _LEAD
    bare: Blend = _BARE
    foreign_weights: tuple[float, ...] = tuple([_FOREIGN.get(name, 0.0) for name in FEATURES])

    def weights_for(self, lexical: Sequence[float], lead_chars: int, *, foreign: bool) -> tuple[float, ...]:
        """The weights for an item with a lead of this length; `lexical`: those for words alone."""
        if foreign:
            return self.foreign_weights
        return (self.lead if lead_chars else self.bare).weights(lexical)
