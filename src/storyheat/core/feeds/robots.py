"""The rules that a site has for programs (robots.txt): where they stand, and how long they are believed."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit, urlunsplit

from storyheat.core.model import Url


@dataclass(frozen=True, slots=True)
class RobotsParams:
    """How long rules are believed, and how much of them is read."""

    keep: timedelta = timedelta(hours=24)  # RFC 9309, section 2.4
    keep_unreachable: timedelta = timedelta(hours=1)  # until a site that could not be asked is asked again
    max_chars: int = 512_000  # RFC 9309, section 2.5, wants at least 500 KiB


DEFAULT_PARAMS = RobotsParams()


@dataclass(frozen=True, slots=True)
class Robots:
    """What the robots.txt of an origin said. `rules` is its text; None: it could not be read, so nothing may be asked.

    `trouble` says in words why it could not be read.
    """

    origin: str  # scheme, host and port
    rules: str | None
    fetched_at: datetime
    trouble: str | None = None

    def is_fresh(self, now: datetime, params: RobotsParams = DEFAULT_PARAMS) -> bool:
        """Whether it need not be asked for again. A time ahead of `now` comes from a clock that ran wrong."""
        keep = params.keep_unreachable if self.rules is None else params.keep
        return self.fetched_at <= now < self.fetched_at + keep


def origin_of(url: str) -> str:
    """Scheme, host and port of an address, without user and password."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme.lower(), parts.netloc.rpartition("@")[2].lower(), "", "", ""))


def robots_address(origin: str) -> Url:
    """Where the rules of an origin stand."""
    return Url(f"{origin}/robots.txt")
