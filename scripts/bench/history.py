"""A long past for a database, written through the store without fetching, parsing or clustering.

It stands for what years of runs leave behind: items with entries, memberships and their places in the search index, in
stories of the sizes that the stream gives them. Their words are those of a few thousand items of the stream, over and
over; texts are kept as long as the default retention keeps them, and HTML is let go.
"""

import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import cycle, islice

import stream

from storyheat.core.clustering.placing import Decision, Placed
from storyheat.core.items.facts import Intake, Item, StoredEntry
from storyheat.core.items.identity import entry_id, item_id, story_id
from storyheat.core.items.retention import Retention
from storyheat.core.model import ItemId, Published, Role, Source, StoryId, Url
from storyheat.store import feeds, intake, placing, search
from storyheat.store.database import Database

WORDED = 5_000  # items of the stream whose words are used
STEP = 3_000  # items of one run, in one transaction: a day of the stream
BECAUSE = {"best_shared": 4, "features": {"cosine": 0.42, "names": 0.31, "title": 0.25}, "score": 0.93, "words": ["x"]}


def fill(
    database: Database, sources: Sequence[Source], count: int, until: datetime, params: stream.StreamParams
) -> float:
    """Writes so many items, all older than `until`. The database has had a run; seconds of the processor taken."""
    start = time.process_time()
    by_id = {str(source.id): source for source in sources}
    with database.read() as connection:
        numbers = {str(one.source.id): one.id for one in feeds.feed_states(connection, sources)}
    pace = timedelta(days=1) / params.items_per_day
    told = _told(count, params)
    texts_since = until - (Retention().texts or timedelta())
    founders: dict[str, ItemId] = {}
    first = until - pace * (count + STEP)
    for step in range(-(-count // STEP)):
        some = list(islice(told, STEP))
        seen = (first + pace * STEP * (step + 1)).replace(microsecond=0)
        taken, placed = Intake(), Placed()
        for number, name, item in some:
            at = (first + pace * number).replace(microsecond=0)
            identity = f"https://{item.source}.example/past/{number}"
            source = by_id[item.source]
            stored = Item(
                item_id(identity), identity, Url(identity), item.title, item.text[:300],
                item.text if seen >= texts_since else "", "", item.lang, source.id, None, None, None,
                Published(at), seen, min(at, seen), "its date", backlog=False,
            )  # fmt: skip
            entry = StoredEntry(
                entry_id(source.feeds[0].url, source.id, identity), numbers[item.source], identity, stored.id,
                identity, identity, item.title, at, f"{number:064x}",
            )  # fmt: skip
            taken.items.append(stored)
            taken.entries.append(entry)
            taken.links[entry.id] = stored.url
            if name not in founders:
                founders[name] = stored.id
                placed.founded.append((story_id(stored.id), stored.id))
            story = StoryId(story_id(founders[name]))
            placed.decisions.append(Decision(stored.id, story, Role.REPORT, BECAUSE))
        with database.write() as connection:
            intake.store_intake(connection, taken, seen)
            placing.write_placed(connection, placed, seen)
            search.index(connection, [one.id for one in taken.items], seen)
    return time.process_time() - start


def _told(count: int, params: stream.StreamParams) -> Iterator[tuple[int, str, stream.Item]]:
    """(number, story, item): the same few thousand items again and again, each round in stories of its own."""
    words = list(stream.items(WORDED, params))
    for number, item in enumerate(islice(cycle(words), count)):
        yield number, f"{number // WORDED} {item.story}", item
