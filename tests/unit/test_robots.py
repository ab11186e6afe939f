"""What a robots.txt lets us ask for."""

from typing import Any

import pytest
from tests.fakes import Answer, no_host, reply
from tests.make import utc

from storyheat.core.feeds.robots import Robots, robots_address
from storyheat.core.model import Failure, FailureKind, FetchRequest
from storyheat.ingest.robots import objection, read_robots

NOON = utc("2026-10-26 12:00")
ORIGIN = "https://wire.example"
PAGE = f"{ORIGIN}/news/a"


def robots(answer: Answer) -> Robots:
    return read_robots(ORIGIN, reply(FetchRequest(0, robots_address(ORIGIN)), answer), NOON)


@pytest.mark.parametrize(
    ("rules", "allowed"),
    [
        ("User-agent: *\nDisallow: /private/", True),
        ("User-agent: *\nDisallow: /news/", False),
        ("User-agent: *\nDisallow: /\nAllow: /news/", True),
        ("User-agent: *\nDisallow: /\n\nUser-agent: storyheat\nAllow: /", True),
        ("User-agent: Storyheat\nDisallow: /", False),
        ("User-agent: otherbot\nDisallow: /", True),
        ("\ufeffUser-agent: *\r\nDisallow: /*/a$", False),
        ("<html><body>Not here</body></html>", True),
    ],
)
def test_rules_are_obeyed(rules: str, allowed: bool) -> None:
    found = objection(robots(rules), PAGE)
    assert (found is None) is allowed
    if found is not None:
        assert found == Failure(FailureKind.ROBOTS, "the robots.txt of wire.example asks us to leave this page alone")


def status(code: int) -> dict[str, Any]:
    return {"status": code, "failure": Failure(FailureKind.STATUS, f"status {code}")}


@pytest.mark.parametrize(
    ("answer", "allowed"),
    [
        (status(404), True),
        (status(403), True),
        ({"status": 200, "failure": Failure(FailureKind.EMPTY, "empty")}, True),
        (status(429), False),
        (status(503), False),
        (no_host("x"), False),
    ],
)
def test_no_rules_allow_everything_and_no_answer_nothing(answer: Answer, allowed: bool) -> None:
    assert (objection(robots(answer), PAGE) is None) is allowed


def test_endless_rules_end() -> None:
    found = robots("User-agent: *\n" + "Disallow: /*a*b*c*d*e$\n" * 100_000)
    assert found.rules is not None
    assert len(found.rules) == 512_000
    assert objection(found, f"{ORIGIN}/" + "abcd" * 900) is None
