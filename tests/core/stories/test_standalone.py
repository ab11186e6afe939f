"""Sentences that can be shown without those around them."""

import pytest

from storyheat.core.stories.standalone import SentenceParams, stands_alone

PARAMS = SentenceParams()


@pytest.mark.parametrize(
    "sentence",
    [
        "The river Osmer came over its banks in Torvik.",
        "周日凌晨河水漫过堤岸。",
        "He calls the thing a copy of a copy.",
    ],
)
def test_what_tells_the_news_stands_alone(sentence: str) -> None:
    assert stands_alone(sentence, PARAMS)


@pytest.mark.parametrize(
    "sentence",
    [
        "It rained.",
        "下雨了。",
        "word " * 100,
        "Subscribe to our morning letter for more stories like this one.",
        "This article was first shown to readers of the paper edition.",
        "本文来自微信公众号“河边的人”，经授权发布。",
        "图片来源：河边的人，未经授权不得转载。",
        "Lesen Sie auch: Was die Feuerwehr in der Nacht gesehen hat.",
    ],
)
def test_what_is_short_long_or_about_the_medium_does_not(sentence: str) -> None:
    assert not stands_alone(sentence, PARAMS)
