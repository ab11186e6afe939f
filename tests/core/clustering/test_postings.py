"""Postings find what a plain comparison of all stories would find."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.core.clustering.postings import Postings
from storyheat.core.clustering.vectors import Vector, dot, norm

TERMS = st.sampled_from("abcdefgh")
VECTORS = st.dictionaries(TERMS, st.integers(1, 9999).map(lambda n: n / 10_000), min_size=1)
STEPS = st.lists(st.tuples(st.integers(0, 90), VECTORS | st.none()), max_size=60)


@given(STEPS, VECTORS)
def test_the_nearest_stories_come_first(steps: list[tuple[int, Vector | None]], query: Vector) -> None:
    postings, stories = Postings(), dict[str, Vector]()
    for number, centroid in [*[(n, {"a": 0.5}) for n in range(70)], *steps]:  # more than are put in order at once
        story = f"s{number:02}"
        if centroid is not None:
            postings.put(story, stories.get(story, {}), centroid, norm(centroid))
            stories[story] = centroid
        elif story in stories:
            postings.remove(story, stories.pop(story))
    nearest = list(postings.nearest(query, 10, 10_000))
    assert nearest == sorted(nearest, key=lambda pair: (-pair[0], pair[1]))
    shared = {story: own for story, own in stories.items() if query.keys() & own.keys()}
    plain = {story: dot(query, own) / norm(own) for story, own in shared.items()}
    assert {story: score for score, story in nearest} == pytest.approx(plain)


def test_a_term_that_would_break_the_budget_is_passed_over() -> None:
    postings = Postings()
    for story in "xyz":
        postings.put(story, {}, {"often": 1.0}, 1.0)
    postings.put("z", {"often": 1.0}, {"often": 0.6, "seldom": 0.8}, 1.0)
    query = {"often": 0.9, "seldom": 0.4, "never": 0.1}
    assert list(postings.nearest(query, 3, 4)) == [(0.9, "x"), (0.9, "y"), (0.9 * 0.6 + 0.4 * 0.8, "z")]
    assert list(postings.nearest(query, 3, 2)) == [(0.4 * 0.8, "z")]
    assert list(postings.nearest(query, 1, 2)) == []
