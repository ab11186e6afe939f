"""Items of aggregators: the publisher behind a headline, the article behind a link, and whose words a text is."""

import base64

import pytest
from tests.make import entry

from storyheat.core.items.aggregators import article_behind, headline, own_text, relayed

GOOGLE = "https://news.google.com/rss/articles/"
POST = "https://www.reddit.com/r/harbours/comments/1/bridge/"
SENT = 'submitted by <a href="https://www.reddit.com/user/dora">/u/dora</a> <a href="{}">[link]</a> <a>[comments]</a>'


def google_link(address: str, mark: bytes = b"\x08\x13\x22") -> str:
    """A link of Google News as it was made until 2024."""
    size = len(address)
    length = bytes([size]) if size < 128 else bytes([size % 128 + 128, size // 128])
    return (
        GOOGLE
        + base64.urlsafe_b64encode(mark + length + address.encode() + b"\xd2\x01\x00").decode().rstrip("=")
        + "?oc=5"
    )


@pytest.mark.parametrize(
    ("title", "publisher", "link", "expected"),
    [
        ("Bridge closes - The Paper", "The Paper", "https://paper.example/1", ("Bridge closes", "The Paper")),
        ("Bridge – a story | THE PAPER", "The Paper", None, ("Bridge – a story", "The Paper")),
        ("Bridge closes", "The Paper", None, ("Bridge closes", "The Paper")),
        ("Off - limits - The Paper", None, GOOGLE, ("Off - limits", "The Paper")),
        ("Off - limits", None, "https://paper.example/1", ("Off - limits", None)),
        ("Bridge closes (Ann Doe/The Paper)", None, "https://www.techmeme.com/1", ("Bridge closes", "The Paper")),
        ("Bridge closes (again)", None, "https://paper.example/1", ("Bridge closes (again)", None)),
        (None, "The Paper", None, (None, "The Paper")),
    ],
)
def test_the_publisher_is_taken_off_the_title(
    title: str | None, publisher: str | None, link: str | None, expected: tuple[str | None, str | None]
) -> None:
    assert headline(title, publisher, link) == expected


def test_an_entry_is_given_as_its_publisher_would() -> None:
    assert relayed(entry(title="Bridge closes - The Paper", publisher="The Paper")).title == "Bridge closes"


@pytest.mark.parametrize("address", ["https://paper.example/a/1", "https://paper.example/" + "a" * 200])
def test_older_links_of_google_news_carry_the_article(address: str) -> None:
    assert article_behind(google_link(address), "") == address


@pytest.mark.parametrize(
    "link",
    [None, "javascript:x", GOOGLE + "CBMi", google_link("https://paper.example/a/1", b"\x0a\x13\x22"),
     GOOGLE + "A" * 21, GOOGLE + "a" * 24, GOOGLE + "é" * 24, google_link("no address at all"),
     f"https://paper.example/articles/{'a' * 30}"],
)  # fmt: skip
def test_other_links_carry_none(link: str | None) -> None:
    assert article_behind(link, SENT.format("https://paper.example/1")) is None


@pytest.mark.parametrize(
    ("target", "article"),
    [
        ("https://paper.example/1?a=1&amp;b=2", "https://paper.example/1?a=1&b=2"),
        (POST, None),
        ("https://i.redd.it/1.png", None),
        ("https://i.imgur.com/1.gifv", None),
        ("/r/harbours", None),
    ],
)
def test_a_reddit_post_stands_for_the_page_it_links_to(target: str, article: str | None) -> None:
    assert article_behind(POST, SENT.format(target)) == article


@pytest.mark.parametrize(
    ("link", "text", "own"),
    [
        (POST, "submitted by /u/dora\n[link] [comments]", ""),
        (POST, "submitted by dora to harbours\n[link] [275 comments]", ""),
        (POST, "I saw it close.\nsubmitted by /u/dora\n[link] [comments]", "I saw it close."),
        (POST, "See [1]", "See [1]"),
        ("https://paper.example/1", "Comments", ""),
        ("https://lobste.rs/s/abc", "I made it.\nComments", "I made it."),
        ("https://a.example/1", "Article URL: https://a.example/1\nComments URL: https://b.example/2\nPoints: 1", ""),
        ("https://b.example/2", "I made it.\nComments URL: https://b.example/2\n# Comments: 1", "I made it."),
        (GOOGLE + "x", "Bridge closes The Paper\nBridge shut Gazette", ""),
        ("https://paper.example/1", "Comments are closed.", "Comments are closed."),
    ],
)  # fmt: skip
def test_what_the_aggregator_wrote_is_no_text_of_the_item(link: str, text: str, own: str) -> None:
    assert own_text(link, text) == own
