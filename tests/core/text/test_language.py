"""Languages as far as scripts and small words tell them."""

import pytest

from storyheat.core.text.language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("", None),
        ("2026: 42%", None),
        ("Rates rise", None),  # no small words
        ("The bank is to raise rates for the first time", "en"),
        ("Die Bank hebt die Zinsen und wird nicht mehr warten", "de"),
        ("La banque relève les taux pour la première fois et les ménages sont inquiets", "fr"),
        ("El banco subió los tipos por primera vez y las familias lo notan", "es"),
        ("O banco não subiu os juros com a pressa que se previa", "pt"),
        ("Il governo ha annunciato una riforma della scuola che non piace", "it"),
        ("Het kabinet heeft een wet over de zorg aan de Kamer gestuurd", "nl"),
        ("The new Tagesschau with the motto: die Welt und das Leben ist schön", None),  # two languages in one
        ("央行上调利率", "zh"),
        ("OpenAI 发布新模型", "zh"),  # a brand's name weighs less than its letters
        ("日銀が利上げを決定", "ja"),
        ("금리 인상 결정", "ko"),
        ("Ставки растут", "ru"),
        ("Ставки растут, say analysts of Bloomberg and Reuters", None),
        ("The word 利率 means interest rate", None),
    ],
)
def test_an_undeclared_text_has_the_language_of_its_script(text: str, language: str | None) -> None:
    assert language_of(text, None) == language


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        ("Rates rise", "en-GB"),
        ("Rates rise", "de"),
        ("", "fr"),
        ("ارتفاع أسعار الفائدة", "ar"),
        ("央行上调利率", "zh-Hans"),
        ("日本銀行総裁会見", "ja"),  # a Japanese title without kana
        ("日銀が利上げ", "ja_JP"),
        ("Ставки зростають", "uk"),
        ("Kamate rastu", "sr"),
        ("Камате расту", "sr"),
    ],
)
def test_a_declared_language_stands_where_the_script_fits(text: str, declared: str) -> None:
    assert language_of(text, declared) == declared


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [
        ("央行上调利率", "en-US", "zh"),  # a Chinese feed of a theme that says en-US
        ("日銀が利上げを決定", "zh", "ja"),
        ("Rates rise", "zh-CN", None),
    ],
)
def test_a_declared_language_gives_way_to_another_script(text: str, declared: str, language: str | None) -> None:
    assert language_of(text, declared) == language
