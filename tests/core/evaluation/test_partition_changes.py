"""What differs between two groupings of the same items."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.evaluation.partition_changes import ChangeKind, Flow, StoryChange, story_changes


def grouped(letters: str) -> dict[str, str]:
    return {str(item): letter for item, letter in enumerate(letters) if letter != "."}


def changes(before: str, after: str) -> list[StoryChange]:
    return story_changes(grouped(before), grouped(after))


def test_names_alone_are_no_change() -> None:
    assert changes("aabbc", "xxyyz") == []
    assert changes("", "") == []


@pytest.mark.parametrize(
    ("before", "after", "kind", "sizes"),
    [
        ("aaabb", "aaaaa", ChangeKind.MERGE, ({"a": 3, "b": 2}, {"a": 5})),
        ("aaaaa", "aaabb", ChangeKind.SPLIT, ({"a": 5}, {"a": 3, "b": 2})),
        ("aaabbc", "aabbbc", ChangeKind.REGROUP, ({"a": 3, "b": 2}, {"b": 3, "a": 2})),
    ],
)
def test_a_change_and_who_takes_part(
    before: str, after: str, kind: ChangeKind, sizes: tuple[Mapping[str, int], Mapping[str, int]]
) -> None:
    [change] = changes(before, after)
    assert (change.kind, change.before, change.after, change.items) == (kind, *sizes, 5)


def test_a_long_chain_of_moves_is_one_change() -> None:
    [change] = changes("aabbcc", "xyyzzx")
    assert change.kind is ChangeKind.REGROUP
    assert change.flows == tuple(Flow(here, there, 1) for here, there in ("ax", "ay", "by", "bz", "cx", "cz"))


def test_the_largest_change_comes_first_and_items_of_one_side_only_do_not_count() -> None:
    found = changes("aabbbccc.", "aacccccdd")
    assert [(change.kind, change.items) for change in found] == [(ChangeKind.REGROUP, 6)]
    found = changes("abcccd.", "xxyyzz.")
    assert [change.items for change in found] == [4, 2]
    assert changes("ab", "x.") == []


@given(st.text("abcd", max_size=20), st.text("wxyz", max_size=20))
def test_every_changed_item_is_in_one_change_and_no_other(before: str, after: str) -> None:
    before, after = before[: len(after)], after[: len(before)]
    found = changes(before, after)
    stories = [story for change in found for story in change.before]
    assert len(stories) == len(set(stories))
    for story in set(before) - set(stories):
        [then] = {there for here, there in zip(before, after, strict=True) if here == story}
        assert {here for here, there in zip(before, after, strict=True) if there == then} == {story}
    assert changes(after, before) == [] if not found else len(changes(after, before)) == len(found)
