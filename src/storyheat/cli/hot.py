"""The hot list as lines of text, for a terminal of some width or a pipe."""

from collections.abc import Iterator
from datetime import tzinfo

from rich.text import Text

from storyheat.answers.top import SPARK_HOURS, Listed, Order, TopAnswer, TopWish
from storyheat.cli.screen import Line, cut, padded, wrapped
from storyheat.present import charts, words
from storyheat.store.columns import instant_text

CHANGE_CELLS = 13  # of the longest change in brief
SPARK_CELLS = 24  # two hours each: with all figures the line stays under 80 columns
_ORDERS = {
    Order.HEAT: "hottest first",
    Order.RISING: "fastest rising first",
    Order.PEAK: "highest peak first",
    Order.NEW: "newest first",
}


def top_lines(
    answer: TopAnswer, wish: TopWish, zone: tzinfo, width: int | None, *, quiet: bool, verbose: bool
) -> Iterator[Line]:
    """Two lines a story on a terminal, one in a pipe; a sentence where nothing is hot."""
    if not answer.stories:
        if not quiet:
            yield _nothing(answer, wish, zone)
        return
    if not quiet and width is not None:
        head = f"Hot at {words.stamp(answer.at, zone)}, {_ORDERS[answer.order]}, peak of {answer.period}"
        yield Text(cut(head, width), style="dim")
    for rank, one in enumerate(answer.stories, 1):
        yield from _listed(rank, one, answer, zone, width)
        if verbose:
            trend = one.story.figures.trend
            change = words.change_in_words(trend.change)
            more = f"24-hour change {change}; the peak hour is {words.STANDINGS[trend.peak.standing]}"
            yield from wrapped(more, width, "     ")


def _listed(rank: int, one: Listed, answer: TopAnswer, zone: tzinfo, width: int | None) -> Iterator[Line]:
    story, trend = one.story, one.story.figures.trend
    spark = charts.spark(one.hours, SPARK_CELLS if width is not None else SPARK_HOURS)
    heat = words.rounded(trend.current)
    change = words.change_in_brief(trend.change)
    peak = f"peak {words.rounded(trend.peak.value)} {words.clock(trend.peak.at, zone, answer.at)}"
    voices = words.count(story.figures.voices, "voice")
    title = words.title(story.title)
    if width is None:
        figures = f"{padded(change, CHANGE_CELLS)} {padded(peak, 22)} {voices:>9}"
        yield f"{rank:>3} {heat:>4} {spark} {figures}  {story.id}  {title}"
        return
    figures = f"{padded(peak, 20)} {voices:>9}"
    narrow = width < len(f"{rank:>3} {heat:>4} {spark} ") + CHANGE_CELLS + 1 + len(figures)
    if narrow:
        spark = charts.spark(one.hours, max(4, min(SPARK_CELLS, width - CHANGE_CELLS - 10)))
    line = Text().append(f"{rank:>3} ", style="dim")
    line.append(f"{heat:>4} ", style="bold")
    line.append(spark, style="red")
    line.append(f" {change if narrow else padded(change, CHANGE_CELLS)}", style=_colour(change))
    yield line if narrow else line.append(f" {figures}")
    if narrow:
        yield from wrapped(f"{peak}, {voices}", width, "     ")
    room = width - 5 - len(story.id) - 2
    second = Text("     " + padded(cut(title, room), room) + "  ")
    second.append(story.id, style="dim")
    yield second


def _colour(change: str) -> str:
    return "green" if change.startswith("+") else "blue" if change.startswith(words.MINUS) else "dim"


def _nothing(answer: TopAnswer, wish: TopWish, zone: tzinfo) -> str:
    if answer.newest is None:
        return 'Nothing is stored yet: "storyheat ingest" polls the sources of feeds.yaml.'
    when = words.stamp(answer.at, zone)
    if wish.topics or wish.languages or wish.sources or wish.min_voices > 1:
        return f"No story that fits has heat at {when}: ask for less."
    return (
        f"No story has heat at {when}; the newest item is of {words.stamp(answer.newest, zone)}: "
        f'"storyheat ingest" polls, "storyheat top --at {instant_text(answer.newest)}" looks back.'
    )
