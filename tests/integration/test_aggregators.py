"""Aggregators and communities through the whole pipeline: one article, one item, and the voice of who published it."""

from base64 import urlsafe_b64encode
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from tests.fakes import ScriptedFetcher
from tests.make import feed_url, source, utc
from tests.runs import Runs, new_database, pipeline_of

from storyheat.core.model import Source, StoryId, Url
from storyheat.store.database import Database
from storyheat.store.evidence import evidence_of

NOW = utc("2026-11-10 12:00")
ARTICLE = "https://paper.example/2026/bridge"
DATE = "<pubDate>Tue, 10 Nov 2026 09:00:00 GMT</pubDate>"
POST = "https://www.reddit.com/r/harbours/comments/{}/bridge/"
SENT = 'submitted by <a href="https://www.reddit.com/user/dora"> /u/dora </a> <a href="{}">[link]</a> <a>[comments]</a>'

PAPER = source("paper", site=Url("https://paper.example/"))
FINDER = source("finder", site=Url("https://news.google.com/"), aggregator=True)
BOARD = source("board", site=Url("https://board.example/"), community=True)


def rss(*items: str) -> bytes:
    return f'<rss version="2.0"><channel><title>T</title>{"".join(items)}</channel></rss>'.encode()


def item(title: str, link: str, more: str = "") -> str:
    return f"<item><title>{title}</title><link>{escape(link)}</link>{more}{DATE}</item>"


def google(address: str) -> str:
    told = b"\x08\x13\x22" + bytes([len(address)]) + address.encode()
    return f"https://news.google.com/rss/articles/{urlsafe_b64encode(told).decode().rstrip('=')}?oc=5"


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = new_database(tmp_path)
    yield opened
    opened.close()


def polled(database: Database, documents: dict[Source, bytes]) -> list[tuple[Any, ...]]:
    """The items of one run, by title: (title, url, source, summary)."""
    fetcher = ScriptedFetcher({feed_url(one.id): body for one, body in documents.items()})
    Runs(pipeline_of(database, fetcher, documents)).at(NOW)
    with database.read() as connection:
        found = connection.exec_driver_sql("SELECT title, url, source_id, summary FROM item ORDER BY title, source_id")
        return [tuple(row) for row in found]


def voices(database: Database, *sources: Source) -> list[str]:
    with database.read() as connection:
        stories = [StoryId(row[0]) for row in connection.exec_driver_sql("SELECT id FROM story")]
        found = evidence_of(connection, stories, {one.id: one for one in sources})
    return sorted({item.voice for evidence in found.values() for item in evidence.items})


def test_google_news_and_its_publisher_are_one_item_and_one_voice(database: Database) -> None:
    headlines = (
        "<ol><li><a href='x'>Harbour bridge closes</a> The Paper</li><li><a href='y'>Others</a> Gazette</li></ol>"
    )
    named = item("Rates rise again - The Gazette", "https://news.google.com/rss/articles/" + "b" * 30,
                 '<source url="https://gazette.example">The Gazette</source>')  # fmt: skip
    found = polled(
        database,
        {
            PAPER: rss(item("Harbour bridge closes", ARTICLE)),
            FINDER: rss(
                item(
                    "Harbour bridge closes - The Paper",
                    google(ARTICLE),
                    f"<description>{escape(headlines)}</description>",
                ),
                named,
            ),
        },
    )
    assert [(title, where) for title, _, where, _ in found] == [
        ("Harbour bridge closes", "paper"),
        ("Rates rise again", "finder"),
    ]
    assert found[0][1] == ARTICLE
    assert voices(database, PAPER, FINDER) == ["The Gazette", "paper"]


def test_a_post_that_links_to_an_article_is_that_article(database: Database) -> None:
    link_only = f"<description>{escape(SENT.format(ARTICLE))}</description>"
    own = f"<description>{escape('<p>I saw it close.</p> ' + SENT.format(POST.format(2)))}</description>"
    author = "<dc:creator>/u/dora</dc:creator>"
    found = polled(
        database,
        {
            PAPER: rss(item("Harbour bridge closes", ARTICLE)),
            BOARD: rss(
                item("The bridge is closed", POST.format(1), link_only + author),
                item("At the harbour today", POST.format(2), own + author),
            ),
        },
    )
    assert [(title, where, summary) for title, _, where, summary in found] == [
        ("At the harbour today", "board", "I saw it close."),
        ("Harbour bridge closes", "paper", ""),
    ]
    assert voices(database, PAPER, BOARD) == ["board/dora", "paper"]


@pytest.mark.parametrize(("aggregator", "expected"), [(False, ["board/dora"]), (True, ["paper.example"])])
def test_a_feed_of_links_counts_by_author_or_by_linked_host(
    database: Database, aggregator: bool, expected: list[str]
) -> None:
    board = source("board", site=Url("https://board.example/"), community=True, aggregator=aggregator)
    points = "<p>Article URL: <a href='x'>x</a></p><p>Comments URL: <a href='y'>y</a></p><p>Points: 7</p>"
    text = f"<description>{escape(points)}</description><dc:creator>dora</dc:creator>"
    found = polled(database, {board: rss(item("Harbour bridge closes", ARTICLE, text))})
    assert found == [("Harbour bridge closes", ARTICLE, "board", "")]
    assert voices(database, board) == expected
