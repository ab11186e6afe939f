"""The figures of agreement: cases worked out by hand, laws, and the independent scorer where it is at hand."""

import importlib.util
import math
from collections.abc import Mapping
from itertools import permutations
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.evaluation.partition_scores import Rates, Scores, Sizes, compare

Predicted = Mapping[str, str | None]


def scores(labels: str, predictions: str) -> Scores:
    """Compares two groupings; each letter is the story of the item at its place, `-` is none, `.` is no line."""
    return compare(_stories(labels), _stories(predictions))


def _stories(letters: str) -> dict[str, str | None]:
    return {str(item): None if letter == "-" else letter for item, letter in enumerate(letters) if letter != "."}


def test_a_case_by_hand() -> None:
    found = scores("xxxyy", "aabbb")
    # a, b: 1 each; c: 1/3; d, e: 2/3 each
    assert (found.bcubed.precision, found.bcubed.recall, found.bcubed.f1) == pytest.approx((11 / 15,) * 3)
    assert (found.pairs.right, found.pairs.predicted, found.pairs.labelled) == (2, 4, 4)
    assert found.pairs.rates == Rates(0.5, 0.5)
    entropy = -(0.6 * math.log(0.6) + 0.4 * math.log(0.4))
    mutual = 0.4 * math.log(0.4 / 0.24) + 0.2 * math.log(0.2 / 0.36) + 0.4 * math.log(0.4 / 0.24)
    assert found.nmi == pytest.approx(mutual / entropy)
    assert (found.labelled, found.predicted) == (Sizes(2, 2, 3), Sizes(2, 2, 3))
    assert found.floor_singletons == pytest.approx(2 * 1 * 0.4 / 1.4)
    assert found.floor_one_story == pytest.approx(2 * (13 / 25) / (1 + 13 / 25))
    assert found.gain_over_floor == pytest.approx((11 / 15 - 4 / 7) / (1 - 4 / 7))


def test_what_is_missing_stands_alone_and_what_is_not_labelled_counts_for_nothing() -> None:
    found = scores("xxxyy--", "aa-.baab")
    assert (found.items, found.missing, found.extra) == (5, 2, 3)
    assert found == compare(
        {"0": "x", "1": "x", "2": "x", "3": "y", "4": "y"},
        {"0": "a", "1": "a", "2": None, "4": "b", "5": "a", "6": "a", "7": "b"},
    )
    alone = scores("xxxyy", "aacdb")
    assert (found.bcubed, found.pairs, found.ami, found.predicted) == (
        alone.bcubed, alone.pairs, alone.ami, alone.predicted,
    )  # fmt: skip


def test_a_missing_story_is_no_story_of_that_name() -> None:
    assert compare({"a": "x", "b": "x"}, {"b": "0"}).predicted == Sizes(2, 0, 1)


@pytest.mark.parametrize(
    ("labels", "predictions", "bcubed", "pairs", "nmi", "ami"),
    [
        ("xxyy", "aabb", 1.0, 1.0, 1.0, 1.0),
        ("x", ".", 1.0, 1.0, 1.0, 1.0),
        ("xyz", "abc", 1.0, 1.0, 1.0, 1.0),
        ("xxx", "aaa", 1.0, 1.0, 1.0, 1.0),
        ("xxyy", "abcd", 2 / 3, 0.0, math.sqrt(0.5), 0.0),
        ("xxyy", "aaaa", 2 / 3, 1 / 2, 0.0, 0.0),
        ("xx", "ab", 2 / 3, 0.0, 0.0, 0.0),
        ("xyz", "aaa", 1 / 2, 0.0, 0.0, 0.0),
        ("xyxy", "aabb", 1 / 2, 0.0, 0.0, -0.5),
    ],
)
def test_edges(labels: str, predictions: str, bcubed: float, pairs: float, nmi: float, ami: float) -> None:
    found = scores(labels, predictions)
    assert (found.bcubed.f1, found.pairs.rates.f1, found.nmi, found.ami) == pytest.approx(
        (bcubed, pairs, nmi, ami), abs=1e-12
    )


def test_the_floor_may_be_perfect_and_something_must_be_labelled() -> None:
    assert scores("xyz", "aab").gain_over_floor is None
    for labels in ("", "--"):
        with pytest.raises(ValueError, match="no item is labelled"):
            scores(labels, "ab")


@pytest.mark.parametrize(("labels", "predictions"), [("xxyyzz", "abacbb"), ("xxxxyz", "aaabbc"), ("xxxyy", "aabbb")])
def test_what_is_adjusted_for_is_the_mean_over_all_ways_to_deal(labels: str, predictions: str) -> None:
    """AMI = (MI − E) / (H − E), so over all orders of the predictions it must be 0 in the mean."""
    found = [scores(labels, "".join(order)).ami for order in permutations(predictions)]
    assert math.fsum(found) / len(found) == pytest.approx(0.0, abs=1e-12)


GROUPED = st.lists(st.tuples(st.sampled_from("wxyz-"), st.sampled_from("abcd-.")), min_size=1, max_size=30).filter(
    lambda pairs: any(label != "-" for label, _ in pairs)
)


@given(GROUPED)
def test_names_and_order_say_nothing(pairs: list[tuple[str, str]]) -> None:
    labels, predictions = ("".join(side) for side in zip(*pairs, strict=True))
    found = scores(labels, predictions)
    renamed = scores(labels.replace("w", "q"), predictions.replace("a", "q"))
    assert found == renamed
    turned = scores(labels[::-1], predictions[::-1])
    assert (found.ami, found.nmi) == pytest.approx((turned.ami, turned.nmi), abs=1e-9)
    assert found.bcubed.f1 == pytest.approx(turned.bcubed.f1)
    assert found.pairs == turned.pairs


@given(GROUPED)
def test_all_figures_keep_their_bounds(pairs: list[tuple[str, str]]) -> None:
    labels, predictions = ("".join(side) for side in zip(*pairs, strict=True))
    found = scores(labels, predictions)
    for rates in (found.bcubed, found.pairs.rates):
        assert 0.0 <= rates.precision <= 1.0 + 1e-12
        assert 0.0 <= rates.recall <= 1.0 + 1e-12
        assert 0.0 <= rates.f1 <= 1.0 + 1e-12
    assert 0.0 <= found.nmi <= 1.0
    assert found.ami <= 1.0 + 1e-9
    perfect = scores(labels, labels)
    assert (perfect.bcubed.f1, perfect.pairs.rates.f1, perfect.nmi, perfect.ami) == pytest.approx((1.0,) * 4)


# -- the independent scorer -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def scorer(shared: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("independent_scorer", shared / "eval" / "score.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@given(pairs=GROUPED)
def test_it_agrees_with_the_independent_scorer(scorer: ModuleType, pairs: list[tuple[str, str]]) -> None:
    labels, predictions = (_stories("".join(side)) for side in zip(*pairs, strict=True))
    known = {item: story for item, story in labels.items() if story is not None}
    told: list[object] = [predictions.get(item) or ("missing", item) for item in known]
    ours = compare(labels, predictions)
    nmi, ami = scorer.nmi_ami(list(known.values()), told)
    assert (ours.bcubed.precision, ours.bcubed.recall, ours.bcubed.f1) == pytest.approx(
        scorer.bcubed(list(known.values()), told), abs=1e-9
    )
    pairs_found = ours.pairs
    assert (
        *(pairs_found.rates.precision, pairs_found.rates.recall, pairs_found.rates.f1),
        *(pairs_found.right, pairs_found.predicted, pairs_found.labelled),
    ) == pytest.approx(scorer.pairwise(list(known.values()), told), abs=1e-9)
    assert (ours.nmi, ours.ami) == pytest.approx((nmi, ami), abs=1e-9)
