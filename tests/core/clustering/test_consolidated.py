"""Stories of a stream that are merged as it goes by: which id stays, what follows, and when it is looked at again."""

from dataclasses import replace
from datetime import datetime, timedelta

from tests.core.clustering.test_clusterer import FERRY, ORBIX, ORBIX_AGAIN, START, doc

from storyheat.core.clustering.clusterer import Clusterer
from storyheat.core.clustering.consolidate import ConsolidateParams
from storyheat.core.clustering.consolidated import Consolidated

ITEMS = {"a": doc("a", ORBIX), "b": doc("b", FERRY, 1), "c": doc("c", ORBIX_AGAIN, 2), "d": doc("d", ORBIX_AGAIN, 3)}
ITEMS["later"] = replace(doc("later", ("Quarry opens near Tolland", "")), at=START + timedelta(days=400))


def apart(params: ConsolidateParams | None = None) -> Consolidated:
    """Every item in a story of its own, but `d` with `c`."""
    clusterer = Clusterer({})
    merges = Consolidated(clusterer, ITEMS.__getitem__, params or ConsolidateParams())
    for story in ("a", "b", "cd"):
        clusterer.restate(story[0], [ITEMS[item] for item in story])
        for item in story:
            merges.placed(item, story[0])
    return merges


def test_the_older_id_stays_and_the_clusterer_knows_one_story() -> None:
    merges = apart()
    assert merges.look_again() == 1
    assert [merges.story(story) for story in "abc"] == ["a", "b", "a"]
    assert merges.clusterer.open_ids == {"a", "b"}
    assert merges.clusterer.place(doc("e", ORBIX_AGAIN, 5), "e").story == "a"
    assert merges.look_again() == 1, "nothing is left to merge"


def test_each_story_is_merged_once_at_a_time_and_ids_lead_on() -> None:
    merges = apart()
    merges.clusterer.restate("d", [ITEMS["d"]])
    merges.placed("d", "d")
    assert merges.look_again() == 1
    merges.clusterer.restate("a", [ITEMS["a"], ITEMS["c"]])
    assert merges.look_again() == 2
    assert merges.clusterer.open_ids == {"a", "b"}
    assert merges.story("c") == merges.story("d") == "a"


def test_it_is_looked_at_again_each_day_of_the_stream_and_each_so_many_reports() -> None:
    def looks(number: int, *times: datetime | None) -> list[bool]:
        merges = apart(ConsolidateParams(every_reports=number))
        found = []
        for at in times:
            merges.before(at)
            found.append(merges.story("c") == "a")
        return found

    day = timedelta(days=1)
    assert looks(1000, START, None, START + day / 2, START + day) == [False, False, False, True]
    assert looks(4, None) == [True]
    assert looks(5, None, START) == [False, False]


def test_what_has_closed_is_not_looked_at() -> None:
    merges = apart()
    merges.clusterer.place(ITEMS["later"], "later")
    merges.placed("later", "later")
    assert merges.look_again() == 0
    assert merges.clusterer.open_ids == {"later"}
