"""What every list and page says of one story: title, figures, languages, topics."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from storyheat.answers.topics import topics
from storyheat.core.heat.evidence import Evidence
from storyheat.core.heat.figures import Figures, figures_of
from storyheat.core.heat.rule import HeatRule
from storyheat.core.heat.series import Period
from storyheat.core.model import SourceId, StoryId
from storyheat.store.queries import Questions


@dataclass(frozen=True, slots=True)
class Summary:
    """One story at an instant. `topics`: see `answers.topics`; `languages` and `sources` are those of its items; all
    sorted."""

    id: StoryId
    title: str  # empty: none of its items has one
    url: str | None
    topics: tuple[str, ...]
    languages: tuple[str, ...]
    sources: tuple[SourceId, ...]
    figures: Figures
    evidence: Evidence


def summaries(
    questions: Questions, stories: Iterable[StoryId], at: datetime, period: Period, rule: HeatRule
) -> list[Summary]:
    """The stories in the order given; one without items is left out."""
    wanted = list(stories)
    evidence = questions.evidence(wanted)
    heads, facets, about = questions.heads(evidence), questions.facets(evidence), topics(questions, evidence)
    return [
        Summary(
            id=story,
            title=heads[story].title,
            url=heads[story].url,
            topics=about[story],
            languages=facets[story].languages,
            sources=facets[story].sources,
            figures=figures_of(story, evidence[story], questions.watches, at, period, rule),
            evidence=evidence[story],
        )
        for story in wanted
        if story in evidence
    ]
