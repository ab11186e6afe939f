"""What the commands share: their common options, and the way from options to settings and answers."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar
from zoneinfo import ZoneInfo

import typer

from storyheat.cli.screen import tell
from storyheat.errors import StoryheatError, UsageError

if TYPE_CHECKING:
    from storyheat.core.model import Source
    from storyheat.settings import Settings
    from storyheat.store.queries import Questions

T = TypeVar("T")

SOME_FAILED = 3
INTERRUPTED = 130  # as shells give it for Ctrl-C


class Interrupted(StoryheatError):
    """Ctrl-C in a command that stores what it does step by step."""

    exit_code = INTERRUPTED


Db = Annotated[
    str | None,
    typer.Option("--db", metavar="URL", help="The database [default: $STORYHEAT_DB or sqlite:///storyheat.db]."),
]
Config = Annotated[
    Path | None,
    typer.Option(
        "--config", metavar="FILE", readable=False, help="The settings [default: $STORYHEAT_CONFIG or feeds.yaml]."
    ),
]
Tz = Annotated[
    str | None,
    typer.Option("--tz", metavar="ZONE", help="IANA zone of the times shown [default: the machine's]."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Say less.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say more.")]
At = Annotated[
    str | None,
    typer.Option("--at", metavar="TIME", help='Evaluate this instant: ISO, a date, or like "3h ago" [default: now].'),
]
Period = Annotated[
    str,
    typer.Option("--period", metavar="PERIOD", help="24h, 3d, 7d, 30d or all: where the peak is looked for."),
]


def settings_of(db: str | None, config: Path | None, tz: str | None, *, config_required: bool = False) -> "Settings":
    """The settings of this call. Raises ConfigError."""
    from storyheat.settings import load_settings

    return load_settings(os.environ, config=config, database=db, timezone=tz, config_required=config_required)


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
def asking(
    db: str | None, config: Path | None, tz: str | None, at: str | None = None, period: str | None = None
) -> Iterator[Asked]:
    """Opens the database for questions about an instant. Raises UsageError, ConfigError, DatabaseError."""
    from storyheat.core.heat.series import PERIODS
    from storyheat.store.database import open_database
    from storyheat.store.queries import ask

    settings = settings_of(db, config, tz)
    instant = present_instant() if at is None else instant_of(at, "--at", settings.timezone)
    if period is not None and period not in PERIODS:
        raise UsageError(f'--period: "{period}" is none of {", ".join(PERIODS)}')
    database = open_database(settings.database)
    try:
        with ask(database, topics=settings.topics) as questions:
            yield Asked(settings, questions, instant)
    finally:
        database.close()
