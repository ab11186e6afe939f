"""What differs between two ways to group the same items: which stories merge, which split, and who moves."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class ChangeKind(StrEnum):
    """What becomes of some stories."""

    MERGE = "merge"  # several become one
    SPLIT = "split"  # one becomes several
    REGROUP = "regroup"  # items go from some to others


@dataclass(frozen=True, slots=True)
class Flow:
    """How many items go from a story to a story."""

    before: str
    after: str
    items: int


@dataclass(frozen=True, slots=True)
class StoryChange:
    """Stories whose items are grouped otherwise, and all that happens to them. Nobody else is touched."""

    flows: tuple[Flow, ...]  # the largest first

    @property
    def before(self) -> dict[str, int]:
        """The stories of now with their items, the largest first."""
        return _sizes([(flow.before, flow.items) for flow in self.flows])

    @property
    def after(self) -> dict[str, int]:
        """The stories there would be, likewise."""
        return _sizes([(flow.after, flow.items) for flow in self.flows])

    @property
    def kind(self) -> ChangeKind:
        """Whether they merge, split, or both."""
        if len(self.after) == 1:
            return ChangeKind.MERGE
        return ChangeKind.SPLIT if len(self.before) == 1 else ChangeKind.REGROUP

    @property
    def items(self) -> int:
        """All items of these stories."""
        return sum([flow.items for flow in self.flows])


def story_changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[StoryChange]:
    """The changes from one grouping to another (item → story), those of most items first.

    Only items in both count. What a story is called is no change, only whose company its items keep.
    """
    flows = Counter([(story, after[item]) for item, story in before.items() if item in after])
    onward: dict[str, list[str]] = defaultdict(list)
    back: dict[str, list[str]] = defaultdict(list)
    for story, then in sorted(flows):
        onward[story].append(then)
        back[then].append(story)
    changes, seen = [], set[str]()
    for start in sorted(onward):
        if start in seen:
            continue
        touched, pending = {start}, [start]
        while pending:
            for then in onward[pending.pop()]:
                new = set(back[then]) - touched
                touched |= new
                pending += sorted(new)
        seen |= touched
        found = [Flow(story, then, flows[story, then]) for story in touched for then in onward[story]]
        if len(found) > 1:
            changes.append(StoryChange(tuple(sorted(found, key=lambda one: (-one.items, one.before, one.after)))))
    return sorted(changes, key=lambda change: (-change.items, change.flows[0].before))


def _sizes(parts: list[tuple[str, int]]) -> dict[str, int]:
    sizes: Counter[str] = Counter()
    for story, items in parts:
        sizes[story] += items
    return dict(sorted(sizes.items(), key=lambda pair: (-pair[1], pair[0])))
