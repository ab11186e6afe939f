"""Placing items into stories: what joins, what founds, what is only mentioned, and what may never matter."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storyheat.core.clustering.clusterer import Clusterer
from storyheat.core.clustering.dormant import DormantParams, Sleeper, remembered
from storyheat.core.clustering.index import IndexParams
from storyheat.core.clustering.model import ClusterParams, Doc, Placement
from storyheat.core.clustering.state import StateParams, StoryState, from_bytes
from storyheat.core.clustering.vectors import Counts, WeightParams
from storyheat.core.model import Role
from storyheat.core.text.terms import read

START = datetime(2026, 3, 1, 8, tzinfo=UTC)
ORBIX = (
    "Orbix opens its Lantern engine, claims 40 trillion tokens a day",
    (
        "The company Orbix published its engine Lantern on Tuesday. It says one cluster serves 40 trillion "
        "tokens a day "
        "and earns $21 per hour of each card. Engineers can run Lantern on Kestrel chips."
    ),
)
ORBIX_AGAIN = (
    "What Lantern tells about the cost of a token",
    (
        "With Lantern, the engine of Orbix, a cluster reaches 40T tokens daily. At $21 an hour for each card "
        "the margin "
        "is wide, an analyst wrote. Kestrel chips are supported as well."
    ),
)
FERRY = (
    "Ferry runs aground off Marrow Island, 212 rescued",
    (
        "A ferry with 212 people on board ran aground off Marrow Island in thick fog. The coast guard of Tolland took "
        "everyone off by noon. The captain of the Grey Petrel was questioned."
    ),
)
FERRY_AGAIN = (
    "Captain of stranded ferry Grey Petrel questioned",
    (
        "The coast guard of Tolland questioned the captain after the Grey Petrel ran aground off Marrow Island. "
        "All 212 people had been rescued from the ferry in the fog."
    ),
)
ROUNDUP = (
    "AI Weekly: money, chips and paint",
    (
        "Quiet days for most of us. Orbix published its engine Lantern and claims 40 trillion tokens a day and $21 per "
        "hour of each card. Someone painted a house in green."
    ),
)


def doc(name: str, words: tuple[str, str], hours: float = 0, **more: Any) -> Doc:
    return replace(Doc(name, START + timedelta(hours=hours), *words, source=name), **more)


def changes(clusterer: Clusterer) -> list[StoryState]:
    """What changed, closed stories unpacked."""
    return [one.state() if isinstance(one, Sleeper) else one for one in clusterer.take_changes()]


def place(docs: Iterable[Doc], clusterer: Clusterer | None = None) -> dict[str, Placement]:
    clusterer = clusterer or Clusterer({})
    return {one.id: clusterer.place(one, f"s-{one.id}") for one in docs}


def test_reports_of_one_event_share_a_story_and_others_do_not() -> None:
    placed = place([doc("a", ORBIX), doc("b", FERRY, 1), doc("c", ORBIX_AGAIN, 2), doc("d", FERRY_AGAIN, 3)])
    assert {name: one.story for name, one in placed.items()} == {"a": "s-a", "b": "s-b", "c": "s-a", "d": "s-b"}
    assert [one.founded for one in placed.values()] == [True, True, False, False]
    assert {one.role for one in placed.values()} == {Role.REPORT}


def test_a_decision_tells_its_reasons() -> None:
    placed = place([doc("a", ORBIX), doc("b", FERRY, 1), doc("c", ORBIX_AGAIN, 2), doc("e", ORBIX_AGAIN, 3)])
    assert placed["a"].because == {"threshold": 0.0}
    because = placed["e"].because
    assert because["nearest"] == "s-a"
    features = because["features"]
    assert isinstance(features, dict)
    assert {"bias", "ahead", "gap", "headline"} <= set(features)
    z = sum(value * weight for value, weight in features.values())
    assert z == pytest.approx(because["z"])
    assert z >= Clusterer({}).params.threshold == because["threshold"]


def test_the_runner_up_is_named() -> None:
    other = ("Orbix hires a pilot for its Kestrel chips", "Orbix has hired a pilot to show Kestrel chips to schools.")
    placed = place([doc("a", ORBIX), doc("b", FERRY, 1), doc("c", other, 200), doc("d", ORBIX_AGAIN, 201)])
    assert placed["c"].founded
    placed = place([doc("a", ORBIX), doc("b", other, 1), doc("c", ORBIX_AGAIN, 2)])
    assert {placed["c"].because["nearest"], placed["c"].because.get("runner_up", "s-b")} <= {"s-a", "s-b"}


@pytest.mark.parametrize("extra", [{}, {"title": "What moved the week", "digest": True}])
def test_collections_are_mentions_and_leave_no_trace(extra: dict[str, object]) -> None:
    clusterer = Clusterer({})
    place([doc("a", ORBIX), doc("b", FERRY, 1)], clusterer)
    before = {state.id: state.to_bytes() for state in changes(clusterer)}
    counted = dict(clusterer.counts.df)
    placed = place([doc("c", ROUNDUP, 2, **extra)], clusterer)["c"]
    assert (placed.story, placed.founded, placed.role) == (None, False, Role.MENTION)
    assert [mention.story for mention in placed.mentions] == ["s-a"]
    assert changes(clusterer) == []
    assert clusterer.counts.df == counted
    assert set(before) == {"s-a", "s-b"}


def test_an_item_may_report_one_story_and_mention_another() -> None:
    both = (FERRY_AGAIN[0], FERRY_AGAIN[1] + " On board were Orbix people with Kestrel chips and the engine Lantern.")
    placed = place([doc("a", ORBIX), doc("b", FERRY, 1), doc("c", both, 2)])["c"]
    assert placed.story == "s-b"
    assert [mention.story for mention in placed.mentions] == ["s-a"]
    assert placed.mentions[0].cosine > ClusterParams().sentence_mention


def test_a_periodic_list_does_not_join_an_event() -> None:
    title = "Lantern tops weekly ranking of engines"
    lead = "The list counts tokens of nine engines. Lantern, the engine of Orbix, has 52 trillion tokens of all calls."
    events = [doc("a", ORBIX), doc("b", FERRY, 1)]
    assert place([*events, doc("c", (title, lead), 2)])["c"].story == "s-c"
    assert place([*events, doc("c", (title.replace("weekly ranking", "list"), lead), 2)])["c"].story == "s-a"


@pytest.mark.parametrize(
    ("first", "second", "joins"),
    [
        ("Ferry sinks off Tolland", "Ferry opens new route", False),
        ("Ferry sinks off Tolland", "Ferry disaster off Tolland: many missing", True),
        ("Bakers of Torvik end their strike", "Lottery won in Torvik", False),
        ("灯塔引擎发布", "灯塔博物馆关门", False),
        ("灯塔引擎发布", "灯塔引擎开源", True),
    ],
)
def test_one_word_in_common_is_not_enough(first: str, second: str, joins: bool) -> None:
    placed = place([doc("a", (first, "")), doc("b", (second, ""), 1)])
    assert (placed["b"].story == "s-a") is joins


@pytest.mark.parametrize(
    ("first", "second", "single"),
    [
        ("Boats are moored before Odile", "What to pack when Odile comes", False),
        ("Bakers of Torvik end their strike", "Lottery won in Torvik", True),
        ("Two shot at a market of Torvik", "Shooting in Torvik: market closed", False),
    ],
)
def test_a_coined_name_counts_for_two_words_and_a_place_does_not(first: str, second: str, single: bool) -> None:
    features = place([doc("a", (first, "")), doc("b", (second, ""), 1)])["b"].because["features"]
    assert isinstance(features, dict)
    assert ("single" in features) == single


@pytest.mark.parametrize(("days", "joins"), [(6.9, True), (7.5, False), (-6.9, True), (-7.5, False)])
def test_a_story_takes_items_near_its_time_only(days: float, joins: bool) -> None:
    params = ClusterParams(threshold=-20.0, index=IndexParams(dormant=DormantParams(woken=0)))
    placed = place([doc("a", ORBIX), doc("b", ORBIX_AGAIN, 24 * days)], Clusterer({}, params=params))
    assert (placed["b"].story == "s-a") is joins


def test_a_closed_story_wakes_for_what_none_but_it_has_names_of() -> None:
    late = replace(doc("d", (ORBIX_AGAIN[0], ORBIX_AGAIN[1] + " " + ORBIX[1])), at=START + timedelta(days=40))
    clusterer = Clusterer({})
    first = [doc("a", ORBIX), doc("b", FERRY, 1), doc("c", FERRY_AGAIN, 24 * 30)]
    placed = place([*first, late, doc("e", ORBIX, 24 * 41)], clusterer)
    assert placed["c"].because.get("dormant")
    assert placed["d"].story == placed["e"].story == "s-a"
    assert placed["d"].because["dormant"]
    assert "dormant" not in placed["e"].because
    assert clusterer.open_ids == {"s-a"}
    states = {state.id: state for state in changes(clusterer)}
    assert clusterer.known_ids == {"s-a", "s-b"} | ({"s-c"} if placed["c"].founded else set())
    assert not states["s-a"].dormant
    assert states["s-b"].dormant


def test_titles_alone_wake_no_story_and_no_story_wakes_after_half_a_year() -> None:
    whole = (ORBIX[0], ORBIX[1] + " " + ORBIX_AGAIN[1])
    params = ClusterParams(threshold=-20.0)
    for words, days, wakes in ((whole, 179, True), (whole, 181, False), ((ORBIX[0], ""), 20, False)):
        placed = place([doc("a", ORBIX), doc("b", words, 24 * days)], Clusterer({}, params=params))
        assert (placed["b"].story == "s-a") is wakes


def test_a_late_item_wakes_a_story_that_stays_closed() -> None:
    clusterer = Clusterer({}, params=ClusterParams(threshold=-20.0))
    place([doc("a", ORBIX), doc("b", FERRY, 24 * 30), doc("c", ORBIX_AGAIN, 24 * 3)], clusterer)
    assert clusterer.open_ids == {"s-b"}
    assert {state.id: state.size for state in changes(clusterer)} == {"s-a": 2, "s-b": 1}


def test_a_closed_story_wakes_after_a_restart_as_well() -> None:
    docs = [doc("a", ORBIX), doc("b", FERRY, 24 * 30), doc("c", (ORBIX_AGAIN[0], ORBIX[1]), 24 * 31)]
    assert in_batches(docs, [2], ClusterParams()) == in_batches(docs, [], ClusterParams())
    assert in_batches(docs, [2], ClusterParams())[-1].story == "s-a"


def test_a_story_too_old_to_sleep_leaves_no_trace() -> None:
    docs = [doc("a", FERRY), doc("b", ORBIX, -24 * 300), doc("c", FERRY_AGAIN, 1)]
    clusterer = Clusterer({})
    place(docs, clusterer)
    assert clusterer.known_ids == {"s-a"}
    assert {state.id: state.touched for state in changes(clusterer) if state.id == "s-a"} == {"s-a": 2}


def test_a_correction_of_a_closed_story_leaves_it_closed() -> None:
    clusterer = Clusterer({})
    docs = [doc("a", ORBIX), doc("b", ORBIX_AGAIN, 1), doc("c", FERRY, 24 * 30)]
    place(docs, clusterer)
    changes(clusterer)
    clusterer.restate("s-a", docs[1:2])
    (state,) = changes(clusterer)
    assert (state.id, state.size, state.dormant) == ("s-a", 1, True)
    assert clusterer.known_ids == {"s-a", "s-c"}
    clusterer.restate("s-a", [])
    assert clusterer.known_ids == {"s-c"}


def test_a_stream_without_times_never_closes() -> None:
    placed = place([doc("a", ORBIX, at=None), doc("b", FERRY, at=None), doc("c", ORBIX_AGAIN, at=None)])
    assert placed["c"].story == "s-a"


def test_silent_stories_are_closed_and_the_clock_is_theirs() -> None:
    clusterer = Clusterer({})
    place([doc("a", ORBIX), doc("b", FERRY, 24 * 5), doc("c", FERRY_AGAIN, 24 * 8)], clusterer)
    assert clusterer.open_ids == {"s-b"}


def test_only_so_many_stories_stay_open() -> None:
    clusterer = Clusterer({}, params=ClusterParams(index=IndexParams(open_stories=2)))
    words = [(f"Thing{n} Place{n} Matter{n}", "") for n in range(4)]
    place([doc(str(n), words[n], n) for n in range(4)], clusterer)
    assert clusterer.open_ids == {"s-2", "s-3"}
    place([doc("4", words[2], 4), doc("5", ("Other9 matter9", ""), 5)], clusterer)
    assert clusterer.open_ids == {"s-2", "s-5"}


def test_a_story_remembers_a_bounded_amount() -> None:
    params = ClusterParams(threshold=-50.0, state=StateParams(centroid_terms=10, anchors=3, sources=2))
    clusterer = Clusterer({}, params=params)
    texts = [
        (f"Lantern Orbix{n} Kestrel{n}", f"The place Marrow{n} and the boat Petrel{n} met Orbix.") for n in range(9)
    ]
    place([doc(str(n), words, n) for n, words in enumerate(texts)], clusterer)
    (state,) = changes(clusterer)
    assert state.size == 9
    assert (len(state.centroid), len(state.anchors), len(state.sources)) == (10, 3, 2)
    assert set(state.repeated) <= set(state.centroid)


def test_a_long_story_costs_no_more_and_its_own_words_lose_their_weight() -> None:
    clusterer = Clusterer({"lantern": 1.0}, params=ClusterParams(threshold=-50.0))
    docs = [doc(f"{n:02}", ("Lantern news from Orbix", f"Part {n + 40} of the tale."), n) for n in range(80)]
    assert {one.story for one in place(docs, clusterer).values()} == {"s-00"}
    (state,) = changes(clusterer)
    assert state.size == 80
    item = clusterer.prepare(docs[0], read(docs[0].title, docs[0].text))
    assert item.weighed.idf["lantern"] < 0.0
    assert "lantern" not in item.vector
    place([doc("z", FERRY, 400)], clusterer)
    assert clusterer.open_ids == {"s-z"}


def test_empty_items_found_stories_of_their_own() -> None:
    placed = place([doc("a", ("", "")), doc("b", ("", ""), 1), doc("c", ("the", "..."), 2)])
    assert [one.story for one in placed.values()] == ["s-a", "s-b", "s-c"]


def test_a_background_makes_common_words_light() -> None:
    words = {"engin": 0.2, "cluster": 0.3, "day": 0.9, "hour": 0.5, "token": 0.2}
    placed = place([doc("a", ORBIX), doc("b", ORBIX_AGAIN, 1)], Clusterer(words))
    assert placed["b"].story == "s-a"


def test_after_a_correction_a_story_is_made_anew() -> None:
    clusterer = Clusterer({})
    docs = [doc("a", ORBIX), doc("b", ORBIX_AGAIN, 1), doc("c", FERRY, 2)]
    place(docs, clusterer)
    clusterer.restate("s-a", docs[1:])
    clusterer.restate("s-c", [])
    clusterer.restate("s-nobody", [])
    assert clusterer.open_ids == {"s-a"}
    (state,) = changes(clusterer)
    assert (state.id, state.size, sorted(state.sources)) == ("s-a", 2, ["b", "c"])
    assert place([doc("d", FERRY_AGAIN, 3)], clusterer)["d"].story == "s-a"


def test_counts_are_halved_before_they_grow_without_end() -> None:
    params = WeightParams(counted_stories=4.0)
    counts = Counts()
    for _ in range(3):
        counts.add({"often": 1.0}, 1.0, params)
    counts.add({"rare": 1.0}, 0.5, params)
    counts.add({"new": 1.0}, 1.0, params)
    assert (counts.total, counts.df, counts.halvings) == (2.0, {"often": 1.5, "new": 0.5}, 1)
    assert list(counts.changed) == ["often", "new"]
    counts.saved()
    assert (counts.changed, counts.halvings) == ({}, 0)


VOCABULARY = [
    "Orbix", "Lantern", "Kestrel", "ferry", "Marrow", "fog", "captain", "engine", "token", "cluster", "island",
    "rescue", "chip", "coast", "40T", "$21", "15%", "Tolland", "Petrel", "price", "strike", "vote",
    "灯塔", "引擎", "发布",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(VOCABULARY), max_size=14).map(" ".join)


@st.composite
def streams(draw: st.DrawFn) -> list[Doc]:
    rows = draw(st.lists(st.tuples(TEXTS, TEXTS, st.integers(0, 400)), min_size=1, max_size=14))
    docs = [
        Doc(f"{n:02}", START + timedelta(hours=hours), title, text, source=f"source{n % 3}")
        for n, (title, text, hours) in enumerate(rows)
    ]
    return sorted(docs, key=lambda one: (one.at, one.id))


def in_batches(docs: Sequence[Doc], sizes: Sequence[int], params: ClusterParams) -> list[Placement]:
    """Places a stream in batches with everything written and read back between them."""
    placed: list[Placement] = []
    blobs: dict[str, bytes] = {}
    table: dict[str, float] = {}
    total, rest, at = 0.0, list(sizes), 0
    while at < len(docs):
        batch = docs[at : at + (rest.pop(0) if rest else len(docs))]
        at += len(batch)
        counts = Counts(total, dict(table))
        clusterer = Clusterer({}, counts, [remembered(blob, {}) for blob in blobs.values()], params)
        placed += [clusterer.place(one, f"s-{one.id}") for one in batch]
        blobs |= {story.id: story.to_bytes() for story in clusterer.take_changes()}
        blobs = {story: blobs[story] for story in sorted(clusterer.known_ids, reverse=True)}
        for _ in range(counts.halvings):
            table = {term: n / 2 for term, n in table.items() if n / 2 >= params.weigh.least_count}
        table |= {term: counts.df[term] for term in counts.changed}
        total = counts.total
    return placed


@settings(max_examples=60)
@given(streams(), st.lists(st.integers(1, 5), max_size=6), st.sampled_from([0.0, -4.0]))
def test_stopping_and_loading_again_changes_nothing(docs: list[Doc], sizes: list[int], threshold: float) -> None:
    params = ClusterParams(
        threshold=threshold,
        weigh=WeightParams(counted_stories=6.0),
        index=IndexParams(open_stories=5, dormant=DormantParams(dormant_stories=3, shared_keys=1)),
        state=StateParams(centroid_terms=12, anchors=4, sources=2),
    )
    assert in_batches(docs, sizes, params) == in_batches(docs, [], params)


@given(streams())
def test_every_item_is_placed_once_and_states_round_trip(docs: list[Doc]) -> None:
    clusterer = Clusterer({})
    placed = place(docs, clusterer)
    assert list(placed) == [one.id for one in docs]
    assert all(one.founded or one.story in {f"s-{name}" for name in placed} for one in placed.values())
    for state in changes(clusterer):
        again = from_bytes(state.to_bytes())
        assert again == state
        assert [list(again.centroid), list(again.root)] == [list(state.centroid), list(state.root)]
        assert again.length == state.length
        assert again.to_bytes() == state.to_bytes()


def test_sums_however_large_round_trip() -> None:
    (state,) = changes(_with(Clusterer({}), doc("a", ORBIX)))
    for weight in (0.5, 7.0, 500_000.0):
        state.centroid = dict.fromkeys(state.centroid, weight)
        assert from_bytes(state.to_bytes()) == state


def _with(clusterer: Clusterer, *docs: Doc) -> Clusterer:
    place(docs, clusterer)
    return clusterer


@pytest.mark.parametrize("data", [b"", b"[]", b'{"v": 99}', b"not json", b"\xff"])
def test_what_is_no_state_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        remembered(data, {})
    assert str(caught.value)
