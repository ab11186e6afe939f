"""From an entry as a format reader found it to an entry as storyheat keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from types import MappingProxyType

from storyheat.core.addresses.urls import canonical_url, is_relative, resolve, without_credentials, without_login
from storyheat.core.dates.labels import says_updated
from storyheat.core.dates.published import DateParams, DateReading, read_date
from storyheat.core.dates.relative import read_relative
from storyheat.core.items.aggregators import article_behind, headline, own_text
from storyheat.core.model import Entry, Url
from storyheat.core.text.markup import TextKind, escaped, one_line, plain_text, sanitised, title_text


@dataclass(frozen=True, slots=True)
class RawText:
    """A text as published, with the base that relative addresses in it hang on."""

    value: str
    kind: TextKind
    base: str | None = None


@dataclass(frozen=True, slots=True)
class RawLink:
    """A link element as published. `href` may be relative; `type` is "" where none was given."""

    href: str
    rel: str = "alternate"
    type: str = ""
    base: str | None = None


@dataclass(frozen=True, slots=True)
class RawEntry:
    """One element of a feed before anything is decided about it; every text as published."""

    guid: str | None = None
    guid_is_link: bool = False  # the guid serves as link where none is given
    title: RawText | None = None
    links: tuple[RawLink, ...] = ()
    original_link: str | None = None  # feedburner:origLink and the like
    published: tuple[str, ...] = ()  # every date given as one of publication, the most specific first
    updated: str | None = None
    summary: RawText | None = None
    content: RawText | None = None
    author: str | None = None
    publisher: str | None = None
    publisher_url: str | None = None
    language: str | None = None
    remarks: tuple[str, ...] = ()  # on what the reader could not take as it stood


@dataclass(frozen=True, slots=True)
class NormaliseParams:
    """Bounds on short texts."""

    max_guid_chars: int = 2000  # the longest real one has 344
    max_summary_chars: int = 2000  # more is an article; the whole of it is kept as `text`
    max_name_chars: int = 300  # authors and publishers


DEFAULT_PARAMS = NormaliseParams()


def normalise(
    raw: RawEntry,
    *,
    base: str | None = None,
    source_zone: tzinfo | None = None,
    day_first: Mapping[str, bool] = MappingProxyType({}),
    language: str | None = None,
    fetched_at: datetime | None = None,
    params: NormaliseParams = DEFAULT_PARAMS,
) -> Entry:
    """Cleans one entry. Total: whatever cannot be used is None or empty, with a remark.

    `base` is the address of the document and `language` that of the feed, where the entry names none;
    `source_zone` and `day_first` as in `dates.read_date`.
    `fetched_at` is what "3 hours ago" counts back from; without it such dates are unknown.
    """
    remarks = list(raw.remarks)
    link = _link(raw, base, remarks)
    published, updated = _dates(raw, _DateReader(source_zone, day_first, raw.language or language, fetched_at), remarks)
    summary, text, html = _texts(raw, base, link, params)
    article = article_behind(link, html)
    original = canonical_url(resolve(raw.original_link, base) or article)
    title = title_text(raw.title.value, raw.title.kind) if raw.title else None
    return Entry(
        guid=without_credentials(one_line(raw.guid or ""))[: params.max_guid_chars] or None,
        title=title,
        link=Url(link) if link else None,
        canonical=_url(original or canonical_url(link)),
        published=published.published,
        updated=updated.published,
        summary=summary,
        text=text,
        html=html,
        author=_name(raw.author, params),
        publisher=headline(title, _name(raw.publisher, params), link).publisher,
        publisher_url=_url(without_login(resolve(raw.publisher_url, base) or article or "")),
        language=raw.language or None,
        remarks=tuple(remarks),
    )


def is_blank(raw: RawEntry) -> bool:
    """Whether an entry says nothing: an empty element, or what is left where a broken document was mended."""
    rich = (raw.title, raw.summary, raw.content)
    plain = (raw.guid, *raw.published, raw.updated, *(text.value for text in rich if text))
    return not raw.links and not any(text and text.strip() for text in plain)


def _url(address: str | None) -> Url | None:
    return Url(address) if address else None


def _name(raw: str | None, params: NormaliseParams) -> str | None:
    name = title_text(raw, TextKind.GUESS)
    return name[: params.max_name_chars] if name else None


def _link(raw: RawEntry, base: str | None, remarks: list[str]) -> str | None:
    """The article's address: an alternate link (pages before other types), else a guid that is a link."""
    candidates = [link for link in raw.links if link.rel in ("", "alternate") and link.href.strip()]
    candidates.sort(key=lambda link: not _is_page(link.type))  # stable: the first of each kind stays first
    for link in candidates:
        resolved = resolve(link.href, link.base or base)
        if resolved:
            return without_login(resolved)
    if candidates:
        href = without_credentials(one_line(candidates[0].href))[:80]
        relative = is_relative(href) and not (candidates[0].base or base)
        remarks.append(
            f"link is relative and no base is known: {href}" if relative else f"link is no http(s) address: {href}"
        )
    address = resolve(raw.guid, None) if raw.guid_is_link else None
    return without_login(address) if address else None


def _is_page(media_type: str) -> bool:
    return media_type.partition(";")[0].strip().lower() in ("", "text/html", "application/xhtml+xml", "html")


@dataclass(frozen=True, slots=True)
class _DateReader:
    """What the dates of one document are read with."""

    source_zone: tzinfo | None
    day_first: Mapping[str, bool]
    language: str | None
    fetched_at: datetime | None

    def read(self, text: str | None) -> DateReading:
        reading = read_date(text, self.source_zone, day_first=self.day_first, language=self.language)
        if reading.published is None and text and self.fetched_at is not None:
            relative = read_relative(text, self.fetched_at, self.source_zone)
            return relative if relative.published or relative.remark else reading
        return reading


def _dates(raw: RawEntry, reader: _DateReader, remarks: list[str]) -> tuple[DateReading, DateReading]:
    """The published and the updated claim; an entry that has only the latter was published then."""
    updated = reader.read(raw.updated)
    if updated.remark:
        remarks.append(f"updated: {updated.remark}")
    published = DateReading(None, None) if raw.published else updated
    for text in sorted(raw.published, key=_is_of_update):  # the last ones
        published = reader.read(text)
        if published.remark:
            remarks.append(f"published: {published.remark}")
        if published.published is not None:
            break
    return published, updated


def _is_of_update(text: str) -> bool:
    return len(text) <= DateParams().max_chars and says_updated(text)


def _texts(raw: RawEntry, base: str | None, link: str | None, params: NormaliseParams) -> tuple[str, str, str]:
    """Summary, whole text and HTML of an entry."""
    summary, content = own_text(link, _plain(raw.summary)), own_text(link, _plain(raw.content))
    text = content or (summary if len(summary) > params.max_summary_chars else "")
    summary = summary or content
    if len(summary) > params.max_summary_chars:
        summary = summary[: params.max_summary_chars - 1].rstrip() + "…"
    richest = raw.content if content else raw.summary
    if richest is None:
        return summary, text, ""
    if richest.kind is TextKind.PLAIN:
        return summary, text, escaped(richest.value)
    return summary, text, sanitised(richest.value, resolve(richest.base, base) or base)


def _plain(raw: RawText | None) -> str:
    if raw is None:
        return ""
    return plain_text(escaped(raw.value) if raw.kind is TextKind.PLAIN else raw.value)
