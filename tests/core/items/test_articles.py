"""Which article pages are asked for, and what they add to their items."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from tests.make import utc

from storyheat.core.items.articles import (
    ArticleParams,
    Candidate,
    ReadArticle,
    Visit,
    address_keys,
    take_articles,
    worth_a_visit,
)
from storyheat.core.items.facts import Item
from storyheat.core.model import Failure, FailureKind, ItemId, Published, SourceId, Url

NOON = utc("2026-10-26 12:00")
HOUR = timedelta(hours=1)
TEXT = "The bridge over the river opens after nine years of work."


def item(name: str, **fields: Any) -> Item:
    url = Url(f"https://wire.example/{name}")
    defaults: dict[str, Any] = {
        "id": ItemId(name), "identity": f"wire.example/{name}", "url": url, "title": "The bridge opens", "summary": "",
        "text": "", "html": "", "language": None, "source": SourceId("wire"), "author": None, "publisher": None,
        "publisher_url": None, "published": Published(NOON - HOUR), "first_seen_at": NOON,
        "effective_at": NOON - HOUR, "effective_because": "the published time", "backlog": False,
    }  # fmt: skip
    return Item(**(defaults | fields))


def visit(of: Item, **read: Any) -> Visit:
    assert of.url is not None
    return Visit(Candidate(of), of.url, ReadArticle(**({"text": TEXT, "title": "The bridge opens"} | read)))


# -- which ------------------------------------------------------------------------------------------


def test_the_newest_are_asked_first_and_not_too_many() -> None:
    some = [Candidate(item(f"i{n}", effective_at=NOON - n * HOUR)) for n in (3, 1, 2)]
    chosen = worth_a_visit([*some, Candidate(item("i0", effective_at=NOON - HOUR))], NOON, ArticleParams(max_per_run=3))
    assert [one.item.id for one in chosen] == ["i0", "i1", "i2"]


def test_what_has_a_text_or_no_address_or_is_old_is_not_asked_for() -> None:
    old = item("old", effective_at=NOON - timedelta(days=8))
    assert worth_a_visit([Candidate(one) for one in (item("a", text="x"), item("b", url=None), old)], NOON) == []


def test_a_failed_page_waits_and_a_finished_one_is_left() -> None:
    waiting = Candidate(item("a"), 1, NOON + HOUR)
    assert worth_a_visit([waiting, Candidate(item("b"), 1, None)], NOON) == []
    assert worth_a_visit([waiting], NOON + HOUR) == [waiting]


# -- what they add ------------------------------------------------------------------------------------


def test_a_text_is_stored_and_the_page_never_asked_for_again() -> None:
    one = visit(item("a"), etag='"x"', canonical=Url("https://wire.example/a"))
    intake = take_articles([one], {}, NOON)
    assert intake.changed[ItemId("a")].text == TEXT
    assert intake.revisions == []  # the item is new in this very run
    (record,) = intake.records
    assert (record.outcome, record.next_try_at, record.etag, record.address_key) == (
        "read", None, '"x"', "wire.example/a",
    )  # fmt: skip
    assert address_keys([one]) == {"wire.example/a"}


def test_a_text_that_comes_later_is_a_revision() -> None:
    old = item("a", first_seen_at=NOON - HOUR, published=None, effective_at=NOON - HOUR, backlog=True, title="")
    intake = take_articles([visit(old, published=Published(NOON - 5 * HOUR))], {}, NOON)
    assert [(one.field, one.before, one.after) for one in intake.revisions] == [
        ("title", "", "The bridge opens"),
        ("text", "", TEXT),
        ("effective_at", "2026-10-26T11:00:00Z", "2026-10-26T07:00:00Z"),
        ("backlog", "1", "0"),
    ]


def test_the_page_dates_only_what_its_feed_does_not() -> None:
    page = Published(NOON - 9 * HOUR)
    dated = take_articles([visit(item("a"), published=page)], {}, NOON).changed[ItemId("a")]
    assert dated.effective_at == NOON - HOUR
    undated = item("a", published=None, effective_at=NOON, backlog=True)
    changed = take_articles([visit(undated, published=page)], {}, NOON).changed[ItemId("a")]
    assert (changed.effective_at, changed.published, changed.backlog) == (page.at, page, False)
    assert changed.effective_because == "the published time; the article's page gave it"
    ahead = take_articles([visit(undated, published=Published(NOON + HOUR))], {}, NOON).changed[ItemId("a")]
    assert ahead.backlog


def test_a_failure_is_tried_three_times() -> None:
    failure = Failure(FailureKind.TIMEOUT, "too slow")
    tries = []
    for attempts in range(3):
        one = Visit(Candidate(item("a"), attempts), Url("https://wire.example/a"), failure=failure)
        (record,) = take_articles([one], {}, NOON).records
        tries.append((record.outcome, record.attempts, record.next_try_at))
    assert tries == [("failed", 1, NOON + HOUR), ("failed", 2, NOON + 2 * HOUR), ("failed", 3, None)]


def test_a_page_about_something_else_gives_nothing() -> None:
    one = visit(
        item("a"), text="We value your privacy.", title="Before you continue", canonical=Url("https://x.example/")
    )
    intake = take_articles([one], {}, NOON)
    assert intake.changed == {}
    assert intake.records[0].outcome == "no_text"


def test_a_new_item_with_the_address_of_a_known_one_is_that_item() -> None:
    known = item("known", first_seen_at=NOON - HOUR, effective_at=NOON - HOUR, text="")
    new = item("new", identity="m.wire.example/x", effective_at=NOON - 2 * HOUR)
    intake = take_articles(
        [visit(new, canonical=Url("https://wire.example/known"))], {"wire.example/known": known}, NOON
    )
    assert intake.folded == {"new": "known"}
    assert intake.changed.keys() == {"known"}
    assert intake.changed[ItemId("known")].effective_at == NOON - 2 * HOUR
    assert intake.changed[ItemId("known")].text == TEXT
    assert [one.field for one in intake.revisions] == ["effective_at", "text"]
    assert intake.records[0].item == "known"


def test_an_item_that_stands_in_a_story_stays_itself() -> None:
    known, older = item("known"), item("older", first_seen_at=NOON - HOUR)
    intake = take_articles(
        [visit(older, canonical=Url("https://wire.example/known"))], {"wire.example/known": known}, NOON
    )
    assert intake.folded == {}
    assert intake.records[0].item == "older"


def test_two_new_items_of_one_address_are_one() -> None:
    first, second = item("a", effective_at=NOON - 3 * HOUR), item("b")
    address = Url("https://wire.example/the-bridge")
    intake = take_articles([visit(second, canonical=address), visit(first, canonical=address)], {}, NOON)
    assert intake.folded == {"b": "a"}
    assert [record.item for record in intake.records] == ["a", "a"]


def test_folding_follows_a_chain() -> None:
    a, b = item("a"), item("b", effective_at=NOON - 2 * HOUR)
    root = item("root", first_seen_at=NOON - HOUR)
    known = {"wire.example/b": b, "wire.example/root": root}
    visits = [visit(b, canonical=Url("https://wire.example/root")), visit(a, canonical=Url("https://wire.example/b"))]
    intake = take_articles(visits, known, NOON)
    assert intake.folded == {"b": "root", "a": "root"}
    later = replace(a, effective_at=NOON - 4 * HOUR)
    visits = [
        visit(b, canonical=Url("https://wire.example/root")),
        visit(later, canonical=Url("https://wire.example/b")),
    ]
    intake = take_articles(visits, known, NOON)
    assert intake.folded == {"a": "b", "b": "root"}
    assert {record.item for record in intake.records} == {"root"}


def test_an_address_that_differing_articles_give_is_nobodys() -> None:
    section = Url("https://wire.example/news")
    one = visit(item("a"), canonical=section)
    other = visit(item("b", title="Apple harvest fails"), canonical=section, title="Apple harvest fails")
    intake = take_articles([one, other], {}, NOON)
    assert intake.folded == {}
    assert [record.address_key for record in intake.records] == [None, None]
    known = item("news", title="Apple harvest fails", first_seen_at=NOON - HOUR)
    intake = take_articles([one], {"wire.example/news": known}, NOON)
    assert intake.folded == {}
    assert intake.records[0].address_key is None
