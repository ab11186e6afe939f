"""What `eval` found, as JSON objects and as lines for people."""

from collections.abc import Iterator, Mapping
from typing import Any

from storyheat.core.evaluation.partition_changes import ChangeKind, StoryChange
from storyheat.core.evaluation.partition_scores import Rates, Scores, Sizes
from storyheat.pipeline.what_if import Judged, WhatIf
from storyheat.present import words

Json = dict[str, Any]
Numbers = Mapping[str, tuple[float, float]]
"""Name of a number → its value now, and the one tried."""


def scores(found: Scores, items_per_second: float | None) -> Json:
    """storyheat.eval/1"""
    return {
        "schema": "storyheat.eval/1",
        "n": found.items,
        "bcubed": _rates(found.bcubed),
        "pairwise": {
            **_rates(found.pairs.rates),
            "tp": found.pairs.right,
            "pred_pairs": found.pairs.predicted,
            "gold_pairs": found.pairs.labelled,
        },
        "ami": found.ami,
        "nmi_geometric": found.nmi,
        "clusters": {
            "gold": found.labelled.stories,
            "pred": found.predicted.stories,
            "gold_multi": found.labelled.several,
            "pred_multi": found.predicted.several,
            "gold_max": found.labelled.largest,
            "pred_max": found.predicted.largest,
        },
        "floor": {
            "bcubed_f1_singletons": found.floor_singletons,
            "bcubed_f1_one_cluster": found.floor_one_story,
        },
        "gain_over_floor": found.gain_over_floor,
        "missing": found.missing,
        "extra": found.extra,
        "items_per_second": items_per_second,
    }


def _rates(rates: Rates) -> Json:
    return {"p": rates.precision, "r": rates.recall, "f1": rates.f1}


def score_lines(found: Scores, items_per_second: float | None) -> Iterator[str]:
    """A small table, and what else was counted."""
    yield f"{'':<10}{'precision':>10}{'recall':>10}{'F1':>10}"
    for name, rates in (("BCubed", found.bcubed), ("pairs", found.pairs.rates)):
        shown = [words.rounded(value, 3) for value in (rates.precision, rates.recall, rates.f1)]
        yield f"{name:<10}{''.join([f'{value:>10}' for value in shown])}"
    yield f"AMI {words.rounded(found.ami, 3)}, NMI {words.rounded(found.nmi, 3)} (flatters many small stories)"
    singletons, together = words.rounded(found.floor_singletons, 3), words.rounded(found.floor_one_story, 3)
    yield f"Floors of BCubed F1: {singletons} with every item alone, {together} with all in one story"
    yield f"{words.count(found.items, 'item')}: labelled {_sizes(found.labelled)}; predicted {_sizes(found.predicted)}"
    if found.missing:
        yield f"{words.count(found.missing, 'labelled item')} without a predicted story, each counted as alone"
    if found.extra:
        yield f"{words.count(found.extra, 'prediction')} about items that are not labelled, left out"
    if items_per_second is not None:
        yield f"{words.rounded(items_per_second)} items a second on one core"


def _sizes(sizes: Sizes) -> str:
    stories = words.count(sizes.stories, "story", "stories")
    return f"{stories}, {sizes.several} of several items, the largest of {sizes.largest}"


def what_if(found: WhatIf, tried: Numbers) -> Json:
    """storyheat.what-if/1"""
    return {
        "schema": "storyheat.what-if/1",
        "numbers": _numbers(tried),
        "items": found.items,
        "stored": found.stored,
        "stories": {"now": found.stories_before, "then": found.stories_after},
        "changes": [_change(change, found) for change in found.changes],
    }


def judged(found: Judged, tried: Numbers) -> Json:
    """storyheat.eval-corrections/1"""
    return {
        "schema": "storyheat.eval-corrections/1",
        "numbers": _numbers(tried),
        "pairs": len(found.right) + len(found.wrong),
        "right": len(found.right),
        "unseen": len(found.unseen),
        "wrong": [
            {
                "items": [pair.a, pair.b],
                "titles": [found.titles[pair.a], found.titles[pair.b]],
                "same_story": pair.same,
                "correction": pair.correction,
            }
            for pair in found.wrong
        ],
    }


def _numbers(tried: Numbers) -> Json:
    return {name: {"now": now, "then": then} for name, (now, then) in tried.items()}


def _change(change: StoryChange, found: WhatIf) -> Json:
    return {
        "kind": change.kind.value,
        "reports": change.items,
        "now": [_story(story, items, found) for story, items in change.before.items()],
        "then": [_story(story, items, found) for story, items in change.after.items()],
        "flows": [{"now": flow.before, "then": flow.after, "reports": flow.items} for flow in change.flows],
    }


def _story(story: str, items: int, found: WhatIf) -> Json:
    first = found.foundings[story]
    return {"id": story, "title": first.title, "first": first.item, "stored": first.stored_story, "reports": items}


def judged_lines(found: Judged, tried: Numbers, shown: int | None) -> Iterator[str]:
    """How many pairs are right, and the wrong ones; `shown`: at most so many, None: all."""
    pairs = words.count(len(found.right) + len(found.wrong), "pair")
    ground = f"With {in_words(tried)}, the" if tried else "The"
    yield f"{ground} clusterer alone gets {len(found.right)} of {pairs} right that were corrected by hand."
    if found.unseen:
        yield f"{words.count(len(found.unseen), 'more pair')} with an item that is too old to be looked at"
    for head, same in (("Kept apart, but one story:", True), ("Put together, but two stories:", False)):
        wrong = [pair for pair in found.wrong if pair.same is same]
        if wrong:
            yield ""
            yield head
        for pair in wrong[:shown]:
            one, other = (f"{item} {words.quoted(found.titles[item])}" for item in (pair.a, pair.b))
            yield f"  {one} and {other} (c{pair.correction})"
        if shown is not None and len(wrong) > shown:
            yield f"  {len(wrong) - shown} more; -v shows all"


def in_words(tried: Numbers) -> str:
    """`threshold 0.5 instead of 0`."""
    return ", ".join(f"{name} {then:g} instead of {now:g}" for name, (now, then) in tried.items())


def what_if_lines(found: WhatIf, tried: Numbers, shown: int | None) -> Iterator[str]:
    """How much would change, and then each change with its stories; `shown`: at most so many, None: all."""
    of = f" of {found.stored}" if found.stored > found.items else ""
    now, then = (words.count(count, "story", "stories") for count in (found.stories_before, found.stories_after))
    yield f"With {in_words(tried)}, the newest {words.count(found.items, 'item')}{of} would be {then}; they are {now}."
    if not found.changes:
        yield "No story would change."
    for change in found.changes[:shown]:
        yield ""
        yield from _change_lines(change, found)
    if shown is not None and len(found.changes) > shown:
        yield ""
        yield f"{len(found.changes) - shown} more; -v shows all"


def _change_lines(change: StoryChange, found: WhatIf) -> Iterator[str]:
    def first(story: str) -> str:
        return words.quoted(found.foundings[story].title)

    def stored(story: str) -> str:
        return f"{found.foundings[story].stored_story or story} {first(story)}"

    if change.kind is ChangeKind.MERGE:
        yield f"{len(change.before)} stories would be one:"
        for story, reports in change.before.items():
            yield f"  {words.count(reports, 'report')} of {stored(story)}"
    elif change.kind is ChangeKind.SPLIT:
        yield f"{stored(change.flows[0].before)} would be {len(change.after)} stories:"
        for story, reports in change.after.items():
            yield f"  {words.count(reports, 'report')} from {first(story)} on"
    else:
        yield f"{len(change.before)} stories would be {len(change.after)} others:"
        for story in change.after:
            parts = [flow for flow in change.flows if flow.after == story]
            whence = ", ".join(f"{flow.items} of {stored(flow.before)}" for flow in parts)
            yield f"  {words.count(sum(flow.items for flow in parts), 'report')} from {first(story)} on: {whence}"
