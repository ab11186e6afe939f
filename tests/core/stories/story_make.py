"""Stories, rules and watches for the tests of heat, in few words."""

from datetime import UTC, datetime, timedelta

from storyheat.core.feeds.watch import FeedWatch, Watch, reach
from storyheat.core.heat.evidence import Evidence, Exclusion, StoryItem, gather
from storyheat.core.heat.standing import Watches
from storyheat.core.model import ItemId, Role, SourceId, Voice

NOON = datetime(2026, 11, 10, 12, 0, tzinfo=UTC)
TEN_MINUTES = reach(timedelta(minutes=10))
LONG_AGO = NOON - timedelta(days=400)


def hours(number: float) -> timedelta:
    """A span of hours, in whole seconds."""
    return timedelta(seconds=round(number * 3600))


def report(
    voice: str,
    at: datetime,
    *,
    item: str | None = None,
    source: str | None = None,
    weight: float = 1.0,
    role: Role = Role.REPORT,
    excluded: Exclusion | None = None,
) -> StoryItem:
    """An item of a voice; by default a report of weight 1 in the source of the voice's name, lower case."""
    return StoryItem(
        item=ItemId(item or f"{voice}{at:%m%dT%H%M%S}"),
        source=SourceId(source or voice.lower()),
        voice=Voice(voice),
        role=role,
        effective_at=at,
        weight=weight,
        excluded=excluded,
    )


def aged(*ages: float) -> Evidence:
    """A story of one report per voice, which are that many hours old at noon."""
    return gather(report(f"V{number}", NOON - hours(age)) for number, age in enumerate(ages))


def polled(first: datetime, last: datetime, *holes: tuple[datetime, datetime]) -> Watch:
    """A source of one feed, polled every ten minutes from `first` to `last`."""
    return Watch((FeedWatch(first, last, TEN_MINUTES, holes),))


def all_watched(*sources: str, until: datetime = NOON) -> Watches:
    """Sources that have been watched without a break for more than a year."""
    return {SourceId(source): polled(LONG_AGO, until) for source in sources}
