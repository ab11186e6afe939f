"""Runs the command line: inside the test, as a pipe would see it, or on a terminal of its own."""

import io
import json
import os
import pty
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from storyheat.cli import main
from storyheat.present import schemas

_STYLE = re.compile(r"\x1b\[[0-9;]*m")  # bold and dim stay where colours are switched off


@dataclass(frozen=True)
class Outcome:
    """What one command left: its exit code and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The object it printed, checked against the schema that it names."""
        value = json.loads(self.out)
        name = value["schema"].removeprefix("storyheat.")
        Draft202012Validator(schemas.schema(name)).validate(value)
        return value


def storyheat(*arguments: str | Path, tz: str | None = "UTC") -> Outcome:
    """`storyheat ARGUMENTS --tz TZ`, without the zone where that is None."""
    given = [str(argument) for argument in arguments] + ([] if tz is None else [f"--tz={tz}"])
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = main(given)
    return Outcome(code, out.getvalue(), err.getvalue())


def on_terminal(*arguments: str, columns: int) -> str:
    """What the command writes to a terminal of that width."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm-256color", "NO_COLOR": "1", "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "storyheat", *arguments, "--tz=UTC"]
    with subprocess.Popen(command, stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        written = b""
        try:
            while piece := os.read(ours, 65_536):
                written += piece
        except OSError:  # Linux says so when the last writer is gone
            pass
        assert process.wait() == 0
    os.close(ours)
    return written.decode().replace("\r\n", "\n")


def plain(line: str) -> str:
    """A line without its styles."""
    return _STYLE.sub("", line)
