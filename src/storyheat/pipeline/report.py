"""What one run did, as a value that log lines, JSON and the table `run` are made of."""

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from storyheat.pipeline.house import LetGo
from storyheat.store.columns import instant_text


@dataclass(frozen=True, slots=True)
class FeedFailure:
    """One feed that gave nothing, and why."""

    source: str
    url: str  # without credentials
    kind: str
    message: str


@dataclass(slots=True)
class RunReport:
    """The report of one run; counts, and seconds by stage (measured, never stored)."""

    started_at: datetime
    updated: int = 0
    unchanged: int = 0
    skipped: int = 0
    failures: list[FeedFailure] = field(default_factory=list)
    items_new: int = 0
    items_revised: int = 0
    items_copies: int = 0
    articles_read: int = 0
    articles_failed: int = 0
    stories_new: int = 0
    stories_grown: int = 0
    stories_merged: int = 0
    let_go: LetGo = field(default_factory=LetGo)
    seconds: dict[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The object that `ingest --json` prints, schema storyheat.run/1."""
        return {
            **self.for_store(),
            "seconds": {name: round(value, 3) for name, value in self.seconds.items()},
        }

    def for_store(self) -> dict[str, Any]:
        """The same without what was measured, so that equal runs leave equal rows."""
        return {
            "schema": "storyheat.run/1",
            "started_at": instant_text(self.started_at),
            "feeds": {
                "updated": self.updated,
                "unchanged": self.unchanged,
                "failed": len(self.failures),
                "skipped": self.skipped,
            },
            "failures": [
                {"source": one.source, "url": one.url, "kind": one.kind, "message": one.message}
                for one in self.failures
            ],
            "items": {"new": self.items_new, "revised": self.items_revised, "copies": self.items_copies},
            "articles": {"read": self.articles_read, "failed": self.articles_failed},
            "stories": {"new": self.stories_new, "grown": self.stories_grown, "merged": self.stories_merged},
            "let_go": asdict(self.let_go),
        }
