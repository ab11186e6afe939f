"""The JSON API: the objects of the commands at addresses, kept, in parts, and every failure as a problem."""

import json
import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.command import storyheat
from tests.web.client import Client
from tests.web.conftest import NOW
from tests.web.markup import read

from storyheat.settings import Settings
from storyheat.store.database import open_database
from storyheat.store.heartbeat import Heartbeat, write_heartbeat
from storyheat.web.app import make_app
from storyheat.web.operations import instant_pattern
from storyheat.web.problems import KINDS

PROBLEM = {"type", "title", "status", "detail", "instance", "reference"}


def told(client: Client, path: str) -> Any:
    """The object at a path of the API."""
    reply = client.get(f"/api/v1{path}")
    assert reply.status_code == 200, reply.text
    assert reply.headers["content-type"] == "application/json"
    return reply.json()


def problem(client: Client, path: str, status: int, method: str = "GET") -> Any:
    """The problem at a path."""
    reply = client.get(path, method=method)
    assert reply.status_code == status, reply.text
    assert reply.headers["content-type"] == "application/problem+json"
    found = reply.json()
    assert set(found) == PROBLEM
    assert found["status"] == status
    assert found["type"].removeprefix("/docs#") in {kind.name for kind in KINDS}
    return found


@pytest.mark.parametrize(
    ("path", "command"),
    [
        (
            "/top?sort=new&period=3d&topic=engines&min_voices=2",
            "top --sort=new --period=3d --topic=engines --min-voices=2",
        ),
        ("/stories/{story}?period=24h&tz=Asia/Shanghai", "story {story} --period=24h"),
        ("/stories/{story}/heat?period=3d", "heat {story} --period=3d"),
        ("/stories/{story}/explain?at=2026-11-12T12:00Z", "explain {story} --at=2026-11-12T12:00Z"),
        ("/stories/{story}/history?limit=3", "history {story} -n 3"),
        ("/items/{item}/explain", "explain --item={item}"),
        ("/search?q=zorblat&limit=5", "search zorblat -n 5"),
    ],
)
def test_an_address_tells_what_its_command_prints(
    client: Client, news: Settings, engine: str, path: str, command: str
) -> None:
    item = told(client, f"/stories/{engine}")["timeline"][0]["items"][0]["id"]
    found = told(client, path.format(story=engine, item=item))
    options = command.format(story=engine, item=item).split()
    timeless = {"history", "--item"} & {part.partition("=")[0] for part in options} or "--at" in command
    at = [] if timeless else [f"--at={NOW.isoformat()}"]
    tz = "Asia/Shanghai" if "tz=" in path else "UTC"
    ran = storyheat(*options, "--json", f"--db={news.database}", f"--config={news.config}", *at, tz=tz)
    assert found == ran.json


def test_sources_are_told_all_or_one(client: Client) -> None:
    every = told(client, "/sources")
    assert [one["id"] for one in every["sources"]] == ["agora", "alpha", "copier", "maker", "weekly", "zh"]
    assert told(client, "/sources/maker")["sources"] == [every["sources"][3]]


def test_a_list_comes_in_parts_that_fit_together(client: Client) -> None:
    whole = [one["id"] for one in told(client, "/top")["stories"]]
    path, parts, links = "/top?limit=1", list[str](), dict[str, str]()
    while path:
        reply = client.get(f"/api/v1{path}")
        parts += [one["id"] for one in reply.json()["stories"]]
        links = dict(reversed(one.split("; ")) for one in reply.headers.get("link", "").split(", ") if one)
        following = links.get('rel="next"', "")
        assert not following or "at=2026-11-12T14%3A35%3A00Z" in following
        path = following.strip("<>").removeprefix("/api/v1")
    assert parts == whole
    assert len(whole) > 1
    assert set(links) == {'rel="prev"', 'rel="first"'}


def test_the_beginning_of_an_id_is_enough_and_the_whole_one_is_named(client: Client, engine: str) -> None:
    reply = client.get(f"/api/v1/stories/{engine[:6]}/heat?period=24h")
    assert reply.json()["story"] == engine
    assert reply.headers["link"] == f'</api/v1/stories/{engine}/heat?period=24h>; rel="canonical"'
    assert "link" not in client.get(f"/api/v1/stories/{engine}").headers


def test_what_is_the_same_is_not_sent_again(client: Client) -> None:
    first = client.get("/api/v1/top")
    again = client.get("/api/v1/top", {"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert first.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("limit=0", 'limit: "0" is no number from 1 to 100'),
        ("limit=101", "no number"),
        ("limit=%D9%A3", "no number"),  # an Arabic three
        ("limit=1e1", "no number"),
        ("limit=-1", "no number"),
        ("offset=10001", "no number from 0 to 10000"),
        ("sort=hot", 'sort: "hot" is none of heat, rising, peak, new'),
        ("sort=", "sort: is empty"),
        ("sort=heat&sort=new", "sort: is given more than once"),
        ("perod=7d", '"perod" is no parameter of this address; it takes sort, period'),
        ("at=2027-01-01", "at: "),
        ("at=2026-02-29", "at: "),
        ("at=yesterday", "at: "),
        ("topic=" + "x" * 201, "too long"),
        ("&".join(["topic=a"] * 21), "too many"),
        ("a%00%E2%80%AE=1", '"a" is no parameter'),
    ],
)
def test_a_mistake_in_a_parameter_is_told(client: Client, query: str, words: str) -> None:
    found = problem(client, f"/api/v1/top?{query}", 400)
    assert found["type"] == "/docs#parameter"
    assert words in found["detail"]
    assert found["reference"] is None


def test_hostile_words_are_only_words(client: Client) -> None:
    for words in (
        "%00",
        "%E2%80%AE",
        "%22",
        "*",
        "-",
        "AND",
        "zorblat%22%20OR%201",
        "%F0%9F%98%80",
        "a" * 200,
        "NEAR(a",
    ):
        found = told(client, f"/search?q={words}")
        assert found["schema"] == "storyheat.search/1"
    assert told(client, "/search?q=-zorblat")["items"] == []
    assert told(client, "/top?topic=%00")["stories"] == []


def test_what_is_not_there_and_what_cannot_be_done(client: Client, engine: str) -> None:
    assert problem(client, "/api/v1/stories/nothing", 404)["type"] == "/docs#not-found"
    assert problem(client, "/api/v1/stories/s", 404)["type"] == "/docs#ambiguous"
    assert problem(client, "/api/v1/sources/nothing", 404)["detail"] == 'there is no source "nothing"'
    assert (
        problem(client, "/api/v1/stories/%00%E2%80%AE%3Cb%3E", 404)["instance"] == "/api/v1/stories/%00%E2%80%AE%3Cb%3E"
    )
    assert len(problem(client, "/api/v1/stories/" + "x" * 5000, 404)["detail"]) < 600
    for path in ("/api", "/api/v1", "/api/v1/", "/api/v2/top", "/api/v1/stories/a%2Fb"):
        assert problem(client, path, 404)["title"] == "Nothing is here"
    assert problem(client, "/api/v1/search", 400)["detail"] == "q: is missing; it says what is searched for"
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        problem(client, "/api/v1/top", 405, method)
        assert set(client.get("/api/v1/top", method=method).headers["allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_other_methods_of_reading(client: Client) -> None:
    asked = client.get("/api/v1/top", method="OPTIONS")
    assert (asked.status_code, asked.content, asked.headers["allow"]) == (204, b"", "GET, HEAD, OPTIONS")
    assert client.get("/api/v1/top", method="HEAD").headers["etag"] == client.get("/api/v1/top").headers["etag"]


def test_pages_elsewhere_cannot_read_it(client: Client) -> None:
    reply = client.get("/api/v1/top", {"Origin": "https://evil.example"})
    assert reply.headers["cross-origin-resource-policy"] == "same-origin"
    assert not [name for name in reply.headers if name.startswith("access-control")]
    refused = client.get("/api/v1/top", {"Host": "evil.example"})
    assert (refused.status_code, refused.headers["content-type"]) == (400, "application/problem+json")
    assert refused.json()["type"] == "/docs#request"


def test_without_a_database_the_problem_says_so(empty: Settings) -> None:
    log: list[str] = []
    client = Client(make_app(empty, lambda: NOW, log.append))
    found = problem(client, "/api/v1/top", 503)
    assert found["type"] == "/docs#no-database"
    assert str(found["reference"]) in log[0]
    assert client.get("/api/v1/top").headers["retry-after"] == "10"
    assert client.get("/healthz").json()["database"] == "no-database"
    assert "storyheat_database_up 0.0" in client.get("/metrics").text


def test_a_mistake_of_ours_keeps_its_secrets(news: Settings) -> None:
    def broken() -> Any:
        raise RuntimeError("secret")

    log: list[str] = []
    found = problem(Client(make_app(news, broken, log.append)), "/api/v1/top", 500)
    assert "secret" not in json.dumps(found)
    assert "secret" in log[0]


def test_the_description_names_every_address_and_schema(client: Client) -> None:
    document = client.get("/openapi.json").json()
    assert document["openapi"] == "3.1.0"
    assert len(document["paths"]) == 9
    assert set(document["components"]["schemas"]) >= {"problem", "top-1", "story-1", "heat-1"}
    page = read(client.get("/docs").text)
    for path in document["paths"]:
        assert f"GET {path}" in page.text
    for kind in KINDS:
        assert page.all("div", id=kind.name)


@pytest.mark.parametrize("year", [2024, 2026, 2031])
def test_the_instants_of_the_description_are_days_that_there_are(year: int) -> None:
    pattern = re.compile(instant_pattern(year))
    day = date(1990, 1, 1)
    while day.year <= year:
        assert pattern.match(day.isoformat()), day
        day += timedelta(days=1)
    for text in (
        f"{year + 1}-01-01",
        "1989-12-31",
        "2023-02-29",
        "2024-04-31",
        "2024-1-1",
        "2024-01-01T24:00Z",
        "0h ago",
    ):
        assert not pattern.match(text), text
    for text in ("2024-02-29", "2024-01-01T23:59Z", "2024-01-01T23:59:59+13:00", "3h ago"):
        assert pattern.match(text), text


def test_the_daemon_is_told_by_health_and_metrics(news: Settings, tmp_path: Path) -> None:
    database = open_database(news.database)
    database.copy_to(tmp_path / "copy.db")
    database.close()
    copy = replace(news, database=f"sqlite:///{tmp_path / 'copy.db'}")
    client = Client(make_app(copy, lambda: NOW, print))
    for age, lives in ((timedelta(minutes=1), True), (timedelta(hours=1), False)):
        written = open_database(copy.database)
        with written.write() as connection:
            write_heartbeat(connection, Heartbeat("host", 7, NOW - age, NOW - age, errors_in_row=2))
        written.close()
        assert client.get("/healthz").json()["daemon"]["lives"] is lives
        figures = client.get("/metrics").text
        assert f"storyheat_daemon_up {float(lives)}" in figures
        assert f"storyheat_daemon_heartbeat_age_seconds {age.total_seconds()}" in figures
        assert "storyheat_daemon_errors_in_row 2.0" in figures


def test_health_and_metrics_without_a_daemon(client: Client) -> None:
    health = client.get("/healthz").json()
    assert (health["status"], health["database"], health["daemon"]) == ("ok", "ok", None)
    figures = dict(line.rsplit(" ", 1) for line in client.get("/metrics").text.splitlines() if not line.startswith("#"))
    assert figures["storyheat_daemon_up"] == "0.0"
    assert figures['storyheat_items{source="alpha"}'] == "2.0"
    assert float(figures['storyheat_fetches_last_day{outcome="failed"}']) == 0
    assert float(figures["storyheat_stories_hot"]) > 0
    assert float(figures["storyheat_last_run_timestamp_seconds"]) == NOW.timestamp() - 35 * 60
