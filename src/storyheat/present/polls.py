"""Reader polls as a JSON object, and the words around them."""

from collections.abc import Iterable

from storyheat.core.stories.polls import Poll
from storyheat.present import words
from storyheat.present.objects import Json
from storyheat.present.objects import poll as as_json


def percents(poll: Poll) -> list[str]:
    """The share of each answer in whole per cent, so rounded that they add up to 100; `0` before anybody answered."""
    return words.shares([poll.percent(place) or 0.0 for place in range(len(poll.answers))])


def counted(poll: Poll) -> str:
    """`212 answers, one per browser`."""
    return f"{words.count(poll.total, 'answer')}, one per browser"


def polls(found: Iterable[Poll]) -> Json:
    """storyheat.polls/1"""
    return {"schema": "storyheat.polls/1", "polls": [{"story": one.story, **as_json(one)} for one in found]}
