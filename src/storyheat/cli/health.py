"""The sources and their health as lines of text."""

from collections.abc import Iterator
from datetime import datetime, tzinfo

from rich.text import Text

from storyheat.answers.sources import FeedAnswer, Health, SourceAnswer, SourcesAnswer
from storyheat.cli.screen import Line, cut, padded, wrapped
from storyheat.core.doctor import FindingKind
from storyheat.core.markup import one_line
from storyheat.core.urls import without_credentials
from storyheat.present import words

_SOUND = (Health.OK, Health.PAUSED)
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
_FOUND = {
    FindingKind.GONE: "gone",
    FindingKind.REFUSED_ADDRESS: "never asked",
    FindingKind.CHALLENGE: "challenge page",
    FindingKind.HTML: "no feed",
    FindingKind.FAILING: "failing",
    FindingKind.BEHIND: "behind",
    FindingKind.SCROLLS_OFF: "loses items",
    FindingKind.FROZEN: "frozen",
    FindingKind.SILENT: "silent",
    FindingKind.MOVING_DATES: "dates move",
    FindingKind.FUTURE_DATES: "future dates",
    FindingKind.TWIN: "twin",
    FindingKind.MOVED: "moved",
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
        if quiet and _is_well(one):
            continue
        yield _source(one, ids, zone, answer.at)
        for feed in one.feeds:
            if verbose or feed.health not in _SOUND or any(not finding.is_mild for finding in feed.findings):
                for line in _feed(feed, zone, answer.at):
                    yield Text(cut("    " + line, width), style="dim")
    if not quiet:
        yield _sum(answer)


def check_lines(
    answer: SourcesAnswer, zone: tzinfo, width: int | None, *, quiet: bool, verbose: bool
) -> Iterator[Line]:
    """All that the doctor finds, feed by feed, each with what to do; with `quiet` no feed that is well."""
    for one in answer.sources:
        if quiet and _is_well(one):
            continue
        yield Text(f"{one.source.id}  {_word(one)}", style="bold")
        for feed in one.feeds:
            if quiet and not feed.findings:
                continue
            for line in _feed(feed, zone, answer.at, remarks=verbose, findings=False):
                yield Text(cut("  " + line, width), style="dim")
            for finding in feed.findings:
                yield from wrapped(f"- {one_line(finding.seen)}", width, "  ")
                yield from wrapped(f"→ {one_line(finding.todo)}", width, "    ")
            if not feed.findings and feed.feed.last_success_at is not None and feed.feed.enabled:
                yield "  - nothing is wrong"
    if not quiet:
        yield _sum(answer)


def _is_well(one: SourceAnswer) -> bool:
    return one.health in _SOUND and all(finding.is_mild for feed in one.feeds for finding in feed.findings)


def _sum(answer: SourcesAnswer) -> str:
    unwell, total = sum(not _is_well(one) for one in answer.sources), len(answer.sources)
    if total == 1:
        return f"1 source, {'it needs a look' if unwell else 'it is well'}"
    shown = f"{unwell} of them {'needs' if unwell == 1 else 'need'} a look" if unwell else "all are well"
    return f"{words.count(total, 'source')}, {shown}"


def _word(one: SourceAnswer) -> str:
    """The worst thing that is wrong with a source, in a word or two; else how it is doing."""
    kinds = {finding.kind for feed in one.feeds for finding in feed.findings if not finding.is_mild}
    worst = next((kind for kind in FindingKind if kind in kinds), None)
    return _WORDS[one.health] if worst is None else _FOUND[worst]


def _source(one: SourceAnswer, ids: int, zone: tzinfo, at: datetime) -> Text:
    line = Text(padded(one.source.id, ids + 2))
    style = _STYLES.get(one.health, "red") if one.health not in _SOUND or _is_well(one) else "yellow"
    line.append(padded(_word(one), 16), style=style)
    newest = "nothing yet" if one.newest_at is None else f"newest {words.ago(one.newest_at, at)}"
    polls = [feed.feed.next_poll_at for feed in one.feeds if feed.feed.enabled and feed.feed.next_poll_at]
    line.append(padded(f"{words.count(one.items, 'item')}, {newest}", 34))
    if polls:
        line.append(f"next poll {words.clock(min(polls), zone, at)}", style="dim")
    return line


def _feed(one: FeedAnswer, zone: tzinfo, at: datetime, *, remarks: bool = True, findings: bool = True) -> Iterator[str]:
    """What is wrong with a feed in words, and when it was asked and will be."""
    feed = one.feed
    yield one_line(without_credentials(feed.url))
    if findings:
        yield from (one_line(finding.seen) for finding in one.findings)
    if feed.last_success_at is None:
        yield "no success so far"
    else:
        yield f"last success {words.ago(feed.last_success_at, at)}, polled every {words.span(feed.interval)}"
    if feed.left_alone_until is not None and feed.left_alone_until > at:
        yield f"its host asked to be left alone until {words.clock(feed.left_alone_until, zone, at)}"
    if feed.last_poll_at is not None and feed.next_poll_at is not None and not feed.gone:
        asked, again = (words.clock(time, zone, at) for time in (feed.last_poll_at, feed.next_poll_at))
        yield f"last asked {asked}, next {again}"
    for remark in feed.remarks if remarks else ():
        yield f"remark: {one_line(remark)}"
