"""Asks sites for their robots.txt before their pages are asked for, and says which pages must be left alone."""

from collections.abc import Iterable
from datetime import datetime

from storyheat.core.model import FetchOutcome, FetchReply, FetchRequest, Url
from storyheat.core.robots import Robots, origin_of, robots_address
from storyheat.ingest.robots import objection, read_robots
from storyheat.ports import Fetcher
from storyheat.store import articles
from storyheat.store.database import Database


def refused_pages(database: Database, fetcher: Fetcher, pages: Iterable[Url], now: datetime) -> dict[Url, FetchReply]:
    """The pages that are not to be asked for now, each with the failed reply that says why; its key is 0.

    Rules are kept for a day. A site that cannot be asked for its rules is not asked for its pages either.
    """
    wanted = sorted(set(pages))
    origins = sorted({origin_of(page) for page in wanted})
    if not origins:
        return {}
    with database.read() as connection:
        stored = articles.stored_robots(connection, origins)
    known = {origin: robots for origin, robots in stored.items() if robots.is_fresh(now)}
    fetched, down = _fetched([origin for origin in origins if origin not in known], fetcher, now)
    if fetched:
        with database.write() as connection:
            articles.store_robots(connection, fetched)
    known |= {robots.origin: robots for robots in fetched}
    refused = {}
    for page in wanted:
        origin = origin_of(page)
        failure = objection(known[origin], page)
        if failure is not None:
            reply = down.get(origin) or FetchReply(0, FetchOutcome.FAILED, page, failure=failure)
            refused[page] = reply
    return refused


def _fetched(origins: list[str], fetcher: Fetcher, now: datetime) -> tuple[list[Robots], dict[str, FetchReply]]:
    """What these origins say, and the replies of those that could not be asked."""
    replies: dict[int, FetchReply] = {}

    def note(reply: FetchReply) -> None:
        replies[reply.key] = reply

    if origins:
        requests = [FetchRequest(number, robots_address(origin)) for number, origin in enumerate(origins)]
        fetcher.fetch(requests, now, note)
    found = [read_robots(origin, replies[number], now) for number, origin in enumerate(origins)]
    down = {one.origin: replies[number] for number, one in enumerate(found) if one.rules is None}
    return found, {origin: reply for origin, reply in down.items() if reply.failure is not None}
