"""Feeds of the page: the same as those that are exported, found by programs, and asked for again at no cost."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.command import storyheat
from tests.feeds_out import read as entries_of
from tests.make import Post, rss, utc, write_recording
from tests.web.client import Client
from tests.web.conftest import NOW
from tests.web.markup import read

from storyheat.settings import Settings, load_settings
from storyheat.web.app import make_app
from storyheat.web.replies import Changes

TYPES = {"atom": "application/atom+xml", "rss": "application/rss+xml", "json": "application/feed+json"}
FORMATS = {"atom": "atom", "rss": "rss", "json": "jsonfeed"}


@pytest.mark.parametrize("ending", TYPES)
def test_feeds_are_what_export_writes(client: Client, news: Settings, engine: str, ending: str) -> None:
    asked = [
        ("top", []),
        ("topic/engines", ["--topic=engines"]),
        ("topic/CITIES", ["--topic=cities"]),
        (f"story/{engine}", ["--what=story", engine]),
    ]
    for name, options in asked:
        reply = client.get(f"/feeds/{name}.{ending}")
        assert (reply.status_code, reply.headers["content-type"]) == (200, TYPES[ending])
        given = ["--base-url=http://localhost", f"--format={FORMATS[ending]}", f"--at={NOW.isoformat()}"]
        exported = storyheat("export", *given, *options, f"--db={news.database}", f"--config={news.config}")
        assert reply.text == exported.out
        assert entries_of(reply.text, FORMATS[ending])
        assert "default-src 'none'" in reply.headers["content-security-policy"]


def test_an_old_id_and_a_prefix_lead_to_the_feed_of_the_living_story(
    client: Client, news: Settings, engine: str, tmp_path: Path
) -> None:
    reply = client.get(f"/feeds/story/{engine[:7]}.rss")
    assert (reply.status_code, reply.headers["location"]) == (302, f"/feeds/story/{engine}.rss")
    copy = f"sqlite:///{tmp_path / 'copy.db'}"
    assert storyheat("db", "backup", tmp_path / "copy.db", f"--db={news.database}").code == 0
    listed = storyheat("top", "--json", f"--db={copy}", f"--at={NOW.isoformat()}").json["stories"]
    (other,) = [one["id"] for one in listed if one["id"] != engine]
    merged = storyheat("merge", engine, other, "--json", f"--db={copy}")
    assert (merged.code, merged.err) == (0, "")
    served = Client(make_app(replace(news, database=copy), lambda: NOW, print))
    living, old = (engine, other) if served.get(f"/feeds/story/{engine}.atom").status_code == 200 else (other, engine)
    led = served.get(f"/feeds/story/{old}.atom")
    assert (led.status_code, led.headers["location"]) == (302, f"/feeds/story/{living}.atom")
    assert [one.id.rpartition("/")[2] for one in entries_of(served.get("/feeds/top.atom").text, "atom")] == [living]


@pytest.mark.parametrize(
    "path", ["/feeds/top.xml", "/feeds/topic/nothing.rss", "/feeds/story/szzz.atom", "/feeds/story/x.y", "/feeds/top"]
)
def test_what_is_no_feed_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_copy_that_is_still_good_is_not_sent_again(client: Client) -> None:
    for path in ("/feeds/top.atom", "/opml"):
        first = client.get(path)
        etag, since = first.headers["etag"], first.headers["last-modified"]
        for headers in (
            {"If-None-Match": etag},
            {"If-None-Match": f'"x", W/{etag}'},
            {"If-Modified-Since": since},
            {"If-None-Match": etag, "If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"},
        ):
            again = client.get(path, headers)
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
        for headers in (
            {"If-None-Match": '"x"', "If-Modified-Since": since},
            {"If-Modified-Since": "Thu, 01 Jan 1970 00:00:00 GMT"},
            {"If-Modified-Since": "yesterday"},
            {"If-Modified-Since": "Thu, 01 Jan 2099 00:00:00"},
        ):
            assert client.get(path, headers).status_code == 200


def test_time_alone_makes_no_new_feed_and_news_do(tmp_path: Path) -> None:
    start, later = utc("2026-11-12 09:00"), utc("2026-11-12 12:00")
    text = "Quuxcorp showed release seven of its Zorblat engine in Torvik; it compiles twice as fast as before."
    post = Post(
        "Zorblat engine seven released by Quuxcorp", "https://a.example/1", start - timedelta(hours=1), text=text
    )
    other = Post("Quuxcorp releases Zorblat engine seven", "https://b.example/1", later - timedelta(hours=1), text=text)
    recording = write_recording(
        tmp_path / "recorded", {"a": {start: rss(post)}, "b": {start: rss(), later: rss(other)}}
    )
    database = f"sqlite:///{tmp_path / 'storyheat.db'}"
    clock = [start]
    client = Client(make_app(load_settings({}, database=database, config_required=False), lambda: clock[0], print))

    def asked(at: datetime, headers: dict[str, str]) -> tuple[int, str]:
        clock[0] = at
        reply = client.get("/feeds/top.rss", headers)
        return reply.status_code, reply.headers["last-modified"]

    def played(until: datetime) -> None:
        assert storyheat("replay", recording, f"--until={until.isoformat()}", f"--db={database}").code == 0

    played(start)
    status, first = asked(start + timedelta(minutes=7, seconds=3), {})
    assert (status, first) == (200, "Thu, 12 Nov 2026 09:07:03 GMT")
    assert asked(start + timedelta(hours=2), {"If-Modified-Since": first}) == (304, first)
    played(later)
    assert asked(later, {"If-Modified-Since": first}) == (200, "Thu, 12 Nov 2026 12:00:00 GMT")


def test_pages_tell_programs_and_people_of_their_feeds(client: Client, engine: str) -> None:
    for path, feeds in (
        ("/", ["/feeds/top"]),
        ("/about", ["/feeds/top"]),
        ("/?topic=engines", ["/feeds/topic/engines", "/feeds/top"]),
        (f"/story/{engine}", [f"/feeds/story/{engine}", "/feeds/top"]),
    ):
        page = read(client.get(path).text)
        expected = [(f"{feed}.{ending}", TYPES[ending]) for feed in feeds for ending in TYPES]
        for links in (page.all("link", rel="alternate"), page.all("footer")[0].all("a")):
            found = [(link.attributes["href"], link.attributes.get("type")) for link in links]
            assert [link for link in found if str(link[0]).startswith("/feeds/")] == expected
        for address, media_type in expected:
            assert client.get(address).headers["content-type"] == media_type
    assert read(client.get("/sources").text).all("a", href="/opml")


def test_links_lead_where_readers_reach_the_page(news: Settings, client: Client) -> None:
    public = replace(news, web=replace(news.web, base_url="https://news.example.org/"))
    served = Client(make_app(public, lambda: NOW, print))
    feed = json.loads(served.get("/feeds/top.json", {"Host": "127.0.0.1:8000"}).text)
    assert feed["feed_url"] == "https://news.example.org/feeds/top.json"
    assert served.get("/healthz", {"Host": "news.example.org"}).status_code == 200
    here = json.loads(client.get("/feeds/top.json", {"Host": "127.0.0.1:8000"}).text)
    assert here["items"][0]["url"].startswith("http://127.0.0.1:8000/story/")
    assert [one["id"] for one in here["items"]] == [one["id"] for one in feed["items"]]
    strange = json.loads(client.get("/feeds/top.json", {"Host": 'localhost:"><x'}).text)
    assert "home_page_url" not in strange


def test_the_sources_are_served_as_opml_without_secrets(tmp_path: Path, news: Settings) -> None:
    config = tmp_path / "feeds.yaml"
    config.write_text(
        "sources:\n"
        "  - {id: open, name: Open & free, topics: [engines], feeds: [{url: 'https://open.example/feed'}]}\n"
        "  - {id: closed, name: '${NAME}', feeds: [{url: 'https://u:pass@closed.example/feed'},"
        " {url: 'https://closed.example/f?key=${KEY}'}]}\n",
        "utf-8",
    )
    settings = load_settings({"NAME": "hidden name", "KEY": "k3y-of-mine"}, config=config, database=news.database)
    reply = Client(make_app(settings, lambda: NOW, print)).get("/opml")
    assert reply.headers["content-type"] == "text/x-opml; charset=utf-8"
    assert not any(secret in reply.text for secret in ("pass", "hidden name", "k3y"))
    feeds = [one.get("xmlUrl") for one in ElementTree.fromstring(reply.text).iter("outline")]
    assert [feed for feed in feeds if feed] == ["https://open.example/feed", "https://closed.example/feed"]
    stored = Client(make_app(replace(news, config=None, sources=()), lambda: NOW, print)).get("/opml")
    assert "https://alpha.example/feed" in stored.text


def test_the_changes_of_the_addresses_last_asked_for_are_remembered() -> None:
    changes = Changes(most=2)
    later = NOW + timedelta(hours=1)
    assert changes.since("a", "1", NOW) == changes.since("a", "1", later) == NOW
    assert changes.since("a", "2", later) == later
    for address in ("b", "c"):
        changes.since(address, "1", NOW)
    assert changes.since("a", "2", later + timedelta(hours=1)) == later + timedelta(hours=1)
