"""What an article page says of itself: headline, address, language, and when it was published."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bs4 import Tag
from bs4.element import NavigableString, PageElement

from storyheat.core.addresses.urls import article_address, identity_key, resolve
from storyheat.core.dates.article import Hint, Place, dates_in, day_in_address, published
from storyheat.core.dates.hours import has_hours
from storyheat.core.dates.published import read_date
from storyheat.core.dates.zones import iana_zone
from storyheat.core.model import Published, Url
from storyheat.core.text.markup import one_line
from storyheat.ingest.page import Page, attribute, broken_json_ld_texts, json_ld, read_page, types_of, words_of


@dataclass(frozen=True, slots=True)
class ArticlePage:
    """What a page says of the article in it. None: it does not say.

    `canonical` is the address the page gives for itself, on its own site; `elsewhere` one on another site, from
    where the article was taken over.
    """

    title: str | None
    canonical: Url | None
    elsewhere: Url | None
    published: Published | None
    updated: Published | None
    language: str | None


@dataclass(frozen=True, slots=True)
class ArticleParams:
    """How much of a page is searched for dates."""

    max_elements: int = 40  # marked as dates
    max_strings: int = 60  # beside the headline
    max_words_before: int = 5  # a date beside the headline
    max_byline_chars: int = 80  # a longer piece of text is prose, and its dates are what it tells of
    max_strings_around: int = 4  # of the page that are read before and behind a date, in search of hours
    max_title_chars: int = 1_000


DEFAULT_PARAMS = ArticleParams()

_ARTICLES = re.compile(r"Article$|^BlogPosting$|^Posting$|Report$|^Review$|^NewsItem$|^CreativeWork$|^WebPage$")
_PAGES = frozenset({"WebPage", "CreativeWork"})
_META_PUBLISHED = frozenset({
    "article:published_time", "og:published_time", "og:article:published_time", "article:published", "datepublished",
    "published_time", "publication_date", "publication-date", "publicationdate", "pubdate", "publishdate",
    "publish-date", "publish_date", "published", "published-date", "publisheddate", "date.issued", "dc.date.issued",
    "dcterms.issued", "dc.issued", "dcterms.date.issued", "parsely-pub-date", "sailthru.date",
    "cxenseparse:recs:publishtime",
    "article.published", "article_date_original", "originalpublicationdate", "rnews:datepublished", "timestamp",
    "displaydate", "article:post_date", "citation_publication_date", "citation_online_date", "bt:pubdate",
    "date_published",
    "vr:published_time", "cre_date", "ptime", "firstpublishtime", "iso-8601-publish-date", "pdate", "og:pubdate",
    "dc.date.published", "weibo:article:create_at", "bytedance:published_time",
})  # fmt: skip
_META_GENERAL = frozenset({
    "date", "dc.date", "dcterms.date", "dc:date", "dc.date.created", "dcterms.created", "dc.created", "created",
    "datecreated", "article:created_time", "creation_date", "og:created_time", "article.created", "video:release_date",
})  # fmt: skip
_META_UPDATED = frozenset(
    {"article:modified_time", "og:updated_time", "datemodified", "last-modified", "dcterms.modified"}
)
_DATE_CLASS = re.compile(
    r"(?:^|[-_\s])(?:date|dates|datum|fecha|datetime|dateline|pubdate|published|publishdate|publication|publish|"
    r"posted|timestamp|time|byline|submitted|tagline|author|autor|info|source|data|stamp)(?:$|[-_\s\d])"
    r"|(?:entry|post|article|artikel|news)[-_]?(?:meta|datum|data|header)"
    r"|(?:pub|post|publish|article|artikel|document|entry|story|news)[-_]?(?:date|datum|time|info|published|byline)|date[-_]?(?:line|time|pub)|publi(?:shed|cado|e)",
    re.IGNORECASE,
)
_UPDATED_CLASS = re.compile(r"updated|modified", re.IGNORECASE)
_AWAY = re.compile(
    r"comment|related|sidebar|widget|footer|recommend|popular|promo|teaser|most-?read|archive|calendar|carousel|"
    r"newsletter|latest|trending|more-?(?:news|stories)|copyright|breaking",
    re.IGNORECASE,
)
_TODAY = re.compile(r"\btoday\b|current-?(?:date|time)", re.IGNORECASE)  # the day on which a page was asked for
_OTHER_DATES = re.compile(  # properties and classes of days that are no publication
    r"(?:start|end|birth|death|founding|departure|arrival)[-_]?(?:date|time)|doortime|valid(?:from|through|until)|"
    r"expires|dtstart|dtend|event[-_]?(?:start|end)|opening[-_]?hours|deadline|schedule|timetable",
    re.IGNORECASE,
)
_EVENT_TYPE = re.compile(r"schema\.org/\w*Event$")
_NEVER_MARKED = frozenset({
    "html", "body", "meta", "link", "script", "style", "img", "a", "article", "main", "form", "input",
})  # fmt: skip
_NOT_SHOWN = frozenset({"script", "style", "noscript", "template", "title", "option", "textarea"})
_AWAY_TAGS = frozenset({"aside", "footer", "nav", "form", "select"})


def read_article_page(
    text: str,
    url: str | None,
    *,
    source_timezone: str | None = None,
    fetched_at: datetime | None = None,
    params: ArticleParams = DEFAULT_PARAMS,
) -> ArticlePage:
    """What the decoded page at `url` says of its article. Total for any text.

    Dates without a zone are read in `source_timezone` (IANA); none after `fetched_at` is believed.
    """
    page = read_page(text, url)
    meta = _meta(page)
    named = page.soup.find("link", rel="canonical", href=True)
    given = [resolve(one, page.base) for one in (attribute(named, "href") if named else None, meta.get("og:url"))]
    own = list(_articles(page, [url]))
    things = own or _likely_articles(page, given)
    root = page.soup.find("html")
    language = (attribute(root, "lang") if root else "") or meta.get("og:locale", "").replace("_", "-") or None
    zone = iana_zone(source_timezone)
    told = [*given, *(resolve(one, page.base) for one in _own_addresses(things))]
    address, elsewhere = article_address(url, told)
    return ArticlePage(
        title=_title(page, things, meta, params),
        canonical=Url(address) if address else None,
        elsewhere=Url(elsewhere) if elsewhere else None,
        published=published(
            [*_structured(page, own, things), *_hints(page, [url, *given], params)],
            zone=zone,
            language=language,
            fetched_at=fetched_at,
        ),
        updated=_updated(things, meta, source_timezone),
        language=language,
    )


def _meta(page: Page) -> dict[str, str]:
    found: dict[str, str] = {}
    for tag in page.soup.find_all("meta", content=True):
        for name in ("property", "name", "itemprop", "http-equiv"):
            key, content = attribute(tag, name).lower(), attribute(tag, "content")
            if key and content:
                found.setdefault(key, content)
    return found


def _articles(page: Page, addresses: Sequence[str | None]) -> Iterator[dict[str, Any]]:
    """The JSON-LD objects that describe the article of the page at one of these addresses, the surest first.

    An object that names another address is about another article; a WebPage counts after articles.
    """
    here = {key for key in map(identity_key, addresses) if key}
    described = _described(page)
    own = [thing for thing in described if not (named := _named(thing, page)) or not here or named & here]
    yield from sorted(own, key=lambda thing: types_of(thing) <= _PAGES)


def _likely_articles(page: Page, given: Sequence[str | None]) -> list[dict[str, Any]]:
    """The JSON-LD objects that name the address that the page gives for itself, else the only article described."""
    if any(given) and (things := list(_articles(page, given))):
        return things
    articles = [thing for thing in _described(page) if not types_of(thing) <= _PAGES]
    return articles if len(articles) == 1 else []


def _described(page: Page) -> list[dict[str, Any]]:
    """The JSON-LD objects that describe articles and pages; those that only name one are none."""
    things = (thing for thing in json_ld(page) if thing.keys() - {"@context", "@type", "@id"})
    return [thing for thing in things if any(_ARTICLES.search(name) for name in types_of(thing))]


def _named(thing: dict[str, Any], page: Page) -> set[str]:
    keys = (identity_key(resolve(address, page.base)) for address in _own_addresses([thing]))
    return {key for key in keys if key}


def _own_addresses(things: Sequence[dict[str, Any]]) -> list[str]:
    """The addresses that JSON-LD objects give for themselves."""
    found = []
    for thing in things:
        main = thing.get("mainEntityOfPage")
        found += [thing.get("url"), main.get("@id") if isinstance(main, dict) else main]
    return [address for address in found if isinstance(address, str)]


def _title(page: Page, things: list[dict[str, Any]], meta: dict[str, str], params: ArticleParams) -> str | None:
    heading = page.soup.find("h1")
    title = page.soup.find("title")
    told = (
        *(thing.get("headline") for thing in things),
        meta.get("og:title"),
        words_of(heading) if heading else "",
        words_of(title) if title else "",
    )
    clean = (one_line(text)[: params.max_title_chars] for text in told if isinstance(text, str))
    return next((text for text in clean if text), None)


def _updated(things: list[dict[str, Any]], meta: dict[str, str], zone: str | None) -> Published | None:
    told = [thing.get("dateModified") for thing in things] + [meta.get(name) for name in sorted(_META_UPDATED)]
    readings = (read_date(text, iana_zone(zone)).published for text in told if isinstance(text, str))
    return next((claim for claim in readings if claim), None)


def _structured(page: Page, own: list[dict[str, Any]], things: list[dict[str, Any]]) -> list[Hint]:
    """The dates of the JSON-LD objects; of those that name another address than the page's come last."""
    told = [date for thing in things if isinstance(date := thing.get("datePublished"), str)]
    place = Place.STRUCTURED if own or not told else Place.GENERAL
    return [Hint(place, date) for date in told or broken_json_ld_texts(page, "datePublished")]


def _hints(page: Page, addresses: Sequence[str | None], params: ArticleParams) -> list[Hint]:
    hints: list[Hint] = []
    for tag in page.soup.find_all("meta", content=True):
        names = {attribute(tag, name).lower() for name in ("property", "name", "itemprop", "http-equiv")}
        content = attribute(tag, "content")
        if names & _META_PUBLISHED:
            hints.append(Hint(Place.META, content))
        elif names & _META_GENERAL:
            hints.append(Hint(Place.GENERAL, content))
    headline = _headline(page)
    hints.extend(_marked(page, headline, params))
    hints.extend(Hint(Place.HEAD, date) for date in _beside(headline, params))
    days = (day_in_address(address) for address in addresses if address)
    hints.extend(Hint(Place.ADDRESS, day) for day in days if day)
    return hints


def _headline(page: Page) -> Tag | None:
    """The article's heading: of several the first that the page's title repeats."""
    title = page.soup.find("title")
    titled = words_of(title).casefold() if title else ""
    headings = [heading for heading in page.soup.find_all("h1", limit=10) if words_of(heading)]
    repeated = (heading for heading in headings if words_of(heading).casefold()[:40] in titled)
    return next(repeated, headings[0] if headings else None)


def _beside(headline: Tag | None, params: ArticleParams) -> Iterator[str]:
    """The dates in short pieces of text around the headline, those after it first; a paragraph is no byline."""
    if headline is None:
        return
    after = headline.find_all_next(string=True, limit=params.max_strings)
    before = headline.find_all_previous(string=True, limit=params.max_strings // 4)
    for piece in (*after, *before):
        words = one_line(piece) if _is_shown(piece, headline) else ""
        if words and len(words) <= params.max_byline_chars and not _is_of_other(piece.parent or headline):
            yield from dates_in(words, params.max_words_before, _behind(piece, params))


def _is_shown(piece: NavigableString, headline: Tag) -> bool:
    parents = list(piece.parents)
    return type(piece) is NavigableString and not any(one is headline or one.name in _NOT_SHOWN for one in parents)


def _marked(page: Page, headline: Tag | None, params: ArticleParams) -> Iterator[Hint]:
    """The dates of elements that are marked as such, in the order of the page."""
    left = params.max_elements
    around = {id(parent) for parent in headline.parents} if headline else set()
    for tag in page.soup.find_all(_is_marked):
        if _is_away(tag, around) or _is_of_other(tag):
            continue
        left -= 1
        if left < 0:
            return
        names = _named_properties(tag)
        says_published = "datepublished" in names or tag.has_attr("pubdate")
        place = Place.MICRODATA if says_published else Place.TIME if tag.name == "time" else Place.MARKED
        given = attribute(tag, "datetime") or attribute(tag, "content")
        words, behind = words_of(tag), _behind(tag, params)
        if given and not has_hours(f"{_before(tag, params)} {words[: params.max_byline_chars]} {behind}"):
            yield Hint(place, given)
        for date in dates_in(words, behind=behind):
            yield Hint(place, date)


def _is_of_other(tag: Tag) -> bool:
    """Whether an element says that its day is today, or that of an event."""
    marks = f"{_marks(tag)} {_named_properties(tag)}"
    if _TODAY.search(marks) or _OTHER_DATES.search(marks):
        return True
    return any(_EVENT_TYPE.search(attribute(one, "itemtype")) for one in tag.parents)


def _before(tag: Tag, params: ArticleParams) -> str:
    """The words that stand before an element on the page."""
    return _joined(reversed(tag.find_all_previous(string=True, limit=params.max_strings_around)))[
        -params.max_byline_chars :
    ]


def _behind(node: Tag | NavigableString, params: ArticleParams) -> str:
    """The words that stand behind an element or a piece of text on the page."""
    last: PageElement = node
    while isinstance(last, Tag) and last.contents:
        last = last.contents[-1]
    return _joined(last.find_all_next(string=True, limit=params.max_strings_around))[: params.max_byline_chars]


def _joined(pieces: Iterable[NavigableString]) -> str:
    return one_line(" ".join(piece for piece in pieces if type(piece) is NavigableString))


def _named_properties(tag: Tag) -> str:
    return f"{attribute(tag, 'itemprop')} {attribute(tag, 'property')}".lower()


def _is_marked(tag: Tag) -> bool:
    names = _named_properties(tag)
    if "datepublished" in names or tag.has_attr("pubdate") or "dc:created" in names:
        return tag.name != "meta"
    if "datemodified" in names or tag.name in _NEVER_MARKED:
        return False
    marks = _marks(tag)
    if tag.name == "time":
        return "published" in marks or not _UPDATED_CLASS.search(marks)
    return bool(_DATE_CLASS.search(marks))


def _marks(tag: Tag) -> str:
    return f"{attribute(tag, 'class')} {attribute(tag, 'id')}"


def _is_away(tag: Tag, around: set[int]) -> bool:
    """Whether an element belongs to something beside the article; what holds the headline is none of that."""
    return any(
        id(one) not in around and (one.name in _AWAY_TAGS or _AWAY.search(_marks(one))) for one in (tag, *tag.parents)
    )
