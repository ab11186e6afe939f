"""How the health of a source is told, for every kind of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.make import source

from storyheat.answers.sources import FeedAnswer, Health, SourceAnswer, SourcesAnswer, health_of
from storyheat.cli.health import check_lines, source_lines
from storyheat.core.feeds.doctor import FeedHealth, examine
from storyheat.core.feeds.polling import PollParams
from storyheat.core.model import SourceId

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
    Health.GONE: feed(gone=True, failures_in_row=1, next_poll_at=None),
    Health.FAILING: feed(
        failures_in_row=2,
        last_failure_kind="status",
        last_failure="the server answered 503",
        failing_since=NOW - timedelta(days=1),
    ),
    Health.BEHIND: feed(last_success_at=NOW - timedelta(hours=2)),
    Health.NEW: feed(first_success_at=None, last_success_at=None, last_poll_at=None, next_poll_at=None),
    Health.DATES_MOVE: feed(restamp_strikes=2),
}


def answer(one: FeedHealth) -> SourcesAnswer:
    """The answer about one source with this feed."""
    params = PollParams()
    feeds = (FeedAnswer(one, health_of(one, NOW, params), examine(one, [one], NOW, params)),)
    return SourcesAnswer(NOW, (SourceAnswer(source("one"), feeds[0].health, feeds, 3, NOW - timedelta(hours=3)),))


def page(one: FeedHealth, *, verbose: bool = False, quiet: bool = False) -> str:
    """What `sources` shows of it."""
    lines = source_lines(answer(one), UTC, 100, quiet=quiet, verbose=verbose)
    return "\n".join(str(line) for line in lines)


def checked(one: FeedHealth, *, verbose: bool = False, quiet: bool = False) -> str:
    """What `sources check` shows of it."""
    lines = check_lines(answer(one), UTC, None, quiet=quiet, verbose=verbose)
    return "\n".join(str(line) for line in lines)


@pytest.mark.parametrize("health", list(Health))
def test_every_health_is_recognised(health: Health) -> None:
    assert health_of(FEEDS[health], NOW, PollParams()) is health


@pytest.mark.parametrize(
    ("health", "told"),
    [
        (Health.FAILING, "failed 2 times in a row since 2026-11-09: the server answered 503"),
        (Health.GONE, "the server said that it is gone for good; it is not asked again"),
        (Health.GONE, "→ remove it from feeds.yaml, or look for a new feed on its site"),
        (Health.DATES_MOVE, "its dates move with every poll for unchanged entries"),
        (Health.BEHIND, "not polled for 2 hours, although it is asked every 30 minutes"),
    ],
)
def test_what_is_wrong_is_told_in_words(health: Health, told: str) -> None:
    assert told in page(FEEDS[health])


def test_a_healthy_feed_is_told_on_request_and_without_its_credentials() -> None:
    assert page(feed()).splitlines()[0].split() == (
        ["one", "ok", "3", "items,", "newest", "3", "hours", "ago", "next", "poll", "Nov", "10", "12:20"]
    )
    assert "last success" not in page(feed())
    wordy = page(feed(), verbose=True)
    assert "@one.example/feed\n" in wordy
    assert "remark: two entries have one id" in wordy
    assert "secret" not in wordy
    assert page(feed(), quiet=True) == ""


def test_what_the_doctor_finds_has_a_word_and_something_to_do() -> None:
    moved = feed(moved_url="https://new.example/feed", remarks=())
    assert page(moved).splitlines()[0].split()[:2] == ["one", "moved"]
    assert page(moved).splitlines()[-1] == "1 source, it needs a look"
    assert checked(moved).splitlines() == [
        "one  moved",
        "  https://…@one.example/feed",
        "  last success 10 minutes ago, polled every 30 minutes",
        "  last asked Nov 10 11:50, next Nov 10 12:20",
        "  - it moved for good to https://new.example/feed, where it is asked",
        "    → write url: https://new.example/feed in feeds.yaml",
        "1 source, it needs a look",
    ]
    assert checked(moved, quiet=True) == "\n".join(checked(moved).splitlines()[:-1])


def test_what_is_odd_and_coped_with_is_told_only_when_the_doctor_is_asked() -> None:
    odd = feed(shared_ids=4)
    assert page(odd).splitlines()[0].split()[:2] == ["one", "ok"]
    assert page(odd).splitlines()[-1] == "1 source, it is well"
    assert "4 of 20 entries have the id of another article" in page(odd, verbose=True)
    assert "4 of 20 entries have the id of another article" in checked(odd)
    assert checked(odd, quiet=True) == ""


def test_a_host_that_asked_to_be_left_alone_is_named() -> None:
    resting = "its host asked to be left alone until Nov 10 15:00"
    assert resting in checked(feed(left_alone_until=NOW + timedelta(hours=3)))
    assert resting not in checked(feed(left_alone_until=NOW - timedelta(hours=3)))


def test_a_feed_that_is_well_is_told_to_be() -> None:
    assert "nothing is wrong" in checked(feed())
    assert "remark: two entries have one id" in checked(feed(), verbose=True)
    assert "remark" not in checked(feed())
    assert checked(feed(), quiet=True) == ""
    assert "nothing is wrong" not in checked(FEEDS[Health.NEW]) + checked(FEEDS[Health.PAUSED])


def test_a_feed_that_is_gone_has_no_next_poll() -> None:
    gone = FEEDS[Health.GONE]
    assert page(gone).splitlines()[0].endswith("not asked again")
    assert "last asked Nov 10 11:50, not asked again" in checked(gone)
    assert "next" not in page(gone) + checked(gone)


def test_what_was_never_polled_is_neither_well_nor_unwell() -> None:
    new = FEEDS[Health.NEW]
    assert page(new).splitlines()[-1] == "1 source, it was not polled yet"
    assert (page(new, quiet=True), checked(new, quiet=True)) == ("", "")
    several = SourcesAnswer(NOW, (*answer(new).sources, *answer(feed()).sources, *answer(FEEDS[Health.GONE]).sources))
    lines = [str(line) for line in source_lines(several, UTC, None, quiet=False, verbose=False)]
    assert lines[-1] == "3 sources, 1 of them needs a look, 1 of them was not polled yet"
    without = SourceAnswer(source("one", feeds=()), Health.NEW, (), 0, None)
    first = next(check_lines(SourcesAnswer(NOW, (without,)), UTC, None, quiet=False, verbose=False))
    assert str(first) == "one  no feeds"


def test_lines_fit_the_terminal() -> None:
    for width in (40, 60, 80, 120):
        for health in Health:
            every = [source_lines(answer(FEEDS[health]), UTC, width, quiet=False, verbose=True)]
            every.append(check_lines(answer(FEEDS[health]), UTC, width, quiet=False, verbose=True))
            assert [line for lines in every for line in lines if len(str(line)) > width] == []
    assert "next poll" in next(iter(source_lines(answer(feed()), UTC, 80, quiet=False, verbose=False)))
    assert "next poll" not in next(iter(source_lines(answer(feed()), UTC, 40, quiet=False, verbose=False)))


def test_no_source_at_all() -> None:
    [line] = source_lines(SourcesAnswer(NOW, ()), UTC, None, quiet=False, verbose=False)
    assert '"storyheat init"' in str(line)
