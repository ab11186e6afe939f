"""What a listing says beside the one before it: how well a feed is watched, and whether its dates can be believed."""

from collections.abc import Collection
from datetime import datetime, timedelta

from storyheat.core.feeds.polling import FeedState, PollParams
from storyheat.core.feeds.rhythm import hurried_wait


def hole_before(feed: FeedState, listing: Collection[int]) -> datetime | None:
    """Where the hole begins that this listing leaves: entries may have come and gone since that success.

    An empty listing proves nothing either way and is passed over.
    """
    if not listing or not feed.listing or not set(listing).isdisjoint(feed.listing):
        return None
    return feed.last_success_at


def hurry_after(feed: FeedState, listing: Collection[int], now: datetime, params: PollParams) -> timedelta | None:
    """The feed's `hurry` after a poll that found this listing; an empty one proves nothing."""
    if not listing or not feed.listing or feed.last_success_at is None or feed.last_success_at >= now:
        return feed.hurry
    left = len(set(listing).intersection(feed.listing)) / len(feed.listing)
    hurry = hurried_wait(feed.hurry, now - feed.last_success_at, left, params.rhythm)
    if hurry is None or hurry >= params.max_interval:
        return None
    return timedelta(seconds=int(max(hurry, params.min_interval).total_seconds()))


def strikes_after(feed: FeedState, dated: int, restamped: int, params: PollParams) -> int:
    """Counts a poll that moved the dates of most known entries; a quiet poll takes one back.

    `dated`: known entries with a date then and now; `restamped`: those of them whose date is a later one.
    Whether an entry was edited too does not matter: scrapers put the age of an article in its title.
    """
    most = restamped * 2 > dated
    if dated == 0 or (most and restamped < params.restamp_entries):
        return feed.restamp_strikes
    if most:
        return min(feed.restamp_strikes + 1, params.max_strikes)
    return max(feed.restamp_strikes - 1, 0)


def stamped(dates: Collection[datetime], now: datetime, params: PollParams) -> bool:
    """Whether the dates of a feed's first document are the time it was made: all the same, and just now."""
    return (
        len(dates) >= params.stamp_entries
        and max(dates) - min(dates) <= params.stamp_span
        and abs(now - max(dates)) <= params.stamp_age
    )
