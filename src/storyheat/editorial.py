"""What a person adds to stories beside corrections, and what readers answer: as orders."""

from collections.abc import Sequence
from datetime import datetime

from storyheat.core.model import ItemId, StoryId
from storyheat.core.stories.polls import Poll, answers_from, question_from
from storyheat.core.stories.selection import Mark
from storyheat.errors import NotFound, UsageError
from storyheat.store import polls, selections
from storyheat.store.database import Transaction
from storyheat.store.story_queries import item_named, story_named


class PollClosed(UsageError):
    """The poll takes no answers: it was closed, removed, or another took its place."""


def select_item(connection: Transaction, name: str, mark: Mark, at: datetime, who: str) -> ItemId:
    """Marks an item by hand. Raises NotFound, Ambiguous, UsageError where it is marked so already."""
    item = item_named(connection, name)
    if selections.marks(connection, [item]).get(item, Mark.RULE) is mark:
        said = {Mark.SELECTED: "selected by hand", Mark.REMOVED: "removed by hand", Mark.RULE: "left to the rule"}
        raise UsageError(f"{item} is {said[mark]} already")
    selections.mark_item(connection, item, mark, at, who)
    return item


def set_poll(connection: Transaction, name: str, question: str, answers: Sequence[str], at: datetime) -> StoryId:
    """Asks the readers of a story something; a poll that it has gives way. Raises NotFound, Ambiguous, UsageError."""
    try:
        asked, choices = question_from(question), answers_from(answers)
    except ValueError as error:
        raise UsageError(f"poll set: {error}") from error
    story = story_named(connection, name)
    polls.ask_poll(connection, story, asked, choices, at)
    return story


def close_poll(connection: Transaction, name: str, at: datetime) -> StoryId:
    """Has the poll of a story take no more answers. Raises NotFound, Ambiguous, UsageError."""
    poll = poll_named(connection, name)
    if poll.closed_at is not None:
        raise UsageError(f"the poll of {poll.story} is closed already")
    polls.close_poll(connection, poll, at)
    return poll.story


def remove_poll(connection: Transaction, name: str, at: datetime) -> StoryId:
    """Has the poll of a story be shown no more. Raises NotFound, Ambiguous."""
    poll = poll_named(connection, name)
    polls.remove_poll(connection, poll, at)
    return poll.story


def answer_poll(connection: Transaction, story: StoryId, number: int, browser: str, answer: int, at: datetime) -> None:
    """Counts the answer of a browser, by its place; its first one holds. Raises PollClosed, UsageError."""
    poll = next(iter(polls.polls(connection, story)), None)
    if poll is None or poll.number != number or poll.closed_at is not None:
        raise PollClosed("This poll takes no more answers: it was closed, or another question has taken its place")
    if not 0 <= answer < len(poll.answers):
        raise UsageError("this poll has no such answer")
    polls.take_answer(connection, poll, browser, answer, at)


def poll_named(connection: Transaction, name: str) -> Poll:
    """The poll of the story that `name` means. Raises NotFound, Ambiguous."""
    story = story_named(connection, name)
    poll = next(iter(polls.polls(connection, story)), None)
    if poll is None:
        raise NotFound(f'{story} has no poll: `storyheat poll set {story} "question" --answers yes,no` asks one')
    return poll
