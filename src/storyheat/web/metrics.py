"""Figures about storyheat itself for Prometheus: sources, polls, items, stories and the daemon."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import Response

from storyheat import __version__
from storyheat.answers.sources import Health, SourcesAnswer, sources
from storyheat.errors import StoryheatError
from storyheat.settings import Settings
from storyheat.store.tallies import Tally
from storyheat.web.reader import Reader

DAY = timedelta(days=1)
OUTCOMES = ("updated", "unchanged", "not_modified", "failed")


@dataclass(frozen=True)
class Metrics:
    """The figures of one server, told anew for each request."""

    settings: Settings
    reader: Reader
    clock: Callable[[], datetime]

    def serve(self, request: Request) -> Response:
        """All figures as text. A database that cannot be read is a figure, too, and no failure."""
        registry, now = CollectorRegistry(), self.clock()
        told = _Told(registry)
        told.one("build_info", "Always 1; the version stands in the label", 1, version=__version__)
        try:
            configured = None if self.settings.config is None else self.settings.sources
            with self.reader.ask() as questions:
                answer = sources(questions, configured, now, self.settings.polling)
                counted = questions.tally(now, DAY)
        except StoryheatError:
            told.one("database_up", "1: the database can be read", 0)
        else:
            told.one("database_up", "1: the database can be read", 1)
            _tell_sources(told, answer)
            _tell_counts(told, counted)
            _tell_daemon(told, answer, now)
        return Response(generate_latest(registry), 200, {"Cache-Control": "no-store"}, CONTENT_TYPE_LATEST)


class _Told:
    """Gauges of one registry, each made when it is first told."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry
        self._gauges: dict[str, Gauge] = {}

    def one(self, name: str, meaning: str, value: float, **labels: str) -> None:
        """One value of the gauge `storyheat_<name>`."""
        gauge = self._gauges.get(name)
        if gauge is None:
            gauge = Gauge(f"storyheat_{name}", meaning, sorted(labels), registry=self._registry)
            self._gauges[name] = gauge
        (gauge.labels(**labels) if labels else gauge).set(value)

    def instant(self, name: str, meaning: str, at: datetime | None, **labels: str) -> None:
        """An instant in seconds since 1970; an unknown one is left out."""
        if at is not None:
            self.one(f"{name}_timestamp_seconds", meaning, at.timestamp(), **labels)


def _tell_sources(told: _Told, answer: SourcesAnswer) -> None:
    healths = Counter(one.health for one in answer.sources)
    for health in Health:
        told.one("sources", "Sources by health", healths[health], health=health.value)
    for one in answer.sources:
        source = str(one.source.id)
        told.one("items", "Items stored", one.items, source=source)
        feeds = [feed.feed for feed in one.feeds if feed.feed.enabled]
        told.instant("newest_item", "Effective time of the newest item", one.newest_at, source=source)
        if feeds:
            row = max(feed.failures_in_row for feed in feeds)
            told.one("failures_in_row", "Polls failed since the last good one, of the worst feed", row, source=source)
        told.instant("last_success", "Last usable answer, of the feed longest without", _least(
            feed.last_success_at for feed in feeds
        ), source=source)  # fmt: skip
        lag = max((_behind(answer.at, feed.next_poll_at) for feed in feeds if not feed.gone), default=0.0)
        told.one("poll_lag_seconds", "How long a poll has been due, of the feed longest waiting", lag, source=source)


def _least(instants: Iterable[datetime | None]) -> datetime | None:
    known = list(instants)
    return None if None in known else min((at for at in known if at is not None), default=None)


def _behind(at: datetime, due: datetime | None) -> float:
    return 0.0 if due is None else max(0.0, (at - due).total_seconds())


def _tell_counts(told: _Told, counted: Tally) -> None:
    for outcome in OUTCOMES:
        told.one("fetches_last_day", "Polls of feeds in 24 hours", counted.fetches.get(outcome, 0), outcome=outcome)
    told.one("fetch_seconds_last_day", "Seconds these polls took together", counted.fetch_seconds)
    told.one("stories", "Stories ever founded", counted.stories)
    told.one("stories_hot", "Stories with heat at the last run", counted.hot)
    told.instant("last_run", "The last whole run", counted.last_run_at)
    if counted.last_run_seconds is not None:
        told.one("last_run_seconds", "How long the last whole run took", counted.last_run_seconds)


def _tell_daemon(told: _Told, answer: SourcesAnswer, now: datetime) -> None:
    beat = answer.daemon
    told.one("daemon_up", "1: a daemon looks after the database", float(beat is not None and beat.lives(now)))
    if beat is not None:
        age = max(0.0, (now - beat.last_beat_at).total_seconds())
        told.one("daemon_heartbeat_age_seconds", "Since the daemon last said that it lives", age)
        told.one("daemon_errors_in_row", "Runs failed since the last whole one", beat.errors_in_row)
        told.instant("daemon_next_wake", "When it runs next", beat.next_wake_at)
