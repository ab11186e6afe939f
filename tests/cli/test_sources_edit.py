"""The commands that change what is followed, against a server on loopback and a real feeds.yaml."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from tests.command import Outcome, storyheat
from tests.make import Post, atom, rss, utc
from werkzeug import Response

from storyheat.core.model import Source
from storyheat.settings import load_settings

POST = Post("A tower of Lego in Torvik", "https://one.example/1", utc("2026-11-01 10:00"), text="Twelve metres.")
OTHER = Post("A bridge over the Osmer", "https://one.example/2", utc("2026-11-01 11:00"), text="Closed.")
FEED = rss(POST, site="https://one.example/", channel="<language>en-GB</language>")
FEED = FEED.replace("Sample", "The Torvik ${HOME}")

TEXT = """\
# mine
sources:
  # known for years
  - id: old # first
    feeds:
      - url: http://{host}/old

network: {{allow_hosts: ['{host}'], pause_seconds: 0, timeout_seconds: 5}} # for the test
"""


@dataclass(frozen=True)
class Place:
    """A feeds.yaml that allows the test's server."""

    config: Path
    server: HTTPServer

    def serve(self, path: str, body: str, kind: str = "application/rss+xml") -> str:
        """Answers one address; gives it."""
        self.server.expect_request(path).respond_with_data(body, content_type=kind)
        return self.server.url_for(path)

    def page(self, path: str, *links: str) -> str:
        """Serves a page that names feeds."""
        kind = 'rel="alternate" type="application/rss+xml"'
        named = "".join(f'<link {kind} href="{each}" title="T {each}">' for each in links)
        return self.serve(path, f"<!doctype html><html><head>{named}</head><body>Hello</body></html>", "text/html")

    def run(self, *arguments: str | Path) -> Outcome:
        """One command on this file."""
        return storyheat(*arguments, f"--config={self.config}", f"--db=sqlite:///{self.config.parent / 'storyheat.db'}")

    def add(self, *arguments: str) -> Outcome:
        """`sources add`."""
        return self.run("sources", "add", *arguments)

    @property
    def text(self) -> str:
        """The file as it is now."""
        return self.config.read_text("utf-8")

    @property
    def sources(self) -> list[Source]:
        """The sources in it."""
        return list(load_settings({}, config=self.config).sources)


@pytest.fixture
def place(tmp_path: Path, httpserver: HTTPServer) -> Place:
    """A place with one source."""
    config = tmp_path / "feeds.yaml"
    config.write_text(TEXT.format(host=f"{httpserver.host}:{httpserver.port}"), "utf-8")
    return Place(config, httpserver)


# -- add ------------------------------------------------------------------------------------------


def test_a_feed_is_added_and_removed(place: Place) -> None:
    before = place.text
    url = place.serve("/feed", FEED)
    options = ("--topic=ai", "--topic=a, b", "--level=discussion", "--owner=group", "--timezone=Europe/Oslo")
    added = place.add(url, *options)
    assert (added.code, added.err) == (0, "")
    assert added.out.startswith("Added the-torvik-home\n")
    assert f"  feed      {url} (1 entry now, format rss20)" in added.out
    source = place.sources[1]
    assert (source.name, source.site, source.language) == ("The Torvik ${HOME}", "https://one.example/", "en-GB")
    assert (source.topics, source.level, source.owner, source.timezone) == (
        ("ai", "a, b"), "discussion", "group", "Europe/Oslo"
    )  # fmt: skip
    assert [line for line in before.splitlines() if line not in place.text.splitlines()] == []
    assert "1 updated" in place.run("ingest", "--source=the-torvik-home").out
    removed = place.run("sources", "remove", "the-torvik-home")
    assert (removed.code, removed.err) == (0, "")
    assert place.text == before


def test_what_no_server_is_sent_is_not_written(place: Place) -> None:
    url = place.serve("/feed", FEED)
    assert place.add(url.replace("/feed", "/./feed#x")).code == 0
    assert place.sources[1].feeds[0].url == url
    assert f"{url} is followed already" in place.add(url.replace("http:", "feed:") + "#y").err


def test_what_is_given_wins(place: Place) -> None:
    url = place.serve("/feed", FEED)
    value = place.add(url, "--id=mine", "--name=My name", "--language=no", "--json").json
    assert value["written"] is True
    [entry] = value["added"]
    assert (entry["id"], entry["name"], entry["language"], entry["feeds"]) == ("mine", "My name", "no", [url])


def test_a_dry_run_only_tells(place: Place) -> None:
    before = place.text
    url = place.serve("/feed", FEED)
    assert place.add(url, "--dry-run").out.startswith("Would add the-torvik-home\n")
    assert place.add(url, "--dry-run", "--json").json["written"] is False
    assert place.text == before


def test_the_feed_of_a_page(place: Place) -> None:
    place.serve("/rss", FEED)
    place.serve("/atom", atom(POST))  # the same articles
    place.serve("/comments/feed", rss(OTHER))
    place.serve("/broken", "<html>no feed</html>", "text/html")
    url = place.page("/", "/broken", "/comments/feed", "/rss", "/atom")
    added = place.add(url)
    assert (added.code, added.err) == (0, f"{url} led to {place.server.url_for('/rss')}\n")
    assert place.sources[1].feeds[0].url == place.server.url_for("/rss")


def test_a_page_with_several_feeds(place: Place) -> None:
    before = place.text
    place.serve("/a", rss(POST))
    place.serve("/b", rss(OTHER))
    url = place.page("/", "/a", "/b")
    asked = place.add(url)
    assert asked.code == 2
    assert f"names 2 feeds: {place.server.url_for('/a')} (T /a); {place.server.url_for('/b')} (T /b)" in asked.err
    assert "or the first with --yes" in asked.err
    assert place.text == before
    many = place.page("/many", *(f"/feed{number}" for number in range(9)))
    assert "names 9 feeds" in place.add(many).err
    assert place.add(url, "--yes").code == 0
    assert place.sources[1].feeds[0].url == place.server.url_for("/a")
    assert (place.sources[1].id, place.sources[1].site) == ("sample", url)


def test_a_feed_that_moved_for_good(place: Place) -> None:
    new = place.serve("/new", FEED)
    place.server.expect_request("/gone").respond_with_response(Response(status=301, headers={"Location": new}))
    assert place.add(place.server.url_for("/gone")).code == 0
    assert place.sources[1].feeds[0].url == new


def test_what_is_followed_already(place: Place) -> None:
    before = place.text
    known = place.server.url_for("/old")
    again = place.add(known)
    assert (again.code, again.out) == (2, "")
    assert f'{known} is followed already, as "old" in {place.config}' in again.err
    place.serve("/old", FEED)
    led = place.add(place.page("/", "/old"))
    assert f"{known} is followed already" in led.err
    assert 'has a source "OLD"; choose another id' in place.add(place.serve("/feed", FEED), "--id=OLD").err
    assert place.text == before


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("ftp://one.example/",), 2, "is no address"),
        (("http://10.0.0.1/",), 1, "private address"),
        (("http://one.example/", "--level=loud"), 2, "level: must be"),
        (("http://one.example/", "--timezone=Mars/Base"), 2, "timezone: "),
        (("http://one.example/", "--language=not a tag"), 2, "language: "),
        (("http://one.example/", "--id=a b"), 2, "id: "),
        (("http://one.example/?a=${NO_SUCH_THING}",), 2, "NO_SUCH_THING is not set"),
        (("http://one.example/?a=${NO",), 2, "names no variable"),
        (("http://one.example/é?a=${PATH}",), 2, "percent-encode what must be"),
    ],
)
def test_what_cannot_be_added(place: Place, arguments: tuple[str, ...], code: int, words: str) -> None:
    before = place.text
    outcome = place.add(*arguments)
    assert outcome.code == code
    assert words in outcome.err
    assert len(outcome.err.splitlines()) == 1
    assert place.text == before


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/missing", "404|500"),
        ("/empty", "names no feed"),
        ("/text", "/text: "),
        ("/dead", "none of the feeds that the page names can be read"),
    ],
)
def test_where_there_is_no_feed(place: Place, path: str, words: str) -> None:
    place.page("/empty")
    place.serve("/text", "Just words.", "text/plain")
    place.page("/dead", "/missing.xml", "/text")
    place.server.expect_request("/missing").respond_with_data("", 404)
    outcome = place.add(place.server.url_for(path))
    assert outcome.code == 1
    assert any(word in outcome.err for word in words.split("|"))


def test_a_password_is_never_shown(place: Place) -> None:
    place.serve("/feed", FEED)
    url = f"http://me:hunter2@{place.server.host}:{place.server.port}/feed"
    outcome = place.add(url)
    assert outcome.code == 0
    assert "hunter2" not in outcome.out + outcome.err
    assert place.sources[1].feeds[0].secret_url == url
    exported = place.run("export-opml")
    assert "hunter2" not in exported.out
    assert exported.err == "the-torvik-home: the user and password of a feed were left out\n"


# -- remove, pause, resume ------------------------------------------------------------------------


def test_pause_and_resume(place: Place) -> None:
    before = place.text
    paused = place.run("sources", "pause", "old")
    assert (paused.code, paused.out) == (0, f"{place.config}: old paused\n")
    assert place.text == before.replace("old # first\n", "old # first\n    enabled: false\n")
    assert "is so already" in place.run("sources", "pause", "old").out
    resumed = place.run("sources", "resume", "old", "--json").json
    assert (resumed["written"], resumed["switched"]) == (True, [{"id": "old", "enabled": True}])
    assert place.run("sources", "resume", "old", "--json").json["written"] is False


def test_remove(place: Place) -> None:
    assert place.run("sources", "remove", "old", "--json").json["removed"] == ["old"]
    assert place.text.startswith("# mine\nsources:\n\nnetwork: ")
    again = place.run("sources", "remove", "old")
    assert (again.code, again.err.count("\n")) == (2, 1)


def test_what_is_followed_is_told_as_it_is_now_before_the_next_run(place: Place) -> None:
    place.serve("/old", FEED)
    assert place.run("ingest").code == 0
    healths = []
    for command in ("pause", "resume", "remove"):
        place.run("sources", command, "old")
        [told] = place.run("sources", "--json").json["sources"]
        healths.append((told["enabled"], told["health"]))
    assert healths == [(False, "paused"), (True, "ok"), (False, "paused")]
    place.config.write_text(place.text.replace("sources:\n", "sources:\n  - id: new\n"), "utf-8")
    lines = place.run("sources").out.splitlines()
    assert [line.split("  ")[0:2] for line in lines[:2]] == [["new", "no feeds"], ["old", "removed"]]


def test_options_go_behind_the_command() -> None:
    outcome = storyheat("sources", "--quiet", "pause", "old", tz=None)
    assert outcome.code == 2
    assert 'options go behind the command: "storyheat sources pause' in outcome.err


def test_a_configuration_is_needed(tmp_path: Path) -> None:
    for command in (("sources", "add", "https://a.example/"), ("import-opml", "a.opml"), ("export-opml",)):
        outcome = storyheat(*command, f"--config={tmp_path / 'none.yaml'}")
        assert outcome.code == 2
        assert "storyheat init" in outcome.err


# -- lists ----------------------------------------------------------------------------------------

LIST = """\
<opml version="2.0"><head/><body>
<outline text="Cities"><outline text="Torvik" type="rss" xmlUrl="https://torvik.example/feed"/></outline>
<outline text="Known" type="rss" xmlUrl="http://{host}/old"/>
<outline text="Bad&#x202e;" type="rss" xmlUrl="javascript:alert(1)"/>
</body></opml>
"""


@pytest.fixture
def opml(place: Place, tmp_path: Path) -> Path:
    """A list of three feeds, of which one can be added."""
    path = tmp_path / "list.opml"
    path.write_text(LIST.format(host=f"{place.server.host}:{place.server.port}"), "utf-8")
    return path


def test_a_list_is_imported_once(place: Place, opml: Path) -> None:
    before = place.text
    told = place.run("import-opml", opml, "--dry-run")
    assert "would add: torvik (Torvik)" in told.out
    assert place.text == before
    first = place.run("import-opml", opml)
    assert (first.code, first.err) == (0, "")
    assert first.out.splitlines() == [
        "  added: torvik (Torvik)",
        "  skipped: Bad (javascript:alert(1)): only http and https addresses are asked, not javascript",
        f'  skipped: Known ({place.server.url_for("/old")}): followed already, as "old"',
        f"{place.config}: 1 source added, 2 outlines skipped",
    ]
    assert [(source.id, source.topics) for source in place.sources] == [("old", ()), ("torvik", ("Cities",))]
    second = place.run("import-opml", opml, "--json").json
    assert (second["written"], second["added"], len(second["skipped"])) == (False, [], 3)
    assert place.run("sources", "remove", "torvik", "--quiet").out == ""
    assert place.text == before
    assert place.run("import-opml", opml, "--quiet").out == ""


def test_a_list_that_cannot_be_read(place: Place, tmp_path: Path) -> None:
    broken = tmp_path / "broken.opml"
    broken.write_text("<opml><body>")
    outcome = place.run("import-opml", broken)
    assert (outcome.code, outcome.out) == (1, "")
    assert f"{broken}: is no well-formed XML" in outcome.err
    assert place.run("import-opml", tmp_path / "none.opml").code == 2


def test_an_export_comes_back(place: Place, tmp_path: Path) -> None:
    text = place.run("export-opml", "--quiet").out
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0"')
    file = tmp_path / "out.opml"
    told = place.run("export-opml", "--output", file, "--json").json
    assert (told["sources"], told["feeds"], told["remarks"]) == (1, 1, [])
    assert place.run("export-opml", "-o", file).out == f"{file}: 1 feed of 1 source\n"
    before = place.sources
    place.run("sources", "remove", "old")
    assert place.run("import-opml", file).code == 0
    assert place.sources == before
    assert place.run("export-opml", "-o", tmp_path).code == 1
    assert place.run("export-opml", "--json").code == 2
