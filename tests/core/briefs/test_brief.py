"""What of a model's answer is kept: only what the reports bear out."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.make import utc

from storyheat.core.briefs.brief import BriefParams, Checked, Part, checked, read_answer, sentence_in
from storyheat.core.briefs.prompt import Shown
from storyheat.core.model import ItemId, Level
from storyheat.core.text.names import NO_NAMES_KNOWN

REPORTS = [
    Shown(
        1, ItemId("i1"), utc("2026-11-12 09:00"), "Alpha Post", Level.PRESS, "en", "Quuxcorp opens the Zorblat engine",
        "The Zorblat engine of Quuxcorp compiles twice as fast. Torvik pays 42 million dollars for it.",
    ),
    Shown(2, ItemId("i2"), utc("2026-11-12 10:00"), "河报", Level.PRESS, "zh-Hans", "夸克斯开源引擎", "编译速度提高。"),
]  # fmt: skip
PARAMS = BriefParams()


def check(answer: Any, language: str = "en", params: BriefParams = PARAMS) -> Checked:
    return checked(answer, REPORTS, language, NO_NAMES_KNOWN, params)


def of_summary(text: object, items: object = (1,)) -> Checked:
    return check({"summary": [{"text": text, "items": list(items) if isinstance(items, tuple) else items}]})


def test_a_good_answer_is_kept_whole() -> None:
    found = check(
        {
            "summary": [{"text": "Quuxcorp opens its Zorblat engine.", "items": [1, "[1]", 1]}],
            "why_it_matters": [{"text": "Compiles are twice as fast.", "items": [1]}],
            "players": [{"name": "Torvik", "role": "It pays 42 million dollars.", "items": [1]}],
            "details": [{"text": "The engine compiles twice as fast.", "items": ["item 1"]}],
            "timeline": [{"text": "The engine was opened on 12 November.", "items": [1, 2]}],
            "takeaway": [],
        }
    )
    assert found.dropped == ()
    assert found.trouble is None
    assert [(one.part, one.items) for one in found.statements] == [
        (Part.SUMMARY, ("i1",)), (Part.WHY, ("i1",)), (Part.PLAYERS, ("i1",)), (Part.DETAILS, ("i1",)),
        (Part.TIMELINE, ("i1", "i2")),
    ]  # fmt: skip
    assert found.statements[2].name == "Torvik"


@pytest.mark.parametrize(
    ("text", "items", "because"),
    [
        ("The engine is open.", (), "it cites no report"),
        ("The engine is open.", None, "it cites no report"),
        ("The engine is open.", ([], True, 1.5, "one"), "it cites no report"),
        ("The engine is open.", (1, 7), "it cites report 7, which there is not"),
        ("Torvik pays 43 million dollars.", (1,), '"43 million dollars" is in none of the reports it cites'),
        ("Torvik and Nvidia pay.", (1,), '"Nvidia" is in none of the reports it cites'),
        ("Torvik pays 42 million dollars.", (2,), '"42 million dollars" is in none of the reports it cites'),
        ("Investors should sell shares quickly.", (1,), "the reports it cites are about something else"),
        ("See https://evil.example/x about the engine.", (1,), "it holds a link"),
        ("The engine is at evil.com/engine now.", (1,), "it holds a link"),
        ("The [engine](javascript:alert(1)) is open.", (1,), "it holds a link"),
        ("The engine is open. " * 30, (1,), "it is too long"),
    ],
)
def test_why_a_sentence_is_dropped(text: str, items: object, because: str) -> None:
    found = of_summary(text, items)
    assert [one.because for one in found.dropped] == [because]
    assert found.statements == ()
    assert found.trouble == f"none of its sentences held, the first because {because}"


def test_a_player_is_known_by_name() -> None:
    answer = {
        "players": [{"name": "Nvidia", "role": "It pays.", "items": [1]}, {"name": "", "role": "x", "items": [1]}]
    }
    (dropped,) = check(answer).dropped
    assert (dropped.text, dropped.because) == ("Nvidia: It pays.", '"Nvidia" is in none of the reports it cites')


def test_a_sentence_stands_once_and_a_part_has_its_length() -> None:
    one = {"text": "The engine is open.", "items": [1]}
    found = check({"why_it_matters": [one, one], "details": [one]})
    assert [one.because for one in found.dropped] == ["it says the same again"] * 2
    many = {"takeaway": [{"text": f"The engine{' engine' * n} is open.", "items": [1]} for n in range(6)]}
    assert [one.because for one in check(many).dropped] == ["there are 4 of these already"] * 2
    assert len(check(many, params=BriefParams(dropped=1)).dropped) == 1


def test_of_another_language_no_words_are_compared() -> None:
    answer = {"summary": [{"text": "The compiler got much quicker than before.", "items": [2]}]}
    assert check(answer).trouble is None
    assert check(answer, "zh").statements == ()  # the model did not write in the language it was asked for


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("<script>alert(1)</script>The <b>engine</b> &amp; more", "The engine & more"),
        ("**The engine** is `open` [1, 2].", "The engine is open."),
        ("- The engine (report 1)", "The engine"),
        ("\x1b[31mred\u202e text\x00", "red text"),
        (" a\n\nb ", "a b"),
        (None, ""),
        (["x"], ""),
    ],
)
def test_a_sentence_is_one_clean_line(raw: object, clean: str) -> None:
    assert sentence_in(raw, 500) == clean


@pytest.mark.parametrize(
    ("content", "read"),
    [
        ('{"a": 1}', True),
        ('```json\n{"a": 1}\n```', True),
        ('<think>{"no"}</think>\n{"a": 1}', True),
        ('Here it is: {"a": 1}.', True),
        ("I cannot help with that.", False),
        ("[1, 2]", False),
        ("", False),
        ('{"a": ' * 100_000, False),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", False),
    ],
)
def test_an_answer_is_read_where_there_is_one(content: str, read: bool) -> None:
    assert (read_answer(content) == {"a": 1}) is read


def test_an_answer_without_a_sentence_says_so() -> None:
    assert (
        check({"summary": "no list", "details": ["no record", {"text": ""}]}).trouble == "the answer holds no sentence"
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["text", "items", "name", "role", "summary", "players"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from([part.value for part in Part]), JSON, max_size=6))
def test_any_answer_is_checked_and_what_is_kept_cites_reports(answer: dict[str, Any]) -> None:
    found = check(answer)
    assert all(one.items and {*one.items} <= {"i1", "i2"} for one in found.statements)
    assert (found.trouble is None) is bool(found.statements)
