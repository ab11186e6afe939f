"""What a sentence may state, given the texts it rests on."""

from datetime import date

import pytest

from storyheat.core.briefs.grounding import Ground, all_of, ground_of, share_known, ungrounded
from storyheat.core.text.names import names_from

NAMES = names_from(
    [
        ["Federal Reserve/Fed", "美联储", "", "", "ФРС"],
        ["Quuxcorp", "夸克斯", "クアックス"],
        ["United States/US", "美国"],
        ["Russia", "俄罗斯", "", "", "Россия"],
    ]
)
REPORT = (
    "Quuxcorp said on Monday that a rack of 72 GX300 cards answers 155 trillion tokens a day and earns $38 an hour. "
    "“We did it in spring,” said Zoë Lindqvist. Version 1.0.1 of DeepInfer cost 4.1 million euros, three clouds offer "
    "it, and use is up by 20%. It may take two years; speed doubled. A rival raised 2.6 billion in its 3rd round of "
    "Series-B money, worth 31 billion dollars. openai asked us about GPUs and the GPT-5 price range of 10-20 euros."
)
GROUND = ground_of(["Tidewheel is open", REPORT, "Alpha Post"], date(2026, 10, 24), NAMES)
CHINESE = ground_of(
    ["美联储与夸克斯", "《潮轮》一书称，三家公司用了两成电力，共 4100000 欧元。"], date(2026, 10, 24), NAMES
)


@pytest.mark.parametrize(
    "sentence",
    [
        "Quuxcorp’s engine answers 155T tokens a day.",
        "单日处理 155万亿 个词元。",
        "It earns 38 dollars an hour, with 72-card racks.",
        "It cost €4.1 million.",
        "It cost 4100000 euros.",
        "The rack holds 72 GX300 cards.",
        "OpenAI and Alpha Post asked.",
        "Zoe Lindqvist spoke on Monday.",
        "Deep Infer is version 1.0.1.",
        "GPU use is up 20 percent.",
        "The rival raised $2.6 billion in the third round.",
        "It took 2 years and 3 clouds.",
        "GPT 5 is out, GPT-5 as well.",
        "It costs 10–20 euros.",
        "It is a GX300-5-GPT.",
        "On October 24, 2026, the speed was doubled.",
        "In 2026 it was open.",
        "By Saturday all knew.",
        "“We did it in spring”, she said of the “engine”.",
        "Developers may ask.",
        "Answering takes time.",
        "10月24日，三家云",
        "",
    ],
)
def test_what_the_texts_hold(sentence: str) -> None:
    assert ungrounded(sentence, GROUND, NAMES) is None


@pytest.mark.parametrize(
    ("sentence", "missing"),
    [
        ("It answers 150 trillion tokens.", "150 trillion"),
        ("It earns €38.", "€38"),
        ("It has 155 million users.", "155 million"),
        ("Nvidia said so.", "Nvidia"),
        ("Then Nvidia said so.", "Nvidia"),
        ("The FTC spoke.", "FTC"),
        ("The US asked.", "US"),
        ("It is version 1.0.2.", "1.0.2"),
        ("GX-400 is out.", "400"),
        ("GPT-5x is out.", "GPT-5x"),
        ("The 7-GX300 is out.", "7"),
        ("It happened in September.", "September"),
        ("It was on October 23.", "23"),
        ("It began on 24 October 2025.", "2025"),
        ("By 2031 it ends.", "2031"),
        ("Five clouds offer it.", "Five"),
        ("It is up tenfold.", "tenfold"),
        ("It was halved.", "halved"),
        ("Ada Lindqvist spoke on Tuesday.", "Ada"),
        ("It was on Tuesday.", "Tuesday"),
        ("“We did it in autumn,” she said.", "“We did it in autumn,”"),
        ("英伟达与美联储表示。", "美联储"),
        ("《潮轮》出版。", "潮轮"),
        ("「シューティング」と言う。", "シューティング"),
        ("так говорит россия.", "россия"),
    ],
)
def test_what_they_do_not_hold(sentence: str, missing: str) -> None:
    assert ungrounded(sentence, GROUND, NAMES) == missing


@pytest.mark.parametrize(
    ("sentence", "missing"),
    [
        ("The Fed and Quuxcorp spoke.", None),
        ("The Federal Reserve spoke.", None),
        ("ФРС сказала.", None),
        ("美聯儲表示，《潮輪》。", None),
        ("クアックスは", None),
        ("It took 20% and €4.1 million at three companies.", None),
        ("The US spoke.", "US"),
        ("美国表示。", "美国"),
    ],
)
def test_names_across_scripts(sentence: str, missing: str | None) -> None:
    assert ungrounded(sentence, CHINESE, NAMES) == missing


def test_english_forms_of_one_name_stand_for_each_other() -> None:
    ground = ground_of(["The Federal Reserve and 美国 met; Россия did not."], date(2026, 1, 1), NAMES)
    assert ungrounded("The Fed met the US, not Russia.", ground, NAMES) is None


def test_several_texts_hold_what_each_of_them_holds() -> None:
    both = all_of([GROUND, CHINESE])
    assert ungrounded("Quuxcorp and the Fed: 155T.", both, NAMES) is None
    assert all_of([]) == Ground()


def test_how_much_of_a_sentence_is_about_the_same() -> None:
    assert share_known("The engine earns money in racks", GROUND) == (4, 3)
    assert share_known("三家公司", GROUND) == (0, 0)
