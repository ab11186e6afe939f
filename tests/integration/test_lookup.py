"""What is found at an address that someone wants to follow."""

import pytest
from tests.fakes import Answer, ScriptedFetcher
from tests.make import Post, atom, rss, utc

from storyheat.core.addresses.secrets import Secrets
from storyheat.core.model import Url
from storyheat.errors import Ambiguous, StoryheatError, WorkError
from storyheat.ingest.lookup import FoundSource, look_up
from storyheat.ingest.subscriptions import entry_of

HOME = Url("https://torvik.example/")
ONE = rss(Post("A tower of Lego", "https://torvik.example/1", None, text="Twelve metres."))
TWO = rss(Post("A bridge over the Osmer", "https://torvik.example/2", None, text="Closed."))


def page(*links: str) -> str:
    named = "".join(
        f'<link rel="alternate" type="application/rss+xml" title="T{link}" href="{link}">' for link in links
    )
    return f"<!doctype html><html><head><title>Torvik</title>{named}</head><body><p>Hello</p></body></html>"


def found(answers: dict[str, Answer], *, take_first: bool = False, backwards: bool = False) -> FoundSource:
    """What a look at the home page finds; addresses are paths."""
    fetcher = ScriptedFetcher(
        {f"https://torvik.example{path}": it for path, it in answers.items()}, backwards=backwards
    )
    return look_up(HOME, fetcher, utc("2026-11-10 12:00"), Secrets(), take_first=take_first)


def test_a_feed_is_taken_as_it_is() -> None:
    feed = found({"/": rss(site="https://torvik.example/blog")})
    assert (feed.address, feed.site, feed.feed.title) == (HOME, "https://torvik.example/blog", "Sample")


def test_a_lasting_move_is_remembered() -> None:
    moved: Answer = {"body": ONE, "status": 200, "moved_to": Url("https://torvik.example/new")}
    assert found({"/": moved}).address == "https://torvik.example/new"


@pytest.mark.parametrize("backwards", [False, True])
def test_the_first_of_two_that_list_the_same(backwards: bool) -> None:
    same = atom(Post("A tower of Lego", "https://torvik.example/1", utc("2026-11-01 10:00")))
    answers: dict[str, Answer] = {"/": page("/dead", "/atom", "/rss", "/comments"), "/atom": same, "/rss": ONE}
    answers |= {"/comments": TWO, "/dead": "<p>no feed</p>"}
    feed = found(answers, backwards=backwards)
    assert (feed.address, feed.site) == ("https://torvik.example/atom", HOME)


def test_comments_where_there_is_nothing_else() -> None:
    assert found({"/": page("/comments"), "/comments": TWO}).address == "https://torvik.example/comments"


def test_several_are_listed_in_the_order_of_the_page() -> None:
    answers: dict[str, Answer] = {"/": page("/b", "/a"), "/a": ONE, "/b": TWO}
    with pytest.raises(Ambiguous, match=r"names 2 feeds: https://torvik.example/b \(T/b\); https://torvik.example/a "):
        found(answers, backwards=True)
    assert found(answers, take_first=True).address == "https://torvik.example/b"
    many = page(*(f"/{number}" for number in range(6)))
    with pytest.raises(Ambiguous, match="names 6 feeds"):
        found({"/": many})
    assert found({"/": many, "/3": ONE}, take_first=True).address == "https://torvik.example/3"


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({}, "does not resolve"),
        ({"/": page()}, "the page names no feed"),
        ({"/": page("/a")}, r"none of the feeds that the page names can be read \(https://torvik.example/a\)"),
        ({"/": "Just words."}, "torvik.example/: "),
    ],
)
def test_nothing_to_follow(answers: dict[str, Answer], words: str) -> None:
    with pytest.raises(WorkError, match=words):
        found(answers)


def test_no_word_of_a_login() -> None:
    address = Url("https://me:hunter2@torvik.example/")
    for answer in (page(), page("/a"), page(*"abcdef"), "Just words."):
        with pytest.raises(StoryheatError) as caught:
            look_up(address, ScriptedFetcher({address: answer}), utc("2026-11-10 12:00"), Secrets())
        assert "hunter2" not in str(caught.value)


def test_the_entry_of_a_feed() -> None:
    text = ONE.replace("Sample", "Torvik &amp; ${HOME}\u202e").replace(
        "<item>", "<language>no such</language><item>", 1
    )
    feed = found({"/": text.replace("<item>", "<link>https://me:hunter2@torvik.example/</link><item>", 1)})
    assert entry_of(feed, HOME, {}, ["TORVIK-HOME"]) == {
        "id": "torvik-home-2",
        "name": "Torvik & ${HOME}",
        "site": "https://torvik.example/",
        "feeds": [{"url": HOME}],
    }
    given = {"topics": ["a"], "name": "Mine", "language": "no"}
    assert list(entry_of(feed, HOME, given, []).items())[:2] == [("id", "mine"), ("name", "Mine")]
