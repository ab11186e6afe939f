"""The demo week as a whole run: what is in it, what the program makes of it, and how well the stories agree with
the labels. The floors stand where the program got to; whoever gets further raises them."""

import json
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest
from tests.command import storyheat
from tests.demo.conftest import AT, Played

from storyheat.core.evaluation.partition_scores import compare
from storyheat.core.model import Role, Source
from storyheat.demo.week import FIRST_DAY, Post, day_and_time

ANNOUNCED = "https://quillon.example/2026/11/11/0800"  # Fernway is open source
RECALLED = "https://harbourwire.example/2026/11/10/1005"
RETITLED = "https://harbourwire.example/2026/11/09/0705"

MIN_PRECISION, MIN_F1 = 0.98, 0.87  # BCubed, reached .990 and .873; .62 where every item is alone
MIN_ENGINE_REPORTS = 10  # of 21 that are labelled so


def label_of(posts: tuple[Post, ...]) -> dict[str, str | None]:
    """By address: the label of the story that an item reports or copies."""
    return {post.link: post.story for post in reversed(posts)}


def stored(text: str) -> str:
    """A time of the week as the database has it."""
    return f"{day_and_time(text):%Y-%m-%dT%H:%M:%SZ}"


def test_what_the_week_holds(posts: tuple[Post, ...], sources: tuple[Source, ...]) -> None:
    assert len(sources) >= 12
    assert len(posts) >= 240
    told = Counter(post.story for post in posts if post.story is not None)
    assert len([story for story, items in told.items() if items > 1]) >= 18
    assert all(timedelta() <= post.published - FIRST_DAY < timedelta(days=7) for post in posts)
    assert {source.language for source in sources} == {"en", "zh-Hans"}
    assert len({post.link for post in posts if post.role is Role.COPY}) == 5
    assert any(len(post.texts[-1].paragraphs) >= 6 for post in posts)


def test_every_item_came_and_no_other(played: Played, posts: tuple[Post, ...]) -> None:
    assert {url for (url,) in played.rows("SELECT url FROM item")} == {post.link for post in posts}
    assert played.printed["replay"]["items"] == {"new": len({post.link for post in posts}), "revised": 1, "copies": 5}


def test_stories_agree_with_the_labels(played: Played) -> None:
    lines = [json.loads(line) for line in (played.kept / "gold.jsonl").read_text("utf-8").splitlines()]
    seats = played.seats()
    labels = {line["id"]: line["story"] for line in lines if line["story"] is not None}
    scores = compare(labels, {url: seats[url][0] if url in seats else None for url in labels})
    assert scores.bcubed.precision >= MIN_PRECISION
    assert scores.bcubed.f1 >= MIN_F1


def test_the_engine_story_counts_its_reports_alone(played: Played, posts: tuple[Post, ...]) -> None:
    labels = label_of(posts)
    story = played.story_of(ANNOUNCED)
    items = [item for day in story["timeline"] for item in day["items"]]
    counted = [item["url"] for item in items if item["counted"]]
    assert {labels[url] for url in counted} == {"fernway"}
    assert len(counted) >= MIN_ENGINE_REPORTS
    mentions = {item["url"] for item in items if item["role"] == "mention" and labels[item["url"]] != "fernway"}
    assert "https://circuitweekly.example/2026/11/12/0700" in mentions
    assert story["languages"] == ["en", "zh-Hans"]
    assert {item["level"] for item in items} == {"first_party", "press", "discussion"}


def test_no_mention_is_a_report_of_what_it_mentions(played: Played, posts: tuple[Post, ...]) -> None:
    seats, labels = played.seats(), label_of(posts)
    for post in posts:
        if post.role is Role.MENTION and post.link in seats:
            together = {labels[url] for url, seat in seats.items() if seat[0] == seats[post.link][0]}
            assert together.isdisjoint(post.mentions), post.link


def test_five_copies_add_no_heat(played: Played, posts: tuple[Post, ...]) -> None:
    copies = {post.link for post in posts if post.role is Role.COPY}
    story = played.story_of(RECALLED)
    shown = [item for day in story["timeline"] for item in day["items"] if item["url"] in copies]
    assert [(item["role"], item["counted"]) for item in shown] == [("copy", False)] * 5
    assert len({item["copy_of"] for item in shown}) == 1
    told = played.json("explain", story["id"], "--at=2026-11-10T14:00Z")
    voices = {term["voice"] for term in told["terms"]}
    assert "harbour-wire" in voices
    assert voices.isdisjoint(item["voice"] for item in shown)
    assert told["heat"] == pytest.approx(sum(term["points"] for term in told["terms"]))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("paint-fire", "sawmill-fire"),
        ("lathe-2-1", "lathe-2-2"),
        ("halden-q3", "corvane-q3"),
        ("fernway", "quillon-funding"),
        ("robotaxi", "metro-7"),
    ],
)
def test_events_that_are_alike_stay_apart(played: Played, posts: tuple[Post, ...], one: str, other: str) -> None:
    seats, labels = played.seats(), label_of(posts)
    told = {label: {seats[url][0] for url, found in labels.items() if found == label} for label in (one, other)}
    assert told[one].isdisjoint(told[other])


def test_a_retitled_article_is_one_item_with_a_revision(played: Played) -> None:
    assert played.rows(f"SELECT title FROM item WHERE url = '{RETITLED}'") == [
        ("Calder Rail to buy Westmark Lines for 6.4 billion",)
    ]
    assert len(played.rows("SELECT 1 FROM revision WHERE field = 'title'")) == 1


def test_an_outage_leaves_hours_that_are_known_in_part(played: Played) -> None:
    story = played.story_of(ANNOUNCED)
    hours = {hour["at"]: hour for hour in played.json("heat", story["id"], AT)["hours"]}
    assert hours["2026-11-12T20:00:00Z"]["standing"] == "observed"
    in_outage = hours["2026-11-13T06:00:00Z"]
    assert (in_outage["standing"], in_outage["behind"]) == ("partial", ["tessera"])
    assert hours["2026-11-09T08:00:00Z"]["standing"] == "unknown"  # before the first poll, and nothing told yet


def test_each_trouble_of_a_feed_is_told(played: Played) -> None:
    failed = played.rows(
        "SELECT DISTINCT source.id, fetch.failure_kind, fetch.status FROM fetch"
        " JOIN feed ON feed.id = fetch.feed_id JOIN source ON source.id = feed.source_id"
        " WHERE fetch.failure_kind IS NOT NULL ORDER BY 1"
    )
    assert failed == [("lumen-daily", "challenge", 200), ("old-mill-gazette", "gone", 410), ("tessera", "status", 503)]
    found = {
        source["id"]: [finding["kind"] for feed in source["feeds"] for finding in feed["findings"]]
        for source in played.printed["sources"]["sources"]
    }
    assert {source: kinds for source, kinds in found.items() if kinds} == {
        "northern-ledger": ["moved"],
        "old-mill-gazette": ["gone"],
        "qinghe-daily": ["moving_dates"],
    }


def test_unchanged_feeds_are_not_sent_again(played: Played) -> None:
    outcomes: dict[str, int] = dict(played.rows("SELECT outcome, count(*) FROM fetch GROUP BY outcome"))
    assert outcomes["not_modified"] > outcomes["updated"]


@pytest.mark.parametrize(
    ("url", "effective"),
    [
        ("https://coastcourier.example/2026/11/10/1530", "Tue 15:30"),  # listed two days later
        ("https://coastcourier.example/2026/11/14/0450", "Sat 04:50"),  # its dates are those of Oslo, without a zone
    ],
)
def test_what_is_dated_counts_from_then(played: Played, url: str, effective: str) -> None:
    assert played.rows(f"SELECT effective_at FROM item WHERE url = '{url}'") == [(stored(effective),)]


@pytest.mark.parametrize(
    ("url", "published", "latest"),
    [
        ("https://stacknotes.example/2026/11/13/2030", "Fri 20:30", "Fri 23:00"),  # undated
        ("https://qinghe.example/2026/11/11/0220", "Wed 02:20", "Wed 05:00"),  # dated anew with each poll
    ],
)
def test_what_has_no_believable_date_counts_from_when_it_was_seen(
    played: Played, url: str, published: str, latest: str
) -> None:
    ((effective, seen),) = played.rows(f"SELECT effective_at, first_seen_at FROM item WHERE url = '{url}'")
    assert effective == seen
    assert stored(published) < seen <= stored(latest)


def test_an_article_in_two_feeds_is_one_item_of_its_publisher(played: Played) -> None:
    told = played.rows(
        "SELECT item.source_id, count(*) FROM entry JOIN item ON item.id = entry.item_id"
        " WHERE item.url = 'https://harbourwire.example/2026/11/11/0850' GROUP BY 1"
    )
    assert told == [("harbour-wire", 2)]


def test_nothing_is_wrong_with_the_database(played: Played) -> None:
    assert played.json("db", "check")["problems"] == []
    assert played.json("rebuild", "--check")["differences"] == []


def test_what_was_kept_can_be_replayed(played: Played, tmp_path: Path) -> None:
    options = [f"--config={played.kept / 'feeds.yaml'}", f"--db={tmp_path / 'replayed.db'}"]
    until = "--until=2026-11-09T20:00Z"
    ran = storyheat("replay", played.kept / "snapshots", until, "--json", *options)
    assert ran.code == 0
    ((seen,),) = played.rows("SELECT count(*) FROM item WHERE first_seen_at <= '2026-11-09T20:00:00Z'")
    assert ran.json["items"]["new"] == seen


def test_every_document_was_kept(played: Played) -> None:
    kept = Counter(path.parent.name for path in (played.kept / "snapshots").rglob("*.*"))
    sent = played.rows(
        "SELECT feed.source_id, count(*) FROM fetch JOIN feed ON feed.id = fetch.feed_id"
        " WHERE fetch.status = 200 GROUP BY 1"
    )
    assert kept == dict(sent)
