"""Finds out what is at an address that someone wants to follow: a feed, or a page that names feeds."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from storyheat.core.addresses.secrets import Secrets
from storyheat.core.addresses.urls import feed_address, without_login
from storyheat.core.model import FailureKind, FetchReply, FetchRequest, ParsedFeed, Url
from storyheat.errors import Ambiguous, DocumentError, WorkError
from storyheat.ingest.document import parse_document
from storyheat.ingest.page import page_text
from storyheat.ingest.page_feeds import FoundFeed, discover
from storyheat.ports import Fetcher


@dataclass(frozen=True, slots=True)
class LookupParams:
    """How far a look goes."""

    max_tried: int = 5  # feeds of a page that are fetched; of one host each waits for the one before


DEFAULT_PARAMS = LookupParams()

_COMMENTS = re.compile(r"\bcomments?\b|\bkommentare\b|评论", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundSource:
    """A feed that was fetched and read: where it is to be asked from now on, and what it says of itself."""

    address: Url
    feed: ParsedFeed
    site: Url | None  # its own alternate link, else the page that named it


def look_up(
    address: Url,
    fetcher: Fetcher,
    now: datetime,
    secrets: Secrets,
    *,
    take_first: bool = False,
    params: LookupParams = DEFAULT_PARAMS,
) -> FoundSource:
    """The feed at `address`, or the one feed that the page there names.

    A feed of comments counts only if there is no other; of feeds that list the same articles (RSS and Atom of one
    site) the first counts. Where several are left, `take_first` takes the first that the page names. Raises
    Ambiguous, which lists them, without it; WorkError where nothing can be followed, with the reason. What is told or
    found holds none of the `secrets`, but the address itself.
    """
    [reply] = _fetched([address], fetcher, now)
    shown = secrets.shown(address)
    if reply.failure is not None:
        raise WorkError(f"{shown}: {secrets.in_words(reply.failure.message)}")
    try:
        return FoundSource(_lasting(reply, address), feed := _parsed(reply, secrets), feed.site)
    except DocumentError as error:
        if error.kind != FailureKind.HTML:
            raise WorkError(f"{shown}: {secrets.in_words(error.message)}") from error
    named = [
        replace(each, url=Url(without_login(each.url)))  # what a page writes there is no login of the operator's
        for each in discover(page_text(reply.body, reply.content_type), reply.final_url)
    ]
    named = [each for each in named if not _is_of_comments(each)] or named
    if not named:
        raise WorkError(
            f"{shown}: the page names no feed; if it has a list of articles, "
            'add it to feeds.yaml by hand with "kind: html" and "select"'
        )
    if len(named) > params.max_tried and not take_first:
        raise _several(shown, named, secrets)
    found = _read(named[: params.max_tried], fetcher, now, reply.final_url, secrets)
    if not found:
        addresses = ", ".join(secrets.shown(each.url) for each in named[: params.max_tried])
        raise WorkError(f"{shown}: none of the feeds that the page names can be read ({addresses})")
    if len(found) > 1 and not take_first:
        raise _several(shown, [one for one, _ in found], secrets)
    return found[0][1]


def _read(
    named: Sequence[FoundFeed], fetcher: Fetcher, now: datetime, page: Url, secrets: Secrets
) -> list[tuple[FoundFeed, FoundSource]]:
    """Those that are feeds, in order, without a second feed of the same articles."""
    found: list[tuple[FoundFeed, FoundSource]] = []
    listed: set[frozenset[str]] = set()
    for one, reply in zip(named, _fetched([each.url for each in named], fetcher, now), strict=True):
        if reply.failure is not None:
            continue
        try:
            feed = _parsed(reply, secrets)
        except DocumentError:
            continue
        links = frozenset(str(entry.canonical) for entry in feed.entries if entry.canonical)
        if links and links in listed:
            continue
        listed.add(links)
        found.append((one, FoundSource(_lasting(reply, one.url), feed, feed.site or secrets.in_site(page))))
    return found


def _fetched(addresses: Sequence[Url], fetcher: Fetcher, now: datetime) -> list[FetchReply]:
    """The replies in the order of the addresses."""
    replies: dict[int, FetchReply] = {}

    def note(reply: FetchReply) -> None:
        replies[reply.key] = reply

    fetcher.fetch([FetchRequest(number, address) for number, address in enumerate(addresses)], now, note)
    return [replies[number] for number in range(len(addresses))]


def _parsed(reply: FetchReply, secrets: Secrets) -> ParsedFeed:
    return secrets.in_document(parse_document(reply.body, url=reply.final_url, content_type=reply.content_type))


def _lasting(reply: FetchReply, asked: Url) -> Url:
    """The address to ask from now on: where the server says the feed has moved for good."""
    return Url(feed_address(reply.moved_to) or asked)


def _is_of_comments(feed: FoundFeed) -> bool:
    return _COMMENTS.search(f"{feed.title} {feed.url}") is not None


def _several(shown: str, named: Sequence[FoundFeed], secrets: Secrets) -> Ambiguous:
    listed = "; ".join(f"{secrets.shown(each.url)} ({each.title or 'without a title'})" for each in named)
    return Ambiguous(
        f"{shown} names {len(named)} feeds: {listed}; add the one you want by its address, or the first with --yes"
    )
