"""What a story is called: the title of that report which says most of what its reports have in common."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from storyheat.core.model import ItemId
from storyheat.core.stories.developments import Told
from storyheat.core.stories.statements import RAREST

LEAD = 1.25  # times as much must another title say before a story changes its name; own choice, for steady lists
LEAST_REPORTS = 3  # of two nobody can tell which is the odd one


def headline(reports: Sequence[Told], founder: ItemId, background: Mapping[str, float]) -> ItemId:
    """The report whose title a story takes. The founding item's stays unless another says clearly more.

    Only titles in the language of most reports are compared: nobody should have to read another one.
    """
    ordered = sorted((one for one in reports if one.says.title), key=lambda one: (one.at, one.item))
    first = next((one for one in ordered if one.item == founder), ordered[0] if ordered else None)
    if first is None or len(ordered) < LEAST_REPORTS:
        return founder if first is None else first.item
    spoken = Counter(one.language for one in ordered)
    language = max(spoken, key=lambda name: (spoken[name], name == first.language, name or ""))
    same = [one for one in ordered if one.language == language]
    shared = Counter(term for one in same for term in one.says.title | one.says.lead)

    def says(one: Told) -> float:
        """How much of the others is in this title, in nats a report; long titles must say more."""
        terms = one.says.title
        weight = sum(
            (shared[term] - 1) * -math.log(max(background.get(term, RAREST), RAREST)) for term in sorted(terms)
        )
        asked = 0.5 if one.says.asks else 1.0
        return asked * weight / math.sqrt(len(terms))

    best = max(same, key=says)  # of equals the earliest
    if first.language == language and says(best) < LEAD * says(first):
        return first.item
    return best.item
