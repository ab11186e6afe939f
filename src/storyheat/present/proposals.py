"""Proposals of the clusterer in words, each with the command that accepts it, and as a JSON object."""

from collections.abc import Mapping
from dataclasses import dataclass

from storyheat.core.clustering.consolidate import MergeProposal, SplitProposal
from storyheat.core.model import ItemId, StoryId
from storyheat.pipeline.proposals import Proposals
from storyheat.present import words
from storyheat.present.objects import Json
from storyheat.store.queries import Questions


@dataclass(frozen=True, slots=True)
class Told:
    """One proposal for people. `names`: a line for each thing it names."""

    reason: str
    names: tuple[str, ...]
    command: str


def merge_in_words(proposal: MergeProposal, older: StoryId, titles: Mapping[StoryId, str]) -> Told:
    """Why two stories may be one."""
    pair = (StoryId(proposal.one), StoryId(proposal.other))
    younger = pair[0] if pair[1] == older else pair[1]
    mean, least = words.signed(proposal.z, 2), words.signed(proposal.least, 2)
    reason = f"The first and last reports of one score {mean} with the other, the least of them {least}."
    names = tuple(f"{story} {words.quoted(titles.get(story, ''))}" for story in (older, younger))
    return Told(reason, names, f"storyheat merge {older} {younger}")


def split_in_words(proposal: SplitProposal, titles: Mapping[StoryId, str], items: Mapping[ItemId, str]) -> Told:
    """Why reports may not belong to their story."""
    story, count = StoryId(proposal.story), len(proposal.items)
    score = words.signed(proposal.z, 2)
    reason = f"With the rest of the story {'it scores' if count == 1 else 'each of them scores at most'} {score}."
    named = tuple(f"{item} {words.quoted(items.get(ItemId(item), ''))}" for item in proposal.items)
    told = f"{story} {words.quoted(titles.get(story, ''))}"
    return Told(reason, (told, *named), f"storyheat split {story} {' '.join(proposal.items)}")


def told(proposals: Proposals, questions: Questions) -> tuple[list[Told], list[Told]]:
    """All merges and all splits in words."""
    stories = {StoryId(story) for one in proposals.merges for story in (one.one, one.other)}
    stories |= {StoryId(one.story) for one in proposals.splits}
    titles = {story: head.title for story, head in questions.heads(stories).items()}
    items = questions.items_titled(ItemId(item) for one in proposals.splits for item in one.items)
    merges = [
        merge_in_words(one, questions.older_of((StoryId(one.one), StoryId(one.other))), titles)
        for one in proposals.merges
    ]
    return merges, [split_in_words(one, titles, items) for one in proposals.splits]


def as_json(proposals: Proposals, merges: list[Told], splits: list[Told]) -> Json:
    """storyheat.proposals/1"""
    merged, parted = [], []
    for merge, said in zip(proposals.merges, merges, strict=True):
        into, story = (name.partition(" ")[0] for name in said.names)
        figures = {"z": merge.z, "least": merge.least, "because": dict(merge.because)}
        merged.append({"story": story, "into": into, **figures, "reason": said.reason, "command": said.command})
    for split, said in zip(proposals.splits, splits, strict=True):
        figures = {"z": split.z, "because": dict(split.because)}
        items = list(split.items)
        parted.append({"story": split.story, "items": items, **figures, "reason": said.reason, "command": said.command})
    return {"schema": "storyheat.proposals/1", "merges": merged, "splits": parted}
