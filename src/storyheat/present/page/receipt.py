"""The receipt of one hour as a page shows it: a row for each voice, their sum, and what gave nothing and why."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from storyheat.answers.explain import ExplainAnswer
from storyheat.answers.story import StoryAnswer, TimelineItem
from storyheat.core.heat.rule import POINTS_PER_VOICE, Remark, Term
from storyheat.core.model import ItemId, Role, Source, SourceId
from storyheat.present import words
from storyheat.present.objects import instant
from storyheat.present.page import numbers, times
from storyheat.present.page.people import Name, source_name, speaker

NAMED_LATER = 3  # items effective after the hour that are named one by one


@dataclass(frozen=True, slots=True)
class TermView:
    """One voice. `share`: of ten points, per cent, for the bar."""

    speaker: Name
    level: str
    item: str
    number: int | None
    moment: str
    age: str
    weight: str
    share: float
    points: str


@dataclass(frozen=True, slots=True)
class RemarkView:
    """What gave no points, and why. `item`: where its link leads."""

    who: Name
    item: str | None
    because: str


@dataclass(frozen=True, slots=True)
class ReceiptView:
    """The receipt of an hour. `open`: it was asked for."""

    iso: str
    title: str
    heat: str
    rule: str
    formula: str
    terms: tuple[TermView, ...]
    total: str
    remarks: tuple[RemarkView, ...]
    is_open: bool


def receipt_view(
    explained: ExplainAnswer, answer: StoryAnswer, places: Mapping[ItemId, int], zone: tzinfo, *, is_open: bool
) -> ReceiptView:
    """The receipt at the instant of `explained`; `places`: the numbers of the items on the timeline."""
    receipt, rule = explained.receipt, explained.rule
    told = {one.facts.id: one for one in answer.items}
    points = words.shares([term.points for term in receipt.terms], 2)
    heat = numbers.grouped(receipt.heat)
    when = f"{times.moment(receipt.at, zone, answer.at)} {words.zone_name(zone, receipt.at)}"
    return ReceiptView(
        iso=instant(receipt.at),
        title=f"Receipt: how {heat} came about, {when}",
        heat=heat,
        rule=f"{rule.name}, version {rule.version}",
        formula=f"{rule.half_life_hours:g} h",
        terms=tuple(
            _term(term, shown, told.get(term.item), answer, places, zone)
            for term, shown in zip(receipt.terms, points, strict=True)
        ),
        total=numbers.grouped(receipt.heat, 2),
        remarks=tuple(_remarks((*receipt.spent, *receipt.not_counted), explained, told, answer.sources, places)),
        is_open=is_open,
    )


def _term(
    term: Term,
    shown: str,
    one: TimelineItem | None,
    answer: StoryAnswer,
    places: Mapping[ItemId, int],
    zone: tzinfo,
) -> TermView:
    source = answer.sources[term.source]
    return TermView(
        speaker=speaker(source, term.voice),
        level=words.LEVELS[source.level if one is None else one.level],
        item=term.item,
        number=places.get(term.item),
        moment=times.moment(term.effective_at, zone, answer.at),
        age=times.age(term.age_hours),
        weight=f"{term.weight:g}",
        share=round(min(100.0, 100 * term.points / POINTS_PER_VOICE), 1),
        points=shown,
    )


def _remarks(
    remarks: Sequence[Remark],
    explained: ExplainAnswer,
    told: Mapping[ItemId, TimelineItem],
    sources: Mapping[SourceId, Source],
    places: Mapping[ItemId, int],
) -> Iterator[RemarkView]:
    """One line each; copies of one item share a line, and so do many that came later."""
    at = explained.receipt.at
    later = [one for one in remarks if explained.items[one.item].effective_at > at]
    late = {one.item for one in later} if len(later) > NAMED_LATER else set[ItemId]()
    copies: dict[ItemId, list[ItemId]] = {}
    for remark in remarks:
        one = told.get(remark.item)
        if remark.item in late:
            continue
        original = None if one is None or one.place.role is not Role.COPY else one.copy_of
        if original is not None and original in told:
            copies.setdefault(original, []).append(remark.item)
            continue
        source = sources.get(explained.items[remark.item].source)
        who = Name("a source that is in it no more", None) if source is None else source_name(source)
        if one is not None and source is not None:
            who = speaker(source, one.place.voice)
        number = places.get(remark.item)
        named = Name(f"{who.text}, no. {number}", who.lang) if number is not None else who
        yield RemarkView(named, remark.item if one is not None else None, remark.because)
    for original, own in copies.items():
        first = speaker(sources[told[own[0]].facts.source], told[own[0]].place.voice)
        more = f" and {len(own) - 1} more" if len(own) > 1 else ""
        because = f"{'copies' if more else 'a copy'} of no. {places[original]}"
        yield RemarkView(Name(first.text + more, first.lang), original, because)
    if late:
        yield RemarkView(Name(words.count(len(late), "later item"), None), None, later[0].because)
