"""The sources and their health as lines of text."""

from collections.abc import Iterator
from datetime import datetime, tzinfo

from rich.text import Text

from storyheat.answers.sources import FeedAnswer, Health, SourceAnswer, SourcesAnswer
from storyheat.cli.screen import Line, cut, padded
from storyheat.core.markup import one_line
from storyheat.core.urls import without_credentials
from storyheat.present import words

_WELL = (Health.OK, Health.PAUSED)
_STYLES = {Health.OK: "green", Health.PAUSED: "dim", Health.NEW: "dim"}
_WORDS = {
    Health.GONE: "gone",
    Health.FAILING: "failing",
    Health.BEHIND: "behind",
    Health.NEW: "not polled yet",
    Health.DATES_MOVE: "dates move",
    Health.OK: "ok",
    Health.PAUSED: "paused",
}


def source_lines(
    answer: SourcesAnswer, zone: tzinfo, width: int | None, *, quiet: bool, verbose: bool
) -> Iterator[Line]:
    """A line a source, below it what is wrong with its feeds; with `quiet` only those that are not well."""
    if not answer.sources:
        yield 'No source is known yet: "storyheat init" writes a feeds.yaml with some.'
        return
    ids = max(len(one.source.id) for one in answer.sources)
    for one in answer.sources:
        if quiet and one.health in _WELL:
            continue
        yield _source(one, ids, zone, answer.at)
        for feed in one.feeds:
            if verbose or feed.health not in _WELL:
                for line in _feed(feed, zone, answer.at):
                    yield Text(cut("    " + line, width), style="dim")
    if not quiet:
        well = sum(one.health in _WELL for one in answer.sources)
        yield f"{words.count(len(answer.sources), 'source')}, {len(answer.sources) - well} of them need a look"


def _source(one: SourceAnswer, ids: int, zone: tzinfo, at: datetime) -> Text:
    line = Text(padded(one.source.id, ids + 2))
    line.append(padded(_WORDS[one.health], 15), style=_STYLES.get(one.health, "red"))
    newest = "nothing yet" if one.newest_at is None else f"newest {words.ago(one.newest_at, at)}"
    polls = [feed.feed.next_poll_at for feed in one.feeds if feed.feed.enabled and feed.feed.next_poll_at]
    line.append(padded(f"{words.count(one.items, 'item')}, {newest}", 34))
    if polls:
        line.append(f"next poll {words.clock(min(polls), zone, at)}", style="dim")
    return line


def _feed(one: FeedAnswer, zone: tzinfo, at: datetime) -> Iterator[str]:
    """What is wrong with a feed in words, and when it was asked and will be."""
    feed = one.feed
    yield one_line(without_credentials(feed.url))
    if one.health is Health.FAILING and feed.last_failure is not None:
        times = words.count(feed.failures_in_row, "time")
        yield f"failed {times} in a row: {one_line(feed.last_failure)}"
    elif one.health is Health.GONE:
        yield "the server said that it is gone for good; it is not asked again"
    elif one.health is Health.DATES_MOVE:
        yield "its dates move with every poll for unchanged entries, so new items count from when they were seen"
    if feed.last_success_at is None:
        yield "no success so far"
    else:
        yield f"last success {words.ago(feed.last_success_at, at)}, polled every {words.span(feed.interval)}"
    if feed.last_poll_at is not None and feed.next_poll_at is not None and not feed.gone:
        asked, again = (words.clock(time, zone, at) for time in (feed.last_poll_at, feed.next_poll_at))
        yield f"last asked {asked}, next {again}"
    for remark in feed.remarks:
        yield f"remark: {one_line(remark)}"
