"""Names in more than one script, and traditional characters as simplified ones."""

from pathlib import Path

import pytest

from storyheat.background import known_names
from storyheat.core.text import names as module
from storyheat.core.text.names import Names, names_from, rows_of
from storyheat.core.text.simplified import simplified
from storyheat.core.text.terms import read

TABLE = Path(module.__file__).parents[1] / "data" / "names.tsv"
NAMES = names_from(
    [
        ["Orbix", "轨星/軌星科技"],
        ["Bank Fund/Fed", "美联储", "", "", "ФРС"],
        ["Marrow Island", "马罗岛", "マロー", "마로", "Марроу"],
        ["Tolland", "", "トランド", "톨란드", "Толланд"],
    ]
)


def anchors(text: str) -> set[str]:
    return set(read(text, "", NAMES).anchors)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("轨星发布引擎", {"orbix"}),
        ("軌星發布引擎", {"orbix"}),
        ("美联储按兵不动", {"bank", "fund", "fed"}),
        ("톨란드에서 화재", {"tolland"}),
        ("Пожар в Толланде", {"tolland"}),
        ("О решении ФРС", {"bank", "fund", "fed"}),
        ("マローへ", {"marrow", "island"}),
        ("マローン氏", set()),  # another name that begins alike
        ("구톨란드", set()),
        ("马罗岛与马罗", {"marrow", "island"}),
    ],
)
def test_a_form_is_read_as_its_english_name(text: str, found: set[str]) -> None:
    assert anchors(text) == found


def test_a_form_is_read_as_its_name_alone() -> None:
    assert list(read("轨星发布引擎", "", NAMES).title) == ["orbix", "发布", "布引", "引擎"]
    assert list(read("轨星", "").title) == ["轨星"]


def test_of_two_forms_the_longer_one_stands() -> None:
    names = names_from([["Niger", "尼日"], ["Nigeria", "尼日利亚"]])
    assert names.split("在尼日利亚与尼日之间") == [("在", "Nigeria"), ("与", "Niger"), ("之间", "")]


@pytest.mark.parametrize("row", [["", "轨星"], ["Orbix", "轨"], ["Orbix", "Orbital"], ["Orbix", "轨星 X"]])
def test_a_form_that_could_not_be_found_is_refused(row: list[str]) -> None:
    with pytest.raises(ValueError, match=r"must be|needs"):
        names_from([row])


def test_the_operators_names_win_over_those_that_ship_and_change_the_mark() -> None:
    shipped, more = known_names(), known_names([["Deep Inference", "深推"], ["Nvidia Corp", "英伟达"]])
    assert shipped.split("英伟达") == [("", "Nvidia"), ("", "")]
    assert more.split("英伟达与深推") == [("", "Nvidia Corp"), ("与", "Deep Inference"), ("", "")]
    assert shipped.mark != more.mark == known_names([["Nvidia Corp", "英伟达"], ["Deep Inference", "深推"]]).mark


def test_the_table_that_ships_is_sound() -> None:
    rows = rows_of(TABLE.read_text("utf-8"))
    pairs = {(row[0], form) for row in rows for form in row[1].split("/") if form}
    assert len(pairs) >= 400  # English and Chinese
    assert all(2 <= len(row) <= 5 for row in rows)
    taken: dict[str, str] = {}
    for english, *others in rows:
        for form in {form for cell in others for form in cell.split("/") if form}:
            assert taken.setdefault(simplified(form), english) == english, form


def test_traditional_characters_are_read_as_simplified_ones() -> None:
    assert simplified("英偉達與臺灣積體電路 abc") == "英伟达与台湾积体电路 abc"
    assert list(read("英偉達", "").title) == list(read("英伟达", "").title)
    assert simplified("乾著") == "乾著"  # two words are written with each


def test_no_names_are_known_without_a_table() -> None:
    assert Names().split("美联储") == [("美联储", "")]
    assert Names().of_word("Толланд") is None
    assert NAMES.of_word("Ад") is None  # too short to take an ending off
