"""The clusterer over the database: opened with what it will meet, stored again afterwards."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice

from storyheat.core.clustering.clusterer import READ_TWICE, Clusterer
from storyheat.core.clustering.meaning import Meaning, embedded_texts, meaning_of
from storyheat.core.clustering.model import ClusterParams, Doc, Placement
from storyheat.core.clustering.state import StoryState
from storyheat.ports import Embedder
from storyheat.store import clusters, placing, vectors
from storyheat.store.database import Transaction

MEANING = "meaning"  # in the table of derivations: the encoder that told what stories are about


class ClusterMemory:
    """A `Clusterer` with the stored stories; `know` the documents before it looks at them.

    With an embedder, items are compared by what they are about as well; each is embedded once.
    """

    def __init__(
        self,
        connection: Transaction,
        background: Mapping[str, float],
        params: ClusterParams,
        embedder: Embedder | None = None,
    ) -> None:
        self._connection, self.params = connection, params
        self._model = model_of(embedder) if embedder else None
        stories = clusters.remembered_stories(connection)
        if self.strange:
            for story in stories:
                if isinstance(story, StoryState):
                    story.meaning = None
        self._stored = {story.id for story in stories}
        self._known: set[str] = set()
        self._coming: Iterator[Doc] = iter(())
        self._ready: set[str] = set()  # the documents among them that can be placed
        self._counts = clusters.counts_for(connection, ())
        self._meanings = None if embedder is None else _Meanings(connection, embedder)
        self.clusterer = Clusterer(background, self._counts, stories, params, self._meanings)

    @property
    def strange(self) -> bool:
        """Whether what the stored stories are about was told by another encoder, or by none: see `remean`."""
        made = placing.derived_up_to(self._connection, MEANING)
        return (made and made[1]) != self._model

    def know(self, docs: Iterable[Doc]) -> None:
        """Loads in how many stories the terms of these documents occur, and the vectors that there are."""
        known = list(docs)
        terms = {term for doc in known for term in self.clusterer.read(doc).terms()} - self._known
        clusters.add_counts(self._connection, self._counts, terms, self.params.weigh.least_count)
        self._known |= terms
        if self._meanings is not None:
            self._meanings.load(known)

    def expect(self, docs: Iterable[Doc]) -> None:
        """Gets ready to place these documents in this order. It may be asked for fewer."""
        self._coming, self._ready = iter(docs), set()

    def place(self, doc: Doc, story_if_founded: str) -> Placement:
        """Places the next of the documents that it expects, as `Clusterer.place` does.

        The words of a few documents are looked at together, so that each is read once and kept for a short time.
        """
        while doc.id not in self._ready:
            some = list(islice(self._coming, READ_TWICE)) or [doc]
            self.know(some)
            self._ready = {one.id for one in some}
        return self.clusterer.place(doc, story_if_founded)

    def restate(self, story: str, docs: Iterable[Doc]) -> None:
        """Makes a story's memory anew from its reports, oldest first; without any it is forgotten."""
        reports = list(docs)
        self.know(reports)
        self.clusterer.restate(story, reports)

    def remean(self, reports: Callable[[str], Iterable[Doc]], now: datetime) -> None:
        """Makes anew what every open story is about, from its reports, oldest first."""
        for story in sorted(self.clusterer.open_ids):
            docs = list(reports(story)) if self._meanings else []
            if self._meanings is not None:
                self._meanings.load(docs)
            self.clusterer.remean(story, docs)
        placing.note_derived(self._connection, MEANING, self._model, now)

    def store(self) -> None:
        """Writes down what changed."""
        known_ids = self.clusterer.known_ids
        changed = [state for state in self.clusterer.take_changes() if state.id in known_ids]
        clusters.write_states(self._connection, changed, sorted(self._stored - known_ids))
        clusters.write_counts(self._connection, self._counts, self.params.weigh.least_count)
        if self._meanings is not None:
            self._meanings.store()


class _Meanings:
    """Gives the meanings of items: those stored, else new ones, which `store` writes down."""

    def __init__(self, connection: Transaction, embedder: Embedder) -> None:
        self._connection, self._embedder = connection, embedder
        self._known: dict[tuple[str, str], Meaning] = {}
        self._new: dict[tuple[str, str], Meaning] = {}

    def load(self, docs: Iterable[Doc]) -> None:
        """Reads the stored vectors of these items."""
        ids = [doc.id for doc in docs]
        self._known |= vectors.stored_meanings(self._connection, ids, model_of(self._embedder))

    def __call__(self, doc: Doc) -> Meaning:
        texts = embedded_texts(doc.title, doc.text)
        key = (doc.id, vectors.text_mark(*texts))
        if key not in self._known:
            self._known[key] = self._new[key] = meaning_of(texts, self._embedder.embed)
        return self._known[key]

    def store(self) -> None:
        """Writes down the new ones."""
        vectors.write_meanings(self._connection, self._new, model_of(self._embedder))
        self._new = {}


def model_of(embedder: Embedder) -> str:
    """The encoder by name and version, as it stands beside the vectors."""
    return f"{embedder.model} {embedder.version}"
