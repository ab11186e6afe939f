"""What a language model wrote about a story, as far as it holds now; and what one would be shown to write it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from storyheat.answers.developments import level_of
from storyheat.core.briefs.brief import Part, Statement
from storyheat.core.briefs.prompt import (
    Candidate,
    Shown,
    characters_each,
    chosen,
    input_key,
    language_of,
    letters_in,
    words_shown,
)
from storyheat.core.briefs.summarising import SummaryParams
from storyheat.core.model import ItemId, Role, StoryId
from storyheat.store.item_queries import ItemFacts
from storyheat.store.queries import Questions


@dataclass(frozen=True, slots=True)
class BriefAnswer:
    """The brief of a story. `statements` hold: every item that they cite still says what it said.

    `reports`: that the model was shown; `newer`: that came since; `withheld`: sentences whose items changed since.
    """

    made_by: str
    made_at: datetime
    language: str
    statements: tuple[Statement, ...]
    reports: int
    newer: int
    withheld: int

    @property
    def stale(self) -> bool:
        """Whether the reports are no longer those that it was written from."""
        return bool(self.newer or self.withheld)

    def of(self, part: Part) -> tuple[Statement, ...]:
        """The statements of one part."""
        return tuple(one for one in self.statements if one.part is part)


def brief(
    questions: Questions, stories: Sequence[StoryId], reports: Mapping[ItemId, ItemFacts], at: datetime
) -> BriefAnswer | None:
    """The newest brief written for a story under any of its ids. None: there is none, or it tells of later reports.

    `reports`: the items of the story.
    """
    found = questions.newest_brief(stories)
    if found is None or not found.statements:
        return None
    if any(item in reports and reports[item].effective_at > at for item, _ in found.reports):
        return None
    marks = questions.marks_of(item for item, _ in found.reports)
    same = {item for item, mark in found.reports if item in reports and marks[item] == mark}
    kept = tuple(one for one in found.statements if same.issuperset(one.items))
    if not kept:
        return None
    return BriefAnswer(
        made_by=found.model,
        made_at=found.made_at,
        language=found.language,
        statements=kept,
        reports=len(found.reports),
        newer=sum(one.first_seen_at > found.made_at and one.effective_at <= at for one in reports.values()),
        withheld=len(found.statements) - len(kept),
    )


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a model would be shown of a story. `key`: fingerprint of it; `marks`: of the words of each report."""

    story: StoryId
    title: str
    language: str
    reports: tuple[Shown, ...]
    marks: tuple[tuple[ItemId, str], ...]
    key: str

    @property
    def letters(self) -> int:
        """Of all titles and texts shown, a Han character for several."""
        return sum(letters_in(one.title) + letters_in(one.text) for one in self.reports)


def prepared(
    questions: Questions, stories: Iterable[StoryId], model: str, params: SummaryParams, at: datetime
) -> list[Prepared]:
    """What a model would be shown of each story at an instant, in their order; a story without items is left out."""
    wanted = list(stories)
    evidence, heads = questions.evidence(wanted), questions.heads(wanted)
    telling = questions.developments(wanted)
    bystanders = questions.bystanders(wanted)
    found = []
    for story in wanted:
        if story not in evidence:
            continue
        told = [one for one in evidence[story].items if one.role is Role.REPORT and one.effective_at <= at]
        marks = questions.marks_of(one.item for one in told)
        candidates = [Candidate(one.item, one.effective_at, one.voice, marks[one.item]) for one in told]
        best = chosen(candidates, {one.item for one in telling.get(story, ())}, params)
        facts, wordings = questions.items(one.item for one in best), questions.wordings(one.item for one in best)
        share = characters_each(len(best), params)
        shown = []
        for number, one in enumerate(best, 1):
            source = questions.sources[facts[one.item].source]
            title, text = words_shown(wordings[one.item].title, wordings[one.item].text, share)
            level = level_of(source, one.item, story, bystanders)
            language = wordings[one.item].language
            shown.append(Shown(number, one.item, one.at, source.name, level, language, title, text))
        language = language_of(shown, params)
        key = input_key(model, language, best, params)
        pairs = tuple((one.item, one.mark) for one in best)
        found.append(Prepared(story, heads[story].title, language, tuple(shown), pairs, key))
    return found
