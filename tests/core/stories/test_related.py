"""Which other stories a story has to do with."""

from tests.make import utc

from storyheat.core.model import ItemId, Level, StoryId, Voice
from storyheat.core.stories.developments import Told
from storyheat.core.stories.related import SERIES, RelatedParams, names_of, related
from storyheat.core.stories.statements import statements
from storyheat.core.stories.told import Name

PARAMS = RelatedParams()


def reports(*texts: tuple[str, str]) -> tuple[list[Told], dict[ItemId, tuple[str, str]]]:
    words = {ItemId(f"i{number}"): pair for number, pair in enumerate(texts)}
    at = utc("2026-11-10 12:00")
    told = [
        Told(item, at, Voice(item), Level.PRESS, "en", statements(title, text)) for item, (title, text) in words.items()
    ]
    return told, words


def names(*shown: str, in_title: bool = True) -> list[Name]:
    return [Name(one.lower(), one, in_title) for one in shown]


def series(which: str) -> Name:
    return Name(f"{SERIES}package", f"package {which}", True)


def why(own: list[Name], others: dict[str, list[Name]], touched: dict[str, bool] | None = None) -> dict[str, str]:
    found = related(
        own,
        {StoryId(story): listed for story, listed in others.items()},
        {StoryId(story): of for story, of in (touched or {}).items()},
        PARAMS,
    )
    return {one.story: one.why for one in found}


def test_the_names_of_a_story_are_those_that_its_reports_share() -> None:
    told, words = reports(
        (
            "Quuxcorp’s Zorblat engine is out",
            "Then some people working at Quuxcorp opened their GX300 and the OpenAI’s again.",
        ),
        ("engine opened", "The zorblat engine of Quuxcorp runs on GX300, says Harlund of OpenAI."),
        ("A third", "Nothing here."),
    )
    found = names_of(told, words, "The 12th package of Quuxcorp", {"openai": 0.01}, PARAMS)
    assert found == [
        Name("gx300", "GX300", False),
        Name("quuxcorp", "Quuxcorp", True),
        Name("=package", "package 12", True),
    ]
    assert names_of(told, words, "", {"openai": 0.01}, RelatedParams(names=1)) == found[:1]
    assert names_of(told[:1], words, "", {}, PARAMS) == []


def test_a_name_that_no_report_prints_with_a_capital_stands_as_it_is_compared() -> None:
    told, words = reports(("《潮轮》出版", "今天"), ("《潮轮》上市", "昨天"))
    assert names_of(told, words, "", {}, PARAMS) == [Name("潮轮", "潮轮", True)]


def test_a_rare_name_in_both_titles_is_enough() -> None:
    own = names("Zorblat")
    assert why(own, {"a": names("Zorblat")}) == {"a": "shares Zorblat"}
    assert why(own, {"a": names("Zorblat", in_title=False)}) == {}
    assert why(names("Zorblat", in_title=False), {"a": own}) == {}
    assert why(own, dict.fromkeys("abcd", own)) == {}


def test_two_names_are_enough_and_more_of_them_closer() -> None:
    own = names("Zorblat", "Torvik", "Quuxcorp", "Harlund", in_title=False)
    found = why(own, {"a": own[:2], "b": own, "c": own[:1], "d": []})
    assert list(found.items()) == [("b", "shares Harlund, Quuxcorp, Torvik"), ("a", "shares Torvik, Zorblat")]


def test_another_edition_of_a_series_needs_a_name() -> None:
    norlund = names("Norlund", in_title=False)
    own = [*norlund, series("12")]
    found = why(own, {"a": [*norlund, series("11")], "b": [series("11")], "c": [*norlund, series("12")]})
    assert found == {"a": "another of a series: package 11; shares Norlund"}


def test_a_report_that_touches_both_is_enough() -> None:
    found = why(names("Zorblat"), {"b": names("Zorblat")}, {"a": True, "b": False})
    assert list(found.items()) == [
        ("b", "a report of it mentions this story; shares Zorblat"),
        ("a", "a report of this story mentions it"),
    ]
