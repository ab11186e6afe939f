"""Reads an HTML index page by the selectors of its feed, as if it were a feed."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bs4 import BeautifulSoup, Tag

from storyheat.core.addresses.urls import identity_key, is_relative, resolve
from storyheat.core.items.normalise import RawEntry, RawLink, RawText
from storyheat.core.model import Selectors
from storyheat.core.text.markup import TextKind, one_line
from storyheat.ingest.feed import RawFeed
from storyheat.ingest.page import Page, attribute, json_ld, read_page, words_of


@dataclass(frozen=True, slots=True)
class IndexParams:
    """Bounds on what an index page gives."""

    max_items: int = 2_000  # the longest index that is shipped lists 200
    max_items_around: int = 3  # items that may hold an item, such as lists within lists
    max_links: int = 20  # of an item that are tried
    max_date_chars: int = 1_000  # of an item's text that is searched for a date
    max_summary_chars: int = 4_000


DEFAULT_PARAMS = IndexParams()

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_MORE = re.compile(  # links that say nothing of where they lead
    r"(?:read|learn|find out|see|view|show)? ?more|read (?:the )?(?:full )?(?:article|story|post)|continue reading|"
    r"details|weiterlesen|mehr(?: lesen| erfahren)?|lire (?:la suite|plus)|en savoir plus|leer más|ver más|"
    r"leggi(?: tutto| di più)?|ler mais|leia mais|lees (?:meer|verder)|подробнее|читать (?:далее|дальше|полностью)|"
    r"阅读(?:全文|更多)|閱讀(?:全文|更多)|查看(?:更多|详情|詳情)|更多|详情|詳情|続きを読む|もっと見る|詳しくはこちら|"
    r"더 ?보기|자세히(?: 보기)?",
    re.IGNORECASE,
)
_ARROWS = " »›>→….↗"
_EDGES = " \t·|•-–—:,，"  # what stands between a title and the date that was cut off it


class NoItemsError(ValueError):
    """The selectors find nothing in the page; the words say which of them."""


def read_index(
    text: str, url: str | None, selectors: Selectors, params: IndexParams = DEFAULT_PARAMS
) -> tuple[RawFeed, tuple[str, ...]]:
    """The entries of a decoded index page, in its order, each address once, and remarks on the page.

    `url` is where the page came from. Raises NoItemsError where no item with a link is found.
    """
    page = read_page(text, url)
    items = _not_too_deep(page.soup.select(selectors.item, limit=params.max_items), params)
    if not items:
        raise NoItemsError(f"the page has nothing that `item: {selectors.item}` selects; it may have been rebuilt")
    reader = _Reader(page, selectors, _dates_by_address(page), params)
    found: dict[str, RawEntry] = {}
    for item in items:
        read = reader.entry(item)
        if read is not None:
            key, entry = read
            found[key] = _together(found[key], entry) if key in found else entry
    if not found:
        wanted = selectors.link or "a[href]"
        raise NoItemsError(f"the page has {len(items)} items, but no link `{wanted}` in any; it may have been rebuilt")
    root = page.soup.find("html")
    feed = RawFeed(
        format="html",
        title=_title_of(page.soup),
        links=(RawLink(url),) if url else (),
        language=(attribute(root, "lang") if root else "") or None,
        entries=tuple(found.values()),
        poll_hint=None,
        skip_hours=frozenset(),
        skip_days=frozenset(),
    )
    return feed, page.remarks


def _not_too_deep(items: Sequence[Tag], params: IndexParams) -> list[Tag]:
    """The items without those inside so many others that each piece of the page would be read again and again."""
    ids = {id(item) for item in items}
    return [item for item in items if sum(id(one) in ids for one in item.parents) <= params.max_items_around]


def _title_of(soup: BeautifulSoup) -> RawText | None:
    title = soup.find("title")
    return RawText(words_of(title), TextKind.PLAIN) if title else None


@dataclass(frozen=True, slots=True)
class _Reader:
    """What every item of one page is read with."""

    page: Page
    selectors: Selectors
    dates: Mapping[str, str]  # by identity key, from JSON-LD
    params: IndexParams

    def entry(self, item: Tag) -> tuple[str, RawEntry] | None:
        """An item with the key of its address; None for one without a usable link."""
        link = self._link(item)
        if link is None:
            return None
        href = attribute(link, "href")
        key = identity_key(resolve(href, self.page.base)) or href
        date = _selected(item, self.selectors.date) if self.selectors.date else None
        dated = self._date_text(item, date)
        title = self._title(item, link, date, dated)
        summary = _selected_with_words(item, self.selectors.summary) if self.selectors.summary else None
        entry = RawEntry(
            title=RawText(title, TextKind.PLAIN) if title else None,
            links=(RawLink(href, base=self.page.base),),
            published=tuple(dict.fromkeys(self._dates(item, date, dated, href, self.dates.get(key)))),
            summary=_summary(words_of(summary), self.params) if summary else None,
        )
        return key, entry

    def _link(self, item: Tag) -> Tag | None:
        """The first link that leads anywhere; one to a place on a page only where there is no other."""
        wanted = self.selectors.link or "a[href]"
        links = [item] if item.css.match(wanted) else item.select(wanted, limit=self.params.max_links)
        leading = [link for link in links if self._leads_anywhere(attribute(link, "href"))]
        elsewhere = (link for link in leading if not attribute(link, "href").startswith("#"))
        return next(elsewhere, leading[0] if leading else None)

    def _leads_anywhere(self, href: str) -> bool:
        return resolve(href, self.page.base) is not None or (is_relative(href) and self.page.base is None)

    def _date_text(self, item: Tag, date: Tag | None) -> str:
        """The part of the date's text (without a date selector: of the item's) that is the date."""
        if date is None and (self.selectors.date or not self.selectors.date_regex):
            return ""
        text = words_of(item if date is None else date)[: self.params.max_date_chars]
        return _found_by(self.selectors.date_regex, text) if self.selectors.date_regex else text

    def _dates(self, item: Tag, date: Tag | None, text: str, href: str, told: str | None) -> Iterator[str]:
        """Every date that is given, the most certain first: what the operator selected, then what the page says."""
        if date is not None:
            yield from _machine_dates(date)
        if text:
            yield text
        if self.selectors.href_date_regex and (found := _found_by(self.selectors.href_date_regex, href)):
            yield found
        if told:
            yield told
        if date is None and (time := item.find("time")) is not None:
            yield from _machine_dates(time)
            yield words_of(time)[: self.params.max_date_chars]

    def _title(self, item: Tag, link: Tag, date: Tag | None, dated: str) -> str:
        """The words of the selected title, else of the link, else of what stands for them; without the date."""
        titled = _selected_with_words(item, self.selectors.title) if self.selectors.title else None
        if titled is None and (not words_of(link) or _MORE.fullmatch(words_of(link).strip(_ARROWS))):
            headings = (heading for heading in item.find_all(_HEADINGS) if words_of(heading))
            titled = next(headings, None)
        holder = titled or link
        words = words_of(holder)
        # Where the date stands inside the title, or the title is selected as the date too, it is cut off.
        if date is not None and holder is not date and holder in date.parents:
            return _without(words, words_of(date))
        if dated and (date is None or date is holder) and dated != words:
            return _without(words, dated)
        image = holder.find("img", alt=True)
        return words or attribute(link, "title") or (attribute(image, "alt") if image else "")


def _selected(item: Tag, selector: str) -> Tag | None:
    """The first match inside an item, or the item itself if it is one."""
    return item if item.css.match(selector) else item.select_one(selector)


def _selected_with_words(item: Tag, selector: str) -> Tag | None:
    """The first match that says something."""
    own = [item] if item.css.match(selector) else item.select(selector)
    return next((match for match in own if words_of(match)), None)


def _machine_dates(tag: Tag) -> Iterator[str]:
    """The dates that an element, or a `<time>` in or around it, gives for programs."""
    around = tag.find_parent("time")
    for one in (tag, tag.find("time"), around):
        if one is not None and (given := attribute(one, "datetime")):
            yield given


def _found_by(pattern: str, text: str) -> str:
    """What a pattern finds: its groups joined by "-", or the whole match of one without groups; "" for nothing."""
    found = re.search(pattern, text)
    if found is None:
        return ""
    groups = [group for group in found.groups() if group]
    return "-".join(groups) if groups else found[0]


def _without(words: str, date: str) -> str:
    """`words` without the date at their end or start."""
    for kept in (words.removesuffix(date), words.removeprefix(date)):
        if kept != words:
            return kept.strip(_EDGES)
    return words


def _summary(words: str, params: IndexParams) -> RawText:
    return RawText(words[: params.max_summary_chars], TextKind.PLAIN)


def _together(first: RawEntry, again: RawEntry) -> RawEntry:
    """One entry of two items with one address: a picture that links there has neither title nor date."""
    return replace(
        first,
        title=first.title or again.title,
        published=tuple(dict.fromkeys((*first.published, *again.published))),
        summary=first.summary or again.summary,
    )


def _dates_by_address(page: Page) -> dict[str, str]:
    """The publication dates that JSON-LD gives for the articles of a page, by the key of their address."""
    found: dict[str, str] = {}
    for thing in json_ld(page):
        date = thing.get("datePublished")
        if not isinstance(date, str):
            continue
        main = thing.get("mainEntityOfPage")
        named = (thing.get("url"), main.get("@id") if isinstance(main, dict) else main, thing.get("@id"))
        for address in named:
            key = identity_key(resolve(address, page.base)) if isinstance(address, str) else None
            if key:
                found.setdefault(key, one_line(date))
    return found
