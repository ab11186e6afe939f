"""Which one of a series a title is about."""

import pytest

from storyheat.core.text.editions import differ, editions, told_editions


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Norlund Union adopts twelfth sanctions package", ("package=12",)),
        ("13th package of sanctions agreed", ("package=13",)),
        ("Halvard third-quarter profit up", ("quarter=3",)),
        ("Halvard Q3 results beat forecasts", ("quarter=3",)),
        ("Halvard 3Q margin, H1 outlook", ("quarter=3", "half=1")),
        ("海沃公司第三季度净利润增长", ("quarter=3",)),
        ("海沃三季度营收", ("quarter=3",)),
        ("Quillon 2.1 is out", ("quillon=2.1",)),
        ("Quillon v2.2.1 mends what 2.1 broke", ("quillon=2.2.1",)),
        ("GPT-6 and jotPad 18 compared", ("gpt=6", "jotpad=18")),
        ("鲸语2.1实测", ("鲸语=2.1",)),
        ("Novum closes Series B", ("series=b",)),
        ("新元完成数亿元B轮融资", ("series=b",)),
        ("第二十二轮谈判", ("轮=22",)),
        ("第10届大会", ("届=10",)),
        ("第一百零五期", ("期=105",)),
    ],
)
def test_a_title_tells_what_it_is_about_of_a_series(title: str, expected: tuple[str, ...]) -> None:
    assert editions(title) == expected


@pytest.mark.parametrize(
    "title",
    [
        "Third arrest after shooting", "Strike enters fourth day", "Shares fall 2.1%", "Index down 1.5 points",
        "Magnitude 6.1 quake shakes Sarn", "里氏6.1级地震", "公司股价上涨2.5个百分点", "Turnover of Orbix 4.8 billion",
        "",
    ],
)  # fmt: skip
def test_figures_are_no_editions(title: str) -> None:
    assert editions(title) == ()


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("12th package", "Package 13: the thirteenth package", True),
        ("12th package", "The twelfth sanctions package", False),
        ("12th package", "Package of sanctions", False),
        ("GPT-5.3 routed to GPT-5.2", "GPT-5.2 is out", False),
        ("Series A of Orbix", "A third quarter without gain", False),
    ],
)
def test_two_titles_differ_if_they_name_one_series_and_no_edition_in_common(
    one: str, other: str, expected: bool
) -> None:
    assert differ(editions(one), dict.fromkeys(editions(other))) is expected


def test_the_opening_of_a_text_tells_the_quarter_where_the_title_does_not() -> None:
    opening = "Profit rose in the first quarter, said the maker of jotPad 18."
    assert told_editions("Halvard profit up", opening) == ("quarter=1",)
    assert told_editions("Halvard Q3 profit up", opening) == ("quarter=3",)
    assert told_editions("Halvard profit up", " " * 300 + opening) == ()
