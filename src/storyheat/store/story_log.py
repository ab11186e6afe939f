"""What was ever decided about a story or an item, and all corrections by hand, as the logs have it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select

from storyheat.core.corrections.rules import Correction, order_from
from storyheat.core.heat.evidence import Exclusion, StoryItem
from storyheat.core.items.voices import voice_of
from storyheat.core.model import ItemId, Role, Source, SourceId, StoryId
from storyheat.store.conclusions import MembershipRow, MergeRow
from storyheat.store.facts import CorrectionRow, ItemRow, RevisionRow
from storyheat.store.memberships import current_memberships
from storyheat.store.rows import SOME, batches, rows_of, table

ITEM, CORRECTION, REVISION = table(ItemRow), table(CorrectionRow), table(RevisionRow)
MEMBERSHIP, MERGE = table(MembershipRow), table(MergeRow)

# A role that stays what it was, as when a person confirms it, is no change.
_REPORT = Role.REPORT.value
_BEFORE = func.lag(MEMBERSHIP.c.role).over(
    partition_by=(MEMBERSHIP.c.item_id, MEMBERSHIP.c.story_id), order_by=MEMBERSHIP.c.id
)
_ROLES = select(MEMBERSHIP, _BEFORE.label("before")).where(MEMBERSHIP.c.story_id.in_(SOME)).subquery()
_MOVED_REPORTS = select(_ROLES.c.story_id, _ROLES.c.decided_at).where(
    (_ROLES.c.role == _REPORT) != (func.coalesce(_ROLES.c.before, "none") == _REPORT)
)
_STANDING = current_memberships().where(MEMBERSHIP.c.story_id.in_(SOME), MEMBERSHIP.c.role == _REPORT).subquery()
_RETITLED_REPORTS = (
    select(_STANDING.c.story_id, REVISION.c.decided_at)
    .join(REVISION, REVISION.c.item_id == _STANDING.c.item_id)
    .where(REVISION.c.field == "title")
)
_NEWER = MEMBERSHIP.alias("newer")
_OVERTAKEN = select(_NEWER.c.id).where(
    _NEWER.c.item_id == MEMBERSHIP.c.item_id,
    _NEWER.c.story_id == MEMBERSHIP.c.story_id,
    _NEWER.c.id > MEMBERSHIP.c.id,
)
_MOVED_OUT = (
    select(ITEM.c.id, ITEM.c.source_id, ITEM.c.author, ITEM.c.publisher, ITEM.c.publisher_url, ITEM.c.url,
           ITEM.c.effective_at)
    .join(MEMBERSHIP, MEMBERSHIP.c.item_id == ITEM.c.id)
    .where(MEMBERSHIP.c.story_id == bindparam("story"), MEMBERSHIP.c.role == "none", MEMBERSHIP.c.by_hand)
    .where(~_OVERTAKEN.exists())
)  # fmt: skip


def corrections(connection: Connection, since: datetime | None = None) -> list[Correction]:
    """All corrections in their order, or those made after an instant."""
    query = select(CORRECTION).order_by(CORRECTION.c.id)
    if since is not None:
        query = query.where(CORRECTION.c.at > since)
    return [
        Correction(row.id, row.at, row.after_at, row.who, order_from(row.kind, row.arguments), row.why)
        for row in connection.execute(query)
    ]


@dataclass(frozen=True, slots=True)
class Line:
    """One line about an item and a story. `role` None: not in it from then on; `correction` None: the machine's."""

    number: int
    item: ItemId
    story: StoryId
    role: Role | None
    decided_at: datetime
    decided_by: str
    correction: int | None
    because: Mapping[str, Any]


def machine_lines(connection: Connection, stories: Iterable[StoryId], newest: int) -> list[Line]:
    """The newest lines that the machine wrote about stories, newest first."""
    query = select(MEMBERSHIP).where(MEMBERSHIP.c.story_id.in_(sorted(stories)), MEMBERSHIP.c.correction_id.is_(None))
    return [_line(row) for row in connection.execute(query.order_by(MEMBERSHIP.c.id.desc()).limit(newest))]


def corrections_of(connection: Connection, stories: Iterable[StoryId]) -> dict[int, int]:
    """The corrections that say something about stories, each with the number of its first line among all lines."""
    names = sorted(stories)
    found: dict[int, int] = {}
    first = func.min(MEMBERSHIP.c.id)
    query = select(MEMBERSHIP.c.correction_id, first.label("first")).group_by(MEMBERSHIP.c.correction_id)
    query = query.where(MEMBERSHIP.c.story_id.in_(names), MEMBERSHIP.c.correction_id.is_not(None))
    for row in connection.execute(query):
        found[row.correction_id] = row.first
    return found


def lines_of_correction(connection: Connection, correction: int) -> list[Line]:
    """The lines of one correction, in order."""
    query = select(MEMBERSHIP).where(MEMBERSHIP.c.correction_id == correction).order_by(MEMBERSHIP.c.id)
    return [_line(row) for row in connection.execute(query)]


def report_changes(connection: Connection, stories: Iterable[StoryId], upto: datetime) -> dict[StoryId, datetime]:
    """When a report last joined or left each story, or was retitled; a story without such by `upto` is left out."""
    found: dict[StoryId, datetime] = {}
    for query in (_MOVED_REPORTS, _RETITLED_REPORTS):
        for row in rows_of(connection, query, stories):
            if row.decided_at <= upto:
                found[StoryId(row.story_id)] = max(row.decided_at, found.get(StoryId(row.story_id), row.decided_at))
    return found


def lines_of_item(connection: Connection, item: ItemId) -> list[Line]:
    """All lines about an item, newest first."""
    query = select(MEMBERSHIP).where(MEMBERSHIP.c.item_id == item).order_by(MEMBERSHIP.c.id.desc())
    return [_line(row) for row in connection.execute(query)]


def led_by(connection: Connection, correction: int) -> dict[StoryId, StoryId | None]:
    """Where a correction led ids to; None: to be stories of their own."""
    query = select(MERGE.c.story_id, MERGE.c.into_id).where(MERGE.c.correction_id == correction)
    return {StoryId(row.story_id): row.into_id for row in connection.execute(query.order_by(MERGE.c.id))}


def moved_out(
    connection: Connection, story: StoryId, sources: Mapping[SourceId, Source], publishers: Mapping[str, str]
) -> list[StoryItem]:
    """The items that a person took out of a story, as it would show them."""
    found = []
    for row in connection.execute(_MOVED_OUT, {"story": story}):
        source = sources[SourceId(row.source_id)]
        voice = voice_of(source, row.author, row.publisher, row.publisher_url, publishers, row.url)
        found.append(
            StoryItem(
                ItemId(row.id), source.id, voice, Role.REPORT, row.effective_at, source.weight, Exclusion.MOVED_OUT
            )
        )
    return found


def items_titled(connection: Connection, items: Iterable[ItemId]) -> dict[ItemId, str]:
    """The titles of items."""
    found: dict[ItemId, str] = {}
    for some in batches(sorted(set(items))):
        rows = connection.execute(select(ITEM.c.id, ITEM.c.title).where(ITEM.c.id.in_(some)))
        found.update((ItemId(row.id), row.title) for row in rows)
    return found


def _line(row: Row[tuple[object, ...]]) -> Line:
    role = None if row.role == "none" else Role(row.role)
    return Line(
        row.id,
        ItemId(row.item_id),
        StoryId(row.story_id),
        role,
        row.decided_at,
        row.decided_by,
        row.correction_id,
        row.because,
    )
