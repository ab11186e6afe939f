"""Tells which settings of a source take a value from the environment, so that exports leave them out."""

from storyheat.core.model import SourceId
from storyheat.settings.document import Document


def from_environment(document: Document) -> dict[SourceId, frozenset[str]]:
    """The keys of each source with `${NAME}` in their values, by id; of a feed's address: `feeds 0` for the first.

    A key of `defaults` with one is in all of them.
    """
    ids: dict[int, SourceId] = {}
    listed = document.values.get("sources")
    for number, entry in enumerate(listed if isinstance(listed, list) else ()):
        ids[number] = SourceId(str(entry["id"]))
    shared = {str(place[1]) for place, text in document.written.items() if place[0:1] == ("defaults",) and "${" in text}
    found: dict[int, set[str]] = {number: set(shared) for number in ids}
    for place, text in document.written.items():
        if "${" in text and place[0] == "sources" and isinstance(place[1], int):
            key = str(place[2])
            found[place[1]].add(f"{key} {place[3]}" if key == "feeds" else key)
    return {ids[number]: frozenset(keys) for number, keys in found.items()}
