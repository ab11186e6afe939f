"""Words of texts and questions as tokens of the search index."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.search_words import MAX_WORDS, Question, question, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ferry crews, GB300!", ["ferry", "crews", "gb300"]),
        ("深度求索开源", ["深度", "度求", "求索", "索开", "开源", "源"]),
        ("發現 Ｖ２", ["发现", "现", "v2"]),
        ("用 SGLang 跑", ["用", "sglang", "跑"]),
        ("", []),
    ],
)
def test_a_text_becomes_words_and_pairs_of_characters(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("words", "wanted", "unwanted"),
    [
        ("ferry strike", (("ferry",), ("strike",)), ()),
        ("ferry -strike", (("ferry",),), (("strike",),)),
        ("求索", (("求索",),), ()),
        ("深度求索", (("深度", "度求", "求索"),), ()),
        ("茶", (("茶*",),), ()),
        ('"two words" x', (("two", "words"), ("x",)), ()),
        ("v4.1", (("v4", "1"),), ()),
        ('NEAR( " * -', (("near",),), ()),
        ("-only", (), (("only",),)),
    ],
)
def test_a_question_is_words_that_must_and_must_not_occur(
    words: str, wanted: tuple[tuple[str, ...], ...], unwanted: tuple[tuple[str, ...], ...]
) -> None:
    assert question(words) == Question(wanted, unwanted)


@given(st.text(max_size=200))
def test_any_text_can_be_asked_and_is_found_by_its_own_words(text: str) -> None:
    asked = question(text.replace("-", " "))
    assert len(asked.wanted) <= MAX_WORDS
    known = set(tokens(text.replace("-", " ")))
    for group in asked.wanted:
        for token in group:
            assert token in known or any(one.startswith(token.rstrip("*")) for one in known)
