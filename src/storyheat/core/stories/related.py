"""Which other stories a story has to do with: by names that few others have, by series, by reports that touch both."""

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from storyheat.core.model import ItemId, StoryId
from storyheat.core.stories.developments import Told
from storyheat.core.stories.statements import RAREST
from storyheat.core.stories.told import Name
from storyheat.core.text.editions import editions
from storyheat.core.text.stems import stem

SERIES = "="  # opens the name of a series, so that no other name collides with one
_WORD = re.compile(r"[^\W\d_][\w.-]*\w")
_POSSESSIVE = re.compile(r"['’]s?$")


@dataclass(frozen=True, slots=True)
class RelatedParams:
    """When two stories have to do with each other; own choice, looked at on the demo week."""

    names: int = 8  # of one story, those that most of its reports share
    shared_by: float = 0.4  # of its reports must have a name, and two at least
    rarity: float = 5.0  # nats; a name that more than 0.7 % of ordinary texts have tells little, as in developments
    holders: int = 40  # a name of more stories relates none
    few: int = 4  # others at most that have a name which is enough alone; it must stand in titles of both
    most: int = 5  # that are shown
    told: int = 3  # names that are told as reason


@dataclass(frozen=True, slots=True)
class Related:
    """Another story and why, in words. `score`: the larger the closer."""

    story: StoryId
    why: str
    score: float


def names_of(
    reports: Sequence[Told],
    words: Mapping[ItemId, tuple[str, str]],
    title: str,
    background: Mapping[str, float],
    params: RelatedParams,
) -> list[Name]:
    """The names by which a story is told, heaviest first, and the series that its title belongs to.

    `words`: title and text of each report; `title`: the story's.
    """
    counts = Counter(name for one in reports for name in one.says.names)
    least = max(2, math.ceil(params.shared_by * len(reports)))
    weights = {
        term: count * rarity
        for term, count in counts.items()
        if count >= least and (rarity := -math.log(max(background.get(term, RAREST), RAREST))) >= params.rarity
    }
    best = sorted(weights, key=lambda term: (-weights[term], term))[: params.names]
    printed = _printed([part for one in reports for part in words[one.item]], best)
    titles = frozenset().union(*(one.says.title for one in reports))
    series = [Name(SERIES + edition.partition("=")[0], edition.replace("=", " "), True) for edition in editions(title)]
    return [*(Name(term, printed.get(term, term), term in titles) for term in best), *series]


def _printed(texts: Sequence[str], terms: Collection[str]) -> dict[str, str]:
    """How each of the terms is first printed with a capital or figure."""
    found: dict[str, str] = {}
    missing = set(terms)
    for text in texts:
        if not missing:
            break
        for match in _WORD.finditer(text):
            word = _POSSESSIVE.sub("", match[0])
            if word == word.lower():
                continue
            term = word.lower() if word.lower() in missing else stem(word.lower())
            if term in missing:
                found[term] = word
                missing.discard(term)
    return found


def related(
    own: Sequence[Name],
    others: Mapping[StoryId, Sequence[Name]],
    touched: Mapping[StoryId, bool],
    params: RelatedParams,
) -> list[Related]:
    """The stories that one has to do with, the closest first, ties by id.

    `own`: its names, without those of too many stories; `others`: those of every story that has one of them;
    `touched`: stories that a report of it mentions (True), or a report of which mentions it (False).
    """
    mine = {one.term: one for one in own}
    theirs = {story: {one.term: one for one in names if one.term in mine} for story, names in others.items()}
    holders = Counter(term for names in theirs.values() for term in names)
    found = []
    for story in sorted({*theirs, *touched}):
        names = theirs.get(story, {})
        shared = sorted((t for t in names if not t.startswith(SERIES)), key=lambda term: (holders[term], term))
        alone = any(holders[t] < params.few and names[t].in_title and mine[t].in_title for t in shared)
        series = [t for t in sorted(names) if t.startswith(SERIES) and names[t] != mine[t]] if shared else []
        if alone or len(shared) > 1 or series or story in touched:
            parts = [
                *(["a report of this story mentions it"] if touched.get(story) is True else []),
                *(["a report of it mentions this story"] if touched.get(story) is False else []),
                *(f"another of a series: {names[term].shown}" for term in series[:1]),
                *([f"shares {', '.join(mine[term].shown for term in shared[: params.told])}"] if shared else []),
            ]
            score = math.fsum(1.0 / holders[term] for term in shared) + 0.5 * bool(series) + (story in touched)
            found.append(Related(story, "; ".join(parts), score))
    return sorted(found, key=lambda one: (-one.score, one.story))
