"""Writes the feeds of the demo week as their servers would: RSS, Atom, JSON Feed, or an HTML index page."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from enum import StrEnum
from html import escape
from zoneinfo import ZoneInfo

from storyheat.core.model import Source
from storyheat.demo.week import Post

Stamp = Callable[[datetime], str]


class Format(StrEnum):
    """What a feed is written in."""

    RSS = "rss"
    ATOM = "atom"
    JSON = "json"
    HTML = "html"


CONTENT_TYPES = {
    Format.RSS: "application/rss+xml; charset=utf-8",
    Format.ATOM: "application/atom+xml; charset=utf-8",
    Format.JSON: "application/feed+json",
    Format.HTML: "text/html; charset=utf-8",
}


def document(kind: Format, source: Source, posts: Sequence[Post], now: datetime, *, moving_dates: bool) -> bytes:
    """The document that lists `posts`, in their order, at `now`.

    `moving_dates`: each entry is dated by when the document was made, a minute after the one below it.
    """
    dated = [
        (post, _date(post, now - timedelta(minutes=place) if moving_dates else None))
        for place, post in enumerate(posts)
    ]
    write = {Format.RSS: _rss, Format.ATOM: _atom, Format.JSON: _json_feed, Format.HTML: _index_page}[kind]
    return write(source, dated, now).encode()


Dated = Sequence[tuple[Post, datetime | None]]


def _date(post: Post, moved: datetime | None) -> datetime | None:
    return (moved or post.published) if post.dated else None


def _stamp_of(source: Source) -> Stamp:
    """How a source writes dates in RSS: with its zone, in Chinese ones that of Beijing; with a `timezone`, without."""
    if source.timezone is not None:
        local = ZoneInfo(source.timezone)
        return lambda at: at.astimezone(local).strftime("%Y-%m-%d %H:%M")
    zone = ZoneInfo("Asia/Shanghai") if (source.language or "").startswith("zh") else UTC
    return lambda at: format_datetime(at.astimezone(zone))


def _rss(source: Source, dated: Dated, now: datetime) -> str:
    stamp = _stamp_of(source)
    items = []
    for post, at in dated:
        text = post.text_at(now)
        parts = [
            f"<title>{escape(text.title)}</title>",
            f"<link>{escape(post.link)}</link>",
            f'<guid isPermaLink="false">{escape(post.link)}</guid>',
        ]
        if at is not None:
            parts.append(f"<pubDate>{stamp(at)}</pubDate>")
        if post.author is not None:
            parts.append(f"<dc:creator>{escape(post.author)}</dc:creator>")
        if post.publisher is not None:
            host = post.link.split("/")[2]
            parts.append(f'<source url="https://{host}/">{escape(post.publisher)}</source>')
        if text.paragraphs:
            parts.append(f"<description>{escape(_html(text.paragraphs[:1]))}</description>")
        if len(text.paragraphs) > 1:
            parts.append(f"<content:encoded><![CDATA[{_html(text.paragraphs)}]]></content:encoded>")
        items.append(f"<item>{''.join(parts)}</item>\n")
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
        ' xmlns:content="http://purl.org/rss/1.0/modules/content/">\n'
        f"<channel><title>{escape(source.name)}</title><link>{source.site}</link>"
        f"<language>{source.language}</language>\n{''.join(items)}</channel></rss>\n"
    )


def _atom(source: Source, dated: Dated, now: datetime) -> str:
    entries = []
    for post, at in dated:
        text = post.text_at(now)
        published = f"<published>{_iso(at)}</published>" if at is not None else ""
        # Atom wants an updated date in any case; one that says nothing is the least that an undated post can give.
        updated = f"<updated>{_iso(max(at, text.since))}</updated>" if at is not None else ""
        entries.append(
            f"<entry><id>{escape(post.link)}</id><title>{escape(text.title)}</title>"
            f'<link href="{escape(post.link)}"/>{published}{updated}'
            f'<content type="html">{escape(_html(text.paragraphs))}</content></entry>\n'
        )
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{source.language}">\n'
        f'<id>{source.site}</id><title>{escape(source.name)}</title><link href="{source.site}"/>\n'
        f"{''.join(entries)}</feed>\n"
    )


def _json_feed(source: Source, dated: Dated, now: datetime) -> str:
    items = []
    for post, at in dated:
        text = post.text_at(now)
        item = {"id": post.link, "url": post.link, "title": text.title, "content_html": _html(text.paragraphs)}
        items.append(item | ({"date_published": _iso(at)} if at is not None else {}))
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": source.name,
        "home_page_url": source.site,
        "language": source.language,
        "items": items,
    }
    return json.dumps(feed, ensure_ascii=False, indent=1)


def _index_page(source: Source, dated: Dated, now: datetime) -> str:
    articles = []
    for post, at in dated:
        text = post.text_at(now)
        time = f'<time datetime="{_iso(at)}">{at:%d %B %Y}</time>' if at is not None else ""
        articles.append(
            f'<article><h2><a href="{escape(post.link)}">{escape(text.title)}</a></h2>{time}'
            f"<p>{escape(' '.join(text.paragraphs))}</p></article>\n"
        )
    return (
        f'<!doctype html>\n<html lang="{source.language}"><head><meta charset="utf-8">'
        f"<title>{escape(source.name)}: news</title></head><body>\n"
        '<nav><a href="/">Home</a> <a href="/docs/">Documentation</a></nav>\n'
        f"<main>\n{''.join(articles)}</main></body></html>\n"
    )


def _iso(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


def _html(paragraphs: Sequence[str]) -> str:
    return "".join(f"<p>{escape(paragraph, quote=False)}</p>" for paragraph in paragraphs)
