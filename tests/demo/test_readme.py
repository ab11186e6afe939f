"""The README shows the demo week: each block that begins with `$ storyheat` is what that command prints.

Where the program prints something else now, and should, this renews the README:

    STORYHEAT_RENEW_README=1 python -m pytest tests/demo/test_readme.py
"""

import os
import re
import shlex
from pathlib import Path

from tests.command import on_terminal, plain
from tests.demo.conftest import Played

COLUMNS = 80
CUT = "…\n"  # ends a block that shows the beginning only
_BLOCK = re.compile(r"^```\n\$ storyheat (?P<command>.*)\n(?P<shown>(?:.*\n)*?)```$", re.MULTILINE)


def renewed(text: str, played: Played) -> str:
    """The text with each block as it should be."""

    def renew(block: re.Match[str]) -> str:
        arguments = shlex.split(block["command"])
        place = arguments.index("--db") + 1
        assert arguments[place] == "storyheat-demo.db"
        arguments[place] = str(played.database)
        lines = plain(on_terminal(*arguments, columns=COLUMNS)).splitlines(keepends=True)
        if block["shown"].endswith(CUT):
            lines = [*lines[: block["shown"].count("\n") - 1], CUT]
        printed = "".join(line.rstrip() + "\n" for line in lines)
        return f"```\n$ storyheat {block['command']}\n{printed}```"

    return _BLOCK.sub(renew, text)


def test_the_readme_shows_what_is_printed(root: Path, played: Played) -> None:
    path = root / "README.md"
    text = path.read_text("utf-8")
    assert len(_BLOCK.findall(text)) >= 2
    made = renewed(text, played)
    if os.environ.get("STORYHEAT_RENEW_README") == "1":
        path.write_text(made, "utf-8")
    assert made == text, "the docstring above says how to renew it"
