"""Whether one text is another's: what is compared, what meets in the index, and what decides."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.make import utc

from storyheat.core.items.copies import (
    Candidate,
    CopyParams,
    Likeness,
    Sketch,
    find_copy,
    likeness,
    sketch,
    tokens_of,
)
from storyheat.core.model import ItemId

PARAMS = CopyParams()
NOW = utc("2026-11-10 12:00")
TITLE = "Harbour bridge closes for repairs after winter storm damage"
WORDS = [f"word{number}" for number in range(200)]
BODY = "The harbour bridge closes for repairs after winter storm damage. " + " ".join(WORDS[:100])
ZH = "港口大桥因冬季风暴受损将于周一起封闭维修市政部门表示工程预计持续六周期间公交车辆改道行驶请市民提前安排出行"
ZH += "海事局同时提醒过往船只减速慢行注意避让施工水域并服从现场指挥"


def of(body: str, title: str = TITLE) -> Sketch:
    return sketch(title, body, PARAMS)


def meet(one: Sketch, two: Sketch) -> bool:
    return bool(set(one.bands) & set(two.bands))


def candidate(body: str, item: str = "a", copy_set: str | None = None, days: float = 0) -> Candidate:
    at = NOW - timedelta(days=days)
    return Candidate(ItemId(item), ItemId(copy_set or item), at, of(body))


def found(body: str, *candidates: Candidate) -> Likeness | None:
    return find_copy(ItemId("me"), of(body), NOW, candidates, PARAMS)


# -- sketches -------------------------------------------------------------------------------------


def test_words_are_folded_and_each_han_character_is_one() -> None:
    assert tokens_of("The BRIDGE, re-opened: 港口 6.5%") == ("the", "bridge", "re", "opened", "港", "口", "6", "5")


def test_a_long_body_stands_alone_so_that_another_headline_does_not_hide_a_copy() -> None:
    other = of(BODY, "Winter storm damage: harbour bridge closes")
    assert other == of(BODY)
    assert len(other.bands) == PARAMS.bands + PARAMS.head_bands


def test_a_body_that_says_nothing_of_its_title_is_no_text_of_it() -> None:
    notice = "We use cookies and similar means to give you a better visit. " * 5
    one, two = of(notice, "Bridge closes"), of(notice, "Rates rise")
    assert (one.tokens, one.bands) == (("bridge", "closes"), ())
    assert not meet(one, two)


def test_a_short_text_is_compared_with_its_title_to_the_letter() -> None:
    short = "Traffic is sent round by the old tunnel until spring."
    assert len(of(short).bands) == 1
    assert meet(of(short), of(short))
    assert not meet(of(short), of(short, "Another title of many words, all quite different from it"))


def test_a_very_short_text_has_no_copies() -> None:
    assert of("", "Open thread").bands == ()


def test_bands_are_numbers_that_sql_can_hold_and_the_same_in_every_process() -> None:
    bands = of(BODY).bands
    assert all(-(2**63) <= band < 2**63 for band in bands)
    assert bands[0] == -3314713803738871590


def test_a_text_with_a_word_without_end_is_met_by_its_start() -> None:
    long = f"{BODY} {'x' * 100_000}"
    assert of(long).bands[-1] == of(BODY).bands[-1]
    assert of(long).bands == of(f"{long}y").bands


@pytest.mark.parametrize(("changed", "copied"), [(1, True), (3, True), (5, False)])
def test_a_few_changed_words_leave_a_copy_a_copy(changed: int, copied: bool) -> None:
    """Each changed word of 110 breaks 5 of 106 runs: three leave 91 of 121 in common, five 81 of 131."""
    words = BODY.split()
    for number in range(changed):
        words[20 * number + 15] = f"other{number}"
    edited = " ".join(words)
    assert meet(of(BODY), of(edited)) or not copied
    assert (found(edited, candidate(BODY)) is not None) == copied


# -- decisions ------------------------------------------------------------------------------------


def test_an_equal_text_is_a_copy_of_the_least_id() -> None:
    assert found(BODY, candidate(BODY, "b"), candidate(BODY, "a")) == Likeness(ItemId("a"), ItemId("a"), 1.0)


def test_of_two_sets_the_most_similar_member_says_which() -> None:
    near = BODY.replace("word50", "other")
    chosen = found(BODY, candidate(near, "a", "set-a"), candidate(BODY, "b", "set-b"))
    assert chosen == Likeness(ItemId("set-b"), ItemId("b"), 1.0)


def test_an_item_is_no_copy_of_itself() -> None:
    assert found(BODY, candidate(BODY, "me")) is None


def test_a_yearly_notice_comes_back_as_itself() -> None:
    assert found(BODY, candidate(BODY, days=30)) is not None
    assert found(BODY, candidate(BODY, days=30.1)) is None


def test_another_text_is_no_copy() -> None:
    other = "The harbour bridge closes for repairs after winter storm damage. " + " ".join(WORDS[100:])
    assert found(other, candidate(BODY)) is None


def test_the_same_words_with_other_figures_are_the_next_report() -> None:
    report = "Shares closed at {} points, up {} from {} the day before. " + " ".join(WORDS[:80])
    one, two = report.format(4120, 37, 4083), report.format(4155, 35, 4120)
    params = CopyParams(title_in_body=0)
    assert likeness(tokens_of(one), tokens_of(one), params) == 1.0
    assert likeness(tokens_of(one), tokens_of(two), params) == 0.0


def test_a_short_text_is_only_equal_or_different() -> None:
    one, two = tokens_of("a b c d e f g h i j k l"), tokens_of("a b c d e f g h i j k m")
    assert (likeness(one, one, PARAMS), likeness(one, two, PARAMS)) == (1.0, 0.0)


def test_a_body_of_one_or_two_sentences_is_known_again_under_another_headline() -> None:
    body = "The harbour bridge closes for repairs on Monday. " + " ".join(WORDS[:20])
    one, two = of(body, "Harbour bridge closes"), of(body, "Bridge closes for repairs")
    assert one == two
    assert len(one.bands) == 1
    notice = "Add a location to your posts. " + " ".join(WORDS[:25])
    assert not meet(of(notice, "Harbour police on the network"), of(notice, "Fire brigade on the network"))


WHOLE = BODY + " " + " ".join(WORDS[100:])


@pytest.mark.parametrize(
    ("later", "copied"),
    [
        (" ".join(WHOLE.split()[:60]) + " Read more", True),  # cut short
        ("SPRINGFIELD - " + " ".join(WHOLE.split()[:100]), True),
        (WHOLE + " All rights reserved. No part may be published again.", True),
        (" ".join(WHOLE.split()[100:160]), False),  # from its middle: two reports often share such a passage
        (" ".join(WHOLE.split()[:30]), False),  # too short to tell
        (" ".join(WHOLE.split()[:60]) + " 17 people were hurt and 3 died on day 2 of 2026", False),  # other figures
    ],
)
def test_what_stands_at_the_start_of_an_earlier_text_is_a_copy(later: str, copied: bool) -> None:
    assert (found(later, candidate(WHOLE, days=1)) is not None) == copied
    assert not copied or meet(of(later), of(WHOLE))


def test_a_later_text_that_says_more_is_a_report_of_its_own() -> None:
    first = " ".join(WHOLE.split()[:100])
    assert found(WHOLE, candidate(first, days=1)) is None
    assert found(WHOLE, candidate(first)) is not None  # of one instant: the longer may have been first
    assert found(WHOLE, candidate(first, days=-1)) is not None  # the shorter came later and was seen first


TEMPLATE = (
    "A man was arrested on Friday night after a robbery at a shop in {0}, police said. Officers went to the High "
    "Street shortly before closing time, when the owner said that a man with a knife had taken money from the till. "
    "He was found near the station in {0} within the hour, and will appear before a judge on Monday. Nobody was hurt. "
    "People who saw something are asked to call the police."
)


def of_town(town: str, title: str = "Man arrested after robbery in {0}", text: str = TEMPLATE) -> Sketch:
    return sketch(title.format(town), text.format(town), PARAMS)


def is_copy(one: Sketch, two: Sketch) -> bool:
    stored = Candidate(ItemId("a"), ItemId("a"), NOW, two)
    return find_copy(ItemId("b"), one, NOW, [stored], PARAMS) is not None


def test_other_names_in_the_same_words_are_another_event() -> None:
    towns = [of_town(town) for town in ("Norton", "Easton", "Weston", "Sutton")]
    assert likeness(towns[0].tokens, towns[1].tokens, PARAMS) > 0
    assert not any(is_copy(one, two) for one in towns for two in towns if one is not two)
    zh = "{0}市政府周三宣布，{0}将建设一条新的地铁线，全长二十公里，预计明年开工。" + ZH
    lines = [of_town(town, "{0}将建设新地铁线", zh) for town in ("南河", "北山", "东湖", "北河")]
    assert not any(is_copy(one, two) for one in lines for two in lines if one is not two)


@pytest.mark.parametrize(
    "text",
    [
        TEMPLATE,
        TEMPLATE.replace("near the station in {0}", "near the station"),  # the town stands there once
        TEMPLATE.replace("Nobody was hurt", "{0}").replace("a knife", "a knife or two"),
    ],
)
def test_other_towns_under_one_title_are_other_events(text: str) -> None:
    towns = [of_town(town, "Man arrested after robbery", text) for town in ("Norton", "New Easton", "Weston")]
    assert not any(is_copy(one, two) for one in towns for two in towns if one is not two)


def test_other_towns_in_chinese_under_one_title_are_other_events() -> None:
    zh = "{0}市政府周三宣布，{0}将建设一条新的地铁线，全长二十公里，预计明年开工。" + ZH
    lines = [of_town(town, "市政府将建设新地铁线", zh) for town in ("南河", "北山", "东湖", "北河")]
    assert not any(is_copy(one, two) for one in lines for two in lines if one is not two)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("on Friday night", "on Saturday night"),  # a weekday is no name
        ("Norton", "Nortonn"),  # another spelling
        ("call the police", "call the Norton Gazette"),  # not in the lead
        ("a robbery", "the raid"),
        ("Officers went to", "Lights and sirens came down"),
        ("Friday night after", "Friday night, the Wire says, after"),
    ],
)
def test_edits_are_no_other_events(old: str, new: str) -> None:
    norton = of_town("Norton", "Man arrested after robbery")
    assert is_copy(sketch("Man arrested after robbery", norton.body.replace(old, new), PARAMS), norton)


def test_another_headline_or_name_of_one_outlet_leaves_a_copy_a_copy() -> None:
    norton = of_town("Norton")
    assert is_copy(sketch("Knife robber held in Springfield county", norton.body, PARAMS), norton)
    dated = f"SPRINGFIELD (Wire) - {norton.body} Read the Springfield Wire."
    assert is_copy(sketch("Springfield: robber held in Norton", dated, PARAMS), norton)
    renamed = norton.body.replace("a knife", "a blade")
    assert is_copy(sketch("Man with blade arrested in Norton", renamed, PARAMS), norton)


def test_chinese_copies_are_found_through_an_edit() -> None:
    one, two = sketch("港口大桥封闭维修", ZH, PARAMS), sketch("大桥维修", ZH.replace("请市民", "请各位"), PARAMS)
    assert meet(one, two)
    assert likeness(one.tokens, two.tokens, PARAMS) >= 0.8


TEXTS = st.lists(st.sampled_from(WORDS[:60]), min_size=40, max_size=60).map(tuple)


@given(TEXTS, TEXTS)
def test_likeness_is_a_share_and_the_same_from_both_sides(one: tuple[str, ...], two: tuple[str, ...]) -> None:
    value = likeness(one, two, PARAMS)
    assert value == 0 or PARAMS.similarity <= value <= 1
    assert value == likeness(two, one, PARAMS)


@given(st.text(), st.text())
def test_every_text_has_a_sketch_and_meets_itself(title: str, body: str) -> None:
    one = sketch(title, body, PARAMS)
    assert one == sketch(title, body, PARAMS)
    assert len(one.bands) in (0, 1, PARAMS.bands + PARAMS.head_bands)
