"""The tables of editorial facts: what a person adds to stories beside corrections, and what readers answer."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, Text
from sqlmodel import SQLModel

from storyheat.store.columns import Instant, Record, column
from storyheat.store.facts import instant, one_of


class PollRow(SQLModel, table=True):
    """A question that was asked of the readers of a story; of several the newest holds, unless it was removed."""

    __tablename__ = "poll"
    __table_args__ = (instant("asked_at"), instant("closed_at"), instant("removed_at"), {"sqlite_strict": True})

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the poll, in order")
    story_id: str = column(Text, comment="the story's id when it was asked; `merge` says where that leads now")
    question: str = column(Text, comment="plain text")
    answers: list[str] = column(Record, comment="JSON list of the answers, in their order")
    asked_at: datetime = column(Instant, comment="when it was asked")
    closed_at: datetime | None = column(Instant, null=True, comment="since when it takes no answers; NULL: it does")
    removed_at: datetime | None = column(Instant, null=True, comment="since when it is not shown; NULL: it is")


class PollAnswerRow(SQLModel, table=True):
    """The answer of one browser to one poll; the first holds."""

    __tablename__ = "poll_answer"
    __table_args__ = (
        instant("at"),
        CheckConstraint("answer >= 0", name="answer_is_a_place"),
        Index("poll_answer_given", "poll_id", "answer"),
        {"sqlite_strict": True, "sqlite_with_rowid": False},
    )

    poll_id: int = column(Integer, ForeignKey("poll.id"), primary_key=True, comment="to which poll")
    browser: str = column(Text, primary_key=True, comment="a random number that the browser keeps in a cookie")
    answer: int = column(Integer, comment="its place in `answers` of the poll, from 0 on")
    at: datetime = column(Instant, comment="when it was given")


class SelectionRow(SQLModel, table=True):
    """A person's word on whether an item is selected, append-only: the newest of an item holds."""

    __tablename__ = "selection"
    __table_args__ = (
        one_of("mark", ("selected", "removed", "rule")),
        instant("at"),
        Index("selection_of_item", "item_id"),
        {"sqlite_strict": True},
    )

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the mark, in order")
    item_id: str = column(Text, ForeignKey("item.id"), comment="which item")
    mark: str = column(Text, comment="selected, removed, or rule: the rule decides again")
    at: datetime = column(Instant, comment="when it was made")
    who: str = column(Text, comment="login name, or as --by says")
