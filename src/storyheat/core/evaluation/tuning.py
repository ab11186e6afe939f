"""The numbers of a parameter class by name, so that one of them can be tried with another value."""

import math
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

P = TypeVar("P")


def numbers(params: object) -> Iterator[tuple[str, float]]:
    """(name, value) of every number of a parameter object and of those inside it, in the order of its fields."""
    for name, value in _fields(params):
        if is_dataclass(value):
            yield from numbers(value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield name, value


def with_number(params: P, name: str, value: float) -> P:
    """The same parameters with one number changed, wherever inside it stands.

    Raises ValueError with a reason for a name that is no number of theirs and for a value that it cannot have:
    one that is not finite, is negative where the default is not, or is no count from 1 on where the default is one.
    """
    for own, old in _fields(params):
        if is_dataclass(old) and name in dict(numbers(old)):
            return _replaced(params, own, with_number(old, name, value))
        if own == name and isinstance(old, int | float) and not isinstance(old, bool):
            return _replaced(params, own, _checked(name, old, value))
    raise ValueError(f"{name} is none of {', '.join(sorted(dict(numbers(params))))}")


def _fields(params: object) -> list[tuple[str, Any]]:
    assert is_dataclass(params)
    return [(one.name, getattr(params, one.name)) for one in fields(params)]


def _replaced(params: P, name: str, value: object) -> P:
    changed: P = replace(params, **{name: value})  # type: ignore[type-var]
    return changed


def _checked(name: str, old: float, value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{name} must be a number")
    if isinstance(old, int):
        if value < 1 or value != int(value):
            raise ValueError(f"{name} must be a whole number from 1 on")
        return int(value)
    if old > 0.0 >= value:
        raise ValueError(f"{name} must be greater than 0")
    return float(value)
