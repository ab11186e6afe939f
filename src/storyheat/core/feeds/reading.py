"""By which settings the documents of a feed are read: when one changes, a document that is held must be read anew."""

from hashlib import sha256

from storyheat.core.model import Feed, Source

_LETTERS = 16  # of the fingerprint: 64 bits


def reading_of(source: Source, feed: Feed, max_entries: int) -> str:
    """A fingerprint of the settings that decide what is made of this feed's documents.

    `max_entries`: those of one document that are read.
    """
    decisive = (feed.kind, feed.select, source.timezone, source.aggregator, max_entries)
    return sha256(repr(decisive).encode()).hexdigest()[:_LETTERS]
