"""Tells which settings take a value from the environment, and what of them may be neither stored nor shown."""

from collections.abc import Iterator

from storyheat.core.addresses.secrets import Secrets, secrets_in
from storyheat.core.model import SourceId
from storyheat.settings.document import Document, Place


def from_environment(document: Document) -> dict[SourceId, frozenset[str]]:
    """The keys of each source with `${NAME}` in their values, by id; its feeds' own keys are not among them.

    A key of `defaults` with one is in all of them.
    """
    shared = {str(place[1]) for place in document.filled if place[0] == "defaults"}
    found: dict[SourceId, frozenset[str]] = {}
    for number, identity in _ids(document):
        own = {str(place[2]) for place in document.filled if place[:2] == ("sources", number)}
        found[identity] = frozenset(shared | own - {"feeds"})
    return found


def secrets_of(document: Document) -> Secrets:
    """The secrets in the addresses of a document that was checked."""
    found = [
        secret
        for place in document.written
        if _is_address(place)
        for secret in secrets_in(str(document.value(place)), document.filled.get(place, ()))
    ]
    return Secrets(tuple(dict.fromkeys(found)))


def _is_address(place: Place) -> bool:
    """Whether an address stands there: of a feed, a site or the proxy."""
    if place[:1] == ("sources",):
        return place[2:] == ("site",) or (place[2:3] == ("feeds",) and place[4:] == ("url",))
    return place == ("network", "proxy")


def _ids(document: Document) -> Iterator[tuple[int, SourceId]]:
    listed = document.values.get("sources")
    for number, entry in enumerate(listed if isinstance(listed, list) else ()):
        yield number, SourceId(str(entry["id"]))
