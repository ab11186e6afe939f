"""All settings of one run: feeds.yaml and the environment, read into one frozen value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from storyheat.core.addresses.secrets import Secrets
from storyheat.core.briefs.summarising import ModelAccess, SummaryParams
from storyheat.core.feeds.network import NetworkParams
from storyheat.core.feeds.polling import PollParams
from storyheat.core.heat.rule import HeatRule
from storyheat.core.items.articles import ArticleParams
from storyheat.core.items.retention import Retention
from storyheat.core.model import Source, SourceId
from storyheat.core.stories.topics import TopicTable
from storyheat.errors import ConfigError
from storyheat.settings.machine import database_url, display_zone, model_access

DEFAULT_CONFIG = "feeds.yaml"


@dataclass(frozen=True, slots=True)
class Clustering:
    """How items are grouped."""

    semantic: bool = False  # by meaning as well
    names: tuple[tuple[str, ...], ...] = ()  # further ones: an English name and its forms in other scripts


@dataclass(frozen=True, slots=True)
class Web:
    """How the page is served."""

    allowed_hosts: tuple[str, ...] = ()  # further host names, in lower case
    base_url: str | None = None  # where readers reach it, with a last `/`


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a run is told from outside, checked. `config` is None where no file was read."""

    database: str  # URL
    timezone: ZoneInfo  # of what is shown
    config: Path | None = None
    sources: tuple[Source, ...] = ()  # in the order of the file, ids unique
    secrets: Secrets = Secrets()  # what of their addresses may be neither stored nor shown
    hidden: Mapping[SourceId, frozenset[str]] = field(default_factory=dict)  # their keys that the environment gave
    polling: PollParams = PollParams()
    heat: HeatRule = HeatRule()
    clustering: Clustering = Clustering()
    network: NetworkParams = NetworkParams()
    articles: ArticleParams = ArticleParams()
    retention: Retention = Retention()
    topics: TopicTable = ()  # those that words tell, in the order of the file
    summaries: SummaryParams = SummaryParams()
    model: ModelAccess = ModelAccess()
    web: Web = Web()
    secret: str | None = field(default=None, repr=False)  # signs what browsers keep; None: a key beside the database
    remarks: tuple[str, ...] = ()  # what is allowed in the file but not acted on, a line each


def load_settings(
    environment: Mapping[str, str],
    *,
    config: Path | None = None,
    database: str | None = None,
    timezone: str | None = None,
    config_required: bool = True,
    to_poll: bool = True,
) -> Settings:
    """The settings of a run; an argument wins over its STORYHEAT_… variable, that over the default.

    Without a file named by argument or variable, ./feeds.yaml is read; where that is absent too it is an
    error if `config_required`, else there are no sources. Unless they are `to_poll`, selectors of pages are not
    checked, which takes longer than all else. Raises ConfigError: one line, with the place.
    """
    path = config or (Path(named) if (named := environment.get("STORYHEAT_CONFIG")) else None)
    url = database_url(database, environment)
    zone = display_zone(timezone, environment)
    secret = environment.get("STORYHEAT_SECRET") or None
    model = model_access(environment)
    if path is None:
        path = Path(DEFAULT_CONFIG)
        if not path.exists():
            if not config_required:
                return Settings(url, zone, model=model, secret=secret)
            raise ConfigError(f'there is no {path} here; "storyheat init" writes one, --config names another')
    from storyheat.settings.file import settings_in  # where there is no file, nothing is loaded that reads one

    return settings_in(path, environment, Settings(url, zone, config=path, model=model, secret=secret), to_poll=to_poll)
