"""What feeds.yaml says, as settings: checked as a whole, and put into the words of the core."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from importlib.util import find_spec
from pathlib import Path

from pydantic import ValidationError

from storyheat.core.addresses.secrets import Filled, Secrets, public_form
from storyheat.core.briefs.summarising import SummaryParams
from storyheat.core.feeds.network import NetworkParams
from storyheat.core.feeds.polling import PollParams
from storyheat.core.heat.rule import HeatRule
from storyheat.core.items.articles import ArticleParams
from storyheat.core.items.retention import Retention
from storyheat.core.model import Feed, Level, Selectors, Source, SourceId, Url
from storyheat.settings import Clustering, Settings, Web, schema
from storyheat.settings.checks import UNUSED_SELECTORS
from storyheat.settings.document import Document, Place, read_document
from storyheat.settings.mistakes import first_mistake
from storyheat.settings.quoting import quoted
from storyheat.settings.secrets import from_environment, secrets_of


def settings_in(path: Path, environment: Mapping[str, str], outside: Settings, *, to_poll: bool) -> Settings:
    """The settings of a file, beside those that come from `outside` of it; see `load_settings`."""
    document = read_document(path, environment)
    file = checked(document, to_poll=to_poll)
    secrets = secrets_of(document)
    return replace(
        outside,
        sources=tuple(
            _source(entry, number, file.defaults, document, secrets) for number, entry in enumerate(file.sources)
        ),
        secrets=secrets,
        hidden=from_environment(document),
        polling=_polling(file.polling),
        heat=HeatRule(half_life_hours=file.heat.half_life_hours, window_hours=file.heat.window_hours),
        clustering=Clustering(
            semantic=file.clustering.mode == "semantic", names=tuple(tuple(forms) for forms in file.clustering.names)
        ),
        network=NetworkParams(**{**dict(file.network), "allow_hosts": tuple(file.network.allow_hosts)}),
        articles=ArticleParams(max_per_run=file.articles.max_per_run),
        retention=_retention(file.retention),
        topics=tuple((topic, tuple(words)) for topic, words in file.topics.items()),
        summaries=SummaryParams(**dict(file.summaries)),
        web=Web(allowed_hosts=tuple(file.web.allowed_hosts), base_url=file.web.base_url),
        remarks=tuple(_remarks(file, document)),
    )


def checked(document: Document, *, to_poll: bool = True) -> schema.FeedsFile:
    """The document as the schema knows it: types, ranges, and what no single value shows. Raises ConfigError."""
    given = {key: value for key, value in document.values.items() if value is not None}  # an empty section
    try:
        file = schema.FeedsFile.model_validate(given, context=None if to_poll else UNUSED_SELECTORS)
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
        urls: dict[str, Place] = {}  # by what may be stored of them; several sources may share one
        for index, feed in enumerate(source.feeds):
            place = ("sources", number, "feeds", index, "url")
            earlier = urls.setdefault(public_form(feed.url, document.filled.get(place, ())), place)
            if earlier != place:
                same = feed.url == document.value(earlier)
                why = "is followed already" if same else "differs in nothing but a secret; give it a source of its own"
                raise document.mistake(place, f"this address {why} (line {document.line(earlier)})")
    return file


def _source(
    entry: schema.SourceSection, number: int, defaults: schema.SharedSection, document: Document, secrets: Secrets
) -> Source:
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
            _feed(feed, document.filled.get(("sources", number, "feeds", index, "url"), ()), secrets)
            for index, feed in enumerate(entry.feeds)
        ),
        site=secrets.in_site(Url(entry.site) if entry.site else None),
        enabled=entry.enabled,
        level=shared["level"] or Level.PRESS,
        digest=entry.digest,
        community=entry.community,
        aggregator=entry.aggregator,
        language=shared["language"],
        timezone=shared["timezone"],
        topics=tuple(shared["topics"] or ()),
        speaks_for=tuple(entry.speaks_for),
        weight=1.0 if weight is None else weight,
        poll_interval=None if minutes is None else timedelta(minutes=minutes),
    )


def _feed(entry: schema.FeedSection, filled: tuple[Filled, ...], secrets: Secrets) -> Feed:
    """The feed of the core. `filled`: where in its address values of the environment stand.

    These stay out of all that is stored or shown, and so do a login, and keys that other addresses have too.
    """
    selectors = Selectors(**dict(entry.select)) if entry.select else None
    public = secrets.in_text(public_form(entry.url, filled))
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


def _retention(entry: schema.RetentionSection) -> Retention:
    def span(days: int | None) -> timedelta | None:
        return None if days is None else timedelta(days=days)

    items = span(entry.item_days)
    html, texts = (
        own if items is None or (own is not None and own < items) else items
        for own in (span(entry.html_days), span(entry.text_days))
    )
    return Retention(
        html=html,
        texts=texts,
        items=items,
        hours=span(entry.hour_days),
        fetches=span(entry.fetch_days),
        runs=span(entry.run_days),
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
