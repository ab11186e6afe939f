"""What is remembered of an item that was let go, so that it is not new when it comes back: numbers, not words."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from storyheat.core.items.faces import face_key, face_of, is_dated, is_lasting
from storyheat.core.items.identity import Claim, entry_id
from storyheat.core.model import SourceId, Url


@dataclass(frozen=True, slots=True)
class Left:
    """An entry of an item that goes: the address and source of its feed, and what it was recognised by."""

    feed_url: Url
    source: SourceId
    entry_key: str
    guid: str | None
    link_key: str | None
    title: str
    claimed_at: datetime | None


def keys_of_claim(claim: Claim, feed_url: Url, source: SourceId) -> frozenset[int]:
    """The keys by which a claim may mean an item that was let go.

    A guid that may be used again for another article counts where there is no address, and with the old title or
    date: as it does between two polls.
    """
    keys = {address_key(claim.identity)}
    if claim.link_key is None:
        keys.add(entry_id(feed_url, source, claim.entry_key))
    entry = claim.entry
    at = entry.published.at if entry.published else None
    words = list(_of_guid(claim.guid, entry.title or "", at))
    if claim.guid is not None and is_lasting(claim.guid):
        words.append(f"guid {claim.guid}")
    if is_dated(entry) and (face := face_of(entry, claim.link_key)) is not None:
        words.append(f"face {face}")
    return frozenset(keys | {entry_id(feed_url, source, each) for each in words})


def keys_left(addresses: Iterable[str], entries: Iterable[Left]) -> frozenset[int]:
    """The keys of an item that goes. `addresses`: its identity and all folded addresses it was known by."""
    keys = {address_key(address) for address in addresses}
    for left in entries:
        words = [left.entry_key, *_of_guid(left.guid, left.title, left.claimed_at)]
        if left.guid is not None:
            words.append(f"guid {left.guid}")
        if left.claimed_at and (face := face_key(left.link_key, left.title, left.claimed_at)) is not None:
            words.append(f"face {face}")
        keys.update(entry_id(left.feed_url, left.source, each) for each in words)
    return frozenset(keys)


def _of_guid(guid: str | None, title: str, at: datetime | None) -> Iterator[str]:
    """What a guid that may be used again says with the title or the date of its entry."""
    if guid is not None and not is_lasting(guid):
        if title:
            yield f"guid {guid} title {title}"
        if at is not None:
            yield f"guid {guid} at {at.isoformat()}"


def address_key(address: str) -> int:
    """The key of a folded address, wherever it turns up: a positive 63-bit number."""
    return int.from_bytes(hashlib.sha256(f"address {address}".encode()).digest()[:8], "big") >> 1
