"""Who takes part in a story: names that several voices print."""

from storyheat.core.model import ItemId, Voice
from storyheat.core.stories.players import PlayersParams, Spoken, players

OPENED = "Today we publish the engine behind our own models. Quillon Labs has run it for two years in every hall."
TOLD = (
    "On Tuesday Quillon Labs and its chief Ilka van Sundrel showed an engine in Torvik. The maker sold none of it. "
    "Analysts at the fair were not asked."
)
DOUBTED = "Analysts doubt Quillon's numbers, and so does Ilka van Sundrel's former partner, who left in May."
IN_TORVIK = "People in Torvik waited for an hour to see what had been promised to them there."


def told(
    *texts: str, language: str | None = "en", tellers: tuple[str, ...] = (), most: int = 6
) -> list[tuple[str, str]]:
    spoken = [Spoken(ItemId(f"i{n}"), Voice(f"v{n}"), text, language) for n, text in enumerate(texts)]
    return [(one.name, one.text) for one in players(spoken, tellers, PlayersParams(players=most))]


def names(*texts: str, language: str | None = "en", tellers: tuple[str, ...] = ()) -> list[str]:
    return [name for name, _ in told(*texts, language=language, tellers=tellers)]


def test_names_that_two_voices_print_with_the_sentence_that_begins_with_them() -> None:
    assert told(OPENED, TOLD, DOUBTED) == [
        ("Quillon Labs", "Quillon Labs has run it for two years in every hall."),
        ("Ilka van Sundrel", TOLD.partition(". ")[0] + "."),
    ]


def test_a_name_of_one_voice_is_none_and_neither_is_a_place_or_a_word_that_opens_a_sentence() -> None:
    assert names(TOLD) == []
    assert names(TOLD, IN_TORVIK, IN_TORVIK) == []
    assert names(DOUBTED, TOLD.replace("Ilka van Sundrel", "she")) == ["Quillon Labs"]


def test_whoever_only_tells_takes_no_part() -> None:
    text = "The editors of Harbour Wire counted the boats themselves on Sunday morning."
    assert names(text, text) == ["Harbour Wire"]
    assert names(text, text, tellers=("Harbour Wire",)) == []


def test_headlines_and_nouns_with_capitals_are_no_names() -> None:
    headline = "Quillon Labs Shows New Engine To Crowd In Torvik Hall."
    assert names(headline, headline) == []
    german = "Gestern hat die Deutsche Stromwerke das Wasser in der Stadt und in den Kellern abgestellt."
    assert names(german, german, language="de-CH") == ["Deutsche Stromwerke"]


def test_latin_names_are_found_between_chinese_characters_but_told_in_the_language_of_most() -> None:
    chinese = "据悉 Quillon Labs 周二在现场展示了它的引擎，但没有出售。"
    spoken = [
        Spoken(ItemId("i1"), Voice("v1"), chinese, "zh"),
        Spoken(ItemId("i2"), Voice("v2"), TOLD, "en"),
        Spoken(ItemId("i3"), Voice("v3"), OPENED, "en"),
    ]
    [one] = players(spoken, (), PlayersParams())
    assert (one.name, one.item) == ("Quillon Labs", "i3")


def test_two_players_share_a_sentence_only_where_there_is_no_other() -> None:
    both = "Quillon Labs sued Orme Capital on Monday over a bridge loan of nine million."
    later = "Then Orme Capital sued back, with a claim that is twice as large as that."
    assert told(both, f"{both} {later}") == [("Orme Capital", later), ("Quillon Labs", both)]
    assert [text for _, text in told(both, both)] == [both, both]
    assert len(told(both, both, most=1)) == 1


def test_a_name_without_a_sentence_that_can_stand_alone_is_left_out() -> None:
    assert names("Orme Capital paid.", "Orme Capital left.") == []
    assert names("§ 1.") == []
