"""All settings of one run: feeds.yaml and the environment, read into one frozen value."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path
from zoneinfo import ZoneInfo

from pydantic import ValidationError

from storyheat.core.articles import ArticleParams
from storyheat.core.heat import HeatRule
from storyheat.core.model import Feed, Level, Selectors, Source, SourceId, Url
from storyheat.core.network import NetworkParams
from storyheat.core.polling import PollParams
from storyheat.core.urls import without_login
from storyheat.errors import ConfigError
from storyheat.settings import schema
from storyheat.settings.document import Document, Place, quoted, read_document
from storyheat.settings.machine import database_url, display_zone
from storyheat.settings.mistakes import first_mistake

DEFAULT_CONFIG = "feeds.yaml"


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a run is told from outside, checked. `config` is None where no file was read."""

    database: str  # URL
    timezone: ZoneInfo  # of what is shown
    config: Path | None = None
    sources: tuple[Source, ...] = ()  # in the order of the file, ids unique
    polling: PollParams = PollParams()
    heat: HeatRule = HeatRule()
    network: NetworkParams = NetworkParams()
    articles: ArticleParams = ArticleParams()
    remarks: tuple[str, ...] = ()  # what is allowed in the file but not acted on, a line each


def load_settings(
    environment: Mapping[str, str],
    *,
    config: Path | None = None,
    database: str | None = None,
    timezone: str | None = None,
    config_required: bool = True,
) -> Settings:
    """The settings of a run; an argument wins over its STORYHEAT_… variable, that over the default.

    Without a file named by argument or variable, ./feeds.yaml is read; where that is absent too it is an
    error if `config_required`, else there are no sources. Raises ConfigError: one line, with the place.
    """
    path = config or (Path(named) if (named := environment.get("STORYHEAT_CONFIG")) else None)
    url = database_url(database, environment)
    zone = display_zone(timezone, environment)
    if path is None:
        path = Path(DEFAULT_CONFIG)
        if not path.exists():
            if not config_required:
                return Settings(url, zone)
            raise ConfigError(f'there is no {path} here; "storyheat init" writes one, --config names another')
    document = read_document(path, environment)
    file = checked(document)
    return Settings(
        database=url,
        timezone=zone,
        config=path,
        sources=tuple(_source(entry, number, file.defaults, document) for number, entry in enumerate(file.sources)),
        polling=_polling(file.polling),
        heat=HeatRule(half_life_hours=file.heat.half_life_hours, window_hours=file.heat.window_hours),
        network=NetworkParams(**{**dict(file.network), "allow_hosts": tuple(file.network.allow_hosts)}),
        articles=ArticleParams(max_per_run=file.articles.max_per_run),
        remarks=tuple(_remarks(file, document)),
    )


def checked(document: Document) -> schema.FeedsFile:
    """The document as the schema knows it: types, ranges, and what no single value shows. Raises ConfigError."""
    given = {key: value for key, value in document.values.items() if value is not None}  # an empty section
    try:
        file = schema.FeedsFile.model_validate(given)
    except ValidationError as error:
        raise first_mistake(error, document, schema.FeedsFile) from error
    ids: dict[str, int] = {}
    for number, source in enumerate(file.sources):
        first = ids.setdefault(source.id.casefold(), number)
        if first != number:
            line = document.line(("sources", first))
            raise document.mistake(
                ("sources", number, "id"), f"{quoted(source.id)} is taken (line {line}); ids must differ"
            )
        urls: dict[str, Place] = {}  # several sources may share one
        for index, feed in enumerate(source.feeds):
            place = ("sources", number, "feeds", index, "url")
            if (earlier := urls.setdefault(feed.url, place)) != place:
                raise document.mistake(place, f"this address is followed already (line {document.line(earlier)})")
    return file


def _source(entry: schema.SourceSection, number: int, defaults: schema.SharedSection, document: Document) -> Source:
    """The source of the core that an entry of the file describes; `number`: which of its `sources` it is."""
    shared = {
        name: own if (own := getattr(entry, name)) is not None else getattr(defaults, name)
        for name in schema.SharedSection.model_fields
    }
    minutes, weight = shared["poll_minutes"], shared["weight"]
    return Source(
        id=SourceId(entry.id),
        name=entry.name or entry.id,
        owner=entry.owner or entry.id,
        feeds=tuple(
            _feed(feed, document.written.get(("sources", number, "feeds", index, "url")))
            for index, feed in enumerate(entry.feeds)
        ),
        site=Url(entry.site) if entry.site else None,
        enabled=entry.enabled,
        level=shared["level"] or Level.PRESS,
        digest=entry.digest,
        community=entry.community,
        aggregator=entry.aggregator,
        language=shared["language"],
        timezone=shared["timezone"],
        topics=tuple(shared["topics"] or ()),
        weight=1.0 if weight is None else weight,
        poll_interval=None if minutes is None else timedelta(minutes=minutes),
    )


def _feed(entry: schema.FeedSection, written: str | None) -> Feed:
    """The feed of the core. `written`: its address as the file has it, where that differs from its value.

    What came in by `${NAME}` stays out of all that is stored or shown, and so does a login.
    """
    selectors = Selectors(**dict(entry.select)) if entry.select else None
    public = without_login(written or entry.url)
    secret = Url(entry.url) if public != entry.url else None
    return Feed(Url(public), entry.kind, selectors, entry.fulltext, secret)


def _polling(entry: schema.PollingSection) -> PollParams:
    default = timedelta(minutes=entry.default_minutes)
    least = min(default, PollParams().min_interval)
    return PollParams(
        default_interval=default,
        min_interval=least if entry.min_minutes is None else timedelta(minutes=entry.min_minutes),
        max_interval=timedelta(minutes=entry.max_minutes),
    )


def _remarks(file: schema.FeedsFile, document: Document) -> Iterable[str]:
    """What the file asks for and this installation does not do."""
    if find_spec("trafilatura") is not None:
        return
    for number, source in enumerate(file.sources):
        for index, feed in enumerate(source.feeds):
            if feed.fulltext and source.enabled:
                place = f"{document.name}:{document.line(('sources', number, 'feeds', index))}"
                yield f'{place}: {source.id}: no article texts without the extra: pip install "storyheat[fulltext]"'
