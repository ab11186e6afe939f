"""Stories as feeds: an update is an update and never another entry, and nothing hostile comes through."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from tests.command import storyheat
from tests.fakes import ScriptedFetcher
from tests.feeds_out import FORMATS, Read, ids_elsewhere, read
from tests.make import Post, feed_url, rss, source, utc
from tests.planted import COPY, DAILY, DIGEST, HOUR, NOON, WIRE, WORLD
from tests.runs import Runs, new_database, pipeline_of

SOURCES = [
    source("wire", topics=("bridges & more", "weather")),
    source("world"),
    source("daily"),
    source("copycat"),
    source("digest", digest=True),
]


class Played:
    """A database that is polled as a test says, and what is exported of it."""

    def __init__(self, folder: Path) -> None:
        self.fetcher = ScriptedFetcher({feed_url(one.id): rss() for one in SOURCES})
        self.runs = Runs(pipeline_of(new_database(folder), self.fetcher, SOURCES))
        self.option = f"--db=sqlite:///{folder / 'storyheat.db'}"

    def poll(self, at: datetime, posts: Mapping[str, Post]) -> None:
        """Polls all, where some list another post than before."""
        for name, post in posts.items():
            self.fetcher.answers[feed_url(name)] = rss(post)
        self.runs.at(at, force=True)

    def text(self, form: str, at: datetime, *arguments: str) -> str:
        """The feed as it is exported at an instant."""
        ran = storyheat("export", f"--format={form}", f"--at={at.isoformat()}", self.option, *arguments)
        assert (ran.code, ran.err) == (0, "")
        for found in ids_elsewhere(ran.out, form):
            assert found == [entry.id for entry in read(ran.out, form)]
        return ran.out

    def entry(self, form: str, at: datetime, *arguments: str) -> Read:
        """Its only entry."""
        (entry,) = read(self.text(form, at, *arguments), form)
        return entry


@pytest.fixture
def played(tmp_path: Path) -> Played:
    """Two reports of one story, polled once."""
    made = Played(tmp_path)
    made.poll(NOON, {"wire": WIRE, "world": WORLD})
    return made


@pytest.mark.parametrize("form", FORMATS)
def test_an_update_of_a_story_is_an_update_of_its_entry(played: Played, form: str) -> None:
    before = played.entry(form, NOON)
    assert before.updated == NOON
    played.poll(NOON + HOUR, {"daily": DAILY})
    after = played.entry(form, NOON + HOUR)
    assert (after.id, after.title, after.updated) == (before.id, before.title, NOON + HOUR)
    assert "3 voices" in after.html
    story = after.id.rpartition("/")[2]
    assert played.entry(form, NOON + HOUR, "--what=story", story) == after


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_no_news_changes_no_letter(played: Played, form: str) -> None:
    before = played.text(form, NOON)
    played.poll(NOON + 2 * HOUR, {"copycat": COPY, "digest": DIGEST})
    assert played.text(form, NOON + 20 * HOUR) == before


def test_a_new_title_and_a_report_moved_out_are_updates(played: Played) -> None:
    first = played.entry("atom", NOON)
    played.poll(NOON + HOUR, {"wire": replace(WIRE, title=f"{WIRE.title}, ferries run")})
    second = played.entry("atom", NOON + HOUR)
    assert (second.id, second.updated) == (first.id, NOON + HOUR)
    name = first.id.rpartition("/")[2]
    told = storyheat("story", name, "--json", played.option).json
    (world,) = [one["id"] for day in told["timeline"] for one in day["items"] if one["source"] == "world"]
    assert storyheat("move", world, "--alone", played.option).code == 0
    never = utc("2099-01-01 00:00")
    third = played.entry("atom", never, "--what=story", name)
    assert third.id == first.id
    assert third.updated > second.updated
    assert "1 voice, 1 report" in third.html
    (wire,) = [one["id"] for day in told["timeline"] for one in day["items"] if one["source"] == "wire"]
    for command in (["pin", wire], ["move", world, name, "--as=mention"], ["move", world, name, "--as=none"]):
        assert storyheat(*command, played.option).code == 0
    assert played.entry("atom", never, "--what=story", name) == third


def test_an_instant_before_the_first_poll_has_dates_of_its_own(played: Played) -> None:
    entry = played.entry("atom", NOON - HOUR)
    assert entry.updated == NOON - 2 * HOUR
    assert read(played.text("atom", NOON - timedelta(days=9)), "atom") == []


@pytest.mark.parametrize("form", FORMATS)
def test_links_lead_to_the_page_where_one_is_known(played: Played, form: str) -> None:
    assert played.entry(form, NOON).link == WIRE.link
    served = played.text(form, NOON, "--base-url=https://News.example.org")
    (entry,) = read(served, form)
    assert entry.link == f"https://news.example.org/story/{entry.id.rpartition('/')[2]}"
    assert entry.topics == ("bridges & more", "weather")
    assert str(WIRE.link) in served
    ending = "json" if form == "jsonfeed" else form
    assert f"https://news.example.org/feeds/top.{ending}" in served
    topic = played.text(form, NOON, "--base-url=https://news.example.org", "--topic=bridges & more")
    assert f"https://news.example.org/feeds/topic/bridges%20%26%20more.{ending}" in topic
    assert "feeds/" not in played.text(form, NOON, "--base-url=https://news.example.org", "--source=wire")


HOSTILE = '&lt;script>alert(1)&lt;/script>\u202e\x1b[31m\x00\ufffe ]]> &amp;amp; "quoted" {} Harbour Bridge closed'


@pytest.mark.parametrize("form", FORMATS)
def test_hostile_items_stay_text(tmp_path: Path, form: str) -> None:
    made = Played(tmp_path)
    long = HOSTILE.format("x" * 10_000_000)
    posts = {
        "wire": Post(HOSTILE.format(""), "javascript:alert(1)", WIRE.at, "w1", WIRE.text),
        "world": Post(long, "https://user:secret@world.example/?a=1&b=%22%3E", WORLD.at, "x1", WORLD.text),
    }
    made.poll(NOON, posts)
    text = made.text(form, NOON)
    assert len(text) < 20_000
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufffe]", text)
    entries = read(text, form)
    for entry in entries:
        assert "<script" not in entry.html
        assert ("<script" in entry.title) == (form != "rss")
        assert "javascript:" not in f"{entry.link} {entry.html}"
    assert "secret" not in text
