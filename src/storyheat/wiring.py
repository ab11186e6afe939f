"""The composition root: makes the parts from the settings and puts them together."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from time import sleep

from storyheat.background import background, known_names
from storyheat.core.clustering.model import ClusterParams
from storyheat.core.items.copies import CopyParams
from storyheat.core.model import Source
from storyheat.errors import ConfigError, StoryheatError
from storyheat.ingest.article import article_text, can_extract
from storyheat.ingest.document import DocumentParams
from storyheat.pipeline.place import PlaceParams
from storyheat.pipeline.run import Pipeline
from storyheat.ports import Embedder, Fetcher
from storyheat.present.written import lines_in_brief
from storyheat.semantic import sentence_encoder
from storyheat.settings import Clustering, Settings
from storyheat.store.database import Database, open_database
from storyheat.store.queries import ask
from storyheat.summaries.asking import Asker
from storyheat.summaries.endpoint import ModelEndpoint
from storyheat.summarise import Writer, hottest, summarise


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


def make_writer(settings: Settings) -> Writer:
    """What writes briefs by the language model that the environment names. Raises ConfigError where there is none."""
    if not settings.summaries.enabled:
        raise ConfigError("no language model is asked: summaries.enabled is false")
    endpoint = ModelEndpoint(settings.model, settings.summaries)
    return Writer(
        Asker(endpoint, settings.summaries, sleep), settings.summaries, known_names(settings.clustering.names)
    )


def automatic_briefs(settings: Settings, now: datetime) -> str | None:
    """Has the briefs of the hottest stories written after a run; a line on it. None: none are to be.

    What fails is told and never raised.
    """
    if not (settings.summaries.enabled and settings.summaries.automatic):
        return None
    try:
        writer = make_writer(settings)
        with open_database(settings.database) as database:
            with ask(database) as questions:
                stories = hottest(questions, settings.summaries.stories_per_run, now, settings.heat)
            lines = list(summarise(database, stories, writer, now))
    except StoryheatError as error:
        return f"briefs: {error}"
    return lines_in_brief(lines)
