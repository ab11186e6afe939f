"""What heat is computed from: the items of stories with their voices, and what was watched of each source."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, bindparam, select

from storyheat.core.feeds.watch import FeedWatch, Watch, reach
from storyheat.core.heat.evidence import Evidence, Exclusion, StoryItem, gather
from storyheat.core.items.voices import publisher_index, voice_of
from storyheat.core.model import ItemId, Role, Source, SourceId, StoryId
from storyheat.store.conclusions import MembershipRow
from storyheat.store.facts import FeedRow, HoleRow, ItemRow
from storyheat.store.memberships import current_memberships
from storyheat.store.rows import SOME, rows_of, table

ITEM, FEED, HOLE, MEMBERSHIP = table(ItemRow), table(FeedRow), table(HoleRow), table(MembershipRow)

_COLUMNS = (  # without the records of decisions, which cost more to read than all else
    MEMBERSHIP.c.story_id,
    MEMBERSHIP.c.item_id,
    MEMBERSHIP.c.role,
    ITEM.c.source_id,
    ITEM.c.author,
    ITEM.c.publisher,
    ITEM.c.publisher_url,
    ITEM.c.url,
    ITEM.c.effective_at,
    ITEM.c.backlog,
    ITEM.c.withdrawn_at,
)
_MEMBERS = (
    current_memberships()
    .select_from(MEMBERSHIP.join(ITEM, ITEM.c.id == MEMBERSHIP.c.item_id))
    .with_only_columns(*_COLUMNS)
)
_OF_STORIES = _MEMBERS.where(MEMBERSHIP.c.story_id.in_(SOME))
_REPORTS_BETWEEN = _MEMBERS.where(
    MEMBERSHIP.c.role == Role.REPORT.value,
    ITEM.c.effective_at > bindparam("after"),
    ITEM.c.effective_at <= bindparam("upto"),
)
_HOLES = select(HOLE).order_by(HOLE.c.feed_id, HOLE.c.from_at)
_FEEDS = select(  # without what they list, which is most of a row
    FEED.c.id, FEED.c.source_id, FEED.c.first_success_at, FEED.c.last_success_at, FEED.c.interval_seconds,
    FEED.c.enabled, FEED.c.gone,
).order_by(FEED.c.id)  # fmt: skip


def evidence_of(
    connection: Connection,
    stories: Iterable[StoryId],
    sources: Mapping[SourceId, Source],
    publishers: Mapping[str, str] | None = None,
) -> dict[StoryId, Evidence]:
    """The evidence of each story, by its id; a story without items is left out.

    `publishers`: the `publisher_index` of the sources, where it is at hand.
    """
    return _gathered(rows_of(connection, _OF_STORIES, stories), sources, publishers)


def _gathered(
    rows: Iterable[Row[Any]], sources: Mapping[SourceId, Source], publishers: Mapping[str, str] | None
) -> dict[StoryId, Evidence]:
    if publishers is None:
        publishers = publisher_index(sources.values())
    found: dict[StoryId, list[StoryItem]] = defaultdict(list)
    for row in rows:
        found[StoryId(row.story_id)].append(_story_item(row, sources, publishers))
    return {story: gather(found[story]) for story in sorted(found)}


def _story_item(row: Row[Any], sources: Mapping[SourceId, Source], publishers: Mapping[str, str]) -> StoryItem:
    source = sources[SourceId(row.source_id)]
    excluded = None
    if row.withdrawn_at is not None:
        excluded = Exclusion.WITHDRAWN
    elif row.backlog:
        excluded = Exclusion.BACKLOG
    return StoryItem(
        item=ItemId(row.item_id),
        source=source.id,
        voice=voice_of(source, row.author, row.publisher, row.publisher_url, publishers, row.url),
        role=Role(row.role),
        effective_at=row.effective_at,
        weight=source.weight,
        excluded=excluded,
    )


def reports_between(
    connection: Connection,
    after: datetime,
    upto: datetime,
    sources: Mapping[SourceId, Source],
    publishers: Mapping[str, str] | None = None,
) -> dict[StoryId, Evidence]:
    """Of each story only the reports effective in (after, upto]: enough for its heat at `upto`.

    Found through the index on the effective time, so that it costs as much as happened in that span.
    """
    return _gathered(connection.execute(_REPORTS_BETWEEN, {"after": after, "upto": upto}), sources, publishers)


def watches(connection: Connection) -> dict[SourceId, Watch]:
    """What was watched of every source."""
    holes: dict[int, list[tuple[datetime, datetime]]] = defaultdict(list)
    for row in connection.execute(_HOLES):
        holes[row.feed_id].append((row.from_at, row.to_at))
    feeds: dict[SourceId, list[FeedWatch]] = defaultdict(list)
    for row in connection.execute(_FEEDS):
        feeds[SourceId(row.source_id)].append(
            FeedWatch(
                first_success=row.first_success_at,
                last_success=row.last_success_at,
                reach=reach(timedelta(seconds=row.interval_seconds)),
                holes=tuple(holes[row.id]),
                followed=row.enabled and not row.gone,
            )
        )
    return {source: Watch(tuple(own)) for source, own in feeds.items()}


def stories_with_reports_since(connection: Connection, since: datetime | None) -> list[StoryId]:
    """Stories with a report (of whatever standing) effective after an instant; None: all stories with one."""
    query = select(MEMBERSHIP.c.story_id).where(MEMBERSHIP.c.role == Role.REPORT.value)
    if since is not None:  # as a join, and with DISTINCT, SQLite reads all memberships instead of an index
        query = query.where(MEMBERSHIP.c.item_id.in_(select(ITEM.c.id).where(ITEM.c.effective_at > since)))
    return sorted({StoryId(row.story_id) for row in connection.execute(query)})
