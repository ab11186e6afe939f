"""What every back end of the store promises; each test runs on each database of `BACK_ENDS`."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event, exc, insert, select
from tests.contract.stored import NOON, SOURCES, claim, decide, followed, item, stored_entry, take
from tests.make import entry, feed_url, source

from storyheat.core.clustering.placing import Decision, Placed
from storyheat.core.clustering.state import Member, StateParams, StoryState
from storyheat.core.clustering.state import found as founding
from storyheat.core.clustering.vectors import Counts, WeightParams
from storyheat.core.feeds.polling import Polled, PollParams
from storyheat.core.heat.figures import Figures
from storyheat.core.heat.series import Hour
from storyheat.core.heat.trend import Change, Peak, Trend
from storyheat.core.items.copies import Likeness, Sketch
from storyheat.core.items.facts import Hole, Intake, Revision
from storyheat.core.items.identity import claims, item_id
from storyheat.core.model import (
    ChangeStanding,
    Failure,
    FailureKind,
    Feed,
    FetchOutcome,
    FetchReply,
    ItemId,
    ParsedFeed,
    Precision,
    Published,
    Role,
    SourceId,
    Standing,
    StoryId,
    Url,
)
from storyheat.store import (
    clusters,
    evidence,
    feeds,
    intake,
    measures,
    placing,
    retention,
    source_tallies,
    story_queries,
)
from storyheat.store.conclusions import CopyRow, HeatRow, LonerRow, MeasureRow, MembershipRow, MergeRow, StoryRow
from storyheat.store.database import Database, open_database
from storyheat.store.facts import FeedRow, FetchRow, HoleRow, ItemRow, SourceRow
from storyheat.store.rows import BATCH, batches, table

HOUR = timedelta(hours=1)
SECOND = timedelta(seconds=1)
BACK_ENDS = ["sqlite"]
ONE, TWO, THREE = (item_id(f"wire.example/a/{number}") for number in (1, 2, 3))
STORY = StoryId("s1")
LEAD: dict[str, Any] = {"decided_at": NOON, "decided_by": "machine", "because": {}}


@pytest.fixture(params=BACK_ENDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """An empty database of each kind."""
    url = {"sqlite": f"sqlite:///{tmp_path / 'storyheat.db'}"}[request.param]
    opened = open_database(url, create=True)
    yield opened
    opened.close()


@pytest.fixture
def connection(database: Database) -> Iterator[Connection]:
    """A transaction in it."""
    with database.write() as opened:
        yield opened


def values(connection: Connection, *columns: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in connection.execute(select(*columns))]


# -- transactions ---------------------------------------------------------------------------------


def test_a_transaction_lands_whole_or_not_at_all(database: Database) -> None:
    def broken() -> None:
        with database.write() as connection:
            followed(connection)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken()
    with database.read() as connection:
        assert feeds.stored_sources(connection) == {}
    with database.write() as connection:
        followed(connection)
    with database.read() as connection:
        assert len(feeds.stored_sources(connection)) == 2


def test_a_reader_sees_one_state_while_a_run_writes(database: Database) -> None:
    with database.read() as reader:
        assert feeds.stored_sources(reader) == {}
        with database.write() as writer:
            followed(writer)
        assert feeds.stored_sources(reader) == {}


# -- sources and feeds ----------------------------------------------------------------------------


def test_sources_come_back_as_configured(connection: Connection) -> None:
    followed(connection)
    stored = feeds.stored_sources(connection)
    assert stored[SourceId("wire")] == SOURCES[1]
    assert stored[SourceId("daily")] == replace(SOURCES[0], site=feed_url("daily"))  # the feed's host stands in


def test_a_site_that_a_feed_names_is_the_site_of_a_source_without_one(connection: Connection) -> None:
    followed(connection)
    states = feeds.feed_states(connection, SOURCES)
    named = [replace(state, site=Url("https://named.example/")) for state in states]
    feeds.write_polls(connection, [], named, [], {}, NOON)
    stored = feeds.stored_sources(connection)
    assert [stored[one.id].site for one in SOURCES] == ["https://named.example/", "https://wire.example/"]


def test_what_changes_in_the_configuration_changes_here_and_nothing_is_lost(connection: Connection) -> None:
    numbers = followed(connection)
    moved = replace(SOURCES[1], name="Wire News", weight=2.0, feeds=(Feed(Url("https://wire.example/new")),))
    feeds.sync_sources(connection, [moved], PollParams(), 1000)
    stored = feeds.stored_sources(connection)
    assert (stored[SourceId("wire")].name, stored[SourceId("wire")].weight) == ("Wire News", 2.0)
    assert not stored[SourceId("daily")].enabled
    assert [state.url for state in feeds.feed_states(connection, [moved])] == ["https://wire.example/new"]
    assert followed(connection) == numbers  # back again: the same feeds with their history
    assert stored.keys() == feeds.stored_sources(connection).keys()


def test_paused_sources_are_not_asked_and_index_pages_are(connection: Connection) -> None:
    page = Feed(Url("https://page.example/"), kind="html")
    some = [source("paused", enabled=False), source("page", feeds=(page,))]
    feeds.sync_sources(connection, some, PollParams(), 1000)
    assert [state.url for state in feeds.feed_states(connection, some)] == [page.url]


def test_the_state_of_a_feed_comes_back_as_written(connection: Connection) -> None:
    followed(connection)
    (_, state) = feeds.feed_states(connection, SOURCES)
    assert (state.interval, state.next_poll_at, state.listing, state.gone) == (
        PollParams().default_interval,
        None,
        (),
        False,
    )
    after = replace(
        state, moved_url=Url("https://new.example/"), gone=True, site=Url("https://wire.example/"), etag='W/"é"',
        last_modified="Mon, 26 Oct 2026 07:00:00 GMT", body_sha256="0a", listing=(2**62, 1), poll_hint=2 * HOUR,
        skip_hours=frozenset({3, 1}), skip_days=frozenset({6}), next_poll_at=NOON, interval=3 * HOUR,
        failures_in_row=2, first_success_at=NOON - HOUR, last_success_at=NOON, restamp_strikes=1,
    )  # fmt: skip
    feeds.write_polls(connection, [], [after], [], {}, NOON)
    assert feeds.feed_states(connection, SOURCES)[1] == after


def test_a_poll_is_a_row_whatever_came_of_it(connection: Connection) -> None:
    followed(connection)
    daily, wire = feeds.feed_states(connection, SOURCES)
    failed = Failure(FailureKind.DNS, "no such host")
    parsed = ParsedFeed("rss20", None, None, None, (entry("A"), entry("B")), remarks=("mended",))
    polls = [
        Polled(wire, FetchReply(wire.id, FetchOutcome.BODY, Url("https://x.example/"), 200, body=b"abc"), parsed),
        Polled(daily, FetchReply(daily.id, FetchOutcome.FAILED, daily.url, failure=failed), failure=failed),
    ]
    feeds.write_polls(connection, polls, [], [Hole(wire.id, NOON - HOUR, NOON)], {wire.id: 1}, NOON)
    row = table(FetchRow).c
    assert values(
        connection, row.outcome, row.status, row.failure_kind, row.failure_message, row.final_url, row.bytes,
        row.entries, row.new_items, row.remarks, row.at,
    ) == [
        ("failed", None, "dns", "no such host", daily.url, 0, None, 0, [], NOON),
        ("updated", 200, None, None, "https://x.example/", 3, 2, 1, ["mended"], NOON),
    ]  # fmt: skip
    hole = table(HoleRow).c
    assert values(connection, hole.feed_id, hole.from_at, hole.to_at) == [(wire.id, NOON - HOUR, NOON)]


# -- intake ---------------------------------------------------------------------------------------


def test_an_item_comes_back_as_stored(connection: Connection) -> None:
    followed(connection)
    full = item(1, title="日銀 'quoted' \"double\" 😀", backlog=True, publisher="P", publisher_url="https://p.example/")
    bare = item(2, url=None, language=None, author=None, published=None)
    day = item(3, published=Published(NOON - HOUR, Precision.DAY))
    take(connection, [full, bare, day])
    assert intake.items_by_id(connection, [ONE, TWO, THREE, ItemId("missing")]) == {ONE: full, TWO: bare, THREE: day}


def test_items_are_counted_as_they_come_and_go(connection: Connection) -> None:
    followed(connection)
    take(connection, [item(1), item(2), item(3)])
    take(connection, [item(4)])
    assert source_tallies.item_counts(connection) == {"wire": 4}
    retention.remove(connection, [], [ONE, TWO])
    assert source_tallies.item_counts(connection) == {"wire": 2}
    retention.remove(connection, [], [THREE, item_id("wire.example/a/4")])
    assert source_tallies.item_counts(connection) == {}
    take(connection, [item(5)])
    connection.exec_driver_sql("UPDATE source_tally SET item_count = 7")
    assert not source_tallies.is_right(connection)
    source_tallies.recount(connection)
    assert source_tallies.is_right(connection)


def test_known_are_entries_of_the_feed_by_key_or_guid_and_of_all_feeds_by_link(connection: Connection) -> None:
    numbers = followed(connection)
    wire, daily = numbers["wire"], numbers["daily"]
    take(
        connection,
        [item(1), item(2), item(3)],
        [
            stored_entry(1, wire, claim(1, guid="g1")),
            stored_entry(2, wire),
            stored_entry(3, daily, claim(3, guid="g1"), link_key=None),
        ],
    )

    def known(feed: int, *wanted: Any) -> tuple[list[int], set[ItemId]]:
        found = intake.known_for(connection, {feed: wanted}, {})
        assert set(found.by_identity.values()) == set(found.items)
        return [one.id for one in found.entries], set(found.items)

    first, second = 100 * wire + 1, 100 * wire + 2
    assert known(wire, claim(9, guid="g1")) == ([first], {ONE})  # by guid
    assert known(wire, claim(2)) == ([second], {TWO})  # by key
    assert known(daily, claim(2)) == ([second], {TWO})  # by link, from the other feed
    assert known(daily, claim(3)) == ([], {THREE})  # by identity: no entry has the link
    assert known(wire, claim(8)) == ([], set())
    (stored,) = intake.known_for(connection, {wire: [claim(1, guid="g1")]}, {}).entries
    assert stored == replace(stored_entry(1, wire, claim(1, guid="g1")), title="Title 1")


def test_the_listing_before_is_known_where_a_claim_is_new(connection: Connection) -> None:
    wire = followed(connection)["wire"]
    entries = [stored_entry(number, wire) for number in (1, 2)]
    take(connection, [item(1), item(2)], entries)
    listing = {wire: [one.id for one in entries]}

    def known(*wanted: Any) -> int:
        return len(intake.known_for(connection, {wire: wanted}, listing).entries)

    assert (known(claim(1)), known(claim(1), claim(9))) == (1, 2)


def test_many_claims_are_asked_for_in_batches(connection: Connection) -> None:
    wire = followed(connection)["wire"]
    numbers = range(BATCH + 7)
    take(connection, [item(n) for n in numbers], [stored_entry(n, wire) for n in numbers])
    known = intake.known_for(connection, {wire: [claim(n) for n in numbers]}, {})
    assert len(known.entries) == len(known.items) == len(numbers)
    assert [len(batch) for batch in batches(numbers)] == [BATCH, 7]


def test_what_is_known_is_found_without_reading_all_entries_of_a_feed(connection: Connection) -> None:
    wire = followed(connection)["wire"]
    plans: list[str] = []

    def explain(_: Any, cursor: Any, statement: str, values: Any, *rest: Any) -> None:
        plans.extend(row[3] for row in cursor.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall())

    event.listen(connection, "before_cursor_execute", explain)
    intake.known_for(connection, {wire: [claim(1, guid="g1"), claim(2)]}, {wire: [100 * wire + 3]})
    assert len([plan for plan in plans if plan.startswith("SEARCH entry")]) == 4  # by key, guid, link and number
    assert [plan for plan in plans if plan.startswith("SCAN") or plan.endswith("(feed_id=?)")] == []


def test_changes_of_items_and_entries_are_written_with_their_revisions(connection: Connection) -> None:
    wire = followed(connection)["wire"]
    mine = stored_entry(1, wire)
    take(connection, [item(1)], [mine])
    edited = replace(item(1), title="New", effective_at=NOON - HOUR)
    take(connection, changed=[edited], revisions=[Revision(ONE, "title", "Title 1", "New", "edited")], now=NOON + HOUR)
    assert intake.items_by_id(connection, [ONE]) == {ONE: edited}
    changed = replace(mine, guid="g9", link_key="elsewhere", claimed_at=None, content_sha="00")
    found = Intake(changed_entries={mine.id: changed})
    intake.store_intake(connection, found, NOON)
    (claimed,) = claims([entry("x", "https://elsewhere", guid="g9")], SourceId("wire"), [])
    (stored,) = intake.known_for(connection, {wire: [claimed]}, {}).entries
    assert stored == replace(changed, title="New")


# -- placing --------------------------------------------------------------------------------------


def test_unplaced_is_what_has_neither_story_nor_note(connection: Connection) -> None:
    followed(connection)
    take(connection, [item(1), item(2)])
    take(connection, [item(3, NOON + HOUR)], now=NOON + HOUR)
    move = Revision(ONE, "effective_at", "2026-11-10T12:00:00Z", "2026-11-10T11:00:00Z", "earlier")
    take(connection, revisions=[move, replace(move, field="title")], now=NOON + HOUR)
    both = tuple(sorted([ONE, TWO]))
    assert placing.unplaced_batches(connection, None) == [
        placing.Batch(NOON, both, ()),
        placing.Batch(NOON + HOUR, (THREE,), (ONE,)),
    ]
    decide(connection, 1, "s1", Role.REPORT, found=True)
    placing.write_placed(connection, Placed(decisions=[Decision(TWO, None, None, {"kind": "digest"})]), NOON)
    rest = [placing.Batch(NOON + HOUR, (THREE,), (ONE,))]
    assert placing.unplaced_batches(connection, None) == rest
    assert placing.unplaced_batches(connection, NOON + HOUR) == rest
    assert placing.unplaced_batches(connection, NOON + 3 * HOUR) == []


def test_of_two_runs_at_once_the_slower_ones_items_are_found(connection: Connection) -> None:
    followed(connection)
    take(connection, [item(1)])
    assert placing.unplaced_batches(connection, NOON + timedelta(minutes=59)) == [placing.Batch(NOON, (ONE,), ())]


def test_items_as_of_an_instant_have_later_revisions_taken_back(connection: Connection) -> None:
    followed(connection)
    now = item(1, title="Third", source="wire", effective_at=NOON - 2 * HOUR, url="https://wire.example/new", text="T")
    take(connection, [now])
    history: list[tuple[datetime, str, str, str]] = [
        (NOON + HOUR, "title", "First", "Second"),
        (NOON + 2 * HOUR, "title", "Second", "Third"),
        (NOON + 2 * HOUR, "effective_at", "2026-11-10T12:00:00Z", "2026-11-10T10:00:00Z"),
        (NOON + 2 * HOUR, "backlog", "1", "0"),
        (NOON + 2 * HOUR, "source_id", "daily", "wire"),
        (NOON + 2 * HOUR, "url", "https://wire.example/old", "https://wire.example/new"),
    ]
    for at, field, before, after in history:
        take(connection, revisions=[Revision(ONE, field, before, after, "because")], now=at)
    assert placing.items_as_of(connection, [ONE], NOON + 2 * HOUR) == {ONE: now}
    then = replace(
        now,
        title="Second",
        effective_at=NOON,
        backlog=True,
        source=SourceId("daily"),
        url=Url("https://wire.example/old"),
    )
    assert placing.items_as_of(connection, [ONE], NOON + HOUR) == {ONE: then}
    assert placing.items_as_of(connection, [ONE], NOON) == {ONE: replace(then, title="First")}


def test_of_decisions_about_a_pair_the_newest_holds_and_all_are_kept(connection: Connection) -> None:
    followed(connection)
    take(connection, [item(1), item(2)])
    decide(connection, 1, "s1", Role.REPORT, found=True)
    decide(connection, 2, "s1", Role.REPORT)
    decide(connection, 2, "s1", Role.COPY, NOON + HOUR)
    assert placing.read_book(connection, [ONE, TWO]).roles == {ONE: {STORY: Role.REPORT}, TWO: {STORY: Role.COPY}}
    out = {**MEMBER, "item_id": TWO, "role": "none", "decided_by": "ada", "by_hand": True}
    connection.execute(insert(table(MembershipRow)).values(out))
    assert placing.read_book(connection, [ONE, TWO]).roles == {ONE: {STORY: Role.REPORT}}
    row = table(MembershipRow).c
    assert values(connection, row.role, row.decided_by, row.because)[1:] == [
        ("report", "machine", {"z": 1.5}), ("copy", "machine", {"z": 1.5}), ("none", "ada", {}),
    ]  # fmt: skip


def test_an_id_leads_on_over_any_number_of_merges(connection: Connection) -> None:
    followed(connection)
    take(connection, [item(number) for number in range(1, 6)])
    for number in range(1, 6):
        decide(connection, number, f"s{number}", Role.REPORT, found=True)
    leads = [("s1", "s2"), ("s2", "s3"), ("s4", "s3"), ("s4", None), ("s5", "s1")]
    for old, new in leads:
        connection.execute(insert(table(MergeRow)).values(LEAD | {"story_id": old, "into_id": new}))
    ids = [StoryId(f"s{number}") for number in range(1, 6)]
    assert list(story_queries.heirs(connection, ids).values()) == ["s3", "s3", "s3", "s4", "s3"]
    assert [story_queries.aliases(connection, one) for one in ids[2:4]] == [("s1", "s2", "s5"), ()]
    loop = LEAD | {"story_id": "s3", "into_id": "s1"}  # which no correct log has
    connection.execute(insert(table(MergeRow)).values(loop))
    assert story_queries.heirs(connection, ids[:1]) == {"s1": "s3"}
    assert story_queries.aliases(connection, ids[2]) == ("s1", "s2", "s5")


def test_a_book_holds_whole_copy_sets(connection: Connection) -> None:
    followed(connection)
    take(connection, [item(1), item(2), item(3)])
    decide(connection, 1, "s1", Role.REPORT, found=True)
    copies = [(TWO, Likeness(ONE, ONE, 1.0)), (THREE, Likeness(ONE, TWO, 0.9))]
    placing.write_placed(connection, Placed(copies=copies), NOON)
    for asked in (ONE, TWO, THREE):
        book = placing.read_book(connection, [asked])
        assert book.copy_sets == {ONE: ONE, TWO: ONE, THREE: ONE}
        assert book.roles == {ONE: {STORY: Role.REPORT}}
    row = table(CopyRow).c
    assert set(values(connection, row.item_id, row.set_id, row.like_id, row.similarity)) == {
        (TWO, ONE, ONE, 1.0), (THREE, ONE, TWO, 0.9),
    }  # fmt: skip


def test_items_are_found_by_the_bands_of_their_sketches(connection: Connection) -> None:
    followed(connection)
    take(connection, [item(1), item(2)])
    sketches = {ONE: Sketch((), (-(2**63), 5, 5)), TWO: Sketch((), (5, 2**63 - 1)), THREE: Sketch((), ())}
    placing.write_sketches(connection, sketches)
    assert placing.items_with_bands(connection, [5, 2**63 - 1, -(2**63), 4]) == {
        5: {ONE, TWO}, 2**63 - 1: {TWO}, -(2**63): {ONE},
    }  # fmt: skip


def test_how_far_conclusions_reach_is_noted_with_their_rule(connection: Connection) -> None:
    assert placing.derived_up_to(connection, "heat") is None
    placing.note_derived(connection, "heat", "decay/1", NOON)
    placing.note_derived(connection, "heat", "decay/2", NOON + HOUR)
    assert placing.derived_up_to(connection, "heat") == (NOON + HOUR, "decay/2")


# -- the clusterer's memory -----------------------------------------------------------------------


def test_states_are_replaced_and_closed_ones_forgotten(connection: Connection) -> None:
    followed(connection)
    take(connection, [item(1), item(2)])
    for number in (1, 2):
        decide(connection, number, f"s{number}", Role.REPORT, found=True)
    one, two = (_state(f"s{number}") for number in (1, 2))
    clusters.write_states(connection, [two, one], [])
    assert clusters.remembered_stories(connection) == [one, two]
    two.touched = 9
    clusters.write_states(connection, [two], ["s1"])
    assert clusters.remembered_stories(connection) == [two]
    assert connection.execute(select(table(StoryRow).c.id)).scalars().all() == ["s1", "s2"]


def _state(story: str) -> StoryState:
    vector = {"rate": 0.8, "bank": 0.6}
    member = Member(NOON_SECONDS, "wire", vector, {"rate": 1.0}, ("lund",), periodic=False)
    return founding(story, member, 1, StateParams())


NOON_SECONDS = int(NOON.timestamp())


def test_counts_come_back_for_the_terms_asked_and_halve_all(connection: Connection) -> None:
    counts = Counts()
    counts.add({"rate": 1.0, "bank": 1.0}, 1.0, WeightParams())
    counts.add({"rate": 1.0}, 0.5, WeightParams())
    clusters.write_counts(connection, counts, 0.5)
    assert clusters.counts_for(connection, ["rate", "ferret"]) == Counts(total=1.0, df={"rate": 1.5})
    again = clusters.counts_for(connection, ["rate"])
    again.add({"rate": 1.0}, 1.0, WeightParams(counted_stories=2.0))
    clusters.write_counts(connection, again, 0.6)
    assert clusters.counts_for(connection, ["rate", "bank"]) == Counts(total=1.0, df={"rate": 1.25})
    assert (again.halvings, again.changed) == (0, {})


# -- heat -----------------------------------------------------------------------------------------


def told(connection: Connection) -> None:
    followed(connection)
    take(connection, [item(1), item(2, NOON - 3 * HOUR), item(3, backlog=True)])
    decide(connection, 1, "s1", Role.REPORT, found=True)
    decide(connection, 2, "s1", Role.MENTION)
    decide(connection, 3, "s1", Role.REPORT)


def test_evidence_is_what_stands_in_a_story_with_voices_and_reasons(connection: Connection) -> None:
    told(connection)
    sources = feeds.stored_sources(connection)
    found_evidence = evidence.evidence_of(connection, [STORY, StoryId("s9")], sources)
    assert list(found_evidence) == ["s1"]
    seen = [(one.item, one.voice, one.role, one.excluded is not None) for one in found_evidence[STORY].items]
    assert sorted(seen) == sorted(
        [(ONE, "house", Role.REPORT, False), (TWO, "house", Role.MENTION, False), (THREE, "house", Role.REPORT, True)]
    )
    connection.execute(table(ItemRow).update().where(table(ItemRow).c.id == ONE).values(withdrawn_at=NOON))
    (story,) = evidence.evidence_of(connection, [STORY], sources).values()
    assert story.reports == ()


def test_stories_are_found_by_the_time_of_their_reports(connection: Connection) -> None:
    told(connection)
    assert evidence.stories_with_reports_since(connection, None) == ["s1"]
    assert evidence.stories_with_reports_since(connection, NOON - HOUR) == ["s1"]
    assert evidence.stories_with_reports_since(connection, NOON) == []


def test_watches_know_successes_holes_and_what_is_followed(connection: Connection) -> None:
    numbers = followed(connection)
    _, wire = feeds.feed_states(connection, SOURCES)
    after = replace(wire, first_success_at=NOON - 5 * HOUR, last_success_at=NOON, interval=HOUR)
    feeds.write_polls(connection, [], [after], [Hole(numbers["wire"], NOON - 3 * HOUR, NOON - HOUR)], {}, NOON)
    watches = evidence.watches(connection)
    instants = [NOON - 6 * HOUR, NOON - 4 * HOUR, NOON - 2 * HOUR, NOON, NOON + 3 * HOUR, NOON + 4 * HOUR]
    assert [watches[SourceId("wire")].watched_at(at) for at in instants] == [False, True, False, True, True, False]
    assert not watches[SourceId("daily")].begun(NOON)


def test_stories_are_measured_again_when_decided_or_revised(connection: Connection) -> None:
    told(connection)
    assert measures.stories_changed_since(connection, NOON - SECOND) == {"s1"}
    assert measures.stories_changed_since(connection, NOON) == set()
    take(connection, revisions=[Revision(ONE, "backlog", "1", "0", "dated")], now=NOON + HOUR)
    assert measures.stories_changed_since(connection, NOON) == {"s1"}


def test_a_second_run_at_one_instant_looks_again_at_what_the_first_concluded(connection: Connection) -> None:
    placing.note_derived(connection, "heat", "decay/1", NOON)
    placing.note_derived(connection, "telling", "told/1", NOON - HOUR)
    placing.reopen(connection, NOON)
    assert placing.derived_up_to(connection, "heat") == (NOON - SECOND, "decay/1")
    assert placing.derived_up_to(connection, "telling") == (NOON - HOUR, "told/1")


def test_news_of_watching_reach_back_to_the_last_known_success(connection: Connection) -> None:
    followed(connection)
    states = feeds.feed_states(connection, SOURCES)

    def succeed(at: datetime) -> None:
        after = [replace(state, first_success_at=NOON, last_success_at=at) for state in states]
        feeds.write_polls(connection, [], after, [], {}, at)

    succeed(NOON)
    assert measures.oldest_news_of_watching(connection) is None
    measures.note_watched(connection)
    assert measures.oldest_news_of_watching(connection) is None
    succeed(NOON + HOUR)
    assert measures.oldest_news_of_watching(connection) == NOON
    measures.note_watched(connection)
    assert measures.oldest_news_of_watching(connection) is None


def test_figures_are_those_of_the_last_run_only(connection: Connection) -> None:
    told(connection)
    change = Change(None, None, ChangeStanding.YOUNG, "new")
    trend = Trend(9.5, Peak(10.0, NOON, Standing.REBUILT, ()), change)
    measures.write_figures(connection, [Figures(STORY, NOON - HOUR, NOON, 1, 2, 3, 4, trend)], NOON)
    assert values(connection, table(MeasureRow)) == [
        ("s1", NOON, NOON - HOUR, NOON, 1, 2, 3, 4, 9.5, 10.0, NOON, "rebuilt", None, None, "young"),
    ]  # fmt: skip
    measures.write_figures(connection, [], NOON + HOUR)
    assert values(connection, table(MeasureRow)) == []


def test_hours_are_replaced_story_by_story_and_kept_bit_for_bit(connection: Connection) -> None:
    told(connection)
    hour = Hour(NOON, 9.715319411536058, 1, 1, Standing.OBSERVED, ())
    other = replace(hour, at=NOON + HOUR, standing=Standing.UNKNOWN, behind=(SourceId("wire"),))

    def stored() -> list[tuple[Any, ...]]:
        return values(connection, table(HeatRow))

    measures.write_hours(connection, {STORY: [hour, other]})
    assert stored() == [("s1", NOON, hour.heat, 1, 1, "observed"), ("s1", NOON + HOUR, hour.heat, 1, 1, "unknown")]
    measures.write_hours(connection, {})
    assert len(stored()) == 2
    measures.write_hours(connection, {STORY: [replace(hour, heat=5.0), other]})
    assert [row[2] for row in stored()] == [5.0, hour.heat]
    measures.write_hours(connection, {STORY: ()})
    assert stored() == []


# -- what a table refuses -------------------------------------------------------------------------

SOURCE: dict[str, Any] = {
    "id": "x", "name": "X", "owner": "x", "enabled": True, "level": "press", "digest": False, "community": False,
    "aggregator": False, "topics": [], "speaks_for": [], "weight": 1.0,
}  # fmt: skip
FETCH: dict[str, Any] = {
    "feed_id": 1, "at": NOON, "outcome": "updated", "final_url": "", "bytes": 0, "new_items": 0, "remarks": [],
    "seconds": 0.0,
}  # fmt: skip
MEMBER: dict[str, Any] = {
    "item_id": ONE, "story_id": "s1", "role": "report", "decided_at": NOON, "decided_by": "machine", "because": {},
    "by_hand": False,
}  # fmt: skip


@pytest.mark.parametrize(
    ("row", "good", "bad"),
    [
        (SourceRow, SOURCE, {"level": "rumour"}),
        (SourceRow, SOURCE, {"weight": -1}),
        (SourceRow, SOURCE, {"name": None}),
        (FetchRow, FETCH, {"outcome": "maybe"}),
        (FetchRow, FETCH, {"feed_id": 99}),
        (HoleRow, {"feed_id": 1, "from_at": NOON, "to_at": NOON + HOUR}, {"to_at": NOON}),
        (MembershipRow, MEMBER, {"role": "rumour"}),
        (MembershipRow, MEMBER, {"story_id": "s9"}),
        (
            CopyRow,
            {"item_id": TWO, "set_id": ONE, "like_id": ONE, "similarity": 1.0, "decided_at": NOON},
            {"similarity": 1.1},
        ),
        (LonerRow, {"item_id": TWO, "decided_at": NOON, "because": {}}, {"item_id": "missing"}),
        (
            HeatRow,
            {"story_id": "s1", "at": NOON, "heat": 1.0, "voices": 1, "new_reports": 0, "standing": "observed"},
            {"standing": "guessed"},
        ),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else ",".join(value),
)
def test_a_wrong_value_is_refused(connection: Connection, row: Any, good: dict[str, Any], bad: dict[str, Any]) -> None:
    told(connection)
    with connection.begin_nested() as attempt:
        connection.execute(insert(table(row)).values({**good}))
        attempt.rollback()
    with pytest.raises(exc.IntegrityError), connection.begin_nested():
        connection.execute(insert(table(row)).values({**good, **bad}))


def test_an_effective_time_after_the_first_sight_is_refused(connection: Connection) -> None:
    followed(connection)
    with pytest.raises(exc.IntegrityError), connection.begin_nested():
        take(connection, [item(1, effective_at=NOON + HOUR)])


def test_an_instant_without_a_zone_is_refused(connection: Connection) -> None:
    naive = datetime(2026, 11, 10, 12)  # noqa: DTZ001 - the mistake under test
    with pytest.raises(exc.StatementError, match="instants are aware"):
        connection.execute(insert(table(FetchRow)).values({**FETCH, "at": naive}))


def test_instants_keep_their_zone_and_lose_fractions(connection: Connection) -> None:
    followed(connection)
    at = datetime.fromisoformat("2026-11-10T13:00:00.75+01:00")
    state = replace(feeds.feed_states(connection, SOURCES)[0], next_poll_at=at)
    feeds.write_polls(connection, [], [state], [], {}, NOON)
    row = table(FeedRow).c
    assert connection.execute(select(row.next_poll_at).where(row.id == state.id)).scalar() == NOON
