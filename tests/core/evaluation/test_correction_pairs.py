"""Corrections as labelled pairs."""

from storyheat.core.evaluation.correction_pairs import Claim, LabelledPair, PairParams, labelled_pairs
from storyheat.core.model import ItemId

A, B, C, D = (ItemId(name) for name in "abcd")


def test_what_belongs_together_and_what_does_not() -> None:
    claims = [Claim(1, (C, A), beside=(B,), apart=(D, A), together=True)]
    assert labelled_pairs(claims) == [
        LabelledPair(A, B, True, 1), LabelledPair(A, C, True, 1), LabelledPair(A, D, False, 1),
        LabelledPair(B, C, True, 1), LabelledPair(C, D, False, 1),
    ]  # fmt: skip


def test_the_later_of_two_claims_holds() -> None:
    claims = [Claim(3, (A,), apart=(B,)), Claim(1, (B,), beside=(A,))]
    assert labelled_pairs(claims) == [LabelledPair(A, B, False, 3)]


def test_large_groups_give_a_bounded_number() -> None:
    many = tuple(ItemId(f"i{n}") for n in range(30))
    others = tuple(ItemId(f"j{n}") for n in range(30))
    assert len(labelled_pairs([Claim(1, many, beside=others)], PairParams(each_side=4))) == 16
