"""Runs the command line inside the test, as a pipe would see it."""

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from storyheat.cli import main
from storyheat.present import schemas


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
