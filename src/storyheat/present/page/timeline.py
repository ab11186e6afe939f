"""The timeline of a story page: its items by day, copies folded under their original, each with a number."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from itertools import groupby
from typing import Literal

from storyheat.answers.story import StoryAnswer, TimelineItem
from storyheat.core.model import ItemId, Role, Source, SourceId
from storyheat.core.text.markup import one_line
from storyheat.present import words
from storyheat.present.objects import instant
from storyheat.present.page import times
from storyheat.present.page.people import Badge, Name, level_badge, named, role_badge, speaker, web_link

Show = Literal["all", "reports", "mentions"]
SHOWN_ITEMS = 200  # of a larger timeline, until all are asked for
SUMMARY_LETTERS = 360  # of an item; where words have no blanks, half of it


@dataclass(frozen=True, slots=True)
class CopyView:
    """A copy, folded under its original."""

    id: str
    iso: str
    clock: str
    speaker: Name
    href: str | None


@dataclass(frozen=True, slots=True)
class ItemView:
    """One item. `number`: counted from the oldest on; `remark`: why a report is not counted."""

    id: str
    number: int
    iso: str
    clock: str
    speaker: Name
    level: Badge
    role: Badge
    is_mention: bool
    is_selected: bool
    title: Name
    href: str | None
    summary: Name | None
    remark: str | None
    copies: tuple[CopyView, ...]
    copies_note: str


@dataclass(frozen=True, slots=True)
class DayView:
    """The items of one day."""

    iso: str
    title: str
    items: tuple[ItemView, ...]


@dataclass(frozen=True, slots=True)
class TimelineView:
    """The timeline as it is wanted. `hidden`: older items that it leaves out; counts are of all."""

    days: tuple[DayView, ...]
    show: Show
    oldest_first: bool
    items: int
    reports: int
    mentions: int
    hidden: int

    @property
    def ids(self) -> frozenset[str]:
        """The items that are shown, copies with them."""
        items = [one for day in self.days for one in day.items]
        return frozenset(item.id for item in items) | {copy.id for item in items for copy in item.copies}


@dataclass(frozen=True, slots=True)
class TimelineWish:
    """What of the timeline is wanted, and in which order."""

    show: Show = "all"
    oldest_first: bool = False
    every: bool = False  # all items, however many


def standing_alone(items: Sequence[TimelineItem]) -> list[TimelineItem]:
    """The items that are not folded under another: all but copies whose original stands in the story."""
    here = {one.facts.id for one in items}
    return [one for one in items if one.copy_of not in here]


def numbers(items: Sequence[TimelineItem]) -> dict[ItemId, int]:
    """The number of each item of a timeline, `items` being newest first; a copy has that of its original."""
    alone = standing_alone(items)
    found = {one.facts.id: len(alone) - place for place, one in enumerate(alone)}
    folded = {one.facts.id: found[one.copy_of] for one in items if one.copy_of in found and one.facts.id not in found}
    return found | folded


def timeline(answer: StoryAnswer, wish: TimelineWish, zone: tzinfo) -> TimelineView:
    """The timeline of a story."""
    alone, places = standing_alone(answer.items), numbers(answer.items)
    mentions = [one for one in alone if one.place.role is Role.MENTION]
    wanted = mentions if wish.show == "mentions" else alone
    if wish.show == "reports":
        wanted = [one for one in alone if one.place.role is not Role.MENTION]
    shown = wanted if wish.every else wanted[:SHOWN_ITEMS]
    copies: dict[ItemId | None, list[TimelineItem]] = {}
    for one in answer.items:
        copies.setdefault(one.copy_of, []).insert(0, one)
    ordered = list(reversed(shown)) if wish.oldest_first else shown
    today = answer.at.astimezone(zone).date()

    def day_of(one: TimelineItem) -> date:
        return one.facts.effective_at.astimezone(zone).date()

    days = tuple(
        DayView(
            day.isoformat(),
            times.long_day(day, today),
            tuple(
                _item(one, places[one.facts.id], copies.get(one.facts.id, ()), answer.sources, zone, answer.at)
                for one in own
            ),
        )
        for day, own in groupby(ordered, day_of)
    )
    return TimelineView(
        days=days,
        show=wish.show,
        oldest_first=wish.oldest_first,
        items=len(alone),
        reports=len(alone) - len(mentions),
        mentions=len(mentions),
        hidden=len(wanted) - len(shown),
    )


def _item(
    one: TimelineItem,
    number: int,
    copies: Iterable[TimelineItem],
    sources: Mapping[SourceId, Source],
    zone: tzinfo,
    now: datetime,
) -> ItemView:
    facts, place = one.facts, one.place
    is_mention = place.role is Role.MENTION
    folded = tuple(_copy(copy, facts.effective_at, sources, zone, now) for copy in copies)
    summary = "" if is_mention else excerpt(facts.summary)
    return ItemView(
        id=facts.id,
        number=number,
        iso=instant(facts.effective_at),
        clock=f"{facts.effective_at.astimezone(zone):%H:%M}",
        speaker=speaker(sources[facts.source], place.voice),
        level=level_badge(one.level),
        role=role_badge(place.role),
        is_mention=is_mention,
        is_selected=one.selected is not None,
        title=named(words.title(facts.title), facts.language),
        href=web_link(facts.url),
        summary=named(summary, facts.language) if summary and summary != one_line(facts.title) else None,
        remark=one.not_counted if place.role is Role.REPORT else None,
        copies=folded,
        copies_note=f"and {words.count(len(folded), 'copy', 'copies')}, no heat added" if folded else "",
    )


def _copy(
    one: TimelineItem, original_at: datetime, sources: Mapping[SourceId, Source], zone: tzinfo, now: datetime
) -> CopyView:
    facts = one.facts
    same_day = facts.effective_at.astimezone(zone).date() == original_at.astimezone(zone).date()
    clock = f"{facts.effective_at.astimezone(zone):%H:%M}" if same_day else times.short(facts.effective_at, zone, now)
    who = speaker(sources[facts.source], one.place.voice)
    return CopyView(facts.id, instant(facts.effective_at), clock, who, web_link(facts.url))


def excerpt(text: str) -> str:
    """The beginning of a text as one line, cut between words with … at its end."""
    line = one_line(text)
    limit = SUMMARY_LETTERS if " " in line[: SUMMARY_LETTERS // 6] else SUMMARY_LETTERS // 2
    if len(line) <= limit:
        return line
    head = line[: limit - 1]
    return f"{head[: head.rfind(' ')] if ' ' in head[limit // 2 :] else head}…"
