"""What is told of stories: their developments, their headlines, and who in them only comments on others."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, bindparam, delete, func, insert, select, union_all

from storyheat.core.model import ItemId, StoryId
from storyheat.core.stories.told import Claim, Development, Disagreement, Name
from storyheat.store.conclusions import (
    BystanderRow,
    DevelopmentRow,
    DisagreementRow,
    HeadlineRow,
    MembershipRow,
    StoryNameRow,
    StoryRow,
)
from storyheat.store.facts import ItemRow, RevisionRow
from storyheat.store.rows import SOME, batches, rows_of, table

DEVELOPMENT, HEADLINE, BYSTANDER = table(DevelopmentRow), table(HeadlineRow), table(BystanderRow)
DISAGREEMENT = table(DisagreementRow)
NAME = table(StoryNameRow)
STORY, MEMBERSHIP = table(StoryRow), table(MembershipRow)
ITEM, REVISION = table(ItemRow), table(RevisionRow)

_WORDINGS = select(ITEM.c.id, ITEM.c.title, ITEM.c.text, ITEM.c.summary, ITEM.c.language).where(ITEM.c.id.in_(SOME))
_DEVELOPMENTS = (
    select(DEVELOPMENT, ITEM.c.effective_at)
    .join(ITEM, ITEM.c.id == DEVELOPMENT.c.item_id)
    .where(DEVELOPMENT.c.story_id.in_(SOME))
    .order_by(ITEM.c.effective_at, ITEM.c.id)
)
_DISAGREEMENTS = (
    select(DISAGREEMENT)
    .join(ITEM, ITEM.c.id == DISAGREEMENT.c.second_item_id)
    .where(DISAGREEMENT.c.story_id.in_(SOME))
    .order_by(ITEM.c.effective_at, *DISAGREEMENT.primary_key.columns)
)
_MINE, _THEIRS, _HELD = NAME.alias("mine"), NAME.alias("theirs"), NAME.alias("held")
_HOLDERS = select(_HELD.c.story_id).where(_HELD.c.name == _MINE.c.name).limit(bindparam("most") + 1).correlate(_MINE)
_SHARED = (
    select(_THEIRS)
    .join(_MINE, _MINE.c.name == _THEIRS.c.name)
    .where(_MINE.c.story_id == bindparam("story"))
    .where(select(func.count()).select_from(_HOLDERS.subquery()).scalar_subquery() <= bindparam("most"))
    .order_by(_THEIRS.c.story_id, _THEIRS.c.name)
)
_BYSTANDERS = select(BYSTANDER.c.story_id, BYSTANDER.c.item_id).where(BYSTANDER.c.story_id.in_(SOME))


@dataclass(frozen=True, slots=True)
class Wording:
    """What an item says, in its own words."""

    title: str
    text: str  # of the article, or else the summary
    language: str | None


@dataclass(frozen=True, slots=True)
class Telling:
    """All that is told of one story. `headline` None: it is called as its founding item."""

    developments: Sequence[Development] = ()
    headline: ItemId | None = None
    bystanders: Sequence[ItemId] = ()
    disagreements: Sequence[Disagreement] = ()
    names: Sequence[Name] = ()


def every_story(connection: Connection) -> list[StoryId]:
    """The ids of all stories, sorted."""
    return [StoryId(story) for story in connection.execute(select(STORY.c.id).order_by(STORY.c.id)).scalars()]


def founders(connection: Connection, stories: Iterable[StoryId]) -> dict[StoryId, ItemId]:
    """The founding item of each story."""
    found: dict[StoryId, ItemId] = {}
    for some in batches(sorted(set(stories))):
        rows = connection.execute(select(STORY.c.id, STORY.c.founding_item_id).where(STORY.c.id.in_(some)))
        found |= {StoryId(row.id): ItemId(row.founding_item_id) for row in rows}
    return found


def wordings(connection: Connection, items: Iterable[ItemId]) -> dict[ItemId, Wording]:
    """What each of the items says now."""
    found: dict[ItemId, Wording] = {}
    for row in rows_of(connection, _WORDINGS, items):
        found[ItemId(row.id)] = Wording(row.title, row.text or row.summary, row.language)
    return found


def newest_decisions(connection: Connection, stories: Iterable[StoryId]) -> dict[StoryId, datetime]:
    """When each story was last changed: by a decision about an item of it, or a revision of one."""
    found: dict[StoryId, datetime] = {}
    for some in batches(sorted(set(stories))):
        decided = select(MEMBERSHIP.c.story_id, MEMBERSHIP.c.decided_at).where(MEMBERSHIP.c.story_id.in_(some))
        revised = select(MEMBERSHIP.c.story_id, REVISION.c.decided_at).where(MEMBERSHIP.c.story_id.in_(some))
        revised = revised.join(REVISION, REVISION.c.item_id == MEMBERSHIP.c.item_id)
        both = union_all(decided, revised).subquery()
        newest = select(both.c.story_id, func.max(both.c.decided_at).label("at")).group_by(both.c.story_id)
        found |= {StoryId(row.story_id): row.at for row in connection.execute(newest)}
    return found


def write_tellings(connection: Connection, told: Mapping[StoryId, Telling], at: Mapping[StoryId, datetime]) -> None:
    """Replaces all that is told of the given stories; `at`: the newest decision each rests on."""
    for some in batches(sorted(told)):
        for kept in (DEVELOPMENT, HEADLINE, NAME, BYSTANDER, DISAGREEMENT):
            connection.execute(delete(kept).where(kept.c.story_id.in_(some)))
    developments = [
        {
            "story_id": story,
            "item_id": one.item,
            "figures": list(one.figures),
            "terms": list(one.terms),
            "subject_item_id": one.by_subject,
            "said_by": list(one.said_by),
            "told_at": at[story],
        }
        for story in sorted(told)
        for one in told[story].developments
    ]
    headlines = [
        {"story_id": story, "item_id": one.headline, "told_at": at[story]}
        for story, one in sorted(told.items())
        if one.headline is not None
    ]
    bystanders = [
        {"story_id": story, "item_id": item, "told_at": at[story]}
        for story in sorted(told)
        for item in told[story].bystanders
    ]
    disagreements = [
        {
            "story_id": story,
            "first_item_id": one.first.item,
            "second_item_id": one.second.item,
            "first_figure": one.first.figure,
            "second_figure": one.second.figure,
            "first_sentence": one.first.sentence,
            "second_sentence": one.second.sentence,
            "told_at": at[story],
        }
        for story in sorted(told)
        for one in told[story].disagreements
    ]
    names = [
        {"story_id": story, "name": one.term, "shown": one.shown, "in_title": one.in_title, "told_at": at[story]}
        for story in sorted(told)
        for one in told[story].names
    ]
    for kept, rows in (
        (DEVELOPMENT, developments),
        (HEADLINE, headlines),
        (NAME, names),
        (BYSTANDER, bystanders),
        (DISAGREEMENT, disagreements),
    ):
        if rows:
            connection.execute(insert(kept), rows)


def developments_of(connection: Connection, stories: Iterable[StoryId]) -> dict[StoryId, list[Development]]:
    """The developments of each story by (effective time, id) of their items; a story without any is left out."""
    found: dict[StoryId, list[Development]] = defaultdict(list)
    for row in rows_of(connection, _DEVELOPMENTS, stories):
        found[StoryId(row.story_id)].append(
            Development(
                item=ItemId(row.item_id),
                at=row.effective_at,
                figures=tuple(row.figures),
                terms=tuple(row.terms),
                by_subject=None if row.subject_item_id is None else ItemId(row.subject_item_id),
                said_by=tuple(ItemId(item) for item in row.said_by),
            )
        )
    return dict(found)


def disagreements_of(connection: Connection, stories: Iterable[StoryId]) -> dict[StoryId, list[Disagreement]]:
    """The figures of each story that contradict each other, in order of the later report."""
    found: dict[StoryId, list[Disagreement]] = defaultdict(list)
    for row in rows_of(connection, _DISAGREEMENTS, stories):
        first = Claim(ItemId(row.first_item_id), row.first_figure, row.first_sentence)
        second = Claim(ItemId(row.second_item_id), row.second_figure, row.second_sentence)
        found[StoryId(row.story_id)].append(Disagreement(first, second))
    return dict(found)


def shared_names(connection: Connection, story: StoryId, most: int) -> dict[StoryId, list[Name]]:
    """The names of a story that no more than `most` stories have, its own first among those of every story with one."""
    found: dict[StoryId, list[Name]] = {story: []}
    for row in connection.execute(_SHARED, {"story": story, "most": most}):
        found.setdefault(StoryId(row.story_id), []).append(Name(row.name, row.shown, row.in_title))
    return found


def bystanders_of(connection: Connection, stories: Iterable[StoryId]) -> frozenset[tuple[StoryId, ItemId]]:
    """The items of stories whose first-party source only comments on others there."""
    return frozenset((StoryId(row.story_id), ItemId(row.item_id)) for row in rows_of(connection, _BYSTANDERS, stories))


def forget_tellings(connection: Connection, since: datetime | None) -> None:
    """Forgets what was told since an instant; None: all."""
    for kept in (DEVELOPMENT, HEADLINE, NAME, BYSTANDER, DISAGREEMENT):
        gone = delete(kept)
        connection.execute(gone if since is None else gone.where(kept.c.told_at > since))
