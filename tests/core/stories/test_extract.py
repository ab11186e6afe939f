"""A summary in sentences of the reports themselves."""

from tests.core.stories.test_developments import COMMON, told
from tests.make import utc

from storyheat.core.model import ItemId
from storyheat.core.stories.developments import DevelopmentParams, Told, developments
from storyheat.core.stories.extract import Cited, ExtractParams, details, extract
from storyheat.core.stories.statements import statements
from storyheat.core.stories.told import Development

CAME = "In the night the river Osmer came over its banks in Torvik."
LEFT = "By dawn 300 people had left the lower town."
FIRST = told("a", 0, "River floods homes in Torvik", f"It rained. {CAME}")
FLED = told("b", 5, "300 people flee Torvik", f"Buses stood ready at the town hall. {LEFT}")
AGAIN = told("c", 6, "Torvik: 300 people leave", "The count of 300 people is that of the fire brigade, it says.")
MAYOR = told("d", 30, "Mayor of Torvik resigns", "She resigned on Tuesday after a long night in the town hall.")


def summary(*reports: Told, sentences: int = 6) -> list[Cited]:
    says = {one.item: one.says for one in reports}
    return extract(developments(reports, COMMON, DevelopmentParams()), says, ExtractParams(sentences))


def test_each_development_gives_the_sentence_that_tells_what_was_new() -> None:
    assert [(one.text, one.items) for one in summary(FIRST, FLED, AGAIN, MAYOR)] == [
        (CAME, ("a",)),
        (LEFT, ("b", "c")),
        ("She resigned on Tuesday after a long night in the town hall.", ("d",)),
    ]


def test_of_too_many_the_first_and_the_confirmed_stay() -> None:
    assert [one.items[0] for one in summary(FIRST, FLED, AGAIN, MAYOR, sentences=2)] == ["a", "b"]


def test_a_text_without_a_sentence_that_can_stand_alone_gives_none() -> None:
    assert summary(told("a", 0, "River floods homes", "It rained.")) == []


def test_chinese_sentences_may_be_shorter_and_none_is_told_twice() -> None:
    first = told("a", 0, "单集群日处理155万亿词元", "官方称单集群每天处理155万亿词元。", language="zh")
    same = told("b", 9, "日处理150万亿词元", "官方称单集群每天处理155万亿词元。", language="zh")
    assert [one.text for one in summary(first, same)] == ["官方称单集群每天处理155万亿词元。"]


def test_a_story_without_developments_has_no_summary() -> None:
    assert summary() == []


def test_details_are_sentences_with_further_figures() -> None:
    text = (
        "The repair of the old bridge costs 48 million euros in all. It needs 900 tonnes of steel, says the builder. "
        "Work takes 14 months from now on. The bridge costs 48 million euros, as was said. It is 14 months. Yes."
    )
    says = {ItemId("a"): statements("Repair costs 48 million euros", text)}
    found = [Development(ItemId("a"), utc("2026-11-10 12:00"), figures=("48 million euros",))]
    short = extract(found, says, ExtractParams())
    assert [one.text for one in short] == ["The repair of the old bridge costs 48 million euros in all."]
    more = details(found, says, short, ExtractParams())
    assert [(one.text, one.items) for one in more] == [
        ("It needs 900 tonnes of steel, says the builder.", ("a",)),
        ("Work takes 14 months from now on.", ("a",)),
    ]
    assert len(details(found, says, short, ExtractParams(details=1))) == 1
