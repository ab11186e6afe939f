"""What a story is called."""

from tests.core.stories.test_developments import COMMON, told

from storyheat.core.model import ItemId
from storyheat.core.stories.headline import headline

VAGUE = told("a", 0, "Our next chapter", "We raised 26 million in a round led by Orme Capital.")
CLEAR = told("b", 1, "Quillon raises 26 million in round led by Orme Capital", "Quillon Labs has new owners.")
ALSO = told("c", 2, "Orme Capital leads round of Quillon", "Quillon raises 26 million.")
ASKS = told("d", 3, "Why does Orme Capital lead the round of Quillon?", "Quillon raises 26 million.")
CHINESE = told("e", 4, "Quillon 融资", "Orme Capital 领投。", language="zh")
UNTITLED = told("f", 5, "", "Quillon raises 26 million.")


def called(*reports: object, founder: str = "a") -> str:
    return headline(reports, ItemId(founder), COMMON)  # type: ignore[arg-type]


def test_a_vague_founding_title_gives_way_to_one_that_says_what_the_reports_share() -> None:
    assert called(VAGUE, CLEAR, ALSO) == "b"


def test_a_title_that_says_about_as_much_does_not_rename_a_story() -> None:
    assert called(CLEAR, ALSO, VAGUE, founder="b") == "b"
    assert called(ALSO, CLEAR, VAGUE, founder="c") == "c"


def test_two_reports_do_not_outvote_each_other() -> None:
    assert called(VAGUE, CLEAR) == "a"


def test_a_title_that_asks_must_say_more() -> None:
    assert called(VAGUE, ASKS, ALSO) == "c"


def test_a_story_is_called_in_the_language_of_most_reports() -> None:
    assert called(CHINESE, CLEAR, ALSO, founder="e") in ("b", "c")


def test_a_founder_without_a_title_or_moved_out_gives_way_to_the_earliest_report() -> None:
    assert called(UNTITLED, ALSO, founder="f") == "c"
    assert called(CLEAR, ALSO) == "b"
    assert called(UNTITLED, founder="f") == "f"
