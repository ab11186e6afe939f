"""The stories that a story has to do with, and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from storyheat.core.heat.evidence import Evidence
from storyheat.core.heat.rule import HeatRule, heat_at
from storyheat.core.model import Role, StoryId
from storyheat.core.stories.related import RelatedParams, related
from storyheat.store.queries import Questions

MOST_ITEMS = 200  # the newest, that are looked at for other stories they stand in


@dataclass(frozen=True, slots=True)
class RelatedAnswer:
    """One other story at an instant, and why it is named, in words. `languages`: of its items."""

    id: StoryId
    title: str
    languages: tuple[str, ...]
    heat: float
    why: str


def related_stories(
    questions: Questions, story: StoryId, evidence: Evidence, at: datetime, rule: HeatRule
) -> tuple[RelatedAnswer, ...]:
    """The closest others that had begun, the closest first; of equally close ones the hotter."""
    params = RelatedParams()
    others = dict(questions.shared_names(story, params.holders))
    own = others.pop(story)
    found = related(own, others, _touched(questions, story, evidence, at), params)[: 2 * params.most]
    told = questions.evidence(one.story for one in found)
    begun = [one for one in found if one.story in told and told[one.story].items[0].effective_at <= at]
    heat = {one.story: heat_at(told[one.story], at, rule) for one in begun}
    best = sorted(begun, key=lambda one: (-one.score, -heat[one.story], one.story))[: params.most]
    shown = [one.story for one in best]
    heads, facets = questions.heads(shown), questions.facets(shown)
    return tuple(
        RelatedAnswer(one.story, heads[one.story].title, facets[one.story].languages, heat[one.story], one.why)
        for one in best
    )


def _touched(questions: Questions, story: StoryId, evidence: Evidence, at: datetime) -> dict[StoryId, bool]:
    """Stories that a report of this one mentions (True), or a report of which mentions this one (False)."""
    items = [one for one in evidence.items if one.effective_at <= at and one.role is not Role.COPY][-MOST_ITEMS:]
    stands = questions.stories_of_items([one.item for one in items])
    found: dict[StoryId, bool] = {}
    for one in items:
        if one.item not in stands:
            continue
        here: Sequence[StoryId] = stands[one.item].mentioned if one.role is Role.REPORT else stands[one.item].own
        for other in here:
            if other != story:
                found.setdefault(other, one.role is Role.REPORT)
    return found
