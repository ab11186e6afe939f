"""The stage between placing and measuring: what became known in each changed story, its title and its names."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256

from storyheat.core.heat.evidence import Evidence, StoryItem
from storyheat.core.model import ItemId, Level, Source, SourceId, StoryId
from storyheat.core.stories.developments import DevelopmentParams, Told, developments
from storyheat.core.stories.disagreements import DisagreementParams, disagreements
from storyheat.core.stories.headline import headline
from storyheat.core.stories.levels import Speaker, level_in_story, speaker, subjects
from storyheat.core.stories.related import RelatedParams, names_of
from storyheat.core.stories.statements import statements
from storyheat.core.stories.told import Development, first_and_newest
from storyheat.core.text.names import Names
from storyheat.core.text.terms import MAX_LEAD_CHARS
from storyheat.store import evidence, measures, placing, telling
from storyheat.store.database import Transaction
from storyheat.store.feeds import stored_sources
from storyheat.store.telling import Telling, Wording

WHAT = "telling"  # in the table of derivations
STEP = 200  # stories told at once, for memory


@dataclass(frozen=True, slots=True)
class TellParams:
    """What tunes the telling."""

    background: Mapping[str, float]  # term → share of ordinary texts
    names: Names = field(default_factory=Names)
    developments: DevelopmentParams = field(default_factory=DevelopmentParams)
    disagreements: DisagreementParams = field(default_factory=DisagreementParams)
    related: RelatedParams = field(default_factory=RelatedParams)


def tell(connection: Transaction, now: datetime, params: TellParams) -> None:
    """Tells every story that was changed since the last telling; all, where the rule or the sources changed."""
    sources = stored_sources(connection)
    signature, before = _signature(params, sources), placing.derived_up_to(connection, WHAT)
    if before is None or before[1] != signature or before[0] > now:
        due: Collection[StoryId] = telling.every_story(connection)
    else:
        due = measures.stories_changed_since(connection, before[0])
    _tell(connection, due, sources, params)
    placing.note_derived(connection, WHAT, signature, now)


def retell(connection: Transaction, stories: Collection[StoryId], params: TellParams) -> None:
    """Tells stories again, since a correction changed their members."""
    _tell(connection, stories, stored_sources(connection), params)


def _tell(
    connection: Transaction, stories: Collection[StoryId], sources: Mapping[SourceId, Source], params: TellParams
) -> None:
    ordered = sorted(stories)
    speakers = {source.id: speaker(source) for source in sources.values()}
    for start in range(0, len(ordered), STEP):
        step = ordered[start : start + STEP]
        found = evidence.evidence_of(connection, step, sources)
        founders = telling.founders(connection, step)
        read = {story: _worth_reading(found[story], speakers, params.developments.reports) for story in found}
        words = telling.wordings(connection, {one.item for items in read.values() for one in items})
        told = {
            story: _of_story(found[story], founders[story], read[story], words, speakers, params)
            if story in found
            else Telling()
            for story in step
        }
        telling.write_tellings(connection, told, telling.newest_decisions(connection, step))


def _worth_reading(story: Evidence, speakers: Mapping[SourceId, Speaker], most: int) -> list[StoryItem]:
    """The items whose words decide something; a single report needs no reading, unless its level does.

    Of a large story the oldest and the newest are read: what lies between was told while it was young.
    """
    first_party = [one for one in story.items if speakers[one.source].level is Level.FIRST_PARTY]
    reports = story.reports if len(story.reports) > 1 or first_party else ()
    wanted = dict.fromkeys([*first_and_newest(reports, most), *first_and_newest(first_party, most)])
    return list(wanted)


def _of_story(
    story: Evidence,
    founder: ItemId,
    read: Sequence[StoryItem],
    words: Mapping[ItemId, Wording],
    speakers: Mapping[SourceId, Speaker],
    params: TellParams,
) -> Telling:
    if not read:
        return Telling([Development(one.item, one.effective_at) for one in story.reports])
    says = {one.item: statements(words[one.item].title, words[one.item].text, params.names) for one in read}
    reports = [one for one in story.reports if one.item in says]
    about = subjects([says[one.item] for one in reports])
    levels = {one.item: level_in_story(speakers[one.source], says[one.item], about) for one in read}
    told = [
        Told(one.item, one.effective_at, one.voice, levels[one.item], words[one.item].language, says[one.item])
        for one in reports
    ]
    name = headline(told, founder, params.background)
    texts = {item: (wording.title, wording.text[:MAX_LEAD_CHARS]) for item, wording in words.items() if item in says}
    title = words[name].title if name in words else ""
    return Telling(
        developments=developments(told, params.background, params.developments),
        headline=None if name == founder else name,
        names=names_of(told, texts, title, params.background, params.related),
        bystanders=[
            one.item
            for one in read
            if levels[one.item] is not Level.FIRST_PARTY and speakers[one.source].level is Level.FIRST_PARTY
        ],
        disagreements=disagreements(told, params.disagreements),
    )


def _signature(params: TellParams, sources: Mapping[SourceId, Source]) -> str:
    """The rule, and fingerprints of what else decides: names, and of the sources who speaks for whom."""
    said = [
        (one.id, one.owner, one.name, one.site, one.level.value, one.speaks_for, one.community, one.aggregator)
        for one in sources.values()
    ]
    mark = sha256(repr((sorted(said), params.developments, params.disagreements, params.related)).encode()).hexdigest()[
        :12
    ]
    return f"told/1, names {params.names.mark}, sources {mark}"
