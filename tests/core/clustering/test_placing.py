"""Where new items go: what is asked of the clusterer, what becomes of copies, and who is the original."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.make import source, utc

from storyheat.background import background
from storyheat.core.clustering.clusterer import Clusterer
from storyheat.core.clustering.model import Doc, Mention, Placement
from storyheat.core.clustering.placing import Book, Decision, Placed, place_batch
from storyheat.core.items.copies import Candidate, CopyParams, Sketch, sketch
from storyheat.core.items.facts import Item
from storyheat.core.items.identity import story_id
from storyheat.core.model import ItemId, Role, SourceId

NOON = utc("2026-11-10 12:00")
HOUR = timedelta(hours=1)
PARAMS = CopyParams()
SOURCES = {one.id: one for one in (source("wire"), source("digest", digest=True))}
REPORT, MENTION, COPY = Role.REPORT, Role.MENTION, Role.COPY


def item(name: str, at: datetime = NOON, text: str = "", origin: str = "wire") -> Item:
    """An item whose text is its name a dozen times, so that only equal texts are copies."""
    return Item(
        id=ItemId(name), identity=name, url=None, title="", summary=text or f"{name} " * 12, text="", html="",
        language=None, source=SourceId(origin), author=None, publisher=None, publisher_url=None, published=None,
        first_seen_at=NOON, effective_at=at, effective_because="", backlog=False,
    )  # fmt: skip


@dataclass
class Scripted:
    """A clusterer that does what the test says, founding a story for every other item."""

    joins: Mapping[str, str] = field(default_factory=dict)  # item → story
    mentions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    nowhere: frozenset[str] = frozenset()  # items of no story of their own
    seen: list[Doc] = field(default_factory=list)

    def place(self, doc: Doc, story_if_founded: str) -> Placement:
        self.seen.append(doc)
        mentions = tuple(Mention(story, 0.5, 1.0, 0.25, 2.0) for story in self.mentions.get(doc.id, ()))
        story = None if doc.id in self.nowhere else self.joins.get(doc.id, story_if_founded)
        role = MENTION if story is None else REPORT
        return Placement(doc.id, story, doc.id not in self.joins and story is not None, role, mentions, {"z": 2.0})


class Shelf:
    """What is stored while batches come: items, their sketches, and the book."""

    def __init__(self, clusters: Scripted | None = None, real: Clusterer | None = None) -> None:
        self.clusters = clusters or Scripted()
        self.real = real
        self.book = Book()
        self.items: dict[ItemId, Item] = {}
        self.sketches: dict[ItemId, Sketch] = {}

    def batch(self, *items: Item, moved: tuple[Item, ...] = ()) -> Placed:
        self.items |= {one.id: one for one in (*items, *moved)}
        self.sketches |= {one.id: sketch(one.title, one.summary, PARAMS) for one in items}
        placed_before = set(self.items) - {one.id for one in items}

        def candidates(one: Item) -> Iterable[Candidate]:
            bands = set(self.sketches[one.id].bands)
            for other in sorted(placed_before):
                if bands & set(self.sketches[other].bands):
                    of_set = self.book.copy_sets.get(other, other)
                    yield Candidate(other, of_set, self.items[other].effective_at, self.sketches[other])
            placed_before.add(one.id)

        def items_of(wanted: Iterable[ItemId]) -> Mapping[ItemId, Item]:
            return {one: self.items[one] for one in wanted}

        return place_batch(
            items, [one.id for one in moved], self.sketches, candidates, items_of, self.book,
            self.real or self.clusters, SOURCES, PARAMS,
        )  # fmt: skip

    def roles(self, name: str) -> dict[str, Role]:
        return {str(story): role for story, role in self.book.roles[ItemId(name)].items()}


def lines(placed: Placed) -> list[tuple[str, str | None, Role | None]]:
    return [(one.item, one.story, one.role) for one in placed.decisions]


SAME = "The same words in two places, more than a dozen of them so that they count as a text."


def test_items_are_placed_in_the_order_of_time_and_id() -> None:
    shelf = Shelf()
    shelf.batch(item("ic", NOON), item("ib", NOON), item("id", NOON - HOUR))
    assert [doc.id for doc in shelf.clusters.seen] == ["id", "ib", "ic"]


POLL = [  # title, text, hours before noon
    ("Ferry Grey Petrel runs aground off Marrow Island", "All 212 people were brought ashore in thick fog.", 0),
    ("Grey Petrel: 212 brought ashore from grounded ferry", "The ferry ran aground off Marrow Island in fog.", 0),
    ("Ferry Grey Petrel freed at high tide", "Tugs pulled the ferry off the rocks of Marrow Island.", 1),
    ("Marrow Island ferry ran aground in fog", "The Grey Petrel had 212 people on board.", 0),
    ("Morning briefing", "A ferry ran aground off Marrow Island. Frost ruins a third of the apples of Sarn.", 0),
    ("Frost ruins a third of the apples of Sarn", "Growers in the valley ask for help from the state.", 0),
    ("Sarn apple growers ask for help after frost", "A third of the apples of the valley are ruined.", 2),
    ("渡轮灰海燕号在马罗岛搁浅", "渡轮灰海燕号周一在大雾中搁浅，212人获救。", 0),
    ("马罗岛渡轮搁浅，212人获救", "灰海燕号渡轮周一在大雾中搁浅。", 0),
    ("Frost ruins a third of the apples of Sarn", "Growers in the valley ask for help from the state.", 0),
]


@given(st.permutations(range(len(POLL))))
@settings(max_examples=20)
def test_the_order_inside_one_poll_decides_nothing(order: list[int]) -> None:
    poll = [
        replace(item(f"i{number}", NOON - hours * HOUR, text), title=title)
        for number, (title, text, hours) in enumerate(POLL)
    ]
    listed, shuffled = (
        Shelf(real=Clusterer(background())).batch(*items) for items in (poll, [poll[place] for place in order])
    )
    assert shuffled == listed


def test_the_clusterer_sees_text_time_owner_and_whether_it_is_a_digest() -> None:
    shelf = Shelf()
    shelf.batch(item("ia", text="Words", origin="digest"))
    assert shelf.clusters.seen == [Doc("ia", NOON, "", "Words", "digest", digest=True)]


def test_a_report_founds_a_story_or_lets_one_grow() -> None:
    own = story_id(ItemId("ia"))
    placed = Shelf(Scripted(joins={"ib": own, "ic": "s-old"})).batch(item("ia"), item("ib"), item("ic"))
    assert placed.founded == [(own, "ia")]
    assert placed.grown == {"s-old"}  # a new story does not grow as well
    assert lines(placed) == [("ia", own, REPORT), ("ib", own, REPORT), ("ic", "s-old", REPORT)]
    assert placed.decisions[0].because == {"z": 2.0}


def test_mentions_go_beside_a_report() -> None:
    placed = Shelf(Scripted(mentions={"ia": ("s1", "s2")})).batch(item("ia"))
    assert lines(placed) == [("ia", story_id(ItemId("ia")), REPORT), ("ia", "s1", MENTION), ("ia", "s2", MENTION)]
    assert placed.decisions[1].because == {
        "sentence_cosine": 0.5, "sentence_limit": 0.25, "z": 1.0, "z_limit": 2.0,
    }  # fmt: skip


def test_a_round_up_has_only_mentions_and_tells_why() -> None:
    shelf = Shelf(Scripted(mentions={"ia": ("s1",)}, nowhere=frozenset({"ia"})))
    placed = shelf.batch(item("ia", origin="digest"))
    assert lines(placed) == [("ia", "s1", MENTION)]
    assert placed.decisions[0].because == {
        "sentence_cosine": 0.5, "sentence_limit": 0.25, "z": 2.0, "z_limit": 2.0,
    }  # fmt: skip
    assert placed.grown == set()


def test_an_item_of_no_story_is_noted_as_such() -> None:
    placed = Shelf(Scripted(nowhere=frozenset({"ia"}))).batch(item("ia"))
    assert placed.decisions == [Decision(ItemId("ia"), None, None, {"z": 2.0})]


# -- copies ---------------------------------------------------------------------------------------


def test_a_copy_stands_in_the_stories_of_its_original_and_is_nothing_to_the_clusterer() -> None:
    shelf = Shelf(Scripted(mentions={"ia": ("s2",)}))
    own = story_id(ItemId("ia"))
    placed = shelf.batch(item("ia", NOON - HOUR, SAME), item("ib", NOON, SAME))
    assert [doc.id for doc in shelf.clusters.seen] == ["ia"]
    assert shelf.roles("ib") == {own: COPY, "s2": COPY}
    assert shelf.roles("ia") == {own: REPORT, "s2": MENTION}
    assert [(copy, like.copy_set) for copy, like in placed.copies] == [("ib", "ia")]
    assert placed.decisions[-1].because == {"copy_of": "ia", "similarity": 1.0}


def test_an_original_that_comes_later_takes_over_the_role() -> None:
    shelf = Shelf()
    own = story_id(ItemId("ib"))
    shelf.batch(item("ib", NOON, SAME))
    placed = shelf.batch(item("ia", NOON - HOUR, SAME))
    assert (shelf.roles("ia"), shelf.roles("ib")) == ({own: REPORT}, {own: COPY})
    assert lines(placed) == [("ia", own, COPY), ("ia", own, REPORT), ("ib", own, COPY)]
    assert placed.decisions[1].because == {"original_by": "earliest effective time among its copies", "copies": 1}
    third = shelf.batch(item("ic", NOON + HOUR, SAME))
    assert lines(third) == [("ic", own, COPY)]
    assert set(shelf.book.members[ItemId("ib")]) == {"ia", "ib", "ic"}


def test_what_a_person_decided_about_a_text_holds_for_its_new_original() -> None:
    shelf = Shelf()
    shelf.batch(item("ib", NOON, SAME))
    shelf.book.by_hand.add((ItemId("ib"), story_id(ItemId("ib"))))
    placed = shelf.batch(item("ia", NOON - HOUR, SAME))
    assert [(one.item, one.role, one.by_hand) for one in placed.decisions] == [
        ("ia", COPY, False), ("ia", REPORT, True), ("ib", COPY, True),
    ]  # fmt: skip


def test_of_equal_times_the_least_id_is_the_original() -> None:
    shelf = Shelf()
    shelf.batch(item("ib", NOON, SAME), item("ia", NOON, SAME))
    assert list(shelf.roles("ia").values()) == [REPORT]


def test_a_copy_whose_time_moves_before_its_original_becomes_it() -> None:
    shelf = Shelf()
    own = story_id(ItemId("ia"))
    shelf.batch(item("ia", NOON - HOUR, SAME), item("ib", NOON, SAME), item("ix"))
    placed = shelf.batch(moved=(item("ib", NOON - 2 * HOUR, SAME), item("ix", NOON - HOUR)))
    assert lines(placed) == [("ib", own, REPORT), ("ia", own, COPY)]
    again = shelf.batch(moved=(item("ib", NOON - 2 * HOUR, SAME),))
    assert again.decisions == []


def test_a_copy_of_an_item_of_no_story_is_in_none() -> None:
    shelf = Shelf(Scripted(nowhere=frozenset({"ia"})))
    placed = shelf.batch(item("ia", NOON - HOUR, SAME), item("ib", NOON, SAME))
    assert lines(placed) == [("ia", None, None), ("ib", None, None)]


def test_the_same_items_in_one_batch_or_several_end_the_same() -> None:
    items = [item(name, NOON + number * HOUR, SAME) for number, name in enumerate(("ic", "ia", "ib"))]

    def ending(*groups: list[Item]) -> dict[ItemId, Any]:
        shelf = Shelf()
        for group in groups:
            shelf.batch(*group)
        return {one: list(roles.values()) for one, roles in shelf.book.roles.items()}

    assert ending(items) == ending(items[:1], items[1:]) == ending(items[2:], items[:1], items[1:2])
