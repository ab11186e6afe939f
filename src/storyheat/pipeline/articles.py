"""The stage between polling and placing: reads the pages of new items whose feed gives no text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from storyheat.core.articles import (
    ArticleParams,
    Candidate,
    ReadArticle,
    Visit,
    address_keys,
    take_articles,
    worth_a_visit,
)
from storyheat.core.model import Failure, FailureKind, FetchOutcome, FetchReply, FetchRequest, Source, Url
from storyheat.core.polling import PollParams, asked_for_rest
from storyheat.core.urls import host_of, is_front_page
from storyheat.ingest.page import page_text
from storyheat.ingest.page_article import read_article_page
from storyheat.ingest.sniff import FAILURES, Kind, sniff
from storyheat.pipeline.robots import refused_pages
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
) -> ArticleResult:
    """Asks for the article pages that are worth it and stores what they say in one transaction.

    A host that asked to be left alone, for whatever it was asked, is left alone here too, and the other way round.
    `extract` None: nothing is installed that could read them, so none is asked for. `only`: ids of sources.
    """
    if extract is None or not any(feed.fulltext for source in sources for feed in source.feeds):
        return ArticleResult()
    with database.read() as connection:
        unread = articles.unread(connection, sources, only, now - params.max_age, now)
        resting = feeds.resting_hosts(connection, now, polling)
    unread = [candidate for candidate in unread if host_of(candidate.item.url) not in resting]
    chosen = worth_a_visit(unread, now, params)
    if not chosen:
        return ArticleResult()
    by_id: dict[str, Source] = {source.id: source for source in sources}
    visits, failed = _visit(database, chosen, by_id, fetcher, now, extract, watch)
    with watch("store"), database.write() as connection:
        known = articles.known_by_address(connection, address_keys(visits))
        intake = take_articles(visits, known, now, params)
        articles.store_articles(connection, intake, now)
        feeds.store_rests(connection, asked_for_rest(failed, now, polling), now)
    outcomes = [record.outcome for record in intake.records]
    return ArticleResult(outcomes.count("read"), outcomes.count("failed"), len(intake.folded))


def _visit(
    database: Database,
    chosen: Sequence[Candidate],
    sources: dict[str, Source],
    fetcher: Fetcher,
    now: datetime,
    extract: Extract,
    watch: Stopwatch,
) -> tuple[list[Visit], list[FetchReply]]:
    """One request for each address; pages are read while others are under way. The replies of all that failed too."""
    by_url: dict[Url, Candidate] = {}
    for candidate in chosen:
        if candidate.item.url is not None:
            by_url.setdefault(candidate.item.url, candidate)
    visits: list[Visit] = []
    lap = Stopwatch()
    with watch("fetch"):
        refused = refused_pages(database, fetcher, by_url, now)
        failed = list(refused.values())
        allowed = [url for url in by_url if url not in refused]

        def on_reply(reply: FetchReply) -> None:
            with lap("parse"):
                url = allowed[reply.key]
                if reply.failure is not None:
                    failed.append(reply)
                candidate = by_url[url]
                visits.append(_read(candidate, url, reply, sources[candidate.item.source], now, extract))

        fetcher.fetch([FetchRequest(number, url) for number, url in enumerate(allowed)], now, on_reply)
    parsing = lap.seconds.get("parse", 0.0)
    watch.seconds["fetch"] -= parsing
    watch.seconds["parse"] = watch.seconds.get("parse", 0.0) + parsing
    visits += [Visit(by_url[url], url, failure=reply.failure) for url, reply in refused.items()]
    return visits, failed


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
