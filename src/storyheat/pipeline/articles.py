"""The stage between polling and placing: reads the pages of new items whose feed gives no text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from storyheat.core.addresses.secrets import Secrets
from storyheat.core.addresses.urls import host_of, is_front_page
from storyheat.core.feeds.polling import PollParams, asked_for_rest
from storyheat.core.feeds.robots import DEFAULT_PARAMS as ROBOTS
from storyheat.core.items.articles import (
    ArticleParams,
    Candidate,
    ReadArticle,
    Visit,
    address_keys,
    take_articles,
    worth_a_visit,
)
from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply, FetchRequest, Source, Url
from storyheat.ingest.page import page_text
from storyheat.ingest.page_article import read_article_page
from storyheat.ingest.robots import SiteRules
from storyheat.ingest.sniff import FAILURES, Kind, sniff
from storyheat.pipeline.stopwatch import Stopwatch
from storyheat.ports import Fetcher
from storyheat.store import articles, feeds
from storyheat.store.database import Database

Extract = Callable[[str, str | None], str]
"""Finds the article's text in a decoded page from an address; "" where there is none."""

_ENOUGH_CHARS = 400  # so long a text is an article, whatever marks of a challenge its page carries


@dataclass(frozen=True, slots=True)
class ArticleResult:
    """What the stage did, in counts. `folded`: new items that turned out to be known ones."""

    read: int = 0
    failed: int = 0
    folded: int = 0


def read_articles(
    database: Database,
    sources: Sequence[Source],
    fetcher: Fetcher,
    now: datetime,
    extract: Extract | None,
    params: ArticleParams,
    watch: Stopwatch,
    *,
    polling: PollParams,
    only: frozenset[str] | None = None,
    secrets: Secrets = Secrets(),
) -> ArticleResult:
    """Asks for the article pages that are worth it and stores what they say in one transaction, without any secret.

    A host that asked to be left alone, for whatever it was asked, is left alone here too, and the other way round.
    `extract` None: nothing is installed that could read them, so none is asked for. `only`: ids of sources.
    """
    if extract is None or not any(feed.fulltext for source in sources for feed in source.feeds):
        return ArticleResult()
    with database.read() as connection:
        unread = articles.unread(connection, sources, only, now - params.max_age, now)
        resting = feeds.resting_hosts(connection, now, polling)
        rules = SiteRules(articles.robots_since(connection, now - ROBOTS.keep), now, secrets.in_words)
    unread = [one for one in unread if secrets.in_words(host_of(one.item.url) or "") not in resting]
    chosen = worth_a_visit(unread, now, params)
    if not chosen:
        return ArticleResult()
    by_id: dict[str, Source] = {source.id: source for source in sources}
    visits, failed = _visit(chosen, by_id, fetcher, rules, now, extract, secrets, watch)
    with watch("store"), database.write() as connection:
        known = articles.known_by_address(connection, address_keys(visits))
        intake = take_articles(visits, known, now, params)
        articles.store_articles(connection, intake, now)
        articles.store_robots(connection, rules.learned)
        rests = asked_for_rest(failed, now, polling)
        feeds.store_rests(connection, {secrets.in_words(host): until for host, until in rests.items()}, now)
    outcomes = [record.outcome for record in intake.records]
    return ArticleResult(outcomes.count("read"), outcomes.count("failed"), len(intake.folded))


def _visit(
    chosen: Sequence[Candidate],
    sources: dict[str, Source],
    fetcher: Fetcher,
    rules: SiteRules,
    now: datetime,
    extract: Extract,
    secrets: Secrets,
    watch: Stopwatch,
) -> tuple[list[Visit], list[FetchReply]]:
    """One request for each address; pages are read while others are under way. The replies of all that failed too.

    A page whose host wants to be left alone was not asked for: it waits, and no attempt is counted.
    """
    by_url: dict[Url, Candidate] = {}
    for candidate in chosen:
        if candidate.item.url is not None:
            by_url.setdefault(candidate.item.url, candidate)
    urls = list(by_url)
    visits: list[Visit] = []
    failed: list[FetchReply] = []
    lap = Stopwatch()

    def on_reply(reply: FetchReply) -> None:
        if reply.outcome is FetchOutcome.NOT_ASKED:
            return
        with lap("parse"):
            url = urls[reply.key]
            if reply.failure is not None:
                failed.append(reply)
            candidate = by_url[url]
            visit = _read(candidate, url, reply, sources[candidate.item.source], now, extract)
            visits.append(_without_secrets(visit, secrets))

    with watch("fetch"):
        fetcher.fetch([FetchRequest(number, url, rules=rules) for number, url in enumerate(urls)], now, on_reply)
    parsing = lap.seconds.get("parse", 0.0)
    watch.seconds["fetch"] -= parsing
    watch.seconds["parse"] = watch.seconds.get("parse", 0.0) + parsing
    return visits, failed


def _without_secrets(visit: Visit, secrets: Secrets) -> Visit:
    read = visit.read and replace(
        visit.read,
        text=secrets.in_text(visit.read.text),
        title=visit.read.title and secrets.in_text(visit.read.title),
        canonical=secrets.in_url(visit.read.canonical),
        elsewhere=secrets.in_url(visit.read.elsewhere),
    )
    return replace(visit, read=read, failure=secrets.in_failure(visit.failure))


def _read(candidate: Candidate, url: Url, reply: FetchReply, source: Source, now: datetime, extract: Extract) -> Visit:
    if reply.outcome is not FetchOutcome.BODY:
        nothing = Failure(FailureKind.EMPTY, "the server says nothing changed, but the page was never read")
        return Visit(candidate, url, failure=reply.failure or nothing)
    if is_front_page(reply.final_url) and not is_front_page(url):
        gone = Failure(FailureKind.REDIRECT, "the address leads to the front page, so the article is gone")
        return Visit(candidate, url, failure=gone)
    text = page_text(reply.body, reply.content_type)
    kind = sniff(text)
    if kind not in (Kind.HTML, Kind.CHALLENGE):
        return Visit(candidate, url, failure=Failure(FailureKind.NOT_A_FEED, "the address gives no web page"))
    found = extract(text, reply.final_url)
    if kind is Kind.CHALLENGE and len(found) < _ENOUGH_CHARS:
        return Visit(candidate, url, failure=Failure(*FAILURES[kind]))
    page = read_article_page(text, reply.final_url, source_timezone=source.timezone, fetched_at=now)
    read = ReadArticle(
        text=found,
        title=page.title,
        canonical=page.canonical,
        elsewhere=page.elsewhere,
        published=page.published,
        etag=reply.etag,
        last_modified=reply.last_modified,
    )
    return Visit(candidate, url, read)
