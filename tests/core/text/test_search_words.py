"""Words of texts and questions as tokens of the search index."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.text.search_words import MAX_WORDS, Question, holds, question, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ferry crews, GB300!", ["ferry", "crews", "gb300"]),
        ("深度求索开源", ["深度", "度求", "求索", "索开", "开源", "源"]),
        ("發現 Ｖ２", ["发现", "现", "v2"]),
        ("用 SGLang 跑", ["用", "sglang", "跑"]),
        (
            "𠮷野家の人々・二〇二六年",
            ["𠮷野", "野家", "家の", "の人", "人々", "々", "二〇", "〇二", "二六", "六年", "年"],
        ),
        ("ア・・イ ゛", ["ア", "イ"]),
        ("", []),
    ],
)
def test_a_text_becomes_words_and_pairs_of_characters(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("words", "wanted", "unwanted", "runs"),
    [
        ("ferry strike", (("ferry",), ("strike",)), (), ()),
        ("ferry -strike", (("ferry",),), (("strike",),), ()),
        ("求索", (("求索",),), (), ()),
        ("深度求索", (("深度", "度求", "求索"),), (), ("深度求索",)),
        ("Ｖ３發現者，求索", (("v3", "发现", "现者", "求索"),), (), ("发现者",)),
        ("引擎 -没有", (("引擎",),), (("没有",),), ()),
        ("茶", (("茶*",),), (), ()),
        ('"two words" x', (("two", "words"), ("x",)), (), ()),
        ("v4.1", (("v4", "1"),), (), ()),
        ('NEAR( " * -', (("near",),), (), ()),
        ("-only", (), (("only",),), ()),
        ("\udce9x \ud800 \ue000", (("x",),), (), ()),
    ],
)
def test_a_question_is_words_that_must_and_must_not_occur(
    words: str, wanted: tuple[tuple[str, ...], ...], unwanted: tuple[tuple[str, ...], ...], runs: tuple[str, ...]
) -> None:
    assert question(words) == Question(wanted, unwanted, runs)


def test_pairs_that_stand_apart_are_no_word() -> None:
    asked = question("没有人 引擎")
    assert holds(asked, "引擎", "這裡沒有人")
    assert holds(asked, "没有人", "")
    assert not holds(asked, "没有车，有人", "引擎")
    without = question("引擎 -没有人")
    assert without == Question((("引擎",),), (), (), ("没有人",))
    assert holds(without, "没有车，有人", "引擎")
    assert not holds(without, "没有人", "引擎")
    assert holds(question("引擎"), "", "")


@given(st.text(max_size=200))
def test_any_text_can_be_asked_and_is_found_by_its_own_words(text: str) -> None:
    asked = question(text.replace("-", " "))
    assert len(asked.wanted) <= MAX_WORDS
    known = set(tokens(text.replace("-", " ")))
    for group in asked.wanted:
        for token in group:
            assert token in known or any(one.startswith(token.rstrip("*")) for one in known)
