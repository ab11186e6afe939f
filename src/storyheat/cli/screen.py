"""The one place that writes: results to standard output, everything else to standard error."""

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

Line = Text | str
Told = Callable[[int, int], None]
"""Told how many steps are done, and of how many."""


def on_terminal() -> bool:
    """Whether a person reads the results as they come."""
    return sys.stdout.isatty()


def width() -> int | None:
    """Columns of the terminal; None in a pipe, where nothing is cut."""
    return Console(file=sys.stdout).width if on_terminal() else None


def show(*lines: Line) -> None:
    """Writes lines as they are: no markup is read in them, none is wrapped or cut."""
    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    for line in lines:
        console.print(line, soft_wrap=True, crop=False, overflow="ignore")


def show_json(value: Mapping[str, Any]) -> None:
    """Writes one JSON object."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def show_raw(text: str) -> None:
    """Writes text without adding a line end."""
    sys.stdout.write(text)


def tell(message: str) -> None:
    """Writes one line for the person at work to standard error."""
    sys.stderr.write(" ".join(message.split()) + "\n")


def complain(message: str) -> None:
    """Writes the one line of an error."""
    tell(f"storyheat: {message}")


def cut(text: str, cells: int | None) -> str:
    """Text of at most so many terminal cells (a Chinese letter takes two), with … where it was cut."""
    if cells is None or cell_len(text) <= cells:
        return text
    return set_cell_size(text, max(0, cells - 1)).rstrip() + "…"


def padded(text: str, cells: int) -> str:
    """Text filled up with blanks to so many cells; never cut."""
    return text + " " * max(0, cells - cell_len(text))


def wrapped(text: str, cells: int | None, indent: str) -> list[str]:
    """Text in indented lines that fit; one line in a pipe."""
    if cells is None:
        return [indent + text]
    console = Console(width=max(20, cells - len(indent)), markup=False, highlight=False)
    return [indent + line.plain.rstrip() for line in Text(text).wrap(console, console.width)]


@contextmanager
def progress(label: str, quiet: bool) -> Iterator[Told]:
    """A bar on standard error while long work lasts; nothing in a pipe."""
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)

        def tell_bar(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield tell_bar
