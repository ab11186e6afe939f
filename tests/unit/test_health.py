"""How the health of a source is told, for every kind of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.make import source

from storyheat.answers.sources import FeedAnswer, Health, SourceAnswer, SourcesAnswer, health_of
from storyheat.cli.health import source_lines
from storyheat.core.model import SourceId
from storyheat.core.polling import PollParams
from storyheat.store.source_queries import FeedHealth

NOW = datetime(2026, 11, 10, 12, 0, tzinfo=UTC)


def feed(**changes: Any) -> FeedHealth:
    """A feed that was polled ten minutes ago with success."""
    fields: dict[str, Any] = {
        "source": SourceId("one"),
        "url": "https://user:secret@one.example/feed",
        "enabled": True,
        "gone": False,
        "failures_in_row": 0,
        "restamp_strikes": 0,
        "interval": timedelta(minutes=30),
        "next_poll_at": NOW + timedelta(minutes=20),
        "first_success_at": NOW - timedelta(days=2),
        "last_success_at": NOW - timedelta(minutes=10),
        "last_poll_at": NOW - timedelta(minutes=10),
        "last_outcome": "updated",
        "last_failure_kind": None,
        "last_failure": None,
        "entries": 20,
        "remarks": ("two entries have one id",),
    }
    return FeedHealth(**{**fields, **changes})


FEEDS = {
    Health.OK: feed(),
    Health.PAUSED: feed(enabled=False),
    Health.GONE: feed(gone=True, failures_in_row=1),
    Health.FAILING: feed(failures_in_row=2, last_failure_kind="status", last_failure="the server answered 503"),
    Health.BEHIND: feed(last_success_at=NOW - timedelta(hours=2)),
    Health.NEW: feed(first_success_at=None, last_success_at=None, last_poll_at=None, next_poll_at=None),
    Health.DATES_MOVE: feed(restamp_strikes=2),
}


def page(*, verbose: bool = False, quiet: bool = False, **changes: FeedHealth) -> str:
    """The lines about one source with the given feeds."""
    feeds = tuple(FeedAnswer(one, health_of(one, NOW, PollParams())) for one in changes.values())
    answer = SourceAnswer(source("one"), feeds[0].health, feeds, 3, NOW - timedelta(hours=3))
    lines = source_lines(SourcesAnswer(NOW, (answer,)), UTC, 100, quiet=quiet, verbose=verbose)
    return "\n".join(str(line) for line in lines)


@pytest.mark.parametrize("health", list(Health))
def test_every_health_is_recognised(health: Health) -> None:
    assert health_of(FEEDS[health], NOW, PollParams()) is health


@pytest.mark.parametrize(
    ("health", "told"),
    [
        (Health.FAILING, "failed 2 times in a row: the server answered 503"),
        (Health.GONE, "the server said that it is gone for good; it is not asked again"),
        (Health.DATES_MOVE, "its dates move with every poll for unchanged entries"),
        (Health.BEHIND, "last success 2 hours ago, polled every 30 minutes"),
        (Health.NEW, "no success so far"),
    ],
)
def test_what_is_wrong_is_told_in_words(health: Health, told: str) -> None:
    assert told in page(feed=FEEDS[health])


def test_a_healthy_feed_is_told_on_request_and_without_its_credentials() -> None:
    assert page(feed=feed()).splitlines()[0].split() == (
        ["one", "ok", "3", "items,", "newest", "3", "hours", "ago", "next", "poll", "Nov", "10", "12:20"]
    )
    assert "last success" not in page(feed=feed())
    wordy = page(feed=feed(), verbose=True)
    assert "@one.example/feed\n" in wordy
    assert "remark: two entries have one id" in wordy
    assert "secret" not in wordy
    assert page(feed=feed(), quiet=True) == ""


def test_no_source_at_all() -> None:
    [line] = source_lines(SourcesAnswer(NOW, ()), UTC, None, quiet=False, verbose=False)
    assert '"storyheat init"' in str(line)
