"""Writes the sources as OPML, which feed readers import; another storyheat gets all their settings back."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from email.utils import format_datetime
from xml.sax.saxutils import quoteattr

from storyheat.core.addresses.secrets import Secrets, holds_hidden
from storyheat.core.model import Feed, Level, Source, SourceId
from storyheat.ingest.opml import NAMESPACE


@dataclass(frozen=True, slots=True)
class Exported:
    """The text of the list, how many feeds are in it, and what was left out of it, a line each."""

    text: str
    feeds: int
    remarks: tuple[str, ...]


def opml(
    sources: Iterable[Source], hidden: Mapping[SourceId, frozenset[str]], secrets: Secrets, at: datetime
) -> Exported:
    """OPML 2.0 of the sources, in a folder for the first topic of each, without any secret.

    `hidden` names the keys of a source whose values come from the environment: none of these is written. A feed whose
    address has something hidden in it is left out; another gets the login in it removed. Both are remarked.
    """
    folders: dict[str, list[str]] = {}
    remarks: list[str] = []
    feeds = 0
    for source in sources:
        secret = hidden.get(source.id, frozenset())
        for feed in source.feeds:
            if feed.secret_url is not None and holds_hidden(feed.url):
                remarks.append(f"{source.id}: a feed whose address holds a secret was left out")
                continue
            if feed.secret_url is not None:
                remarks.append(f"{source.id}: the user and password of a feed were left out")
            folder = source.topics[0] if source.topics and "topics" not in secret else ""
            folders.setdefault(secrets.in_words(folder), []).append(secrets.in_words(_outline(source, feed, secret)))
            feeds += 1
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<opml version="2.0" xmlns:storyheat="{NAMESPACE}">',
        "  <head>",
        "    <title>storyheat</title>",
        f"    <dateCreated>{format_datetime(at)}</dateCreated>",
        "  </head>",
        "  <body>",
    ]
    lines = (*head, *_body(folders), "  </body>", "</opml>")
    return Exported("\n".join(lines) + "\n", feeds, tuple(remarks))


def _body(folders: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for name, outlines in folders.items():
        if not name:
            yield from (f"    {outline}" for outline in outlines)
            continue
        yield f"    <outline text={quoteattr(name)}>"
        yield from (f"      {outline}" for outline in outlines)
        yield "    </outline>"


def _outline(source: Source, feed: Feed, secret: frozenset[str]) -> str:
    settings = {key: value for key, value in _settings(source).items() if key not in secret}
    name = str(settings.get("name", source.id))
    address = feed.url
    page = feed.kind == "html"  # nothing that another reader could read as a feed
    given = {
        "type": "link" if page else "rss",
        "text": name,
        "title": name,
        "url" if page else "xmlUrl": address,
        "htmlUrl": settings.get("site"),
        "language": settings.get("language"),
        "category": _category(source.topics) if "topics" in settings else None,
        "storyheat:source": _json(settings),
        "storyheat:feed": _json(_feed_settings(feed)),
    }
    written = " ".join(f"{key}={quoteattr(str(value))}" for key, value in given.items() if value)
    return f"<outline {written}/>"


def _settings(source: Source) -> dict[str, object]:
    """What differs from the defaults, in the words of feeds.yaml."""
    interval = source.poll_interval
    said: dict[str, object] = {
        "id": source.id,
        "name": source.name,
        "owner": source.owner,
        "site": None if source.site is None or holds_hidden(source.site) else source.site,
        "enabled": None if source.enabled else False,
        "level": None if source.level is Level.PRESS else source.level.value,
        "digest": source.digest or None,
        "community": source.community or None,
        "aggregator": source.aggregator or None,
        "speaks_for": list(source.speaks_for) or None,
        "language": source.language,
        "timezone": source.timezone,
        "topics": list(source.topics) or None,
        "weight": None if source.weight == 1 else source.weight,
        "poll_minutes": None if interval is None else int(interval.total_seconds()) // 60,
    }
    return {key: value for key, value in said.items() if value is not None}


def _feed_settings(feed: Feed) -> dict[str, object]:
    said: dict[str, object] = {} if feed.kind == "auto" else {"kind": feed.kind}
    if feed.select is not None:
        said["select"] = {key: value for key, value in asdict(feed.select).items() if value is not None}
    return said | ({"fulltext": True} if feed.fulltext else {})


def _category(topics: Sequence[str]) -> str:
    """Topics as other readers know them; one that holds a mark of the notation is left to our own attribute."""
    return ",".join(f"/{topic}" for topic in topics if "," not in topic and "/" not in topic)


def _json(value: Mapping[str, object]) -> str:
    return json.dumps(value, ensure_ascii=False) if value else ""
