"""Numbers by name: found wherever they stand, and changed only to what they can be."""

from dataclasses import dataclass, field

import pytest

from storyheat.core.clustering.clusterer import Clusterer
from storyheat.core.clustering.model import ClusterParams, Doc
from storyheat.core.evaluation.tuning import numbers, with_number


@dataclass(frozen=True)
class Inner:
    width: float = 2.0
    rows: int = 5


@dataclass(frozen=True)
class Outer:
    inner: Inner = field(default_factory=Inner)
    limit: float = 0.0
    strict: bool = True
    weights: tuple[float, ...] = (1.0, 2.0)


def test_all_numbers_are_found_and_nothing_else() -> None:
    assert list(numbers(Outer())) == [("width", 2.0), ("rows", 5), ("limit", 0.0)]


def test_one_number_is_changed_and_the_rest_stays() -> None:
    assert with_number(Outer(), "limit", -1.5) == Outer(limit=-1.5)
    assert with_number(Outer(limit=3.0), "rows", 7.0) == Outer(Inner(rows=7), limit=3.0)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("height", 1.0, "height is none of limit, rows, width"),
        ("strict", 1.0, "strict is none of"),
        ("weights", 1.0, "weights is none of"),
        ("limit", float("nan"), "must be a number"),
        ("limit", float("inf"), "must be a number"),
        ("rows", 0.0, "whole number from 1 on"),
        ("rows", 1.5, "whole number from 1 on"),
        ("width", 0.0, "greater than 0"),
        ("width", -1.0, "greater than 0"),
    ],
)
def test_what_a_number_cannot_be_is_refused(name: str, value: float, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        with_number(Outer(), name, value)


def test_the_names_of_the_clusterer_are_its_own() -> None:
    names = [name for name, _ in numbers(ClusterParams())]
    assert "threshold" in names
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", [name for name, _ in numbers(ClusterParams())])
@pytest.mark.parametrize("value", [-1e9, 1e-9, 1.0, 1e9])
def test_no_number_that_may_be_tried_breaks_the_clusterer(name: str, value: float) -> None:
    try:
        params = with_number(ClusterParams(), name, value)
    except ValueError:
        return
    clusterer = Clusterer({}, params=params)
    for number, title in enumerate(["Orbix sends Kestrel chips to schools", "Schools get Kestrel chips of Orbix"] * 2):
        clusterer.place(Doc(str(number), None, title, f"{title}. And a second sentence about a ferry."), f"s{number}")
