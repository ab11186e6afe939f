"""What is left to recognise an article by when its guid and the query of its address are new with every poll."""

import re
from datetime import datetime
from itertools import pairwise

from storyheat.core.addresses.trackers import may_name_article
from storyheat.core.model import Entry, Precision

_UUID = re.compile(r"[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}(?![0-9a-f])", re.IGNORECASE)
_LONG = re.compile(r"[0-9A-Za-z]{16,}")
_FOR_GOOD = ("tag:", "urn:", "yt:video:")
_TURNS = 4  # between digits and letters, at least, in a hash: "ArticleNumber00000000007" has one


def is_lasting(guid: str) -> bool:
    """Whether a guid names one article for good, as an address, a URN, a UUID or a hash does; a counter does not."""
    if "://" in guid or guid.startswith(_FOR_GOOD) or _UUID.search(guid):
        return True
    return any(_is_drawn(run) for run in _LONG.findall(guid))


def _is_drawn(run: str) -> bool:
    """Whether a run of letters and digits was drawn from so many that it does not come up again."""
    if run.isdigit():
        return run[0] != "0" and len(run) >= 17  # the time and a machine, as in numbers of posts
    return sum(one.isdigit() != two.isdigit() for one, two in pairwise(run)) >= _TURNS


def face_key(link_key: str | None, title: str, at: datetime | None) -> str | None:
    """A text that is equal for two looks of one article at most: its place, title and date. None: they say too little.

    The place is the folded address without what in its query names no article. Without an address only a dated
    entry has a face, without a title none.
    """
    if not title or (link_key is None and at is None):
        return None
    return f"{place_of(link_key)}\n{title}\n{at.isoformat() if at else ''}"


def face_of(entry: Entry, link_key: str | None) -> str | None:
    """The face of an entry as its feed shows it."""
    return face_key(link_key, entry.title or "", entry.published.at if entry.published else None)


def is_dated(entry: Entry) -> bool:
    """Whether an entry has a time of day, which two articles of one title hardly share."""
    return entry.published is not None and entry.published.precision is Precision.TIME


def place_of(link_key: str | None) -> str:
    """A folded address without the parameters that name no article."""
    path, _, query = (link_key or "").partition("?")
    naming = [pair for pair in query.split("&") if may_name_article(pair.partition("=")[0])]
    return f"{path}?{'&'.join(naming)}"
