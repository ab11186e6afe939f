"""How titles and leads are read: terms, quantities, names, sentences and cues."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.text.cues import is_live, is_periodic, is_roundup, places
from storyheat.core.text.terms import LIVE_LEAD_CHARS, MAX_LEAD_CHARS, MAX_SENTENCES, Reading, read
from storyheat.core.text.words import is_cjk_term


def terms(title: str) -> list[str]:
    return list(read(title, "").title)


@pytest.mark.parametrize(
    ("writings", "term"),
    [
        (["155T tokens", "155 trillion tokens", "155-trillion", "155万亿 tokens", "155万亿tokens"], "#1.55e+14"),
        (["$38 per hour", "38美元", "38 dollars", "US$38", "38 USD"], "#38$"),
        (["15%", "15 percent", "15 per cent", "１５％"], "#15%"),
        (["€2.5bn", "2.5 billion euros", "25亿欧元"], "#2.5e+09€"),
        (["21.246 billion yuan", "¥21.2bn", "212亿元"], "#2.12e+10¥"),
        (["1,234,567", "1.23M"], "#1.23e+06"),
        (["7,5%", "7.5%"], "#7.5%"),
        (["HK$5", "hk$5", "5港元"], "#5HK$"),
        (["₹5", "5 rupees"], "#5₹"),
        (["₹5 crore", "₹50 million", "500 lakh rupees"], "#5e+07₹"),
        (["₩5 trillion", "5조원"], "#5e+12won"),
        (["330", "330.0"], "#330"),
    ],
)
def test_one_quantity_has_one_term(writings: list[str], term: str) -> None:
    for writing in writings:
        assert term in terms(writing), writing


def test_days_and_years_say_nothing_and_a_small_amount_does() -> None:
    assert terms("31 2026 1900 0") == []
    assert terms("32 2.5 $7") == ["#32", "#2.5", "#7$"]


@pytest.mark.parametrize("name", ["gb300", "v4.1", "gpt-5.5", "5g", "64x", "k3.1", "covid-19", "2.5.1b2"])
def test_names_with_digits_stay_whole(name: str) -> None:
    reading = read(f"seen {name.upper()} here", "")
    assert name in reading.title
    assert name in reading.anchors


def test_words_are_stemmed_and_names_are_not() -> None:
    assert terms("companies releasing released released") == ["compani", "releas"]
    assert terms("stopped matches boxes passes process status iPhones N.A.T.O. shooting's") == [
        "stop", "match", "box", "pass", "process", "status", "iphones", "nato", "shoot",
    ]  # fmt: skip
    assert terms("the and a I of") == []
    assert terms("école élégante") == ["école", "élégante"]


def test_chinese_is_read_as_pairs_of_characters() -> None:
    reading = read("深度求索发布V4.1", "《流浪地球》票房 12.5亿元")
    assert list(reading.title) == ["深度", "度求", "求索", "索发", "发布", "v4.1"]
    assert "流浪地球" in reading.anchors
    assert "#1.25e+09¥" in reading.anchors
    assert is_cjk_term("深度")
    assert not is_cjk_term("v4.1")
    assert terms("每 a 日本語") == ["每", "日本", "本语"]


def test_names_are_told_by_capitals_only_where_a_capital_says_something() -> None:
    lead = "Yesterday the firm Orbix spoke. Nothing else from NASA or DeepInfer in October."
    assert read("", lead).anchors == ("orbix", "nasa", "deepinfer")
    assert read("Big Firms Spend Much Money", "").anchors == ()
    assert read("", "Big Firms Spend Much Money").anchors == ()


def test_the_title_counts_three_times_and_its_copy_in_the_text_not_at_all() -> None:
    reading = read("Orbix wins", "ORBIX WINS - the race was long")
    assert reading.terms() == {"orbix": 3.0, "win": 3.0, "race": 1.0, "long": 1.0}


def test_sentences_end_where_they_end() -> None:
    lead = (
        "Mr. Vann met Gov. Tolle near the old pier. They spoke about fishing rights!\nShort one here.\n"
        "他们讨论了捕鱼权。会谈很长啊"
    )
    assert [len(sentence) for sentence in read("", lead).sentences] == [7, 3, 7, 4]
    many = read("", "Wind shook several boats. " * 30)
    assert len(many.sentences) == MAX_SENTENCES


def test_no_more_than_the_lead_is_read() -> None:
    reading = read("", "word " * MAX_LEAD_CHARS)
    assert reading.lead_chars <= MAX_LEAD_CHARS


@pytest.mark.parametrize(
    "title",
    [
        "AI Weekly: three launches", "China AI Weekly: money and chips", "Morning Brief for builders",
        "The weekly round-up", "Week in review", "Links for Thursday", "Top stories of the day",
        "Market wrap: banks fall", "The week in pictures: fog", "Ahead this week: prices", "Things to know today",
        "AI早报|模型发布", "【周报】第12期", "十大新品盘点", "一周要闻",
        "Politics live: the day in the chamber", "Norlund business live - markets calm",
        "The best new songs of the week",
    ],
)  # fmt: skip
def test_collections_announce_themselves(title: str) -> None:
    assert is_roundup(title)


@pytest.mark.parametrize(
    "title",
    [
        "Weekly sales rise", "新民晚报记者获奖", "Daily life at sea", "Brief talks held", "Police plan roundup of deer",
        "Five things to know about the new judge", "Ferry aground: live updates", "Why news lives on paper",
    ],
)  # fmt: skip
def test_what_is_no_collection(title: str) -> None:
    assert not is_roundup(title)


def test_periodic_titles_announce_themselves() -> None:
    assert is_periodic("Model tops weekly ranking")
    assert is_periodic("销量环比增长")
    assert not is_periodic("Daily life on the pier")


@pytest.mark.parametrize(
    "title",
    [
        "Ferry aground: live updates",
        "Live: ferry aground",
        "Ferry aground – live",
        "Vote as it happened",
        "渡轮搁浅 实时更新",
    ],
)
def test_live_blogs_are_told_by_their_titles_and_read_no_further_than_their_head(title: str) -> None:
    assert is_live(title)
    assert read(title, "word " * MAX_LEAD_CHARS).lead_chars == LIVE_LEAD_CHARS


def test_what_is_live_otherwise_is_no_live_blog() -> None:
    assert not any(map(is_live, ("How otters live: a study", "Live music returns to Torvik", "Whales live longer")))


def test_names_behind_in_and_at_are_places() -> None:
    assert places("Fire near New Tolland, police say") == ["New Tolland"]
    assert read("Two shot at the Torvik Arena as Odile comes", "").places == ("torvik", "arena")
    assert places("Torvik opens a bridge in autumn") == []


@given(st.text(), st.text())
def test_reading_never_fails_and_is_a_function(title: str, text: str) -> None:
    reading = read(title, text)
    assert isinstance(reading, Reading)
    assert reading == read(title, text)
    assert set(reading.anchors) <= set(reading.terms())
    assert all(reading.terms())


def test_a_small_spelled_number_says_nothing() -> None:
    assert not any(term.startswith("#") for term in read("三十人受伤", "").title)
