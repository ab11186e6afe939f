"""Who takes part in a story: names that several voices print."""

from storyheat.core.model import ItemId, Voice
from storyheat.core.stories.players import PlayersParams, Spoken, players
from storyheat.core.text.names import names_from

OPENED = "Today we publish the engine behind our own models. Quillon Labs has run it for two years in every hall."
TOLD = (
    "On Tuesday Quillon Labs and its chief Ilka van Sundrel showed an engine in Torvik. The maker sold none of it. "
    "Analysts at the fair were not asked."
)
DOUBTED = "Analysts doubt Quillon's numbers, and so does Ilka van Sundrel's former partner, who left in May."
IN_TORVIK = "People in Torvik waited for an hour to see what had been promised to them there."


KNOWN = names_from([["Quillon Labs", "奎隆实验室/奎隆"], ["Orme Post", "奥姆邮报"], ["Kite Office/KO", "风筝局"]])
SHOWN_ZH = "奎隆实验室周二在托尔维克展示了新引擎《星环》。奎隆说它从未出售。"
SOLD_ZH = "投资者说，奎隆实验室的《星环》卖得不好。据《河报》报道，工人不同意。"


def told(
    *texts: str, language: str | None = "en", tellers: tuple[str, ...] = (), most: int = 6
) -> list[tuple[str, str]]:
    spoken = [Spoken(ItemId(f"i{n}"), Voice(f"v{n}"), text, language) for n, text in enumerate(texts)]
    return [(one.name, one.text) for one in players(spoken, tellers, PlayersParams(players=most), KNOWN)]


def names(*texts: str, language: str | None = "en", tellers: tuple[str, ...] = ()) -> list[str]:
    return [name for name, _ in told(*texts, language=language, tellers=tellers)]


def test_names_that_two_voices_print_with_the_sentence_that_begins_with_them() -> None:
    assert told(OPENED, TOLD, DOUBTED) == [
        ("Quillon Labs", "Quillon Labs has run it for two years in every hall."),
        ("Ilka van Sundrel", TOLD.partition(". ")[0] + "."),
    ]


def test_a_name_of_one_voice_is_none_and_neither_is_a_place_or_a_word_that_opens_a_sentence() -> None:
    assert names(TOLD) == []
    assert names(*["Quillon shipped none of the engines that it had shown."] * 2) == []
    assert names(TOLD, IN_TORVIK, IN_TORVIK) == []
    assert names(DOUBTED, TOLD.replace("Ilka van Sundrel", "she")) == ["Quillon Labs"]


def test_where_others_are_from_is_no_name() -> None:
    assert names(*["On Monday the Torvian teachers went home before it was dark."] * 2) == []
    assert names(*["On Monday the Torvian Post went home before it was dark."] * 2) == ["Torvian Post"]
    assert names(*["On Monday we heard that Torvian teachers went home early."] * 2) == ["Torvian"]
    assert names(*["On Monday the Torvik teachers went home before it was dark."] * 2) == ["Torvik"]
    assert names(*["On Monday it was said of the Torvian, and of nobody else."] * 2) == ["Torvian"]


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


# -- names in scripts without capitals ------------------------------------------------------------


def test_chinese_names_are_those_of_the_table_and_of_works() -> None:
    assert told(SHOWN_ZH, SOLD_ZH, language="zh") == [
        ("奎隆实验室", "奎隆实验室周二在托尔维克展示了新引擎《星环》。"),
        ("《星环》", "投资者说，奎隆实验室的《星环》卖得不好。"),
    ]


def test_they_are_shown_as_printed_and_known_by_their_simplified_form() -> None:
    printed = "奎隆實驗室週二在現場展示了它的新引擎，沒有出售。"
    assert told(printed, printed, language="zh-Hant") == [("奎隆實驗室", printed)]
    assert names("他们把「星环」交给了工人们去看。", "「星环」在周二的展会上没有人买。") == ["星环"]


def test_a_name_in_two_scripts_is_one_player_shown_in_that_of_most() -> None:
    english = "On Tuesday the engine of Quillon Labs was shown to a crowd that had waited for it."
    chinese = "奎隆实验室周二展示了新引擎，没有出售。"
    assert told(english, chinese) == [("Quillon Labs", english)]
    assert told(english, chinese, chinese) == [("奎隆实验室", chinese)]
    assert told("Then we all saw Quillon Labs.", chinese) == [("奎隆实验室", chinese)]  # the other can not stand alone


def test_further_english_forms_of_the_table_count_for_one_name() -> None:
    whole = "Engineers were told on Monday that the Kite Office has no say in how they are flown."
    assert told(whole, "On Monday the KO said no more.", "周一，风筝局说它不知道。") == [("Kite Office", whole)]


def test_whoever_tells_a_place_and_what_stands_in_a_title_take_no_part() -> None:
    for sentence in (
        "据奥姆邮报周二的消息说，没有人买下这台引擎。",
        "奥姆邮报记者周二看到，没有人买下这台引擎。",
        "没有人在奥姆邮报的门前买下这台引擎，也没有人问。",
        "没有人买下《奥姆邮报年鉴第二卷》这本书。",
    ):
        assert "奥姆邮报" not in names(sentence, sentence, language="zh")
    assert "奥姆邮报" in names(*["正在奥姆邮报任职的人说，没有人买。"] * 2, language="zh")


def test_a_line_without_a_stop_is_a_headline_that_names_but_is_not_told() -> None:
    headline = "奎隆实验室周二展示了新引擎，没有出售"
    assert told(headline, headline, language="zh") == []
    assert told(headline, SHOWN_ZH, language="zh")[0][1] == SHOWN_ZH.partition("。")[0] + "。"
