"""Events that look alike stay apart, and reports of one event meet, however they are told.

The stories of the day come first, so that names and words have the weights of a running stream; then the report in
question, with a lead and with its title alone.
"""

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from storyheat.background import background
from storyheat.core.clustering.clusterer import Clusterer
from storyheat.core.clustering.model import Doc

START = datetime(2026, 5, 4, 6, tzinfo=UTC)
# What else is in the stream.
OTHERS = [
    ("Ferry Grey Petrel runs aground off Marrow Island", "All 212 people were brought ashore in thick fog."),
    ("Painter Odda Lund wins the Fjellmark prize", "The jury praised her pictures of empty harbours."),
    ("海沃湾大桥通车，车程缩短一小时", "大桥全长十二公里，是当地最长的跨海桥梁。"),
    ("Frost ruins a third of the apples of Sarn", "Growers in the valley of Sarn ask for help from the state."),
]

FEW_WORDS = """
    amber basalt cedar delta ember fjord glacier harbour island juniper kettle lantern meadow nettle orchard pebble
    quarry river
""".split()  # noqa: SIM905 - a block of words reads better

Told = tuple[str, str]

APART: list[tuple[Told, Told]] = [
    (
        ("Norlund Union adopts twelfth sanctions package against Varesk", "The twelfth package bans diamonds."),
        ("Norlund Union adopts thirteenth sanctions package against Varesk", "The thirteenth bans drone parts."),
    ),
    (
        ("Quillon 2.1 released with faster search", "Version 2.1 of the editor Quillon finds files in half the time."),
        ("Quillon 2.2 released with new colours", "Version 2.2 of the editor Quillon brings themes."),
    ),
    (
        ("Halvard Foods second-quarter profit rises 8%", "Halvard Foods earned 41 million crowns in spring."),
        ("Halvard Foods third-quarter profit falls 3%", "Halvard Foods earned 37 million crowns in summer."),
    ),
    (
        ("Novum raises $20 million in Series A for farm robots", "Novum, a maker of farm robots, closed its Series A."),
        ("Novum raises $65 million in Series B for farm robots", "Novum, a maker of farm robots, closed its Series B."),
    ),
    (
        ("鲸语2.1发布，长文处理更快", "鲸语公司发布模型鲸语2.1，长文处理速度提高一倍。"),
        ("鲸语2.2发布，支持方言语音", "鲸语公司发布模型鲸语2.2，可以听懂六种方言。"),
    ),
    (
        ("海沃科技第二季度净利润增长8%", "海沃科技公布第二季度财报，净利润4100万元。"),
        ("海沃科技第三季度净利润下降3%", "海沃科技公布第三季度财报，净利润3700万元。"),
    ),
    (
        ("农机公司新禾完成数千万元A轮融资", "新禾生产采摘机器人，本轮由远山资本领投。"),
        ("医疗公司安禾完成数亿元B轮融资", "安禾开发影像诊断软件，本轮由海岸基金领投。"),
    ),
]

# Told in the same words of another place or company.
APART += [
    (
        ("Fire destroys warehouse in Brenna", "A fire destroyed a warehouse in Brenna on Monday. No one was hurt."),
        ("Fire destroys warehouse in Ostmark", "A fire destroyed a warehouse in Ostmark on Thursday. Two were hurt."),
    ),
    (
        ("Bus crash in Dovrin kills 12", "A bus plunged into a ravine in Dovrin, killing 12."),
        ("Bus crash in Velden kills 9", "A bus hit a lorry in Velden, killing 9."),
    ),
    (
        ("Judge in Brenna jails former mayor for fraud", "A court in Brenna sentenced the former mayor to four years."),
        ("Judge in Ostmark jails former minister for fraud", "A court in Ostmark gave the former minister six years."),
    ),
    (
        ("新禾科技完成A轮融资", "新禾科技宣布完成A轮融资，由远山资本领投。"),
        ("青岚生物完成A轮融资", "青岚生物宣布完成A轮融资，由海岸基金领投。"),
    ),
    (
        ("岚州发生5.8级地震", "据台网测定，岚州发生5.8级地震，震源深度10公里。"),
        ("松溪发生6.1级地震", "据台网测定，松溪发生6.1级地震，震源深度15公里。"),
    ),
]

# What only the texts tell apart.
APART_BY_LEAD: list[tuple[Told, Told]] = [
    (
        ("Halvard Foods quarterly profit rises 8%", "Halvard Foods said profit rose 8% in the first quarter."),
        ("Halvard Foods quarterly profit falls 3%", "Halvard Foods said profit fell 3% in the second quarter."),
    ),
    (
        ("海沃科技净利润增长8%", "海沃科技公布一季度财报，净利润4100万元。"),
        ("海沃科技净利润下降3%", "海沃科技公布二季度财报，净利润3700万元。"),
    ),
]

TOGETHER: list[tuple[Told, Told]] = [
    (
        ("Norlund Union adopts twelfth sanctions package against Varesk", "The twelfth package bans diamonds."),
        ("12th sanctions package: Norlund Union bans diamonds from Varesk", "Diamonds of Varesk are banned."),
    ),
    (
        ("Quillon 2.1 released with faster search", "Version 2.1 of the editor Quillon finds files in half the time."),
        ("Editor Quillon 2.1 finds files in half the time", "The search of version 2.1 is faster."),
    ),
    (
        ("海沃科技第三季度净利润下降3%", "海沃科技公布第三季度财报，净利润3700万元。"),
        ("海沃科技三季度净利3700万元，下降3%", "海沃科技周二公布的财报显示净利润为3700万元。"),
    ),
    (  # another place is named, and the first one as well
        ("Fire destroys warehouse in Brenna", "A fire destroyed a warehouse in Brenna on Monday. No one was hurt."),
        ("Brenna: fire destroys warehouse in Quayside", "The fire in Brenna destroyed the warehouse in Quayside."),
    ),
]


def story_of_second(first: Told, second: Told, *, leads: bool, days: int) -> str | None:
    clusterer = Clusterer(background())
    told = [*OTHERS, first, second]
    stories = []
    for number, (title, lead) in enumerate(told):
        at = START + timedelta(hours=number, days=days if number == len(told) - 1 else 0)
        doc = Doc(str(number), at, title, lead if leads else "", source=f"source{number}")
        stories.append(clusterer.place(doc, doc.id).story)
    return "first" if stories[-1] == str(len(OTHERS)) else stories[-1]


@pytest.mark.parametrize("leads", [True, False])
@pytest.mark.parametrize(("first", "second"), APART)
def test_near_equal_events_stay_apart(first: Told, second: Told, leads: bool) -> None:
    assert story_of_second(first, second, leads=leads, days=3) == str(len(OTHERS) + 1)


@pytest.mark.parametrize(("first", "second"), APART_BY_LEAD)
def test_near_equal_events_stay_apart_by_what_the_text_opens_with(first: Told, second: Told) -> None:
    assert story_of_second(first, second, leads=True, days=3) == str(len(OTHERS) + 1)


@pytest.mark.parametrize("leads", [True, False])
@pytest.mark.parametrize(("first", "second"), TOGETHER)
def test_reports_of_one_event_meet(first: Told, second: Told, leads: bool) -> None:
    assert story_of_second(first, second, leads=leads, days=0) == "first"


@pytest.mark.parametrize("words", [5, 8])
def test_a_stream_of_few_words_does_not_become_one_story(words: int) -> None:
    chance = random.Random(1)
    clusterer = Clusterer(background())
    told = [" ".join(chance.choice(FEW_WORDS) for _ in range(words)) for _ in range(400)]
    docs = [Doc(f"{n:03d}", START + n * timedelta(hours=3), title, "") for n, title in enumerate(told)]
    sizes = Counter(clusterer.place(doc, doc.id).story for doc in docs)
    assert max(sizes.values()) <= len(docs) / 4
