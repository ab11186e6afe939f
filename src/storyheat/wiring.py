"""The composition root: makes the parts from the settings and puts them together."""

from collections.abc import Mapping, Sequence

from storyheat.background import background, known_names
from storyheat.core.cluster_model import ClusterParams
from storyheat.core.copies import CopyParams
from storyheat.core.model import Source
from storyheat.ingest.article import article_text, can_extract
from storyheat.ingest.document import DocumentParams
from storyheat.pipeline.place import PlaceParams
from storyheat.pipeline.run import Pipeline
from storyheat.ports import Embedder, Fetcher
from storyheat.semantic import sentence_encoder
from storyheat.settings import Clustering, Settings
from storyheat.store.database import Database


def place_inputs(clustering: Clustering) -> tuple[Mapping[str, float], PlaceParams]:
    """What placing works with: the background table and its parameters.

    Raises UsageError where semantic mode is asked for and not installed.
    """
    params = ClusterParams(names=known_names(clustering.names))
    return background(), PlaceParams(params, CopyParams(), embedder(clustering.semantic))


def embedder(semantic: bool) -> Embedder | None:
    """What semantic mode needs; None for lexical mode. Raises UsageError where it is not installed."""
    return sentence_encoder() if semantic else None


def make_pipeline(settings: Settings, database: Database, fetcher: Fetcher, sources: Sequence[Source]) -> Pipeline:
    """The pipeline over an open database, for these sources."""
    shares, placing = place_inputs(settings.clustering)
    return Pipeline(
        database=database,
        fetcher=fetcher,
        sources=tuple(sources),
        background=shares,
        polling=settings.polling,
        placing=placing,
        rule=settings.heat,
        limits=DocumentParams(max_bytes=settings.network.max_bytes, max_entries=settings.network.max_entries),
        secrets=settings.secrets,
        articles=settings.articles,
        retention=settings.retention,
        extract=article_text if can_extract() else None,
    )
