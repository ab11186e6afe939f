"""A feed that repeats every secret it is asked with: none is stored, printed, logged or exported."""

import sqlite3
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from tests.command import Outcome, storyheat
from werkzeug import Request, Response

SECRETS = {"WIRE_KEY": "geheim", "WIRE_TOKEN": "tok-9f8a7b6c", "WIRE_WORD": "opensesame"}
PLAIN = "zz11yy22"
DEAD = "dead-house.invalid"

CONFIG = """\
network: {{allow_hosts: ["{host}"], pause_seconds: 0}}
sources:
  - id: wire
    site: "http://{host}/?key=${{WIRE_KEY}}"
    feeds: [{{url: "http://${{WIRE_HOST}}/feed?key=${{WIRE_KEY}}&n=1", fulltext: true}}]
  - {{id: path, feeds: [{{url: "http://{host}/${{WIRE_TOKEN}}/feed"}}]}}
  - {{id: login, feeds: [{{url: "http://me:${{WIRE_WORD}}@{host}/login"}}]}}
  - {{id: plain, feeds: [{{url: "http://{host}/plain?token={plain}"}}]}}
  - {{id: moves, feeds: [{{url: "http://{host}/moves?key=${{WIRE_KEY}}"}}]}}
  - {{id: broken, feeds: [{{url: "http://{host}/broken?key=${{WIRE_KEY}}"}}]}}
  - {{id: dead, feeds: [{{url: "http://${{DEAD_HOST}}/feed"}}]}}
  - {{id: page, feeds: [{{url: "http://${{DEAD_HOST}}/news", kind: html, select: {{item: li}}}}]}}
"""


def echo(request: Request) -> Response:
    """A feed in which the address and the login stand wherever they can."""
    url, login = request.url.replace("&", "&amp;"), request.authorization
    words = f"{url} {login.password if login else ''} {request.headers.get('Authorization', '')}"
    item = (
        f"<item><title>On {words}</title><link>{url}&amp;id=1</link><guid>{url}#1</guid><author>{words}</author>"
        f"<description>&lt;p&gt;Read &lt;a href='{url}'&gt;{words}&lt;/a&gt;&lt;/p&gt;</description>"
        f"<link>http://me:hunter2@{request.host}/x</link></item>"
    )
    second = f"<item><title>Two</title><link>http://me:hunter2@{request.host}/two</link></item>"
    atom = f'<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="{url}"/>'
    channel = f"<channel><title>{words}</title><link>{url}</link>{atom}{item}{second}</channel>"
    return Response(f'<rss version="2.0">{channel}</rss>', mimetype="application/rss+xml", headers={"ETag": '"1"'})


@pytest.fixture
def options(tmp_path: Path, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The options of every command on a feeds.yaml full of secrets, and a server that repeats them."""
    host = f"{httpserver.host}:{httpserver.port}"
    for name, value in {**SECRETS, "WIRE_HOST": host, "DEAD_HOST": DEAD}.items():
        monkeypatch.setenv(name, value)
    for path in ("/feed", "/tok-9f8a7b6c/feed", "/login", "/plain"):
        httpserver.expect_request(path).respond_with_handler(echo)
    httpserver.expect_request("/moves").respond_with_handler(
        lambda request: Response(status=301, headers={"Location": request.url.replace("moves", "feed")})
    )
    httpserver.expect_request("/broken").respond_with_handler(
        lambda request: Response(f"no {request.url}", 500, headers={"Content-Encoding": request.args["key"]})
    )
    config = tmp_path / "feeds.yaml"
    config.write_text(CONFIG.format(host=host, plain=PLAIN), "utf-8")
    return [f"--config={config}", f"--db=sqlite:///{tmp_path / 'storyheat.db'}"]


def secrets_seen(text: str) -> list[str]:
    return [secret for secret in (*SECRETS.values(), PLAIN, DEAD, "hunter2", "bWU6b3BlbnNlc2FtZQ") if secret in text]


def test_no_secret_is_stored_or_shown(options: list[str], tmp_path: Path) -> None:
    def run(*arguments: str) -> Outcome:
        return storyheat(*arguments, *options)

    first = run("ingest", "-v")
    assert first.code == 3
    assert "failed: dead http://${DEAD_HOST}/feed: ${DEAD_HOST} has no address" in first.out
    assert "5 updated, 0 unchanged, 3 failed" in first.out
    again = run("ingest", "--force", "--json")
    assert {one["source"] for one in again.json["failures"]} == {"broken", "dead", "page"}
    exported = tmp_path / "out.opml"
    shown = [first, again, run("export-opml", "-o", str(exported)), run("export-opml")]
    shown += [
        run(*command.split()) for command in ("sources", "sources -v", "sources --json", "sources check -v", "top")
    ]
    assert [secrets_seen(outcome.out + outcome.err) for outcome in shown] == [[]] * len(shown)
    assert secrets_seen(exported.read_text("utf-8")) == []
    with sqlite3.connect(tmp_path / "storyheat.db") as database:
        dump = "\n".join(database.iterdump())
    assert secrets_seen(dump) == []
    assert "http://${WIRE_HOST}/feed?key=${WIRE_KEY}&n=1" in dump
    sites = dict(database.execute("SELECT source_id, site FROM feed WHERE site IS NOT NULL"))
    assert sites["wire"] == "http://${WIRE_HOST}/feed?n=1"
    assert database.execute("SELECT count(*) FROM item WHERE title = 'Two'").fetchone() == (1,)


def test_what_is_followed_under_a_secret_is_known_in_plain(options: list[str], tmp_path: Path) -> None:
    config = tmp_path / "feeds.yaml"
    before = config.read_text("utf-8")
    host = before.partition('["')[2].partition('"')[0]
    for address in (
        f"http://{host}/feed?key=geheim&n=1",
        f"http://{host}/login",
        "http://${WIRE_HOST}/feed?key=${WIRE_KEY}&n=1",
    ):
        known = storyheat("sources", "add", address, *options)
        assert known.code == 2
        assert "is followed already, as" in known.err
        assert secrets_seen(known.err) == []
    assert config.read_text("utf-8") == before
    listed = tmp_path / "list.opml"
    listed.write_text(
        f'<opml><body><outline xmlUrl="http://{host}/feed?key=geheim&amp;n=1"/>'
        f'<outline text="New" xmlUrl="http://{host}/new?token=qq33ww44"/></body></opml>'
    )
    imported = storyheat("import-opml", listed, "--dry-run", *options)
    assert secrets_seen(imported.out) == []
    assert "/feed?key=${WIRE_KEY}&n=1): followed already, as" in imported.out
    assert "qq33ww44" not in imported.out
    assert "remark: new: its address holds a secret: write ${NAME} in its place" in imported.out


def test_an_address_is_added_without_its_secret(options: list[str], tmp_path: Path, httpserver: HTTPServer) -> None:
    config = tmp_path / "feeds.yaml"
    httpserver.expect_request("/new").respond_with_handler(echo)
    added = storyheat("sources", "add", "http://${WIRE_HOST}/new?key=${WIRE_KEY}", "--id=one", *options)
    assert (added.code, added.err) == (0, "")
    assert 'url: "http://${WIRE_HOST}/new?key=${WIRE_KEY}"' in config.read_text("utf-8")
    host = f"{httpserver.host}:{httpserver.port}"
    known = storyheat("sources", "add", f"http://{host}/new?key=geheim&x=1", "--id=two", *options)
    assert (known.code, known.err) == (0, "")
    assert f'url: "http://{host}/new?key=${{WIRE_KEY}}&x=1"' in config.read_text("utf-8")
    login = storyheat("sources", "add", f"http://you:qq33ww44@{host}/new", "--id=three", *options)
    assert (login.code, "write ${NAME} in its place in feeds.yaml" in login.err) == (0, True)
    told = [added, known, login]
    assert not [secret for outcome in told for secret in secrets_seen(outcome.out + outcome.err)]
    assert "qq33ww44" not in login.out + login.err
    assert [name for name in SECRETS.values() if name in config.read_text("utf-8")] == []
