"""What an address of the JSON API asks for: only what it knows, and each parameter as its description says."""

import re
from collections.abc import Collection
from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo

from starlette.requests import Request

from storyheat.answers.top import Order, TopWish
from storyheat.core.dates.instants import read_instant
from storyheat.core.heat.series import DEFAULT_PERIOD, PERIODS
from storyheat.errors import UsageError
from storyheat.web.operations import (
    FIRST_YEAR,
    LIMIT,
    MOST_LISTED,
    MOST_SKIPPED,
    MOST_VOICES,
    instant_pattern,
    zone_names,
)
from storyheat.web.query import Query

REPEATED = ("topic", "language", "source")
AT_HINT = "write it like 2026-10-26, 2026-10-26T23:00Z or 3h ago"


class ApiQuery(Query):
    """The parameters of one request. A program that misspells one should hear of it, so none is passed over."""

    def __init__(self, request: Request, known: Collection[str]) -> None:
        """`known`: the parameters of the address. Raises UsageError."""
        names = [name for name, _ in request.query_params.multi_items()]
        for name in names:
            if name not in known:
                takes = f"it takes {', '.join(known)}" if known else "it takes none"
                raise UsageError(f'"{name[:100]}" is no parameter of this address; {takes}')
            if name not in REPEATED and names.count(name) > 1:
                raise UsageError(f"{name}: is given more than once")
        super().__init__(request, known, may_be_empty=False)

    def at(self, now: datetime, zone: ZoneInfo) -> datetime:
        """The instant that is asked about."""
        text = self._one("at")
        if text is None:
            return now
        if not _instants(now.year).fullmatch(text):
            raise UsageError(f'at: "{text}" is no instant from {FIRST_YEAR} to the end of {now.year}; {AT_HINT}')
        return read_instant(text, now, zone)

    def zone(self, usual: ZoneInfo) -> ZoneInfo:
        """The zone of days and of figures for people."""
        name = self._one("tz")
        if name is None:
            return usual
        if name not in zone_names():
            raise UsageError(f'tz: "{name}" is no IANA time zone')
        return ZoneInfo(name)

    def period(self) -> str:
        """The time that is looked back over."""
        return self._choice("period", PERIODS, DEFAULT_PERIOD)

    def limit(self) -> int:
        """How many are wanted."""
        return self._number("limit", 1, MOST_LISTED, int(LIMIT.schema["default"]))

    def offset(self) -> int:
        """How many come before them."""
        return self._number("offset", 0, MOST_SKIPPED)

    def words(self) -> str:
        """What is searched for."""
        if self._one("q") is None:
            raise UsageError("q: is missing; it says what is searched for")
        return super().words()

    def listed(self) -> TopWish:
        """The list that is asked for."""
        return TopWish(
            number=self.limit(),
            skip=self.offset(),
            period=self.period(),
            order=Order(self._choice("sort", [order.value for order in Order], Order.HEAT.value)),
            topics=self._several("topic"),
            languages=self._several("language"),
            sources=self._several("source"),
            min_voices=self._number("min_voices", 1, MOST_VOICES),
        )


@cache
def _instants(last_year: int) -> re.Pattern[str]:
    return re.compile(instant_pattern(last_year), re.ASCII)
