"""The health of sources in words: one or two for each, and one sentence for all."""

from storyheat.answers.sources import Health, SourceAnswer, SourcesAnswer
from storyheat.core.feeds.doctor import FindingKind
from storyheat.present import words

SOUND = (Health.OK, Health.PAUSED, Health.NEW)
_WORDS = {
    Health.GONE: "gone",
    Health.FAILING: "failing",
    Health.BEHIND: "behind",
    Health.NEW: "not polled yet",
    Health.DATES_MOVE: "dates move",
    Health.OK: "ok",
    Health.PAUSED: "paused",
}
_FOUND = {
    FindingKind.GONE: "gone",
    FindingKind.REFUSED_ADDRESS: "never asked",
    FindingKind.CHALLENGE: "challenge page",
    FindingKind.HTML: "no feed",
    FindingKind.FAILING: "failing",
    FindingKind.BEHIND: "behind",
    FindingKind.EMPTY: "empty",
    FindingKind.SCROLLS_OFF: "loses items",
    FindingKind.FROZEN: "frozen",
    FindingKind.SILENT: "silent",
    FindingKind.MOVING_DATES: "dates move",
    FindingKind.FUTURE_DATES: "future dates",
    FindingKind.TWIN: "twin",
    FindingKind.MOVED: "moved",
}


def is_well(one: SourceAnswer) -> bool:
    """Whether nothing about a source needs a look."""
    return one.health in SOUND and all(finding.is_mild for feed in one.feeds for finding in feed.findings)


def in_all(answer: SourcesAnswer) -> str:
    """How many sources there are, and how many need a look."""
    unwell, total = sum(not is_well(one) for one in answer.sources), len(answer.sources)
    new = sum(one.health is Health.NEW for one in answer.sources)
    if total == 1:
        return f"1 source, {'it needs a look' if unwell else 'it was not polled yet' if new else 'it is well'}"
    told = [f"{unwell} of them {'needs' if unwell == 1 else 'need'} a look"] if unwell else []
    told += [f"{new} of them {'was' if new == 1 else 'were'} not polled yet"] if new else []
    return f"{words.count(total, 'source')}, {', '.join(told) or 'all are well'}"


def in_a_word(one: SourceAnswer) -> str:
    """The worst thing that is wrong with a source, in a word or two; else how it is doing."""
    kinds = {finding.kind for feed in one.feeds for finding in feed.findings if not finding.is_mild}
    worst = next((kind for kind in FindingKind if kind in kinds), None)
    if worst is not None:
        return _FOUND[worst]
    if not one.configured:
        return "removed"
    return "no feeds" if one.health is Health.NEW and not one.source.feeds else _WORDS[one.health]
