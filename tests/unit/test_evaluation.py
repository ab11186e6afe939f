"""What `eval` found, in lines for people."""

from storyheat.core.evaluation.correction_pairs import LabelledPair
from storyheat.core.evaluation.partition_changes import story_changes
from storyheat.core.evaluation.partition_scores import compare
from storyheat.core.model import ItemId, StoryId
from storyheat.pipeline.what_if import Founding, Judged, WhatIf
from storyheat.present import evaluation

TRIED = {"threshold": (0.0, 0.5), "close_look": (4, 8)}


def what_if(before: str, after: str, stored: int | None = None) -> WhatIf:
    """One letter an item: its story before and after. The first story of each side stands in a stored one."""
    sides = [{f"i{item}": letter for item, letter in enumerate(letters)} for letters in (before, after)]
    return WhatIf(
        items=len(before),
        stored=len(before) if stored is None else stored,
        stories_before=len(set(before)),
        stories_after=len(set(after)),
        changes=tuple(story_changes(*sides)),
        foundings={
            story: Founding(ItemId(f"i{story}"), f"Title {story}", StoryId("stored") if story in "aw" else None)
            for story in {*before, *after}
        },
    )


def lines(found: WhatIf, shown: int | None = None) -> list[str]:
    return list(evaluation.what_if_lines(found, TRIED, shown))


def test_a_merge() -> None:
    assert lines(what_if("aaabc", "wwwwx", 9)) == [
        (
            "With threshold 0.5 instead of 0, close_look 8 instead of 4, the newest 5 items of 9 would be 2 stories; "
            "they are 3 stories."
        ),
        "",
        "2 stories would be one:",
        "  3 reports of stored “Title a”",
        "  1 report of b “Title b”",
    ]


def test_a_split() -> None:
    assert lines(what_if("aaa", "wwx"))[2:] == [
        "stored “Title a” would be 2 stories:",
        "  2 reports from “Title w” on",
        "  1 report from “Title x” on",
    ]


def test_a_regrouping() -> None:
    assert lines(what_if("aaabb", "wwxxx"))[2:] == [
        "2 stories would be 2 others:",
        "  3 reports from “Title x” on: 2 of b “Title b”, 1 of stored “Title a”",
        "  2 reports from “Title w” on: 2 of stored “Title a”",
    ]


def test_no_change_and_too_many() -> None:
    assert lines(what_if("ab", "wx"))[1:] == ["No story would change."]
    many = what_if("aabbcc", "uvwxyz")
    assert lines(many, 1)[-2:] == ["", "2 more; -v shows all"]
    assert lines(many, 3) == lines(many)


def test_corrected_pairs() -> None:
    names = [(ItemId(f"i{number}"), ItemId(f"j{number}")) for number in range(6)]
    right, *wrong, old = [LabelledPair(a, b, number < 4, number) for number, (a, b) in enumerate(names)]
    titles = {item: f"Title {item}" for pair in names for item in pair}
    found = Judged((right,), tuple(wrong), (old,), titles)
    assert list(evaluation.judged_lines(found, {}, 2)) == [
        "The clusterer alone gets 1 of 5 pairs right that were corrected by hand.",
        "1 more pair with an item that is too old to be looked at",
        "",
        "Kept apart, but one story:",
        "  i1 “Title i1” and j1 “Title j1” (c1)",
        "  i2 “Title i2” and j2 “Title j2” (c2)",
        "  1 more; -v shows all",
        "",
        "Put together, but two stories:",
        "  i4 “Title i4” and j4 “Title j4” (c4)",
    ]
    none = Judged((), (), (), {})
    assert list(evaluation.judged_lines(none, {"threshold": (0.0, 1.0)}, None)) == [
        "With threshold 1 instead of 0, the clusterer alone gets 0 of 0 pairs right that were corrected by hand."
    ]


def test_scores() -> None:
    found = compare({"0": "x", "1": "x", "2": "y", "3": "y"}, {"0": "a", "1": "a", "9": "a"})
    assert list(evaluation.score_lines(found, None)) == [
        "           precision    recall        F1",
        "BCubed         1.000     0.750     0.857",
        "pairs          1.000     0.500     0.667",
        "AMI 0.571, NMI 0.816 (flatters many small stories)",
        "Floors of BCubed F1: 0.667 with every item alone, 0.667 with all in one story",
        (
            "4 items: labelled 2 stories, 2 of several items, the largest of 2; "
            "predicted 3 stories, 1 of several items, the largest of 2"
        ),
        "2 labelled items without a predicted story, each counted as alone",
        "1 prediction about items that are not labelled, left out",
    ]
    whole = compare({"0": "x"}, {"0": "x"})
    assert list(evaluation.score_lines(whole, 1234.5))[-1] == "1235 items a second on one core"
    assert len(list(evaluation.score_lines(whole, None))) == 6
