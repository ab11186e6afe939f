"""Places items, one by one in the order given, into stories: join one as a report, mention some, or found one."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache

from storyheat.core.clustering.dormant import Sleeper
from storyheat.core.clustering.index import Index, gap, is_foreign
from storyheat.core.clustering.meaning import Meaning, StoryMeaning
from storyheat.core.clustering.model import ClusterParams, Doc, Mention, Placement
from storyheat.core.clustering.references import references
from storyheat.core.clustering.score import (
    KEPT_DIGITS,
    Item,
    alike,
    features,
    mention_weights,
    score,
    sentence_cosines,
    several_topics,
    told,
)
from storyheat.core.clustering.state import StoryState, found, grow
from storyheat.core.clustering.vectors import Counts, Vector, dot, unit, weigh
from storyheat.core.model import Role
from storyheat.core.text.language import language_of, primary
from storyheat.core.text.quantities import MARK
from storyheat.core.text.terms import Reading, read

MeaningOf = Callable[[Doc], Meaning]  # always the same for the same texts

LANGUAGE_CHARS = 300  # of a text, which tell its language
READ_TWICE = 256  # items whose words are remembered: more than an ordinary run brings; own choice, 5 MB


@dataclass(frozen=True, slots=True)
class Fit:
    """One candidate story of an item."""

    story: StoryState
    values: tuple[float, ...]  # in the order of FEATURES
    z: float  # logit of "the item is a report of this story"
    weights: tuple[float, ...]  # those that made z of the values
    sentence: float  # cosine of the item's best sentence, 0 without

    @classmethod
    def of(
        cls, story: StoryState, values: Sequence[float], weights: tuple[float, ...], sentences: Sequence[float]
    ) -> "Fit":
        """The fit by these features, and cosines of the item's sentences: decided by rounded ones, as they are kept."""
        z, sentence = round(score(values, weights), KEPT_DIGITS), round(max(sentences, default=0.0), KEPT_DIGITS)
        return cls(story, tuple(values), z, weights, sentence)


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
        stories: Iterable[StoryState | Sleeper] = (),
        params: ClusterParams | None = None,
        meaning_of: MeaningOf | None = None,
    ) -> None:
        """`background`: term → share of ordinary texts that have it (0–1); see `storyheat.background`.

        With `meaning_of` items are also compared by what they are about, across languages as well.
        """
        self.params = params or ClusterParams()
        self.counts = counts if counts is not None else Counts()
        self._background = background
        self._read = lru_cache(maxsize=READ_TWICE)(read)
        self._meaning_of = meaning_of
        self._index = Index(stories, self.params.index)
        self._touched = self._index.newest_touch()
        self._changed: dict[str, StoryState | Sleeper] = {}

    def place(self, doc: Doc, story_if_founded: str) -> Placement:
        """Places one item; a new story gets the id given. Never fails for any text."""
        params = self.params
        item = self.prepare(doc, self.read(doc))
        if doc.digest or item.reading.roundup:
            return self._only_mentions(doc, item)
        fits = self.choices(item)
        best = fits[0] if fits else None
        because: dict[str, object] = {"threshold": params.threshold}
        if best is not None:
            because |= {"nearest": best.story.id, "z": best.z, "features": told(best.values, best.weights)}
            if best.story.dormant:
                because["dormant"] = True
        if len(fits) > 1:
            because |= {"runner_up": fits[1].story.id, "runner_up_z": fits[1].z}
        if best is not None and best.z >= params.threshold:
            story, founded = best.story.id, False
        else:
            story, founded = story_if_founded, True
        others = [fit for fit in fits if fit.story.id != story and not fit.story.dormant]
        mentions = self._mentions(others, params.mention_z)
        self.admit(item, story)
        return Placement(doc.id, story, founded, Role.REPORT, mentions, because)

    def read(self, doc: Doc) -> Reading:
        """The words of an item. Who loads counts asks for them shortly before the item is placed."""
        return self._read(doc.title, doc.text, self.params.names)

    def prepare(self, doc: Doc, reading: Reading) -> Item:
        """Weighs what was read by the counts of now."""
        params = self.params
        weighed = weigh(reading, self.counts, self._background, params.weigh)
        idf = weighed.idf
        sentences = tuple([unit({t: idf[t] for t in terms if idf[t] > 0.0}) for terms in reading.sentences])
        figures = tuple([term for term in idf if term.startswith(MARK)])
        exclusive = {}
        for name in reading.anchors:
            stories = self.counts.df.get(name, 0.0)
            rare = self._background.get(name, 0.0) < params.exclusive_share
            if rare and 0.0 < stories <= params.exclusive_stories:
                exclusive[name] = 1.0 - max(stories - 1.0, 0.0) / params.exclusive_stories
        pointed = references(doc.url, doc.text, doc.links)
        language, meaning = None, None
        if self._meaning_of is not None and not (doc.digest or reading.roundup):
            language, meaning = _language(doc), self._meaning_of(doc)
        return Item(
            doc.seconds(), doc.source, reading, weighed, sentences, figures, exclusive,
            language, meaning, pointed, self._rare(pointed),
        )  # fmt: skip

    def choices(self, item: Item) -> list[Fit]:
        """The open stories that an item may join as `fits` has them, and where none takes it, dormant ones as well.

        It is the item's turn: what has been silent too long by its time closes first.
        """
        self._index.advance(item.at)
        fits = self.fits(item)
        if item.reading.lead_chars and not (fits and fits[0].z >= self.params.threshold):
            rival = max([dot(item.vector, fit.story.centroid) / fit.story.length for fit in fits], default=0.0)
            stories = self._index.sleepers(item.vector, item.at)
            cosines = [dot(item.vector, story.centroid) / story.length for story in stories]
            for i, story in enumerate(stories):
                best_other = max([rival, *cosines[:i], *cosines[i + 1 :]])
                fits.append(self._fit(item, story, features(item, story, cosines[i], best_other), ()))
            fits.sort(key=lambda fit: (-fit.z, fit.story.id))
        return fits

    def fits(self, item: Item) -> list[Fit]:
        """The nearest open stories with their scores, best first; ties go to the smaller story id."""
        look = self.params.close_look
        near = [
            (dot(item.vector, story.centroid) / story.length, story)
            for _, story in self._index.candidates(item.vector, item.at)
        ]
        near.sort(key=lambda pair: (-pair[0], pair[1].id))
        first, second = [*(cosine for cosine, _ in near[:2]), 0.0, 0.0][:2]
        near = near[:look]
        stories = [story for _, story in near]
        sentences = [sentence_cosines(item, story) for story in stories]
        multi = several_topics(sentences)
        others = self._found_otherwise(item, {story.id for story in stories})
        near += [(dot(item.vector, story.centroid) / story.length, story) for story in others]
        sentences += [sentence_cosines(item, story) for story in others]
        multi += [0.0] * len(others)
        meanings = alike(item.meaning, [*stories, *others])
        fits = []
        for i, (cosine, story) in enumerate(near):
            values = features(item, story, cosine, first if i else second, multi[i], meanings[i])
            fits.append(self._fit(item, story, values, sentences[i]))
        fits.sort(key=lambda fit: (-fit.z, fit.story.id))
        return fits

    def _rare(self, pointed: Iterable[str]) -> dict[str, float]:
        """How rare each reference is (0–1), of those that some story has, and not many."""
        most = self.params.exclusive_stories
        counted = {one: len(self._index.referring(one)) for one in pointed}
        return {one: 1.0 - (stories - 1.0) / most for one, stories in counted.items() if 0 < stories <= most}

    def _found_otherwise(self, item: Item, known: Set[str]) -> list[StoryState]:
        """Stories that words do not lead to: those that point to the same, or are about the same."""
        limit = self.params.index.closed_after
        referring = [story for one in item.rare for story in sorted(self._index.referring(one))]
        found = [self._index.stories[story] for story in dict.fromkeys(referring)]
        found = [story for story in found if gap(story, item.at) <= limit]
        if item.meaning is not None:
            found += self._index.alike(item.meaning, item.language, item.at)
        return [story for story in {one.id: one for one in found}.values() if story.id not in known]

    def _fit(self, item: Item, story: StoryState, values: Sequence[float], sentences: Sequence[float]) -> Fit:
        lead = item.reading.lead_chars
        weights = self.params.weights_for(lead, timed=item.at is not None, dormant=story.dormant)
        if item.meaning is not None and story.meaning is not None and not story.dormant:
            foreign = is_foreign(story, item.language)
            weights = self.params.semantic.weights_for(weights, lead, foreign=foreign)
        return Fit.of(story, values, weights, sentences)

    def admit(self, item: Item, story: str) -> None:
        """Makes an item a report of a story that it knows, or of a new one with this id, and counts its terms."""
        self._touched += 1
        state = self._index.stories.get(story)
        before: Vector = {} if state is None else state.centroid
        state = state or self._index.wake(story)
        if state is None:
            state = found(story, item.member, self._touched, self.params.state)
        else:
            grow(state, item.member, self._touched, self.params.state)
        self.counts.add(item.weighed.idf, 1.0 / state.size, self.params.weigh)
        self._put(state, before)
        if story not in self._index.stories and story not in self._index.dormant.ids:
            self._touched -= 1  # a late item's story, forgotten at once: after a restart nobody would know its rank

    def _put(self, state: StoryState, before: Vector) -> None:
        self._changed[state.id] = state
        self._index.put(state, before)
        self._changed |= {closed.id: closed for closed in self._index.take_closed()}

    def restate(self, story: str, docs: Sequence[Doc]) -> None:
        """Makes a story's memory anew from its reports, oldest first: after a correction by hand.

        Without reports the story is forgotten. Counts stay as they are; they are about language, not membership.
        """
        self._index.remove(story)
        self._index.wake(story)
        self._changed.pop(story, None)
        self._touched = self._index.newest_touch() + 1
        state: StoryState | None = None
        for doc in docs:
            item = self.prepare(doc, self.read(doc))
            if state is None:
                state = found(story, item.member, self._touched, self.params.state)
            else:
                grow(state, item.member, self._touched, self.params.state)
        if state is not None:
            self._put(state, {})
        # As after a restart, which knows nothing but the stories.
        self._touched = self._index.newest_touch()
        self._index.set_clock()

    def remean(self, story: str, docs: Sequence[Doc]) -> None:
        """Makes anew what an open story is about, from its reports, oldest first: for another encoder, or none."""
        state = self._index.stories[story]
        meanings = [self._meaning_of(doc) for doc in docs] if self._meaning_of else []
        state.meaning = StoryMeaning.of(meanings) if meanings else None
        state.languages = dict.fromkeys(_language(doc) for doc in docs) if meanings else {}
        self._index.put(state, state.centroid)
        self._changed[story] = state

    def take_changes(self) -> list[StoryState | Sleeper]:
        """The stories changed since the last call, in order of id; write them down before placing more."""
        changed = [self._changed[story] for story in sorted(self._changed)]
        self._changed = {}
        return changed

    @property
    def known_ids(self) -> Set[str]:
        """The ids of the stories to be stored: the open and the dormant ones."""
        return self._index.stories.keys() | self._index.dormant.ids

    @property
    def open_ids(self) -> Set[str]:
        """The ids of the open stories."""
        return self._index.stories.keys()

    def _only_mentions(self, doc: Doc, item: Item) -> Placement:
        """A collection of topics: each of its sentences is looked up on its own, and none is remembered."""
        weights = self.params.weights_for(item.reading.lead_chars)  # of words: one meaning of many topics is none
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
            fits.append(Fit.of(story, values, weights, sentence_cosines(item, story)))
        mentions = self._mentions(fits, self.params.roundup_mention_z)
        kind = "digest" if doc.digest else "round-up"
        return Placement(doc.id, None, False, Role.MENTION, mentions, {"kind": kind})

    def _mentions(self, fits: Iterable[Fit], limit: float) -> tuple[Mention, ...]:
        """The stories among `fits` that an item touches, strongest first."""
        found_mentions = []
        for fit in fits:
            story = fit.story
            z = round(score(fit.values, mention_weights(fit.weights)), KEPT_DIGITS)
            if fit.sentence >= self.params.sentence_mention or z >= limit:
                found_mentions.append(Mention(story.id, fit.sentence, z, self.params.sentence_mention, limit))
        found_mentions.sort(key=lambda mention: (-mention.z, mention.story))
        return tuple(found_mentions)

    # -- looking again: for `core.clustering.consolidate` ------------------------------------------------------------

    @property
    def changes(self) -> int:
        """The rank of the last change of any story."""
        return self._touched

    def newest_touched(self, number: int, since: int = 0) -> list[str]:
        """The open stories that changed last, of those changed after the rank `since`; at most so many, last first."""
        states = [state for state in self._index.stories.values() if state.touched > since]
        states.sort(key=lambda state: (-state.touched, state.id))
        return [state.id for state in states[:number]]

    def fits_elsewhere(self, doc: Doc, story: str) -> list[Fit]:
        """The nearest stories of an item as `fits` has them, were one story not open."""
        state = self._index.stories[story]
        self._index.remove(story)
        elsewhere = self.fits(self.prepare(doc, self.read(doc)))
        self._index.put(state, {})
        return elsewhere

    def score_within(self, doc: Doc, story: str, others: Sequence[Doc]) -> float | None:
        """The score of an item with its open story, were that made of these reports; None: too little is shared."""
        state = self._index.stories[story]
        self._index.remove(story)
        members = [self.prepare(other, self.read(other)).member for other in others]
        made = found(story, members[0], self._touched, self.params.state)
        for member in members[1:]:
            grow(made, member, self._touched, self.params.state)
        self._index.put(made, {})
        scores = [fit.z for fit in self.fits(self.prepare(doc, self.read(doc))) if fit.story is made]
        self._index.remove(story)
        self._index.put(state, {})
        return max(scores, default=None)


def _language(doc: Doc) -> str | None:
    """The primary subtag of an item's language; None: unknown, in Latin letters."""
    language = language_of(f"{doc.title} {doc.text[:LANGUAGE_CHARS]}", doc.language)
    return primary(language) if language else None
