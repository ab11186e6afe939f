"""Corrections on a real database: between runs, in a rebuild, with copies, and what heat and ids are afterwards."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes import ScriptedFetcher
from tests.make import Post, feed_url, rss, source
from tests.planted import COPY, DAILY, DIGEST, HOUR, NOON, WIRE, WORLD
from tests.runs import Runs, new_database, pipeline_of

from storyheat.core.corrections.rules import Correction, Order
from storyheat.core.model import Role, StoryId
from storyheat.corrections import Desk, desk
from storyheat.errors import Ambiguous, NotFound, UsageError
from storyheat.pipeline.correct import correct
from storyheat.pipeline.rebuild import Comparison, compare, rebuild
from storyheat.store.check import digest, problems
from storyheat.store.database import Database, open_database
from storyheat.store.labelled_pairs import pairs_by_hand
from storyheat.store.story_queries import heirs

MINUTE = timedelta(minutes=1)
NAMES = ("wire", "world", "daily", "copycat", "digest", "gazette", "early")
SOURCES = [source(name, digest=name == "digest") for name in NAMES]
BANK = Post(
    "Bank of Lund holds its rate", "https://gazette.example/1", NOON - HOUR, "g1",
    "The bank of Lund holds its rate at four per cent. Governor Imre Vass said prices in Lund rise more slowly now, "
    "and that the bank would look again in spring.",
)  # fmt: skip
BANK_TOO = Post(
    "Governor Vass: rate of the bank of Lund stays", "https://world.example/bank", NOON + HOUR, "x2",
    "Imre Vass, governor of the bank of Lund, keeps the rate at four per cent, since prices in Lund still rise.",
)  # fmt: skip
AGAIN = Post(
    "Harbour Bridge pylon in Port Elling gets steel braces", "https://daily.example/n/78", NOON + 2 * HOUR, "d2",
    "Steel braces will hold the cracked pylon of the Harbour Bridge in Port Elling, says Mayor Ada Quist. Storm Berta "
    "had cracked it; lorries still queue at the Elling tunnel.",
)  # fmt: skip
# The same text as that of the wire, with an earlier date, hours later: it becomes the original.
EARLY = Post("Port Elling shuts bridge", "https://early.example/1", NOON - 5 * HOUR, "e1", WIRE.text)
LISTINGS: tuple[dict[str, list[Post]], ...] = (  # what the feeds list, hour by hour
    {"wire": [WIRE], "world": [WORLD], "daily": [DAILY], "gazette": [BANK]},
    {"copycat": [COPY], "digest": [DIGEST], "world": [BANK_TOO, WORLD]},
    {"daily": [AGAIN, DAILY], "early": [EARLY]},
    {
        "gazette": [
            Post("Apple harvest in Torvale", "https://gazette.example/2", NOON + 3 * HOUR, "g2", "Early apples.")
        ]
    },
)


@dataclass
class Newsroom:
    """A database whose feeds bring more each hour, and a person who corrects it in between."""

    database: Database
    hour: int = 0
    at: datetime = NOON

    def __post_init__(self) -> None:
        self.fetcher = ScriptedFetcher({feed_url(name): rss() for name in NAMES})
        self.runs = Runs(pipeline_of(self.database, self.fetcher, SOURCES))

    def tell(self, posts: Mapping[str, list[Post]]) -> None:
        """What some feeds say from now on."""
        for name, listed in posts.items():
            self.fetcher.answers[feed_url(name)] = rss(*listed)

    def run(self, times: int = 1) -> None:
        """The run of the next hour."""
        for _ in range(times):
            self.tell(LISTINGS[self.hour] if self.hour < len(LISTINGS) else {})
            self.at = max(NOON + self.hour * HOUR, self.at + MINUTE)
            self.runs.at(self.at, force=True)
            self.hour += 1

    def correct(self, take: Callable[[Desk], Order], who: str = "ada") -> Correction:
        """A correction a minute later."""
        pipeline = self.runs.pipeline
        self.at += MINUTE
        with self.database.write() as connection:
            here = desk(connection)
            asked = Correction(0, self.at, here.after, who, take(here))
            return correct(connection, asked, pipeline.background, pipeline.placing, pipeline.rule)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with self.database.read() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(sql)]

    def items(self) -> dict[str, str]:
        """The id of every item by the place it came from."""
        return {str(url).removeprefix("https://"): item for item, url in self.rows("SELECT id, url FROM item")}

    def story(self, place: str) -> str:
        """The story that the item from a place reports."""
        item = self.items()[place]
        [(story,)] = self.rows(f"SELECT story_id FROM story_items WHERE item_id = '{item}' AND role <> 'mention'")
        return str(story)

    def state(self) -> tuple[Any, ...]:
        """Members with roles, hours and figures of heat, and what is told of the stories."""
        return (
            self.rows("SELECT story_id, item_id, role FROM story_items ORDER BY 1, 2"),
            self.rows("SELECT * FROM heat ORDER BY 1, 2"),
            self.rows("SELECT * FROM measure ORDER BY 1"),
            self.rows("SELECT story_id, item_id, figures, terms, said_by FROM development ORDER BY 1, 2"),
            self.rows("SELECT story_id, item_id FROM headline ORDER BY 1"),
        )

    def rebuilt(self) -> Comparison:
        """What a rebuild would change."""
        pipeline = self.runs.pipeline
        return compare(self.database, pipeline.background, pipeline.placing, pipeline.rule)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a database after two runs."""
    folder = tmp_path_factory.mktemp("newsroom")
    room = Newsroom(new_database(folder))
    room.run(2)
    room.database.copy_to(folder / "begun.db")
    room.database.close()
    return folder / "begun.db"


def newsroom(begun: Path, folder: Path) -> Newsroom:
    """A newsroom of its own after two runs."""
    copyfile(begun, folder / "storyheat.db")
    room = Newsroom(open_database(f"sqlite:///{folder / 'storyheat.db'}"), hour=2, at=NOON + HOUR)
    for listing in LISTINGS[:2]:
        room.tell(listing)
    return room


@pytest.fixture
def room(begun: Path, tmp_path: Path) -> Iterator[Newsroom]:
    made = newsroom(begun, tmp_path)
    yield made
    assert made.rebuilt() == Comparison()
    assert problems(made.database) == []
    made.database.close()


@pytest.fixture(scope="module")
def still(begun: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Newsroom]:
    """A newsroom in which nothing changes."""
    made = newsroom(begun, tmp_path_factory.mktemp("still"))
    yield made
    assert made.rows("SELECT * FROM correction") == []
    made.database.close()


BRIDGE, PAGE, LEDGER = "wire.example/a/1", "daily.example/n/77", "gazette.example/1"


def test_a_merge_adds_up_voices_at_once_and_undo_takes_that_back(room: Newsroom) -> None:
    before, bridge, bank = room.state(), room.story(BRIDGE), room.story(LEDGER)
    heat = dict(room.rows("SELECT story_id, heat FROM measure"))
    done = room.correct(lambda desk: desk.merge(bank, bridge))
    [(older, merged, voices)] = room.rows("SELECT story_id, heat, voices FROM measure")
    assert older == bridge, "its founding item is earlier"
    # The voices of the bridge and that of the bank; world speaks in both, and once.
    assert voices == 4
    assert max(heat.values()) < merged < sum(heat.values())
    with room.database.read() as connection:
        assert heirs(connection, [StoryId(bank)]) == {bank: bridge}
    room.correct(lambda desk: desk.undo(f"c{done.number}"))
    assert room.state() == before


def test_a_rebuild_leaves_the_digest_as_it_was(room: Newsroom) -> None:
    bridge, page, pipeline = room.story(BRIDGE), room.items()[PAGE], room.runs.pipeline
    room.correct(lambda desk: desk.split(bridge, [page]))
    room.run()
    room.correct(lambda desk: desk.merge(bridge, room.story(LEDGER)))
    room.run()
    before = digest(room.database)
    rebuild(room.database, pipeline.background, pipeline.placing, pipeline.rule)
    assert digest(room.database) == before


def test_later_items_follow_a_correction(room: Newsroom) -> None:
    bridge, page = room.story(BRIDGE), room.items()[PAGE]
    room.correct(lambda desk: desk.split(bridge, [page, room.items()["world.example/berta"]]))
    parted = room.story(PAGE)
    room.correct(lambda desk: desk.move(room.items()[BRIDGE], room.story(LEDGER), Role.REPORT))
    room.run()
    assert room.story("daily.example/n/78") == parted
    assert room.rows(f"SELECT count(*) FROM story_state WHERE story_id = '{bridge}'") == [(0,)]


def test_by_hand_holds_for_a_text_whose_original_turns_up_later(room: Newsroom) -> None:
    bank, items = room.story(LEDGER), room.items()
    room.correct(lambda desk: desk.move(items["copycat.example/9"], bank, Role.REPORT))
    room.run()
    items = room.items()
    seats = f"SELECT item_id, role, by_hand FROM membership WHERE story_id = '{bank}' ORDER BY id"
    held = {item: (role, by_hand) for item, role, by_hand in room.rows(seats)}
    assert held[items["early.example/1"]] == ("report", 1)
    assert held[items[BRIDGE]] == ("copy", 1)
    assert held[items["copycat.example/9"]] == ("copy", 1)
    room.correct(lambda desk: desk.undo(None))
    assert room.story("early.example/1") == room.story(PAGE)


def test_an_item_moved_out_is_told_in_the_receipt(room: Newsroom) -> None:
    from storyheat.answers.explain import explain, explain_item
    from storyheat.store.queries import ask

    bridge, page = room.story(BRIDGE), room.items()[PAGE]
    room.correct(lambda desk: desk.move(page, bridge, None))
    with ask(room.database) as questions:
        receipt = explain(questions, bridge, room.at, room.runs.pipeline.rule).receipt
        assert (page, "moved out by hand") in [(one.item, one.because) for one in receipt.not_counted]
        told = explain_item(questions, page)
    assert told.seats == ()
    assert told.alone is not None
    assert told.alone.decided_by == "ada"
    assert [(line.story, line.role) for line in told.earlier] == [(bridge, Role.REPORT)]


def test_a_story_whose_founder_left_is_called_by_its_first_report(room: Newsroom) -> None:
    bridge = room.story(BRIDGE)
    room.correct(lambda desk: desk.alone(room.items()[BRIDGE]))
    assert room.story(BRIDGE) != bridge
    assert room.rows(f"SELECT title FROM story_title WHERE story_id = '{bridge}'") == [(WORLD.title,)]


def test_corrections_are_labelled_pairs(room: Newsroom) -> None:
    items, bridge, bank = room.items(), room.story(BRIDGE), room.story(LEDGER)
    wire, world, page, ledger = (items[name] for name in (BRIDGE, "world.example/berta", PAGE, LEDGER))
    room.correct(lambda desk: desk.move(page, bank, Role.REPORT))
    room.correct(lambda desk: desk.alone(world))
    room.correct(lambda desk: desk.merge(bridge, bank))
    room.correct(lambda desk: desk.undo(None))
    room.correct(lambda desk: desk.pin(wire, None))
    room.correct(lambda desk: desk.move(ledger, bridge, Role.MENTION))
    with room.database.read() as connection:
        pairs = {frozenset((one.a, one.b)): one.same for one in pairs_by_hand(connection)}
    other = items["world.example/bank"]
    assert pairs == {
        frozenset((page, ledger)): True, frozenset((page, other)): True,
        frozenset((page, wire)): False, frozenset((page, world)): False,
        frozenset((world, wire)): False, frozenset((ledger, wire)): False,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("take", "error", "words"),
    [
        (lambda desk, it: desk.merge(it["bridge"], it["bridge"][:4]), UsageError, "are one story already"),
        (lambda desk, it: desk.merge(it["bridge"], "sxyz"), NotFound, 'no story has an id that begins with "sxyz"'),
        (lambda desk, it: desk.merge("s", it["bridge"]), Ambiguous, '"s" fits several'),
        (lambda desk, it: desk.move(it[PAGE], it["bridge"], Role.REPORT), UsageError, "already; `storyheat pin"),
        (lambda desk, it: desk.move(it[PAGE], it["bank"], None), UsageError, "is not in"),
        (lambda desk, it: desk.move("ixyz", it["bank"], None), NotFound, "no item has an id"),
        (lambda desk, it: desk.split(it["bank"], [it[LEDGER], it["world.example/bank"]]), UsageError, "nothing would"),
        (lambda desk, it: desk.split(it["bank"], [it[PAGE]]), UsageError, "is not in"),
        (lambda desk, it: desk.split(it["bridge"], [it["digest.example/morning"]]), UsageError, "needs a report"),
        (lambda desk, it: desk.pin(it["digest.example/morning"], None), UsageError, "name the story to pin it in"),
        (lambda desk, it: desk.pin(it[PAGE], it["bank"]), UsageError, "puts it there, for good"),
        (lambda desk, it: desk.unpin(it[PAGE]), UsageError, "is not held by hand"),
        (lambda desk, it: desk.undo(None), NotFound, "so far back: 0 hold now"),
        (lambda desk, it: desk.undo("c1"), NotFound, "there is no correction c1"),
        (lambda desk, it: desk.undo("last"), UsageError, '"last" is no correction'),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_in_words(still: Newsroom, take: Any, error: type[Exception], words: str) -> None:
    names = {**still.items(), "bridge": still.story(BRIDGE), "bank": still.story(LEDGER)}
    with pytest.raises(error, match=words):
        still.correct(lambda desk: take(desk, names))


def test_what_rests_on_a_correction_is_undone_first(room: Newsroom) -> None:
    bridge, bank, item = room.story(BRIDGE), room.story(LEDGER), room.items()[LEDGER]
    room.correct(lambda desk: desk.merge(bank, bridge))
    room.correct(lambda desk: desk.alone(item))
    with pytest.raises(UsageError, match="by hand already"):
        room.correct(lambda desk: desk.pin(item, None))
    room.correct(lambda desk: desk.unpin(item))
    with pytest.raises(UsageError, match=r"c3 \(unpin\) came later and concerns the same: `storyheat undo c3` first"):
        room.correct(lambda desk: desk.undo("3"))
    for _ in range(3):
        room.correct(lambda desk: desk.undo(None))
    with pytest.raises(UsageError, match="c1 is undone already, by c6"):
        room.correct(lambda desk: desk.undo("c1"))
    room.correct(lambda desk: desk.undo("c6"))
    assert room.story(LEDGER) == bridge
    room.correct(lambda desk: desk.undo("c1"))  # undoes what brought it back
    assert room.story(LEDGER) == bank


def test_an_item_that_is_not_placed_yet_has_to_wait(room: Newsroom) -> None:
    from storyheat.pipeline.poll import poll
    from storyheat.pipeline.stopwatch import Stopwatch

    room.fetcher.answers[feed_url("early")] = rss(EARLY)
    pipeline = room.runs.pipeline
    poll(room.database, pipeline.sources, room.fetcher, room.at + MINUTE, pipeline.polling, Stopwatch(), force=True)
    with pytest.raises(UsageError, match="is not placed yet"):
        room.correct(lambda desk: desk.alone(room.items()["early.example/1"]))
    room.correct(lambda desk: desk.merge(room.story(LEDGER), room.story(BRIDGE)))  # all else can be corrected
    room.run()


def test_nothing_can_be_corrected_before_the_first_run(tmp_path: Path) -> None:
    database = new_database(tmp_path)
    with pytest.raises(NotFound, match="there are no stories yet"), database.write() as connection:
        desk(connection)
    database.close()


# -- laws -----------------------------------------------------------------------------------------

STEPS = st.lists(st.tuples(st.sampled_from("rmvasput"), st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=9)


@given(steps=STEPS)
@settings(max_examples=8)
def test_any_series_of_runs_and_corrections_is_what_a_rebuild_makes(
    begun: Path, steps: list[tuple[str, int, int]]
) -> None:
    with TemporaryDirectory() as folder:
        room = newsroom(begun, Path(folder))
        moments = []
        for what, one, two in steps:
            if what == "r":
                room.run()
            else:
                _try(room, what, one, two)
            moments.append((room.at, room.rows("SELECT item_id, story_id, role FROM story_items ORDER BY 1, 2")))
        assert room.rebuilt() == Comparison()
        twice = room.rows("SELECT item_id FROM story_items WHERE role = 'report' GROUP BY 1 HAVING count(*) > 1")
        assert twice == [], "an item reports one story"
        for at, then in moments:
            assert _as_of(room, at) == then, "the log tells what was decided then"
        room.database.close()


def _try(room: Newsroom, what: str, one: int, two: int) -> None:
    """A correction chosen by numbers; one that cannot be is refused."""
    stories = [str(row[0]) for row in room.rows("SELECT DISTINCT story_id FROM story_items ORDER BY 1")]
    items = sorted(room.items().values())
    story, other, item = stories[one % len(stories)], stories[two % len(stories)], items[two % len(items)]
    orders: dict[str, Callable[[Desk], Order]] = {
        "m": lambda desk: desk.merge(story, other),
        "v": lambda desk: desk.move(item, story, (Role.REPORT, Role.MENTION, None)[two % 3]),
        "a": lambda desk: desk.alone(item),
        "s": lambda desk: desk.split(story, [item, items[one % len(items)]]),
        "p": lambda desk: desk.pin(item, None),
        "u": lambda desk: desk.undo(None),
        "t": lambda desk: desk.unpin(item),
    }
    try:
        room.correct(orders[what])
    except UsageError:
        room.at -= MINUTE


def _as_of(room: Newsroom, at: datetime) -> list[tuple[Any, ...]]:
    then = f"{at:%Y-%m-%dT%H:%M:%SZ}"
    return room.rows(
        "SELECT item_id, story_id, role FROM membership AS m WHERE role <> 'none' AND id = (SELECT max(id) "
        "FROM membership AS n WHERE n.item_id = m.item_id AND n.story_id = m.story_id "
        f"AND n.decided_at <= '{then}') ORDER BY 1, 2"
    )
