"""How long what is kept, and what is remembered of what goes."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.make import entry, feed_url, utc

from storyheat.core.items.identity import Claim, claims, entry_id
from storyheat.core.items.retention import DAY, Retention, before, day_of, stride_is_due
from storyheat.core.items.tombstones import Left, keys_left, keys_of_claim
from storyheat.core.model import SourceId

NOON = utc("2026-11-10 12:00")
WIRE, DAILY = SourceId("wire"), SourceId("daily")
PARAMS = Retention()


def test_what_goes_on_a_day_does_not_depend_on_the_hour() -> None:
    assert before(NOON, 30 * DAY) == utc("2026-10-11 00:00")
    assert before(day_of(NOON), 30 * DAY) == before(NOON + timedelta(hours=11), 30 * DAY)
    assert before(NOON, None) is None


def test_a_stride_is_due_when_the_oldest_is_a_third_past_its_span() -> None:
    assert not stride_is_due(None, NOON, 90 * DAY, PARAMS)
    assert not stride_is_due(utc("1970-01-01 00:00"), NOON, None, PARAMS)
    assert not stride_is_due(day_of(NOON) - 120 * DAY, NOON, 90 * DAY, PARAMS)
    assert stride_is_due(day_of(NOON) - 121 * DAY, NOON, 90 * DAY, PARAMS)


def claim(
    link: str | None = None, guid: str | None = None, title: str = "Rates rise", at: datetime | None = NOON
) -> Claim:
    (made,) = claims([entry(title, link, guid=guid, at=at)], WIRE, [])
    return made


def left(one: Claim) -> frozenset[int]:
    """What is left of an item of the feed of `wire` with one entry."""
    at = one.entry.published.at if one.entry.published else None
    entry = Left(feed_url("wire"), WIRE, one.entry_key, one.guid, one.link_key, one.entry.title or "", at)
    return keys_left([one.identity], [entry])


def is_back(one: Claim, gone: Claim, source: SourceId = WIRE) -> bool:
    return not left(gone).isdisjoint(keys_of_claim(one, feed_url(source), source))


LINK, OTHER = "https://wire.example/a/1", "https://wire.example/b"


def test_an_item_is_known_again_by_its_address_wherever_it_is_listed() -> None:
    assert is_back(claim(LINK), claim(LINK))
    assert is_back(claim(f"{LINK}?utm_source=x", "another", "Edited"), claim(LINK, "g1"), DAILY)
    assert not is_back(claim(OTHER), claim(LINK))


@pytest.mark.parametrize("guid", ["tag:wire.example,2026:1", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"])
def test_an_item_is_known_again_by_a_lasting_guid_in_its_feed_only(guid: str) -> None:
    assert is_back(claim(OTHER, guid, "Rates fall", NOON + DAY), claim(LINK, guid))
    assert not is_back(claim(OTHER, guid), claim(LINK, guid), DAILY)


def test_a_guid_that_may_be_used_again_counts_without_an_address_or_with_the_old_title_or_date() -> None:
    assert not is_back(claim(OTHER, "3", "Rates fall", NOON + DAY), claim(LINK, "3"))
    assert not is_back(claim(OTHER, "3", "Rates fall", None), claim(LINK, "3", at=None))
    assert is_back(claim(OTHER, "3", at=NOON + DAY), claim(LINK, "3"))
    assert is_back(claim(OTHER, "3", "Rates fall"), claim(LINK, "3"))
    assert is_back(claim(None, "3"), claim(LINK, "3"))
    assert is_back(claim(None, None), claim(None, None))
    assert not is_back(claim(None, None, "Rates fall"), claim(None, None))


def test_a_dated_face_is_known_again_under_another_query_that_names_no_article() -> None:
    assert is_back(claim(f"{LINK}?x=2", "2-abc"), claim(f"{LINK}?x=1", "1-abc"))
    assert not is_back(claim(f"{LINK}?x=2", "2-abc", at=None), claim(f"{LINK}?x=1", "1-abc", at=None))
    assert not is_back(claim(f"{LINK}?p=2", "2-abc"), claim(f"{LINK}?p=1", "1-abc"))
    assert not is_back(claim(f"{LINK}?x=2", "2-abc", ""), claim(f"{LINK}?x=1", "1-abc", ""))


@given(st.text(max_size=30), st.text(max_size=30))
def test_keys_are_numbers_that_a_database_holds(address: str, guid: str) -> None:
    wire = Left(feed_url("wire"), WIRE, f"guid {guid}", guid, None, "", None)
    daily = Left(feed_url("daily"), DAILY, "x", None, None, "", None)
    keys = keys_left([address], [wire, daily])
    assert len(keys) == 3  # the key of the entry is that of its guid
    assert all(0 <= key < 2**63 for key in keys)
    assert entry_id(feed_url("daily"), DAILY, "x") in keys
