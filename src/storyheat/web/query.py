"""What an address asks for: its parameters, checked. A mistake is a UsageError in words for whoever typed it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from starlette.requests import Request

from storyheat.answers.top import Order, TopWish
from storyheat.core.dates.instants import read_instant
from storyheat.core.heat.series import DEFAULT_PERIOD, PERIODS
from storyheat.core.text.markup import one_line
from storyheat.errors import UsageError
from storyheat.present.page.timeline import TimelineWish
from storyheat.settings.checks import zone as known_zone
from storyheat.web.links import Links

PER_PAGE = 20
MOST_PAGES = 500
MOST_VALUES = 20  # of one filter
MOST_LETTERS = 200  # of a value
EARLIEST = datetime(1990, 1, 1, tzinfo=UTC)  # no feed is older
LATEST = timedelta(days=366)  # from now on

LIST = ("sort", "period", "topic", "language", "source", "voices", "page")
STORY = ("period", "hour", "show", "order", "items")
SEARCH = ("q", "period")
_TIME = ("tz", "at")
PAGES = frozenset((*LIST, *STORY, *SEARCH, *_TIME))
Asked = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class View:
    """The instant and zone that a page is for. `is_past`: an instant was asked for."""

    at: datetime
    zone: ZoneInfo
    period: str
    is_past: bool


class Query:
    """The parameters of one request. Unknown ones are passed over: others add theirs to links."""

    def __init__(self, request: Request, known: Collection[str] = PAGES, *, may_be_empty: bool = True) -> None:
        given: dict[str, list[str]] = {}
        for name, value in request.query_params.multi_items():
            if not value and not may_be_empty:
                raise UsageError(f"{name}: is empty")
            if value and name in known:
                given.setdefault(name, []).append(_short(name, value))
        self._given: Mapping[str, list[str]] = given

    @property
    def asked(self) -> Asked:
        """All that is asked: equal for addresses that differ in order or in what is passed over."""
        return tuple((name, *self._given[name]) for name in sorted(self._given))

    def links(self, path: str, names: tuple[str, ...] = ("period",), items: Collection[str] = ()) -> Links:
        """The links of the page at `path`. `names`: what it knows besides time and zone; `items`: see `Links`."""
        return Links(path, {name: self._given.get(name, []) for name in (*names, *_TIME)}, items)

    def view(self, now: datetime, zone: ZoneInfo) -> View:
        """The instant, zone and period; `now` and `zone` hold where none was asked for."""
        if name := self._one("tz"):
            try:
                zone = ZoneInfo(known_zone(name))
            except ValueError as error:
                raise UsageError(f'tz: "{name}" {error}') from error
        text = self._one("at")
        at = now if text is None else self._instant("at", text, now, zone)
        return View(at, zone, self._choice("period", PERIODS, DEFAULT_PERIOD), text is not None)

    def hour(self, now: datetime, zone: ZoneInfo) -> datetime | None:
        """The instant whose receipt is asked for."""
        text = self._one("hour")
        return None if text is None else self._instant("hour", text, now, zone)

    def words(self) -> str:
        """What is searched for; empty: nothing yet."""
        return self._one("q") or ""

    def top_wish(self) -> TopWish:
        """The list that is asked for."""
        page = self._number("page", 1, MOST_PAGES)
        return TopWish(
            number=PER_PAGE,
            skip=(page - 1) * PER_PAGE,
            period=self._choice("period", PERIODS, DEFAULT_PERIOD),
            order=Order(self._choice("sort", [order.value for order in Order], Order.HEAT.value)),
            topics=self._several("topic"),
            languages=self._several("language"),
            sources=self._several("source"),
            min_voices=self._number("voices", 1, 1000),
        )

    def timeline_wish(self) -> TimelineWish:
        """What of the timeline is asked for, and in which order."""
        show = self._choice("show", ("all", "reports", "mentions"), "all")
        return TimelineWish(
            show="reports" if show == "reports" else "mentions" if show == "mentions" else "all",
            oldest_first=self._choice("order", ("newest", "oldest"), "newest") == "oldest",
            every=self._choice("items", ("newest", "all"), "newest") == "all",
        )

    def _one(self, name: str) -> str | None:
        values = self._given.get(name)
        return values[-1] if values else None

    def _several(self, name: str) -> tuple[str, ...]:
        values = self._given.get(name, ())
        if len(values) > MOST_VALUES:
            raise UsageError(f"{name}: {len(values)} values are too many; {MOST_VALUES} at most")
        return tuple(dict.fromkeys(values))

    def _choice(self, name: str, known: "Mapping[str, object] | tuple[str, ...] | list[str]", default: str) -> str:
        value = self._one(name) or default
        if value not in known:
            raise UsageError(f'{name}: "{value}" is none of {", ".join(known)}')
        return value

    def _number(self, name: str, least: int, most: int, usual: int | None = None) -> int:
        """A number in a range; `usual`: what holds where none is given, else the least."""
        text = self._one(name)
        if text is None:
            return least if usual is None else usual
        if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
            raise UsageError(f'{name}: "{text}" is no number from {least} to {most}')
        return int(text)

    def _instant(self, name: str, text: str, now: datetime, zone: ZoneInfo) -> datetime:
        try:
            at = read_instant(text, now, zone)
        except ValueError as error:
            raise UsageError(f"{name}: {error}") from error
        if not EARLIEST <= at <= now + LATEST:
            raise UsageError(f'{name}: "{text}" is too far away: from {EARLIEST.year} to a year from now')
        return at


def _short(name: str, value: str) -> str:
    if len(value) > MOST_LETTERS:
        raise UsageError(f"{name}: a value of {len(value)} letters is too long; {MOST_LETTERS} at most")
    return one_line(value)
