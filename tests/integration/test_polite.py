"""The behaviours of a polite reader, one test each: the real pipeline and fetcher, a scripted server, a clock that
the test moves, and a database file that is all the program remembers."""

import asyncio
import re
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.make import Post, rss, utc
from tests.runs import settings_of

from storyheat.core.feeds.network import NetworkParams
from storyheat.core.feeds.polling import PollParams
from storyheat.core.model import Feed, Selectors, Source, SourceId, Url
from storyheat.ingest.http import HttpFetcher
from storyheat.pipeline.report import RunReport
from storyheat.store.database import open_database
from storyheat.wiring import make_pipeline

NOON = utc("2026-11-10 12:00")  # a Tuesday
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
FEED = "https://wire.example/feed"
NEWS = rss(Post("Bridge reopens", "https://wire.example/1", NOON - HOUR, "w1"))
MORE = rss(Post("Ferry sinks", "https://wire.example/2", NOON, "w2"), Post("Bridge reopens", "https://wire.example/1"))
PUBLIC_ADDRESS = "93.184.216.34"  # where every name is; nothing is ever sent there


def reply(status: int = 200, body: str = NEWS, /, **headers: str) -> httpx.Response:
    """A reply; header names are written with underscores. Without a body for statuses that have none."""
    named = [(name.replace("_", "-"), value) for name, value in headers.items()]
    return httpx.Response(status, headers=named, content=b"" if status in (204, 304) else body.encode())


@dataclass
class World:
    """A server, and the program as cron would start it: every run is a new process on the same file.

    `answers`: address → reply, or what makes one; `asked`: every request with its instant.
    """

    folder: Path
    answers: dict[str, httpx.Response | Callable[[httpx.Request], Awaitable[httpx.Response]]] = field(
        default_factory=dict
    )
    asked: list[tuple[datetime, httpx.Request]] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    addresses: dict[str, str] = field(default_factory=dict)  # host → address, where not the public one
    network: NetworkParams = NetworkParams(pause_seconds=0)
    polling: PollParams = PollParams()
    feeds: Mapping[str, tuple[str | Feed, ...]] = field(default_factory=lambda: {"wire": (FEED,)})
    minutes: int | None = None  # poll_minutes of the sources

    def run(self, now: datetime, *, force: bool = False) -> RunReport:
        """One run at `now` that knows nothing but what the database holds."""

        async def answer(request: httpx.Request) -> httpx.Response:
            self.asked.append((now, request))
            given = self.answers.get(str(request.url)) or reply(404, "nothing here")
            if isinstance(given, httpx.Response):
                return httpx.Response(given.status_code, headers=given.headers.raw, content=given.content)
            return await given(request)

        async def sleep(seconds: float) -> None:
            self.slept.append(seconds)

        fetcher = HttpFetcher(
            self.network,
            resolve=lambda host: [self.addresses.get(host, PUBLIC_ADDRESS)],
            transport=httpx.MockTransport(answer),
            sleep=sleep,
        )
        with open_database(f"sqlite:///{self.folder / 'storyheat.db'}", create=True) as database:
            settings = settings_of(database, polling=self.polling)
            return make_pipeline(settings, database, fetcher, self._sources()).run(now, force=force)

    def runs(self, *instants: datetime) -> None:
        for now in instants:
            self.run(now)

    def _sources(self) -> tuple[Source, ...]:
        interval = None if self.minutes is None else self.minutes * MINUTE
        return tuple(
            Source(SourceId(name), name, name, tuple(map(_feed, urls)), poll_interval=interval)
            for name, urls in self.feeds.items()
        )

    @property
    def requests(self) -> list[httpx.Request]:
        return [request for _, request in self.asked]

    @property
    def times(self) -> list[datetime]:
        return [at for at, _ in self.asked]

    @property
    def urls(self) -> list[str]:
        return [str(request.url) for request in self.requests]

    def asked_at(self, now: datetime, **choice: Any) -> bool:
        """Whether a run at `now` asks anybody."""
        before = len(self.asked)
        self.run(now, **choice)
        return len(self.asked) > before

    def stored(self, sql: str) -> list[tuple[Any, ...]]:
        with open_database(f"sqlite:///{self.folder / 'storyheat.db'}") as database, database.read() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(sql)]


def _feed(given: str | Feed) -> Feed:
    return given if isinstance(given, Feed) else Feed(Url(given))


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path, {FEED: reply()})


def sent(request: httpx.Request, name: str) -> bytes | None:
    """A header of a request as it went over the wire."""
    return {key.lower(): value for key, value in request.headers.raw}.get(name.encode())


def conditions(request: httpx.Request) -> tuple[bytes | None, bytes | None]:
    return sent(request, "if-none-match"), sent(request, "if-modified-since")


def http_date(at: datetime) -> str:
    return format_datetime(at, usegmt=True)


# -- validators -----------------------------------------------------------------------------------


def test_etag_is_echoed_byte_for_byte(world: World) -> None:
    for tag in (b'"plain"', b'W/"we\xe4k, and odd"', b"unquoted", b'"a-gzip"'):
        world.answers[FEED] = httpx.Response(200, headers=[(b"ETag", tag)], content=NEWS.encode())
        world.run(NOON, force=True)
        world.run(NOON, force=True)
        assert conditions(world.requests[-1]) == (tag, None)


def test_last_modified_is_echoed_byte_for_byte_and_never_invented(world: World) -> None:
    for odd in ("Tue, 10 Nov 2026 11:00:00 GMT", "2026-11-10 11:00", "yesterday"):
        world.answers[FEED] = reply(Last_Modified=odd)
        world.run(NOON, force=True)
        world.run(NOON, force=True)
        assert conditions(world.requests[-1]) == (None, odd.encode())
    world.answers[FEED] = reply(Date=http_date(NOON))
    world.run(NOON, force=True)
    world.run(NOON, force=True)
    assert conditions(world.requests[-1]) == (None, None)


def test_both_validators_if_both_are_known_and_none_if_none_came(world: World) -> None:
    world.runs(NOON, NOON + HOUR)
    assert [conditions(request) for request in world.requests] == [(None, None), (None, None)]
    world.answers[FEED] = reply(ETag='"a"', Last_Modified="Tue")
    world.runs(NOON + 2 * HOUR, NOON + 3 * HOUR)
    assert conditions(world.requests[-1]) == (b'"a"', b"Tue")


def test_both_validators_are_replaced_after_every_200_and_taken_from_a_304_too(world: World) -> None:
    world.answers[FEED] = reply(ETag='"a"', Last_Modified="Mon")
    world.run(NOON)
    world.answers[FEED] = reply(200, MORE, ETag='"b"')  # no Last-Modified any more: the old one is not sent again
    world.runs(NOON + HOUR, NOON + 2 * HOUR)
    assert conditions(world.requests[-1]) == (b'"b"', None)
    world.answers[FEED] = reply(304, ETag='"c"', Last_Modified="Tue")
    world.run(NOON + 3 * HOUR)
    world.answers[FEED] = reply(304)
    world.runs(NOON + 4 * HOUR, NOON + 5 * HOUR)
    assert [conditions(request) for request in world.requests[-2:]] == [(b'"c"', b"Tue")] * 2


@pytest.mark.parametrize(
    "bad",
    [
        reply(503, "sorry", ETag='"bad"', Last_Modified="Bad"),
        reply(200, "<html><body>Just a moment...</body></html>", ETag='"bad"', Last_Modified="Bad"),
        reply(200, "", ETag='"bad"', Last_Modified="Bad"),
        reply(200, '<rss version="2.0"><chan', ETag='"bad"', Content_Encoding="br"),
    ],
    ids=["error", "web page", "empty", "unasked encoding"],
)
def test_validators_are_never_stored_from_an_unusable_reply(world: World, bad: httpx.Response) -> None:
    world.answers[FEED] = reply(ETag='"good"', Last_Modified="Good")
    world.run(NOON)
    world.answers[FEED] = bad
    assert len(world.run(NOON, force=True).failures) == 1
    world.run(NOON, force=True)
    assert conditions(world.requests[-1]) == (b'"good"', b"Good")


def test_304_is_success(world: World) -> None:
    world.answers[FEED] = reply(ETag='"a"')
    world.run(NOON)
    world.answers[FEED] = reply(500)
    world.run(NOON, force=True)
    before = world.stored("SELECT * FROM item, entry, hole")
    world.answers[FEED] = reply(304)
    report = world.run(NOON + HOUR, force=True)
    assert (report.unchanged, report.failures) == (1, [])
    state = world.stored("SELECT failures_in_row, last_success_at, etag FROM feed")
    assert state == [(0, "2026-11-10T13:00:00Z", '"a"')]
    assert world.stored("SELECT * FROM item, entry, hole") == before


# -- when -----------------------------------------------------------------------------------------


def test_conditional_at_most_hourly_by_default_and_a_source_may_set_less(world: World) -> None:
    hot = [Post(f"Hour {number}", f"https://wire.example/{number}", NOON - number * HOUR) for number in range(9)]
    world.answers[FEED] = reply(200, rss(*hot), ETag='"a"')  # news every hour: its own rhythm would be minutes
    world.runs(*(NOON + number * 5 * MINUTE for number in range(25)))
    assert world.times == [NOON, NOON + HOUR, NOON + 2 * HOUR]
    world.minutes = 5
    world.runs(*(NOON + 3 * HOUR + number * 5 * MINUTE for number in range(3)))
    assert world.times[3:] == [NOON + 3 * HOUR + number * 5 * MINUTE for number in range(3)]
    assert conditions(world.requests[-1]) == (b'"a"', None)


def test_a_restart_or_a_manual_run_stays_conditional(world: World) -> None:
    world.answers[FEED] = reply(ETag='"a"', Last_Modified="Mon")
    world.run(NOON)
    world.answers[FEED] = reply(304)
    world.run(NOON + MINUTE, force=True)
    world.run(NOON + 3 * DAY)
    assert [conditions(request) for request in world.requests[1:]] == [(b'"a"', b"Mon")] * 2


@pytest.mark.parametrize(
    ("headers", "fresh"),
    [
        ({"Cache_Control": "public, max-age=10800"}, 3 * HOUR),
        ({"Cache_Control": "max-age=10800", "Age": "3600"}, 2 * HOUR),
        ({"Expires": http_date(NOON + 5 * HOUR), "Date": http_date(NOON)}, 5 * HOUR),
        ({"Cache_Control": "max-age=7200", "Expires": http_date(NOON + 5 * HOUR)}, 2 * HOUR),
        ({"Expires": "0"}, HOUR),
        ({"Cache_Control": "no-cache, max-age=10800"}, HOUR),
    ],
)
def test_max_age_minus_age_and_expires_are_honoured(world: World, headers: dict[str, str], fresh: timedelta) -> None:
    world.answers[FEED] = reply(200, NEWS, **headers)
    world.run(NOON)
    assert not world.asked_at(NOON + fresh - 5 * MINUTE)
    assert world.asked_at(NOON + fresh)


@pytest.mark.parametrize(
    ("channel", "again"),
    [
        ("<ttl>180</ttl>", NOON + 3 * HOUR),
        ("<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>6</sy:updateFrequency>", NOON + 4 * HOUR),
        ("<skipHours><hour>12</hour><hour>13</hour><hour>14</hour></skipHours>", NOON + 3 * HOUR),
        ("<skipDays><day>Tuesday</day></skipDays>", NOON + 12 * HOUR),
    ],
)
def test_ttl_sy_update_skip_hours_and_skip_days_are_honoured(world: World, channel: str, again: datetime) -> None:
    text = rss(Post("Bridge", "https://wire.example/1", NOON - HOUR), channel=channel)
    space = 'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"'
    world.answers[FEED] = reply(200, text.replace("<rss", f"<rss {space}"), ETag='"a"')
    world.run(NOON)
    assert not world.asked_at(again - 15 * MINUTE)  # jitter may take a twentieth of the wait
    world.answers[FEED] = reply(304)  # what it asks for is remembered
    assert world.asked_at(again)
    if "skip" not in channel:
        assert not world.asked_at(again + (again - NOON) - 15 * MINUTE)
    world.answers[FEED] = reply(500)
    world.run(again + DAY)  # and holds when it fails
    planned = world.stored("SELECT next_poll_at FROM feed")[0][0]
    assert not ("skipDays" in channel and planned.startswith("2026-11-17"))


def test_every_rhythm_is_clamped_between_a_minimum_and_a_maximum(world: World) -> None:
    world.polling = PollParams(min_interval=2 * HOUR, default_interval=3 * HOUR, max_interval=12 * HOUR)
    often = [Post(f"Hour {number}", f"https://wire.example/{number}", NOON - number * HOUR) for number in range(9)]
    for headers, channel, wait in (
        ({}, "<ttl>1</ttl>", 2 * HOUR),
        ({"Cache_Control": "max-age=1"}, "", 2 * HOUR),
        ({}, "<ttl>60000</ttl>", 12 * HOUR),
        ({"Cache_Control": "max-age=31536000"}, "", 12 * HOUR),
    ):
        world.answers[FEED] = reply(200, rss(*often, channel=channel), **headers)
        world.run(NOON, force=True)
        assert not world.asked_at(NOON + 0.9 * wait)
        assert world.asked_at(NOON + wait)


def test_a_feed_that_loses_entries_between_polls_is_asked_more_often(world: World) -> None:
    def listed(first: int) -> httpx.Response:  # three entries, a day apart
        dated = [(number, NOON + (number - 10) * DAY) for number in range(first, first + 3)]
        return reply(200, rss(*(Post(f"Day {number}", f"https://wire.example/{number}", at) for number, at in dated)))

    world.polling = PollParams(min_interval=20 * MINUTE)
    for day in range(3):
        world.answers[FEED] = listed(day)
        world.run(NOON + day * DAY, force=True)
    waits = []
    now = NOON + 2 * DAY
    for first in (10, 20, 30, 30, 30):  # three times all is new, then calm
        ((planned,),) = world.stored("SELECT next_poll_at FROM feed")
        waits.append((datetime.fromisoformat(planned) - now) / MINUTE)
        now = datetime.fromisoformat(planned)
        world.answers[FEED] = listed(first)
        world.run(now)
    assert len(world.asked) == 8
    assert 100 <= waits[0] <= 120  # of a daily feed
    assert [later <= earlier / 2 for earlier, later in pairwise(waits)] == [True, True, False, False]
    assert 17 <= waits[3] <= 20  # not below the least interval
    assert waits[4] > waits[3]


# -- when a server says no ------------------------------------------------------------------------


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_in_seconds(world: World, status: int) -> None:
    world.answers[FEED] = reply(status, Retry_After="7200")
    world.run(NOON)
    world.answers[FEED] = reply()
    assert not world.asked_at(NOON + 2 * HOUR - timedelta(seconds=1))
    assert world.asked_at(NOON + 2 * HOUR)


def test_retry_after_as_an_http_date(world: World) -> None:
    slow = NOON - 3 * MINUTE  # the server's clock: what it says is relative to it
    world.answers[FEED] = reply(429, Date=http_date(slow), Retry_After=http_date(slow + 2 * HOUR))
    world.run(NOON)
    assert not world.asked_at(NOON + 2 * HOUR - timedelta(seconds=1))
    assert world.asked_at(NOON + 2 * HOUR)


def test_retry_after_is_applied_to_the_whole_host_and_force_does_not_break_it(world: World) -> None:
    world.feeds = {"wire": (FEED, "https://wire.example/later"), "other": ("https://other.example/feed",)}
    world.answers = {FEED: reply(429, Retry_After="7200"), "https://other.example/feed": reply()}
    world.run(NOON)
    assert sorted(world.urls) == ["https://other.example/feed", FEED]
    texts = "https://texts.example/feed"
    world.answers[texts] = reply()  # lists an article on the host that rests
    new: dict[str, tuple[str | Feed, ...]] = {
        "new": ("https://wire.example/new",),
        "texts": (Feed(Url(texts), fulltext=True),),
    }
    world.feeds = {**world.feeds, **new}
    world.run(NOON + HOUR, force=True)  # neither the feed itself, its neighbour, one just added, nor an article
    assert sorted(world.urls[2:]) == ["https://other.example/feed", texts]
    world.answers[FEED] = reply()
    world.answers["https://wire.example/robots.txt"] = reply(429, Retry_After="36000")
    world.run(NOON + 2 * HOUR)
    assert {FEED, "https://wire.example/robots.txt"} <= set(world.urls[4:])
    asked = len(world.urls)
    world.run(NOON + 11 * HOUR, force=True)  # what was said to a request for an article holds for the feeds
    assert {request.url.host for request in world.requests[asked:]} == {"other.example", "texts.example"}


@pytest.mark.parametrize("rest", [{"Retry_After": "7200"}, {}], ids=["for a time", "for no time named"])
def test_feeds_and_articles_of_a_host_that_wants_rest_wait_and_count_no_failure(
    world: World, rest: dict[str, str]
) -> None:
    urls = [f"https://wire.example/{number}" for number in range(4)]
    page = Feed(Url("https://wire.example/a-page"), "html", Selectors("li"))
    world.feeds = {"wire": tuple(urls), "with-page": (page,)}
    world.answers = {urls[0]: reply(429, **rest)}
    report = world.run(NOON)
    assert [(one.url, one.kind) for one in report.failures] == [(urls[0], "rate_limited")]
    assert report.skipped == 4
    assert world.urls == [urls[0]]  # neither a neighbour, nor the rules for a page
    world.feeds = {"wire": tuple(urls)}
    assert world.stored("SELECT url, failures_in_row FROM feed ORDER BY url") == [
        (url, int(url == urls[0])) for url in [*urls, page.url]
    ]
    assert world.stored("SELECT count(*) FROM fetch") == [(1,)]
    world.answers = dict.fromkeys(urls, reply(200, rss()))
    assert not world.asked_at(NOON + 50 * MINUTE)
    world.run(NOON + 2 * HOUR)
    assert set(world.urls[1:]) == set(urls)
    linked = [Post(f"Piece {number}", f"https://wire.example/a/{number}", NOON - HOUR) for number in range(3)]
    texts = Feed(Url("https://texts.example/feed"), fulltext=True)
    world.feeds = {"texts": (texts,)}
    world.answers = {texts.url: reply(200, rss(*linked)), "https://wire.example/a/2": reply(429, **rest)}
    world.run(NOON + 4 * HOUR)
    assert world.stored("SELECT url, attempts FROM article") == [("https://wire.example/a/2", 1)]
    asked = len(world.urls)
    world.feeds = {"wire": tuple(urls)}
    world.run(NOON + 4 * HOUR + 10 * MINUTE, force=True)  # the host was told by an article, and the feeds obey
    assert world.urls[asked:] == []


@pytest.mark.parametrize("status", [429, 403])
def test_429_and_403_without_retry_after_slow_down_and_stay_enabled(world: World, status: int) -> None:
    world.answers[FEED] = reply(status)
    world.run(NOON)
    assert not world.asked_at(NOON + 1.8 * HOUR)
    assert world.asked_at(NOON + 2 * HOUR)
    assert not world.asked_at(NOON + 5 * HOUR)
    assert world.stored("SELECT enabled, gone FROM feed") == [(1, 0)]
    world.answers[FEED] = reply()
    world.run(NOON + 2 * DAY)
    assert world.stored("SELECT failures_in_row FROM feed") == [(0,)]


def test_exponential_backoff_with_a_cap_reset_on_success(world: World) -> None:
    world.answers[FEED] = reply(500)
    now, waits = NOON, []
    for _ in range(8):
        world.run(now)
        ((planned,),) = world.stored("SELECT next_poll_at FROM feed")
        waits.append(datetime.fromisoformat(planned) - now)
        now += waits[-1]
    assert len(world.asked) == 8
    for wait, hours in zip(waits, (1, 2, 4, 8, 16, 24, 24, 24), strict=True):
        assert 0.93 * hours * HOUR <= wait <= hours * HOUR
    world.answers[FEED] = reply()
    world.run(now)
    assert world.asked_at(now + HOUR)


def test_410_disables(world: World) -> None:
    world.answers[FEED] = reply(410)
    assert world.run(NOON).failures[0].kind == "gone"
    world.answers[FEED] = reply()
    world.runs(NOON + DAY, NOON + 30 * DAY)
    world.run(NOON + 31 * DAY, force=True)
    assert len(world.asked) == 1


# -- redirects ------------------------------------------------------------------------------------

A, B = "https://new.example/a", "https://new.example/b"


@pytest.mark.parametrize(
    ("hops", "moved"),
    [
        ([301], A),
        ([308], A),
        ([301, 308], B),
        ([301, 302], A),  # only the leading permanent hops
        ([302, 301], None),
    ],
)
def test_301_and_308_move_the_stored_address_along_leading_permanent_hops_to_a_feed(
    world: World, hops: list[int], moved: str | None
) -> None:
    places = [FEED, A, B][: len(hops) + 1]
    world.answers = {
        place: reply(status, Location=target) for place, target, status in zip(places, places[1:], hops, strict=False)
    }
    world.answers[places[-1]] = reply(200, "<html>We have moved!</html>")
    world.run(NOON)
    assert world.stored("SELECT moved_url FROM feed") == [(None,)]  # no feed there
    world.answers[places[-1]] = reply()
    world.run(NOON + DAY)
    assert world.stored("SELECT moved_url, url FROM feed") == [(moved, FEED)]
    world.asked.clear()
    world.run(NOON + 2 * DAY)
    assert world.urls[0] == (moved or FEED)


@pytest.mark.parametrize("status", [302, 303, 307])
def test_302_303_and_307_never_move_it(world: World, status: int) -> None:
    world.answers = {FEED: reply(status, Location=A), A: reply()}
    world.runs(NOON, NOON + DAY)
    assert world.urls == [FEED, A, FEED, A]
    assert world.stored("SELECT moved_url FROM feed") == [(None,)]


def test_a_feed_whose_new_address_dies_is_asked_at_its_configured_one_again_and_says_so(world: World) -> None:
    world.answers = {FEED: reply(301, Location=A), A: reply(200, NEWS, ETag='"a"')}
    world.run(NOON)
    assert world.stored("SELECT moved_url FROM feed") == [(A,)]
    world.answers = {FEED: reply(200, MORE), A: reply(410)}
    (failure,) = world.run(NOON + DAY).failures
    assert failure.message.endswith("from now on its configured address is asked again")
    world.asked.clear()
    assert world.run(NOON + 2 * DAY).items_new == 1
    assert world.urls == [FEED]
    assert conditions(world.requests[0]) == (None, None)  # what another server said means nothing here
    assert world.stored("SELECT moved_url, gone, failures_in_row FROM feed") == [(None, 0, 0)]
    world.answers = {FEED: reply(301, Location=A), A: reply(410)}
    world.run(NOON + 3 * DAY)  # the configured address itself leads there: then it is gone
    assert world.stored("SELECT gone, next_poll_at FROM feed") == [(1, None)]


def test_the_hop_limit_holds_and_loops_end(world: World) -> None:
    world.answers = {FEED: reply(301, Location=A), A: reply(301, Location=FEED)}
    assert world.run(NOON).failures[0].kind == "redirect"
    assert world.urls == [FEED, A]
    chain = {f"https://new.example/{number}": reply(302, Location=f"/{number + 1}") for number in range(50)}
    world.answers = {FEED: reply(302, Location="https://new.example/0"), **chain}
    assert world.run(NOON + DAY).failures[0].kind == "redirect"
    assert len(world.urls) == 2 + 1 + world.network.max_redirects
    assert world.stored("SELECT moved_url FROM feed") == [(None,)]


# -- what is sent, and what is read ---------------------------------------------------------------


def test_user_agent_names_program_version_and_contact_and_neither_cookies_nor_referer_are_sent(world: World) -> None:
    world.network = NetworkParams(pause_seconds=0, user_agent_contact="https://desk.example/bot")
    world.answers = {FEED: reply(302, Location=A, Set_Cookie="a=b"), A: reply(200, NEWS, Set_Cookie="c=d")}
    world.runs(NOON, NOON + DAY)
    assert len(world.requests) == 4
    for request in world.requests:
        agent = (sent(request, "user-agent") or b"").decode()
        assert re.fullmatch(r"storyheat/\d[\w.]* \(\+https://desk\.example/bot\)", agent)
        assert not {"cookie", "referer"} & set(request.headers)


def test_accept_encoding_names_only_what_is_decoded(world: World) -> None:
    body = {"gzip": zlib.compress(NEWS.encode(), wbits=31), "deflate": zlib.compress(NEWS.encode())}
    world.run(NOON)
    offered = [name.strip() for name in world.requests[0].headers["accept-encoding"].split(",")]
    assert sorted(offered) == sorted(body)
    for number, (name, packed) in enumerate(body.items(), 1):

        async def answer(request: httpx.Request, name: str = name, packed: bytes = packed) -> httpx.Response:
            return httpx.Response(200, headers={"Content-Encoding": name}, stream=httpx.ByteStream(packed))

        world.answers[FEED] = answer
        assert world.run(NOON + number * DAY).failures == []


def test_decompressed_bytes_and_total_time_are_capped(world: World) -> None:
    class Drip(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b"<rss>"
            await asyncio.Event().wait()

    async def bomb(request: httpx.Request) -> httpx.Response:
        packed = zlib.compress(bytes(1_000_000), wbits=31)
        return httpx.Response(200, headers={"Content-Encoding": "gzip"}, stream=httpx.ByteStream(packed))

    async def drip(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, stream=Drip())

    world.network = NetworkParams(pause_seconds=0, max_bytes=100_000, total_seconds=0.2)
    world.feeds = {"wire": (FEED, "https://drip.example/feed")}
    world.answers = {FEED: bomb, "https://drip.example/feed": drip}
    failures = {one.url: one.kind for one in world.run(NOON).failures}
    assert failures == {FEED: "too_large", "https://drip.example/feed": "timeout"}


def test_one_request_per_host_at_a_time_with_a_pause_and_one_per_address(world: World) -> None:
    under_way: list[str] = []

    async def answer(request: httpx.Request) -> httpx.Response:
        under_way.append(request.url.host)
        assert under_way.count("wire.example") <= 1
        await asyncio.sleep(0)
        under_way.remove(request.url.host)
        return reply()

    urls = [f"https://wire.example/{number}" for number in range(3)]
    world.network = NetworkParams(pause_seconds=30)
    world.feeds = {"wire": tuple(urls), "twin": (urls[0],), "other": ("https://other.example/feed",)}
    world.answers = dict.fromkeys([*urls, "https://other.example/feed"], answer)
    report = world.run(NOON)
    assert sorted(world.urls) == sorted([*urls, "https://other.example/feed"])
    assert report.updated == 5  # a reply is read for each feed that names its address
    assert len(world.slept) == 2
    assert all(25 < seconds <= 60 for seconds in world.slept)


def test_jitter_spreads_the_feeds_and_a_long_sleep_costs_one_poll(world: World) -> None:
    urls = [f"https://h{number}.example/feed" for number in range(20)]
    world.feeds = {f"s{number}": (url,) for number, url in enumerate(urls)}
    world.answers = dict.fromkeys(urls, reply())
    world.run(NOON)
    planned = [at for (at,) in world.stored("SELECT next_poll_at FROM feed ORDER BY id")]
    assert len(set(planned)) > 15
    assert all("2026-11-10T12:56:00Z" <= at <= "2026-11-10T12:59:00Z" for at in planned)
    world.runs(NOON + 9 * HOUR, NOON + 9 * HOUR + MINUTE)
    assert [world.urls.count(url) for url in urls] == [2] * 20


def test_no_private_address_is_asked_on_any_hop(world: World) -> None:
    world.addresses = {"inside.example": "10.0.0.7", "mapped.example": "::ffff:127.0.0.1"}
    for target in (
        "http://127.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest", "http://0x7f.1/", "http://2130706433/",
        "http://localhost/", "http://inside.example/", "http://mapped.example/", "file:///etc/passwd",
    ):  # fmt: skip
        world.answers = {FEED: reply(301, Location=target)}
        assert world.run(NOON, force=True).failures[0].kind == "refused_address"
    world.answers = {FEED: reply(302, Location=A), A: reply(302, Location="http://inside.example/")}
    assert world.run(NOON, force=True).failures[0].kind == "refused_address"
    assert set(world.urls) == {FEED, A}
    assert world.stored("SELECT moved_url FROM feed") == [(None,)]


def test_robots_txt_is_obeyed_for_index_and_article_pages_but_not_asked_for_feeds(world: World) -> None:
    robots = "User-agent: *\nDisallow: /private\n"
    page = '<html><body><li><a href="/a/9">A piece about ferries</a></li></body></html>'
    pages = {
        f"https://wire.example{path}": reply(200, page, Content_Type="text/html")
        for path in ("/private/news", "/news", "/private/1", "/open/2")
    }
    world.answers = {FEED: reply(), **pages, "https://wire.example/robots.txt": reply(200, robots)}
    world.run(NOON)
    assert world.urls == [FEED]
    select = Selectors(item="li")
    world.feeds = {
        "closed": (Feed(Url("https://wire.example/private/news"), "html", select),),
        "open": (Feed(Url("https://wire.example/news"), "html", select),),
        "texts": (Feed(Url("https://wire.example/private/feed"), fulltext=True),),
    }
    linked = [Post(f"Piece {path}", f"https://wire.example{path}", NOON - HOUR) for path in ("/private/1", "/open/2")]
    world.answers["https://wire.example/private/feed"] = reply(200, rss(*linked))
    report = world.run(NOON + DAY)
    asked = [url.removeprefix("https://wire.example") for url in world.urls[1:]]
    assert asked.count("/robots.txt") == 1
    assert asked.index("/robots.txt") < asked.index("/news")
    assert {"/news", "/private/feed", "/open/2"} <= set(asked)
    assert not {"/private/news", "/private/1"} & set(asked)
    assert [(one.source, one.kind) for one in report.failures] == [("closed", "robots")]


def test_robots_txt_is_obeyed_at_every_hop_of_a_page(world: World) -> None:
    def to(target: str) -> httpx.Response:
        return reply(302, Location=target)

    links = [f"https://wire.example/{number}" for number in range(4)]
    posts = [Post(f"Piece {number}", link, NOON - HOUR) for number, link in enumerate(links)]
    world.addresses = {"inside.example": "10.0.0.7"}
    world.network = NetworkParams(pause_seconds=0, allow_hosts=("inside.example:443",))
    world.feeds = {"texts": (Feed(Url(FEED), fulltext=True),)}
    world.answers = {
        FEED: reply(200, rss(*posts)),
        "https://wire.example/robots.txt": reply(200, "User-agent: *\nDisallow: /private"),
        "https://other.example/robots.txt": reply(200, "User-agent: *\nDisallow: /"),
        links[0]: to("/private/0"),
        links[1]: to("https://other.example/1"),
        links[2]: to("https://open.example/2"),  # without a robots.txt
        links[3]: to("https://inside.example/3"),  # ours, but no business of the feed's
        "https://open.example/2": to("/3"),
        "https://open.example/3": reply(200, "<html><body><article>" + "Piece 2 is long. " * 40),
    }
    assert world.run(NOON).articles_read == 1
    failures = world.stored("SELECT url, failure_kind FROM article WHERE outcome = 'failed' ORDER BY url")
    assert failures == [(links[0], "robots"), (links[1], "robots"), (links[3], "refused_address")]
    assert not {"https://wire.example/private/0", "https://other.example/1"} & set(world.urls)
    for host in ("wire", "other", "open"):
        assert world.urls.count(f"https://{host}.example/robots.txt") == 1
    assert {request.url.host for request in world.requests} == {"wire.example", "other.example", "open.example"}
