"""What may stand in feeds.yaml: every key with its type, default, unit and help.

These classes only check and explain; what the program works with are the frozen values of the core, made in
`storyheat.settings`. docs/configuration.md holds the tables that `reference` makes of this module.
"""

from datetime import timedelta
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from storyheat.core.briefs.summarising import SummaryParams
from storyheat.core.feeds.network import NetworkParams
from storyheat.core.feeds.polling import PollParams
from storyheat.core.heat.rule import HeatRule
from storyheat.core.items.articles import ArticleParams
from storyheat.core.items.retention import Retention
from storyheat.core.model import Level
from storyheat.settings import checks

_HEAT = HeatRule()
_NETWORK = NetworkParams()
_ARTICLES = ArticleParams()
_POLLING = PollParams()
_RETENTION = Retention()
_SUMMARIES = SummaryParams()
_DAY = 24 * 60  # minutes

Slug = Annotated[str, AfterValidator(checks.slug)]
Address = Annotated[str, AfterValidator(checks.address)]
Language = Annotated[str, AfterValidator(checks.language)]
Zone = Annotated[str, AfterValidator(checks.zone)]
Selector = Annotated[str, AfterValidator(checks.selector)]
Pattern = Annotated[str, AfterValidator(checks.pattern)]
Origin = Annotated[str, AfterValidator(checks.origin)]
HostAndPort = Annotated[str, AfterValidator(checks.host_and_port)]
Words = Annotated[str, AfterValidator(checks.words)]
LevelName = Annotated[Level, Field(strict=False)]  # YAML has text where we have an enum


def option(default: Any, text: str, *, unit: str = "", shown: str = "", **bounds: Any) -> Any:
    """One key: default, help, unit; `shown`: the default in words, where its value does not tell."""
    return Field(default, description=text, json_schema_extra={"unit": unit, "shown": shown}, **bounds)


class Section(BaseModel):
    """A mapping of known keys; any other is a mistake."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class SelectSection(Section):
    """How entries are found on an HTML index page: CSS selectors within the page, or within `item`."""

    item: Selector = option(..., "one match for each entry")
    link: Selector | None = option(None, "the link of an entry", shown="the entry's first link")
    title: Selector | None = option(None, "its title", shown="the link's text")
    date: Selector | None = option(None, "its date", shown="none")
    summary: Selector | None = option(None, "its summary", shown="none")
    date_regex: Pattern | None = option(None, "finds the date inside the date's text", shown="the whole text")
    href_date_regex: Pattern | None = option(None, "finds the date inside the link's address", shown="none")


class FeedSection(Section):
    """An address of a source that is fetched."""

    url: Address = option(..., "http or https; a user and password in it are never shown")
    kind: Annotated[str, AfterValidator(checks.kind)] = option(
        "auto", "`auto`: RSS, Atom, RDF or JSON Feed, found by looking; `html`: an index page, needs `select`"
    )
    select: SelectSection | None = option(None, "selectors of an `html` feed", shown="none")
    fulltext: bool = option(False, "fetch the article where the feed gives no text")

    @model_validator(mode="after")
    def _selectors_where_needed(self) -> Self:
        if self.kind == "html" and self.select is None:
            raise ValueError('kind "html" needs "select" with at least "item"')
        if self.kind != "html" and self.select is not None:
            raise ValueError('"select" is read only with kind "html"')
        return self


class SharedSection(Section):
    """What a source may leave out: taken from here, else from the table's default."""

    level: LevelName | None = option(
        None,
        "who speaks: `first_party` (the subject itself), `press` or `discussion` (a person, a community)",
        shown="press",
    )
    language: Language | None = option(None, "BCP 47, such as `en` or `zh-Hans`", shown="found")
    timezone: Zone | None = option(None, "IANA name, for dates that come without a zone", shown="UTC")
    topics: list[Words] | None = option(None, "words to filter by", shown="[]")
    weight: float | None = option(None, "heat of one report, in shares of an ordinary one", shown="1", ge=0, le=100)
    poll_minutes: int | None = option(
        None,
        "how often its feeds are asked, whatever their rhythm; max-age, skipHours and Retry-After still hold",
        unit="minutes",
        shown="the feed's own rhythm",
        ge=1,
        le=7 * _DAY,
    )


class SourceSection(SharedSection):
    """A publication or person that is followed."""

    id: Slug = option(..., "unique; letters, digits, `-`, `_` and `.`")
    name: Words | None = option(None, "as shown", shown="the id")
    owner: Words | None = option(None, "sources of one owner are one voice", shown="the id")
    site: Address | None = option(
        None, "home page; links to its host are this source's own", shown="the feed's own link, else its host"
    )
    enabled: bool = option(True, "`false`: kept, but not polled")
    digest: bool = option(False, "`true`: its items are round-ups, so mentions only")
    community: bool = option(False, "`true`: each author is a voice")
    aggregator: bool = option(False, "`true`: the original publisher is the voice")
    speaks_for: list[Words] = option([], "names of a first-party source besides its own, such as its products")
    feeds: list[FeedSection] = option([], "what is fetched", shown="none")

    @model_validator(mode="after")
    def _one_kind_of_voice(self) -> Self:
        if self.community and self.aggregator:
            raise ValueError('"community" and "aggregator" exclude each other: one says whose voice it is')
        return self


class PollingSection(Section):
    """When feeds are asked again."""

    default_minutes: int = option(
        _POLLING.default_interval.seconds // 60,
        "between two polls of a feed whose own rhythm is not known yet, and that asks for none",
        unit="minutes",
        ge=1,
        le=7 * _DAY,
    )
    min_minutes: int | None = option(
        None,
        "never more often, but where a source sets `poll_minutes`",
        unit="minutes",
        shown=f"{_POLLING.min_interval.seconds // 60}, or default_minutes if that is less",
        ge=1,
        le=7 * _DAY,
    )
    max_minutes: int = option(
        int(_POLLING.max_interval.total_seconds()) // 60,
        "never more rarely, whatever the feed asks for",
        unit="minutes",
        ge=1,
        le=7 * _DAY,
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if not (self.min_minutes or 1) <= self.default_minutes <= self.max_minutes:
            raise ValueError("min_minutes, default_minutes and max_minutes must rise in that order")
        return self


class HeatSection(Section):
    """The rule of heat; see docs/heat.md. A change recomputes all that is stored."""

    half_life_hours: float = option(
        _HEAT.half_life_hours, "after so long a voice has half its points", unit="hours", gt=0, le=8760
    )
    window_hours: float | None = option(
        _HEAT.window_hours,
        "at this age a voice is out; `null`: it fades for ever",
        unit="hours",
        gt=0,
        le=8760,
    )


class NetworkSection(Section):
    """How servers are asked."""

    user_agent_contact: Annotated[str, AfterValidator(checks.header_text)] = option(
        _NETWORK.user_agent_contact, "a URL or mail address that goes into the User-Agent", shown="none"
    )
    concurrency: int = option(_NETWORK.concurrency, "requests at once", unit="requests", ge=1, le=256)
    per_host: int = option(_NETWORK.per_host, "requests at once to one host", unit="requests", ge=1, le=16)
    pause_seconds: float = option(
        _NETWORK.pause_seconds, "between two requests to one host", unit="seconds", ge=0, le=3600
    )
    timeout_seconds: float = option(
        _NETWORK.timeout_seconds, "to connect, and between bytes", unit="seconds", gt=0, le=3600
    )
    total_seconds: float = option(_NETWORK.total_seconds, "for one reply, whole", unit="seconds", gt=0, le=3600)
    max_bytes: int = option(_NETWORK.max_bytes, "of one reply, decompressed", unit="bytes", ge=1, le=1_000_000_000)
    max_entries: int = option(
        _NETWORK.max_entries, "of one document; what comes after them is not read", unit="entries", ge=1, le=1_000_000
    )
    max_redirects: int = option(_NETWORK.max_redirects, "followed for one request", unit="hops", ge=0, le=20)
    allow_hosts: list[HostAndPort] = option(
        list(_NETWORK.allow_hosts),
        "exact `host:port` pairs that may be asked although their address is private",
    )
    proxy: Address | None = option(_NETWORK.proxy, "http or https; none is taken from the environment")


class ClusteringSection(Section):
    """How items are grouped into stories; see docs/clustering.md."""

    mode: Literal["lexical", "semantic"] = option(
        "lexical",
        "`lexical`: by words, names and figures; `semantic`: by meaning as well, so that reports in several languages "
        "meet; needs the extra `semantic`",
    )
    names: list[Annotated[list[Words], AfterValidator(checks.name_forms)]] = option(
        [],
        "further names in more than one script, each as `[English, form in another script, …]`; they win over those "
        "that ship",
        shown="those that ship",
    )


class ArticlesSection(Section):
    """How article pages are read, for feeds with `fulltext: true`."""

    max_per_run: int = option(
        _ARTICLES.max_per_run,
        "asked for in one run at most, the newest items first; 0: none",
        unit="pages",
        ge=0,
        le=10_000,
    )


def kept(default: timedelta | None, text: str, *, least: int = 1, part: bool = False) -> Any:
    """How many days something is kept; a `part` of an item goes with it at the latest."""
    days = None if default is None else default.days
    shown = f"{days}, or item_days if that is less" if part else ""
    return option(days, f"{text}; `null`: for good", unit="days", shown=shown, ge=least, le=36_500)


class RetentionSection(Section):
    """How long what is kept, looked after once a day by `ingest` and `daemon`; see docs/operating.md."""

    html_days: int | None = kept(
        _RETENTION.html, "the sanitised HTML of an item, its largest part and only for show", part=True
    )
    text_days: int | None = kept(
        _RETENTION.texts,
        "the text of an item; without it no later item is found to be its copy. Goes in strides of a third of the span",
        part=True,
    )
    item_days: int | None = kept(
        _RETENTION.items,
        "items of stories that have gone cold, whole; those of open stories and those corrected by hand stay. An item "
        "that comes back later is not new. Goes in strides of a third of the span",
    )
    hour_days: int | None = kept(
        _RETENTION.hours, "the heat of full hours in the table `heat`; commands compute it anew from the items"
    )
    fetch_days: int | None = kept(_RETENTION.fetches, "the log of polls; the last ones of each feed stay")
    run_days: int | None = kept(_RETENTION.runs, "the log of runs", least=30)


class SummariesSection(Section):
    """How a language model writes summaries and briefs, where the environment names one; see docs/summaries.md."""

    enabled: bool = option(_SUMMARIES.enabled, "`false`: no model is asked, whatever the environment says")
    automatic: bool = option(_SUMMARIES.automatic, "`true`: `ingest` and `daemon` ask after each run")
    stories_per_run: int = option(
        _SUMMARIES.stories_per_run,
        "the hottest, whose briefs are looked after then; one that is up to date costs nothing",
        unit="stories",
        ge=1,
        le=1000,
    )
    language: Language | None = option(
        None, "of what is written, BCP 47", shown="the language of most reports of a story"
    )
    daily_requests: int = option(
        _SUMMARIES.daily_requests, "on one UTC day, repeated ones included", unit="requests", ge=0, le=1_000_000
    )
    daily_tokens: int = option(
        _SUMMARIES.daily_tokens,
        "on one UTC day, of prompts and answers; a request is made only if the most it can take is left",
        unit="tokens",
        ge=0,
        le=10_000_000_000,
    )
    timeout_seconds: float = option(_SUMMARIES.timeout_seconds, "for one reply, whole", unit="seconds", gt=0, le=3600)
    retries: int = option(
        _SUMMARIES.retries, "after a reply that says the endpoint is busy", unit="requests", ge=0, le=10
    )
    most_wait_seconds: float = option(
        _SUMMARIES.most_wait_seconds,
        "before a retry; an endpoint that wants to be left alone for longer is asked no more in this run",
        unit="seconds",
        ge=0,
        le=3600,
    )
    max_items: int = option(
        _SUMMARIES.max_items, "reports that the model is shown of a story", unit="reports", ge=1, le=200
    )
    max_item_chars: int = option(
        _SUMMARIES.max_item_chars, "of the text of one report", unit="characters", ge=100, le=100_000
    )
    max_chars: int = option(
        _SUMMARIES.max_chars,
        "of all reports together; each is cut to its share",
        unit="characters",
        ge=1000,
        le=1_000_000,
    )
    max_answer_tokens: int = option(_SUMMARIES.max_answer_tokens, "of one answer", unit="tokens", ge=100, le=100_000)
    max_answer_bytes: int = option(
        _SUMMARIES.max_answer_bytes, "of one reply; what is larger is not read", unit="bytes", ge=1000, le=100_000_000
    )


class WebSection(Section):
    """How the page is served; see docs/web.md."""

    allowed_hosts: list[Annotated[str, AfterValidator(checks.host)]] = option(
        [],
        "further host names under which the page may be asked for, without a port; those of this machine and plain "
        "addresses always may",
    )
    base_url: Origin | None = option(
        None,
        "where readers reach the page, such as `https://news.example.org`; links in feeds begin with it, and its host "
        "name may be asked for",
        shown="none: in exported feeds a story links to its best source, in served ones to the host that was asked",
    )


class FeedsFile(Section):
    """The sections of feeds.yaml; each may be left out."""

    sources: list[SourceSection] = option([], "what is followed")
    topics: Annotated[dict[Words, list[Words]], AfterValidator(checks.topic_table)] = option(
        {},
        "further topics, each with the words by which a report has it: `chips: [chip, chips, 芯片]`; see below",
        shown="none",
    )
    defaults: SharedSection = option(SharedSection(), "what sources share")
    polling: PollingSection = option(PollingSection(), "the rhythm")
    heat: HeatSection = option(HeatSection(), "the rule of heat")
    network: NetworkSection = option(NetworkSection(), "how servers are asked")
    clustering: ClusteringSection = option(ClusteringSection(), "how items are grouped into stories")
    articles: ArticlesSection = option(ArticlesSection(), "how article pages are read")
    retention: RetentionSection = option(RetentionSection(), "how long what is kept")
    summaries: SummariesSection = option(SummariesSection(), "what a language model writes")
    web: WebSection = option(WebSection(), "how the page is served")
