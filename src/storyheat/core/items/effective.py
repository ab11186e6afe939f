"""The effective time of an item: the time that its order and its heat are reckoned from."""

from datetime import datetime
from typing import NamedTuple

from storyheat.core.model import Precision, Published


class Effective(NamedTuple):
    """An effective time, whether the source dated the item, and why this time."""

    at: datetime
    dated: bool
    because: str


def effective_time(published: Published | None, first_seen: datetime) -> Effective:
    """Decides the effective time from a claim and the instant we first saw the item (both UTC).

    An exact claim holds if it is not after first seen; a bare day counts from its end, or from first seen
    if that is earlier; without a claim, first seen is taken.
    """
    if published is None:
        return Effective(first_seen, False, "no believable date was published, so the time we first saw it")
    if published.precision is Precision.DAY and published.day_end is not None:
        if published.day_end <= first_seen:
            return Effective(published.day_end, True, "only a day was published, so the end of that day")
        if published.at <= first_seen:
            return Effective(first_seen, True, "only a day was published and it had not ended when we first saw it")
    elif published.at <= first_seen:
        zone = "" if published.zone_known else ", read as UTC because no zone was given"
        return Effective(published.at, True, f"the published time{zone}")
    return Effective(first_seen, True, "the published time lay in the future, so the time we first saw it")
