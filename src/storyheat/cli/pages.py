"""The page of a story and its heat as lines of text, for a terminal of some width or a pipe."""

from collections.abc import Iterator
from datetime import datetime, tzinfo

from rich.text import Text

from storyheat.answers.story import HeatAnswer, StoryAnswer, TimelineItem
from storyheat.cli.brief_lines import brief_lines, summary_lines
from storyheat.cli.hours import chart_lines
from storyheat.cli.poll import poll_lines
from storyheat.cli.screen import Line, cut, padded, wrapped
from storyheat.core.model import ItemId, Role, Standing
from storyheat.core.text.markup import one_line
from storyheat.present import charts, developments, words
from storyheat.present.notes import source_note, sources_by_items
from storyheat.present.objects import days

BAR_CELLS = 12


def story_lines(answer: StoryAnswer, zone: tzinfo, width: int | None, *, quiet: bool, verbose: bool) -> Iterator[Line]:
    """The page of a story: head, figures, chart, timeline, sources."""
    story, figures = answer.story, answer.story.figures
    yield from (Text(line, style="bold") for line in wrapped(words.title(story.title), width, ""))
    told = [
        words.count(figures.voices, "voice"),
        words.count(figures.reports, "report"),
        words.count(figures.mentions, "mention"),
        words.count(figures.copies, "copy", "copies"),
    ]
    last = f"last report {words.stamp(figures.last_at, zone)}"
    yield from _joined(Text(f"{story.id}  {', '.join(told)}"), "; ", Text(last), width)
    if story.topics:
        yield from wrapped("Topics: " + one_line(", ".join(story.topics)), width, "")
    if answer.aliases:
        yield f"Also known as {', '.join(answer.aliases)}"
    yield ""
    yield from _widget(answer, zone, width)
    yield from _peak(answer, zone, verbose=verbose)
    if verbose:
        yield f"At {words.stamp(answer.at, zone)}; the peak hour is {words.STANDINGS[figures.trend.peak.standing]}"
    yield from _latest(answer, width)
    yield ""
    if not quiet:
        yield from chart_lines(answer, zone, width)
    yield from summary_lines(answer, zone, width)
    yield from _developments(answer, zone, width)
    yield from brief_lines(answer, zone, width)
    yield from _timeline(answer, zone, width, verbose=verbose)
    if answer.poll is not None:
        yield Text("Poll", style="bold")
        yield from poll_lines(answer.poll, zone, answer.at, width)
        yield ""
    yield from _related(answer, width)
    yield from _sources(answer, width)


def _latest(answer: StoryAnswer, width: int | None) -> Iterator[Line]:
    """What became known last."""
    if answer.developments:
        one = answer.developments[-1]
        when, who = words.ago(one.what.at, answer.at), one_line(one.source.name)
        yield from wrapped(f"Latest, {when}, {who}: {words.title(one.shown_by.title)}", width, "")


def _joined(first: Text, between: str, second: Text, width: int | None) -> Iterator[Line]:
    """Two parts on one line, or below each other where that is too long for a terminal."""
    line = first + between + second
    yield from (line,) if width is None or line.cell_len <= width else (first, second)


def _widget(answer: StoryAnswer, zone: tzinfo, width: int | None) -> Iterator[Line]:
    trend = answer.story.figures.trend
    shown = words.widget(trend, zone, answer.at)
    line = Text("Current ")
    line.append(str(shown["current"]), style="bold red")
    line.append(" · Period peak ")
    line.append(str(shown["peak"]), style="bold")
    line.append(f"  {shown['peak_at']}")
    change = Text("24-hour change ").append(str(shown["change_24h"]), style="bold")
    if shown["change_reason"] is not None:
        change.append(f"  ({shown['change_reason']})")
    yield from _joined(line, " · ", change, width)


def _peak(answer: StoryAnswer, zone: tzinfo, *, verbose: bool) -> Iterator[Line]:
    """Who made the peak; in detail each with points and report."""
    terms = answer.story.figures.trend.peak.terms
    if not terms:
        return
    newest = max(terms, key=lambda term: (term.effective_at, term.points, term.voice))
    said = f"newest {one_line(newest.voice)} at {words.clock(newest.effective_at, zone, answer.at)}"
    yield f"Peak: {words.count(len(terms), 'voice')}, {said}"
    if verbose:
        points = words.shares([term.points for term in terms], 2)
        for term, shown in zip(terms, points, strict=True):
            yield f"{shown:>8}  {one_line(term.voice)}, {term.item}"


def _developments(answer: StoryAnswer, zone: tzinfo, width: int | None) -> Iterator[Line]:
    """Numbered, oldest first, each with its source and why it counts as confirmed or not."""
    if not answer.developments:
        return
    yield Text("Developments", style="bold")
    yield from (Text(line, style="dim") for line in wrapped(developments.RULE, width, "  "))
    for number, one in enumerate(answer.developments, 1):
        confirmed = "confirmed" if one.what.confirmed else "not confirmed"
        label = f"{number:>3}. {words.clock(one.what.at, zone, answer.at)}  {one.source.id}  {words.LEVELS[one.level]}"
        yield Text(f"{label} · {confirmed}").append(f"  {one.what.item}", style="dim")
        yield from wrapped(words.title(one.shown_by.title), width, " " * 5)
        yield from (Text(line, style="dim") for line in wrapped(developments.because(one), width, " " * 5))
    yield from _disagreements(answer, width)
    yield ""


def _disagreements(answer: StoryAnswer, width: int | None) -> Iterator[Line]:
    """Figures that contradict each other, one below the other."""
    named = {one.facts.id: one_line(answer.sources[one.facts.source].name) for one in answer.items}
    for pair in answer.disagreements:
        yield from wrapped("Two figures that do not agree; which of them holds is not decided here:", width, "  ")
        for claim in (pair.first, pair.second):
            yield from wrapped(f"{one_line(claim.figure)}, says {named[claim.item]} ({claim.item})", width, " " * 5)
            yield from (Text(line, style="dim") for line in wrapped(one_line(claim.sentence), width, " " * 7))


def _related(answer: StoryAnswer, width: int | None) -> Iterator[Line]:
    if not answer.related:
        return
    yield Text("Related stories", style="bold")
    for one in answer.related:
        heat = words.rounded(one.heat)
        yield from wrapped(f"{one.id}  {words.title(one.title)}", width, "  ")
        yield from (Text(line, style="dim") for line in wrapped(f"{one_line(one.why)}; heat {heat}", width, " " * 5))
    yield ""


def _sources(answer: StoryAnswer, width: int | None) -> Iterator[Line]:
    """What the story rests on, and each source."""
    yield Text("Sources", style="bold")
    for sentence in source_note(answer, str):
        yield from wrapped(sentence, width, "  ")
    for source, items in sources_by_items(answer):
        level = words.LEVELS[source.level] + (", digest" if source.digest else "")
        yield f"  {one_line(source.name)} ({source.id}): {level}, {words.count(items, 'item')}"


def _timeline(answer: StoryAnswer, zone: tzinfo, width: int | None, *, verbose: bool) -> Iterator[Line]:
    """By day, newest first; a copy stands under its original where that is of this story."""
    here = {one.facts.id for one in answer.items}
    copies: dict[ItemId, list[TimelineItem]] = {}
    for one in answer.items:
        if one.copy_of in here and one.copy_of is not None:
            copies.setdefault(one.copy_of, []).append(one)
    for items in days(answer, zone).values():
        mine = [one for one in items if one.copy_of not in here]
        if not mine:
            continue
        yield Text(words.day(items[0].facts.effective_at, zone), style="bold")
        for one in mine:
            yield from _entry(one, zone, width, indent="  ", verbose=verbose)
            for copy in copies.get(one.facts.id, ()):
                yield from _entry(copy, zone, width, indent="      ", verbose=verbose, dated=True, now=answer.at)
        yield ""


def _entry(
    one: TimelineItem,
    zone: tzinfo,
    width: int | None,
    *,
    indent: str,
    verbose: bool,
    dated: bool = False,
    now: datetime | None = None,
) -> Iterator[Line]:
    at = one.facts.effective_at.astimezone(zone)
    time = words.clock(at, zone, now or at) if dated else f"{at:%H:%M}"
    label = f"{indent}{time}  {one.place.source}  {words.LEVELS[one.level]} · {words.ROLES[one.place.role]}"
    label += " · Selected" if one.selected is not None else ""
    yield Text().append(label).append(f"  {one.facts.id}", style="dim")
    yield from wrapped(words.title(one.facts.title), width, indent + "       ")
    if one.not_counted is not None and one.place.role is Role.REPORT:
        yield Text(f"{indent}       not counted: {one.not_counted}", style="dim")
    if verbose:
        if one.selected is not None:
            yield Text(f"{indent}       selected: {one.selected}", style="dim")
        if one.facts.url:
            yield f"{indent}       {one_line(one.facts.url)}"
        if one.facts.summary:
            yield from wrapped(one_line(one.facts.summary), width, indent + "       ")


def heat_lines(answer: HeatAnswer, zone: tzinfo, width: int | None, *, quiet: bool, verbose: bool) -> Iterator[Line]:
    """One line an hour, oldest first, and the value at the instant itself where that is no full hour."""
    if not quiet:
        yield Text(cut(f"{answer.story.id}  {words.title(answer.story.title)}", width), style="bold")
        yield Text(f"{'hour':<26} {'heat':>6}  voices  new  standing", style="dim")
    hours, now = answer.series.hours, answer.series.now
    if not hours or hours[-1].at != now.at:
        hours = (*hours, now)
    top = charts.highest(hours)
    for hour in hours:
        bar = charts.bar(hour, top, BAR_CELLS)
        named = hour.behind and (verbose or hour.standing is Standing.PARTIAL)
        behind = f"  without {', '.join(hour.behind)}" if named else ""
        shown = charts.GAP if hour.standing is Standing.UNKNOWN else words.rounded(hour.heat, 1)
        text = f"{words.stamp(hour.at, zone):<26} {shown:>6}  {hour.voices:>6}  {hour.new_reports:>3}  "
        text += f"{padded(hour.standing.value, 8)} {bar}{behind}"
        yield text.rstrip()
