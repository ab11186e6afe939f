"""Writes a feed as RSS 2.0, with what it lacks (an address of its own, a time of update) in Atom's elements."""

import re
from datetime import datetime
from email.utils import format_datetime
from xml.etree.ElementTree import Element

from storyheat import __version__
from storyheat.present.feeds import atom
from storyheat.present.feeds.outgoing import LANGUAGE, Entry, Outgoing
from storyheat.present.feeds.xml import add, written
from storyheat.present.objects import instant

MEDIA_TYPE = "application/rss+xml"
NO_HOME = "http://127.0.0.1:8000/"  # where `serve` stands unless told otherwise; a channel must name a page

# Readers differ on whether a title is text or markup: to the latter a sign that may open a tag is a tag.
_TAG_START = re.compile(r"<(?=[A-Za-z/!?])")


def rss(feed: Outgoing) -> str:
    """The document."""
    root = Element("rss", {"version": "2.0", "xmlns:atom": atom.NAMESPACE})
    channel = add(root, "channel")
    add(channel, "title", _title(feed.title))
    add(channel, "link", feed.home or NO_HOME)
    add(channel, "description", feed.about)
    add(channel, "language", LANGUAGE)
    add(channel, "lastBuildDate", _date(feed.updated))
    add(channel, "generator", f"storyheat {__version__}")
    add(channel, "docs", "https://www.rssboard.org/rss-specification")
    if feed.address is not None:
        add(channel, "atom:link", rel="self", type=MEDIA_TYPE, href=feed.address)
    for entry in feed.entries:
        _add_item(channel, entry)
    return written(root)


def _add_item(channel: Element, entry: Entry) -> None:
    made = add(channel, "item")
    add(made, "title", _title(entry.title.text))
    if entry.link is not None:
        add(made, "link", entry.link)
    add(made, "guid", entry.id, isPermaLink="false")
    add(made, "pubDate", _date(entry.published))
    add(made, "atom:updated", instant(entry.updated))
    for topic in entry.topics:
        add(made, "category", topic)
    add(made, "description", entry.html)


def _title(text: str) -> str:
    """A title that nobody can take for markup: `<b>` as `‹b>`."""
    return _TAG_START.sub("‹", text)


def _date(at: datetime) -> str:
    """`Mon, 26 Oct 2026 23:00:00 GMT`."""
    return format_datetime(at, usegmt=True)
