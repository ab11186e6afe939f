"""Stems of English words: forms of one word meet, different words stay apart."""

import pytest

from storyheat.core.text.stems import stem


@pytest.mark.parametrize(
    "forms",
    [
        "resign resigns resigned resigning resignation",
        "impeach impeachment impeached",
        "shoot shot shooting shooter shootings",
        "company companies",
        "investigate investigates investigated investigation investigator",
        "accident accidental accidentally",
        "pass passes passed passing",
        "stop stopped stopping",
        "organize organizes organized organization",
    ],
)
def test_forms_of_one_word_meet(forms: str) -> None:
    assert len({stem(form) for form in forms.split()}) == 1


def test_other_words_stay_apart() -> None:
    words = "paper ferry status bus iran iraq vote note price prize trade trader station state united unit city war"
    stems = {word: stem(word) for word in words.split()}
    assert stems["trade"] == stems["trader"]
    assert stems["united"] == stems["unit"]
    assert len(set(stems.values())) == len(stems) - 2


def test_what_is_no_english_word_stays_as_it_is() -> None:
    assert [stem(word) for word in ("école", "ai", "bus", "москва", "red")] == ["école", "ai", "bus", "москва", "red"]
    assert stem("sing") == "sing"
    assert stem("boxes") == "box"
    assert stem("ties") == "tie"
