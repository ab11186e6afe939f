"""All commands under one root, and the one place where errors become exit codes."""

import errno
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from storyheat import __version__
from storyheat.cli.check import register as add_checks
from storyheat.cli.cluster import register as add_cluster
from storyheat.cli.common import INTERRUPTED
from storyheat.cli.correct import register as add_corrections
from storyheat.cli.daemon import register as add_daemon
from storyheat.cli.demo import register as add_demo
from storyheat.cli.evaluate import register as add_evaluation
from storyheat.cli.export import register as add_export
from storyheat.cli.follow import register as add_lists
from storyheat.cli.poll import register as add_polls
from storyheat.cli.run import register as add_runs
from storyheat.cli.screen import ReaderGone, complain, finish, show_raw
from storyheat.cli.select import register as add_selection
from storyheat.cli.serve import register as add_server
from storyheat.cli.show import register as add_answers
from storyheat.cli.summarise import register as add_summaries
from storyheat.cli.upkeep import register as add_upkeep
from storyheat.errors import StoryheatError

# Typer carries click's errors, in its own copy or the library's; its public BadParameter descends from both.
USAGE_ERROR: type[Exception] = typer.BadParameter.__bases__[0]

app = typer.Typer(
    name="storyheat",
    help="What is hot in the news feeds you follow, since when, when it peaked, and why.",
    epilog="Start with: storyheat init && storyheat ingest && storyheat top",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        show_raw(f"storyheat {__version__}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        show_raw(context.get_help() + "\n")


for add in (
    add_runs, add_answers, add_corrections, add_selection, add_polls, add_checks, add_lists, add_upkeep, add_cluster,
    add_evaluation, add_daemon, add_summaries, add_server, add_demo, add_export,
):  # fmt: skip
    add(app)


def run(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit code; what was expected to go wrong is one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows ? instead
    code, complaint = _ended(arguments)
    try:
        finish()
    except ReaderGone:
        pass
    except StoryheatError as error:
        code, complaint = error.exit_code, complaint or str(error)
    if complaint:
        complain(complaint)
    return code


def _ended(arguments: Sequence[str] | None) -> tuple[int, str | None]:
    """How a command ended: its exit code, and the line to complain with."""
    try:
        code = app(arguments, prog_name="storyheat", standalone_mode=False)
    except StoryheatError as error:
        return error.exit_code, str(error)
    except USAGE_ERROR as error:
        return 2, _usage(error)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED, "interrupted"
    except (ReaderGone, SystemExit):  # the latter is how click ends where nobody reads its help to the end
        return 0, None
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        return 1, "no space left on the device: make room, or send the results to another place"
    return (code, "interrupted" if code == INTERRUPTED else None) if isinstance(code, int) else (0, None)


def _usage(error: Exception) -> str:
    message = error.format_message().rstrip(".")  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "storyheat"
    return f'{message}; "{path} --help" explains'
