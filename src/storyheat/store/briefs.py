"""Briefs and requests to models in the database. What a model wrote is read by nothing but what shows it."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, insert, or_, select, update

from storyheat.core.briefs.brief import Dropped, Part, Statement
from storyheat.core.items.retention import day_of
from storyheat.core.model import ItemId, StoryId
from storyheat.store.columns import instant_text
from storyheat.store.facts import RevisionRow
from storyheat.store.rows import SOME, rows_of, table
from storyheat.store.written import BriefRow, ModelRequestRow

BRIEF, REQUEST, REVISION = table(BriefRow), table(ModelRequestRow), table(RevisionRow)
_DAY = timedelta(days=1)
_OPEN = "open"
_WORDS = ("title", "summary", "text")  # the fields of an item that a model is shown
_REVISED = (
    select(REVISION.c.item_id, func.max(REVISION.c.decided_at).label("at"))
    .where(REVISION.c.item_id.in_(SOME), REVISION.c.field.in_(_WORDS))
    .group_by(REVISION.c.item_id)
)
_NEWEST = (
    select(BRIEF)
    .where(BRIEF.c.story_id.in_(SOME))
    .order_by(BRIEF.c.trouble.is_not(None), BRIEF.c.made_at.desc(), BRIEF.c.input_key)
    .limit(1)
)


@dataclass(frozen=True, slots=True)
class Brief:
    """A brief as stored. `reports`: each report that the model was shown, with the mark of its words then."""

    key: str
    story: StoryId
    model: str
    language: str
    made_at: datetime
    reports: tuple[tuple[ItemId, str], ...]
    statements: tuple[Statement, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """What was spent of the budget of a day."""

    requests: int
    tokens: int


def marks_of(connection: Connection, items: Iterable[ItemId]) -> dict[ItemId, str]:
    """What changes with the words of each item: when they were last revised; empty: they never were."""
    wanted = sorted(set(items))
    revised = {ItemId(row.item_id): instant_text(row.at) for row in rows_of(connection, _REVISED, wanted)}
    return dict.fromkeys(wanted, "") | revised


def brief_with(connection: Connection, key: str) -> Brief | None:
    """The brief that was made from exactly these inputs."""
    row = connection.execute(select(BRIEF).where(BRIEF.c.input_key == key)).first()
    return None if row is None else _brief(row)


def newest_brief(connection: Connection, stories: Collection[StoryId]) -> Brief | None:
    """The newest brief with something in it that was written for any of these ids, else the newest without."""
    row = connection.execute(_NEWEST, {"some": sorted(stories)}).first()
    return None if row is None else _brief(row)


def write_brief(connection: Connection, brief: Brief) -> None:
    """Writes a brief in place of earlier ones of the story by that model; an empty one replaces only empty ones."""
    earlier = and_(BRIEF.c.story_id == brief.story, BRIEF.c.model == brief.model)
    if brief.trouble is not None:
        earlier = and_(earlier, BRIEF.c.trouble.is_not(None))
    connection.execute(delete(BRIEF).where(or_(earlier, BRIEF.c.input_key == brief.key)))
    connection.execute(
        insert(BRIEF).values(
            input_key=brief.key,
            story_id=brief.story,
            model=brief.model,
            language=brief.language,
            made_at=brief.made_at,
            reports=[list(pair) for pair in brief.reports],
            statements=[
                {"part": one.part.value, "text": one.text, "items": list(one.items), "name": one.name}
                for one in brief.statements
            ],
            dropped=[{"part": one.part.value, "text": one.text, "because": one.because} for one in brief.dropped],
            trouble=brief.trouble,
        )
    )


def forget_briefs(connection: Connection, stories: Collection[StoryId]) -> None:
    """Removes what was written for stories that go."""
    connection.execute(delete(BRIEF).where(BRIEF.c.story_id.in_(stories)))


# -- the budget -----------------------------------------------------------------------------------


def spent_on(connection: Connection, at: datetime) -> Spent:
    """What was spent on the UTC day of an instant."""
    day = day_of(at)
    of_day = REQUEST.c.at >= day, REQUEST.c.at < day + _DAY
    row = connection.execute(select(func.count(), func.coalesce(func.sum(REQUEST.c.tokens), 0)).where(*of_day)).one()
    return Spent(int(row[0]), int(row[1]))


def open_request(connection: Connection, at: datetime, story: StoryId, model: str, tokens: int) -> int:
    """Notes a request that is about to be made, with the most tokens it may take; its number."""
    values = {"at": at, "story_id": story, "model": model, "outcome": _OPEN, "message": None, "tokens": tokens}
    return int(connection.execute(insert(REQUEST).values(values).returning(REQUEST.c.id)).scalar_one())


def close_request(connection: Connection, number: int, outcome: str, message: str | None, tokens: int | None) -> None:
    """Notes how a request ended; `tokens` None: it was not told, so the most it could be stays."""
    known = {} if tokens is None else {"tokens": tokens}
    connection.execute(update(REQUEST).where(REQUEST.c.id == number).values(outcome=outcome, message=message, **known))


def forget_requests(connection: Connection, before: datetime) -> None:
    """Removes earlier lines of the log of requests."""
    connection.execute(delete(REQUEST).where(REQUEST.c.at < before))


def _brief(row: Row[Any]) -> Brief:
    return Brief(
        key=row.input_key,
        story=StoryId(row.story_id),
        model=row.model,
        language=row.language,
        made_at=row.made_at,
        reports=tuple((ItemId(item), str(mark)) for item, mark in row.reports),
        statements=tuple(
            Statement(Part(one["part"]), one["text"], tuple(map(ItemId, one["items"])), one["name"])
            for one in row.statements
        ),
        dropped=tuple(Dropped(Part(one["part"]), one["text"], one["because"]) for one in row.dropped),
        trouble=row.trouble,
    )
