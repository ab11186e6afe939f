"""The one place that writes: results to standard output, everything else to standard error."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from storyheat.errors import WorkError

# What stays on one line: a character of a script without blanks, or a word, each with the signs around it.
_EAST, _OPENING, _CLOSING = "ぁ-ヿ㐀-䶿一-鿿\uf900-\ufaff", "「『《〈（【“‘", "、。，．！？；：…」』》〉）】”’%"
_PIECE = re.compile(rf"[{_OPENING}]*(?:[{_EAST}]|[^\s{_EAST}{_OPENING}]+|[{_OPENING}])[{_CLOSING}]*\s*|\s+")

Line = Text | str
Told = Callable[[int, int], None]
"""Told how many steps are done, and of how many."""


class ReaderGone(Exception):
    """Whoever read the results has closed the pipe, so there is nobody to write for."""


class _Console(Console):
    def on_broken_pipe(self) -> None:  # the one of rich ends the program as if the work had failed
        raise BrokenPipeError


def on_terminal() -> bool:
    """Whether a person reads the results as they come."""
    return sys.stdout is not None and sys.stdout.isatty()


def width() -> int | None:
    """Columns of the terminal; None in a pipe, where nothing is cut."""
    return Console(file=sys.stdout).width if on_terminal() else None


def show(*lines: Line) -> None:
    """Writes lines: no markup is read in them; on a terminal those that are too long go on below, indented."""
    columns = width()
    if columns is None:
        for line in lines:
            show_raw(f"{line.plain if isinstance(line, Text) else line}\n")
        return
    with _writing():
        console = _Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
        for line in lines:
            for part in folded(line, columns):
                console.print(part, soft_wrap=True, crop=False, overflow="ignore")


def show_json(value: Mapping[str, Any]) -> None:
    """Writes one JSON object."""
    show_raw(json_text(value))


def json_text(value: Mapping[str, Any]) -> str:
    """The text of one JSON object, as it is printed."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def show_raw(text: str) -> None:
    """Writes text without adding a line end."""
    with _writing():
        sys.stdout.write(text)


def finish() -> None:
    """Makes sure that all that was shown is written. Raises ReaderGone, WorkError."""
    if sys.stdout is not None:
        with _writing():
            sys.stdout.flush()


@contextmanager
def _writing() -> Iterator[None]:
    """Turns the failures of standard output into words, and keeps the interpreter from trying once more."""
    if sys.stdout is None:
        raise WorkError("there is no standard output to write to: do not close it, send it to a file or /dev/null")
    try:
        yield
    except BrokenPipeError as error:
        _give_up_output()
        raise ReaderGone from error
    except OSError as error:
        _give_up_output()
        raise WorkError(
            f"cannot write the results ({error.strerror}): make room, or send them to another place"
        ) from error


def _give_up_output() -> None:
    number = os.open(os.devnull, os.O_WRONLY)
    os.dup2(number, sys.stdout.fileno())
    os.close(number)


def tell(message: str) -> None:
    """Writes one line for the person at work to standard error, if there is one."""
    if sys.stderr is not None:
        sys.stderr.write(" ".join(message.split()) + "\n")


def log(line: str) -> None:
    """Writes one line of a log to standard error at once; one that cannot be written is lost, and ends nothing."""
    with suppress(OSError, AttributeError):  # the latter: there is no standard error
        sys.stderr.write("".join(letter if letter.isprintable() else " " for letter in line) + "\n")
        sys.stderr.flush()


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


def folded(line: Line, cells: int) -> list[Text]:
    """A line as one or more that fit: broken between words, continued two columns further in."""
    text = line if isinstance(line, Text) else Text(line)
    if text.cell_len <= cells:
        return [text]
    indent = min(len(text.plain) - len(text.plain.lstrip(" ")), cells // 2)
    room = max(1, cells - indent - 2)
    parts = text[indent:].wrap(Console(width=room, markup=False, highlight=False), room)
    for part in parts:
        part.rstrip()
    return [Text(" " * (indent + (2 if number else 0))) + part for number, part in enumerate(parts)]


def wrapped(text: str, cells: int | None, indent: str) -> list[str]:
    """Text in indented lines that fit; one line in a pipe.

    Lines break between words, and in Chinese between any two characters, but not before a sign that closes.
    """
    if cells is None:
        return [indent + text]
    room = max(20, cells - len(indent))
    lines, line = list[str](), ""
    for piece in _PIECE.findall(text):
        if line and cell_len(line + piece.rstrip()) > room:
            lines.append(line)
            line = ""
        while cell_len(piece.rstrip()) > room:  # a word, or an address, wider than a line
            head = _fitting(piece, room)
            lines.append(head)
            piece = piece[len(head) :]
        line += piece
    return [indent + one.rstrip() for one in [*lines, line]]


def _fitting(text: str, cells: int) -> str:
    """As much of a text as fits."""
    return next(text[:end] for end in range(min(len(text), cells), 0, -1) if cell_len(text[:end]) <= cells)


@contextmanager
def progress(label: str, quiet: bool) -> Iterator[Told]:
    """A bar on standard error while long work lasts; nothing in a pipe."""
    if quiet or sys.stderr is None or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)

        def tell_bar(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield tell_bar
