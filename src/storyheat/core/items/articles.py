"""Article pages: which are worth a request, and what a page that was read adds to what is known of its item."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from storyheat.core.addresses.secrets import holds_hidden
from storyheat.core.addresses.urls import identity_key
from storyheat.core.items.effective import effective_time
from storyheat.core.items.facts import Item, Revision
from storyheat.core.model import Failure, ItemId, Published, Url


@dataclass(frozen=True, slots=True)
class ArticleParams:
    """Which article pages are asked for."""

    max_per_run: int = 50  # with the pause of a second at one host, about a minute
    max_attempts: int = 3  # then the page is given up
    retry_after: timedelta = timedelta(hours=1)  # doubled with every attempt
    max_age: timedelta = timedelta(days=7)  # of an item: older ones add no heat, and their stories are closed
    same_title: float = 0.5  # share of words that two titles of one article have in common at least
    own_title: float = 0.5  # share of the title's words that the page of an article repeats at least


DEFAULT_PARAMS = ArticleParams()


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item whose article may be asked for, and how often that was tried."""

    item: Item
    attempts: int = 0
    next_try_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ReadArticle:
    """What a page said. `text` is "" where none was found in it; `canonical` is its own word for its address."""

    text: str = ""
    title: str | None = None
    canonical: Url | None = None
    elsewhere: Url | None = None  # the page of another site that it was taken from
    published: Published | None = None
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """One article page that was asked for: what it said, or why nothing came."""

    candidate: Candidate
    url: Url
    read: ReadArticle | None = None
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class ArticleRecord:
    """What is kept of a visit. `next_try_at` None: the page is not asked for again."""

    item: ItemId
    url: Url
    address_key: str | None
    elsewhere: Url | None
    outcome: str  # read, no_text or failed
    failure: Failure | None
    fetched_at: datetime
    attempts: int
    next_try_at: datetime | None
    etag: str | None
    last_modified: str | None


@dataclass(slots=True)
class ArticleIntake:
    """What a run's visits add to the facts."""

    records: list[ArticleRecord] = field(default_factory=list)
    changed: dict[ItemId, Item] = field(default_factory=dict)
    revisions: list[Revision] = field(default_factory=list)
    folded: dict[ItemId, ItemId] = field(default_factory=dict)  # a new item → the one it is


def worth_a_visit(
    candidates: Sequence[Candidate], now: datetime, params: ArticleParams = DEFAULT_PARAMS
) -> list[Candidate]:
    """The candidates to ask for in a run at `now`: the newest items first, at most `max_per_run`."""
    due = [
        one
        for one in candidates
        if one.item.url is not None
        and not holds_hidden(one.item.url)
        and not one.item.text
        and now - one.item.effective_at <= params.max_age
        and (one.attempts == 0 or (one.next_try_at is not None and one.next_try_at <= now))
    ]
    due.sort(key=lambda one: one.item.id)
    due.sort(key=lambda one: one.item.effective_at, reverse=True)
    return due[: params.max_per_run]


def address_keys(visits: Sequence[Visit]) -> set[str]:
    """The addresses that the pages give for themselves, folded: what the store must be asked about."""
    return {key for visit in visits if (key := _address_key(visit)) is not None}


def take_articles(
    visits: Sequence[Visit], known: Mapping[str, Item], now: datetime, params: ArticleParams = DEFAULT_PARAMS
) -> ArticleIntake:
    """Decides what the visits of one run add to the facts.

    `known` maps folded addresses to the items that are known by them. A new item whose page gives an address that
    another item has is that item. An address that pages of different titles give is nobody's.
    """
    intake = ArticleIntake()
    by_address = dict(known)
    titles: dict[str, list[str]] = defaultdict(list)
    visits = [_about_its_item(visit, params) for visit in visits]
    for visit in visits:
        titles[_address_key(visit) or ""].append(visit.candidate.item.title)
    for visit in sorted(visits, key=lambda one: (one.candidate.item.effective_at, one.candidate.item.id)):
        key = _address_key(visit)
        item = intake.changed.get(visit.candidate.item.id, visit.candidate.item)
        if key is not None and not all(_alike(item.title, other, params) for other in titles[key]):
            key = None
        target = by_address.get(key) if key is not None else None
        if target is not None and target.id != item.id:
            target = intake.changed.get(target.id, target)
            if not _alike(item.title, target.title, params):
                key = None
            elif item.first_seen_at == now:  # later it stands in a story, and stays there
                intake.folded[item.id] = target.id
                intake.changed.pop(item.id, None)
                item = _merged(intake, target, item, now)
        if visit.read is not None:
            item = _enriched(intake, item, visit.read, now)
        if key is not None:
            by_address[key] = item
            by_address[visit.candidate.item.identity] = item
        intake.records.append(_record(visit, item.id, key, now, params))
    intake.records = [replace(one, item=_final(one.item, intake.folded)) for one in intake.records]
    return intake


def _about_its_item(visit: Visit, params: ArticleParams) -> Visit:
    """The visit; without what was read where the page is about something else: a consent form, a list of articles."""
    words = _words(visit.candidate.item.title)
    if visit.read is None or not words:
        return visit
    said = _words(f"{visit.read.title or ''} {visit.read.text}")
    return visit if len(words & said) >= params.own_title * len(words) else replace(visit, read=ReadArticle())


def _words(text: str) -> set[str]:
    from storyheat.core.items.copies import (
        tokens_of,  # loads numpy, which the settings do without: they need the parameters
    )

    return set(tokens_of(text))


def _final(item: ItemId, folded: Mapping[ItemId, ItemId]) -> ItemId:
    while item in folded:
        item = folded[item]
    return item


def _address_key(visit: Visit) -> str | None:
    return None if visit.read is None else identity_key(visit.read.canonical)


def _alike(one: str, two: str, params: ArticleParams) -> bool:
    """Whether two titles may be of one article; a missing one may be anything."""
    first, second = _words(one), _words(two)
    return not first or not second or len(first & second) >= params.same_title * min(len(first), len(second))


def _merged(intake: ArticleIntake, target: Item, item: Item, now: datetime) -> Item:
    """The known item with what the new one, which turned out to be the same, said before it."""
    earlier = item.effective_at < target.effective_at
    merged = replace(
        target,
        text=target.text or item.text,
        published=target.published or item.published,
        effective_at=min(item.effective_at, target.effective_at),
        effective_because=item.effective_because if earlier else target.effective_because,
    )
    return _change(intake, target, merged, "the same article under another address gave an earlier date", now)


def _enriched(intake: ArticleIntake, item: Item, read: ReadArticle, now: datetime) -> Item:
    """The item with the text of its page, and the date and title where its feed gave none."""
    changed = replace(item, text=item.text or read.text, title=item.title or read.title or "")
    claim = effective_time(read.published, item.first_seen_at)
    if item.published is None and claim.dated and read.published and read.published.at <= item.first_seen_at:
        changed = replace(
            changed,
            published=read.published,
            effective_at=min(claim.at, item.effective_at),
            effective_because=f"{claim.because}; the article's page gave it",
            backlog=False,
        )
    return _change(intake, item, changed, "read from the article's page", now)


def _change(intake: ArticleIntake, item: Item, changed: Item, because: str, now: datetime) -> Item:
    """Notes a change. One of an item that was first seen in this very run is no revision: nobody saw it before."""
    if changed == item:
        return item
    intake.changed[item.id] = changed
    if item.first_seen_at != now:
        for name in ("title", "text", "effective_at", "backlog"):
            before, after = getattr(item, name), getattr(changed, name)
            if before != after:
                intake.revisions.append(Revision(item.id, name, _written(before), _written(after), because))
    return changed


def _written(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return str(int(value)) if isinstance(value, bool) else str(value)


def _record(visit: Visit, item: ItemId, key: str | None, now: datetime, params: ArticleParams) -> ArticleRecord:
    attempts = visit.candidate.attempts + 1
    again = visit.failure is not None and attempts < params.max_attempts
    read = visit.read or ReadArticle()
    return ArticleRecord(
        item=item,
        url=visit.url,
        address_key=key,
        elsewhere=read.elsewhere,
        outcome="failed" if visit.read is None else "read" if read.text else "no_text",
        failure=visit.failure,
        fetched_at=now,
        attempts=attempts,
        next_try_at=now + params.retry_after * 2 ** (attempts - 1) if again else None,
        etag=read.etag,
        last_modified=read.last_modified,
    )
