"""How long what is kept: spans as settings, and from them the instants before which something may go."""

from dataclasses import dataclass
from datetime import datetime, timedelta

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Retention:
    """How long each kind of data is kept; None: for good. The first six are settings; the others are our own choice.

    Texts and items are let go in strides of a share of their span, since each stride settles what was decided
    before it: the fewer, the more of the conclusions `rebuild` can make again.
    """

    html: timedelta | None = 30 * DAY  # the largest part of an item, and only for show
    texts: timedelta | None = 90 * DAY  # what copies are found by, which lie 30 days apart at most
    items: timedelta | None = 400 * DAY  # so that the same event a year ago can be looked up
    hours: timedelta | None = 90 * DAY  # heat by the hour in the table; commands compute it anew from the items
    fetches: timedelta | None = 30 * DAY  # one row a poll: what outgrows the items first
    runs: timedelta | None = 90 * DAY
    stride: int = 3  # parts of a span that make a stride
    proof: timedelta = 7 * DAY  # runs must reach so far back: a clock that has jumped empties nothing
    most_items: int = 20_000  # let go in one run
    most_rows: int = 100_000  # of a log, in one run


def day_of(now: datetime) -> datetime:
    """The midnight (UTC) that begins the day: what goes on a day does not depend on the hour of the run."""
    return now.replace(hour=0, minute=0, second=0)


def before(now: datetime, keep: timedelta | None) -> datetime | None:
    """The instant before which something is older than it is kept; None: it is kept for good."""
    return None if keep is None else day_of(now) - keep


def stride_is_due(oldest: datetime | None, now: datetime, keep: timedelta | None, params: Retention) -> bool:
    """Whether the oldest of what is kept in strides is a whole stride past its span."""
    end = before(now, keep)
    return end is not None and keep is not None and oldest is not None and oldest < end - keep / params.stride
