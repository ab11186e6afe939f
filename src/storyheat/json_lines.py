"""Files of JSON lines: one object a line, blank lines left out, mistakes told with their line."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from storyheat.errors import UsageError

MAX_LINE = 10_000_000  # bytes; the same bound as one document from the network


@dataclass(frozen=True, slots=True)
class Line:
    """One line that holds an object."""

    row: dict[str, Any]
    where: str  # `file:line`, for messages
    number: int  # from 1
    offset: int  # bytes before it


def opened(path: Path) -> BinaryIO:
    """The file, opened for reading. Raises UsageError."""
    try:
        return path.open("rb")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error


def lines_of(file: BinaryIO, path: Path) -> Iterator[Line]:
    """The lines of an open file. Raises UsageError naming the line that is no JSON object."""
    number = offset = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        where = f"{path}:{number}"
        if len(line) > MAX_LINE:
            raise UsageError(f"{where}: the line is longer than {MAX_LINE} bytes")
        if line.removeprefix(b"\xef\xbb\xbf").strip():
            yield Line(row_of(line, where), where, number, offset)
        offset += len(line)


def row_of(line: bytes, where: str) -> dict[str, Any]:
    """One line as a JSON object. Raises UsageError."""
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise UsageError(f"{where}: is not UTF-8 (byte {error.start + 1})") from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{where}: is not JSON: {error}") from error
    if not isinstance(row, dict):
        raise UsageError(f"{where}: must be a JSON object, not {type(row).__name__}")
    return row
