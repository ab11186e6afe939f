"""Numbers in running text: values, units and scales of several languages, and what is no number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.text.quantities import Quantity, find, percent_behind, quantity, spelled


def terms(text: str) -> list[str]:
    return [one.term for one in find(text) if one.term is not None]


@pytest.mark.parametrize(
    ("writings", "term"),
    [
        (["155T", "155 trillion", "155万亿", "155兆", "155조", "155 трлн"], "#1.55e+14"),
        (["$38 per GPU-hour", "每GPU小时38美元", "38 dollars", "38ドル", "38달러", "三十八美元"], "#38$"),
        (["3.5億", "3亿5千万", "350 million", "三亿五千万", "三億五千萬", "3.5억", "350 Mio"], "#3.5e+08"),
        (["20%", "20 percent", "20 per cent", "百分之20", "百分之二十", "两成", "20パーセント"], "#20%"),
        (["35%", "三成半"], "#35%"),
        (["7,5%", "7.5%"], "#7.5%"),
        (["1,200", "1200", "一千二百"], "#1.2e+03"),
        (["32 million dollars", "三千二百万美元", "3200万美元", "$32m"], "#3.2e+07$"),
        (["150 million", "一点五亿", "1.5亿", "150 млн"], "#1.5e+08"),
        (["3 trillion", "三万亿"], "#3e+12"),
        (["1.2 trillion", "一万二千亿"], "#1.2e+12"),
        (["120 thousand", "十二万", "12만", "120 тыс"], "#1.2e+05"),
        (["5 km", "5公里", "5 kilometres", "5キロメートル", "十公里，又5千米"], "#5km"),
        (["₩3.5 trillion", "3조 5000억 원"], "#3.5e+12won"),
        (["€2.3bn", "2.3 Milliarden Euro", "23亿欧元"], "#2.3e+09€"),
        (["3 percentage points", "3个百分点"], "#3pp"),
        (["HK$3.5bn", "35亿港元"], "#3.5e+09HK$"),
    ],
)
def test_one_quantity_has_one_term_in_every_language(writings: list[str], term: str) -> None:
    for writing in writings:
        assert term in terms(writing), writing


@pytest.mark.parametrize(
    "text",
    [
        "GB300 V4.1 5G 64x", "2026-10-21", "10:30", "won 3-1 at home", "192.168.0.1", "3月5日", "in 2026",
        "千万不要", "一带一路", "成功在即", "三成员国", "万一", "二〇二六年", "二十大",
    ],
)  # fmt: skip
def test_names_dates_times_scores_and_phrases_are_no_numbers(text: str) -> None:
    assert terms(text) == []


def test_a_number_knows_where_it_stands() -> None:
    text = "涨了百分之5，达到1.5亿美元"
    first, second = find(text)
    assert (text[first.start : first.end], first.value, first.unit, first.digits) == ("百分之5", 5.0, "%", "5")
    assert second == Quantity(1.5e8, "$", "1.5", True, 9, 15)
    assert text[second.start : second.end] == "1.5亿美元"


def test_a_range_keeps_its_named_end() -> None:
    assert terms("10-20%") == ["#20%"]


def test_a_token_that_is_no_quantity_is_a_name() -> None:
    assert quantity("5G") == ("5g", True)
    assert quantity("12") is None
    assert quantity("$12") == ("#12$", True)
    assert quantity("1.2.3") == ("#1.2", False)


def test_a_percentage_with_the_sign_in_front_is_turned_round() -> None:
    assert percent_behind("增长百分之20.5，去年百分之几") == "增长 20.5% ，去年百分之几"


DIGITS = "零一二三四五六七八九"


@given(st.integers(10, 9999), st.sampled_from([("万", 1e4), ("亿", 1e8), ("", 1.0)]))
def test_what_is_spelled_reads_as_what_is_written_in_digits(number: int, step: tuple[str, float]) -> None:
    places = [(DIGITS[number // 10**n % 10], sign) for n, sign in ((3, "千"), (2, "百"), (1, "十"), (0, ""))]
    written = (
        "".join(digit + sign if digit != "零" else "零" for digit, sign in places).strip("零").replace("零零", "零")
    )
    assert [one.value for one in spelled(written + step[0])] == [number * step[1]]


@given(st.text(alphabet="一二三两十百千万亿兆点零成半分之百 3.5$%,-美元公里abc", max_size=30))
def test_any_text_can_be_read_and_what_is_found_lies_within_it(text: str) -> None:
    for one in find(text):
        assert 0 <= one.start < one.end <= len(text)
        assert one.value >= 0
