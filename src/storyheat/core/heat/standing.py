"""What we know about the heat of an instant: whether the sources that matter were watched then."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from storyheat.core.feeds.watch import UNWATCHED, Watch
from storyheat.core.heat.evidence import Evidence, StoryItem, seconds_of
from storyheat.core.heat.rule import HeatRule
from storyheat.core.model import SourceId, Standing

Watches = Mapping[SourceId, Watch]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The standing of an instant, and the sources that were needed for it but not watched, sorted."""

    standing: Standing
    behind: tuple[SourceId, ...] = ()


def standing_at(evidence: Evidence, watches: Watches, at: datetime, rule: HeatRule) -> Knowledge:
    """The standing of an instant for a story.

    Needed are the sources of all counted reports inside the window then. With none needed, one watched
    source of the story is enough to believe in the zero. A source without a watch was never fetched.
    """
    seconds = seconds_of(at)
    return standing_of(evidence.between(rule.opens_after(seconds), seconds), evidence, watches, at)


def standing_of(within: Iterable[StoryItem], evidence: Evidence, watches: Watches, at: datetime) -> Knowledge:
    """The same, of one who has the counted reports `within` the window at hand."""
    needed = {item.source for item in within}
    if not needed:
        if any(watched(watches, source, at) for source in evidence.sources):
            return Knowledge(Standing.OBSERVED)
        return Knowledge(Standing.UNKNOWN, evidence.sources)
    behind = tuple(sorted(source for source in needed if not watched(watches, source, at)))
    if not behind:
        return Knowledge(Standing.OBSERVED)
    if len(behind) < len(needed):
        return Knowledge(Standing.PARTIAL, behind)
    if any(watches.get(source, UNWATCHED).begun(at) for source in needed):
        return Knowledge(Standing.UNKNOWN, behind)
    return Knowledge(Standing.REBUILT, behind)


def watched(watches: Watches, source: SourceId, at: datetime) -> bool:
    """Whether a source was watched at an instant; one without a watch never was."""
    return watches.get(source, UNWATCHED).watched_at(at)
