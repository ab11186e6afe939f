"""Where new items go: a copy to its original's stories, everything else where the clusterer puts it.

One `Batch` is what one run brought at one instant. Its decisions come out as values, in order; the same facts
give the same decisions whether they are made run by run or all at once in a rebuild.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from storyheat.core.clustering.model import Doc, Placement
from storyheat.core.clustering.references import links_of
from storyheat.core.items.copies import Candidate, CopyParams, Likeness, Sketch, find_copy
from storyheat.core.items.facts import Item
from storyheat.core.items.identity import story_id
from storyheat.core.model import ItemId, Role, Source, SourceId, StoryId


class Clusters(Protocol):
    """What places a document; `core.clustering.clusterer.Clusterer` does."""

    def place(self, doc: Doc, story_if_founded: str) -> Placement:
        """Decides about one document and remembers it."""
        ...


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of the membership log. `role` None: the item is in no story, and `story` is None too."""

    item: ItemId
    story: StoryId | None
    role: Role | None
    because: Mapping[str, object]
    by_hand: bool = False  # the role is that of another copy, and there a person decided it


@dataclass(slots=True)
class Book:
    """What is decided so far about the items at hand: their stories with roles, and their copy sets."""

    roles: dict[ItemId, dict[StoryId, Role]] = field(default_factory=dict)
    by_hand: set[tuple[ItemId, StoryId]] = field(default_factory=set)  # roles that a person decided
    copy_sets: dict[ItemId, ItemId] = field(default_factory=dict)  # member → set
    members: dict[ItemId, dict[ItemId, None]] = field(default_factory=dict)  # set → members

    def join_set(self, item: ItemId, copy_set: ItemId) -> None:
        """Puts an item into a copy set; the item that names the set is always in it."""
        for member in (copy_set, item):
            self.copy_sets[member] = copy_set
            self.members.setdefault(copy_set, {})[member] = None


@dataclass(slots=True)
class Placed:
    """What one batch decided."""

    decisions: list[Decision] = field(default_factory=list)
    founded: list[tuple[StoryId, ItemId]] = field(default_factory=list)
    copies: list[tuple[ItemId, Likeness]] = field(default_factory=list)
    grown: set[StoryId] = field(default_factory=set)  # stories that existed before and got a report


def place_batch(
    items: Sequence[Item],
    moved: Iterable[ItemId],
    sketches: Mapping[ItemId, Sketch],
    candidates: Callable[[Item], Iterable[Candidate]],
    items_of: Callable[[Iterable[ItemId]], Mapping[ItemId, Item]],
    book: Book,
    clusters: Clusters,
    sources: Mapping[SourceId, Source],
    params: CopyParams,
) -> Placed:
    """Places the new items of one instant and puts copy sets in order whose members' times moved.

    `candidates` gives stored and earlier items that share a band; `items_of` gives items as of this instant;
    `book` holds (and gets) what is decided about both.
    """
    placed = Placed()
    touched = {book.copy_sets[item] for item in moved if item in book.copy_sets}
    for item in sorted(items, key=in_turn):
        like = None
        if sketches[item.id].bands:
            like = find_copy(item.id, sketches[item.id], item.effective_at, candidates(item), params)
        if like is None:
            _place(item, sources[item.source], clusters, book, placed)
        else:
            _copy(item, like, book, placed)
            touched.add(like.copy_set)
    for copy_set in sorted(touched):
        _name_original(items_of(book.members[copy_set]), book, placed)
    placed.grown -= {story for story, _ in placed.founded}
    return placed


def in_turn(item: Item) -> tuple[datetime, ItemId]:
    """By this the items of one batch are put in order."""
    return item.effective_at, item.id


def doc_of(item: Item, source: Source) -> Doc:
    """What the clusterer sees of an item."""
    return Doc(
        id=item.id,
        at=item.effective_at,
        title=item.title,
        text=item.text or item.summary,
        source=source.owner,
        digest=source.digest,
        language=item.language,
        url=item.url,
        links=links_of(item.html),
    )


def _place(item: Item, source: Source, clusters: Clusters, book: Book, placed: Placed) -> None:
    placement = clusters.place(doc_of(item, source), story_id(item.id))
    roles = book.roles.setdefault(item.id, {})
    if placement.story is not None:
        story = StoryId(placement.story)
        if placement.founded:
            placed.founded.append((story, item.id))
        placed.grown.add(story)
        roles[story] = placement.role
        placed.decisions.append(Decision(item.id, story, placement.role, placement.because))
    for mention in placement.mentions:
        story = StoryId(mention.story)
        roles[story] = Role.MENTION
        because: dict[str, object] = {
            "sentence_cosine": mention.cosine,
            "sentence_limit": mention.cosine_limit,
            "z": mention.z,
            "z_limit": mention.z_limit,
        }
        if placement.story is None:
            because |= placement.because
        placed.decisions.append(Decision(item.id, story, Role.MENTION, because))
    if not roles:
        placed.decisions.append(Decision(item.id, None, None, placement.because))


def _copy(item: Item, like: Likeness, book: Book, placed: Placed) -> None:
    """A copy stands in the stories of the items it copies, and is nothing to the clusterer."""
    stories = {
        story
        for member in (*book.members.get(like.copy_set, {}), like.copy_set)
        for story in book.roles.get(member, {})
    }
    book.join_set(item.id, like.copy_set)
    placed.copies.append((item.id, like))
    because = {"copy_of": like.like, "similarity": round(like.similarity, 4)}
    book.roles[item.id] = dict.fromkeys(sorted(stories), Role.COPY)
    for story in sorted(stories):
        placed.decisions.append(Decision(item.id, story, Role.COPY, because))
    if not stories:
        placed.decisions.append(Decision(item.id, None, None, because))


def _name_original(members: Mapping[ItemId, Item], book: Book, placed: Placed) -> None:
    """Of a copy set the item of the least (effective time, id) is the original and has the others' role.

    What a person decided about the text holds for its new original.
    """
    original = min(members.values(), key=in_turn).id
    for holder in sorted(members):
        for story, role in sorted(book.roles.get(holder, {}).items()):
            if holder == original or role is Role.COPY:
                continue
            because = {"original_by": "earliest effective time among its copies", "copies": len(members) - 1}
            book.roles.setdefault(original, {})[story] = role
            book.roles[holder][story] = Role.COPY
            by_hand = (holder, story) in book.by_hand
            if by_hand:
                book.by_hand.add((original, story))
            placed.decisions.append(Decision(original, story, role, because, by_hand))
            placed.decisions.append(Decision(holder, story, Role.COPY, {"copy_of": original}, by_hand))
