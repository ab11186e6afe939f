"""What a story is about, in the words of a table: topics of its sources, and of words in its reports.

A word is found whole, where a script has blanks; a run of Chinese, Japanese or Korean characters wherever it stands.
Capitals, full-width signs and traditional characters make no difference.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from storyheat.core.text.spelling import EAST, folded

TopicTable = tuple[tuple[str, tuple[str, ...]], ...]  # each topic with its words

_WORD = re.compile(rf"[^\W_{EAST}]+")
_IS_RUN = re.compile(rf"[{EAST}]|[^\w\s-]")  # a script without blanks, or a sign that belongs to the word: C++
_LETTER = rf"[^\W_{EAST}]"


@dataclass(frozen=True, slots=True)
class TopicParams:
    """What makes a topic one of a story; own choices."""

    share: float = 1 / 4  # of its reports; at a third, two business papers among seven gave a story no topic
    lead_chars: int = 600  # of a text in which words are looked for, after the title
    reports: int = 100  # of a larger story: the first half of these many, and the newest half


DEFAULT = TopicParams()


class TopicWords:
    """A table of topics, made ready to be looked for in texts."""

    def __init__(self, table: TopicTable) -> None:
        self.table = table
        self._phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}  # by their first word
        self._runs: list[tuple[str, re.Pattern[str], str]] = []
        for topic, words in table:
            for word in words:
                text = " ".join(folded(word).split())
                parts = tuple(_WORD.findall(text))
                if not parts or _IS_RUN.search(text):
                    self._runs.append((text, _bounded(text), topic))
                else:
                    self._phrases.setdefault(parts[0], []).append((parts, topic))

    def of(self, text: str) -> frozenset[str]:
        """The topics of which a word stands in a text."""
        line = " ".join(folded(text).split())
        found: set[str] = set()
        words = _WORD.findall(line) if self._phrases else []
        for place, word in enumerate(words):
            for parts, topic in self._phrases.get(word, ()):
                if topic not in found and tuple(words[place : place + len(parts)]) == parts:
                    found.add(topic)
        found.update(topic for run, pattern, topic in self._runs if run in line and pattern.search(line))
        return frozenset(found)


def _bounded(run: str) -> re.Pattern[str]:
    """A run that begins and ends where a word does, if it begins or ends with a letter that has words."""
    before = rf"(?<!{_LETTER})" if _WORD.match(run[0]) else ""
    behind = rf"(?!{_LETTER})" if _WORD.match(run[-1]) else ""
    return re.compile(before + re.escape(run) + behind)


def topics_of_story(reports: Iterable[Iterable[str]], params: TopicParams = DEFAULT) -> tuple[str, ...]:
    """The topics of a story by those of each of its reports: what enough of them have, sorted."""
    each: Sequence[frozenset[str]] = [frozenset(topics) for topics in reports]
    counts = Counter(topic for topics in each for topic in topics)
    return tuple(sorted(topic for topic, count in counts.items() if count >= params.share * len(each)))


def merged(source: Iterable[str], words: Iterable[str], names: Mapping[str, str]) -> frozenset[str]:
    """The topics of a report: of its source and of its words. `names`: of topics that differ in capitals only, one."""
    return frozenset(names.get(topic.casefold(), topic) for topic in (*source, *words))
