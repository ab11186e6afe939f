"""Writes a feed as JSON Feed 1.1."""

import json
from typing import Any

from storyheat.present.feeds.outgoing import AUTHOR, LANGUAGE, Entry, Outgoing
from storyheat.present.objects import instant

MEDIA_TYPE = "application/feed+json"
VERSION = "https://jsonfeed.org/version/1.1"


def json_feed(feed: Outgoing) -> str:
    """The document."""
    value = {
        "version": VERSION,
        "title": feed.title,
        "description": feed.about,
        "home_page_url": feed.home,
        "feed_url": feed.address,
        "language": LANGUAGE,
        "authors": [{"name": AUTHOR}],
        "items": [_item(entry) for entry in feed.entries],
    }
    return json.dumps(_known(value), ensure_ascii=False, indent=2) + "\n"


def _item(entry: Entry) -> dict[str, Any]:
    return _known(
        {
            "id": entry.id,
            "url": entry.link,
            "external_url": entry.source,
            "title": entry.title.text,
            "content_html": entry.html,
            "summary": entry.summary,
            "date_published": instant(entry.published),
            "date_modified": instant(entry.updated),
            "tags": list(entry.topics) or None,
            "language": entry.title.lang,
        }
    )


def _known(value: dict[str, Any]) -> dict[str, Any]:
    """Without what is unknown: the format has no null."""
    return {key: one for key, one in value.items() if one is not None}
