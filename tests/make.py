"""Small makers: sources, entries, feed texts and recordings from a few words."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from pathlib import Path
from typing import Any

from storyheat.core.addresses.urls import canonical_url
from storyheat.core.model import Entry, Feed, Published, Source, SourceId, Url


def utc(text: str) -> datetime:
    """`2026-11-10 12:00` as an instant."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def source(name: str, **fields: Any) -> Source:
    """A source with one feed, `https://NAME.example/feed`; its owner is itself unless said otherwise."""
    fields.setdefault("owner", name)
    fields.setdefault("feeds", (Feed(Url(f"https://{name}.example/feed")),))
    return Source(id=SourceId(name), name=name.title(), **fields)


def feed_url(name: str) -> Url:
    """The address of the feed of `source(NAME)`."""
    return Url(f"https://{name}.example/feed")


def entry(
    title: str | None = None,
    link: str | None = None,
    *,
    guid: str | None = None,
    at: datetime | Published | None = None,
    summary: str = "",
    **fields: Any,
) -> Entry:
    """An entry as a parser gives it."""
    defaults: dict[str, Any] = {
        "updated": None, "text": "", "html": "", "author": None, "publisher": None, "publisher_url": None,
        "language": None,
    }  # fmt: skip
    canonical = canonical_url(link)
    return Entry(
        guid=guid,
        title=title,
        link=Url(link) if link else None,
        canonical=Url(canonical) if canonical else None,
        published=Published(at) if isinstance(at, datetime) else at,
        summary=summary,
        **{**defaults, **fields},
    )


# -- feed texts -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Post:
    """One element of a feed text. `at`: an instant, a text to stand as it is, or None for no date."""

    title: str
    link: str | None = None
    at: datetime | str | None = None
    guid: str | None = None
    text: str = ""
    author: str | None = None


def rss(*posts: Post, site: str | None = None, channel: str = "") -> str:
    """An RSS 2.0 document; `channel` is XML put into its head."""
    head = "<title>Sample</title>" + _tag("link", site) + channel
    return f'<rss version="2.0"><channel>{head}{"".join(map(_rss_item, posts))}</channel></rss>'


def _rss_item(post: Post) -> str:
    date = format_datetime(post.at) if isinstance(post.at, datetime) else post.at
    guid = f'<guid isPermaLink="false">{escape(post.guid)}</guid>' if post.guid is not None else ""
    tags = (("title", post.title), ("link", post.link), ("pubDate", date), ("author", post.author))
    inner = "".join(_tag(name, value) for name, value in tags) + guid + _tag("description", post.text or None)
    return f"<item>{inner}</item>"


def _tag(name: str, value: str | None) -> str:
    return "" if value is None else f"<{name}>{escape(value)}</{name}>"


def atom(*posts: Post, site: str | None = None) -> str:
    """An Atom 1.0 document."""
    link = "" if site is None else f'<link rel="alternate" href="{escape(site)}"/>'
    entries = "".join(map(_atom_entry, posts))
    return f'<feed xmlns="http://www.w3.org/2005/Atom"><title>Sample</title>{link}{entries}</feed>'


def _atom_entry(post: Post) -> str:
    date = post.at.isoformat() if isinstance(post.at, datetime) else post.at
    link = "" if post.link is None else f'<link href="{escape(post.link)}"/>'
    author = "" if post.author is None else f"<author><name>{escape(post.author)}</name></author>"
    tags = (("title", post.title), ("id", post.guid), ("published", date), ("content", post.text or None))
    return f"<entry>{''.join(_tag(name, value) for name, value in tags)}{link}{author}</entry>"


def json_feed(*posts: Post, site: str | None = None) -> str:
    """A JSON Feed 1.1 document."""
    items = [
        {
            "id": post.guid or post.link or post.title,
            "title": post.title,
            "url": post.link,
            "date_published": post.at.isoformat() if isinstance(post.at, datetime) else post.at,
            "content_text": post.text,
            "authors": [{"name": post.author}] if post.author else [],
        }
        for post in posts
    ]
    head = {"version": "https://jsonfeed.org/version/1.1", "title": "Sample", "home_page_url": site}
    return json.dumps({**head, "items": [{k: v for k, v in item.items() if v} for item in items]})


# -- recordings -----------------------------------------------------------------------------------


def write_recording(folder: Path, snapshots: Mapping[str, Mapping[datetime, str]]) -> Path:
    """Writes FOLDER/<source>/<instant>.xml (or .json) of each feed text, as `replay` reads them."""
    for name, texts in snapshots.items():
        (folder / name).mkdir(parents=True)
        for at, text in texts.items():
            ending = "json" if text.startswith("{") else "xml"
            (folder / name / f"{at:%Y%m%dT%H%M%SZ}.{ending}").write_text(text, "utf-8")
    return folder
