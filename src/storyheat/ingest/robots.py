"""What a site's robots.txt lets us ask for; the only home of Protego."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from http import HTTPStatus
from urllib.parse import urlsplit

from protego import Protego

from storyheat.core.feeds.robots import DEFAULT_PARAMS, Robots, RobotsParams, origin_of, robots_address
from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply, Url
from storyheat.ingest.charset import decode

AGENT = "storyheat"  # the name that rules are looked up for

# The site was not reached, so its robots.txt says nothing: the page fails as any request to the site would.
_NOT_REACHED = frozenset(
    {FailureKind.DNS, FailureKind.CONNECT, FailureKind.TLS, FailureKind.TIMEOUT, FailureKind.REFUSED_ADDRESS}
)


class SiteRules:
    """The rules of all sites that a run asks for pages (`core.model.PageRules`).

    `known`: rules read before; those that are not fresh at `now` are asked for anew. `shown` gives words as they may
    be stored and shown.
    """

    def __init__(
        self, known: Iterable[Robots], now: datetime, shown: Callable[[str], str] = lambda words: words
    ) -> None:
        self._now = now
        self._shown = shown
        self._known = {robots.origin: robots for robots in known if robots.is_fresh(now)}
        self._out_of_reach: dict[str, Failure] = {}  # sites, for this run
        self._learned: dict[str, Robots] = {}

    @property
    def learned(self) -> tuple[Robots, ...]:
        """What was asked for, to be kept, by origin."""
        return tuple(self._learned[origin] for origin in sorted(self._learned))

    def unread(self, url: Url) -> Url | None:
        """See `PageRules`."""
        origin = self._shown(origin_of(url))
        known = origin in self._known or origin in self._out_of_reach
        return None if known else robots_address(origin_of(url))

    def learn(self, address: Url, reply: FetchReply) -> None:
        """See `PageRules`."""
        origin = self._shown(origin_of(address))
        if reply.failure is not None and reply.failure.kind in _NOT_REACHED:
            self._out_of_reach[origin] = reply.failure
            return
        robots = read_robots(origin, reply, self._now)
        trouble = None if robots.trouble is None else self._shown(robots.trouble)
        self._known[origin] = self._learned[origin] = replace(robots, trouble=trouble)

    def objection(self, url: Url) -> Failure | None:
        """See `PageRules`."""
        origin = self._shown(origin_of(url))
        return self._out_of_reach.get(origin) or objection(self._known[origin], url)


def read_robots(origin: str, reply: FetchReply, now: datetime, params: RobotsParams = DEFAULT_PARAMS) -> Robots:
    """What a reply to a request for robots.txt means, by RFC 9309: no such file allows all, no answer nothing."""
    if reply.outcome is FetchOutcome.BODY:
        text = decode(reply.body[: 4 * params.max_chars], reply.content_type).text
        return Robots(origin, text[: params.max_chars].replace("\x00", ""), now)
    empty = reply.failure is not None and reply.failure.kind is FailureKind.EMPTY
    status = reply.status or 0
    missing = 400 <= status < 500 and status != HTTPStatus.TOO_MANY_REQUESTS
    if empty or missing:
        return Robots(origin, "", now)
    return Robots(origin, None, now, None if reply.failure is None else reply.failure.message)


def objection(robots: Robots, url: str) -> Failure | None:
    """Why `url` may not be asked for; None if it may."""
    host = urlsplit(robots.origin).hostname or robots.origin
    if robots.rules is None:
        why = "" if robots.trouble is None else f": {robots.trouble}"
        return Failure(FailureKind.ROBOTS, f"{host} gave no robots.txt, so its pages are not asked for now{why}")
    if not _parsed(robots.rules).can_fetch(url, AGENT):
        return Failure(FailureKind.ROBOTS, f"the robots.txt of {host} asks us to leave this page alone")
    return None


@lru_cache(maxsize=256)
def _parsed(rules: str) -> Protego:
    return Protego.parse(rules)
