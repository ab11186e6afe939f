"""The command line: one module a group of commands; this one starts before anything heavy is loaded."""

import gc
import sys
from collections.abc import Sequence

# A third of the time until a command begins went into looking for unused objects among those that loading makes, and
# there are none. This many more objects than before may stand before the next look; it is 700 by default.
GARBAGE_AFTER = 100_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit code; Ctrl-C ends quietly while the program is still loading too."""
    gc.set_threshold(GARBAGE_AFTER)
    try:
        from storyheat.cli.commands import run

        return run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("storyheat: interrupted\n")
        return 130  # as `cli.common.INTERRUPTED`, which may not be loaded yet
