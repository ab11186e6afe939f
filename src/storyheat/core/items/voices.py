"""Who speaks: the voice behind an item, for counting."""

from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from storyheat.core.addresses.urls import canonical_url, host_of
from storyheat.core.model import Source, Url, Voice

_NOBODY = frozenset({"deleted", "removed"})  # what communities put in the place of an author who left


def publisher_index(sources: Iterable[Source]) -> dict[str, str]:
    """The owners of the publications we follow, by host of their site and by folded name.

    With it a publisher that an aggregator names is the same voice as its own feed. A host or name that
    several owners share (a blog platform) names nobody; aggregators and communities publish nothing.
    """
    owners: dict[str, set[str]] = {}
    for source in sources:
        if not (source.aggregator or source.community):
            for key in (host_of(source.site), _spaced(source.name).casefold()):
                owners.setdefault(key or "", set()).add(source.owner)
    return {key: min(names) for key, names in sorted(owners.items()) if key and len(names) == 1}


def voice_of(
    source: Source,
    author: str | None,
    publisher: str | None,
    publisher_url: Url | None,
    publishers: Mapping[str, str],
    link: Url | None = None,
) -> Voice:
    """The voice of an item of `source`: the owner; in a community the author; in an aggregator the publisher.

    `publishers` is a `publisher_index`. Where no publisher is named, the host that `link` leads to is the
    publisher, unless it is the aggregator's own: then the item counts as in any other source. An unsigned post
    speaks for the owner of its source: any number of them are one voice, so that what we do not know adds no heat.
    """
    if source.aggregator:
        host, name = _foreign_host(source, canonical_url(publisher_url)), _spaced(publisher)
        if not host and publisher_url and not urlsplit(publisher_url).path.strip("/"):
            name = ""  # the aggregator names itself, and has published nothing
        if not (host or name):
            host = _foreign_host(source, link)
        known = publishers.get(host) or publishers.get(name.casefold())
        if known or name or host:
            return Voice(known or name or host)
    name = _spaced(author).removeprefix("/").removeprefix("u/")
    if source.community and name and name.strip("[]").lower() not in _NOBODY:
        return Voice(f"{source.id}/{name}")
    return Voice(source.owner)


def _foreign_host(source: Source, link: str | None) -> str:
    """The host of a link that leaves the aggregator; "" where it does not."""
    host = host_of(link) or ""
    own = {host_of(source.site), *(host_of(feed.url) for feed in source.feeds)} - {None}
    return "" if any(host == site or host.endswith(f".{site}") for site in own) else host


def _spaced(name: str | None) -> str:
    """A name with single spaces, none around it; empty for none."""
    return " ".join((name or "").split())
