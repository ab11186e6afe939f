"""What corrections change: each by example, then laws over many histories of them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.heat.log_of_stories import NOON, Log, own

from storyheat.core.corrections.effects import effects
from storyheat.core.corrections.ledger import Place, Row
from storyheat.core.corrections.rules import (
    Correction,
    Merge,
    Move,
    Order,
    Pin,
    Split,
    Undo,
    Unpin,
    arguments_of,
    kind_of,
    new_story_id,
    order_from,
    undone,
)
from storyheat.core.items.identity import founding_item, story_id
from storyheat.core.model import ItemId, Role, StoryId

REPORT, MENTION = Role.REPORT, Role.MENTION
A, B, C = own("iaa"), own("ibb"), own("icc")


def item(name: str) -> ItemId:
    return ItemId(name)


@pytest.fixture
def log() -> Log:
    """Story A: iaa (with its copy iac) and ia2; B: ibb, mentioned by ia2; C: icc, mentioned by the digest idd."""
    made = Log(copies={"iaa": ("iac",)})
    made.place("iaa", A)
    made.place("iac", A, Role.COPY)
    made.place("ia2", A)
    made.place("ibb", B)
    made.place("ia2", B, MENTION)
    made.place("icc", C)
    made.place("idd", C, MENTION)
    return made


# -- merge ----------------------------------------------------------------------------------------


def test_a_merge_moves_all_items_and_keeps_the_stronger_role(log: Log) -> None:
    log.correct(Merge(B, A))
    assert log.roles() == {
        A: {"ia2": "report", "iaa": "report", "iac": "copy", "ibb": "report"},
        C: {"icc": "report", "idd": "mention"},
    }
    assert log.ids() == {A: A, B: A, C: C}


def test_an_old_id_leads_on_through_later_merges(log: Log) -> None:
    log.correct(Merge(C, B))
    log.correct(Merge(B, A))
    assert log.ids() == {A: A, B: A, C: A}
    assert log.correct(Merge(C, A)).stories == []  # they are one already
    log.correct(Undo(2))
    assert log.ids() == {A: A, B: B, C: B}


# -- move -----------------------------------------------------------------------------------------


def test_a_moved_report_leaves_its_story_and_keeps_its_mentions_and_its_copies_follow(log: Log) -> None:
    log.correct(Move(item("iac"), C, REPORT))
    log.correct(Move(item("ia2"), C, REPORT))
    assert log.roles() == {
        B: {"ia2": "mention", "ibb": "report"},
        C: {"ia2": "report", "iaa": "report", "iac": "copy", "icc": "report", "idd": "mention"},
    }
    assert log.ids()[A] == C, "a story left without reports leads to where the last went"
    log.correct(Undo(2))
    assert log.roles()[A] == {"ia2": "report"}
    assert log.ids()[A] == A


def test_a_report_moved_to_a_story_that_it_touched_is_a_report_there(log: Log) -> None:
    log.correct(Move(item("ia2"), B, REPORT))
    assert log.roles()[B] == {"ia2": "report", "ibb": "report"}
    assert log.reports(A) == ["iaa"]


def test_as_a_mention_or_as_nothing_only_that_story_is_meant(log: Log) -> None:
    log.correct(Move(item("ia2"), C, MENTION))
    log.correct(Move(item("iaa"), A, None))
    assert log.roles()[C]["ia2"] == "mention"
    assert log.roles()[A] == {"ia2": "report"}
    outs = [row for row in log.rows if row.place.role is None]
    assert [(row.item, row.place.by_hand) for row in outs] == [("iaa", True), ("iac", True)]


# -- split ----------------------------------------------------------------------------------------


def test_a_split_founds_a_story_of_the_items(log: Log) -> None:
    log.correct(Merge(C, A))
    order = log.split_off(A, ["ia2", "idd"])
    assert order.into == own("ia2")
    log.correct(order)
    assert log.roles()[order.into] == {"ia2": "report", "idd": "mention"}
    assert log.roles()[B] == {"ia2": "mention", "ibb": "report"}
    log.correct(Undo(2))
    assert log.roles()[A] == {
        "ia2": "report", "iaa": "report", "iac": "copy", "icc": "report", "idd": "mention",
    }  # fmt: skip
    assert log.ids()[order.into] == A, "an id that was given out still leads to its items"
    log.correct(Undo(3))
    assert log.ids()[order.into] == order.into
    assert log.roles()[order.into] == {"ia2": "report", "idd": "mention"}


def test_a_merge_and_a_split_restore_the_members_and_the_old_id(log: Log) -> None:
    before = log.roles()
    log.correct(Merge(C, B))
    log.correct(Merge(B, A))
    log.correct(log.split_off(A, ["ibb"]))
    log.correct(log.split_off(A, ["icc", "idd"]))
    after = log.roles()
    after[B]["ia2"] = "mention"  # as a report of A it had ceased to be a mention of a part of it
    assert after == before
    assert log.ids() == {A: A, B: B, C: C}


def test_the_ids_that_led_to_a_reopened_story_stay_with_the_items(log: Log) -> None:
    log.correct(Merge(C, B))
    log.correct(Merge(B, A))
    log.correct(log.split_off(A, ["ibb"]))
    assert log.ids() == {A: A, B: B, C: A}
    log.correct(Undo(3))
    log.correct(Undo(2))
    assert log.ids() == {A: A, B: B, C: B}


def test_a_story_split_off_has_the_first_free_id_of_its_items() -> None:
    items = [item("iaa"), item("ibb")]
    assert new_story_id(items, lambda one: one != A) == B
    taken = {A, B, story_id(item("iaa"), 2)}
    assert new_story_id(items, lambda one: one not in taken) == story_id(item("iaa"), 3)
    assert founding_item(A) == "iaa"


# -- pin ------------------------------------------------------------------------------------------


def test_a_pin_is_by_hand_until_it_is_taken_back(log: Log) -> None:
    log.correct(Pin(item("ia2"), A, REPORT))
    assert log.rows[-1] == Row(item("ia2"), A, Place(REPORT, True, {"z": 1.0, "pinned": 1}), 1)
    log.correct(Unpin(item("ia2")))
    assert log.rows[-1].place == Place(REPORT, False, {"z": 1.0})
    assert log.correct(Unpin(item("ia2"))).rows == ()
    log.correct(Undo(2))
    assert log.rows[-1].place.by_hand


def test_a_pin_replayed_where_the_machine_chose_otherwise_moves_the_item(log: Log) -> None:
    log.correct(Pin(item("ia2"), C, REPORT))
    assert log.reports(C) == ["ia2", "icc"]
    assert log.reports(A) == ["iaa"]


# -- undo -----------------------------------------------------------------------------------------


def test_what_came_meanwhile_stays_unless_its_story_ends(log: Log) -> None:
    log.correct(Merge(B, A))
    log.place("iz1", A)
    log.correct(Undo(1))
    assert log.reports(A) == ["ia2", "iaa", "iz1"]
    order = log.split_off(A, ["ia2"])
    log.correct(order)
    log.place("iz2", order.into)
    log.correct(Undo(3))
    assert log.reports(A) == ["ia2", "iaa", "iz1", "iz2"]


def test_a_copy_that_came_meanwhile_goes_with_its_original(log: Log) -> None:
    log.correct(Move(item("ia2"), C, REPORT))
    log.copies["ia2"] = ("iz1",)
    log.place("iz1", C, Role.COPY)
    log.correct(Undo(1))
    assert log.roles()[A] == {"ia2": "report", "iaa": "report", "iac": "copy", "iz1": "copy"}
    assert log.roles()[C] == {"icc": "report", "idd": "mention"}


def test_an_undone_move_finds_the_story_it_came_from_under_its_new_id(log: Log) -> None:
    log.correct(Move(item("ia2"), C, REPORT))
    log.correct(Merge(A, B))
    log.correct(Undo(1))
    assert log.reports(B) == ["ia2", "iaa", "ibb"]
    assert log.reports(C) == ["icc"]


def test_undoing_never_makes_a_report_a_mention(log: Log) -> None:
    log.correct(Move(item("ia2"), B, None))
    log.correct(Merge(B, A))
    log.correct(Undo(1))
    assert log.roles()[A]["ia2"] == "report"


def test_an_undo_can_be_undone_and_the_state_is_told_from_the_log(log: Log) -> None:
    for order in (Merge(B, A), Undo(1), Undo(2)):
        log.correct(order)
    assert log.ids()[B] == A
    assert undone(log.made) == {2: 3}
    assert undone(log.made[:2]) == {1: 2}


def test_a_split_of_what_was_in_no_story_can_be_undone() -> None:
    log = Log()
    log.place("icc", C)
    log.place("idd", C, MENTION)
    log.correct(Split(None, (item("idd"),), own("idd")))
    assert log.reports(own("idd")) == ["idd"]
    log.correct(Undo(1))
    assert log.roles() == {C: {"icc": "report", "idd": "mention"}}


def test_what_only_copies_hold_is_a_report(log: Log) -> None:
    log.rows = [row for row in log.rows if row.item != "iaa"]
    log.copies = {"iac": ()}
    log.correct(Merge(A, B))
    assert log.reports(B) == ["ia2", "iac", "ibb"]


# -- conclusions that came out otherwise ------------------------------------------------------------


def test_a_story_that_is_not_founded_any_more_is_that_of_its_item(log: Log) -> None:
    gone = own("ia2")
    log.correct(Merge(gone, C))
    assert log.reports(C) == ["ia2", "icc"]
    assert log.ids()[gone] == C
    log.correct(Move(item("icc"), gone, REPORT))
    assert log.reports(C) == ["ia2", "icc"]


def test_a_split_into_a_story_that_is_there_by_now_puts_the_items_there(log: Log) -> None:
    log.correct(Split(A, (item("ia2"),), C))
    assert log.reports(C) == ["ia2", "icc"]
    assert log.ids() == {A: A, B: B, C: C}


@pytest.mark.parametrize(
    "order",
    [
        Merge(own("ixx"), A), Merge(A, own("ixx")), Move(item("ixx"), A, REPORT), Move(item("ia2"), own("ixx"), REPORT),
        Split(A, (item("ixx"),), own("ixx")), Pin(item("ixx"), A, REPORT), Unpin(item("ixx")), Undo(7),
    ],
    ids=str,
)  # fmt: skip
def test_what_is_not_there_any_more_is_left_out(log: Log, order: Order) -> None:
    assert effects(order, 1, log.ledger).rows == ()


ORDERS: list[Order] = [
    Merge(B, A), Move(item("iaa"), C, None), Move(item("iaa"), C, MENTION), Split(None, (item("iaa"),), A),
    Pin(item("iaa"), A, REPORT), Unpin(item("iaa")), Undo(3),
]  # fmt: skip


@pytest.mark.parametrize("order", ORDERS, ids=kind_of)
def test_an_order_is_kept_as_a_record(order: Order) -> None:
    record = json.loads(json.dumps(arguments_of(order)))
    assert order_from(kind_of(order), record) == order
    assert Correction(1, NOON, NOON, "ada", order).kind == kind_of(order)


# -- laws -----------------------------------------------------------------------------------------

STEPS = st.lists(
    st.tuples(st.sampled_from("mmvvssapuzn"), st.integers(0, 99), st.integers(0, 99), st.integers(1, 3)), max_size=9
)


def world() -> Log:
    """Nine items in four stories: a text of three items, a mention of two stories, a digest's item."""
    log = Log(copies={"ia1": ("ia2", "ia3")})
    for name, story, role in (
        ("ia1", "sa1", REPORT), ("ia2", "sa1", Role.COPY), ("ia3", "sa1", Role.COPY), ("ia4", "sa1", REPORT),
        ("ib1", "sb1", REPORT), ("ib2", "sb1", REPORT), ("ia4", "sb1", MENTION), ("ic1", "sc1", REPORT),
        ("id1", "sc1", MENTION), ("id1", "sb1", MENTION), ("ie1", "se1", REPORT),
    ):  # fmt: skip
        log.place(name, story, role)
    return log


def run(log: Log, steps: list[tuple[str, int, int, int]]) -> None:
    """Orders, and machine decisions between them, chosen by the numbers from what is there; idle ones are refused."""
    for place, (what, one, two, count) in enumerate(steps):
        stories, items = sorted(log.roles()), sorted({row.item for row in log.rows})
        first, second = StoryId(stories[one % len(stories)]), StoryId(stories[two % len(stories)])
        chosen = items[two % len(items)]
        order: Order | None = None
        if what == "m":
            order = Merge(first, second)
        elif what == "v":
            order = Move(chosen, first, (REPORT, MENTION, None)[count - 1])
        elif what == "s" and len(reports := log.reports(first)) > 1:
            start = two % len(reports)
            order = log.split_off(first, (reports[start:] + reports[:start])[: min(count, len(reports) - 1)])
        elif what == "p":
            order = Pin(chosen, first, REPORT)
        elif what == "u":
            order = Unpin(chosen)
        elif what == "z" and (free := undoable(log)):
            order = Undo(free[one % len(free)])
        elif what == "n":
            log.place(f"in{place}", first)
        if order is not None and effects(order, len(log.made) + 1, log.ledger).rows:
            log.correct(order)


def undoable(log: Log) -> list[int]:
    """The corrections that hold and that no later one which holds rests on."""
    ended, ledger = undone(log.made), log.ledger
    root = {one.number: one.number for one in log.made}
    for one in log.made:
        if isinstance(one.order, Undo):
            root[one.number] = root[one.order.correction]
    return [
        one.number
        for one in log.made
        if one.number not in ended
        and not isinstance(one.order, Undo)
        and not {root[later] for later in ledger.later(one.number)} - ended.keys() - {one.number}
    ]


@given(STEPS)
def test_every_text_reports_one_story_and_every_id_leads_to_a_living_one(
    steps: list[tuple[str, int, int, int]],
) -> None:
    log = world()
    run(log, steps)
    seen: dict[str, str] = {}
    for story, items in log.roles().items():
        assert log.ids()[story] == story, "items stand in living stories only"
        for one, role in items.items():
            if role == "report":
                assert one not in seen
                seen[one] = story
    copies = [items for items in log.roles().values() if {"ia1", "ia2", "ia3"} & set(items)]
    assert all({"ia1", "ia2", "ia3"} <= set(items) for items in copies), "a text stands and moves whole"
    for story, heir in log.ids().items():
        assert log.ledger.step(StoryId(heir)) is None, f"{story} leads nowhere"


@given(STEPS, STEPS)
def test_undoing_one_by_one_restores_everything(
    before: list[tuple[str, int, int, int]], steps: list[tuple[str, int, int, int]]
) -> None:
    log = world()
    run(log, before)
    roles, ids, made = log.roles(), log.ids(), len(log.made)
    held = {(row.item, row.story): (row.place.role, row.place.by_hand) for row in log.rows}
    run(log, [step for step in steps if step[0] not in "zn"])
    for number in range(len(log.made), made, -1):
        log.correct(Undo(number))
    assert log.roles() == roles
    assert {one: heir for one, heir in log.ids().items() if one in ids} == ids
    now = {(row.item, row.story): (row.place.role, row.place.by_hand) for row in log.rows}
    assert {pair: state for pair, state in now.items() if state != (None, False)} == {
        pair: state for pair, state in held.items() if state != (None, False)
    }


@given(STEPS, st.integers(0, 99))
def test_undoing_one_that_nothing_rests_on_puts_its_items_back(
    steps: list[tuple[str, int, int, int]], choice: int
) -> None:
    log, before = world(), world()
    run(log, [step for step in steps if step[0] not in "zn"])
    free = undoable(log)
    if not free:
        return
    number = free[choice % len(free)]
    before.replay(log.made[: number - 1])
    touched = {row.item for row in log.rows if row.correction == number}
    log.correct(Undo(number))
    for story in sorted(log.stories):
        was, now = (
            {one: role for one, role in roles.get(story, {}).items() if one in touched}
            for roles in (before.roles(), log.roles())
        )
        assert now == was


@given(STEPS)
def test_an_undone_undo_restores_the_correction(steps: list[tuple[str, int, int, int]]) -> None:
    log = world()
    run(log, [step for step in steps if step[0] != "z"])
    if not log.made:
        return
    roles, ids = log.roles(), log.ids()
    log.correct(Undo(len(log.made)))
    log.correct(Undo(len(log.made)))
    assert log.roles() == roles
    assert log.ids() == ids


@given(STEPS)
def test_orders_replayed_give_the_same_lines(steps: list[tuple[str, int, int, int]]) -> None:
    log, again = world(), world()
    run(log, [step for step in steps if step[0] != "n"])
    again.replay(log.made)
    assert (again.rows, again.leads, again.stories) == (log.rows, log.leads, log.stories)
