"""Where a site's rules stand, and how long they hold."""

from datetime import timedelta

import pytest
from tests.make import utc

from storyheat.core.feeds.robots import Robots, origin_of, robots_address

NOON = utc("2026-10-26 12:00")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://A.example/x?y#z", "https://a.example/robots.txt"),
        ("HTTP://user:word@a.example:8080/x", "http://a.example:8080/robots.txt"),
    ],
)
def test_the_rules_stand_at_the_root_of_the_origin(url: str, expected: str) -> None:
    assert robots_address(origin_of(url)) == expected


def test_rules_hold_for_a_day_and_silence_for_an_hour() -> None:
    rules, silent = Robots("https://a.example", "", NOON), Robots("https://a.example", None, NOON)
    assert rules.is_fresh(NOON + timedelta(hours=23))
    assert not rules.is_fresh(NOON + timedelta(hours=24))
    assert silent.is_fresh(NOON + timedelta(minutes=59))
    assert not silent.is_fresh(NOON + timedelta(hours=1))
    assert not rules.is_fresh(NOON - timedelta(hours=1))  # the clock ran ahead then
