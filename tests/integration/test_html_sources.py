"""Index pages and article pages through whole runs, against a scripted network on a simulated clock."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.fakes import ScriptedFetcher, no_host, too_often
from tests.make import Post, rss, source, utc
from tests.runs import Runs, new_database, pipeline_of

from storyheat.core.items.articles import ArticleParams
from storyheat.core.model import Failure, FailureKind, Feed, Selectors, Source, Url
from storyheat.ingest.page import read_page, words_of
from storyheat.pipeline.rebuild import Comparison, compare
from storyheat.pipeline.run import Pipeline
from storyheat.replay import RecordedFetcher, read_recording, recorded_sources, replay
from storyheat.store.check import digest, problems
from storyheat.store.database import Database

NOON = utc("2026-10-26 12:00")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
INDEX = Url("https://wire.example/news")
ROBOTS = Url("https://wire.example/robots.txt")
FEED = Url("https://wire.example/feed")
ALL_ALLOWED = {"status": 404, "failure": Failure(FailureKind.STATUS, "not found")}
PAGE = source("wire", feeds=(Feed(INDEX, "html", Selectors("li", date="i")),), timezone="Asia/Shanghai")
FULL = source("wire", feeds=(Feed(FEED, fulltext=True),))
TEXT = "The bridge over the river opens after nine years of work and three builders."


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = new_database(tmp_path)
    yield opened
    assert problems(opened) == []
    opened.close()


def rows(database: Database, sql: str) -> list[tuple[Any, ...]]:
    with database.read() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(sql)]


def index(*items: tuple[str, str, str]) -> str:
    listed = "".join(f'<li><a href="{href}">{title}</a> <i>{date}</i></li>' for href, title, date in items)
    return f"<!doctype html><html><title>News</title><body><ul>{listed}</ul></body></html>"


def article(title: str = "The bridge opens", text: str = TEXT, head: str = "") -> str:
    return f"<!doctype html><html><head>{head}</head><body><h1>{title}</h1><article>{text}</article></body></html>"


def extract(text: str, url: str | None) -> str:
    """A stand-in for the library: the words of <article>."""
    found = read_page(text, url).soup.find("article")
    return words_of(found) if found else ""


def runs(database: Database, fetcher: ScriptedFetcher, *sources: Source, **fields: Any) -> Runs:
    pipeline: Pipeline = pipeline_of(database, fetcher, sources)
    return Runs(replace(pipeline, **{"extract": extract, **fields}))


# -- index pages ----------------------------------------------------------------------------------------


def test_an_index_page_is_polled_like_a_feed(database: Database) -> None:
    fetcher = ScriptedFetcher(
        {ROBOTS: ALL_ALLOWED, INDEX: index(("/a", "The bridge opens", "3小时前"), ("/b", "Apples", "2026-10-25"))}
    )
    all_runs = runs(database, fetcher, PAGE)
    report = all_runs.at(NOON)
    assert (report.updated, report.items_new, report.failures) == (1, 2, [])
    assert rows(database, "SELECT title, published_at, effective_at, backlog FROM item ORDER BY url") == [
        ("The bridge opens", "2026-10-26T09:00:00Z", "2026-10-26T09:00:00Z", 0),
        ("Apples", "2026-10-24T16:00:00Z", "2026-10-25T15:59:59Z", 0),
    ]
    fetcher.answers[INDEX] = index(("/c", "Knots", "5分钟前"), ("/a", "The bridge opens", "5小时前"))
    report = all_runs.at(NOON + 2 * HOUR)
    assert (report.items_new, report.items_revised) == (1, 0)
    assert fetcher.asked_urls == [ROBOTS, INDEX, INDEX]  # the rules are kept for a day
    all_runs.at(NOON + 25 * HOUR)
    assert fetcher.asked_urls[3:] == [ROBOTS, INDEX]


def test_dates_that_count_back_are_not_taken_for_a_feed_that_restamps(database: Database) -> None:
    fetcher = ScriptedFetcher({ROBOTS: ALL_ALLOWED})
    all_runs = runs(database, fetcher, PAGE)
    for n in range(8):
        age = "1小时前" if n else "55分钟前"  # said again and again, so it moves with every fetch
        fetcher.answers[INDEX] = index(("/a", "The bridge opens", age), (f"/{n}", f"Report number {n}", "刚刚"))
        all_runs.at(NOON + n * timedelta(minutes=61), force=True)
    assert rows(database, "SELECT restamp_strikes FROM feed") == [(0,)]
    assert rows(database, "SELECT effective_at FROM item WHERE title LIKE 'The%'") == [("2026-10-26T11:05:00Z",)]


def test_a_page_that_robots_txt_forbids_is_not_asked_for(database: Database) -> None:
    fetcher = ScriptedFetcher({ROBOTS: "User-agent: *\nDisallow: /news", INDEX: index(("/a", "A", ""))})
    report = runs(database, fetcher, PAGE, extract=None).at(NOON)
    (failure,) = report.failures
    assert (failure.kind, failure.url) == ("robots", INDEX)
    assert fetcher.asked_urls == [ROBOTS]


def test_a_site_that_is_down_is_asked_for_its_rules_only_and_fails_as_such(database: Database) -> None:
    fetcher = ScriptedFetcher({ROBOTS: no_host("wire.example")})
    all_runs = runs(database, fetcher, PAGE)
    for minutes in (0, 30):
        assert all_runs.at(NOON + timedelta(minutes=minutes), force=True).failures[0].kind == "dns"
    assert fetcher.asked_urls == [ROBOTS, ROBOTS]


def test_rules_that_cannot_be_read_are_one_kind_of_failure_with_one_reason(database: Database) -> None:
    broken = Failure(FailureKind.STATUS, "wire.example answered with status 500")
    fetcher = ScriptedFetcher({ROBOTS: {"status": 500, "failure": broken}})
    all_runs = runs(database, fetcher, PAGE)
    failures = [all_runs.at(NOON + timedelta(minutes=minutes), force=True).failures[0] for minutes in (0, 30, 60)]
    assert {one.kind for one in failures} == {"robots"}
    assert {one.message for one in failures} == {
        "wire.example gave no robots.txt, so its pages are not asked for now: wire.example answered with status 500"
    }
    assert fetcher.asked_urls == [ROBOTS, ROBOTS]  # an hour later it is asked again


def test_a_rebuilt_page_is_a_failure_that_loses_nothing(database: Database) -> None:
    fetcher = ScriptedFetcher({ROBOTS: ALL_ALLOWED, INDEX: index(("/a", "The bridge opens", ""))})
    all_runs = runs(database, fetcher, PAGE)
    all_runs.at(NOON)
    fetcher.answers[INDEX] = "<!doctype html><html><body><div>All new</div></body></html>"
    (failure,) = all_runs.at(NOON + 2 * HOUR).failures
    assert (failure.kind, failure.message) == (
        "selectors", "the page has nothing that `item: li` selects; it may have been rebuilt",
    )  # fmt: skip
    assert rows(database, "SELECT count(*) FROM item") == [(1,)]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(replace(PAGE, feeds=(Feed(INDEX, "html", Selectors("li", date="b")),)), id="selectors"),
        pytest.param(replace(PAGE, timezone="Europe/Berlin"), id="zone"),
    ],
)
def test_a_page_whose_settings_changed_is_read_anew(database: Database, other: Source) -> None:
    page = index(("/a", "The bridge opens", "2026-10-25"), ("/b", "Apples", "")).replace("<i></i>", "<b>2026-10-24</b>")
    fetcher = ScriptedFetcher({ROBOTS: ALL_ALLOWED, INDEX: {"body": page, "etag": '"1"'}})
    runs(database, fetcher, PAGE).at(NOON, NOON + 3 * HOUR)
    before = rows(database, "SELECT * FROM hole")
    report = runs(database, fetcher, other).at(NOON + 6 * HOUR)
    assert (report.items_new, report.failures) == (0, [])
    index_requests = [request for request in fetcher.asked if request.url == INDEX]
    assert [request.etag for request in index_requests] == [None, '"1"', None]
    dates = rows(database, "SELECT claimed_at FROM entry ORDER BY link")
    assert dates != [("2026-10-24T16:00:00Z",), (None,)]
    assert rows(database, "SELECT * FROM hole") == before
    runs(database, fetcher, other).at(NOON + 9 * HOUR)
    assert fetcher.asked[-1].etag == '"1"'


def test_a_failing_page_is_asked_at_once_after_its_selectors_were_mended(database: Database) -> None:
    fetcher = ScriptedFetcher({ROBOTS: ALL_ALLOWED, INDEX: index(("/a", "The bridge opens", ""))})
    wrong = replace(PAGE, feeds=(Feed(INDEX, "html", Selectors("article")),))
    runs(database, fetcher, wrong).at(*(NOON + n * DAY for n in range(5)))
    assert runs(database, fetcher, PAGE).at(NOON + 4 * DAY + HOUR).items_new == 1


def test_recorded_index_pages_are_replayed(tmp_path: Path, database: Database) -> None:
    folder = tmp_path / "recording" / "wire"
    folder.mkdir(parents=True)
    (folder / "20261026T120000Z.html").write_text(index(("/a", "The bridge opens", "3小时前")), "utf-8")
    recording = read_recording(folder.parent)
    sources = recorded_sources(recording, [PAGE], None)
    pipeline = pipeline_of(database, RecordedFetcher(recording, sources), sources)
    (report,) = replay(pipeline, recording, None, None)
    assert (report.items_new, report.failures) == (1, [])


# -- article pages --------------------------------------------------------------------------------------


def with_article(answer: Any, **posts: Any) -> ScriptedFetcher:
    given: dict[str, Any] = {"title": "The bridge opens", "link": "https://wire.example/a", "at": NOON - HOUR}
    post = Post(**(given | posts))
    return ScriptedFetcher({FEED: rss(post), ROBOTS: ALL_ALLOWED, "https://wire.example/a": answer})


def test_an_article_is_read_once_and_before_its_item_is_placed(database: Database) -> None:
    fetcher = with_article({"body": article(), "etag": '"1"'})
    all_runs = runs(database, fetcher, FULL)
    report = all_runs.at(NOON).as_json()
    assert report["articles"] == {"read": 1, "failed": 0}
    assert rows(database, "SELECT text FROM item") == [(TEXT,)]
    assert rows(database, "SELECT outcome, etag, attempts, next_try_at FROM article") == [("read", '"1"', 1, None)]
    assert rows(database, "SELECT count(*) FROM term WHERE term = 'build'") == [(1,)]  # placed by its text
    all_runs.at(NOON + HOUR, NOON + 2 * HOUR, force=True)
    assert fetcher.asked_urls.count(Url("https://wire.example/a")) == 1
    pipeline = all_runs.pipeline
    assert compare(database, pipeline.background, pipeline.placing, pipeline.rule) == Comparison()


@pytest.mark.parametrize(
    ("of", "posts"),
    [
        pytest.param(source("wire"), {}, id="not asked for"),
        pytest.param(FULL, {"text": "word " * 600}, id="the feed gives the text"),
        pytest.param(FULL, {"at": NOON - timedelta(days=30)}, id="old"),
    ],
)
def test_no_page_is_asked_for_in_vain(database: Database, of: Source, posts: dict[str, Any]) -> None:
    fetcher = with_article(article(), **posts)
    runs(database, fetcher, of).at(NOON)
    assert fetcher.asked_urls == [FEED]


def test_without_the_library_no_page_is_asked_for(database: Database) -> None:
    fetcher = with_article(article())
    runs(database, fetcher, FULL, extract=None).at(NOON)
    assert fetcher.asked_urls == [FEED]


def test_an_article_that_robots_txt_forbids_is_not_asked_for(database: Database) -> None:
    fetcher = with_article(article())
    fetcher.answers[ROBOTS] = "User-agent: storyheat\nDisallow: /"
    report = runs(database, fetcher, FULL).at(NOON)
    assert report.articles_failed == 1
    assert fetcher.asked_urls == [FEED, ROBOTS]
    assert rows(database, "SELECT outcome, failure_kind FROM article") == [("failed", "robots")]


def test_a_host_that_asks_for_rest_is_left_alone_by_feeds_and_pages(database: Database) -> None:
    fetcher = with_article(too_often(7200))
    all_runs = runs(database, fetcher, FULL)
    all_runs.at(NOON)
    asked = list(fetcher.asked_urls)
    all_runs.at(NOON + HOUR, force=True)
    assert fetcher.asked_urls == asked == [FEED, ROBOTS, Url("https://wire.example/a")]
    fetcher.answers["https://wire.example/a"] = article()
    assert all_runs.at(NOON + 2 * HOUR, force=True).articles_read == 1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        pytest.param({"body": article(), "final_url": Url("https://wire.example/")}, "redirect", id="front page"),
        pytest.param(b"%PDF-1.7", "not_a_feed", id="no page"),
        pytest.param("<!doctype html><title>Just a moment...</title>", "challenge", id="challenge"),
        pytest.param({}, "empty", id="not modified"),
        pytest.param(Failure(FailureKind.TIMEOUT, "slow"), "timeout", id="slow"),
    ],
)
def test_a_page_that_fails_is_tried_again_and_given_up(database: Database, answer: Any, kind: str) -> None:
    fetcher = with_article(answer)
    all_runs = runs(database, fetcher, FULL)
    all_runs.at(*(NOON + n * HOUR for n in range(12)), force=True)
    assert rows(database, "SELECT outcome, failure_kind, attempts, next_try_at FROM article") == [
        ("failed", kind, 3, None)
    ]
    assert fetcher.asked_urls.count(Url("https://wire.example/a")) == 3


def test_a_text_that_comes_later_is_a_revision_and_the_conclusions_can_be_remade(database: Database) -> None:
    fetcher = with_article(Failure(FailureKind.TIMEOUT, "slow"), at=None)
    all_runs = runs(database, fetcher, FULL)
    all_runs.at(NOON)
    fetcher.answers["https://wire.example/a"] = article(
        head='<meta property="article:published_time" content="2026-10-26T08:00:00Z">'
    )
    all_runs.at(NOON + HOUR)
    assert rows(database, "SELECT field, because FROM revision ORDER BY id") == [
        (field, "read from the article's page") for field in ("text", "effective_at", "backlog")
    ]
    assert rows(database, "SELECT text, effective_at, backlog FROM item") == [(TEXT, "2026-10-26T08:00:00Z", 0)]
    pipeline = all_runs.pipeline
    assert compare(database, pipeline.background, pipeline.placing, pipeline.rule) == Comparison()


def test_pages_of_one_article_are_one_item(database: Database) -> None:
    named = article(head='<link rel="canonical" href="https://wire.example/the-bridge">')
    wire = with_article(named)
    other = source("other", feeds=(Feed(Url("https://other.example/feed"), fulltext=True),))
    wire.answers["https://other.example/feed"] = rss(
        Post("The bridge opens", "https://wire.example/go?id=7", NOON - 2 * HOUR)
    )
    wire.answers["https://wire.example/go?id=7"] = named
    all_runs = runs(database, wire, FULL, other)
    assert all_runs.at(NOON).items_new == 1
    assert rows(database, "SELECT count(*), min(effective_at) FROM item") == [(1, "2026-10-26T10:00:00Z")]
    assert rows(database, "SELECT count(DISTINCT item_id), count(*) FROM entry") == [(1, 2)]
    # A feed that lists the address itself, later, lists the same article.
    wire.answers["https://other.example/feed"] = rss(Post("The bridge opens", "https://wire.example/the-bridge"))
    assert all_runs.at(NOON + 2 * HOUR, force=True).items_new == 0
    assert all_runs.at(NOON + 3 * HOUR, force=True).items_new == 0


def test_a_run_reads_so_many_pages_and_the_next_goes_on(database: Database) -> None:
    posts = [Post(f"The bridge opens {n}", f"https://wire.example/{n}", NOON - n * HOUR) for n in range(5)]
    pages = {f"https://wire.example/{n}": article(f"The bridge opens {n}") for n in range(5)}
    fetcher = ScriptedFetcher({FEED: rss(*posts), ROBOTS: ALL_ALLOWED, **pages}, backwards=True)
    all_runs = runs(database, fetcher, FULL, articles=ArticleParams(max_per_run=2))
    assert [all_runs.at(NOON + n * HOUR).articles_read for n in range(4)] == [2, 2, 1, 0]


def test_the_order_of_replies_decides_nothing(tmp_path: Path) -> None:
    prints = set()
    for backwards in (False, True):
        opened = new_database(tmp_path, f"{backwards}.db")
        head = '<link rel="canonical" href="https://wire.example/the-bridge">'
        posts = [Post("The bridge opens", f"https://wire.example/{n}", NOON - n * HOUR) for n in range(4)]
        pages = {f"https://wire.example/{n}": article(head=head) for n in range(4)}
        fetcher = ScriptedFetcher({FEED: rss(*posts), ROBOTS: ALL_ALLOWED, **pages}, backwards=backwards)
        assert runs(opened, fetcher, FULL).at(NOON).items_new == 1
        prints.add(digest(opened))
        opened.close()
    assert len(prints) == 1
