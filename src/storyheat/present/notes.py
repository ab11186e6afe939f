"""What a story rests on, in sentences: its voices by level, which sources copy which, and who only mentions it."""

from collections import Counter
from collections.abc import Callable, Iterator

from storyheat.answers.story import StoryAnswer, TimelineItem
from storyheat.core.model import ItemId, Level, Role, Source
from storyheat.present import words
from storyheat.present.page.people import speaker

NAMED_COPIERS = 3  # of one original


def source_note(answer: StoryAnswer, named: Callable[[ItemId], str]) -> Iterator[str]:
    """The sentences. `named`: how an item of the story is called here, such as `no. 12`."""
    figures, levels = answer.story.figures, Counter(speaking_levels(answer))
    told = ", ".join(f"{levels[level]} {words.LEVELS[level].lower()}" for level in Level if levels[level])
    yield f"This story rests on {words.count(figures.voices, 'voice')}" + (f": {told}." if told else ".")
    here = {one.facts.id: one for one in answer.items}
    copies: dict[ItemId, list[TimelineItem]] = {}
    for one in reversed(answer.items):
        if one.copy_of is not None:
            copies.setdefault(one.copy_of, []).append(one)
    ours = [(here[original], own) for original, own in copies.items() if original in here]
    if ours:
        total = sum(len(own) for _, own in ours)
        ours.sort(key=lambda pair: (pair[0].facts.effective_at, pair[0].facts.id))
        parts = [f"{_copiers(answer, own)} of {_who(answer, one)}, {named(one.facts.id)}" for one, own in ours]
        yield f"{words.count(total, 'item is a copy', 'items are copies')}: {'; '.join(parts)}. Copies add no heat."
    if of_others := sum(len(own) for original, own in copies.items() if original not in here):
        yield f"{words.count(of_others, 'item is a copy', 'items are copies')} of an item outside this story."
    if mentions := sum(one.place.role is Role.MENTION for one in answer.items):
        yield f"{words.count(mentions, 'item only mentions', 'items only mention')} it; mentions add no heat."


def sources_by_items(answer: StoryAnswer) -> list[tuple[Source, int]]:
    """The sources of a story with how many of its items they have: most first, then by name."""
    counts = Counter(one.facts.source for one in answer.items)
    ordered = sorted(answer.sources.values(), key=lambda one: (-counts[one.id], one.name.casefold(), one.id))
    return [(source, counts[source.id]) for source in ordered]


def speaking_levels(answer: StoryAnswer) -> list[Level]:
    """The level of each counted voice of a story up to its instant: that of its newest report."""
    newest: dict[str, Level] = {}
    for one in answer.items:
        if one.not_counted is None:
            newest.setdefault(one.place.voice, one.level)
    return list(newest.values())


def _who(answer: StoryAnswer, one: TimelineItem) -> str:
    return speaker(answer.sources[one.facts.source], one.place.voice).text


def _copiers(answer: StoryAnswer, copies: list[TimelineItem]) -> str:
    names = list(dict.fromkeys(_who(answer, one) for one in copies))
    more = len(names) - NAMED_COPIERS
    if more > 0:
        return f"{', '.join(names[:NAMED_COPIERS])} and {more} more"
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
