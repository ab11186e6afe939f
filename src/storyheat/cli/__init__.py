"""The command line: one module a group of commands, and the one place where errors become exit codes."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from storyheat import __version__
from storyheat.cli.check import register as add_checks
from storyheat.cli.cluster import register as add_cluster
from storyheat.cli.common import INTERRUPTED
from storyheat.cli.run import register as add_runs
from storyheat.cli.screen import complain, show_raw
from storyheat.cli.show import register as add_answers
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


for add in (add_runs, add_answers, add_checks, add_upkeep, add_cluster):
    add(app)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit code; what was expected to go wrong is one line on standard error."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows ? instead
    try:
        code = app(arguments, prog_name="storyheat", standalone_mode=False)
        sys.stdout.flush()
    except StoryheatError as error:
        complain(str(error))
        return error.exit_code
    except USAGE_ERROR as error:
        complain(_usage(error))
        return 2
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else the exit would complain once more
        return 0
    if code == INTERRUPTED:
        complain("interrupted; what was stored stays, and the next run goes on from there")
    return code if isinstance(code, int) else 0


def _usage(error: Exception) -> str:
    message = error.format_message().rstrip(".")  # type: ignore[attr-defined]
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "storyheat"
    return f'{message}; "{path} --help" explains'
