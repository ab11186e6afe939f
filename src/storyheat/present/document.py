"""What we make of one document, as the JSON object of `parse` and as lines for people."""

from collections.abc import Iterator
from datetime import datetime, tzinfo
from typing import Any

from storyheat.core.items.effective import effective_time
from storyheat.core.model import Entry, ParsedFeed
from storyheat.core.text.markup import one_line
from storyheat.errors import DocumentError
from storyheat.present import words
from storyheat.present.objects import instant, maybe

SCHEMA = "storyheat.parse/1"


def parsed(feed: ParsedFeed, fetched_at: datetime) -> dict[str, Any]:
    """storyheat.parse/1 for a feed; `effective` is what an item first seen at `fetched_at` would get."""
    return {
        "schema": SCHEMA,
        "format": feed.format,
        "title": feed.title,
        "site": feed.site,
        "language": feed.language,
        "count": len(feed.entries),
        "entries": [_entry(entry, fetched_at) for entry in feed.entries],
        "remarks": remarks(feed),
        "error": None,
    }


def failed(error: DocumentError) -> dict[str, Any]:
    """storyheat.parse/1 for a document that is no feed."""
    return {
        "schema": SCHEMA,
        "format": None,
        "title": None,
        "site": None,
        "language": None,
        "count": 0,
        "entries": [],
        "remarks": [],
        "error": {"kind": str(error.kind), "message": error.message},
    }


def remarks(feed: ParsedFeed) -> list[str]:
    """Every remark: those on the document, then those on entries with their number from 1."""
    on_entries = [
        f"entry {number}: {remark}" for number, entry in enumerate(feed.entries, 1) for remark in entry.remarks
    ]
    return [*feed.remarks, *on_entries]


def lines(feed: ParsedFeed, fetched_at: datetime, zone: tzinfo, *, quiet: bool, verbose: bool) -> Iterator[str]:
    """The same for people: a line or two an entry."""
    if not quiet:
        entries = words.count(len(feed.entries), "entry", "entries")
        yield f"{feed.format}  {entries}  {words.title(feed.title or '')}"
    for number, entry in enumerate(feed.entries, 1):
        when = "no date" if entry.published is None else words.stamp(entry.published.at, zone)
        yield f"{number:>4}  {when}  {words.title(entry.title or '')}"
        yield f"      {one_line(entry.link or '(no link)')}"
        if verbose:
            effective = effective_time(entry.published, fetched_at)
            yield f"      id {one_line(entry.guid or '(none)')}; by {one_line(entry.author or '(unsigned)')}"
            yield f"      counts from {words.stamp(effective.at, zone)}: {effective.because}"
            if entry.canonical != entry.link:
                yield f"      stands for {one_line(entry.canonical or '(nothing)')}"
    for remark in remarks(feed):
        yield f"remark: {one_line(remark)}"


def _entry(entry: Entry, fetched_at: datetime) -> dict[str, Any]:
    effective = effective_time(entry.published, fetched_at)
    return {
        "id": entry.guid,
        "title": entry.title,
        "link": entry.link,
        "canonical": entry.canonical,
        "published": None if entry.published is None else instant(entry.published.at),
        "precision": None if entry.published is None else entry.published.precision.value,
        "effective": instant(effective.at),
        "effective_because": effective.because,
        "updated": maybe(None if entry.updated is None else entry.updated.at),
        "summary": entry.summary,
        "author": entry.author,
        "language": entry.language,
    }
