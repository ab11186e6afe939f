"""Which settings make a document be read anew."""

from dataclasses import replace

import pytest
from tests.make import source

from storyheat.core.feeds.reading import reading_of
from storyheat.core.model import Feed, Selectors, Source, Url

WIRE = source("wire")
FEED = Feed(Url("https://wire.example/news"), "html", Selectors("li"))


@pytest.mark.parametrize(
    ("other", "feed", "entries", "same"),
    [
        (WIRE, FEED, 100, True),
        (replace(WIRE, name="Other", weight=2.0, topics=("a",)), replace(FEED, fulltext=True), 100, True),
        (WIRE, replace(FEED, select=Selectors("li", date="i")), 100, False),
        (WIRE, replace(FEED, kind="auto", select=None), 100, False),
        (replace(WIRE, timezone="Asia/Shanghai"), FEED, 100, False),
        (replace(WIRE, aggregator=True), FEED, 100, False),
        (WIRE, FEED, 101, False),
    ],
)
def test_what_changes_the_reading(other: Source, feed: Feed, entries: int, same: bool) -> None:
    assert (reading_of(other, feed, entries) == reading_of(WIRE, FEED, 100)) is same
