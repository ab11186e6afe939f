"""Looks at open stories again, now that more is told: which two may be one, and which reports may not belong.

Nothing is changed: a person accepts a proposal or does not. `core.clustering.consolidated` accepts the merges of a
stream itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from storyheat.core.clustering.clusterer import Clusterer
from storyheat.core.clustering.model import Doc

Reports = Callable[[str], Sequence[Doc]]
"""The reports of an open story, oldest first."""


@dataclass(frozen=True, slots=True)
class ConsolidateParams:
    """What decides what is proposed, and what bounds the work."""

    # mean z of a story's first and last reports with another, from which it is one. Of 1.5, .85, .5, .3, .2 and 0 the
    # one that helps most and harms no labelled set that has leads; see docs/clustering.md
    merge_mean: float = 0.5
    merge_least: float = -0.5  # the least of them; prototype
    last_reports: int = 2  # reports looked at beside the first; prototype
    split_z: float = -1.5  # z of a report with the rest of its story, below which it may not belong; own choice
    split_reports: int = 8  # reports of a story looked at, the newest; for time
    split_stories: int = 100  # stories looked at for that, the newest touched; for time
    merge_stories: int = 2000  # stories looked at, the newest touched; for time
    every_seconds: int = 86_400  # of a stream's own time, after which it is looked at again; own choice
    every_reports: int = 1000  # the same, for streams without times and busy days: whichever comes first; own choice


@dataclass(frozen=True, slots=True)
class MergeProposal:
    """Two stories that may be one. `z`: mean over the reports looked at; `least`: the least of them."""

    one: str
    other: str
    z: float
    least: float
    because: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class SplitProposal:
    """Reports that may not belong to their story. `z`: the best of them with the rest of it."""

    story: str
    items: tuple[str, ...]
    z: float
    because: Mapping[str, object]


DEFAULT_PARAMS = ConsolidateParams()


def propose_merges(
    clusterer: Clusterer,
    reports: Reports,
    kept_apart: Callable[[str, str], bool],
    params: ConsolidateParams = DEFAULT_PARAMS,
    since: int = 0,
) -> list[MergeProposal]:
    """Pairs of open stories, the surest first. `kept_apart`: a person parted them.

    At least one story of each pair changed after the rank `since` of the clusterer's changes.
    """
    found: dict[tuple[str, str], MergeProposal] = {}
    for story in clusterer.newest_touched(params.merge_stories, since):
        docs = reports(story)
        chosen = [*docs[:1], *docs[1:][-params.last_reports :]]
        scores: dict[str, list[float]] = {}
        for doc in chosen:
            for fit in clusterer.fits_elsewhere(doc, story):
                scores.setdefault(fit.story.id, []).append(fit.z)
        for other, values in sorted(scores.items()):
            mean, least, pair = sum(values) / len(chosen), min(values), (min(story, other), max(story, other))
            sure = len(values) == len(chosen) and mean >= params.merge_mean and least >= params.merge_least
            if sure and not kept_apart(*pair) and (pair not in found or found[pair].z < mean):
                because = {"looked_at": [doc.id for doc in chosen], "z": values}
                found[pair] = MergeProposal(*pair, mean, least, because)
    return sorted(found.values(), key=lambda one: (-one.z, one.one, one.other))


def propose_splits(
    clusterer: Clusterer, reports: Reports, held: Callable[[str], bool], params: ConsolidateParams = DEFAULT_PARAMS
) -> list[SplitProposal]:
    """Stories with reports that score low with all the rest, the lowest first. `held`: a person put an item there.

    The clusterer is left as it was.
    """
    found = []
    for story in clusterer.newest_touched(params.split_stories):
        docs = reports(story)
        scores: dict[str, float] = {}
        for doc in docs[1:][-params.split_reports :] if len(docs) > 2 else ():
            z = clusterer.score_within(doc, story, [other for other in docs if other is not doc])
            if z is not None and z < params.split_z and not held(doc.id):
                scores[doc.id] = z
        if scores:
            found.append(SplitProposal(story, tuple(scores), max(scores.values()), {"z": scores}))
    return sorted(found, key=lambda one: (one.z, one.story))
