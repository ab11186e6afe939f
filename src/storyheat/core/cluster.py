"""Places items, one by one in the order given, into stories: join one as a report, mention some, or found one."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from storyheat.core.cluster_index import Index
from storyheat.core.cluster_model import ClusterParams, Doc, Mention, Placement
from storyheat.core.cluster_score import FEATURES, Item, features, mention_weights, score, several_topics
from storyheat.core.cluster_state import Member, StoryState, found, grow
from storyheat.core.model import Role
from storyheat.core.text import Reading, read
from storyheat.core.vectors import Counts, Vector, dot, unit, weigh


@dataclass(frozen=True, slots=True)
class Fit:
    """One candidate story of an item."""

    story: StoryState
    values: tuple[float, ...]  # in the order of FEATURES
    z: float  # logit of "the item is a report of this story"


class Clusterer:
    """Open stories, and the placing of items into them.

    Knows no clock and no disk. The caller gives items in the order of (time, id), loads the states of the open
    stories and the counts of the terms it will meet, and afterwards stores what `take_changes` and
    `counts.changed` name. Stopping and loading again changes no later decision.
    """

    def __init__(
        self,
        background: Mapping[str, float],
        counts: Counts | None = None,
        stories: Iterable[StoryState] = (),
        params: ClusterParams | None = None,
    ) -> None:
        """`background`: term → share of ordinary texts that have it (0–1); see `storyheat.background`."""
        self.params = params or ClusterParams()
        self.counts = counts if counts is not None else Counts()
        self._background = background
        self._index = Index(stories, self.params.index)
        self._touched = max([story.touched for story in self._index.stories.values()], default=0)
        self._changed: dict[str, StoryState] = {}

    def place(self, doc: Doc, story_if_founded: str) -> Placement:
        """Places one item; a new story gets the id given. Never fails for any text."""
        params = self.params
        item = self.prepare(doc, read(doc.title, doc.text))
        if doc.digest or item.reading.roundup:
            return self._only_mentions(doc, item)
        fits = self.fits(item)
        best = fits[0] if fits else None
        because: dict[str, float | str] = {"threshold": params.threshold}
        if best is not None:
            because |= {"nearest": best.story.id, "z": best.z}
            because |= dict(zip(FEATURES[1:], best.values[1:], strict=True))
        if len(fits) > 1:
            because |= {"runner_up": fits[1].story.id, "runner_up_z": fits[1].z}
        if best is not None and best.z >= params.threshold:
            story, founded, others = best.story.id, False, fits[1:]
        else:
            story, founded, others = story_if_founded, True, fits
        mentions = self._mentions(item, others, params.mention_z)
        self.admit(item, story)
        return Placement(doc.id, story, founded, Role.REPORT, mentions, because)

    def prepare(self, doc: Doc, reading: Reading) -> Item:
        """Weighs what was read by the counts of now."""
        params = self.params
        weighed = weigh(reading, self.counts, self._background, params.weigh)
        idf = weighed.idf
        sentences = tuple([unit({t: idf[t] for t in terms if idf[t] > 0.0}) for terms in reading.sentences])
        exclusive = {}
        for name in reading.anchors:
            stories = self.counts.df.get(name, 0.0)
            rare = self._background.get(name, 0.0) < params.exclusive_share
            if rare and 0.0 < stories <= params.exclusive_stories:
                exclusive[name] = 1.0 - max(stories - 1.0, 0.0) / params.exclusive_stories
        return Item(doc.seconds(), doc.source, reading, weighed, sentences, exclusive)

    def fits(self, item: Item) -> list[Fit]:
        """The nearest stories with their scores, best first; ties go to the smaller story id."""
        look = self.params.close_look
        near = [
            (dot(item.vector, story.centroid) / story.length, story)
            for _, story in self._index.candidates(item.vector, item.at)
        ]
        near.sort(key=lambda pair: (-pair[0], pair[1].id))
        fits = []
        weights = self.params.weights_for(item.reading.lead_chars)
        multi = several_topics(item.sentences, [story for _, story in near[:look]])
        for i, (cosine, story) in enumerate(near[:look]):
            rival = near[0][0] if i else near[1][0] if len(near) > 1 else 0.0
            values = features(item, story, cosine, rival, multi[i])
            fits.append(Fit(story, tuple(values), score(values, weights)))
        fits.sort(key=lambda fit: (-fit.z, fit.story.id))
        return fits

    def admit(self, item: Item, story: str) -> None:
        """Makes an item a report of an open story, or of a new one with this id, and counts its terms."""
        self._touched += 1
        member = Member(item.at, item.source, item.vector, item.reading.anchors, item.reading.periodic)
        state = self._index.stories.get(story)
        before: Vector = {}
        if state is None:
            state = found(story, member, self._touched, self.params.state)
        else:
            before = state.centroid
            grow(state, member, self._touched, self.params.state)
        self.counts.add(item.weighed.idf, 1.0 / state.size, self.params.weigh)
        self._changed[story] = state
        self._index.put(state, before)
        if story not in self._index.stories:
            self._touched -= 1  # a late item's story, closed at once: after a restart nobody would know its rank

    def restate(self, story: str, docs: Sequence[Doc]) -> None:
        """Makes a story's memory anew from its reports, oldest first: after a correction by hand.

        Without reports the story is forgotten. Counts stay as they are; they are about language, not membership.
        """
        self._index.remove(story)
        self._changed.pop(story, None)
        state: StoryState | None = None
        for doc in docs:
            item = self.prepare(doc, read(doc.title, doc.text))
            member = Member(item.at, item.source, item.vector, item.reading.anchors, item.reading.periodic)
            self._touched += 1
            if state is None:
                state = found(story, member, self._touched, self.params.state)
            else:
                grow(state, member, self._touched, self.params.state)
        if state is not None:
            self._changed[story] = state
            self._index.put(state, {})

    def take_changes(self) -> list[StoryState]:
        """The states changed since the last call, in order of id; write them down before placing more."""
        changed = [self._changed[story] for story in sorted(self._changed)]
        self._changed = {}
        return changed

    @property
    def open_ids(self) -> Set[str]:
        """The ids of the open stories."""
        return self._index.stories.keys()

    def _only_mentions(self, doc: Doc, item: Item) -> Placement:
        """A collection of topics: each of its sentences is looked up on its own, and none is remembered."""
        weights = self.params.weights_for(item.reading.lead_chars)
        near: dict[str, StoryState] = {}
        for query in (
            item.vector,
            *[dict(sorted(sentence.items(), key=lambda pair: (-pair[1], pair[0]))) for sentence in item.sentences],
        ):
            for _, story in self._index.candidates(query, item.at):
                near[story.id] = story
        fits = []
        for story in [near[name] for name in sorted(near)]:
            values = features(item, story, dot(item.vector, story.centroid) / story.length, 0.0)
            fits.append(Fit(story, tuple(values), score(values, weights)))
        mentions = self._mentions(item, fits, self.params.roundup_mention_z)
        kind = "digest" if doc.digest else "round-up"
        return Placement(doc.id, None, False, Role.MENTION, mentions, {"kind": kind})

    def _mentions(self, item: Item, fits: Iterable[Fit], limit: float) -> tuple[Mention, ...]:
        """The stories among `fits` that the item touches, strongest first."""
        weights = mention_weights(self.params.weights_for(item.reading.lead_chars))
        found_mentions = []
        for fit in fits:
            story = fit.story
            best = max([dot(s, story.centroid) / story.length for s in item.sentences], default=0.0)
            z = score(fit.values, weights)
            if best >= self.params.sentence_mention or z >= limit:
                found_mentions.append(Mention(story.id, best, z))
        found_mentions.sort(key=lambda mention: (-mention.z, mention.story))
        return tuple(found_mentions)
