"""The nouns of storyheat as frozen values; the words are those of the mission.

All instants are aware datetimes in UTC with whole seconds. `None` means unknown, never "none".
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import NewType, Protocol

SourceId = NewType("SourceId", str)
ItemId = NewType("ItemId", str)
StoryId = NewType("StoryId", str)
Voice = NewType("Voice", str)
Url = NewType("Url", str)


class Level(StrEnum):
    """Who speaks: the subject itself, a publication, or a person or community."""

    FIRST_PARTY = "first_party"
    PRESS = "press"
    DISCUSSION = "discussion"


class Role(StrEnum):
    """What an item is in a story: about it, touching it, or another item's text again."""

    REPORT = "report"
    MENTION = "mention"
    COPY = "copy"


class Standing(StrEnum):
    """What we know about the heat of an instant."""

    OBSERVED = "observed"
    PARTIAL = "partial"
    REBUILT = "rebuilt"
    UNKNOWN = "unknown"


class ChangeStanding(StrEnum):
    """What we know about a 24-hour change."""

    OK = "ok"
    YOUNG = "young"
    UNOBSERVED = "unobserved"
    ZERO = "zero"


class Precision(StrEnum):
    """How exact a published time is: to the second, or a bare day."""

    TIME = "time"
    DAY = "day"


class FailureKind(StrEnum):
    """Why a feed gave nothing usable this time. The words shown stand in `Failure.message`."""

    DNS = "dns"  # the host name does not resolve
    CONNECT = "connect"  # no connection, or it broke
    TLS = "tls"  # certificate or handshake
    TIMEOUT = "timeout"  # to connect, between bytes, or in all
    TOO_LARGE = "too_large"  # over the byte cap, decompressed
    TRUNCATED = "truncated"  # the reply ended before its announced length
    ENCODING = "encoding"  # a content encoding we did not offer or cannot read
    REDIRECT = "redirect"  # too many hops, or a loop
    REFUSED_ADDRESS = "refused_address"  # scheme or address that we never ask
    STATUS = "status"  # any other HTTP status that is not a success
    GONE = "gone"  # 410
    RATE_LIMITED = "rate_limited"  # 429
    FORBIDDEN = "forbidden"  # 401, 403
    EMPTY = "empty"  # success without a body
    HTML = "html"  # a web page where a feed should be
    CHALLENGE = "challenge"  # a page that asks for a browser or a human
    NOT_A_FEED = "not_a_feed"  # neither feed nor page
    SELECTORS = "selectors"  # an index page in which the selectors find nothing
    ROBOTS = "robots"  # the site's robots.txt forbids it, or cannot be read


@dataclass(frozen=True, slots=True)
class Failure:
    """One failure of one feed, in words a person understands."""

    kind: FailureKind
    message: str


# -- what is followed ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Selectors:
    """CSS selectors (and two regular expressions) that make a feed of an HTML index page."""

    item: str
    link: str | None = None
    title: str | None = None
    date: str | None = None
    summary: str | None = None
    date_regex: str | None = None
    href_date_regex: str | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """An address of a source that is fetched. `kind` is `auto` or `html`."""

    url: Url  # as it may be stored and shown: without a login, `${NAME}` where a secret stands
    kind: str = "auto"
    select: Selectors | None = None
    fulltext: bool = False
    secret_url: Url | None = None  # as it is asked, where that may not be shown


@dataclass(frozen=True, slots=True)
class Source:
    """A publication or person we follow. Sources of one `owner` are one voice."""

    id: SourceId
    name: str
    owner: str
    feeds: tuple[Feed, ...]
    site: Url | None = None  # None: the feed's own alternate link, else the feed's host
    enabled: bool = True
    level: Level = Level.PRESS
    digest: bool = False
    community: bool = False
    aggregator: bool = False
    language: str | None = None  # BCP 47
    timezone: str | None = None  # IANA; for dates without a zone
    topics: tuple[str, ...] = ()
    speaks_for: tuple[str, ...] = ()  # names besides its own and its owner's: products, projects
    weight: float = 1.0
    poll_interval: timedelta | None = None  # None: the default of the settings

    def feed(self, url: Url) -> Feed | None:
        """The configured feed of this address, if it has one."""
        return next((feed for feed in self.feeds if feed.url == url), None)


# -- what a document says -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Published:
    """A publication time as claimed: an instant, or the local midnight of a bare day.

    `zone_known` is False when neither the text nor the source gave a zone and UTC was taken.
    `day_end` is the last second of the bare day in the zone used, in UTC; None for an exact time.
    `relative`: counted back from the fetch ("3 hours ago"), so exact to its unit only and different each time.
    """

    at: datetime
    precision: Precision = Precision.TIME
    zone_known: bool = True
    day_end: datetime | None = None
    relative: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """One element of a feed as published, cleaned but not yet identified.

    `link` is as published, resolved to an absolute address (None where that is impossible);
    `canonical` is the address it stands for. `title` and `summary` are plain text.
    """

    guid: str | None
    title: str | None
    link: Url | None
    canonical: Url | None
    published: Published | None
    updated: Published | None
    summary: str  # plain text, may be empty
    text: str  # plain text of the whole content where the feed gives it, else ""
    html: str  # the richest content, sanitised; may be empty
    author: str | None
    publisher: str | None  # original publisher named by an aggregator
    publisher_url: Url | None
    language: str | None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ParsedFeed:
    """What we make of one document. Entries stand in document order."""

    format: str  # rss091u … rss20, atom10, rdf (rss10/rss090), json1, json11, html
    title: str | None
    site: Url | None  # the feed's own alternate link
    language: str | None
    entries: tuple[Entry, ...]
    remarks: tuple[str, ...] = ()
    poll_hint: timedelta | None = None  # ttl, sy:updatePeriod …: the rhythm the feed asks for
    skip_hours: frozenset[int] = field(default_factory=frozenset)  # UTC hours not to poll in
    skip_days: frozenset[int] = field(default_factory=frozenset)  # weekdays, Monday = 0


# -- what a request brings ----------------------------------------------------------------------


class FetchOutcome(StrEnum):
    """How one request ended."""

    BODY = "body"  # a success with a body
    NOT_MODIFIED = "not_modified"
    FAILED = "failed"
    NOT_ASKED = "not_asked"  # its host asked, in this very run, to be left alone; `failure` says so in words


class PageRules(Protocol):
    """What sites let programs ask for (robots.txt), for requests of pages that are meant for readers."""

    def unread(self, url: Url) -> Url | None:
        """Where the rules for `url` stand, if they must be asked for first."""
        ...

    def learn(self, address: Url, reply: "FetchReply") -> None:
        """Takes in the reply for rules that stand at `address`."""
        ...

    def objection(self, url: Url) -> Failure | None:
        """Why `url` may not be asked for; None if it may. Its rules have been read."""
        ...


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """One conditional request. `key` comes back in the reply and means nothing to the fetcher.

    `rules` are obeyed at every hop, and asked for where they must be; None: a feed, which is for programs.
    """

    key: int
    url: Url
    etag: str | None = None
    last_modified: str | None = None
    rules: PageRules | None = None


@dataclass(frozen=True, slots=True)
class FetchReply:
    """What came of one request, after redirects."""

    key: int
    outcome: FetchOutcome
    final_url: Url
    status: int | None = None
    content_type: str | None = None
    body: bytes = b""
    etag: str | None = None  # as sent by the server, byte for byte; None: none came
    last_modified: str | None = None
    moved_to: Url | None = None  # target of the leading permanent redirects, if any
    fresh_for: timedelta | None = None  # max-age minus Age, or Expires: do not ask before
    retry_after: timedelta | None = None  # on 429, 503 and the like; how long the host wants to be left alone
    failure: Failure | None = None
    seconds: float = 0.0  # measured; kept out of every digest
