"""Who speaks: owners, authors of communities, publishers behind aggregators."""

import pytest

from storyheat.core.items.voices import publisher_index, voice_of
from storyheat.core.model import Source, SourceId, Url


def source(name: str, owner: str | None = None, site: str | None = None, **kind: bool) -> Source:
    """A source whose id is its name in lower case."""
    ident = name.lower().replace(" ", "-")
    return Source(
        id=SourceId(ident),
        name=name,
        owner=owner or ident,
        feeds=(),
        site=None if site is None else Url(site),
        community=kind.get("community", False),
        aggregator=kind.get("aggregator", False),
    )


HERALD = source("The Herald", "herald-group", "https://www.herald.example/news")
FORUM = source("Forum", site="https://forum.example/", community=True)
FINDER = source("Finder", site="https://finder.example/", aggregator=True)
BLOG_A = source("Blog A", site="https://platform.example/a")
BLOG_B = source("Blog B", site="https://platform.example/b")
PUBLISHERS = publisher_index([HERALD, FORUM, FINDER, BLOG_A, BLOG_B])


def test_sources_of_one_owner_are_one_voice() -> None:
    evening = source("Evening Herald", "herald-group")
    assert voice_of(HERALD, "Somebody", None, None, {}) == voice_of(evening, None, "X", None, {}) == "herald-group"


@pytest.mark.parametrize(
    ("author", "voice"),
    [
        ("dora", "forum/dora"),
        ("  two \n words ", "forum/two words"),
        (None, "forum"),
        (" ", "forum"),
        ("u/dora", "forum/dora"),
        ("/u/[deleted]", "forum"),
        ("[removed]", "forum"),
    ],
)
def test_in_a_community_the_author_speaks_and_the_unsigned_are_one(author: str | None, voice: str) -> None:
    assert voice_of(FORUM, author, None, None, PUBLISHERS) == voice


@pytest.mark.parametrize(
    ("publisher", "url", "voice"),
    [
        ("Daily Star", "https://star.example", "Daily Star"),
        (" Daily  Star ", None, "Daily Star"),
        (None, "https://www.star.example/x", "star.example"),
        ("Herald, The", "https://herald.example", "herald-group"),
        ("the herald", None, "herald-group"),
        ("Some blog", "https://platform.example/a", "Some blog"),
        ("Forum", "https://forum.example/", "Forum"),
        (None, None, "finder"),
        (None, "not an address", "finder"),
    ],
)
def test_in_an_aggregator_the_publisher_speaks_with_its_own_voice(
    publisher: str | None, url: str | None, voice: str
) -> None:
    assert voice_of(FINDER, "An Author", publisher, None if url is None else Url(url), PUBLISHERS) == voice


@pytest.mark.parametrize(
    ("link", "voice"),
    [
        ("https://www.herald.example/2026/bridge", "herald-group"),
        ("https://star.example/1", "star.example"),
        ("https://news.finder.example/item?id=1", "finder"),
        (None, "finder"),
    ],
)
def test_where_no_publisher_is_named_the_linked_host_speaks(link: str | None, voice: str) -> None:
    assert voice_of(FINDER, "dora", None, None, PUBLISHERS, None if link is None else Url(link)) == voice


@pytest.mark.parametrize(
    ("publisher", "url", "voice"),
    [
        ("Finder", "https://finder.example", "finder"),  # names itself
        ("Finder", "https://finder.example/?hl=en", "finder"),
        ("The Gazette", "https://finder.example/publishers/gazette", "The Gazette"),
        (None, "https://www.google.com/amp/s/www.herald.example/a", "herald-group"),
        ("Gazette", "javascript:x", "Gazette"),
    ],
)
def test_an_aggregator_is_no_publisher(publisher: str | None, url: str, voice: str) -> None:
    assert voice_of(FINDER, None, publisher, Url(url), PUBLISHERS, Url("https://finder.example/1")) == voice


def test_a_post_of_an_aggregators_own_community_speaks_for_its_author() -> None:
    board = source("Board", site="https://board.example/", community=True, aggregator=True)
    assert voice_of(board, "/u/dora", None, None, {}, Url("https://board.example/t/1")) == "board/dora"
    assert voice_of(board, "/u/dora", None, None, {}, Url("https://star.example/1")) == "star.example"


def test_a_host_or_name_of_several_owners_names_nobody() -> None:
    assert PUBLISHERS == {
        "herald.example": "herald-group",
        "the herald": "herald-group",
        "blog a": "blog-a",
        "blog b": "blog-b",
    }
