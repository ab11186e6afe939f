"""What a language model wrote, as JSON and in words: always with its name, its time, and what it does not know yet."""

from datetime import datetime, tzinfo
from typing import Any

from storyheat.answers.brief import BriefAnswer
from storyheat.answers.story import StoryAnswer
from storyheat.core.briefs.brief import Part, Statement
from storyheat.core.text.markup import one_line
from storyheat.present import words
from storyheat.store.columns import instant_text

Json = dict[str, Any]
EXTRACTED = "Extracted, without a language model,"
# What stands above each part; the summary stands by itself.
HEADINGS = {
    Part.WHY: "Why it matters",
    Part.PLAYERS: "The players",
    Part.DETAILS: "The details",
    Part.TIMELINE: "What happened when",
    Part.TAKEAWAY: "The takeaway",
}


def model_name(brief: BriefAnswer) -> str:
    """The name of the model as one clean line."""
    return one_line(brief.made_by)


def written_by(brief: BriefAnswer) -> str:
    """`Written by the model X,`"""
    return f"Written by the model {model_name(brief)},"


def written_when(brief: BriefAnswer, zone: tzinfo) -> str:
    """When, from how many reports, how it was checked, and what is no longer in it."""
    told = (
        f"{words.stamp(brief.made_at, zone)}, from {words.count(brief.reports, 'report')}. Every number and name in it "
        "stands in the reports it cites; whether it puts them right is not checked."
    )
    if brief.newer:
        told += f" {words.count(brief.newer, 'report is', 'reports are')} newer than it."
    if brief.withheld:
        told += (
            f" {words.count(brief.withheld, 'sentence is', 'sentences are')} left out, since what they cite changed."
        )
    return told


def course(answer: StoryAnswer, brief: BriefAnswer) -> list[tuple[datetime, Statement]]:
    """What happened when, oldest first: the model tells what, the earliest report that it cites tells when."""
    at = {one.facts.id: one.facts.effective_at for one in answer.items}
    told = [(min(at[item] for item in one.items), one) for one in brief.of(Part.TIMELINE)]
    return sorted(told, key=lambda pair: pair[0])


def summary_json(answer: StoryAnswer) -> Json | None:
    """`summary` of the story object."""
    if not answer.summary:
        return None
    by = answer.summary_by
    return {
        "sentences": [{"text": one.text, "items": list(one.items)} for one in answer.summary],
        "made_by": "extractive" if by is None else model_name(by),
    }


def brief_json(answer: StoryAnswer) -> Json | None:
    """`brief` of the story object."""
    brief = answer.brief
    if brief is None:
        return None
    return {
        "made_by": model_name(brief),
        "made_at": instant_text(brief.made_at),
        "language": brief.language,
        "stale": brief.stale,
        "newer_reports": brief.newer,
        "withheld": brief.withheld,
        **{part.value: [_sentence(one) for one in brief.of(part)] for part in (Part.WHY, Part.DETAILS, Part.TAKEAWAY)},
        "players": [{"name": one.name, "role": one.text, "items": list(one.items)} for one in brief.of(Part.PLAYERS)],
        "timeline": [{"at": instant_text(at), **_sentence(one)} for at, one in course(answer, brief)],
    }


def _sentence(one: Statement) -> Json:
    return {"text": one.text, "items": list(one.items)}
