"""The stages of runs over a whole stream, each timed apart, and the answers at its end.

The feeds answer in this process, so `fetch` is only the handing over; `first_poll` measures it over HTTP. With
`history` what is older stands in the database already: written through the store, in the stories that the stream says,
and never looked at by the clusterer.
"""

import resource
import sqlite3
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import documents
import stream
from history import fill

from storyheat.answers.story import story
from storyheat.answers.top import TopWish, top
from storyheat.core.heat.series import DEFAULT_PERIOD
from storyheat.core.model import FetchOutcome, FetchReply, FetchRequest
from storyheat.settings import Settings
from storyheat.store.database import open_database
from storyheat.store.placing import OVERLAP
from storyheat.store.queries import ask
from storyheat.store.stats import stats
from storyheat.wiring import make_pipeline

ANSWERED = 5  # times that an answer is asked for


class HeldFeeds:
    """A `Fetcher` of documents that are held; a feed without a new one has not changed."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}

    def fetch(self, requests: Sequence[FetchRequest], now: datetime, on_reply: Callable[[FetchReply], None]) -> None:
        """See `ports.Fetcher`."""
        for request in requests:
            body = self.bodies.get(request.url)
            outcome = FetchOutcome.BODY if body is not None else FetchOutcome.NOT_MODIFIED
            on_reply(FetchReply(request.key, outcome, request.url, status=200, body=body or b""))


def measured(items: int, database: Path, seed: int, runs: int, history: int = 0) -> dict[str, Any]:
    """Runs the stream into a new database: seconds of the processor by stage, answers, and what was stored."""
    params = stream.StreamParams(seed=seed)
    settings = Settings(f"sqlite:///{database}", ZoneInfo("UTC"))
    sources = documents.sources(params)
    opened = open_database(settings.database, create=True)
    fetcher, listings = HeldFeeds(), documents.Listings()
    address = {str(source.id): source.feeds[0].url for source in sources}
    seconds: dict[str, float] = {}
    found, runs_made, at = 0, 0, stream.START
    try:
        pipeline = replace(make_pipeline(settings, opened, fetcher, sources), clock=time.process_time)
        pipeline.run(stream.START - OVERLAP, force=True)  # from here on only what is newer is looked at
        filled = fill(opened, sources, history, stream.START - 2 * OVERLAP, params) if history else 0.0
        for at, fresh in documents.ticks(items, params, runs):
            made = listings.bodies(fresh)
            fetcher.bodies = {address[source]: body for source, body in made.items()}
            report = pipeline.run(at, force=True)
            found += report.items_new
            runs_made += 1
            for stage, took in report.seconds.items():
                seconds[stage] = seconds.get(stage, 0.0) + took
        answers = _answers(settings, at)
        size = stats(opened)
    finally:
        opened.close()
    _settle(database)
    return {
        "items": found,
        "history": history,
        "history_cpu": round(filled, 1),
        "runs": runs_made,
        "stages": {stage: round(took, 2) for stage, took in seconds.items()},
        "items_per_second": round(found / sum(seconds.values())),
        "answers": answers,
        "bytes_per_item": round(size.bytes / size.items),
        "bytes_per_item_without_bodies": round((size.bytes - size.body_bytes) / size.items),
        "tables": {one.name: (one.bytes or 0) + (one.index_bytes or 0) for one in size.tables if one.rows},
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "last_run_at": at.astimezone(UTC).isoformat(),
    }


def _answers(settings: Settings, at: datetime) -> dict[str, float]:
    """Seconds of the processor for the hot list, and for the story in it that most voices tell; medians."""
    took: dict[str, list[float]] = {"top": [], "story": []}
    for _ in range(ANSWERED):
        opened = open_database(settings.database, read_only=True)
        try:
            with ask(opened) as questions:
                start = time.process_time()
                listed = top(questions, TopWish(), at, settings.heat).stories
                took["top"].append(time.process_time() - start)
            largest = max(listed, key=lambda one: one.story.figures.voices).story.id
            with ask(opened) as questions:
                start = time.process_time()
                story(questions, largest, DEFAULT_PERIOD, at, settings.heat)
                took["story"].append(time.process_time() - start)
        finally:
            opened.close()
    return {name: round(statistics.median(times), 4) for name, times in took.items()}


def _settle(database: Path) -> None:
    """Brings the log into the file, so that whoever opens it next begins with the file alone."""
    with sqlite3.connect(database) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
