"""The id and name that a new source gets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.feeds.naming import source_id, source_name

HOST = "https://www.keji-bao.example/rss"


@pytest.mark.parametrize(
    ("name", "address", "expected"),
    [
        ("The Torvik Gazette", HOST, "the-torvik-gazette"),
        ("Café « Été » №5", HOST, "cafe-ete-no5"),
        ("示例科技报", HOST, "keji-bao"),
        ("科技每日新闻 AI", HOST, "keji-bao"),  # "ai" alone would be another's name
        (None, "https://feeds.torvik.example/a", "feeds-torvik"),
        ("", "http://127.0.0.1:8000/feed", "127-0-0-1"),
        ("", "http://intranet/feed", "intranet"),
        ("!!!", "no address", "source"),
        ("a" * 99, HOST, "a" * 40),
        ("one two three four five six seven eight nine ten", HOST, "one-two-three-four-five-six-seven-eight"),
        ("Weekly", HOST, "weekly-3"),
    ],
)
def test_an_id(name: str | None, address: str, expected: str) -> None:
    assert source_id(name, address, {"weekly", "weekly-2"}) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  Two\nlines\t here ", "Two lines here"),
        ("<b>bold</b>", "<b>bold</b>"),
        ("a\u202eb\x00c\ufffe", "abc"),
        ("${SECRET}", "${SECRET}"),
        ("x" * 300, "x" * 200),
        (" \u200b ", None),
        (None, None),
    ],
)
def test_a_name(text: str | None, expected: str | None) -> None:
    assert source_name(text) == expected


def test_many_of_one_name_count_on() -> None:
    taken: set[str] = set()
    for _ in range(40):
        taken.add(source_id("Feed", HOST, taken))
    assert taken == {"feed", *(f"feed-{number}" for number in range(2, 41))}


@given(st.text(max_size=300), st.sets(st.text(max_size=5)))
def test_every_name_gives_an_id_that_is_free(name: str, taken: set[str]) -> None:
    made = source_id(name, HOST, taken)
    assert made not in taken
    assert made == made.casefold()
    assert made.replace("-", "").isalnum()
    assert made.isascii()
    assert 0 < len(made) < 50
