"""Plays recorded snapshots of feeds through the real pipeline on a simulated clock, without a network."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

from storyheat.core.model import Feed, FetchOutcome, FetchReply, FetchRequest, Source, SourceId, Url
from storyheat.errors import NotFound, UsageError
from storyheat.pipeline.report import RunReport
from storyheat.pipeline.run import Pipeline

_NAME = re.compile(r"(\d{8}T\d{6}Z)\.(xml|json|html)")
_TYPES = {"xml": "application/xml", "json": "application/feed+json", "html": "text/html"}
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One recorded reply of a source, at the instant its name gives."""

    at: datetime
    path: Path


@dataclass(frozen=True, slots=True)
class Recording:
    """All snapshots of a folder: by source, each in order of time."""

    snapshots: Mapping[SourceId, tuple[Snapshot, ...]]

    def source_ids(self) -> list[SourceId]:
        """The recorded sources, sorted."""
        return sorted(self.snapshots)

    def ticks(self, every: timedelta | None, until: datetime | None) -> Iterator[datetime]:
        """The instants of the polls: each snapshot's own, or every so often from the first snapshot on."""
        times = sorted({snapshot.at for own in self.snapshots.values() for snapshot in own})
        last = until or times[-1]
        if every is None:
            yield from (at for at in times if at <= last)
            return
        at = times[0]
        while at <= last:
            yield at
            at += every


def read_recording(folder: Path) -> Recording:
    """Finds FOLDER/<source id>/<YYYYMMDDTHHMMSSZ>.xml (or .json, .html).

    Raises NotFound without any, UsageError for a snapshot whose name is no instant.
    """
    if not folder.is_dir():
        raise NotFound(f"no folder {folder}: give one that holds <source id>/<YYYYMMDDTHHMMSSZ>.xml")
    found: dict[SourceId, tuple[Snapshot, ...]] = {}
    for source in sorted(path for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")):
        files = sorted(path for path in source.iterdir() if path.suffix.lstrip(".") in _TYPES)
        snapshots = tuple(sorted((_snapshot(path) for path in files), key=lambda one: (one.at, one.path.name)))
        if snapshots:
            found[SourceId(source.name)] = snapshots
    if not found:
        raise NotFound(f"{folder} holds no snapshots: they are named <source id>/<YYYYMMDDTHHMMSSZ>.xml")
    return Recording(found)


def _snapshot(path: Path) -> Snapshot:
    match = _NAME.fullmatch(path.name)
    try:
        if match is None:
            raise ValueError
        return Snapshot(datetime.strptime(match[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC), path)
    except ValueError:
        raise UsageError(f"{path}: name snapshots like 20261026T230000Z.xml, the instant in UTC") from None


def recorded_sources(recording: Recording, configured: Sequence[Source], every: timedelta | None) -> tuple[Source, ...]:
    """The sources that have a folder, with the settings of their id or the defaults, polled at each tick.

    Each has one feed. Without `every` a source's poll interval is the usual gap between its snapshots.
    """
    by_id = {source.id: source for source in configured}
    made, taken = [], set[Url]()
    for source_id in recording.source_ids():
        source = by_id.get(source_id)
        feed = source.feeds[0] if source and source.feeds else None
        if feed is None or feed.url in taken:  # two feeds of one address could not be told apart
            feed = Feed(Url(f"https://{_host(source_id)}/feed"))
        taken.add(feed.url)
        source = source or Source(source_id, name=source_id, owner=source_id, feeds=())
        interval = every or _usual_gap(recording.snapshots[source_id])
        feed = replace(feed, fulltext=False, secret_url=None)  # a recording has no articles, and no secrets
        made.append(replace(source, enabled=True, feeds=(feed,), poll_interval=interval))
    return tuple(made)


def _host(source_id: SourceId) -> str:
    """A host that no real source has, so that nothing is attributed by accident."""
    return re.sub(r"[^a-z0-9-]+", "-", source_id.lower()).strip("-") + ".recorded.invalid"


def _usual_gap(snapshots: Sequence[Snapshot]) -> timedelta:
    """The median gap between snapshots; a day where there is but one."""
    gaps = sorted(later.at - earlier.at for earlier, later in pairwise(snapshots))
    return gaps[len(gaps) // 2] if gaps else _DAY


class RecordedFetcher:
    """Answers every request with the newest snapshot of its source that is not later than the run.

    There must be one: `replay` asks no source before its first. A snapshot that was shown before is answered as
    not modified, as a polite server would. What was recorded could be asked for, so no site's rules are.
    """

    def __init__(self, recording: Recording, sources: Sequence[Source]) -> None:
        self._recording = recording
        self._source_of = {feed.url: source.id for source in sources for feed in source.feeds}

    def fetch(self, requests: Sequence[FetchRequest], now: datetime, on_reply: Callable[[FetchReply], None]) -> None:
        """See `ports.Fetcher`."""
        for request in requests:
            on_reply(self._reply(request, now))

    def _reply(self, request: FetchRequest, now: datetime) -> FetchReply:
        snapshots = self._recording.snapshots[self._source_of[request.url]]
        path = snapshots[bisect_right([one.at for one in snapshots], now) - 1].path
        tag = f'"{path.name}"'
        if request.etag == tag:
            return FetchReply(request.key, FetchOutcome.NOT_MODIFIED, request.url, status=304, etag=tag)
        return FetchReply(
            request.key,
            FetchOutcome.BODY,
            request.url,
            status=200,
            content_type=_TYPES[path.suffix.lstrip(".")],
            body=path.read_bytes(),
            etag=tag,
        )


def replay(
    pipeline: Pipeline, recording: Recording, every: timedelta | None, until: datetime | None
) -> Iterator[RunReport]:
    """Runs the pipeline at every tick, yielding each report.

    Without `every` a source is asked when it has a snapshot of that very instant; with it at every tick from
    its first snapshot on.
    """
    for now in recording.ticks(every, until):
        shown = [
            source
            for source, snapshots in recording.snapshots.items()
            if (snapshots[0].at <= now if every else any(snapshot.at == now for snapshot in snapshots))
        ]
        yield pipeline.run(now, only=shown, force=True)
