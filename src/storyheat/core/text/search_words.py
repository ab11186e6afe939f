"""Words for the search index: a text as tokens, and what somebody looks for as a question to it.

SQLite parts words at blanks, which Chinese and Japanese do not have. Their runs are indexed as overlapping pairs of
characters, so that a word of two characters is one token and a longer one is all of its pairs. These may also stand
apart in a text, so what was found by them is looked at again.
"""

import re
from dataclasses import dataclass

from storyheat.core.text.spelling import EAST, folded

MAX_CHARS = 1_500  # of a text that are indexed: as many as stories are told by
MAX_WORDS = 16  # of a question; more say nothing and cost much
_TOKEN = re.compile(rf"[{EAST}]+|[^\W_{EAST}]+")
_LONG_RUN = re.compile(rf"[{EAST}]{{3,}}")  # more than one pair
_EAST_START = re.compile(rf"[{EAST}]")
_ASKED = re.compile(r"(?P<minus>(?<!\S)-)?(?:\"(?P<phrase>[^\"]*)\"|(?P<word>[^\s\"]+))")


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for: all of `wanted` and none of `unwanted`, each a group of tokens that stand for one word.

    `runs`: what of the wanted must stand in one piece; `unwanted_runs`: what must not, and is in no other group.
    """

    wanted: tuple[tuple[str, ...], ...]
    unwanted: tuple[tuple[str, ...], ...]
    runs: tuple[str, ...] = ()
    unwanted_runs: tuple[str, ...] = ()


def tokens(text: str) -> list[str]:
    """The tokens of a text in order; pairs of characters where a script has no blanks, with the last one alone."""
    found: list[str] = []
    for run in _TOKEN.findall(folded(text)):
        if _EAST_START.match(run):
            found += [run[place : place + 2] for place in range(len(run))]
        else:
            found.append(run)
    return found


def question(words: str) -> Question:
    """Reads what somebody typed: words that must all occur, `-word` for one that must not. Total for any text.

    A word in quotation marks is taken like its parts; signs mean nothing.
    """
    wanted: list[tuple[str, ...]] = []
    unwanted: list[tuple[str, ...]] = []
    runs: list[str] = []
    unwanted_runs: list[str] = []
    for match in _ASKED.finditer(words):
        word = folded(match["phrase"] or match["word"] or "")
        group = tuple(_asked(word))
        if match["minus"] and _LONG_RUN.fullmatch(word):
            unwanted_runs.append(word)
        elif group and match["minus"]:
            unwanted.append(group)
        elif group and len(wanted) < MAX_WORDS:
            wanted.append(group)
            runs += _LONG_RUN.findall(word)
    return Question(tuple(wanted), tuple(unwanted[:MAX_WORDS]), tuple(runs), tuple(unwanted_runs[:MAX_WORDS]))


def holds(asked: Question, title: str, text: str) -> bool:
    """Whether an item that the index found has in one piece what must be so, and nothing that must not."""
    places = folded(title), folded(text[:MAX_CHARS])

    def has(run: str) -> bool:
        return any(run in place for place in places)

    return all(has(run) for run in asked.runs) and not any(has(run) for run in asked.unwanted_runs)


def _asked(word: str) -> list[str]:
    """The tokens that a text with this word, folded, has; one character begins a pair, so it ends in `*`."""
    found: list[str] = []
    for run in _TOKEN.findall(word):
        if not _EAST_START.match(run):
            found.append(run)
        elif len(run) == 1:
            found.append(f"{run}*")
        else:
            found += [run[place : place + 2] for place in range(len(run) - 1)]
    return found
