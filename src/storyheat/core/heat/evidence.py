"""What counts in a story and who speaks: its items sorted into counted reports and the rest, with reasons."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import cached_property

from storyheat.core.model import ItemId, Role, SourceId, Voice

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)

# Why a role keeps an item from counting; words for people.
_ROLE_REASONS = {
    Role.MENTION: "a mention: it touches the story but is not about it",
    Role.COPY: "a copy of another item",
}
_NOT_YET = "effective only after this time"


class Exclusion(StrEnum):
    """Why an item does not count, whatever its role and time. The values are words for people."""

    WITHDRAWN = "withdrawn"
    MOVED_OUT = "moved out by hand"
    BACKLOG = "backlog: undated in the feed's first fetch"


@dataclass(frozen=True, slots=True)
class StoryItem:
    """One item as it stands in one story: all that heat needs to know of it.

    `weight` is its source's, not negative. `excluded` is decided before; None: nothing is held against it.
    """

    item: ItemId
    source: SourceId
    voice: Voice
    role: Role
    effective_at: datetime
    weight: float = 1.0
    excluded: Exclusion | None = None


def seconds_of(at: datetime) -> int:
    """Whole seconds since 1970 UTC: instants as numbers, blind to zones. A naive time raises TypeError."""
    return (at - EPOCH) // _SECOND


def instant_of(seconds: int) -> datetime:
    """The instant of a number of seconds since 1970 UTC."""
    return EPOCH + timedelta(seconds=seconds)


def why_never_counted(item: StoryItem) -> str | None:
    """The reason that keeps an item from counting at any time, or None: it is a counted report.

    What was decided about the item goes before its role.
    """
    if item.excluded is not None:
        return str(item.excluded)
    return _ROLE_REASONS.get(item.role)


def why_not_counted(item: StoryItem, at: datetime) -> str | None:
    """The reason why an item does not count at an instant, or None.

    A report that a newer one of its voice overtook, or that is older than the window, stays counted: it
    had its time. Only what never counts, or does not count yet, has a reason here.
    """
    return why_never_counted(item) or (_NOT_YET if seconds_of(item.effective_at) > seconds_of(at) else None)


@dataclass(frozen=True)
class Evidence:
    """A story's items, sorted once: all that heat and its standing are computed from. Made by `gather`.

    `items`: all of them, by (effective time, id). `reports`: those that count, so ordered that of several
    by one voice the last up to an instant is the one that speaks. `times`: their effective times in seconds.
    """

    items: tuple[StoryItem, ...]
    reports: tuple[StoryItem, ...]
    times: tuple[int, ...]

    def between(self, after: float, upto: float) -> tuple[StoryItem, ...]:
        """The counted reports effective in (after, upto], both in seconds since 1970."""
        return self.reports[bisect_right(self.times, after) : bisect_right(self.times, upto)]

    def count_between(self, after: float, upto: float) -> int:
        """How many counted reports are effective in (after, upto]."""
        return bisect_right(self.times, upto) - bisect_right(self.times, after)

    def times_between(self, start: float, upto: float) -> tuple[int, ...]:
        """The effective times of the counted reports in [start, upto], in seconds since 1970."""
        return self.times[bisect_left(self.times, start) : bisect_right(self.times, upto)]

    @cached_property
    def sources(self) -> tuple[SourceId, ...]:
        """The sources of the story, sorted: of every item that stands in it, whatever its role and time.

        An item moved out by hand stands in it no longer.
        """
        return tuple(sorted({source for sources in self._by_voice.values() for source in sources}))

    def sources_of(self, voice: Voice) -> tuple[SourceId, ...]:
        """The sources through which a voice speaks in the story, sorted; as for `sources`."""
        return tuple(sorted(self._by_voice.get(voice, ())))

    @cached_property
    def _by_voice(self) -> dict[Voice, set[SourceId]]:
        """The sources of each voice, kept since large stories ask for every voice of theirs."""
        found: dict[Voice, set[SourceId]] = {}
        for item in self.items:
            if item.excluded != Exclusion.MOVED_OUT:
                found.setdefault(item.voice, set()).add(item.source)
        return found


def gather(items: Iterable[StoryItem]) -> Evidence:
    """Sorts a story's items; the order in which they come does not matter.

    Of reports by one voice at one time the one of the largest weight speaks, and of equal ones the one with
    the least id: it is put last.
    """
    ordered = sorted(items, key=lambda item: (seconds_of(item.effective_at), item.item))
    # The sort is stable: by falling id first, then by what matters more.
    reports = sorted(
        (item for item in reversed(ordered) if why_never_counted(item) is None),
        key=lambda item: (seconds_of(item.effective_at), item.weight),
    )
    return Evidence(tuple(ordered), tuple(reports), tuple(seconds_of(item.effective_at) for item in reports))
