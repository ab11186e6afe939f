"""The commands that look at what feeds give: sources, parse."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from storyheat.cli import common
from storyheat.cli.common import UsualJson
from storyheat.cli.doctor import check_sources
from storyheat.cli.follow import register_group as add_editing
from storyheat.cli.screen import show, show_json, width
from storyheat.errors import DocumentError, NotFound, UsageError, WorkError


def register(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    group = typer.Typer(rich_markup_mode=None)
    group.callback(invoke_without_command=True, epilog="Example: storyheat sources --json")(common.spread(sources))
    common.add(group, check_sources, "storyheat sources check lmsys --poll", name="check")
    add_editing(group)
    app.add_typer(group, name="sources")
    common.add(app, parse, "storyheat parse feed.xml --url https://www.example.org/feed.xml")


def sources(
    usual: UsualJson,
    context: typer.Context,
) -> None:
    """The sources and their health.

    What is wrong with each feed, in words. -q shows only those that are not well.
    """
    if context.invoked_subcommand is not None:
        if usual != UsualJson():
            raise UsageError(f'options go behind the command: "storyheat sources {context.invoked_subcommand} --…"')
        return
    from storyheat.answers.sources import sources as answer_sources
    from storyheat.cli.health import source_lines
    from storyheat.present import objects

    with common.asking(usual) as asked:
        settings = asked.settings
        answer = answer_sources(asked.questions, asked.followed, asked.at, settings.polling)
    if usual.as_json:
        show_json(objects.sources(answer))
    else:
        show(*source_lines(answer, settings.timezone, width(), quiet=usual.quiet, verbose=usual.verbose))


def parse(
    usual: UsualJson,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The document; - reads standard input.")],
    url: Annotated[str | None, typer.Option("--url", metavar="URL", help="Where it came from.")] = None,
    content_type: Annotated[
        str | None, typer.Option("--content-type", metavar="TYPE", help="The header it came with.")
    ] = None,
    source_tz: Annotated[
        str | None, typer.Option("--source-tz", metavar="ZONE", help="IANA zone of dates without one.")
    ] = None,
    fetched_at: Annotated[
        str | None, typer.Option("--fetched-at", metavar="TIME", help="When it was fetched [default: now].")
    ] = None,
) -> None:
    """What is made of one document.

    Its format, every entry in document order, and every remark.
    """
    from storyheat.core.dates.zones import iana_zone
    from storyheat.ingest.document import parse_document
    from storyheat.present import document
    from storyheat.settings.machine import display_zone

    zone = display_zone(usual.tz, os.environ)
    if source_tz is not None and iana_zone(source_tz) is None:
        raise UsageError(f'--source-tz: "{source_tz}" is no IANA time zone, such as "Asia/Shanghai"')
    at = common.present_instant() if fetched_at is None else common.instant_of(fetched_at, "--fetched-at", zone)
    try:
        parsed = parse_document(_read(file), url=url, content_type=content_type, source_timezone=source_tz)
    except DocumentError as error:
        if usual.as_json:
            show_json(document.failed(error))
        raise WorkError(f"{file}: {error.message}") from error
    if usual.as_json:
        show_json(document.parsed(parsed, at))
    else:
        show(*document.lines(parsed, at, zone, quiet=usual.quiet, verbose=usual.verbose))


def _read(file: Path) -> bytes:
    if str(file) == "-":
        return sys.stdin.buffer.read()
    try:
        return file.read_bytes()
    except OSError as error:
        raise NotFound(f"cannot read {file}: {error.strerror}") from error
