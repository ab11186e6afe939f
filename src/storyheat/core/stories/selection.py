"""Which reports of a story are worth reading first, by a rule; a person may decide otherwise. See docs/evidence.md."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from storyheat.core.heat.evidence import StoryItem
from storyheat.core.model import ItemId, Level
from storyheat.core.stories.told import Development


@dataclass(frozen=True, slots=True)
class SelectionParams:
    """How much is selected; own choices, for a list that is read in two minutes."""

    fewest_reports: int = 3  # of a story; of fewer each is read anyway
    developments: int = 5  # confirmed ones whose reports are selected, the newest


DEFAULT = SelectionParams()


class Mark(StrEnum):
    """What a person decided about an item, in whatever story it stands."""

    SELECTED = "selected"
    REMOVED = "removed"
    RULE = "rule"  # the rule decides again


def by_rule(
    reports: Sequence[StoryItem],
    levels: Mapping[ItemId, Level],
    found: Iterable[Development],
    params: SelectionParams = DEFAULT,
) -> dict[ItemId, str]:
    """The selected reports of a story with the reason, the first that fits.

    `reports`: those that count, oldest first; `levels`: theirs in this story; `found`: its developments, oldest first.
    """
    if len(reports) < params.fewest_reports:
        return {}
    chosen = {reports[0].item: "it opened the story"}
    own = next((one.item for one in reports if levels[one.item] is Level.FIRST_PARTY), None)
    if own is not None:
        chosen.setdefault(own, "the subject itself speaks, for the first time")
    for development in [one for one in found if one.confirmed][-params.developments :]:
        chosen.setdefault(development.item, "it was the first to tell a confirmed development")
    return chosen


def reasons(rule: Mapping[ItemId, str], marks: Mapping[ItemId, Mark]) -> dict[ItemId, str]:
    """The selected items with the reason: by the rule, but where a person decided."""
    kept = {item: because for item, because in rule.items() if marks.get(item) is not Mark.REMOVED}
    return kept | {item: "selected by hand" for item, mark in marks.items() if mark is Mark.SELECTED}
