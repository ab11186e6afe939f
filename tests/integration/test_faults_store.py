"""The fault cases of tests/faults through whole runs: real fetcher, parser, store and pipeline, scripted servers.

The words of the cases are mapped to ours here; nothing of what they expect is left out.
"""

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.fakes import ScriptedFetcher
from tests.make import source
from tests.runs import Runs, new_database, settings_of
from tests.scripted import FAULTS, ScriptedTransport, expectation, names, script

from storyheat.core.feeds.network import NetworkParams
from storyheat.core.feeds.polling import PollParams
from storyheat.core.model import Feed, FetchReply, FetchRequest, Source, Url
from storyheat.ingest.http import HttpFetcher
from storyheat.pipeline.run import Pipeline
from storyheat.ports import Fetcher
from storyheat.store.check import problems
from storyheat.store.database import Database, open_database
from storyheat.wiring import make_pipeline

START = "https://wire.example/feed.xml"
PLAYED = sorted(
    path.parent.name
    for path in FAULTS.glob("*/http.json")
    if "per_poll" in expectation(path.parent.name) and not path.parent.name.startswith(("61-", "88-"))
)  # 61 waits, and is played with a short patience in the tests of the fetcher; 88 has a test of its own
DOCUMENTS = sorted(
    path.parent.name for path in FAULTS.glob("*/expect.json") if "stored" in expectation(path.parent.name)
)
# Words of the cases → outcome and kind as the table `fetch` has them; None: whatever.
OUTCOMES: dict[str, tuple[str, str | None]] = {
    "updated": ("updated", None),
    "unchanged": ("unchanged", None),
    "not_modified": ("not_modified", None),
    "error": ("failed", None),
    "gone": ("failed", "gone"),
    "rate_limited": ("failed", "rate_limited"),
}
READ = {"any_of": ["updated", "unchanged"]}  # what a case means that counts only what is new
# Cases whose polls come closer together than our backoff asks a failing feed.
INSISTING = ("67-ssrf-redirect-to-metadata",)


class Played:
    """A `Fetcher` that sends each run to the next poll of a script."""

    def __init__(self, played: Mapping[str, Any]) -> None:
        contact = played.get("config", {}).get("user_agent_contact", "")
        self.params = NetworkParams(user_agent_contact=contact, pause_seconds=0)
        self.dns = played.get("dns", {})
        self.expect([])

    def expect(self, exchange: Sequence[Mapping[str, Any]]) -> None:
        """What the next run meets."""
        self.transport = ScriptedTransport(exchange)
        lost = [step["request"]["url"] for step in exchange if step["response"].get("error") == "dns"]
        self.resolve = names(self.dns, [url.split("/")[2] for url in lost])

    def fetch(self, requests: Sequence[FetchRequest], now: datetime, on_reply: Callable[[FetchReply], None]) -> None:
        """See `ports.Fetcher`."""
        HttpFetcher(self.params, resolve=self.resolve, transport=self.transport).fetch(requests, now, on_reply)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = new_database(tmp_path)
    yield opened
    assert problems(opened) == []
    opened.close()


def pipeline(database: Database, fetcher: Fetcher, sources: Sequence[Source]) -> Pipeline:
    hourly = PollParams(default_interval=timedelta(hours=1))
    return make_pipeline(settings_of(database, polling=hourly), database, fetcher, sources)


def wire() -> Source:
    return source("wire", feeds=(Feed(Url(START)),))


def rows(database: Database, sql: str) -> list[tuple[Any, ...]]:
    with database.read() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(sql)]


def allowed(value: Any) -> list[Any]:
    return value["any_of"] if isinstance(value, dict) else [value]


@pytest.mark.parametrize("case", PLAYED)
def test_fault_case(case: str, database: Database) -> None:
    played, expected = script(case), expectation(case)
    fetcher = Played(played)
    runs = Runs(pipeline(database, fetcher, [wire()]))
    for poll, wanted in zip(played["polls"], expected["per_poll"], strict=True):
        fetcher.expect(poll["exchange"])
        before = rows(database, "SELECT count(*) FROM fetch")
        report = runs.at(datetime.fromisoformat(poll["at"]), force=case in INSISTING)
        assert fetcher.transport.violations == []
        asked = rows(database, "SELECT count(*) FROM fetch") != before
        last = rows(database, "SELECT outcome, failure_kind FROM fetch ORDER BY id DESC LIMIT 1")[0] if asked else None
        assert any(fits(last, word) for word in allowed(wanted.get("outcome", READ)))
        if "new" in wanted:
            assert report.items_new == wanted["new"]
        assert report.items_revised >= wanted.get("revised", 0)
        if "requests" in wanted:
            assert len(fetcher.transport.requests) == wanted["requests"]
        if "first_request" in wanted:
            assert str(fetcher.transport.requests[0].url) == wanted["first_request"]
        hosts = {request.url.host for request in fetcher.transport.requests}
        assert hosts.isdisjoint(expected.get("must_not", {}).get("requests_to", []))
    check_final_state(database, expected.get("final_state", {}))
    titles = dict(rows(database, "SELECT guid, title FROM entry JOIN item ON item.id = item_id"))
    for entry in expected.get("entries", ()):
        assert titles[entry["id"]] == entry["title"]


def fits(last: tuple[Any, ...] | None, word: str) -> bool:
    """Whether the newest row of `fetch` (None: nothing was asked) is what a case calls `word`."""
    if word == "skipped" or last is None:
        return word == "skipped" and last is None
    outcome, kind = OUTCOMES[word]
    return last[0] == outcome and kind in (None, last[1])


def check_final_state(database: Database, wanted: Mapping[str, Any]) -> None:
    (feed,) = rows(database, "SELECT etag, last_modified, failures_in_row, gone, coalesce(moved_url, url) FROM feed")
    names_of = ("etag", "last_modified", "errors", "enabled", "url")
    state = dict(zip(names_of, (*feed[:3], not feed[3], feed[4]), strict=True))
    state["entries"] = rows(database, "SELECT count(*) FROM item")[0][0]
    state["published"] = [row[0] for row in rows(database, "SELECT published_at FROM item ORDER BY 1")]
    effective = dict(rows(database, "SELECT guid, effective_at FROM entry JOIN item ON item.id = item_id"))
    state["effective"] = {guid: effective[guid] for guid in wanted.get("effective", {})}
    assert {name: state[name] for name in wanted} == dict(wanted)


@pytest.mark.parametrize("case", DOCUMENTS)
def test_a_document_makes_the_right_items_and_makes_them_once(case: str, database: Database) -> None:
    expected = expectation(case)
    fetcher = ScriptedFetcher({START: (FAULTS / case / "input.xml").read_bytes()})
    runs = Runs(pipeline(database, fetcher, [wire()]))
    runs.at(datetime.fromisoformat(expected["context"]["fetched_at"]))
    assert rows(database, "SELECT count(*) FROM item") == [(expected["stored"],)]
    again = expected.get("second_poll", {"fetched_at": "2026-10-26T13:00:00Z", "new_entries": 0})
    fetcher.answers[START] = (FAULTS / case / "input.xml").read_bytes() + b"\n"  # the same, but read again
    report = runs.at(datetime.fromisoformat(again["fetched_at"]))
    assert (report.unchanged, report.items_new, report.items_revised) == (1, again["new_entries"], 0)


def test_decorated_addresses_of_one_article_are_one_item(database: Database) -> None:
    case = "37-link-tracking-parameters"
    expected = expectation(case)
    fetcher = ScriptedFetcher({START: (FAULTS / case / "input.xml").read_bytes()})
    runs = Runs(pipeline(database, fetcher, [wire()]))
    runs.at(datetime.fromisoformat(expected["context"]["fetched_at"]))
    item_of = dict(rows(database, "SELECT guid, item_id FROM entry"))
    for one, two in expected["canonical_keys"]["equal"]:
        assert item_of[one] == item_of[two]
    for one, two in expected["canonical_keys"]["different"]:
        assert item_of[one] != item_of[two]


def test_after_sleep_a_feed_is_asked_once_and_a_hang_ends(database: Database) -> None:
    """Case 83: what is due is told by the clock, not by ticks; the scheduler has tests of its own."""
    played, expected = script("83-schedule-overrun-and-misfire"), expectation("83-schedule-overrun-and-misfire")
    config = played["config"]
    fetcher = Played(played)
    step = {"request": {"url": START}, "response": {"status": 200, "body": "<rss><channel/></rss>"}}
    hangs = {"request": {"url": START}, "response": {"status": 200, "body_gen": {"kind": "slow_drip"}}}
    assert fetcher.params.total_seconds <= expected["hang_is_cut_after_s_max"]
    runs = Runs(pipeline(database, fetcher, [wire()]))

    def asked_at(moment: datetime, exchange: Mapping[str, Any]) -> int:
        fetcher.expect([exchange])
        runs.at(moment)
        return len(fetcher.transport.requests)

    asleep, awake = (datetime.fromisoformat(config["sleep"][name]) for name in ("frm", "to"))
    assert asked_at(asleep, step) == 1
    missed = [asked_at(awake + timedelta(minutes=minutes), step) for minutes in range(4)]
    assert missed == [1, 0, 0, 0]  # the missed run is made up, once
    assert sum(missed) <= expected["requests_after_wake_max"]
    hang = datetime.fromisoformat(config["hang"]["at"])
    patient = fetcher.params
    fetcher.params = replace(patient, total_seconds=0.5)  # the patience of 60 seconds, cut short
    assert asked_at(hang + timedelta(hours=1), hangs) == 1
    fetcher.params = patient
    assert rows(database, "SELECT failure_kind FROM fetch ORDER BY id DESC LIMIT 1") == [("timeout",)]
    assert asked_at(hang + timedelta(hours=9), step) == 1  # later polls still run


def test_an_archive_of_thirty_thousand_items_is_stored_once(database: Database) -> None:
    """Case 88 with a tenth of its items; bench measures the whole."""
    played = script("88-scale-thirty-thousand-items")
    fetcher = Played(played)
    runs = Runs(pipeline(database, fetcher, [wire()]))
    reports = []
    for poll in played["polls"]:
        poll["exchange"][0]["response"]["body_gen"]["n"] = 3000
        fetcher.expect(poll["exchange"])
        reports.append(runs.at(datetime.fromisoformat(poll["at"])))
    assert [(one.updated, one.unchanged, one.items_new) for one in reports] == [(1, 0, 3000), (0, 1, 0)]


def test_eight_writers_and_a_reader_lose_nothing(database: Database) -> None:
    """Case 82 with a tenth of its items: eight programs write at once while one reads without a pause."""
    played = script("82-store-database-locked")
    steps = [step for poll in played["polls"] for step in poll["exchange"]]
    for step in steps:
        step["response"]["body_gen"]["n"] //= 10
    now = datetime.fromisoformat(played["polls"][0]["at"])
    sources = [source(f"h{number}", feeds=(Feed(Url(step["request"]["url"])),)) for number, step in enumerate(steps)]
    errors: list[BaseException] = []
    begin, done = threading.Barrier(len(sources) + 1), threading.Event()

    def write(name: str, step: Mapping[str, Any]) -> None:
        own = open_database(f"sqlite:///{database.name}")
        fetcher = Played(played)
        fetcher.expect([step])
        try:
            begin.wait()
            pipeline(own, fetcher, sources).run(now, only=[name])
        except BaseException as error:  # noqa: BLE001 - shown below
            errors.append(error)
        finally:
            own.close()

    def read() -> None:
        begin.wait()
        while not done.is_set():
            counts = rows(database, "SELECT (SELECT count(*) FROM item), (SELECT count(*) FROM entry)")
            if counts[0][0] != counts[0][1]:
                errors.append(AssertionError(f"half a run was seen: {counts}"))

    reader = threading.Thread(target=read)
    writers = [threading.Thread(target=write, args=(one.id, step)) for one, step in zip(sources, steps, strict=True)]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    done.set()
    reader.join()
    assert errors == []
    wanted = expectation("82-store-database-locked")["final_state"]
    assert rows(database, "SELECT count(*) FROM entry") == [(wanted["entries"] // 10,)]
    assert rows(database, "SELECT sum(failures_in_row) FROM feed") == [(wanted["errors"],)]
    assert rows(database, "SELECT count(DISTINCT item_id) FROM story_items") == [(wanted["entries"] // 10,)]
