"""Which entries are the same article: keys of a document's entries, and what is recognised of them."""

from dataclasses import replace
from datetime import datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.make import entry, utc

from storyheat.core.items.identity import (
    Claim,
    KnownEntry,
    Recognised,
    claims,
    content_sha,
    entry_id,
    item_id,
    recognise,
    story_id,
)
from storyheat.core.model import Entry, ItemId, SourceId, Url

WIRE = SourceId("wire")
SITE = Url("https://wire.example/")
AT = utc("2026-10-26 08:00")
LATER = utc("2026-10-27 08:00")


def claimed(*entries: Entry) -> tuple[Claim, ...]:
    return claims(entries, WIRE, [SITE])


def known(claim: Claim, number: int = 1, feed: int = 1) -> KnownEntry:
    """The entry that is stored of a claim met for the first time."""
    date = claim.entry.published.at if claim.entry.published else None
    item = item_id(claim.identity)
    title = claim.entry.title or ""
    return KnownEntry(number, feed, claim.entry_key, item, claim.guid, claim.link_key, title, date)


def meant(stored: list[KnownEntry], *entries: Entry) -> list[int | str | None]:
    """What the entries of a document mean: the number of a stored entry, an item, or None for news.

    All that is stored stood in the listing before.
    """
    found = recognise(claimed(*entries), 1, lambda claim: stored, [one.id for one in stored])
    return [one.entry.id if one.entry else one.item for one in found]


def a(number: int, **fields: object) -> Entry:
    """An article with an address of its own."""
    return entry(f"Title {number}", f"https://wire.example/a/{number}", at=AT, **fields)  # type: ignore[arg-type]


# -- the keys of a document -----------------------------------------------------------------------


def test_an_address_makes_the_identity_and_a_guid_the_entry() -> None:
    (claim,) = claimed(a(1, guid="g1"))
    assert (claim.identity, claim.entry_key, claim.guid) == ("wire.example/a/1", "guid g1", "g1")


def test_without_a_guid_the_address_is_the_key() -> None:
    (claim,) = claimed(a(1))
    assert (claim.identity, claim.entry_key, claim.guid) == ("wire.example/a/1", "link wire.example/a/1", None)


def test_without_an_address_the_guid_makes_the_identity_within_its_source() -> None:
    (claim,) = claimed(entry("Note", guid="g1"))
    assert (claim.identity, claim.link_key) == ("wire guid g1", None)


def test_without_either_title_and_date_do() -> None:
    one, other, again = (entry("Note", at=AT), entry("Note", at=LATER), entry("Note", at=AT))
    first, second = claimed(one, other, again)  # an element repeated word for word comes once
    assert first.identity.startswith("wire text ")
    assert first.identity != second.identity


def test_without_a_date_either_the_title_does() -> None:
    assert len(claimed(entry("One"), entry("Two"), entry("One"))) == 2


def test_a_link_to_the_home_page_is_no_article() -> None:
    found = claimed(entry("One", "https://www.wire.example", guid="1"), entry("Two", SITE, guid="2"))
    assert [claim.identity for claim in found] == ["wire guid 1", "wire guid 2"]


def test_a_link_shared_by_different_entries_tells_nothing() -> None:
    live = "https://wire.example/live"
    found = claimed(entry("One", live, guid="1"), entry("Two", live, guid="2"), entry("Three", live))
    assert [claim.link_key for claim in found] == [None] * 3
    assert len({claim.identity for claim in found}) == 3


@pytest.mark.parametrize(("decoration", "articles"), [("?utm_source=list", 1), ("#next", 2), ("?id=7", 2)])
def test_a_guid_that_is_the_address_once_more_makes_no_other_article(decoration: str, articles: int) -> None:
    address = "https://wire.example/a/1"
    twice = [entry(f"Title, {at}", f"{address}{end}", guid=f"{address}{end}") for at, end in ((8, ""), (9, decoration))]
    found = claimed(*twice)
    assert len({claim.entry_key for claim in found}) == 2
    assert len({claim.identity for claim in found}) == articles


def test_one_article_decorated_twice_in_a_document_is_one_article_with_two_entries() -> None:
    link = "https://wire.example/n/5"
    found = claimed(
        entry("One", f"{link}?utm_source=rss", guid="1", at=AT), entry("One", f"{link}#top", guid="2", at=AT)
    )
    assert [claim.identity for claim in found] == ["wire.example/n/5"] * 2
    assert [claim.entry_key for claim in found] == ["guid 1", "guid 2"]


def test_untitled_posts_that_share_an_address_stay_apart() -> None:
    live = "https://wire.example/live"
    assert len({claim.identity for claim in claimed(entry(None, live, guid="1"), entry(None, live, guid="2"))}) == 2


def test_a_guid_shared_in_one_document_is_none() -> None:
    found = claimed(a(1, guid="daily"), a(2, guid="daily"))
    assert [claim.guid for claim in found] == [None, None]
    assert [claim.entry_key for claim in found] == ["guid daily wire.example/a/1", "guid daily wire.example/a/2"]


def test_a_guid_shared_without_addresses_leaves_title_and_date() -> None:
    found = claimed(entry("One", guid="x", at=AT), entry("Two", guid="x", at=AT))
    assert len({claim.identity for claim in found}) == 2


# -- what is recognised ---------------------------------------------------------------------------


def test_the_same_document_again_is_recognised_whole() -> None:
    entries = (a(1, guid="g1"), a(2), entry("Note", guid="g3"), entry("Note", at=AT))
    stored = [known(claim, number) for number, claim in enumerate(claimed(*entries))]
    assert meant(stored, *entries) == [0, 1, 2, 3]


def test_a_moved_address_is_recognised_by_its_guid() -> None:
    (claim,) = claimed(a(1, guid="g1"))
    assert meant([known(claim)], a(2, guid="g1")) == [1]


def test_a_rotated_guid_is_recognised_by_its_address() -> None:
    (claim,) = claimed(a(1, guid="?p=1"))
    assert meant([known(claim)], a(1, guid="?p=2")) == [1]


def test_unless_the_document_shows_both_guids() -> None:
    (old,) = claimed(a(1, guid="g1"))
    item = item_id(old.identity)
    for order in ((1, 2), (2, 1)):
        entries = [a(1, guid=f"g{number}") for number in order]
        assert meant([known(old)], *entries) == [1 if number == 1 else item for number in order]


def test_a_counter_used_again_is_another_article() -> None:
    (old,) = claimed(a(1, guid="3"))
    assert meant([known(old)], entry("New", "https://wire.example/a/9", guid="3", at=LATER)) == [None]


@pytest.mark.parametrize(
    "now",
    [
        entry("New", "https://wire.example/a/1", guid="3", at=LATER),  # retitled
        entry("Title 1", "https://wire.example/a/9", guid="3", at=LATER),  # moved
        entry("New", "https://wire.example/a/9", guid="3", at=AT),  # retitled and moved, with its old date
        entry("New", guid="3", at=LATER),  # without an address nothing says otherwise
    ],
)
def test_an_edited_article_with_a_counter_is_not(now: Entry) -> None:
    (old,) = claimed(a(1, guid="3"))
    assert meant([known(old)], now) == [1]


@pytest.mark.parametrize(
    "guid",
    [
        "https://wire.example/?p=3",
        "tag:wire.example,2026:3",
        "urn:uuid:3",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "{F81D4FAE7DEC11D0A76500A0C91E6BF6}",
        "wire:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "507f1f77bcf86cd799439011",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "yt:video:dQw4w9WgXcQ",
        "1729382256910270464",
    ],
)
def test_an_address_a_urn_or_what_was_drawn_at_random_names_one_article_for_good(guid: str) -> None:
    (old,) = claimed(a(1, guid=guid))
    assert meant([known(old)], entry("New", "https://wire.example/a/9", guid=guid, at=LATER)) == [1]


@pytest.mark.parametrize(
    "guid",
    [
        "3",
        "post-3",
        "2026-11-30-3",
        "ArticleNumber00000000007",
        "00000000000000000007",
        "20261130T081500Z",
        "market-update-no-12",
    ],
)
def test_what_is_counted_or_named_by_the_day_may_be_used_again(guid: str) -> None:
    (old,) = claimed(a(1, guid=guid))
    assert meant([known(old)], entry("New", "https://wire.example/a/9", guid=guid, at=LATER)) == [None]


def test_guids_that_are_dealt_anew_leave_address_and_title() -> None:
    def dealt(first: int) -> list[Entry]:
        return [a(number, guid=f"{first + number}-abc") for number in (1, 2, 3)]

    stored = [known(claim, number) for number, claim in enumerate(claimed(*dealt(0)), start=1)]
    assert meant(stored, *dealt(1)) == [1, 2, 3]


def look(query: str = "", title: str = "Rates rise", at: datetime | None = AT, guid: str | None = None) -> Entry:
    return entry(title, f"https://wire.example/x{query}", guid=guid, at=at)


@pytest.mark.parametrize("guids", [("1-abc", "2-abc"), (None, None), ("1-abc", None)])
@pytest.mark.parametrize("at", [AT, None])
@pytest.mark.parametrize("queries", [("?z=1", "?z=2"), ("?sid=1", "?sid=2"), ("", "?z=2"), ("?id=5&z=1", "?z=2&id=5")])
def test_an_article_whose_guid_and_query_change_with_each_poll_is_one(
    queries: tuple[str, str], at: datetime | None, guids: tuple[str | None, str | None]
) -> None:
    other = entry("Rates fall", "https://wire.example/y?z=1", at=at)
    old, same = claimed(look(queries[0], at=at, guid=guids[0]), other)
    now = look(queries[1], at=at, guid=guids[1])
    assert meant([known(old, 1), known(same, 2)], other, now) == [2, 1]
    assert recognise(claimed(now), 1, lambda claim: [known(old)]) == (Recognised(None, None),)  # long gone


def test_an_article_without_address_whose_guid_changes_with_each_poll_is_one_if_it_is_dated() -> None:
    for at, means in ((AT, 1), (None, None)):
        (old,) = claimed(entry("Note", guid="1-abc", at=at))
        assert meant([known(old)], entry("Note", guid="2-abc", at=at)) == [means]


def test_different_articles_of_one_title_stay_apart() -> None:
    (old,) = claimed(look("?z=1"))
    for now in (
        look("?z=2", at=LATER),  # another day
        look("?z=2", at=None),
        look("?z=2", "Rates rise again"),
        entry("Rates rise", "https://wire.example/z?z=1", at=AT),
    ):
        assert meant([known(old)], now) == [None]
    assert meant([known(old)], look("?z=1"), look("?z=2")) == [1, None]  # side by side
    assert meant([known(old)], look("?z=2"), look("?z=3")) == [None, None]  # which of them would it be?
    for name in ("id", "p", "newsid", "page", "slug", "article", "story_id", "date", "v"):
        (numbered,) = claimed(look(f"?{name}=1", at=None))
        assert meant([known(numbered)], look(f"?{name}=2", at=None)) == [None]


def test_an_address_known_from_elsewhere_goes_before_a_face() -> None:
    (old,), (elsewhere,) = claimed(look("?z=1")), claimed(look("?z=2"))
    assert meant([known(old, 1), known(elsewhere, 2, feed=2)], look("?z=2")) == [item_id("wire.example/x?z=2")]


def test_of_two_articles_with_one_guid_the_address_chooses() -> None:
    one, two = claimed(a(1, guid="u:1"))[0], claimed(a(2, guid="u:1"))[0]
    stored = [known(one, 1), replace(known(two, 2), title="Title 1")]
    assert meant(stored, a(2, guid="u:1")) == [2]


def test_an_entry_of_another_feed_gives_the_item_only() -> None:
    (elsewhere,) = claimed(a(1, guid="g1"))
    stored = [known(elsewhere, feed=2)]
    assert meant(stored, a(1, guid="g1"), a(2, guid="g2")) == [item_id("wire.example/a/1"), None]


def test_a_guid_of_another_feed_says_nothing() -> None:
    (elsewhere,) = claimed(a(1, guid="1"))
    assert meant([known(elsewhere, feed=2)], a(2, guid="1")) == [None]


FEW_ENTRIES = st.lists(
    st.builds(
        lambda title, link, guid, at: entry(title, link and f"https://wire.example/{link}", guid=guid, at=at),
        st.sampled_from(["A", "B", None]),
        st.sampled_from(["", "1", "2", None]),
        st.sampled_from(["x", "y", "z", None]),
        st.sampled_from([AT, LATER, None]),
    ),
    max_size=6,
)


@given(FEW_ENTRIES, st.randoms(use_true_random=False))
def test_the_order_of_a_document_does_not_change_which_articles_it_holds(entries: list[Entry], random: Random) -> None:
    shuffled = list(entries)
    random.shuffle(shuffled)
    assert {claim.identity for claim in claimed(*entries)} == {claim.identity for claim in claimed(*shuffled)}


@given(FEW_ENTRIES)
def test_a_document_stored_and_read_again_holds_nothing_new(entries: list[Entry]) -> None:
    first = claimed(*entries)
    stored = [known(claim, number) for number, claim in enumerate(first)]
    again: list[Recognised[KnownEntry]] = list(recognise(first, 1, lambda claim: stored))
    assert [one.entry for one in again] == stored


# -- ids ------------------------------------------------------------------------------------------


def test_ids_are_short_and_stable() -> None:
    item = item_id("wire.example/a/1")
    assert item == ItemId("iyrq6limbake")
    assert story_id(item) == "s" + item[1:]


def test_entry_ids_are_positive_numbers_that_sql_can_hold() -> None:
    numbers = {entry_id(Url("https://wire.example/feed"), WIRE, f"guid {number}") for number in range(100)}
    assert len(numbers) == 100
    assert all(0 <= number < 2**63 for number in numbers)


def test_dates_are_no_part_of_what_an_entry_says() -> None:
    assert content_sha(entry("A", at=AT)) == content_sha(entry("A", at=LATER)) != content_sha(entry("B", at=AT))
