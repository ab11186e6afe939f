"""Makers for the store's contract: a database with two sources, and items, entries and decisions in it."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection
from tests.make import entry, feed_url, source, utc

from storyheat.core.clustering.placing import Decision, Placed
from storyheat.core.feeds.polling import PollParams
from storyheat.core.items.facts import Intake, Item, Revision, StoredEntry
from storyheat.core.items.identity import Claim, claims, content_sha, item_id
from storyheat.core.model import Published, Role, SourceId, StoryId, Url
from storyheat.store import feeds, intake, placing

NOON = utc("2026-11-10 12:00")
SOURCES = (source("daily"), source("wire", owner="house", site=Url("https://wire.example/"), topics=("news", "新闻")))


def followed(connection: Connection) -> dict[str, int]:
    """Stores the sources; the numbers of their feeds by source."""
    feeds.sync_sources(connection, SOURCES, PollParams(), 1000)
    return {state.source.id: state.id for state in feeds.feed_states(connection, SOURCES)}


def claim(number: int = 1, title: str = "Rates rise", guid: str | None = None) -> Claim:
    """The claim of an article of `wire`."""
    (made,) = claims([entry(title, f"https://wire.example/a/{number}", guid=guid)], SourceId("wire"), [])
    return made


def item(number: int = 1, at: datetime = NOON, **fields: Any) -> Item:
    """An item of `wire`, first seen at `at`."""
    identity = f"wire.example/a/{number}"
    values: dict[str, Any] = {
        "id": item_id(identity), "identity": identity, "url": f"https://{identity}", "title": f"Title {number}",
        "summary": "Summary", "text": "", "html": "<p>Summary</p>", "language": "en", "source": "wire",
        "author": "Ann", "publisher": None, "publisher_url": None, "published": Published(at), "first_seen_at": at,
        "effective_at": at, "effective_because": "the published time", "backlog": False,
    }  # fmt: skip
    return Item(**{**values, **fields})


def stored_entry(number: int, feed_id: int, of: Claim | None = None, **fields: Any) -> StoredEntry:
    """The entry of item `number` in a feed."""
    made = of or claim(number)
    values: dict[str, Any] = {
        "id": 100 * feed_id + number, "feed_id": feed_id, "entry_key": made.entry_key,
        "item_id": item_id(f"wire.example/a/{number}"), "guid": made.guid, "link_key": made.link_key,
        "title": f"Title {number}", "claimed_at": NOON, "content_sha": content_sha(made.entry),
    }  # fmt: skip
    return StoredEntry(**{**values, **fields})


def take(
    connection: Connection,
    items: Iterable[Item] = (),
    entries: Iterable[StoredEntry] = (),
    *,
    now: datetime = NOON,
    changed: Iterable[Item] = (),
    revisions: Iterable[Revision] = (),
) -> None:
    """Stores what a run found."""
    found = Intake(
        items=list(items),
        entries=list(entries),
        changed_items={one.id: one for one in changed},
        revisions=list(revisions),
    )
    found.links = {one.id: feed_url("wire") for one in found.entries}
    intake.store_intake(connection, found, now)


def decide(
    connection: Connection, number: int, story: str, role: Role, at: datetime = NOON, *, found: bool = False
) -> None:
    """Writes one decision about item `number`; with `found` it founds the story."""
    mine = item_id(f"wire.example/a/{number}")
    placed = Placed(decisions=[Decision(mine, StoryId(story), role, {"z": 1.5})])
    if found:
        placed.founded = [(StoryId(story), mine)]
    placing.write_placed(connection, placed, at)
