"""Words for the search index: a text as tokens, and what somebody looks for as a question to it.

SQLite parts words at blanks, which Chinese and Japanese do not have. Their runs are indexed as overlapping pairs of
characters, so that a word of two characters is one token and a longer one is all of its pairs.
"""

import re
import unicodedata
from dataclasses import dataclass

from storyheat.core.quantities import CJK
from storyheat.core.simplified import simplified

MAX_CHARS = 1_500  # of a text that are indexed: as many as stories are told by
MAX_WORDS = 16  # of a question; more say nothing and cost much
_TOKEN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")
_CJK_START = re.compile(rf"[{CJK}]")
_ASKED = re.compile(r"(?P<minus>(?<!\S)-)?(?:\"(?P<phrase>[^\"]*)\"|(?P<word>[^\s\"]+))")


@dataclass(frozen=True, slots=True)
class Question:
    """What is looked for: all of `wanted` and none of `unwanted`, each a group of tokens that stand for one word."""

    wanted: tuple[tuple[str, ...], ...]
    unwanted: tuple[tuple[str, ...], ...]


def tokens(text: str) -> list[str]:
    """The tokens of a text in order; pairs of characters where a script has no blanks, with the last one alone."""
    found: list[str] = []
    for run in _TOKEN.findall(_folded(text)):
        if _CJK_START.match(run):
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
    for match in _ASKED.finditer(words):
        group = tuple(_asked(match["phrase"] or match["word"] or ""))
        if group:
            (unwanted if match["minus"] else wanted).append(group)
    return Question(tuple(wanted[:MAX_WORDS]), tuple(unwanted[:MAX_WORDS]))


def _asked(word: str) -> list[str]:
    """The tokens that a text with this word has; one character alone is the beginning of a pair, so it ends in `*`."""
    found: list[str] = []
    for run in _TOKEN.findall(_folded(word)):
        if not _CJK_START.match(run):
            found.append(run)
        elif len(run) == 1:
            found.append(f"{run}*")
        else:
            found += [run[place : place + 2] for place in range(len(run) - 1)]
    return found


def _folded(text: str) -> str:
    return simplified(unicodedata.normalize("NFKC", text)).casefold()
