"""The hot list as a page shows it: its rows, and the words of its filters where nothing fits."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo

from storyheat.answers.top import Listed, Order, TopAnswer, TopWish
from storyheat.core.heat.series import DEFAULT_PERIOD
from storyheat.core.heat.trend import Change
from storyheat.core.model import ChangeStanding, Source, SourceId
from storyheat.core.text.language import language_of, primary
from storyheat.core.text.markup import one_line
from storyheat.present import words
from storyheat.present.objects import instant
from storyheat.present.page import languages, numbers, times
from storyheat.present.page.people import Badge, Name, level_counts, named, source_name
from storyheat.present.page.spark import Spark, spark

PERIODS = {"24h": "24 h", "3d": "3 d", "7d": "7 d", "30d": "30 d", "all": "All"}
_PERIODS_IN_WORDS = {
    "24h": "24 hours", "3d": "3 days", "7d": "7 days", "30d": "30 days", "all": "all time",
}  # fmt: skip
ORDERS = {Order.HEAT: "Heat", Order.RISING: "Rising", Order.PEAK: "Peak", Order.NEW: "New"}


@dataclass(frozen=True, slots=True)
class Choice:
    """One link of a row of links. `value`: None drops the parameter."""

    value: str | None
    label: str
    lang: str | None = None


@dataclass(frozen=True, slots=True)
class ChangeView:
    """The 24-hour change; a dash where there is none. `sign`: the symbol of an arrow; `under`: why, or points."""

    text: str
    sign: str | None
    under: str | None

    @property
    def is_known(self) -> bool:
        """Whether there is a figure."""
        return self.text != words.DASH


@dataclass(frozen=True, slots=True)
class LatestView:
    """The latest development of a story."""

    source: Name
    iso: str
    clock: str
    text: Name


@dataclass(frozen=True, slots=True)
class RowView:
    """One story of the list."""

    rank: int
    id: str
    title: Name
    latest: LatestView | None
    spark: Spark
    heat: str
    change: ChangeView
    peak: str
    peak_iso: str
    peak_when: str
    voices: int
    levels: tuple[tuple[Badge, int], ...]
    languages: str


@dataclass(frozen=True, slots=True)
class HotView:
    """The list. `told`: which of how many; `peak_in`: the period in the head of the peak's column."""

    rows: tuple[RowView, ...]
    told: str
    peak_in: str
    rule: str


def hot_view(answer: TopAnswer, wish: TopWish, zone: tzinfo, rule: str) -> HotView:
    """The rows of an answer; `rule`: how heat is counted, in a sentence."""
    rows = tuple(_row(rank, one, zone, answer.at) for rank, one in enumerate(answer.stories, wish.skip + 1))
    last = wish.skip + len(rows)
    whole = f"of {words.count(answer.hot, 'story', 'stories')} with heat"
    first = wish.skip + 1
    these = f"{first}–{last}" if last > first else str(first)
    told = f"{these} that {'fit' if last > first else 'fits'}, {whole}" if is_narrowed(wish) else f"{these} {whole}"
    period = _PERIODS_IN_WORDS[answer.period]
    return HotView(rows, told if rows else "", "Peak" if answer.period == "all" else f"Peak in {period}", rule)


def is_narrowed(wish: TopWish) -> bool:
    """Whether a filter leaves stories out."""
    return bool(wish.topics or wish.languages or wish.sources or wish.min_voices > 1)


def _row(rank: int, one: Listed, zone: tzinfo, now: datetime) -> RowView:
    story, figures = one.story, one.story.figures
    peak = figures.trend.peak
    return RowView(
        rank=rank,
        id=story.id,
        title=story_title(story.title, story.languages),
        latest=_latest(one, zone, now),
        spark=spark(one.hours, one.now),
        heat=numbers.grouped(figures.trend.current),
        change=change_view(figures.trend.change),
        peak=numbers.grouped(peak.value),
        peak_iso=instant(peak.at),
        peak_when=times.short(peak.at, zone, now),
        voices=figures.voices,
        levels=level_counts(one.levels),
        languages=" ".join(languages.primaries(story.languages)),
    )


def story_title(title: str, of_story: tuple[str, ...]) -> Name:
    """A story's title; its language is told from its script and words, else it is that of a story with one."""
    line = words.title(title)
    fitting = [tag for tag in of_story if language_of(line, tag) == tag]
    told = language_of(line, None) or (fitting[0] if len({primary(tag) for tag in fitting}) == 1 else None)
    return named(line, next((tag for tag in fitting if told and primary(tag) == primary(told)), told))


def change_view(change: Change) -> ChangeView:
    """The change as a figure with an arrow, or a dash; what is missing has its reason under it."""
    if change.standing is ChangeStanding.ZERO and change.points is not None:
        return ChangeView(f"{numbers.signed(change.points)} pts", None, change.reason)
    if change.percent is None or change.points is None:
        return ChangeView(words.DASH, None, change.reason)
    text = numbers.signed(change.percent)
    sign = "a-up" if text.startswith("+") else "a-down" if text.startswith(words.MINUS) else None
    return ChangeView(f"{text}%", sign, None)


def _latest(one: Listed, zone: tzinfo, now: datetime) -> LatestView | None:
    if one.latest is None:
        return None
    told = one.latest
    text = named(words.title(told.shown_by.title), told.shown_by.language)
    return LatestView(source_name(told.source), instant(told.what.at), times.clock(told.what.at, zone, now), text)


def order_choices() -> list[Choice]:
    """The orders of the list; the usual one needs no parameter."""
    return [Choice(None if order is Order.HEAT else order.value, name) for order, name in ORDERS.items()]


def period_choices() -> list[Choice]:
    """The periods; the usual one needs no parameter."""
    return [Choice(None if name == DEFAULT_PERIOD else name, label) for name, label in PERIODS.items()]


def topic_choices(topics: Iterable[str]) -> list[Choice]:
    """The topics as links."""
    return [Choice(None, "All"), *(Choice(topic, topic_name(topic)) for topic in topics)]


def language_choices(sources: Mapping[SourceId, Source]) -> list[Choice]:
    """All languages of followed sources, by tag."""
    tags = languages.primaries(source.language for source in sources.values() if source.enabled and source.language)
    return [Choice(None, "All"), *(Choice(tag, languages.name(tag), tag) for tag in tags)]


def topic_name(topic: str) -> str:
    """`artificial-intelligence` as `Artificial intelligence`."""
    line = one_line(topic.replace("-", " ").replace("_", " "))
    return line[:1].upper() + line[1:]


def filters_in_words(wish: TopWish, sources: Mapping[SourceId, Source]) -> list[tuple[str, str]]:
    """Each filter as its name and value."""
    found = [("topic", topic_name(topic)) for topic in wish.topics]
    found += [("language", languages.name(tag)) for tag in wish.languages]
    by_id = {str(source.id): source.name for source in sources.values()}
    found += [("source", one_line(by_id.get(source, source))) for source in wish.sources]
    if wish.min_voices > 1:
        found.append(("at least", words.count(wish.min_voices, "voice")))
    return found


def period_in_words(period: str) -> str:
    """`7 days`."""
    return _PERIODS_IN_WORDS[period]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A filter that leaves out the most. `name`: its parameter; `told`: what would fit without it."""

    name: str
    label: str
    told: str


_PARAMETERS = {"topics": "topic", "languages": "language", "sources": "source", "min_voices": "voices"}


def narrowest(without: Mapping[str, int]) -> Dropped | None:
    """Of the filters, by the field of the wish, the one without which most stories fit; None: none is to blame."""
    name = max(without, key=lambda name: without[name], default=None)
    if name is None or not without[name]:
        return None
    parameter = _PARAMETERS[name]
    label = "least number of voices" if parameter == "voices" else parameter
    return Dropped(parameter, label, words.count(without[name], "story", "stories"))
