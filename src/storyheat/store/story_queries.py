"""Questions about stories: which one an id means, what it is called, and whose items make it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Column, Connection, select

from storyheat.core.model import ItemId, Role, SourceId, StoryId
from storyheat.errors import Ambiguous, NotFound
from storyheat.store.conclusions import DerivationRow, MembershipRow, MergeRow, StoryRow
from storyheat.store.facts import ItemRow, SourceRow
from storyheat.store.memberships import current_memberships
from storyheat.store.rows import batches, table

ITEM, SOURCE, STORY = table(ItemRow), table(SourceRow), table(StoryRow)
MEMBERSHIP, MERGE, DERIVATION = table(MembershipRow), table(MergeRow), table(DerivationRow)

SHOWN_CANDIDATES = 5  # ids that a message about an ambiguous prefix lists
_AFTER_ALL = "\uffff"  # sorts after every letter of an id


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
    found = _with_prefix(connection, STORY.c.id, prefix)
    leads = heirs(connection)
    stories = sorted({leads.get(StoryId(one), StoryId(one)) for one in found})
    if prefix in found:
        stories = [leads.get(StoryId(prefix), StoryId(prefix))]
    if not stories and len(items := _with_prefix(connection, ITEM.c.id, prefix)) == 1:
        raise NotFound(f"{items[0]} is an item, not a story: `storyheat explain --item {items[0]}` tells where it is")
    return StoryId(_only(stories, prefix, "story", "`storyheat top` lists the hot ones"))


def item_named(connection: Connection, prefix: str) -> ItemId:
    """The item with a unique prefix of an id. Raises NotFound or Ambiguous."""
    found = _with_prefix(connection, ITEM.c.id, prefix)
    if prefix in found:
        found = [prefix]
    return ItemId(_only(found, prefix, "item", "`storyheat story ID` lists those of a story"))


def measured_by(connection: Connection) -> str | None:
    """The rule of heat in words (`HeatRule.in_words`) by which heat was last measured; None: it never was."""
    rule = connection.execute(select(DERIVATION.c.rule).where(DERIVATION.c.what == "heat")).scalar()
    return None if rule is None else str(rule).partition("; ")[0]


def _with_prefix(connection: Connection, ids: "Column[str]", prefix: str) -> list[str]:
    query = select(ids).where(ids >= prefix, ids < prefix + _AFTER_ALL).order_by(ids).limit(1000)
    return [str(row[0]) for row in connection.execute(query)]


def _only(found: Sequence[str], prefix: str, what: str, hint: str) -> str:
    if not found:
        raise NotFound(f'no {what} has an id that begins with "{prefix}"; {hint}')
    if len(found) > 1:
        more = ", …" if len(found) > SHOWN_CANDIDATES else ""
        raise Ambiguous(f'"{prefix}" fits several: {", ".join(found[:SHOWN_CANDIDATES])}{more}; give more letters')
    return found[0]


def heirs(connection: Connection) -> dict[StoryId, StoryId]:
    """Every id that was merged away, with the story it leads to now, however many merges lie between.

    The newest decision about an id holds; a loop, which no correct log has, ends where it would close.
    """
    rows = connection.execute(select(MERGE.c.younger_id, MERGE.c.older_id).order_by(MERGE.c.id))
    step = {StoryId(row.younger_id): StoryId(row.older_id) for row in rows}
    found = {}
    for story in step:
        seen, at = {story}, story
        while at in step and step[at] not in seen:
            at = step[at]
            seen.add(at)
        found[story] = at
    return found


def aliases(connection: Connection, story: StoryId) -> tuple[StoryId, ...]:
    """The old ids that lead to a story, sorted."""
    return tuple(sorted(old for old, new in heirs(connection).items() if new == story and old != story))


def heads(connection: Connection, stories: Iterable[StoryId]) -> dict[StoryId, Head]:
    """What each of the stories is called."""
    found: dict[StoryId, Head] = {}
    nameless: list[StoryId] = []
    query = select(STORY.c.id, ITEM.c.title, ITEM.c.url).join(ITEM, ITEM.c.id == STORY.c.founding_item_id)
    for batch in batches(sorted(set(stories))):
        for row in connection.execute(query.where(STORY.c.id.in_(batch))):
            found[StoryId(row.id)] = Head(row.title, row.url)
            if not row.title:
                nameless.append(StoryId(row.id))
    for batch in batches(nameless):
        joined = current_memberships().add_columns(ITEM.c.title, ITEM.c.url)
        joined = joined.join(ITEM, ITEM.c.id == MEMBERSHIP.c.item_id).where(ITEM.c.title != "")
        best_last = (MEMBERSHIP.c.role == Role.REPORT.value, ITEM.c.effective_at.desc(), ITEM.c.id.desc())
        for row in connection.execute(joined.where(MEMBERSHIP.c.story_id.in_(batch)).order_by(*best_last)):
            found[StoryId(row.story_id)] = Head(row.title, row.url)  # the earliest report comes last and stays
    return found


def facets(connection: Connection, stories: Iterable[StoryId]) -> dict[StoryId, Facets]:
    """The languages and sources of each story's items. An item without a language has its source's."""
    languages: dict[StoryId, set[str]] = defaultdict(set)
    sources: dict[StoryId, set[SourceId]] = defaultdict(set)
    columns = (ITEM.c.language, ITEM.c.source_id, SOURCE.c.language.label("source_language"))
    joined = current_memberships().add_columns(*columns).join(ITEM, ITEM.c.id == MEMBERSHIP.c.item_id)
    joined = joined.join(SOURCE, SOURCE.c.id == ITEM.c.source_id)
    for batch in batches(sorted(set(stories))):
        for row in connection.execute(joined.where(MEMBERSHIP.c.story_id.in_(batch))):
            story = StoryId(row.story_id)
            sources[story].add(SourceId(row.source_id))
            if language := row.language or row.source_language:
                languages[story].add(language)
    return {story: Facets(tuple(sorted(languages[story])), tuple(sorted(sources[story]))) for story in sources}
