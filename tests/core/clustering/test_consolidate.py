"""Looking again at open stories: what is proposed, and that nothing changes by looking."""

from collections.abc import Sequence

from tests.core.clustering.test_clusterer import FERRY, FERRY_AGAIN, ORBIX, ORBIX_AGAIN, doc

from storyheat.core.clustering.clusterer import Clusterer
from storyheat.core.clustering.consolidate import propose_merges, propose_splits
from storyheat.core.clustering.model import Doc

STORIES: dict[str, list[Doc]] = {
    "s1": [doc("a", ORBIX)],
    "s2": [doc("b", FERRY, 1), doc("c", FERRY_AGAIN, 2)],
    "s3": [doc("d", ORBIX_AGAIN, 3), doc("e", ORBIX_AGAIN, 4)],
}


def opened(stories: dict[str, list[Doc]]) -> Clusterer:
    clusterer = Clusterer({})
    for story, docs in stories.items():
        clusterer.restate(story, docs)
    return clusterer


def test_two_stories_of_one_event_are_proposed_for_a_merge() -> None:
    clusterer = opened(STORIES)
    clusterer.take_changes()
    [found] = propose_merges(clusterer, STORIES.__getitem__, lambda one, other: False)
    assert (found.one, found.other) == ("s1", "s3")
    assert found.z >= found.least
    assert propose_merges(clusterer, STORIES.__getitem__, lambda one, other: True) == []
    assert clusterer.take_changes() == [], "nothing is changed by looking"


def test_a_report_that_does_not_belong_is_proposed_for_a_split() -> None:
    mixed = {"s1": [doc("a", ORBIX), doc("c", ORBIX_AGAIN, 1), doc("b", FERRY, 2)], "s2": [doc("d", FERRY_AGAIN, 3)]}
    clusterer = opened(mixed)

    def reports(story: str) -> Sequence[Doc]:
        return mixed[story]

    found = propose_splits(clusterer, reports, lambda item: False)
    assert [(one.story, one.items) for one in found] == [("s1", ("b",))]
    assert propose_splits(clusterer, reports, lambda item: True) == []
    assert clusterer.open_ids == {"s1", "s2"}
