"""How old the data are: when sources last answered, and which of them are behind since when and why."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from storyheat.core.model import Source, SourceId
from storyheat.store.queries import Questions


@dataclass(frozen=True, slots=True)
class Behind:
    """A followed source of which a feed is behind. `since`: its last answer that could be used; None: none ever was."""

    source: Source
    since: datetime | None
    interval: timedelta
    failure: str | None  # of the last poll, where it failed


@dataclass(frozen=True, slots=True)
class Age:
    """How well the followed sources were watched at an instant. `last_success_at`: up to the instant."""

    at: datetime
    last_success_at: datetime | None
    followed: int
    behind: tuple[Behind, ...]


def age(questions: Questions, at: datetime, only: Collection[SourceId] | None = None) -> Age:
    """The age of the data of these sources; None: of all. A source that was never asked is no more than new."""
    followed: list[SourceId] = []
    late: set[SourceId] = set()
    successes: list[datetime] = []
    for source, watch in sorted(questions.watches.items()):
        own = [feed for feed in watch.feeds if feed.followed]
        if not own or (only is not None and source not in only):
            continue
        followed.append(source)
        successes += [feed.last_success for feed in own if feed.last_success is not None]
        if any(feed.behind(at) for feed in own):
            late.add(source)
    last = max(successes, default=None)
    return Age(
        at=at,
        last_success_at=None if last is None else min(last, at),
        followed=len(followed),
        behind=_behind(questions, late, at) if late else (),
    )


def _behind(questions: Questions, sources: Collection[SourceId], at: datetime) -> tuple[Behind, ...]:
    """For each of the sources its worst feed: the one without an answer for longest."""
    found: dict[SourceId, Behind] = {}
    for feed in questions.feed_healths():
        asked = feed.last_poll_at is not None
        if feed.source not in sources or not feed.enabled or feed.gone or not asked:
            continue
        one = Behind(
            questions.sources[feed.source],
            feed.last_success_at,
            feed.interval,
            feed.last_failure if feed.failures_in_row else None,
        )
        worst = found.setdefault(feed.source, one)
        if worst.since is not None and (one.since is None or one.since < worst.since):
            found[feed.source] = one
    return tuple(found[source] for source in sorted(found))
