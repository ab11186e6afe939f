"""What the JSON API can be asked: its addresses, their parameters and what each answers, for documents and checks."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from zoneinfo import available_timezones

from storyheat.answers.top import Order
from storyheat.core.heat.series import DEFAULT_PERIOD, PERIODS
from storyheat.present.notation import Schema
from storyheat.web.query import MOST_LETTERS, MOST_VALUES

PREFIX = "/api/v1"
FIRST_YEAR = 1990  # no feed is older
MOST_LISTED = 100  # in one answer
MOST_SKIPPED = 10_000
MOST_VOICES = 1_000


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of an address. `repeated`: it may be given several times, each value once."""

    name: str
    schema: Schema
    meaning: str
    repeated: bool = False
    required: bool = False


@dataclass(frozen=True, slots=True)
class Operation:
    """One address that answers. `answers`: the name of the schema of its object."""

    name: str
    path: str  # below PREFIX; `{name}` is the id of a story, of an item or of a source
    summary: str
    answers: str
    parameters: tuple[Parameter, ...] = ()
    of: str = ""  # what `{name}` is the id of
    paged: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its parameters."""
        return tuple(one.name for one in self.parameters)


def _number(name: str, least: int, most: int, usual: int, meaning: str) -> Parameter:
    return Parameter(name, {"type": "integer", "minimum": least, "maximum": most, "default": usual}, meaning)


def _several(name: str, meaning: str) -> Parameter:
    value = {"type": "string", "minLength": 1, "maxLength": MOST_LETTERS}
    return Parameter(name, {"type": "array", "items": value, "maxItems": MOST_VALUES}, meaning, repeated=True)


def instant_pattern(last_year: int) -> str:
    """The instants that the API takes: a date, a time of it, or how long ago; to the end of a year in its own zone."""
    century, decade, year = last_year // 100, last_year // 10 % 10, last_year % 10
    years = (
        rf"199\d|{century}[0-{decade - 1}]\d|{century}{decade}[0-{year}]" if decade else rf"199\d|{century}0[0-{year}]"
    )
    leap = "|".join(str(one) for one in range(FIRST_YEAR, last_year + 1) if one % 4 == 0)  # until 2100
    days = r"(0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|1\d|2[0-8])"
    clock = r"T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?(Z|[+-](0\d|1[0-3]):[0-5]\d)"
    return rf"^((({years})-({days})|({leap})-02-29)({clock})?|[1-9]\d{{0,2}}[mhd] ago)$"


AT = Parameter(
    "at",
    {"type": "string"},  # with the pattern of the year
    "The instant that is told about, with what is known today: 2026-10-26, 2026-10-26T23:00Z or 3h ago. A bare date is "
    "its first second in the zone of the server. Usual: the current minute",
)
PERIOD = Parameter(
    "period", {"enum": list(PERIODS), "default": DEFAULT_PERIOD}, "The time looked back over, for peak and hours"
)
LIMIT = _number("limit", 1, MOST_LISTED, 20, "How many at most")
OFFSET = _number("offset", 0, MOST_SKIPPED, 0, "How many come before")
TZ = Parameter("tz", {"type": "string"}, "IANA zone of the widget and of the days. Usual: that of the server")

OPERATIONS: Mapping[str, Operation] = {
    one.name: one
    for one in (
        Operation(
            "top",
            "/top",
            "The stories with heat, in order",
            "top/1",
            (
                Parameter("sort", {"enum": [order.value for order in Order], "default": "heat"}, "The order"),
                PERIOD,
                _several("topic", "Only stories with one of these topics"),
                _several("language", "Only stories with an item in one of these languages; zh fits zh-Hans"),
                _several("source", "Only stories that one of these sources tells"),
                _number("min_voices", 1, MOST_VOICES, 1, "Only stories that so many voices tell"),
                AT,
                LIMIT,
                OFFSET,
            ),
            paged=True,
        ),
        Operation("story", "/stories/{name}", "One story whole", "story/1", (PERIOD, AT, TZ), "story"),
        Operation("heat", "/stories/{name}/heat", "Its heat hour by hour", "heat/1", (PERIOD, AT), "story"),
        Operation("explain", "/stories/{name}/explain", "The receipt of its heat", "explain/1", (AT,), "story"),
        Operation(
            "history",
            "/stories/{name}/history",
            "What was decided, newest first",
            "history/1",
            (LIMIT,),
            "story",
        ),
        Operation("explain-item", "/items/{name}/explain", "Why an item is where it is", "explain-item/1", (), "item"),
        Operation(
            "search",
            "/search",
            "Stories and items by their words, best first",
            "search/1",
            (
                Parameter(
                    "q",
                    {"type": "string", "minLength": 1, "maxLength": MOST_LETTERS},
                    "The words; all must occur, one with - before it must not",
                    required=True,
                ),
                AT,
                LIMIT,
            ),
        ),
        Operation("sources", "/sources", "How every source is doing", "sources/1"),
        Operation("source", "/sources/{name}", "How one source is doing", "sources/1", (), "source"),
    )
}


@cache
def zone_names() -> tuple[str, ...]:
    """The zones that this machine knows."""
    return tuple(sorted(available_timezones()))


def schema_of(parameter: Parameter, now: datetime) -> Schema:
    """What a parameter takes, with what depends on the year and the machine."""
    if parameter is AT:
        return {**AT.schema, "pattern": instant_pattern(now.year)}
    if parameter is TZ:
        return {**TZ.schema, "enum": list(zone_names())}
    return dict(parameter.schema)


@dataclass(frozen=True, slots=True)
class Described:
    """An operation in words. `parameters`: name, values and meaning of each."""

    operation: Operation
    parameters: tuple[tuple[str, str, str], ...]


def described() -> list[Described]:
    """All operations, for people."""
    return [
        Described(one, tuple((each.name, _values(each), each.meaning) for each in one.parameters))
        for one in OPERATIONS.values()
    ]


def _values(parameter: Parameter) -> str:
    schema = parameter.schema
    if "enum" in schema:
        return ", ".join(schema["enum"])
    if schema["type"] == "integer":
        return f"{schema['minimum']} to {schema['maximum']}, usually {schema['default']}"
    return "text; may be repeated" if parameter.repeated else "text"
