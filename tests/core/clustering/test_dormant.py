"""Closed stories: kept shortened, found by rare words, woken, and forgotten in time."""

from storyheat.core.clustering.dormant import Dormant, DormantParams, remembered
from storyheat.core.clustering.state import Member, StateParams, StoryState, found, shortened

DAY = 86_400


def story(name: str, words: str, last: int | None = 0) -> StoryState:
    vector = {word: round(1.0 - 0.01 * i, 4) for i, word in enumerate(words.split())}
    member = Member(last, "wire", vector, vector, tuple(vector), periodic=False, references=(">a.example/1",))
    state = found(name, member, touched=len(name), params=StateParams())
    return shortened(state, 40)


def query(words: str) -> dict[str, float]:
    return dict.fromkeys(words.split(), 0.3)


def dormant(*stories: StoryState, **params: int) -> Dormant:
    kept = Dormant(DormantParams(**params))
    for one in stories:
        kept.lay_down(one)
    return kept


def test_a_closed_story_is_shortened() -> None:
    state = story("s", " ".join(f"word{n}" for n in range(60)))
    assert state.dormant
    assert (len(state.centroid), len(state.anchors), len(state.root)) == (40, 40, 40)
    assert (state.references, state.meaning) == ({}, None)


def test_stories_are_found_by_what_they_share_most_of() -> None:
    kept = dormant(story("a", "orbix lantern kestrel"), story("b", "orbix lantern"), story("c", "ferry marrow"))
    assert [one.id for one in kept.nearest(query("orbix lantern kestrel fog"), 24)] == ["a", "b"]
    assert kept.nearest(query("orbix fog"), 24) == []
    assert kept.nearest(query("fog orbix lantern"), 2) == []


def test_a_word_of_many_stories_leads_nowhere() -> None:
    kept = dormant(story("a", "vote house"), story("b", "vote house"), key_stories=1)
    assert kept.nearest(query("vote house"), 24) == []


def test_only_so_many_are_looked_at_and_ties_go_to_the_smaller_id() -> None:
    kept = dormant(*[story(name, "vote house") for name in "cab"], woken=2)
    assert [one.id for one in kept.nearest(query("vote house"), 24)] == ["a", "b"]


def test_a_story_taken_out_comes_back_as_it_was() -> None:
    state = story("a", "orbix lantern kestrel")
    kept = dormant(state, story("b", "orbix ferry"))
    assert kept.ids == {"a", "b"}
    assert kept.take("a") == state
    assert kept.take("a") is None
    assert kept.ids == {"b"}
    assert kept.nearest(query("orbix lantern kestrel"), 24) == []


def test_a_story_stored_is_found_as_before() -> None:
    kept, again = dormant(story("a", "orbix lantern kestrel", last=-DAY)), dormant()
    asleep = kept.get("a")
    assert asleep is not None
    again.put(remembered(asleep.to_bytes(), {}))  # type: ignore[arg-type]
    assert again.get("a") == asleep
    assert again.nearest(query("orbix lantern"), 24) == kept.nearest(query("orbix lantern"), 24) == [asleep.state()]


def test_without_times_nothing_is_kept() -> None:
    assert dormant(story("a", "orbix lantern", last=None)).ids == set()


def test_the_longest_silent_are_forgotten() -> None:
    kept = dormant(*[story(f"s{n}", "orbix lantern", last=n * DAY) for n in range(6)], dormant_stories=3)
    kept.forget(5 * DAY)
    assert kept.ids == {"s3", "s4", "s5"}
    kept.take("s4")
    kept.lay_down(story("s4", "orbix lantern", last=9 * DAY))
    kept.forget(DormantParams().dormant_after + 5 * DAY)
    assert kept.ids == {"s4", "s5"}


def test_the_newest_change_is_known() -> None:
    assert dormant().newest_touch() == 0
    assert dormant(story("a", "orbix"), story("bbb", "ferry")).newest_touch() == 3
