"""What `export` makes of the demo week, letter by letter.

After a change that is meant, then look at the difference:

    STORYHEAT_RENEW_GOLDEN=1 python -m pytest tests/demo/test_export.py
"""

import os
from pathlib import Path

import pytest
from tests.command import storyheat
from tests.demo.conftest import AT, Played

GOLDEN = Path(__file__).parent / "golden"
EXPORTED = {
    "top.csv": ["-n3", "--format=csv"],
    "top.atom": ["-n1", "--format=atom", "--base-url=https://news.example.org"],
    "chinese.rss": ["-n1", "--format=rss", "--language=zh"],
    "topic.json": ["-n1", "--format=jsonfeed", "--topic=business"],
}


@pytest.mark.parametrize("name", EXPORTED)
def test_exports_of_the_demo_are_as_they_were(played: Played, name: str) -> None:
    ran = storyheat("export", *EXPORTED[name], AT, f"--db={played.database}")
    assert (ran.code, ran.err) == (0, "")
    if os.environ.get("STORYHEAT_RENEW_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        (GOLDEN / name).write_text(ran.out, "utf-8")
    assert ran.out == (GOLDEN / name).read_text("utf-8")
