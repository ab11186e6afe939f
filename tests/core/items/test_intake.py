"""From polls to facts: the rules of items, revisions, effective times, attribution and holes, on a small memory."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.make import entry, source, utc

from storyheat.core.feeds.polling import FeedState, Polled, PollParams
from storyheat.core.items.facts import Hole, Intake, Item, Known, Revision, StoredEntry
from storyheat.core.items.intake import read_claims, take_in, tombstone_keys
from storyheat.core.items.tombstones import Left, keys_left
from storyheat.core.model import (
    Entry,
    Failure,
    FailureKind,
    FetchOutcome,
    FetchReply,
    ItemId,
    ParsedFeed,
    Precision,
    Published,
    Source,
    SourceId,
    Url,
)

T0 = utc("2026-11-10 12:00")
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
EARLIER = T0 - 3 * HOUR


class World:
    """What a store would remember between polls, whole, and the revisions in order."""

    def __init__(self, *sources: Source, sites: dict[str, str] | None = None) -> None:
        self.sources = {one.id: one for one in sources}
        self.sites = sites or {}  # what feeds say of themselves
        self.feeds = {
            one.id: FeedState(number, one, feed.url)
            for number, one in enumerate(sources, start=1)
            for feed in one.feeds
        }
        self.items: dict[ItemId, Item] = {}
        self.entries: dict[int, StoredEntry] = {}
        self.revisions: list[Revision] = []
        self.holes: list[Hole] = []
        self.let_go: set[int] = set()

    def forget(self, name: str) -> None:
        """Lets all go that a feed brought, as retention does."""
        feed = self.feeds[SourceId(name)]
        for listed in [one for one in self.entries.values() if one.feed_id == feed.id]:
            del self.entries[listed.id]
            item = self.items.pop(listed.item_id)
            left = Left(
                feed.url, feed.source.id, listed.entry_key, listed.guid, listed.link_key, item.title, listed.claimed_at
            )
            self.let_go |= keys_left([item.identity], [left])

    def poll(self, now: datetime, documents: dict[str, Sequence[Entry] | None], order: int = 1) -> Intake:
        """One run in which these feeds list these entries; None: the feed fails."""
        polls = [self._polled(SourceId(name), listed) for name, listed in documents.items()][::order]
        known = Known(
            entries=tuple(self.entries.values()),
            items=dict(self.items),
            by_identity={item.identity: item.id for item in self.items.values()},
            let_go=frozenset(self.let_go),
        )
        taken = take_in(polls, read_claims(polls), known, self.sources, now, PollParams())
        self.items |= {item.id: item for item in taken.items} | taken.changed_items
        self.entries |= {one.id: one for one in taken.entries} | taken.changed_entries
        self.feeds |= {feed.source.id: feed for feed in taken.feeds}
        self.revisions += taken.revisions
        self.holes += taken.holes
        return taken

    def _polled(self, name: SourceId, listed: Sequence[Entry] | None) -> Polled:
        feed = self.feeds[name]
        if listed is None:
            failed = Failure(FailureKind.DNS, "no host")
            return Polled(feed, FetchReply(feed.id, FetchOutcome.FAILED, feed.url), failure=failed)
        site = self.sites.get(name)
        parsed = ParsedFeed("rss20", None, Url(site) if site else None, None, tuple(listed))
        return Polled(feed, FetchReply(feed.id, FetchOutcome.BODY, feed.url), parsed, "sha")

    @property
    def item(self) -> Item:
        (only,) = self.items.values()
        return only

    @property
    def changes(self) -> list[tuple[str, str | None, str | None, str]]:
        return [(one.field, one.before, one.after, one.because) for one in self.revisions]


def wire(*more: Source) -> World:
    return World(source("wire", site=Url("https://wire.example/")), *more)


def article(
    title: str = "Rates rise", at: datetime | Published | None = EARLIER, number: int = 1, **more: object
) -> Entry:
    return entry(title, f"https://wire.example/a/{number}", guid=f"g{number}", at=at, **more)  # type: ignore[arg-type]


# -- items, entries, revisions --------------------------------------------------------------------


def test_an_item_of_an_aggregator_has_its_publishers_title() -> None:
    world = World(source("finder", aggregator=True))
    world.poll(T0, {"finder": [article("Rates rise - The Paper", publisher="The Paper")]})
    assert (world.item.title, world.item.publisher) == ("Rates rise", "The Paper")


def test_a_new_entry_makes_an_item_of_its_source() -> None:
    world = wire()
    taken = world.poll(T0, {"wire": [article(summary="By a quarter.", text="Long", html="<p>Long</p>", author="Ann")]})
    item = world.item
    assert (item.title, item.summary, item.text, item.html) == ("Rates rise", "By a quarter.", "Long", "<p>Long</p>")
    assert (item.source, item.author, item.url) == ("wire", "Ann", "https://wire.example/a/1")
    assert (item.published, item.first_seen_at, item.effective_at) == (Published(EARLIER), T0, EARLIER)
    assert (item.effective_because, item.backlog) == ("the published time", False)
    (stored,) = taken.entries
    assert (stored.item_id, stored.claimed_at, taken.links) == (item.id, EARLIER, {stored.id: item.url})
    assert taken.new_items_of == {1: 1}


def test_the_same_document_again_adds_nothing() -> None:
    world = wire()
    listed = [article(), article("Two", number=2), entry("Untitled note")]
    world.poll(T0, {"wire": listed})
    again = world.poll(T0 + HOUR, {"wire": listed})
    assert (again.items, again.entries, again.revisions, again.changed_entries) == ([], [], [], {})


def test_an_edit_is_a_revision_and_what_is_left_out_stays() -> None:
    world = wire()
    world.poll(T0, {"wire": [article(summary="Old", text="Whole text")]})
    world.poll(T0 + HOUR, {"wire": [article("Rates fall", summary="New")]})
    assert (world.item.title, world.item.summary, world.item.text) == ("Rates fall", "New", "Whole text")
    because = "edited by its source"
    assert world.changes == [("title", "Rates rise", "Rates fall", because), ("summary", "Old", "New", because)]


def test_guid_and_query_that_change_with_each_poll_make_nothing_new() -> None:
    world = wire()
    for poll in range(4):
        listed = [
            entry(f"Title {n}", f"https://wire.example/{n}?z={poll}", guid=f"{poll + n}-abc", at=EARLIER)
            for n in (1, 2)
        ]
        world.poll(T0 + poll * HOUR, {"wire": listed})
    assert (len(world.items), len(world.entries), world.revisions, world.holes) == (2, 2, [], [])


def test_a_uuid_that_stays_makes_an_edit_of_what_changed_all_at_once() -> None:
    world = wire()
    guid = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
    world.poll(T0, {"wire": [entry("Rates rise", "https://wire.example/rise", guid=guid, at=EARLIER)]})
    world.poll(T0 + HOUR, {"wire": [entry("Rates fall", "https://wire.example/fall", guid=guid, at=T0)]})
    assert (world.item.title, world.item.url, world.item.effective_at) == (
        "Rates fall", "https://wire.example/fall", EARLIER
    )  # fmt: skip


def test_an_edit_elsewhere_changes_nothing() -> None:
    world = wire(source("other"))
    world.poll(T0, {"wire": [article()], "other": [article()]})
    world.poll(T0 + HOUR, {"other": [article("Their headline")]})
    assert world.item.title == "Rates rise"
    assert world.revisions == []


def test_a_moved_article_keeps_its_item_and_gets_its_address() -> None:
    world = wire()
    world.poll(T0, {"wire": [article()]})
    moved = replace(article(), link=Url("https://wire.example/b"), canonical=Url("https://wire.example/b"))
    world.poll(T0 + HOUR, {"wire": [moved]})
    assert world.item.url == "https://wire.example/b"
    assert [(field, after) for field, _, after, _ in world.changes] == [("url", "https://wire.example/b")]


def test_a_query_that_changes_with_every_poll_moves_nothing() -> None:
    world = wire()
    for number in range(3):
        changed = Url(f"https://wire.example/a?session={number}")
        world.poll(T0 + number * HOUR, {"wire": [replace(article(), link=changed, canonical=changed)]})
    assert world.item.url == "https://wire.example/a?session=0"
    assert world.revisions == []


def test_a_rotated_guid_is_kept_up_with() -> None:
    world = wire()
    for number in range(3):
        world.poll(T0 + number * HOUR, {"wire": [replace(article(), guid=f"rotating {number}")]})
    assert [one.guid for one in world.entries.values()] == ["rotating 2"]
    assert world.item.id


def test_a_counter_used_again_is_a_new_item_under_a_longer_key() -> None:
    world = wire()
    for number in range(3):
        at = T0 + number * HOUR
        listed = replace(article(f"News {number}", at, number), guid="1")
        world.poll(at, {"wire": [listed]})
    assert len(world.items) == 3
    keys = ["guid 1", "guid 1 wire.example/a/1", "guid 1 wire.example/a/2"]
    assert [one.entry_key for one in world.entries.values()] == keys


def test_a_guid_that_proves_to_be_shared_is_forgotten() -> None:
    world = wire()
    morning, evening = (replace(article(title, number=n), guid="d:/") for n, title in enumerate(("Morning", "Evening")))
    for hour, listed in enumerate(([morning], [morning, evening], [evening])):
        world.poll(T0 + hour * HOUR, {"wire": listed})
    assert [item.title for item in world.items.values()] == ["Morning", "Evening"]
    assert world.revisions == []


def test_one_article_twice_in_a_document_is_one_item_of_two_entries() -> None:
    world = wire()
    twice = [article(), replace(article(), guid="g2")]
    world.poll(T0, {"wire": twice})
    assert (len(world.items), len(world.entries)) == (1, 2)
    world.poll(T0 + HOUR, {"wire": list(reversed(twice))})
    assert (len(world.items), len(world.entries), world.revisions) == (1, 2, [])


def test_an_address_that_leaves_and_returns_is_not_new() -> None:
    world = wire()
    for hour, number in enumerate((1, 2, 1)):
        world.poll(T0 + hour * HOUR, {"wire": [article(number=number), article(number=3)]})
    assert len(world.items) == 3


def test_an_article_found_under_its_old_address_is_the_moved_one() -> None:
    world = wire(source("other"))
    world.poll(T0, {"wire": [article()]})
    world.poll(T0 + HOUR, {"wire": [replace(article(number=9), guid="g1")]})
    world.poll(T0 + 2 * HOUR, {"other": [article()]})
    assert len(world.items) == 1


# -- whose article it is --------------------------------------------------------------------------


def thrice() -> World:
    return World(source("alpha"), source("beta"), source("wire", site=Url("https://www.wire.example/")))


def test_an_article_in_three_feeds_is_one_item_of_the_source_on_whose_site_it_stands() -> None:
    world = thrice()
    taken = world.poll(
        T0, {"alpha": [article(at=EARLIER - HOUR)], "beta": [article()], "wire": [article(author="Ann")]}
    )
    assert (world.item.source, world.item.author, len(world.entries)) == ("wire", "Ann", 3)
    assert taken.new_items_of == {3: 1}
    assert world.item.effective_at == EARLIER - HOUR  # the earliest believable claim of all
    assert world.item.published == Published(EARLIER)


@pytest.mark.parametrize(
    ("alpha", "beta", "owner"),
    [(EARLIER, EARLIER - HOUR, "beta"), (EARLIER, EARLIER, "alpha"), (None, EARLIER, "beta")],
)
def test_else_it_belongs_to_the_least_of_effective_time_and_source(
    alpha: datetime | None, beta: datetime, owner: str
) -> None:
    world = thrice()
    world.poll(T0, {"alpha": [article(at=alpha)], "beta": [article(at=beta)]})
    assert world.item.source == owner


def test_it_goes_to_the_home_source_when_that_shows_it_later() -> None:
    world = thrice()
    world.poll(T0, {"alpha": [article(author="A", publisher="Wire")]})
    world.poll(T0 + HOUR, {"beta": [article()]})
    assert world.item.source == "alpha"
    world.poll(T0 + 2 * HOUR, {"wire": [article(author="Ann")]})
    assert (world.item.source, world.item.author, world.item.publisher) == ("wire", "Ann", None)
    assert world.changes == [("source_id", "alpha", "wire", "stands on the site of wire")]
    world.poll(T0 + 3 * HOUR, {"wire": [article(author="Ann")]})
    assert len(world.revisions) == 1


def test_of_two_sources_on_one_site_the_first_keeps_it() -> None:
    site = Url("https://wire.example/")
    world = World(source("wire", site=site), source("world", site=site))
    world.poll(T0, {"wire": [article()]})
    world.poll(T0 + HOUR, {"world": [article()]})
    assert world.item.source == "wire"


def test_a_site_that_a_feed_names_itself_counts_from_its_first_document() -> None:
    world = World(source("alpha"), source("wire"), sites={"wire": "https://wire.example/"})
    world.poll(T0, {"alpha": [article()], "wire": [article()]})
    assert world.item.source == "wire"


def test_a_configured_site_goes_before_what_the_feed_says() -> None:
    elsewhere = source("wire", site=Url("https://other.example/"))
    world = World(source("alpha"), elsewhere, sites={"wire": "https://wire.example/"})
    world.poll(T0, {"alpha": [article()], "wire": [article()]})
    assert world.item.source == "alpha"


def test_an_article_without_an_address_stands_nowhere() -> None:
    world = wire()
    world.poll(T0, {"wire": [entry("Note", guid="1")]})
    assert (world.item.source, world.item.url) == ("wire", None)


# -- when it happened -----------------------------------------------------------------------------


def test_a_later_date_of_a_known_entry_is_only_noted() -> None:
    world = wire()
    world.poll(T0, {"wire": [article()]})
    world.poll(T0 + 2 * HOUR, {"wire": [article(at=T0 + HOUR)]})
    assert (world.item.effective_at, world.item.published) == (EARLIER, Published(EARLIER))
    assert [one.claimed_at for one in world.entries.values()] == [T0 + HOUR]
    assert world.revisions == []


def test_an_earlier_date_moves_the_effective_time_back_and_is_logged() -> None:
    world = wire(source("other"))
    world.poll(T0, {"wire": [article()]})
    world.poll(T0 + HOUR, {"other": [article(at=EARLIER - HOUR)]})
    assert (world.item.effective_at, world.item.published) == (EARLIER - HOUR, Published(EARLIER))
    because = "other gave an earlier date"
    assert world.changes == [("effective_at", "2026-11-10T09:00:00Z", "2026-11-10T08:00:00Z", because)]


def test_an_undated_item_of_the_first_fetch_is_backlog_until_a_date_turns_up() -> None:
    world = wire(source("other"))
    world.poll(T0, {"wire": [article(at=None)]})
    assert (world.item.backlog, world.item.effective_at) == (True, T0)
    world.poll(T0 + HOUR, {"wire": [article(at=T0 + HOUR)]})  # a date after we first saw it is none
    assert world.item.backlog
    world.poll(T0 + 2 * HOUR, {"other": [article(at=T0)]})
    assert (world.item.backlog, world.item.effective_at, world.item.published) == (False, T0, Published(T0))
    assert world.changes == [("backlog", "1", "0", "other gave a date")]


def test_undated_items_count_from_when_they_were_seen_where_a_feed_was_watched() -> None:
    world = wire(source("other"))
    world.poll(T0, {"wire": []})
    world.poll(T0 + HOUR, {"wire": [article(at=None)], "other": [article(at=None)]})
    assert (world.item.backlog, world.item.effective_at) == (False, T0 + HOUR)


def test_a_future_date_gives_way_to_when_it_was_seen() -> None:
    world = wire()
    world.poll(T0, {"wire": [article(at=T0 + 48 * HOUR)]})
    assert (world.item.effective_at, world.item.backlog) == (T0, False)


def test_a_bare_day_counts_from_its_end() -> None:
    day = Published(utc("2026-11-09 00:00"), Precision.DAY, day_end=utc("2026-11-09 23:59:59"))
    world = wire()
    world.poll(T0, {"wire": [article(at=day)]})
    assert (world.item.effective_at, world.item.published) == (utc("2026-11-09 23:59:59"), day)


def test_a_bare_day_that_is_not_over_counts_from_when_it_was_seen() -> None:
    day = Published(utc("2026-11-10 00:00"), Precision.DAY, day_end=utc("2026-11-10 23:59:59"))
    world = wire()
    world.poll(T0, {"wire": [article(at=day)]})
    world.poll(T0 + 24 * HOUR, {"wire": [article(at=day)]})
    assert (world.item.effective_at, world.item.backlog) == (T0, False)


def test_a_bare_day_to_come_is_a_future_date() -> None:
    day = Published(utc("2026-11-11 00:00"), Precision.DAY, day_end=utc("2026-11-11 23:59:59"))
    world = wire()
    world.poll(T0, {"wire": [article(at=day)]})
    assert world.item.effective_because.startswith("the published time lay in the future")


def test_a_feed_whose_dates_move_is_recognised_by_its_third_poll() -> None:
    world = wire()
    for hour in range(3):
        now = T0 + hour * HOUR
        fresh = [article("New", now - MINUTE, 9)] if hour == 2 else []
        world.poll(
            now, {"wire": [article(f"Seen {hour} hours ago", now - MINUTE), article(at=now - MINUTE, number=2), *fresh]}
        )
    assert world.feeds[SourceId("wire")].dates_move(PollParams())
    newest = next(item for item in world.items.values() if item.title == "New")
    assert (newest.effective_at, newest.backlog) == (T0 + 2 * HOUR, False)
    assert newest.effective_because.startswith("its feed stamps")


def test_a_first_document_stamped_by_a_scraper_is_backlog() -> None:
    world = wire()
    world.poll(T0, {"wire": [article(at=T0 - MINUTE, number=number) for number in range(5)]})
    assert all(item.backlog for item in world.items.values())


def test_a_feed_that_is_not_trusted_moves_nothing_back() -> None:
    world = wire(source("bad"))
    world.feeds[SourceId("bad")] = replace(
        world.feeds[SourceId("bad")], restamp_strikes=2, first_success_at=T0 - 9 * HOUR, last_success_at=T0 - 9 * HOUR
    )
    world.poll(T0, {"wire": [article()]})
    world.poll(T0 + HOUR, {"bad": [article(at=EARLIER - HOUR)]})
    assert world.item.effective_at == EARLIER


# -- how well feeds are watched -------------------------------------------------------------------


def test_a_failed_feed_is_a_state_and_the_others_go_on() -> None:
    world = wire(source("bad"))
    world.poll(T0, {"bad": None, "wire": [article()]})
    assert world.feeds[SourceId("bad")].failures_in_row == 1
    assert len(world.items) == 1


def test_a_listing_that_shares_nothing_with_the_last_leaves_a_hole() -> None:
    world = wire()
    world.poll(T0, {"wire": [article()]})
    world.poll(T0 + HOUR, {"wire": [article(), article(number=2)]})
    world.poll(T0 + 3 * HOUR, {"wire": [article(number=3)]})
    assert world.holes == [Hole(1, T0 + HOUR, T0 + 3 * HOUR)]


def test_an_empty_listing_is_passed_over_when_holes_are_looked_for() -> None:
    world = wire()
    for hours, listed in enumerate(([article()], [], [article()], [], [article(number=2)])):
        world.poll(T0 + hours * HOUR, {"wire": listed})
    assert world.holes == [Hole(1, T0 + 3 * HOUR, T0 + 4 * HOUR)]


def test_a_document_with_nothing_new_or_edited_is_quiet() -> None:
    world = wire()
    redated, edited = article(at=T0), article("Edited", at=T0)
    listings: tuple[list[Entry], ...] = ([article()], [redated], [edited], [], [article(number=2)])
    quiet = [bool(world.poll(T0 + n * HOUR, {"wire": listed}).quiet) for n, listed in enumerate(listings)]
    assert quiet == [False, True, False, True, False]


def test_a_run_that_another_overtook_leaves_no_hole_backwards() -> None:
    world = wire()
    world.poll(T0, {"wire": [article()]})
    world.poll(T0 - MINUTE, {"wire": [article(number=2)]})
    assert world.holes == []


# -- laws -----------------------------------------------------------------------------------------

NAMES = ("alpha", "beta", "wire")
LISTED = st.lists(
    st.builds(
        lambda number, hours, title: article(title, None if hours is None else T0 - hours * HOUR, number),
        st.integers(1, 4),
        st.one_of(st.none(), st.integers(-30, 30)),
        st.sampled_from(["A", "B"]),
    ),
    max_size=4,
)
HISTORY = st.lists(st.dictionaries(st.sampled_from(NAMES), st.one_of(st.none(), LISTED)), min_size=1, max_size=4)


@given(HISTORY)
def test_an_effective_time_never_moves_later_nor_past_the_first_sight(
    history: list[dict[str, Sequence[Entry] | None]],
) -> None:
    world = thrice()
    before: dict[ItemId, Item] = {}
    for hour, documents in enumerate(history):
        world.poll(T0 + hour * HOUR, documents)
        for item in world.items.values():
            old = before.get(item.id, item)
            assert item.effective_at <= min(old.effective_at, item.first_seen_at)
            assert item.first_seen_at == old.first_seen_at
            assert old.backlog or not item.backlog
        before = dict(world.items)


@given(HISTORY, st.randoms(use_true_random=False))
def test_neither_the_order_of_replies_nor_of_entries_matters(
    history: list[dict[str, Sequence[Entry] | None]], random: Random
) -> None:
    one, two = thrice(), thrice()
    for hour, documents in enumerate(history):
        at = T0 + hour * HOUR
        one.poll(at, documents)
        two.poll(at, documents, order=-1)
        assert (one.items, one.entries, one.revisions, one.holes) == (two.items, two.entries, two.revisions, two.holes)
    other = thrice()
    other.poll(T0, {name: listed and random.sample(listed, len(listed)) for name, listed in history[0].items()})
    first = thrice()
    first.poll(T0, history[0])
    assert other.items.keys() == first.items.keys()


@given(LISTED)
def test_a_revision_log_leads_back_to_the_first_text(listed: list[Entry]) -> None:
    world = wire()
    world.poll(T0, {"wire": listed})
    first = dict(world.items)
    world.poll(T0 + HOUR, {"wire": [replace(one, title="Edited") for one in listed]})
    for item in first.values():
        titles = [one.before for one in world.revisions if one.item == item.id and one.field == "title"]
        assert titles == [item.title]


# -- what was let go ------------------------------------------------------------------------------


def test_what_was_let_go_is_not_new_when_it_is_listed_again() -> None:
    world = World(source("wire"))
    old = entry("Old", "https://wire.example/old", at=EARLIER)
    world.poll(T0, {"wire": [old]})
    number = world.feeds[SourceId("wire")].listing
    world.forget("wire")
    again = world.poll(T0 + HOUR, {"wire": [old]})
    assert (again.items, again.entries, again.holes) == ([], [], [])
    assert again.quiet  # nothing in it is new or edited
    assert world.feeds[SourceId("wire")].listing == number  # what it lists is what it listed: nothing was missed
    news = entry("New", "https://wire.example/new", at=T0)
    later = world.poll(T0 + 2 * HOUR, {"wire": [news, old]})
    assert [item.title for item in later.items] == ["New"]
    assert world.feeds[SourceId("wire")].news_hours[-1] == T0


def test_the_keys_that_are_looked_up_are_those_of_all_claims() -> None:
    world = World(source("wire"), source("daily"))
    polls = [
        world._polled(SourceId("wire"), [entry("One", "https://wire.example/1"), entry("Two", guid="urn:2")]),
        world._polled(SourceId("daily"), None),
    ]
    assert len(tombstone_keys(polls, read_claims(polls))) == 3  # two identities, and a guid
