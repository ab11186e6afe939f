"""The command line: one module a group of commands; this one starts before anything heavy is loaded."""

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit code; Ctrl-C ends quietly while the program is still loading too."""
    try:
        from storyheat.cli.commands import run

        return run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("storyheat: interrupted\n")
        return 130  # as `cli.common.INTERRUPTED`, which may not be loaded yet
