"""Measured heat in the database: which stories need measuring, and their figures and hours."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, insert, select, union

from storyheat.core.heat.figures import Figures
from storyheat.core.heat.series import Hour
from storyheat.core.model import StoryId
from storyheat.store.conclusions import HeatRow, MeasureRow, MembershipRow, WatchedRow
from storyheat.store.facts import FeedRow, RevisionRow
from storyheat.store.rows import batches, table

MEASURE, HEAT, WATCHED = table(MeasureRow), table(HeatRow), table(WatchedRow)
MEMBERSHIP, REVISION, FEED = table(MembershipRow), table(RevisionRow), table(FeedRow)


def stories_changed_since(connection: Connection, since: datetime) -> set[StoryId]:
    """Stories with decisions made, or items revised, after an instant."""
    decided = select(MEMBERSHIP.c.story_id).where(MEMBERSHIP.c.decided_at > since)
    revised = (
        select(MEMBERSHIP.c.story_id)
        .join(REVISION, REVISION.c.item_id == MEMBERSHIP.c.item_id)
        .where(REVISION.c.decided_at > since)
    )
    return {StoryId(row.story_id) for row in connection.execute(union(decided, revised))}


def oldest_news_of_watching(connection: Connection) -> datetime | None:
    """The earliest instant about which the feeds' successes since the last measuring say something new.

    None: nothing new. A feed's first success says nothing about stories measured before it.
    """
    query = (
        select(WATCHED.c.last_success_at)
        .join(FEED, FEED.c.id == WATCHED.c.feed_id)
        .where(FEED.c.last_success_at > WATCHED.c.last_success_at)
        .order_by(WATCHED.c.last_success_at)
        .limit(1)
    )
    return connection.execute(query).scalar()


def note_watched(connection: Connection) -> None:
    """Notes that the stored heat knows all successes so far."""
    connection.execute(delete(WATCHED))
    known = select(FEED.c.id, FEED.c.last_success_at).where(FEED.c.last_success_at.is_not(None))
    connection.execute(insert(WATCHED).from_select(["feed_id", "last_success_at"], known))


def write_figures(
    connection: Connection, figures: Sequence[Figures], at: datetime, stories: Collection[StoryId] | None = None
) -> None:
    """Replaces the figures of hot stories: `figures` holds those of `stories` (None: of all) with heat at `at`."""
    if stories is None:
        connection.execute(delete(MEASURE))
    for batch in batches(sorted(stories or ())):
        connection.execute(delete(MEASURE).where(MEASURE.c.story_id.in_(batch)))
    rows = [
        {
            "story_id": one.story,
            "measured_at": at,
            "first_at": one.first_at,
            "last_at": one.last_at,
            "voices": one.voices,
            "reports": one.reports,
            "mentions": one.mentions,
            "copies": one.copies,
            "heat": one.trend.current,
            "peak": one.trend.peak.value,
            "peak_at": one.trend.peak.at,
            "peak_standing": one.trend.peak.standing.value,
            "change_points": one.trend.change.points,
            "change_percent": one.trend.change.percent,
            "change_standing": one.trend.change.standing.value,
        }
        for one in figures
    ]
    if rows:
        connection.execute(insert(MEASURE), rows)


def write_hours(connection: Connection, hours: Mapping[StoryId, Iterable[Hour]], since: datetime | None = None) -> None:
    """Replaces the hourly rows of the given stories from `since` on (None: all).

    Equal rows are left alone; a story without hours has none.
    """
    for batch in batches(sorted(hours)):
        query = select(HEAT).where(HEAT.c.story_id.in_(batch))
        if since is not None:
            query = query.where(HEAT.c.at >= since)
        stored = {(row.story_id, row.at): row for row in connection.execute(query)}
        wanted = {(str(story), hour.at): _hour(story, hour) for story in batch for hour in hours[story]}
        changed = {
            key: values
            for key, values in wanted.items()
            if key not in stored or tuple(stored[key]) != tuple(values.values())
        }
        stale = [key for key in stored if key not in wanted or key in changed]
        if stale:
            pair = (HEAT.c.story_id == bindparam("of_story"), HEAT.c.at == bindparam("of_hour"))
            connection.execute(delete(HEAT).where(*pair), [{"of_story": s, "of_hour": at} for s, at in stale])
        if changed:
            connection.execute(insert(HEAT), list(changed.values()))


def _hour(story: StoryId, hour: Hour) -> dict[str, object]:
    return {
        "story_id": story,
        "at": hour.at,
        "heat": hour.heat,
        "voices": hour.voices,
        "new_reports": hour.new_reports,
        "standing": hour.standing.value,
    }
