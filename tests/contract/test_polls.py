"""Polls in the database: the newest of a story holds, follows it, and counts each browser once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, insert, text
from tests.contract.stored import NOON, decide, followed, item, take
from tests.make import utc
from tests.runs import new_database

from storyheat import editorial
from storyheat.core.items.identity import story_id
from storyheat.core.model import Role, StoryId
from storyheat.core.stories.polls import Poll
from storyheat.errors import NotFound, UsageError
from storyheat.store import polls, retention
from storyheat.store.conclusions import MergeRow
from storyheat.store.database import Database, open_database
from storyheat.store.rows import table

ONE, TWO = story_id(item(1).id), story_id(item(2).id)
LATER = utc("2026-11-11 12:00")


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """Two stories of one report each."""
    made = new_database(tmp_path)
    with made.write() as connection:
        followed(connection)
        take(connection, [item(1), item(2)])
        decide(connection, 1, ONE, Role.REPORT, found=True)
        decide(connection, 2, TWO, Role.REPORT, found=True)
    return made


def ask(connection: Connection, story: StoryId, question: str = "Will it hold?") -> Poll:
    editorial.set_poll(connection, story, question, ["yes,no"], NOON)
    return editorial.poll_named(connection, story)


def lead(connection: Connection, story: StoryId, into: StoryId | None) -> None:
    values: dict[str, Any] = {
        "story_id": story,
        "into_id": into,
        "decided_at": LATER,
        "decided_by": "ada",
        "because": {},
    }
    connection.execute(insert(table(MergeRow)).values(values))


def test_the_newest_holds_until_it_is_removed(database: Database) -> None:
    with database.write() as connection:
        assert polls.polls(connection) == []
        ask(connection, ONE, "The first?")
        ask(connection, ONE, "The second?")
        assert [one.question for one in polls.polls(connection)] == ["The second?"]
        editorial.close_poll(connection, ONE, LATER)
        assert editorial.poll_named(connection, ONE).closed_at == LATER
        with pytest.raises(UsageError, match="closed already"):
            editorial.close_poll(connection, ONE, LATER)
        editorial.remove_poll(connection, ONE, LATER)
        with pytest.raises(NotFound, match=f"{ONE} has no poll"):
            editorial.poll_named(connection, ONE)
        assert polls.polls(connection) == []


def test_it_follows_its_story_into_another_and_back(database: Database) -> None:
    with database.write() as connection:
        asked = ask(connection, TWO)
        lead(connection, TWO, ONE)
        assert editorial.poll_named(connection, ONE).number == asked.number
        assert editorial.poll_named(connection, TWO).story == ONE
        lead(connection, TWO, None)
        assert editorial.poll_named(connection, TWO).story == TWO
        assert polls.polls(connection, ONE) == []


def test_where_stories_are_made_otherwise_it_goes_with_the_founding_item(database: Database) -> None:
    with database.write() as connection:
        ask(connection, TWO)
        connection.execute(text(f"DELETE FROM membership WHERE story_id = '{TWO}'"))
        connection.execute(text(f"DELETE FROM story WHERE id = '{TWO}'"))
        decide(connection, 2, ONE, Role.REPORT)
        assert [one.story for one in polls.polls(connection)] == [ONE]


def test_a_story_whose_readers_are_asked_is_kept(database: Database) -> None:
    with database.write() as connection:
        ask(connection, TWO)
        assert retention.going_before(connection, LATER, remembered=True).stories == (ONE,)


def test_every_browser_counts_once_however_many_answer_at_once(database: Database) -> None:
    with database.write() as connection:
        number = ask(connection, ONE).number
        with pytest.raises(UsageError, match="no such answer"):
            editorial.answer_poll(connection, ONE, number, "b", 2, LATER)

    def answer(turn: int) -> None:
        own = open_database(f"sqlite:///{database.name}")
        with own.write() as connection:
            editorial.answer_poll(connection, ONE, number, f"b{turn % 5}", turn % 5 % 2, LATER)
        own.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(answer, range(40)))
    with database.write() as connection:
        poll = editorial.poll_named(connection, ONE)
        assert poll.counts == (3, 2)
        assert [polls.answer_of(connection, poll, name) for name in ("b0", "b1", "b9")] == [0, 1, None]
        editorial.close_poll(connection, ONE, LATER)
        with pytest.raises(editorial.PollClosed):
            editorial.answer_poll(connection, ONE, number, "b6", 0, LATER)
        ask(connection, ONE, "Another?")
        with pytest.raises(editorial.PollClosed):
            editorial.answer_poll(connection, ONE, number, "b6", 0, LATER)
