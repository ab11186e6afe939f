"""The servers of the demo week: documents that say what the week says, and each its own habits."""

import gzip
from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus

import pytest

from storyheat.core.model import Source, SourceId
from storyheat.demo.habits import HABITS
from storyheat.demo.server import Reply, Site, WeekServer
from storyheat.demo.week import LAST_POLL, Post, day_and_time
from storyheat.ingest.document import parse_document

NOON = day_and_time("Wed 12:00")


@pytest.fixture(scope="module")
def sites(sources: tuple[Source, ...], posts: tuple[Post, ...]) -> dict[str, Site]:
    """The server of each source."""
    return {
        source.id: Site(source, [post for post in posts if post.source == source.id], HABITS[source.id])
        for source in sources
    }


def asked(site: Site, at: datetime | str = NOON, path: str | None = None, **headers: str) -> Reply:
    """The reply to a GET of its feed."""
    now = day_and_time(at) if isinstance(at, str) else at
    names: Mapping[str, str] = {name.replace("_", "-"): value for name, value in headers.items()}
    return site.answer(path or site.path, names, now)


@pytest.mark.parametrize("source", sorted(HABITS))
def test_what_is_served_is_read_as_it_was_meant(
    sites: dict[str, Site], posts: tuple[Post, ...], source: SourceId
) -> None:
    site = sites[source]
    feed = site.source.feeds[0]
    body = site.body_at(LAST_POLL)
    parsed = parse_document(
        body,
        url=feed.url,
        content_type=None,
        source_timezone=site.source.timezone,
        selectors=feed.select,
        fetched_at=LAST_POLL,
    )
    meant = {post.link: post for post in posts if post.source == source}
    assert len(parsed.entries) == min(len(meant), site.habits.listed)
    for entry in parsed.entries:
        post = meant[str(entry.link)]
        assert entry.title == post.text_at(LAST_POLL).title
        assert (entry.text or entry.summary).startswith("".join(post.text_at(LAST_POLL).paragraphs[:1])[:60])
        if site.habits.moving_dates:
            continue
        assert (entry.published.at if entry.published else None) == (post.published if post.dated else None)
        assert entry.author == post.author
        assert entry.publisher == post.publisher


def test_a_known_document_is_not_sent_again(sites: dict[str, Site]) -> None:
    first = asked(sites["quillon-blog"])
    known = {"if_none_match": first.headers["ETag"], "if_modified_since": first.headers["Last-Modified"]}
    assert asked(sites["quillon-blog"], "Wed 20:00", **known) == Reply(
        HTTPStatus.NOT_MODIFIED, {name: first.headers[name] for name in ("ETag", "Last-Modified")}
    )
    assert asked(sites["quillon-blog"], "Thu 16:00", **known).status is HTTPStatus.OK


def test_an_edit_makes_another_document(sites: dict[str, Site]) -> None:
    before, after = (asked(sites["harbour-wire"], at) for at in ("Mon 09:00", "Mon 09:10"))
    assert before.headers["Last-Modified"] != after.headers["Last-Modified"]
    assert b"in talks" in before.body
    assert b"in talks" not in after.body


def test_dates_that_move_make_another_document_each_time(sites: dict[str, Site]) -> None:
    first = asked(sites["qinghe-daily"])
    again = asked(sites["qinghe-daily"], "Wed 12:30", if_none_match=first.headers["ETag"])
    assert again.status is HTTPStatus.OK


def test_gzip_for_those_who_ask_for_it(sites: dict[str, Site]) -> None:
    plain, packed = (asked(sites["harbour-wire"], accept_encoding=name) for name in ("identity", "gzip"))
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body


@pytest.mark.parametrize(
    ("source", "since", "status"),
    [
        ("tessera", "Fri 00:00", 503),
        ("lumen-daily", "Wed 14:00", 200),
        ("old-mill-gazette", "Sat 06:00", 410),
        ("northern-ledger", "Thu 12:00", 301),
    ],
)
def test_trouble_begins_on_time(sites: dict[str, Site], source: str, since: str, status: int) -> None:
    site, at = sites[source], day_and_time(since)
    troubled = asked(site, at)
    assert troubled.status == status
    assert "ETag" not in troubled.headers
    assert b"<rss" not in troubled.body


def test_the_outage_ends(sites: dict[str, Site]) -> None:
    assert asked(sites["tessera"], "Fri 20:00").status is HTTPStatus.OK


def test_a_feed_that_moved_is_at_its_new_path(sites: dict[str, Site]) -> None:
    ledger = sites["northern-ledger"]
    place = asked(ledger, "Fri 12:00").headers["Location"]
    assert asked(ledger, "Fri 12:00", place).status is HTTPStatus.OK


def test_what_else_is_asked(sites: dict[str, Site], sources: tuple[Source, ...], posts: tuple[Post, ...]) -> None:
    assert b"Allow: /" in asked(sites["tributary"], path="/robots.txt").body
    assert asked(sites["tributary"], path="/other").status is HTTPStatus.NOT_FOUND
    with WeekServer(sources, posts, NOON) as server:
        assert server.answer("http://elsewhere.example/feed", {}).status is HTTPStatus.BAD_GATEWAY
