"""How a running text is read piece by piece: numbers over blanks, capitals, and what is remembered."""

from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.text.names import names_from
from storyheat.core.text.words import Words

NAMES = names_from([["Toland", "托兰德", "Толанд"]])
PIECES = st.sampled_from(
    ["155", "trillion", "$38", "per", "cent", "percentage", "points", "US$7", "5", "km", "3万", "亿元", "年", "托兰德",
     "发布三亿元", "Толанда", "Orbix", "orbix", "GB300", "“Big", "end.”", "(Foo)", "it's", "the", "U.S.", "-", "", "\n",
     "١٢"]
)  # fmt: skip


def read(text: str, words: Words | None = None) -> tuple[list[str], list[str]]:
    anchors: dict[str, None] = {}
    return (Words(NAMES) if words is None else words).terms(text, anchors), list(anchors)


def test_a_number_takes_the_words_behind_it_over_single_spaces() -> None:
    assert read("some 155 trillion dollars, 5 per cent and 2.5 percentage points") == (
        ["#1.55e+14$", "#5%", "#2.5pp"],
        ["#1.55e+14$", "#5%", "#2.5pp"],
    )
    assert read("155  trillion")[0] == ["#155", "trillion"]
    assert read("155\ttrillion")[0] == ["#155", "trillion"]


def test_a_sign_that_no_currency_has_is_read_as_a_word_and_a_number() -> None:
    assert read("US€55 HK£60")[0] == ["#55", "hk", "#60"]


def test_a_capital_marks_a_name_unless_it_opens_the_sentence() -> None:
    assert read("Orbix spoke with reporters about Vann. (Vann called Orbix)")[1] == ["vann", "orbix"]
    assert read("— Orbix spoke to reporters")[1] == []


@given(st.lists(PIECES, max_size=12), st.lists(st.lists(PIECES, max_size=6), max_size=6))
def test_what_was_read_before_changes_nothing(pieces: list[str], before: list[list[str]]) -> None:
    words = Words(NAMES, known_chunks=3)
    for text in before:
        read(" ".join(text), words)
    assert read(" ".join(pieces), words) == read(" ".join(pieces))
    assert len(words) <= 3


def test_a_spelled_number_without_a_unit_is_a_term_but_no_name() -> None:
    assert read("三百多人受伤") == (["三百", "百多", "多人", "人受", "受伤", "#300"], [])
