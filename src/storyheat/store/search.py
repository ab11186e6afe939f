"""Full-text search over titles and texts: an index of SQLite's FTS5, and the questions to it.

The index keeps no text of its own. What it knows of an item is named by a number in `searched`; an item whose words
changed gets a new number, and what the index still has under the old one belongs to nobody until it is made anew.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, exists, func, insert, select, text, update

from storyheat.core.model import ItemId, Role, StoryId
from storyheat.core.text.search_words import MAX_CHARS, Question, tokens
from storyheat.store.conclusions import MembershipRow
from storyheat.store.facts import ItemRow, RevisionRow
from storyheat.store.memberships import current_memberships
from storyheat.store.rows import SOME, batches, rows_of, table
from storyheat.store.upkeep import SearchedRow

ITEM, REVISION, MEMBERSHIP, SEARCHED = table(ItemRow), table(RevisionRow), table(MembershipRow), table(SearchedRow)
_STANDS = (
    current_memberships()
    .with_only_columns(MEMBERSHIP.c.item_id, MEMBERSHIP.c.story_id, MEMBERSHIP.c.role)
    .where(MEMBERSHIP.c.item_id.in_(SOME))
    .order_by(MEMBERSHIP.c.story_id)
)
INDEX = "search_index"
_NEWEST = f"SELECT rowid AS number FROM {INDEX} WHERE {INDEX} MATCH :{{}} ORDER BY rowid DESC LIMIT :most"
_HITS = text(  # FTS5 cannot weigh words (`bm25`) in an index that keeps neither texts nor places
    f"WITH titled AS ({_NEWEST.format('titled')}), found AS ({_NEWEST.format('question')}) "
    "SELECT searched.item_id AS item, every.in_title AS in_title FROM ("
    "SELECT number, 1 AS in_title FROM titled UNION ALL "
    "SELECT number, 0 FROM found WHERE number NOT IN (SELECT number FROM titled) ORDER BY 2 DESC, 1 DESC LIMIT :most"
    ") AS every JOIN searched ON searched.number = every.number JOIN item ON item.id = searched.item_id "
    "ORDER BY every.in_title DESC, item.effective_at DESC, item.id"
)
FIELDS = ("title", "summary", "text")  # whose revisions change what the index should know
WASTE = 0.3  # share of the index that belongs to nobody, from which it is made anew


@dataclass(frozen=True, slots=True)
class Hit:
    """An item that has what was looked for. `in_title`: its title alone has it."""

    item: ItemId
    in_title: bool


@dataclass(frozen=True, slots=True)
class Stands:
    """The stories that an item is a report or copy of, and those that it mentions."""

    own: tuple[StoryId, ...]
    mentioned: tuple[StoryId, ...]


def has_index(connection: Connection) -> bool:
    """Whether this database can be searched; only SQLite can so far."""
    return connection.dialect.name == "sqlite"


def unindexed(connection: Connection) -> list[ItemId]:
    """Items that the index does not know as they are: what came or was revised since it was last brought up to date."""
    new = select(ITEM.c.id).where(~exists().where(SEARCHED.c.item_id == ITEM.c.id))
    since = connection.execute(select(func.max(SEARCHED.c.indexed_at))).scalar()
    if since is None:
        return [ItemId(item) for item in connection.execute(new.order_by(ITEM.c.first_seen_at, ITEM.c.id)).scalars()]
    found = set(connection.execute(new.where(ITEM.c.first_seen_at >= since)).scalars())
    revised = select(REVISION.c.item_id).join(SEARCHED, SEARCHED.c.item_id == REVISION.c.item_id)
    revised = revised.where(REVISION.c.decided_at >= since, REVISION.c.decided_at > SEARCHED.c.indexed_at)
    found |= set(connection.execute(revised.where(REVISION.c.field.in_(FIELDS))).scalars())
    return [ItemId(item) for item in sorted(found)]


def index(connection: Connection, items: Iterable[ItemId], now: datetime) -> None:
    """Brings items into the index as they are now; what comes later counts as newer."""
    number = connection.execute(select(func.max(SEARCHED.c.number))).scalar() or 0
    columns = (ITEM.c.id, ITEM.c.title, ITEM.c.summary, ITEM.c.text)
    oldest_first = (ITEM.c.first_seen_at, ITEM.c.id)
    for some in batches(dict.fromkeys(items)):
        connection.execute(update(SEARCHED).where(SEARCHED.c.item_id.in_(some)).values(item_id=None))
        known, words = [], []
        for row in connection.execute(select(*columns).where(ITEM.c.id.in_(some)).order_by(*oldest_first)):
            number += 1
            body = (row.text or row.summary)[:MAX_CHARS]
            known.append({"number": number, "item_id": row.id, "indexed_at": now})
            words.append({"number": number, "title": " ".join(tokens(row.title)), "body": " ".join(tokens(body))})
        connection.execute(insert(SEARCHED), known)
        connection.execute(text(f"INSERT INTO {INDEX} (rowid, title, body) VALUES (:number, :title, :body)"), words)


def waste(connection: Connection) -> float:
    """The share of the index that belongs to no item any more."""
    query = select(func.count(), func.count(SEARCHED.c.item_id)).select_from(SEARCHED)
    numbers, living = connection.execute(query).one()
    return 1.0 - living / numbers if numbers else 0.0


def clear(connection: Connection) -> None:
    """Empties the index, to be made anew."""
    connection.execute(delete(SEARCHED))
    connection.exec_driver_sql(f"INSERT INTO {INDEX} ({INDEX}) VALUES ('delete-all')")


def hits(connection: Connection, asked: Question, most: int) -> list[Hit]:
    """The items that have what was looked for: first those whose title has it, then the newest, ties by id.

    Of each kind only the `most` last indexed are looked at, so that a common word costs no more as the years go by.
    """
    if not asked.wanted:
        return []
    values = {"question": expression(asked), "titled": expression(asked, "{title} : "), "most": most}
    return [Hit(ItemId(row.item), bool(row.in_title)) for row in connection.execute(_HITS, values)]


def expression(asked: Question, where: str = "") -> str:
    """A question in the language of FTS5; every token is quoted, so that none can be read as an operator.

    `where`: a filter of columns for what is wanted.
    """
    wanted = " AND ".join(_all_of(group) for group in asked.wanted)
    return " NOT ".join([f"({where}({wanted}))", *(_all_of(group) for group in asked.unwanted)])


def _all_of(group: Sequence[str]) -> str:
    return "(" + " AND ".join(f'"{one[:-1]}" *' if one.endswith("*") else f'"{one}"' for one in group) + ")"


def stands_of(connection: Connection, items: Iterable[ItemId]) -> dict[ItemId, Stands]:
    """Where each of the items stands; one in no story is left out."""
    own: dict[ItemId, list[StoryId]] = {}
    mentioned: dict[ItemId, list[StoryId]] = {}
    for row in rows_of(connection, _STANDS, items):
        kind = mentioned if row.role == Role.MENTION.value else own
        kind.setdefault(ItemId(row.item_id), []).append(StoryId(row.story_id))
    return {
        item: Stands(tuple(own.get(item, ())), tuple(mentioned.get(item, ()))) for item in sorted({*own, *mentioned})
    }
