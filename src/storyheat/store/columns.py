"""Column types and helpers of the tables: instants as UTC text, flags as 0/1, records as JSON text."""

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import REAL, Column, Dialect, Double, Integer, Text
from sqlalchemy.types import TypeDecorator, TypeEngine
from sqlmodel import Field

INSTANT_SHAPE = "____-__-__T__:__:__Z"  # for LIKE, which every dialect knows


def instant_text(value: datetime) -> str:
    """`2026-10-26T23:00:00Z`: sorts as time does. Raises ValueError for a naive datetime."""
    if value.tzinfo is None:
        raise ValueError(f"naive datetime {value!r}: instants are aware")
    return value.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"


def instant_from_text(text: str) -> datetime:
    """The inverse of `instant_text`."""
    return datetime.fromisoformat(text)


Number: TypeEngine[float] = Double().with_variant(
    REAL(), "sqlite"
)  # 64 bits in every dialect; STRICT knows only this name


class Instant(TypeDecorator[datetime]):
    """An aware UTC datetime with whole seconds, kept as ISO text (SQLite itself forgets zones)."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        return None if value is None else instant_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        return None if value is None else instant_from_text(value)


class Flag(TypeDecorator[bool]):
    """A yes or no, kept as 1 or 0 (STRICT tables know no booleans)."""

    impl = Integer
    cache_ok = True

    def process_bind_param(self, value: bool | None, dialect: Dialect) -> int | None:
        return None if value is None else int(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> bool | None:
        return None if value is None else bool(value)


class Record(TypeDecorator[Any]):
    """A list or mapping, kept as compact JSON text with sorted keys, so that equal values are equal text."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else record_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


def record_text(value: Any) -> str:
    """The one spelling of a record in the database."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def column(kind: Any, *args: Any, comment: str, null: bool = False, default: Any = ..., **options: Any) -> Any:
    """A documented column of a table class; `comment` goes into the generated schema page."""
    made = Column(kind, *args, nullable=null, comment=comment, **options)
    return Field(sa_column=made) if default is ... else Field(default=default, sa_column=made)
