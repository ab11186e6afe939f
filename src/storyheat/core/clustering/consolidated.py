"""Merges stories of a stream as it goes by, where more that was told shows that they are one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from storyheat.core.clustering.clusterer import Clusterer
from storyheat.core.clustering.consolidate import ConsolidateParams, propose_merges
from storyheat.core.clustering.model import Doc

DocOf = Callable[[str], Doc]
"""An item by its id."""


@dataclass(slots=True)
class Consolidated:
    """The reports of a clusterer's open stories, and where the ids of merged ones lead.

    The story founded earlier keeps its id, and the clusterer remembers it by the reports of both, so that what comes
    later follows. Nothing here looks back at stories that have closed.
    """

    clusterer: Clusterer
    doc_of: DocOf
    params: ConsolidateParams = field(default_factory=ConsolidateParams)
    _leads: dict[str, str] = field(default_factory=dict)  # merged id → that of the older story
    _reports: dict[str, list[tuple[int, str]]] = field(default_factory=dict)  # story → (rank, item), oldest first
    _placed: int = 0
    _looked: int = 0  # reports placed when stories were last looked at
    _changes: int = 0  # rank of the clusterer's changes then
    _due: float | None = None  # instant from which they are again

    def before(self, at: datetime | None) -> None:
        """It is the turn of an item of this time: looks again if that is due."""
        seconds = None if at is None else at.timestamp()
        if seconds is not None and self._due is None:
            self._due = seconds + self.params.every_seconds
        late = seconds is not None and self._due is not None and seconds >= self._due
        if late or self._placed - self._looked >= self.params.every_reports:
            self.look_again()
            self._due = None if seconds is None else seconds + self.params.every_seconds

    def placed(self, item: str, story: str) -> None:
        """An item has become a report of a story."""
        self._placed += 1
        self._reports.setdefault(story, []).append((self._placed, item))

    def look_again(self) -> int:
        """Merges the open stories that prove to be one, the surest first, each at most once.

        Gives how many ids were merged into others so far.
        """
        since, self._looked = self._changes, self._placed
        merged: set[str] = set()
        for found in propose_merges(self.clusterer, self._docs, lambda one, other: False, self.params, since):
            if found.one not in merged and found.other not in merged:
                older, younger = sorted((found.one, found.other), key=self._reports.__getitem__)
                self._reports[older] = sorted(self._reports[older] + self._reports.pop(younger))
                self._leads[younger] = older
                self.clusterer.restate(younger, ())
                self.clusterer.restate(older, self._docs(older))
                merged |= {older, younger}
        self._changes = self.clusterer.changes
        known = self.clusterer.known_ids
        self._reports = {story: reports for story, reports in self._reports.items() if story in known}
        return len(self._leads)

    def story(self, placed: str) -> str:
        """The story in which one stands whose id was given when an item was placed."""
        while placed in self._leads:
            placed = self._leads[placed]
        return placed

    def _docs(self, story: str) -> Sequence[Doc]:
        reports = self._reports[story]
        newest = reports[1:][1 - self.clusterer.params.state.restated :]
        return [self.doc_of(item) for _, item in (*reports[:1], *newest)]
