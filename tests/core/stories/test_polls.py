"""A poll: what may be asked, and what its shares are."""

import pytest
from tests.make import utc

from storyheat.core.model import StoryId
from storyheat.core.stories.polls import Poll, answers_from, question_from


def test_a_question_and_its_answers_are_clean_lines() -> None:
    assert question_from("  Will\u202e it\nhold? ") == "Will it hold?"
    assert answers_from(["yes, no ,\x1b[1mperhaps"]) == ("yes", "no", "[1mperhaps")
    assert answers_from(["会，不会"]) == ("会", "不会")
    assert answers_from(["yes, soon", "no"]) == ("yes, soon", "no")


@pytest.mark.parametrize(
    ("given", "because"),
    [
        (["yes"], "2 to 10 answers, not 1"),
        (["a,b,c,d,e,f,g,h,i,j,k"], "2 to 10 answers, not 11"),
        (["yes,,no"], "1 to 120 letters, not 0"),
        (["yes", "n" * 121], "1 to 120 letters, not 121"),
        (["Yes,no,YES"], "the same"),
    ],
)
def test_answers_that_nobody_could_choose_between(given: list[str], because: str) -> None:
    with pytest.raises(ValueError, match=because):
        answers_from(given)


@pytest.mark.parametrize("text", ["", " \u202e ", "w" * 301])
def test_a_question_that_is_none(text: str) -> None:
    with pytest.raises(ValueError, match="1 to 300 letters"):
        question_from(text)


def test_shares_are_of_those_who_answered() -> None:
    def poll(*counts: int) -> Poll:
        return Poll(1, StoryId("s1"), "Will it?", ("yes", "no"), utc("2026-11-10"), None, counts)

    assert (poll(3, 1).total, poll(3, 1).percent(0)) == (4, 75.0)
    assert poll(0, 0).percent(1) is None
