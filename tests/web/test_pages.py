"""The pages in every state: what they show, from which values, and how they are kept by browsers."""

import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from starlette.requests import Request
from starlette.types import ASGIApp
from tests.command import storyheat
from tests.web.client import Client
from tests.web.conftest import NOW
from tests.web.markup import Element, read

from storyheat.settings import Settings
from storyheat.store.database import open_database
from storyheat.web.app import make_app
from storyheat.web.cache import Made, PageCache
from storyheat.web.query import Query


def shown(client: Client, path: str, status: int = 200) -> Element:
    """The page at a path."""
    reply = client.get(path)
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    return read(reply.text)


def app_at(settings: Settings, log: list[str] | None = None) -> Client:
    """A browser before an application of its own."""
    lines: list[str] = [] if log is None else log
    return Client(make_app(settings, lambda: NOW, lines.append))


def copied(settings: Settings, folder: Path) -> Settings:
    """The settings over a copy of their database."""
    database = open_database(settings.database)
    database.copy_to(folder / "copy.db")
    database.close()
    return replace(settings, database=f"sqlite:///{folder / 'copy.db'}")


def test_the_list_shows_what_the_terminal_shows(client: Client, news: Settings) -> None:
    told = storyheat(
        "top", "--json", f"--db={news.database}", f"--config={news.config}", f"--at={NOW.isoformat()}"
    ).json
    rows = shown(client, "/").all("ol", class_="hot")[0].children
    assert len(rows) == len(told["stories"])
    for row, story in zip(rows, told["stories"], strict=True):
        [link] = row.all("h2")[0].all("a")
        assert link.attributes["href"] == f"/story/{story['id']}"
        assert link.text == story["title"]
        assert row.all("div", class_="f-heat")[0].all("dd")[0].text == str(round(story["heat"]["current"]))
        assert row.all("div", class_="f-voices")[0].all("dd")[0].text.startswith(str(story["voices"]))
        if (reason := story["heat"]["change_24h"]["reason"]) is not None:
            assert reason in row.text


def test_filters_are_links_that_keep_the_others(client: Client) -> None:
    page = shown(client, "/?topic=cities&period=30d&at=2026-11-12T14:00Z&utm_source=x")
    [chosen] = page.all("nav", aria_label="Topic")[0].all("a", aria_current="true")
    assert chosen.text == "Cities"
    [all_topics] = [link for link in page.all("nav", aria_label="Topic")[0].all("a") if link.text == "All"]
    assert all_topics.attributes["href"] == "/?period=30d&at=2026-11-12T14%3A00Z"
    [row] = page.all("ol", class_="hot")[0].children
    assert row.all("h2", lang="zh-Hans")
    assert "utm_source" not in client.get("/?utm_source=x").text
    assert [one.text for one in shown(client, "/?language=zh").all("h2", lang="zh-Hans")]


def test_a_list_without_results_names_its_filters_and_a_way_out(client: Client) -> None:
    page = shown(client, "/?topic=engines&language=zh").all("div", class_="empty")[0]
    assert "topic Engines and language 中文" in page.text
    wider = page.all("a")
    assert [link.attributes["href"] for link in wider] == ["/?language=zh", "/"]
    assert wider[0].text == "Drop the topic"
    assert len(shown(client, "/?topic=engines").all("ol", class_="hot")[0].children) == 1
    assert "(1 story)" in page.text


def test_pages_beyond_the_end_and_times_without_heat(client: Client) -> None:
    assert "The list ends before this page" in shown(client, "/?page=9").text
    quiet = shown(client, "/?at=2027-03-01")
    assert "Nothing is hot" in quiet.text
    [back] = [link for link in quiet.all("a") if link.text == "Look back to it"]
    assert shown(client, str(back.attributes["href"])).all("ol", class_="hot")


def test_topics_of_words_narrow_the_list_too(client: Client) -> None:
    page = shown(client, "/?topic=bridges")
    assert [one.text for one in page.all("nav", aria_label="Topic")[0].all("a")] == [
        "All",
        "Bridges",
        "Cities",
        "Engines",
    ]
    [row] = page.all("ol", class_="hot")[0].all("li")
    assert "哈伦德大桥" in row.text
    story = shown(client, str(row.all("a")[0].attributes["href"]))
    assert [one.text for one in story.all("p", class_="crumb")[0].all("a")] == ["Bridges", "Cities"]
    assert client.get("/feeds/topic/bridges.rss").status_code == 200


def test_the_list_counts_levels_as_the_story_does(client: Client, engine: str) -> None:
    rows = shown(client, "/").all("ol", class_="hot")[0].all("li")
    [row] = [one for one in rows if one.all("a")[0].attributes["href"] == f"/story/{engine}"]
    counted = [one.text.lstrip(", ") for one in row.all("span", class_="lv")[0].all("span", class_="vh")]
    note = shown(client, f"/story/{engine}").all("section", id="note")[0].all("p")[0].text
    assert f": {', '.join(counted)}." in note


def test_a_story_shows_its_figures_and_every_item_with_level_and_role(
    client: Client, engine: str, news: Settings
) -> None:
    options = [f"--db={news.database}", f"--config={news.config}", f"--at={NOW.isoformat()}"]
    told = storyheat("story", engine, "--json", *options).json
    page = shown(client, f"/story/{engine}")
    figures = [one.text for one in page.all("dd", class_="big")]
    assert figures[:2] == [told["widget"]["current"], told["widget"]["peak"]]
    assert told["widget"]["change_reason"] is None or told["widget"]["change_reason"] in page.text
    items = {one["id"]: one for day in told["timeline"] for one in day["items"]}
    for item in items.values():
        [entry] = page.all("li", id=f"item-{item['id']}")
        if item["role"] == "copy":
            assert entry.parent is not None
            assert entry.parent.parent is not None
            assert entry.parent.parent.all("summary")[0].text == "and 1 copy, no heat added"
        else:
            level = {"first_party": "First-party", "press": "Press", "discussion": "Discussion"}[item["level"]]
            badges = [one.text for one in entry.all("span", class_="badge")]
            assert badges == [level, item["role"].capitalize(), *(["Selected"] if item["selected"] else [])]
    days = [
        one.all("time")[0].attributes["datetime"]
        for one in page.all("h3")
        if one.parent and "day" in str(one.parent.attributes)
    ]
    assert days == [day["date"] for day in told["timeline"]]
    assert "1 item is a copy: Copier of Alpha Post, no. " in page.all("section", id="note")[0].text
    assert page.all("section", id="developments")
    assert page.all("section", id="summary")


def test_the_timeline_by_kind_and_order(client: Client, engine: str) -> None:
    mentions = shown(client, f"/story/{engine}?show=mentions").all("li", class_="it")
    assert [("mention" in str(one.attributes["class"])) for one in mentions] == [True]
    newest, oldest = (
        [one.attributes["id"] for one in shown(client, f"/story/{engine}?order={order}").all("li", class_="it")]
        for order in ("newest", "oldest")
    )
    assert newest == list(reversed(oldest))


def test_the_table_behind_the_chart_has_the_hours_of_the_terminal(client: Client, engine: str, news: Settings) -> None:
    options = [f"--db={news.database}", f"--config={news.config}", f"--at={NOW.isoformat()}"]
    hours = storyheat("heat", engine, "--json", *options).json["hours"]
    page = shown(client, f"/story/{engine}")
    rows = page.all("table", id="hours")[0].all("tbody")[0].children
    assert len(rows) == len(hours) + 1  # and now
    for row, hour in zip(rows, hours, strict=False):
        assert row.all("time")[0].attributes["datetime"] == hour["at"]
        known = hour["standing"] != "unknown"
        assert row.attributes["data-v"] == (f"{hour['heat']:.3f}" if known else "")
        assert row.all("td")[1].text == (str(hour["voices"]) if known else "–")
    assert rows[-1].all("th")[0].text == "Now, Thu 12 Nov, 14:35"
    reply = client.get(f"/story/{engine}/heat.csv")
    assert reply.headers["content-type"] == "text/csv; charset=utf-8"
    assert reply.text == storyheat("heat", engine, "--csv", *options).out


def test_the_receipt_of_any_hour_opens_and_adds_up(client: Client, engine: str, news: Settings) -> None:
    options = [f"--db={news.database}", f"--config={news.config}"]
    for hour in ("2026-11-12T12:00:00Z", "2026-11-10T05:00:00Z"):
        told = storyheat("explain", engine, "--json", f"--at={hour}", *options).json
        page = shown(client, f"/story/{engine}?hour={hour}")
        [receipt] = page.all("details", id="receipt")
        assert "open" in receipt.attributes
        assert receipt.all("tfoot")[0].all("td")[-1].text == f"{told['heat']:.2f}"
        assert len(receipt.all("tbody")[0].all("th")) == len(told["terms"])
        left = told["spent"] + told["not_counted"]
        assert bool(receipt.all("div", class_="not-counted")) == bool(left)
    assert "open" not in shown(client, f"/story/{engine}").all("details", id="receipt")[0].attributes


def test_every_period_is_drawn(client: Client, engine: str) -> None:
    for period in ("24h", "3d", "7d", "30d", "all"):
        page = shown(client, f"/story/{engine}?period={period}")
        [chart] = page.all("svg", role="img")
        assert str(chart.attributes["aria-label"]).startswith("Heat, ")
        assert page.all("figure")[0].attributes["data-home"] is not None


def test_times_in_the_zone_of_the_reader(client: Client, engine: str) -> None:
    page = shown(client, f"/story/{engine}?tz=Asia/Shanghai")
    assert "Thu 12 Nov 2026, 22:35 UTC+08:00" in page.text
    assert "Hour (UTC+08:00)" in page.text
    back = page.all("a", class_="brand")[0].attributes["href"]
    assert back == "/?tz=Asia%2FShanghai"


def test_prefixes_and_merged_ids_lead_to_the_story(news: Settings, client: Client, engine: str) -> None:
    reply = client.get(f"/story/{engine[:6]}?period=30d")
    assert (reply.status_code, reply.headers["location"]) == (302, f"/story/{engine}?period=30d")
    assert client.get(f"/story/{engine}/from/s0000").status_code == 302
    assert "Several stories fit" in shown(client, "/story/s", 400).text
    assert "There is no such story" in shown(client, "/story/nothing", 404).text


def test_a_merged_story_says_so_at_its_old_address(news: Settings, tmp_path: Path, engine: str) -> None:
    copy = copied(news, tmp_path)
    options = [f"--db={copy.database}", f"--config={news.config}"]
    told = storyheat("top", "--json", f"--at={NOW.isoformat()}", *options).json["stories"]
    other = next(one["id"] for one in told if one["id"] != engine)
    assert storyheat("merge", other, engine, *options).code == 0
    browser = app_at(copy)
    gone, left = (
        one for one in sorted((other, engine), key=lambda one: browser.get(f"/story/{one}").status_code == 200)
    )
    reply = browser.get(f"/story/{gone}")
    assert (reply.status_code, reply.headers["location"]) == (302, f"/story/{left}/from/{gone}")
    page = shown(browser, reply.headers["location"])
    assert re.search(rf"{gone} was merged into this story on \w+ \d+ \w+( \d+)?, \d\d:\d\d UTC", page.text)
    assert page.all("link", rel="canonical")[0].attributes["href"] == f"/story/{left}"


def test_sources_with_what_is_wrong(client: Client, news: Settings) -> None:
    page = shown(client, "/sources")
    assert len(page.all("h3")) == len(news.sources)
    late = shown(client, "/sources?at=2026-11-13")
    assert "Need a look" in late.text
    assert "Data are stale: 6 sources behind." in late.text


def test_stale_data_are_said_above_and_in_the_foot(client: Client, engine: str) -> None:
    page = shown(client, f"/story/{engine}?at=2026-11-13")
    [notice] = page.all("aside")
    assert "Data are stale: 5 sources behind." in notice.text
    assert "This story may be hotter than shown." in notice.text
    assert "last answer Thu 14:00, due every 60 minutes" in page.all("ul", class_="behind")[0].text
    fresh = shown(client, f"/story/{engine}")
    assert not fresh.all("aside")
    assert "All 5 sources of this story answered when they were due; last poll 14:00 UTC" in fresh.text


def test_a_search_finds_stories_and_items(client: Client, engine: str) -> None:
    page = shown(client, "/search?q=zorblat+engine&period=30d")
    [first, *_] = page.all("ul", class_="links")[0].all("a")
    assert first.attributes["href"] == f"/story/{engine}?period=30d"
    assert page.all("input", id="q")[0].attributes["value"] == "zorblat engine"
    assert page.all("ul", class_="found")[0].all("h3")
    assert shown(client, "/search?q=渡轮").all("h3", lang="zh-Hans")
    assert "Nothing has all these words" in shown(client, "/search?q=xyzzy").text
    assert not shown(client, "/search").all("section")
    assert "give at least one word" in shown(client, "/search?q=-zorblat", 400).text


def test_how_heat_is_counted_with_the_parameters_that_hold(client: Client, news: Settings) -> None:
    assert "5.000" in shown(client, "/about").text
    other = replace(news, heat=replace(news.heat, half_life_hours=12, window_hours=None))
    page = shown(app_at(other), "/about").text
    assert "a voice fades by half in 12 hours" in page
    assert "2.500" in page


def test_without_a_database_the_page_says_what_to_run(empty: Settings) -> None:
    reply = app_at(empty).get("/")
    assert (reply.status_code, reply.headers["retry-after"]) == (503, "10")
    assert "storyheat ingest" in read(reply.text).all("pre")[0].text
    open_database(empty.database, create=True).close()
    page = shown(app_at(empty), "/")
    assert "The database has no items." in page.text
    assert "No source is set up yet" in shown(app_at(empty), "/sources").text


def test_an_older_schema_is_said(empty: Settings) -> None:
    open_database(empty.database, create=True).close()
    engine = create_engine(empty.database)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    engine.dispose()
    log: list[str] = []
    page = shown(app_at(empty, log), "/", 503)
    assert page.all("pre")[0].text == "storyheat db upgrade"
    reference = re.search(r"reference ([0-9a-f]{4}-[0-9a-f]{2})", page.text)
    assert reference is not None
    assert reference[1] in log[0]


def test_a_bug_is_a_page_without_a_stack(news: Settings) -> None:
    def broken() -> "object":
        raise ZeroDivisionError("secret")

    log: list[str] = []
    browser = Client(make_app(news, broken, log.append))  # type: ignore[arg-type]
    page = shown(browser, "/", 500)
    assert "This page could not be made" in page.text
    assert "secret" not in page.text
    assert "secret" in log[0]


def test_a_page_is_sent_once_as_long_as_it_is_the_same(client: Client, engine: str) -> None:
    first = client.get(f"/story/{engine}")
    assert first.headers["cache-control"] == "no-cache"
    again = client.get(f"/story/{engine}", {"If-None-Match": f'W/{first.headers["etag"]}, "x"'})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/", {"If-None-Match": first.headers["etag"]}).status_code == 200


def test_a_page_follows_the_data(news: Settings, tmp_path: Path, engine: str) -> None:
    copy, other = copied(news, tmp_path), create_engine(f"sqlite:///{tmp_path / 'copy.db'}")
    browser = app_at(copy)
    before = browser.get(f"/story/{engine}")
    assert browser.get(f"/story/{engine}").headers["etag"] == before.headers["etag"]
    with other.begin() as connection:
        connection.execute(text("UPDATE source SET name = 'Omega Post' WHERE id = 'alpha'"))
    other.dispose()
    assert "Omega Post" in browser.get(f"/story/{engine}").text


def test_files_are_kept_for_good_and_pages_name_their_newest(client: Client) -> None:
    page = shown(client, "/")
    [style] = [str(one.attributes["href"]) for one in page.all("link", rel="stylesheet")]
    reply = client.get(style)
    assert re.fullmatch(r"/static/style\.[0-9a-f]{12}\.css", style)
    assert reply.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert reply.headers["content-type"] == "text/css; charset=utf-8"
    assert client.get("/static/style.css").status_code == 404


def test_health_and_methods(client: Client) -> None:
    assert client.get("/healthz").json()["status"] == "ok"
    assert client.get("/", method="HEAD").status_code == 200
    assert client.get("/", method="POST").status_code == 405
    assert "Nothing is here" in shown(client, "/nowhere", 404).text


@pytest.mark.parametrize(
    "query",
    [
        "period=8d", "at=yesteryear", "at=0001-01-01", "at=9999-01-01", "tz=Mars/Base", "tz=../../etc/passwd", "page=0",
        "page=-1", "page=1e9", "page=９", "voices=x", "sort=<script>", "at=" + "1" * 300,
        "&".join(f"topic=t{number}" for number in range(30)),
    ],
)  # fmt: skip
def test_an_address_that_asks_for_nonsense_is_told_so(client: Client, query: str) -> None:
    page = shown(client, f"/?{query}", 400)
    assert "This address cannot be answered" in page.text
    assert len(page.all("div", class_="empty")[0].text) < 500


def test_hours_and_kinds_that_make_no_sense(client: Client, engine: str) -> None:
    for query in ("hour=soon", "show=all-of-it", "order=up", "items=few"):
        assert "This address cannot be answered" in shown(client, f"/story/{engine}?{query}", 400).text


def test_pages_are_made_for_whole_minutes(news: Settings, app: ASGIApp) -> None:
    later = Client(make_app(news, lambda: NOW + timedelta(seconds=59), print))
    assert later.get("/").headers["etag"] == Client(app).get("/").headers["etag"]


def test_what_is_passed_over_makes_no_other_page() -> None:
    asked: list[str] = []
    for query in ("a=1&period=3d&sort=new", "sort=new&period=3d", "sort=new&period=3d&topic="):
        scope = {"type": "http", "query_string": query.encode()}
        asked.append(repr(Query(Request(scope)).asked))
    assert asked == [repr((("period", "3d"), ("sort", "new")))] * 3


def test_the_cache_keeps_what_was_used_last_within_its_bound() -> None:
    cache, large = PageCache(most_bytes=250), Made.of(b"x" * 100)
    for key in ("a", "b", "a"):
        cache.put(key, large)
    assert cache.get("b") is large
    cache.put("c", large)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (None, large, large)
    cache.put("d", Made.of(b"x" * 300))
    assert [cache.get(key) for key in "bcd"] == [None, None, None]


def test_a_database_that_took_the_place_of_another_is_read(news: Settings, tmp_path: Path) -> None:
    place = Settings(f"sqlite:///{tmp_path / 'here.db'}", news.timezone)
    open_database(place.database, create=True).close()
    browser = app_at(place)
    assert "No stories yet" in browser.get("/").text
    copied(news, tmp_path)
    (tmp_path / "copy.db").replace(tmp_path / "here.db")
    assert shown(browser, "/").all("ol", class_="hot")


def test_hours_without_data_are_told_in_words(client: Client, engine: str) -> None:
    page = shown(client, f"/story/{engine}?at=2026-11-20&period=24h")
    assert "No hour of this period was watched" in page.text
    assert str(page.all("svg", role="img")[0].attributes["aria-label"]).endswith("nothing is known of any hour.")
    assert "; not watched now" in page.text
    week = shown(client, f"/story/{engine}?at=2026-11-13")
    assert "Nothing is known before " in str(week.all("svg", role="img")[0].attributes["aria-label"])
    assert " after " in str(week.all("svg", role="img")[0].attributes["aria-label"])
