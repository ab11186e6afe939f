"""The last stage of a run: the heat of every story that may have changed, as figures and hours."""

from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from datetime import datetime
from hashlib import sha256

from storyheat.core.heat.evidence import Evidence
from storyheat.core.heat.figures import Figures, figures_of, kept_hours, memory
from storyheat.core.heat.rule import HeatRule
from storyheat.core.heat.series import DEFAULT_PERIOD, PERIODS, Hour, hours_between
from storyheat.core.heat.standing import Watches
from storyheat.core.model import Source, SourceId, StoryId
from storyheat.store import evidence, horizons, measures, placing
from storyheat.store.database import Transaction
from storyheat.store.feeds import stored_sources

STEP = 200  # stories measured at once, for memory


def measure(connection: Transaction, now: datetime, rule: HeatRule) -> int:
    """Measures all stories whose heat may differ from what is stored; how many these were."""
    sources = stored_sources(connection)
    signature = rule_signature(rule, sources, evidence.watches(connection))
    before = placing.derived_up_to(connection, "heat")
    hot = set(evidence.stories_with_reports_since(connection, now - memory(rule)))
    since = None  # the hours of unchanged stories stand up to here, their figures never do
    if before is None or before[1] != signature or before[0] > now:  # a clock that ran ahead was set right
        changed, others = set(evidence.stories_with_reports_since(connection, None)), set[StoryId]()
    else:
        since = min(measures.oldest_news_of_watching(connection) or before[0], before[0])
        changed = measures.stories_changed_since(connection, before[0])
        others = {*evidence.stories_with_reports_since(connection, since - memory(rule)), *hot} - changed
    figures = [
        *_measure(connection, sorted(changed), hot, sources, now, rule),
        *_measure(connection, sorted(others), hot, sources, now, rule, since),
    ]
    measures.write_figures(connection, sorted(figures, key=lambda one: one.story), now)
    measures.note_watched(connection)
    placing.note_derived(connection, "heat", signature, now)
    return len(changed) + len(others)


def remeasure(connection: Transaction, stories: Collection[StoryId], rule: HeatRule) -> None:
    """Measures stories again as of the last measuring, since a correction changed their members."""
    before, sources = placing.derived_up_to(connection, "heat"), stored_sources(connection)
    if before is None:
        return
    at, signature = before
    if signature != rule_signature(rule, sources, evidence.watches(connection)):
        measure(connection, at, rule)
        return
    hot = set(evidence.stories_with_reports_since(connection, at - memory(rule)))
    figures = _measure(connection, sorted(stories), hot, sources, at, rule)
    measures.write_figures(connection, figures, at, stories)


def _measure(
    connection: Transaction,
    stories: Sequence[StoryId],
    hot: Set[StoryId],
    sources: Mapping[SourceId, Source],
    now: datetime,
    rule: HeatRule,
    since: datetime | None = None,
) -> list[Figures]:
    """Writes the hours of stories, from `since` on (None: all); the figures of those that have heat."""
    watches, let_go = evidence.watches(connection), horizons.horizon(connection, "hours")
    kept_since = max((at for at in (let_go, since) if at is not None), default=None)
    figures: list[Figures] = []
    for start in range(0, len(stories), STEP):
        step = stories[start : start + STEP]
        found = evidence.evidence_of(connection, step, sources)
        measures.write_hours(connection, _hours(step, found, watches, now, rule, kept_since), since)
        for story in step:
            if story in hot and story in found:
                one = figures_of(story, found[story], watches, now, PERIODS[DEFAULT_PERIOD], rule)
                if one.trend.current > 0:
                    figures.append(one)
    return figures


def _hours(
    stories: Iterable[StoryId],
    found: Mapping[StoryId, Evidence],
    watches: Watches,
    now: datetime,
    rule: HeatRule,
    kept_since: datetime | None,
) -> dict[StoryId, tuple[Hour, ...]]:
    """The hours to keep of each story; none for a story that is empty now."""
    hours: dict[StoryId, tuple[Hour, ...]] = dict.fromkeys(stories, ())
    for story in hours.keys() & found.keys():
        kept = kept_hours(found[story], now, rule, kept_since)
        hours[story] = hours_between(found[story], watches, kept, rule)
    return hours


def rule_signature(rule: HeatRule, sources: Mapping[SourceId, Source], watches: Watches) -> str:
    """The rule in words, and a fingerprint of what of the sources decides voices, weights and past watching: a feed
    that is followed no more says nothing against the others of its source, from its last success on.

    When it changes, everything is measured anew.
    """
    said = [
        (
            source.id,
            source.owner,
            source.name,
            source.site,
            source.weight,
            source.community,
            source.aggregator,
        )
        for source in sources.values()
    ]
    left = [
        (source, [feed.last_success for feed in watch.feeds if feed.last_success and not feed.followed])
        for source, watch in watches.items()
        if len(watch.feeds) > 1
    ]
    mark = sha256(repr((sorted(said), sorted(left))).encode()).hexdigest()[:12]
    return f"{rule.in_words}; sources {mark}"
