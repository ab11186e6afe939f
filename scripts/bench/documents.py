"""The stream as feeds: its sources as they would stand in feeds.yaml, and the RSS documents that they would serve."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from email.utils import format_datetime
from html import escape

import stream

from storyheat.core.model import Feed, Source, SourceId, Url

LISTED = 30  # entries of a document, where no more are new


def sources(params: stream.StreamParams, addresses: Sequence[str] | None = None) -> tuple[Source, ...]:
    """The sources of a stream, each with one feed: at these addresses, or at names that nobody has."""
    made = stream.sources(params)
    urls = addresses or [f"https://{one.id}.example/feed" for one in made]
    return tuple(
        Source(SourceId(one.id), f"Source {one.id}", one.id, (Feed(Url(url)),), site=Url(f"https://{one.id}.example/"))
        for one, url in zip(made, urls, strict=True)
    )


def document(source: str, listed: Sequence[stream.Item]) -> bytes:
    """The RSS document that lists these entries: the text as HTML in paragraphs of three sentences, with a link."""
    entries = []
    for one in listed:
        parts = [
            f"<title>{escape(one.title)}</title><link>{one.url}</link><guid>{one.url}</guid>",
            f"<pubDate>{format_datetime(one.published)}</pubDate>",
        ]
        if one.text:
            html = "".join(_paragraphs(one))
            whole = len(one.text) > 1500
            parts.append(f"<description>{escape(html if not whole else html[:300] + '</p>')}</description>")
            if whole:
                parts.append(f"<content:encoded><![CDATA[{html}]]></content:encoded>")
        entries.append(f"<item>{''.join(parts)}</item>\n")
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>'
        f"<title>Source {source}</title><link>https://{source}.example/</link>\n{''.join(entries)}</channel></rss>\n"
    ).encode()


def _paragraphs(item: stream.Item) -> Iterator[str]:
    sentences = item.text.replace("。", "。\n").replace(". ", ".\n").splitlines()
    for start in range(0, len(sentences), 3):
        words = escape(" ".join(sentences[start : start + 3]))
        link = f' <a href="{item.url}#{start}" class="more">more</a>' if start % 9 == 0 else ""
        yield f"<p>{words}{link}</p>"


class Listings:
    """What every feed shows: the newest entries, and all that are new."""

    def __init__(self) -> None:
        self._shown: dict[str, list[stream.Item]] = {}

    def bodies(self, fresh: dict[str, list[stream.Item]]) -> dict[str, bytes]:
        """The documents of the feeds that have something new; `fresh` lists the newest first."""
        made = {}
        for source, new in fresh.items():
            ids = {one.id for one in new}
            old = [one for one in self._shown.get(source, ()) if one.id not in ids]
            self._shown[source] = [*new, *old][: max(LISTED, len(new))]
            made[source] = document(source, self._shown[source])
        return made


def ticks(
    count: int, params: stream.StreamParams, runs: int
) -> Iterator[tuple[datetime, dict[str, list[stream.Item]]]]:
    """The stream in at most so many steps of whole hours: (end, source → its new entries, newest first)."""
    span = count / params.items_per_day * 24
    hours = max(1, round(span / runs + 0.5))
    end: datetime | None = None
    fresh: dict[str, list[stream.Item]] = {}
    for number, (hour, new) in enumerate(stream.hours(count, params), 1):
        end = hour
        for source, listed in new.items():
            again = {one.id for one in listed}
            fresh[source] = [*listed, *(one for one in fresh.get(source, ()) if one.id not in again)]
        if number % hours == 0:
            yield end, fresh
            fresh = {}
    if fresh and end is not None:
        yield end, fresh
