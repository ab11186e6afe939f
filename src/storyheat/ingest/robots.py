"""What a site's robots.txt lets us ask for; the only home of Protego."""

from datetime import datetime
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import urlsplit

from protego import Protego

from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply
from storyheat.core.robots import DEFAULT_PARAMS, Robots, RobotsParams
from storyheat.ingest.charset import decode

AGENT = "storyheat"  # the name that rules are looked up for


def read_robots(origin: str, reply: FetchReply, now: datetime, params: RobotsParams = DEFAULT_PARAMS) -> Robots:
    """What a reply to a request for robots.txt means, by RFC 9309: no such file allows all, no answer nothing."""
    if reply.outcome is FetchOutcome.BODY:
        text = decode(reply.body[: 4 * params.max_chars], reply.content_type).text
        return Robots(origin, text[: params.max_chars].replace("\x00", ""), now)
    empty = reply.failure is not None and reply.failure.kind is FailureKind.EMPTY
    status = reply.status or 0
    missing = 400 <= status < 500 and status != HTTPStatus.TOO_MANY_REQUESTS
    return Robots(origin, "" if empty or missing else None, now)


def objection(robots: Robots, url: str) -> Failure | None:
    """Why `url` may not be asked for; None if it may."""
    host = urlsplit(robots.origin).hostname or robots.origin
    if robots.rules is None:
        return Failure(FailureKind.ROBOTS, f"{host} did not give its robots.txt, so its pages are not asked for now")
    if not _parsed(robots.rules).can_fetch(url, AGENT):
        return Failure(FailureKind.ROBOTS, f"the robots.txt of {host} asks us to leave this page alone")
    return None


@lru_cache(maxsize=256)
def _parsed(rules: str) -> Protego:
    return Protego.parse(rules)
