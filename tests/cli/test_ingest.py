"""`ingest` from a real configuration against a server on loopback: reports, exit codes, the lock."""

import os
import signal
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from tests.command import storyheat
from tests.make import Post, rss, utc
from werkzeug import Request, Response

from storyheat.store.runlock import run_lock

GOOD = rss(Post("A tower of Lego in Torvik", "https://one.example/1", utc("2026-11-01 10:00"), text="Twelve metres."))


@dataclass(frozen=True)
class Place:
    """A folder with a feeds.yaml whose feeds lie on the test's server."""

    folder: Path
    server: HTTPServer

    def configure(self, *names: str, extra: str = "") -> list[str]:
        """Writes the configuration; the options that name it and the database."""
        sources = "".join(f"  - {{id: {n}, feeds: [{{url: '{self.server.url_for(f'/{n}')}'}}]}}\n" for n in names)
        host = f"{self.server.host}:{self.server.port}"
        network = f"network: {{allow_hosts: ['{host}'], pause_seconds: 0, timeout_seconds: 5}}\n"
        config = self.folder / "feeds.yaml"
        config.write_text(f"sources:\n{sources}{network}{extra}", "utf-8")
        return [f"--config={config}", f"--db=sqlite:///{self.folder / 'storyheat.db'}"]

    def serve(self, name: str, body: str, status: int = 200) -> None:
        """Answers one feed's address."""
        self.server.expect_request(f"/{name}").respond_with_data(body, status, content_type="application/rss+xml")


@pytest.fixture
def place(tmp_path: Path, httpserver: HTTPServer) -> Place:
    """A place to run in."""
    return Place(tmp_path, httpserver)


def test_a_run_and_the_next(place: Place) -> None:
    options = place.configure("one")
    place.serve("one", GOOD)
    first = storyheat("ingest", *options)
    assert (first.code, first.err) == (0, "")
    [line] = first.out.splitlines()
    assert "feeds: 1 updated, 0 unchanged, 0 failed, 0 not due" in line
    assert "items: 1 new, 0 revised, 0 copies; stories: 1 new, 0 grown, 0 merged" in line
    assert "1 not due" in storyheat("ingest", *options).out
    forced = storyheat("ingest", "--force", "--source=one", "--json", *options).json
    assert forced["feeds"] == {"updated": 0, "unchanged": 1, "failed": 0, "skipped": 0}
    assert storyheat("ingest", "--quiet", "--force", *options).out == ""
    assert "seconds: fetch " in storyheat("ingest", "--verbose", "--force", *options).out


def test_some_failed(place: Place) -> None:
    options = place.configure("one", "two")
    place.serve("one", GOOD)
    place.serve("two", "gone away", 503)
    outcome = storyheat("ingest", "--quiet", *options)
    assert (outcome.code, outcome.err) == (3, "")
    assert outcome.out.startswith("  failed: two: ")
    assert "503" in outcome.out
    page = storyheat("sources", *options).out
    assert "failing" in page
    assert "failed once, on " in page
    failing = {source["id"]: source["health"] for source in storyheat("sources", "--json", *options).json["sources"]}
    assert failing == {"one": "ok", "two": "failing"}
    assert storyheat("sources", "--quiet", *options).out.startswith("two")
    assert "2 sources, 1 of them needs a look" in storyheat("sources", "--verbose", *options).out


def test_the_doctor_asks_nobody_unless_told_to(place: Place) -> None:
    options = place.configure("one", "two")
    place.serve("one", GOOD)
    place.serve("two", "<html><body>Welcome</body></html>")
    storyheat("ingest", *options)
    place.server.clear_log()
    checked = storyheat("sources", "check", "--json", *options)
    assert (checked.code, place.server.log) == (0, [])
    one, two = checked.json["sources"]
    assert (one["feeds"][0]["findings"], two["feeds"][0]["findings"][0]["kind"]) == ([], "html")
    page = storyheat("sources", "check", *options).out
    assert "nothing is wrong" in page
    assert "→ open the address in a browser, and look there for the feed's own address" in page
    place.server.clear()
    place.serve("two", GOOD)
    mended = storyheat("sources", "check", "two", "--poll", "--quiet", *options)
    assert (mended.code, mended.out, mended.err) == (0, "", "")
    assert [request.path for request, _ in place.server.log] == ["/two"]
    assert storyheat("sources", "check", "one", "--poll", *options).code == 3  # it is not served any more
    for options_too in ([], ["--poll"]):
        outcome = storyheat("sources", "check", "three", *options_too, *options)
        assert (outcome.code, 'no source "three"' in outcome.err) == (2, True)


def test_all_failed(place: Place) -> None:
    options = place.configure("two")
    place.serve("two", "<html><body>Please wait</body></html>")
    outcome = storyheat("ingest", "--json", "--verbose", *options)
    assert outcome.code == 1
    assert outcome.err == (
        'storyheat: none of 1 feeds gave anything usable; check the network, then "storyheat sources" for each\n'
    )
    assert [one["kind"] for one in outcome.json["failures"]] == ["html"]


def test_what_is_asked_for_must_exist(place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = storyheat("ingest", "--source=three", *place.configure("one"))
    assert outcome.code == 2
    assert 'has no source "three"' in outcome.err
    monkeypatch.chdir(tmp_path / "..")
    outcome = storyheat("ingest")
    assert (outcome.code, len(outcome.err.splitlines())) == (2, 1)
    assert '"storyheat init" writes one' in outcome.err


def test_an_index_page_is_polled(place: Place) -> None:
    options = place.configure("one")
    config = place.folder / "feeds.yaml"
    feed = "url: {address}, kind: html, select: {{item: li, date: time}}"
    text = config.read_text("utf-8").replace("url: ", "@", 1)
    address = text.split("@")[1].split("}")[0].strip()
    config.write_text(text.replace(f"@{address}", feed.format(address=address)), "utf-8")
    page = "<!doctype html><html><body><ul><li><a href=/a>One</a> <time>2026-10-26</time></ul></body></html>"
    place.serve("one", page)
    place.serve("robots.txt", "User-agent: *\nDisallow: /private")
    report = storyheat("ingest", "--json", *options).json
    assert (report["feeds"]["updated"], report["items"]["new"], report["failures"]) == (1, 1, [])


def test_what_is_paused_or_has_no_feed_is_said(place: Place) -> None:
    options = place.configure("one", "two")
    place.serve("one", GOOD)
    config = place.folder / "feeds.yaml"
    text = config.read_text("utf-8").replace("{id: two,", "{id: two, enabled: false,")
    config.write_text(text.replace("network:", "  - {id: three}\nnetwork:"), "utf-8")
    outcome = storyheat("ingest", "--source=two", *options)
    assert "0 not due" in outcome.out
    assert 'two is paused: "storyheat sources resume two" polls it again\n' in outcome.err
    assert "three has no feeds: give it one in " in outcome.err
    assert storyheat("ingest", "--quiet", "--source=two", *options).err == ""
    config.write_text("sources: []\n", "utf-8")
    assert '"storyheat sources add URL" follows one' in storyheat("ingest", *options).err


def test_a_second_run_leaves_at_once(place: Place) -> None:
    options = place.configure("one")
    place.serve("one", GOOD)
    with run_lock(options[1].removeprefix("--db=")):
        plain, quiet, told = (storyheat("ingest", *more, *options) for more in ((), ("-q",), ("--json",)))
        assert [outcome.code for outcome in (plain, quiet, told)] == [0, 0, 0]
        assert plain.out == f"another run is at work on {place.folder / 'storyheat.db'}; nothing to do\n"
        assert quiet.out == ""
        assert told.json["remark"].startswith("another run is at work")
        storyheat("db", "upgrade", options[1])
        busy = storyheat("rebuild", *options)
        assert (busy.code, "wait until it has ended, then try again" in busy.err) == (1, True)
    assert "1 updated" in storyheat("ingest", *options).out
    with run_lock("sqlite://"):
        pass  # a database in memory is nobody else's


def test_a_lock_that_cannot_be_made(tmp_path: Path, place: Place) -> None:
    config = place.configure("one")[0]
    outcome = storyheat("ingest", config, f"--db=sqlite:///{tmp_path / 'no' / 'where.db'}")
    assert (outcome.code, len(outcome.err.splitlines())) == (1, 1)
    assert "the folder does not exist" in outcome.err
    (tmp_path / "taken.db.lock").mkdir()
    outcome = storyheat("ingest", config, f"--db=sqlite:///{tmp_path / 'taken.db'}")
    assert outcome.code == 1
    assert "cannot write" in outcome.err


def test_ctrl_c_ends_cleanly(place: Place) -> None:
    options = place.configure("one")
    asked, done = threading.Event(), threading.Event()

    def stall(request: Request) -> Response:
        asked.set()
        done.wait(30)
        return Response(GOOD)

    place.server.expect_request("/one").respond_with_handler(stall)
    command = [sys.executable, "-m", "storyheat", "ingest", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert asked.wait(30)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)
        done.set()
    assert (process.returncode, out) == (130, "")
    assert err == "storyheat: interrupted; what was stored stays, and the next run goes on from there\n"
    assert storyheat("db", "check", options[1]).code == 0
