"""What is remembered of an item that was let go, so that it is not new when it comes back: numbers, not words."""

import hashlib
from collections.abc import Iterable

from storyheat.core.identity import Claim, entry_id, is_lasting
from storyheat.core.model import SourceId, Url


def keys_of_claim(claim: Claim, feed_url: Url, source: SourceId) -> frozenset[int]:
    """The keys by which a claim may mean an item that was let go.

    A guid that may be used again for another article counts only where there is no address: what is left of the
    old article does not tell whether this is another one.
    """
    keys = {address_key(claim.identity)}
    if claim.link_key is None:
        keys.add(entry_id(feed_url, source, claim.entry_key))
    if claim.guid is not None and is_lasting(claim.guid):
        keys.add(guid_key(claim.guid, feed_url, source))
    return frozenset(keys)


def keys_left(addresses: Iterable[str], entries: Iterable[tuple[Url, SourceId, str, str | None]]) -> frozenset[int]:
    """The keys of an item that goes.

    `addresses`: its identity and all folded addresses it was known by; `entries`: address and source of the feed,
    key and guid of each entry it had.
    """
    keys = {address_key(address) for address in addresses}
    for feed_url, source, entry_key, guid in entries:
        keys.add(entry_id(feed_url, source, entry_key))
        if guid is not None:
            keys.add(guid_key(guid, feed_url, source))
    return frozenset(keys)


def guid_key(guid: str, feed_url: Url, source: SourceId) -> int:
    """The key of a guid in its feed."""
    return entry_id(feed_url, source, f"guid {guid}")


def address_key(address: str) -> int:
    """The key of a folded address, wherever it turns up: a positive 63-bit number."""
    return int.from_bytes(hashlib.sha256(f"address {address}".encode()).digest()[:8], "big") >> 1
