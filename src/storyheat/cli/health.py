"""The sources and their health as lines of text."""

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo

from rich.cells import cell_len
from rich.text import Text

from storyheat.answers.sources import FeedAnswer, Health, SourceAnswer, SourcesAnswer
from storyheat.cli.screen import Line, cut, padded, wrapped
from storyheat.core.addresses.urls import without_credentials
from storyheat.core.feeds.doctor import FindingKind
from storyheat.core.text.markup import one_line
from storyheat.present import words
from storyheat.present.health import SOUND, in_a_word, in_all, is_well
from storyheat.store.heartbeat import Heartbeat

_FOR_GOOD = (FindingKind.GONE, FindingKind.REFUSED_ADDRESS)  # waiting mends nothing: what to do is told at once
_STYLES = {Health.OK: "green", Health.PAUSED: "dim", Health.NEW: "dim"}


def source_lines(
    answer: SourcesAnswer, zone: tzinfo, width: int | None, *, quiet: bool, verbose: bool
) -> Iterator[Line]:
    """A line a source, below it what is wrong with its feeds; with `quiet` only those that are not well."""
    if not answer.sources:
        yield 'No source is known yet: "storyheat init" writes a feeds.yaml with some.'
        return
    rows = [_cells(one, zone, answer.at) for one in answer.sources]
    widths = _widths(rows)
    if width is not None and sum(widths) - 2 > width:
        rows = [(*cells, then.replace("next poll", "next")) for *cells, then in rows]
        widths = _widths(rows)
        widths = widths[:-1] if sum(widths) - 2 > width else widths  # -v tells when it is polled next
    for one, cells in zip(answer.sources, rows, strict=True):
        if quiet and is_well(one):
            continue
        yield _row(cells, widths, _style(one), width)
        for feed in one.feeds:
            if verbose or feed.health not in SOUND or any(not finding.is_mild for finding in feed.findings):
                for line in _feed(feed, zone, answer.at):
                    yield Text(cut("    " + line, width), style="dim")
    if not quiet:
        yield in_all(answer)
    if answer.daemon is not None and not (quiet and answer.daemon.lives(answer.at)):
        yield from _daemon(answer.daemon, zone, answer.at)


def _daemon(beat: Heartbeat, zone: tzinfo, at: datetime) -> Iterator[Line]:
    """What the daemon last said of itself."""
    who = f"{beat.host}, process {beat.pid}"
    if beat.ended_at is not None:
        yield f"daemon: ended {words.clock(beat.ended_at, zone, at)} ({who})"
    elif not beat.lives(at):
        yield Text(
            f"daemon: silent since {words.clock(beat.last_beat_at, zone, at)} ({who}): is it still there?", "red"
        )
    else:
        run = "no run yet" if beat.last_run_at is None else f"last run {words.clock(beat.last_run_at, zone, at)}"
        then = "a run is at work" if beat.next_wake_at is None else f"next {words.clock(beat.next_wake_at, zone, at)}"
        yield f"daemon: lives since {words.clock(beat.started_at, zone, at)} ({who}); {run}, {then}"
    if beat.last_error is not None:
        yield Text(f"daemon: {words.count(beat.errors_in_row, 'failure')} in a row: {one_line(beat.last_error)}", "red")


def check_lines(
    answer: SourcesAnswer, zone: tzinfo, width: int | None, *, quiet: bool, verbose: bool
) -> Iterator[Line]:
    """All that the doctor finds, feed by feed, each with what to do; with `quiet` no feed that is well."""
    for one in answer.sources:
        if quiet and is_well(one):
            continue
        yield Text(f"{one.source.id}  {in_a_word(one)}", style="bold")
        for feed in one.feeds:
            if quiet and not feed.findings:
                continue
            for line in _feed(feed, zone, answer.at, remarks=verbose, findings=False):
                yield Text(cut("  " + line, width), style="dim")
            for finding in feed.findings:
                yield from _marked("  - ", one_line(finding.seen), width)
                yield from _marked("    → ", one_line(finding.todo), width)
            if not feed.findings and feed.feed.last_success_at is not None and feed.feed.enabled:
                yield "  - nothing is wrong"
    if not quiet:
        yield in_all(answer)


def _marked(mark: str, text: str, width: int | None) -> list[str]:
    """Text behind a mark; what goes on below it stands under the text."""
    first, *more = wrapped(text, width, " " * len(mark))
    return [mark + first.lstrip(), *more]


def _style(one: SourceAnswer) -> str:
    return _STYLES.get(one.health, "red") if one.health not in SOUND or is_well(one) else "yellow"


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(cell_len, column)) + 2 for column in zip(*rows, strict=True)]


def _cells(one: SourceAnswer, zone: tzinfo, at: datetime) -> tuple[str, ...]:
    """What a line says of a source: its id, how it is doing, what it brought, when it is polled next."""
    newest = "nothing yet" if one.newest_at is None else f"newest {words.ago(one.newest_at, at)}"
    polls = [feed.feed.next_poll_at for feed in one.feeds if feed.feed.enabled and feed.feed.next_poll_at]
    then = f"next poll {words.clock(min(polls), zone, at)}" if polls else ""
    if not polls and one.health is Health.GONE:
        then = "not asked again"
    return one.source.id, in_a_word(one), f"{words.count(one.items, 'item')}, {newest}", then


def _row(cells: Sequence[str], widths: Sequence[int], style: str, width: int | None) -> Text:
    line = Text()
    for number, (cell, room) in enumerate(zip(cells, widths, strict=False)):
        line.append(padded(cell, room), style={1: style, 3: "dim"}.get(number, ""))
    line.rstrip()
    if width is not None:
        line.truncate(width, overflow="ellipsis")
    return line


def _feed(one: FeedAnswer, zone: tzinfo, at: datetime, *, remarks: bool = True, findings: bool = True) -> Iterator[str]:
    """What is wrong with a feed in words, and when it was asked and will be."""
    feed = one.feed
    yield one_line(without_credentials(feed.url))
    for finding in one.findings if findings else ():
        yield one_line(finding.seen)
        if finding.kind in _FOR_GOOD:
            yield f"→ {one_line(finding.todo)}"
    if feed.last_success_at is None:
        yield "no success so far"
    else:
        yield f"last success {words.ago(feed.last_success_at, at)}, polled every {words.span(feed.interval)}"
    if feed.left_alone_until is not None and feed.left_alone_until > at:
        yield f"its host asked to be left alone until {words.clock(feed.left_alone_until, zone, at)}"
    if feed.last_poll_at is not None:
        again = "not asked again" if feed.next_poll_at is None else f"next {words.clock(feed.next_poll_at, zone, at)}"
        yield f"last asked {words.clock(feed.last_poll_at, zone, at)}, {again}"
    for remark in feed.remarks if remarks else ():
        yield f"remark: {one_line(remark)}"
