"""The brief of a story as a language model wrote it, held against the reports: what they do not bear out is dropped.

See docs/summaries.md.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from storyheat.core.briefs.grounding import Ground, all_of, ground_of, share_known, ungrounded
from storyheat.core.briefs.prompt import Shown
from storyheat.core.model import ItemId
from storyheat.core.text.language import primary
from storyheat.core.text.markup import one_line, plain_text
from storyheat.core.text.names import Names


class Part(StrEnum):
    """The parts of a brief, in the order in which they are shown."""

    SUMMARY = "summary"
    WHY = "why_it_matters"
    PLAYERS = "players"
    DETAILS = "details"
    TIMELINE = "timeline"
    TAKEAWAY = "takeaway"


@dataclass(frozen=True, slots=True)
class BriefParams:
    """How long a brief may be; own choice, twice what the prompt asks for."""

    most: Mapping[Part, int] = field(
        default_factory=lambda: {
            Part.SUMMARY: 8, Part.WHY: 4, Part.PLAYERS: 10, Part.DETAILS: 12, Part.TIMELINE: 12, Part.TAKEAWAY: 4,
        }
    )  # fmt: skip
    sentence_chars: int = 500
    name_chars: int = 80
    dropped: int = 40  # that are recorded, the first ones
    dropped_chars: int = 200  # of each of these
    least_share: float = 0.2  # of the words that carry the topic that must be in the cited reports


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a brief and the items that it rests on. `name`: of a player, else empty."""

    part: Part
    text: str
    items: tuple[ItemId, ...]
    name: str = ""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence that was not kept, and why in words."""

    part: Part
    text: str
    because: str


@dataclass(frozen=True, slots=True)
class Checked:
    """What is left of an answer. `trouble`: why nothing is, in words."""

    statements: tuple[Statement, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    trouble: str | None = None


_FENCE = re.compile(r"^\s*```[a-z]*\s*|\s*```\s*$", re.IGNORECASE)
_THOUGHTS = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_TERMINAL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_LINK = re.compile(r"\b(?:[a-z][a-z0-9+.-]{1,9}://|www\.|(?:javascript|data|mailto):)\S|\]\(", re.IGNORECASE)
_HOST = re.compile(
    r"(?<![\w.@])(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|ai|app|co|cn|ru|info|biz|xyz|top)/\S*", re.IGNORECASE
)
_INLINE_CITATION = re.compile(
    r"\s*[\[(【]\s*(?:items?|nos?\.?|reports?)?\s*\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\s*[\])】]", re.IGNORECASE
)
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3}|`{1,3})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_BULLET = re.compile(r"^(?:[-*•#>]+|\d{1,2}[.)])\s+")
_NUMBER = re.compile(r"\D{0,8}(\d{1,4})\D{0,2}")


def read_answer(content: str) -> Mapping[str, Any] | None:
    """The JSON object of an answer; None: it holds none. Fences, and thoughts in front, are left out."""
    text = _FENCE.sub("", _THOUGHTS.sub("", content))
    begin, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[begin : end + 1])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def checked(
    answer: Mapping[str, Any], reports: Sequence[Shown], language: str, names: Names, params: BriefParams
) -> Checked:
    """What of an answer the reports bear out. Total for any answer: what has another shape is not there."""
    check = _Check(reports, language, names, params)
    for part in Part:
        listed = answer.get(part.value)
        for entry in listed if isinstance(listed, list) else ():
            check.take(part, entry)
    if check.kept:
        return Checked(tuple(check.kept), tuple(check.dropped))
    if not check.dropped:
        return Checked(trouble="the answer holds no sentence")
    return Checked(
        (), tuple(check.dropped), f"none of its sentences held, the first because {check.dropped[0].because}"
    )


class _Check:
    """One answer being checked: what was kept and dropped so far."""

    def __init__(self, reports: Sequence[Shown], language: str, names: Names, params: BriefParams) -> None:
        self._reports = {one.number: one for one in reports}
        self._grounds: dict[int, Ground] = {}
        self._language, self._names, self._params = language, names, params
        self.kept: list[Statement] = []
        self.dropped: list[Dropped] = []

    def take(self, part: Part, entry: object) -> None:
        """Keeps or drops one entry of a list."""
        if not isinstance(entry, dict):
            return
        is_player = part is Part.PLAYERS
        text = sentence_in(entry.get("role" if is_player else "text"), self._params.sentence_chars)
        name = sentence_in(entry.get("name"), self._params.name_chars) if is_player else ""
        if not text or (is_player and not name):
            return
        cited = _numbers(entry.get("items"))
        because = self._objection(part, text, name, cited)
        if because is None:
            items = tuple(self._reports[number].item for number in cited)
            self.kept.append(Statement(part, text, items, name))
        elif len(self.dropped) < self._params.dropped:
            told = f"{name}: {text}" if name else text
            self.dropped.append(Dropped(part, told[: self._params.dropped_chars], because))

    def _objection(self, part: Part, text: str, name: str, cited: Sequence[int]) -> str | None:
        """Why a sentence is not kept; None: it is."""
        return next(self._objections(part, text, name, cited), None)

    def _objections(self, part: Part, text: str, name: str, cited: Sequence[int]) -> Iterator[str]:
        params, most = self._params, self._params.most[part]
        if len(text) > params.sentence_chars or len(name) > params.name_chars:
            yield "it is too long"
        if _LINK.search(f"{name} {text}") or _HOST.search(f"{name} {text}"):
            yield "it holds a link"
        if not cited:
            yield "it cites no report"
        yield from (f"it cites report {number}, which there is not" for number in cited if number not in self._reports)
        if any(one.text == text and one.name == name for one in self.kept):
            yield "it says the same again"
        if sum(one.part is part for one in self.kept) >= most:
            yield f"there are {most} of these already"
        ground = all_of(self._ground(number) for number in cited)
        for stated in (f"the {name}", text):  # with a word in front, so that a name is not taken for an opening word
            missing = ungrounded(stated, ground, self._names)
            if missing:
                yield f'"{missing}" is in none of the reports it cites'
        if self._is_off_topic(text, cited, ground):
            yield "the reports it cites are about something else"

    def _ground(self, number: int) -> Ground:
        if number not in self._grounds:
            one = self._reports[number]
            self._grounds[number] = ground_of((one.title, one.text, one.source), one.at.date(), self._names)
        return self._grounds[number]

    def _is_off_topic(self, text: str, cited: Sequence[int], ground: Ground) -> bool:
        """Whether hardly a word of a sentence is in the reports it cites, where these are in its language."""
        languages = {primary(one) for number in cited if (one := self._reports[number].language)}
        if languages != {self._language}:
            return False
        words, known = share_known(text, ground)
        return known < self._params.least_share * words


def sentence_in(value: object, most: int) -> str:
    """A text of an answer as one clean line, without markup and numbers of reports; empty where there is none.

    What is much too long is cut, so that the check for length finds it so.
    """
    if not isinstance(value, str):
        return ""
    text = value[: 4 * most]
    text = _TERMINAL.sub("", text)
    text = one_line(plain_text(text) if "<" in text or "&" in text else text)
    text = _EMPHASIS.sub(r"\2", _BULLET.sub("", text))
    return _INLINE_CITATION.sub("", text).strip()


def _numbers(value: object) -> list[int]:
    """The numbers of cited reports, each once, in order; as numbers or in words such as "[3]"."""
    found: dict[int, None] = {}
    for one in value if isinstance(value, list) else ():
        if isinstance(one, int) and not isinstance(one, bool):
            found[one] = None
        elif isinstance(one, str) and (match := _NUMBER.fullmatch(one)):
            found[int(match[1])] = None
    return sorted(found)
