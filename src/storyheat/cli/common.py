"""What the commands share: their common options, and the way from options to settings and answers."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from zoneinfo import ZoneInfo

import typer

from storyheat.cli.screen import tell
from storyheat.errors import StoryheatError, UsageError

if TYPE_CHECKING:
    from storyheat.core.model import Source
    from storyheat.settings import Settings
    from storyheat.store.queries import Questions

T = TypeVar("T")

MOST = 1_000_000_000  # what an option takes as a number: more than anything has, and within what SQLite counts with
FIRST_AT = datetime(1970, 1, 1, tzinfo=UTC)  # what `--at` takes: nothing that feeds tell is older,
END_OF_AT = datetime(2100, 1, 1, tzinfo=UTC)  # and the hours of all time until then still fit into memory
SOME_FAILED = 3
INTERRUPTED = 130  # as shells give it for Ctrl-C


class Interrupted(StoryheatError):
    """Ctrl-C in a command that stores what it does step by step."""

    exit_code = INTERRUPTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Usual:
    """The options that every command has."""

    db: Annotated[
        str | None,
        typer.Option("--db", metavar="URL", help="The database [default: $STORYHEAT_DB or sqlite:///storyheat.db]."),
    ] = None
    config: Annotated[
        Path | None,
        typer.Option(
            "--config", metavar="FILE", readable=False, help="The settings [default: $STORYHEAT_CONFIG or feeds.yaml]."
        ),
    ] = None
    tz: Annotated[
        str | None,
        typer.Option("--tz", metavar="ZONE", help="IANA zone of the times shown [default: the machine's]."),
    ] = None
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say less.")] = False
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say more.")] = False

    def settings(self, *, config_required: bool = False, to_poll: bool = True) -> "Settings":
        """The settings of this call; see `load_settings`. Raises ConfigError."""
        from storyheat.settings import load_settings

        return load_settings(
            os.environ,
            config=self.config,
            database=self.db,
            timezone=self.tz,
            config_required=config_required,
            to_poll=to_poll,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class UsualJson(Usual):
    """Those of a command that answers with one object, too."""

    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False


At = Annotated[
    str | None,
    typer.Option("--at", metavar="TIME", help='Evaluate this instant: ISO, a date, or like "3h ago" [default: now].'),
]
Period = Annotated[
    str,
    typer.Option("--period", metavar="PERIOD", help="24h, 3d, 7d, 30d or all: where the peak is looked for."),
]


def add(app: typer.Typer, command: Callable[..., None], example: str, name: str | None = None) -> None:
    """Adds a command to an app or a group of commands."""
    app.command(name, epilog=f"Example: {example}")(spread(command))


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command as Typer reads it: its first parameter, `usual`, is the options that its class lists."""
    usual, *own = signature(command).parameters.values()
    shared = signature(usual.annotation).parameters

    @wraps(command)
    def run(**given: Any) -> None:
        command(usual.annotation(**{option: given.pop(option) for option in shared}), **given)

    parameters = [each.replace(kind=Parameter.KEYWORD_ONLY) for each in (*own, *shared.values())]
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def present_instant() -> datetime:
    """Now, UTC, whole seconds. Asked once a command."""
    return datetime.now(UTC).replace(microsecond=0)


def instant_of(text: str, option: str, zone: ZoneInfo) -> datetime:
    """The instant that an option names. Raises UsageError."""
    from storyheat.core.dates.instants import read_instant

    return _read(lambda: read_instant(text, present_instant(), zone), option)


def span_of(text: str, option: str) -> timedelta:
    """The span of time that an option names. Raises UsageError."""
    from storyheat.core.dates.instants import read_span

    return _read(lambda: read_span(text), option)


def _read(read: Callable[[], T], option: str) -> T:
    try:
        return read()
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from error


@contextmanager
def running() -> Iterator[None]:
    """Around a run of the pipeline: Ctrl-C ends it with a word on what becomes of it. Raises Interrupted."""
    try:
        yield
    except KeyboardInterrupt as error:
        raise Interrupted("interrupted; what was stored stays, and the next run goes on from there") from error


@dataclass(frozen=True, slots=True)
class Asked:
    """What a command that asks works with: the settings, the instant, and the open questions."""

    settings: "Settings"
    questions: "Questions"
    at: datetime

    @property
    def followed(self) -> "tuple[Source, ...] | None":
        """The sources of the configuration; None where there is none."""
        return None if self.settings.config is None else self.settings.sources

    def remark_on_rule(self, quiet: bool) -> None:
        """Says that what is stored was measured by another rule than the one that answers now."""
        stored = self.questions.measured_by()
        if not quiet and stored is not None and stored != self.settings.heat.in_words:
            tell("the heat rule was changed: this answer follows it, the stored views follow at the next ingest")


@contextmanager
def asking(usual: Usual, at: str | None = None, period: str | None = None) -> Iterator[Asked]:
    """Opens the database for questions about an instant. Raises UsageError, ConfigError, DatabaseError."""
    from storyheat.core.heat.series import PERIODS
    from storyheat.store.database import open_database
    from storyheat.store.queries import ask

    settings = usual.settings(to_poll=False)
    instant = present_instant() if at is None else instant_of(at, "--at", settings.timezone)
    if not FIRST_AT <= instant < END_OF_AT:
        raise UsageError(f'--at: "{at}" is not between {FIRST_AT.year} and {END_OF_AT.year - 1}')
    if period is not None and period not in PERIODS:
        raise UsageError(f'--period: "{period}" is none of {", ".join(PERIODS)}')
    topics, names = settings.topics, settings.clustering.names
    with open_database(settings.database) as database, ask(database, topics=topics, names=names) as questions:
        yield Asked(settings, questions, instant)
