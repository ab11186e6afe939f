"""Reader polls in the database: asked, answered, closed and removed; each follows its story wherever that leads."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from sqlalchemy import Connection, Row, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from storyheat.core.items.identity import founding_item
from storyheat.core.model import ItemId, Role, StoryId
from storyheat.core.stories.polls import Poll
from storyheat.store.conclusions import MembershipRow, StoryRow
from storyheat.store.editorial import PollAnswerRow, PollRow
from storyheat.store.memberships import current_memberships
from storyheat.store.rows import batches, table
from storyheat.store.story_queries import heirs

POLL, ANSWER = table(PollRow), table(PollAnswerRow)
STORY, MEMBERSHIP = table(StoryRow), table(MembershipRow)
_NEWEST_FIRST = select(POLL).order_by(POLL.c.id.desc())


def ask_poll(connection: Connection, story: StoryId, question: str, answers: Iterable[str], at: datetime) -> None:
    """Asks a new question; it takes the place of the one that the story has."""
    values = {"story_id": story, "question": question, "answers": list(answers), "asked_at": at}
    connection.execute(insert(POLL).values(values))


def close_poll(connection: Connection, poll: Poll, at: datetime) -> None:
    """Has a poll take no more answers."""
    connection.execute(update(POLL).where(POLL.c.id == poll.number).values(closed_at=at))


def remove_poll(connection: Connection, poll: Poll, at: datetime) -> None:
    """Has a poll be shown no more; its answers stay in the database."""
    connection.execute(update(POLL).where(POLL.c.id == poll.number).values(removed_at=at))


def take_answer(connection: Connection, poll: Poll, browser: str, answer: int, at: datetime) -> None:
    """Keeps the answer of a browser, by its place; one that answered already changes nothing."""
    values = {"poll_id": poll.number, "browser": browser, "answer": answer, "at": at}
    connection.execute(sqlite_insert(ANSWER).values(values).on_conflict_do_nothing())


def answer_of(connection: Connection, poll: Poll, browser: str) -> int | None:
    """The place of the answer that a browser gave; None: it gave none."""
    query = select(ANSWER.c.answer).where(ANSWER.c.poll_id == poll.number, ANSWER.c.browser == browser)
    return connection.execute(query).scalar()


def polls(connection: Connection, only: StoryId | None = None) -> list[Poll]:
    """The polls that hold, newest first: of each story, or of one, the newest, unless it was removed."""
    rows = connection.execute(_NEWEST_FIRST).all()
    if not rows:
        return []
    now = _stories_now(connection, {StoryId(row.story_id) for row in rows})
    newest: dict[StoryId, Row[tuple[object, ...]]] = {}
    for row in rows:
        newest.setdefault(now[StoryId(row.story_id)], row)
    holding = {
        story: row for story, row in newest.items() if row.removed_at is None and (only is None or story == only)
    }
    given = _given(connection, [row.id for row in holding.values()])
    return [_poll(story, row, given.get(row.id, {})) for story, row in holding.items()]


def _stories_now(connection: Connection, names: Collection[StoryId]) -> Mapping[StoryId, StoryId]:
    """Where each id leads now.

    An id that no story has any more, since stories were made otherwise, leads to the one in which the item that
    would have founded it is a report.
    """
    known = {StoryId(one) for some in batches(sorted(names))
             for one in connection.execute(select(STORY.c.id).where(STORY.c.id.in_(some))).scalars()}  # fmt: skip
    founders = {founding_item(name): name for name in sorted(names) if name not in known}
    moved: dict[StoryId, StoryId] = {}
    for batch in batches(founders):
        query = current_memberships().where(MEMBERSHIP.c.item_id.in_(batch), MEMBERSHIP.c.role == Role.REPORT.value)
        for row in connection.execute(query):
            moved[founders[ItemId(row.item_id)]] = StoryId(row.story_id)
    leads = heirs(connection, (moved.get(name, name) for name in names))
    return {name: leads[moved.get(name, name)] for name in names}


def _given(connection: Connection, numbers: Collection[int]) -> dict[int, dict[int, int]]:
    """Of each poll how often each place was answered."""
    found: dict[int, dict[int, int]] = {}
    for some in batches(sorted(numbers)):
        query = select(ANSWER.c.poll_id, ANSWER.c.answer, func.count().label("times"))
        query = query.where(ANSWER.c.poll_id.in_(some)).group_by(ANSWER.c.poll_id, ANSWER.c.answer)
        for row in connection.execute(query):
            found.setdefault(row.poll_id, {})[row.answer] = row.times
    return found


def _poll(story: StoryId, row: Row[tuple[object, ...]], given: Mapping[int, int]) -> Poll:
    return Poll(
        number=row.id,
        story=story,
        question=row.question,
        answers=tuple(row.answers),
        asked_at=row.asked_at,
        closed_at=row.closed_at,
        counts=tuple(given.get(place, 0) for place in range(len(row.answers))),
    )
