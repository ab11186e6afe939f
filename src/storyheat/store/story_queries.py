"""Questions about stories: which one an id means, what it is called, and whose items make it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, Connection, select

from storyheat.core.ledger import Lead, Ledger
from storyheat.core.model import ItemId, Role, SourceId, StoryId
from storyheat.errors import Ambiguous, NotFound
from storyheat.store.conclusions import DerivationRow, MembershipRow, MergeRow, StoryRow
from storyheat.store.facts import ItemRow, SourceRow
from storyheat.store.memberships import current_memberships
from storyheat.store.rows import batches, table
from storyheat.store.telling import HEADLINE

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
    """Every id that was ever merged away, with the story it leads to now, however many merges lie between.

    The newest decision about an id holds; a loop, which no correct log has, ends where it would close.
    """
    rows = connection.execute(select(MERGE.c.story_id, MERGE.c.into_id).order_by(MERGE.c.id))
    ledger = Ledger((), (), [Lead(StoryId(row.story_id), row.into_id) for row in rows])
    return {lead.story: ledger.lead(lead.story) for lead in ledger.leads}


def aliases(connection: Connection, story: StoryId) -> tuple[StoryId, ...]:
    """The old ids that lead to a story, sorted."""
    return tuple(sorted(old for old, new in heirs(connection).items() if new == story and old != story))


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


def heads(connection: Connection, stories: Iterable[StoryId]) -> dict[StoryId, Head]:
    """What each of the stories is called: as its headline was told, else as its founding item.

    A founding item without a title, or moved out of the story, gives way to the earliest report with one.
    """
    found: dict[StoryId, Head] = {}
    others: list[StoryId] = []
    called = select(HEADLINE.c.story_id, ITEM.c.title, ITEM.c.url).join(ITEM, ITEM.c.id == HEADLINE.c.item_id)
    stands = current_memberships().with_only_columns(MEMBERSHIP.c.id).correlate(STORY)
    stands = stands.where(MEMBERSHIP.c.story_id == STORY.c.id, MEMBERSHIP.c.item_id == STORY.c.founding_item_id)
    query = select(STORY.c.id, ITEM.c.title, ITEM.c.url, stands.exists().label("stands"))
    query = query.join(ITEM, ITEM.c.id == STORY.c.founding_item_id)
    for batch in batches(sorted(set(stories))):
        for row in connection.execute(called.where(HEADLINE.c.story_id.in_(batch))):
            found[StoryId(row.story_id)] = Head(row.title, row.url)
        for row in connection.execute(query.where(STORY.c.id.in_([one for one in batch if one not in found]))):
            found[StoryId(row.id)] = Head(row.title, row.url)
            if not row.title or not row.stands:
                others.append(StoryId(row.id))
    for batch in batches(others):
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
