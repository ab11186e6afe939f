"""One run from feeds to heat: poll, read, place, measure; each stage lands in one transaction or not at all."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from time import monotonic

from storyheat.core.addresses.secrets import Secrets
from storyheat.core.addresses.urls import without_credentials
from storyheat.core.feeds.polling import PollParams
from storyheat.core.heat.rule import HeatRule
from storyheat.core.items.articles import ArticleParams
from storyheat.core.items.retention import Retention
from storyheat.core.model import Source
from storyheat.ingest.document import DEFAULT_PARAMS, DocumentParams
from storyheat.pipeline.articles import ArticleResult, Extract, read_articles
from storyheat.pipeline.house import keep_house
from storyheat.pipeline.index import index
from storyheat.pipeline.measure import measure
from storyheat.pipeline.place import PlaceParams, place
from storyheat.pipeline.poll import PollResult, Progress, poll
from storyheat.pipeline.report import FeedFailure, RunReport
from storyheat.pipeline.stopwatch import Stopwatch
from storyheat.pipeline.tell import TellParams, tell
from storyheat.ports import Fetcher
from storyheat.store import feeds
from storyheat.store.database import Database
from storyheat.store.placing import reopen


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Everything a run needs but its instant; made in `wiring`."""

    database: Database
    fetcher: Fetcher
    sources: tuple[Source, ...]
    background: Mapping[str, float]
    polling: PollParams
    placing: PlaceParams
    rule: HeatRule
    limits: DocumentParams = DEFAULT_PARAMS
    secrets: Secrets = Secrets()  # what is neither stored nor shown
    articles: ArticleParams = ArticleParams()
    retention: Retention = Retention()
    extract: Extract | None = None  # None: nothing installed that reads article pages
    clock: Callable[[], float] = monotonic  # seconds, by which the stages are timed

    def run(
        self,
        now: datetime,
        *,
        only: Iterable[str] | None = None,
        force: bool = False,
        progress: Progress = lambda done, total: None,
    ) -> RunReport:
        """One run at `now`. A stage left undone by a run that was killed is made up for here."""
        report = RunReport(started_at=now)
        watch = Stopwatch(self.clock)
        chosen = None if only is None else frozenset(only)
        with self.database.write() as connection:
            reopen(connection, now)
        polled = poll(
            self.database, self.sources, self.fetcher, now, self.polling, watch,
            only=chosen, force=force, progress=progress, limits=self.limits, secrets=self.secrets,
        )  # fmt: skip
        articles = read_articles(
            self.database, self.sources, self.fetcher, now, self.extract, self.articles, watch,
            only=chosen, polling=self.polling, secrets=self.secrets,
        )  # fmt: skip
        _count(polled, articles, report)
        with watch("cluster"), self.database.write() as connection:
            placed = place(connection, now, self.background, self.placing)
        report.items_copies = placed.copies
        report.stories_new, report.stories_grown = placed.stories_new, placed.stories_grown
        with watch("tell"), self.database.write() as connection:
            tell(connection, now, TellParams(self.background, self.placing.cluster.names))
        with watch("heat"), self.database.write() as connection:
            measure(connection, now, self.rule)
        with watch("index"), self.database.write() as connection:
            index(connection, now)
        with watch("house"):
            report.let_go = keep_house(self.database, now, self.rule, self.retention)
        with self.database.write() as connection:
            feeds.note_run(connection, now, report.for_store(), sum(watch.seconds.values()))
        report.seconds = {stage: watch.seconds.get(stage, 0.0) for stage in STAGES}
        return report


def _count(polled: PollResult, articles: ArticleResult, report: RunReport) -> None:
    outcomes = [one.outcome for one in polled.polls]
    report.updated = outcomes.count("updated")
    report.unchanged = len(outcomes) - report.updated - outcomes.count("failed")
    report.skipped = polled.skipped
    report.failures = [
        FeedFailure(one.feed.source.id, without_credentials(one.feed.url), one.failure.kind.value, one.failure.message)
        for one in polled.polls
        if one.failure is not None
    ]
    report.items_new = len(polled.intake.items) - articles.folded
    report.articles_read, report.articles_failed = articles.read, articles.failed
    report.items_revised = len({one.item for one in polled.intake.revisions if one.field in _EDITS})


STAGES = ("fetch", "parse", "store", "cluster", "tell", "heat", "index", "house")
_EDITS = ("title", "summary", "text")
