"""The tables of what a language model wrote, and of every request that was made of one."""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, Index, Integer, Text
from sqlmodel import SQLModel

from storyheat.store.columns import Instant, Record, column
from storyheat.store.facts import instant


class BriefRow(SQLModel, table=True):
    """A brief as a model wrote it and the reports bore it out, by a fingerprint of all it was made from.

    It cannot be made again from the facts, and nothing else is ever made from it. `story_id` refers to no row, since
    `rebuild` makes stories anew, under the same ids.
    """

    __tablename__ = "brief"
    __table_args__ = (
        instant("made_at"),
        CheckConstraint("trouble IS NULL OR statements = '[]'", name="trouble_leaves_nothing"),
        Index("brief_of_story", "story_id", "made_at"),
        {"sqlite_strict": True},
    )

    input_key: str = column(Text, primary_key=True, comment="fingerprint of model, prompt, language and reports")
    story_id: str = column(Text, comment="the story it was written for; its id may lead elsewhere since")
    model: str = column(Text, comment="name of the model")
    language: str = column(Text, comment="BCP 47, asked for")
    made_at: datetime = column(Instant, comment="when it was asked for")
    reports: list[list[str]] = column(Record, comment="JSON list of [item, mark of its words] that the model was shown")
    statements: list[dict[str, Any]] = column(
        Record, comment="JSON list of the sentences kept: part, text, items, name"
    )
    dropped: list[dict[str, str]] = column(Record, comment="JSON list of the sentences dropped: part, text, because")
    trouble: str | None = column(Text, null=True, comment="why nothing was kept, in words; NULL: something was")


class ModelRequestRow(SQLModel, table=True):
    """One request to a language model, noted before it was made: the budget of a day counts these."""

    __tablename__ = "model_request"
    __table_args__ = (
        instant("at"),
        CheckConstraint("tokens >= 0", name="tokens_not_negative"),
        Index("model_request_at", "at"),
        {"sqlite_strict": True},
    )

    id: int | None = column(Integer, primary_key=True, default=None, comment="number of the request, in order")
    at: datetime = column(Instant, comment="when it was made; the budget is one of a UTC day")
    story_id: str = column(Text, comment="the story it was made for")
    model: str = column(Text, comment="name of the model")
    outcome: str = column(Text, comment="open (under way, or cut off), answered, or what went wrong in a word")
    message: str | None = column(Text, null=True, comment="what went wrong, in words; NULL: nothing did")
    tokens: int = column(Integer, comment="of prompt and answer; the most it could be where it was not told")
