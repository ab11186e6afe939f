"""Figures that contradict each other, side by side: at a development that shows one of them, or by themselves."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import tzinfo

from storyheat.answers.story import StoryAnswer, TimelineItem
from storyheat.core.model import ItemId
from storyheat.core.stories.told import Claim
from storyheat.present.objects import instant
from storyheat.present.page import times
from storyheat.present.page.blocks import By, Side, Versus
from storyheat.present.page.people import level_badge, named, speaker
from storyheat.present.page.timeline import excerpt

SHOWN = 6  # pairs of one story, the newest; more are in the JSON
CLOSING = "Both are kept; which of them holds is not decided here."


def versus_of(answer: StoryAnswer, zone: tzinfo) -> Mapping[ItemId | None, tuple[Versus, ...]]:
    """The pairs by the report of the development where they are shown, the later one's first; None: at none."""
    items = {one.facts.id: one for one in answer.items}
    shown_at = {one.what.item for one in answer.developments}
    found: dict[ItemId | None, list[Versus]] = defaultdict(list)
    for pair in answer.disagreements[-SHOWN:]:
        home = next((item for item in (pair.second.item, pair.first.item) if item in shown_at), None)
        sides = (_side(pair.first, items, answer, zone), _side(pair.second, items, answer, zone))
        found[home].append(Versus(sides, CLOSING))
    return {home: tuple(pairs) for home, pairs in found.items()}


def _side(claim: Claim, items: Mapping[ItemId, TimelineItem], answer: StoryAnswer, zone: tzinfo) -> Side:
    one = items[claim.item]
    facts = one.facts
    by = By(
        iso=instant(facts.effective_at),
        moment=times.moment(facts.effective_at, zone, answer.at),
        item=facts.id,
        speaker=speaker(answer.sources[facts.source], one.place.voice),
        level=level_badge(one.level),
    )
    return Side(named(claim.figure, facts.language), named(excerpt(claim.sentence), facts.language), by)
