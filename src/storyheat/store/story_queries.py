"""Questions about stories: which one an id means, what it is called, and whose items make it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Executable, Row, bindparam, select

from storyheat.core.model import ItemId, Role, SourceId, StoryId
from storyheat.errors import Ambiguous, NotFound
from storyheat.store.conclusions import DerivationRow, MembershipRow, MergeRow, StoryRow
from storyheat.store.facts import ItemRow, SourceRow
from storyheat.store.memberships import current_memberships
from storyheat.store.rows import SOME, rows_of, table
from storyheat.store.telling import HEADLINE

ITEM, SOURCE, STORY = table(ItemRow), table(SourceRow), table(StoryRow)
MEMBERSHIP, MERGE, DERIVATION = table(MembershipRow), table(MergeRow), table(DerivationRow)

SHOWN_CANDIDATES = 5  # ids that a message about an ambiguous prefix lists
_AFTER_ALL = "\uffff"  # sorts after every letter of an id

_CALLED = (
    select(HEADLINE.c.story_id, ITEM.c.title, ITEM.c.url)
    .join(ITEM, ITEM.c.id == HEADLINE.c.item_id)
    .where(HEADLINE.c.story_id.in_(SOME))
)
_STANDS = (
    current_memberships()
    .with_only_columns(MEMBERSHIP.c.id)
    .correlate(STORY)
    .where(MEMBERSHIP.c.story_id == STORY.c.id, MEMBERSHIP.c.item_id == STORY.c.founding_item_id)
)
_FOUNDED = (
    select(STORY.c.id, ITEM.c.title, ITEM.c.url, _STANDS.exists().label("stands"))
    .join(ITEM, ITEM.c.id == STORY.c.founding_item_id)
    .where(STORY.c.id.in_(SOME))
)
_BEST_LAST = (
    current_memberships()
    .add_columns(ITEM.c.title, ITEM.c.url)
    .join(ITEM, ITEM.c.id == MEMBERSHIP.c.item_id)
    .where(ITEM.c.title != "", MEMBERSHIP.c.story_id.in_(SOME))
    .order_by(MEMBERSHIP.c.role == Role.REPORT.value, ITEM.c.effective_at.desc(), ITEM.c.id.desc())
)
_STORIES, _ITEMS = (
    select(ids).where(ids >= bindparam("from_"), ids < bindparam("to")).order_by(ids).limit(1000)
    for ids in (STORY.c.id, ITEM.c.id)
)
_LEADS = select(MERGE.c.story_id, MERGE.c.into_id).where(MERGE.c.story_id.in_(SOME)).order_by(MERGE.c.id)
_EVER_LED = select(MERGE.c.story_id).distinct().where(MERGE.c.into_id.in_(SOME))
_FACETS = (
    current_memberships()
    .with_only_columns(
        MEMBERSHIP.c.story_id, ITEM.c.source_id, ITEM.c.language, SOURCE.c.language.label("source_language")
    )
    .join(ITEM, ITEM.c.id == MEMBERSHIP.c.item_id)
    .join(SOURCE, SOURCE.c.id == ITEM.c.source_id)
    .where(MEMBERSHIP.c.story_id.in_(SOME))
)


@dataclass(frozen=True, slots=True)
class Head:
    """What a story is called: title and address of its founding item, else of its first report with a title."""

    title: str  # empty: none of its items has one
    url: str | None


@dataclass(frozen=True, slots=True)
class Facets:
    """What the items of a story have in common with lists: languages (sorted) and sources (sorted)."""

    languages: tuple[str, ...]
    sources: tuple[SourceId, ...]


def story_named(connection: Connection, prefix: str) -> StoryId:
    """The story that a unique prefix of an id, old or present, leads to. Raises NotFound or Ambiguous."""
    found = _with_prefix(connection, _STORIES, prefix)
    leads = heirs(connection, map(StoryId, [prefix] if prefix in found else found))
    stories = sorted(set(leads.values()))
    if not stories and len(items := _with_prefix(connection, _ITEMS, prefix)) == 1:
        raise NotFound(f"{items[0]} is an item, not a story: `storyheat explain --item {items[0]}` tells where it is")
    return StoryId(_only(stories, prefix, "story", "`storyheat top` lists the hot ones"))


def item_named(connection: Connection, prefix: str) -> ItemId:
    """The item with a unique prefix of an id. Raises NotFound or Ambiguous."""
    found = _with_prefix(connection, _ITEMS, prefix)
    if prefix in found:
        found = [prefix]
    return ItemId(_only(found, prefix, "item", "`storyheat story ID` lists those of a story"))


def measured_by(connection: Connection) -> str | None:
    """The rule of heat in words (`HeatRule.in_words`) by which heat was last measured; None: it never was."""
    rule = connection.execute(select(DERIVATION.c.rule).where(DERIVATION.c.what == "heat")).scalar()
    return None if rule is None else str(rule).partition("; ")[0]


def _with_prefix(connection: Connection, ids: Executable, prefix: str) -> list[str]:
    if not prefix.isascii():
        return []  # ids are ASCII, and what a shell hands over may be no text at all
    return [str(row[0]) for row in connection.execute(ids, {"from_": prefix, "to": prefix + _AFTER_ALL})]


def _only(found: Sequence[str], prefix: str, what: str, hint: str) -> str:
    if not found:
        raise NotFound(f'no {what} has an id that begins with "{prefix}"; {hint}')
    if len(found) > 1:
        more = ", …" if len(found) > SHOWN_CANDIDATES else ""
        raise Ambiguous(f'"{prefix}" fits several: {", ".join(found[:SHOWN_CANDIDATES])}{more}; give more letters')
    return found[0]


def heirs(connection: Connection, stories: Iterable[StoryId]) -> dict[StoryId, StoryId]:
    """For each of the ids the story it leads to now, however many merges lie between.

    The newest decision about an id holds; a loop, which no correct log has, ends where it would close.
    """
    now = {story: story for story in stories}
    seen = {story: {story} for story in now}
    moving = set(now)
    while moving:
        leads = _leads(rows_of(connection, _LEADS, (now[story] for story in moving)))
        for story in sorted(moving):
            onward = leads.get(now[story])
            if onward is None or onward in seen[story]:
                moving.remove(story)
            else:
                now[story] = onward
                seen[story].add(onward)
    return now


def aliases(connection: Connection, story: StoryId) -> tuple[StoryId, ...]:
    """The old ids that lead to a story, sorted."""
    found, new = set[StoryId](), {story}
    while new:
        ever = {StoryId(row.story_id) for row in rows_of(connection, _EVER_LED, new)}
        leads = _leads(rows_of(connection, _LEADS, ever))
        new = {old for old in ever if leads[old] in new} - found - {story}
        found |= new
    return tuple(sorted(found))


def _leads(rows: Iterable[Row[Any]]) -> dict[StoryId, StoryId | None]:
    """Where ids lead by the newest decision about each; `rows` in the order of the decisions of an id."""
    return {StoryId(row.story_id): row.into_id for row in rows}


def merged_at(connection: Connection, story: StoryId) -> datetime | None:
    """When an id was last led to another story; None: it never was."""
    query = select(MERGE.c.decided_at).where(MERGE.c.story_id == story, MERGE.c.into_id.is_not(None))
    return connection.execute(query.order_by(MERGE.c.id.desc()).limit(1)).scalar()


def story_exists(connection: Connection, story: StoryId) -> bool:
    """Whether this id was ever given to a story."""
    return connection.execute(select(STORY.c.id).where(STORY.c.id == story)).first() is not None


def older_of(connection: Connection, stories: Iterable[StoryId]) -> StoryId:
    """The story that was founded first: by the run, then by the time of the founding item, then by id."""
    query = select(STORY.c.id).join(ITEM, ITEM.c.id == STORY.c.founding_item_id).where(STORY.c.id.in_(sorted(stories)))
    oldest = query.order_by(STORY.c.decided_at, ITEM.c.effective_at, STORY.c.id).limit(1)
    return StoryId(connection.execute(oldest).scalar_one())


def heads(connection: Connection, stories: Collection[StoryId]) -> dict[StoryId, Head]:
    """What each of the stories is called: as its headline was told, else as its founding item.

    A founding item without a title, or moved out of the story, gives way to the earliest report with one.
    """
    found: dict[StoryId, Head] = {}
    for row in rows_of(connection, _CALLED, stories):
        found[StoryId(row.story_id)] = Head(row.title, row.url)
    others: list[StoryId] = []
    for row in rows_of(connection, _FOUNDED, (one for one in stories if one not in found)):
        found[StoryId(row.id)] = Head(row.title, row.url)
        if not row.title or not row.stands:
            others.append(StoryId(row.id))
    for row in rows_of(connection, _BEST_LAST, others):
        found[StoryId(row.story_id)] = Head(row.title, row.url)  # the earliest report comes last and stays
    return found


def facets(connection: Connection, stories: Iterable[StoryId]) -> dict[StoryId, Facets]:
    """The languages and sources of each story's items. An item without a language has its source's."""
    languages: dict[StoryId, set[str]] = defaultdict(set)
    sources: dict[StoryId, set[SourceId]] = defaultdict(set)
    for row in rows_of(connection, _FACETS, stories):
        story = StoryId(row.story_id)
        sources[story].add(SourceId(row.source_id))
        if language := row.language or row.source_language:
            languages[story].add(language)
    return {story: Facets(tuple(sorted(languages[story])), tuple(sorted(sources[story]))) for story in sources}
