"""From the bytes of a reply to the entries in it: the one entry point for every format."""

from dataclasses import dataclass, replace
from datetime import datetime

from storyheat.core.addresses.urls import resolve, without_login
from storyheat.core.dates.published import DateParams, day_first_shown, is_common
from storyheat.core.dates.zones import iana_zone
from storyheat.core.feeds.network import NetworkParams
from storyheat.core.items.normalise import RawEntry, is_blank, normalise
from storyheat.core.model import FailureKind, ParsedFeed, Selectors, Url
from storyheat.core.text.markup import title_text
from storyheat.errors import DocumentError
from storyheat.ingest.charset import decode
from storyheat.ingest.feed import NotWellFormedError, RawFeed, read_feed
from storyheat.ingest.jsonfeed import NotJsonFeedError, read_json_feed
from storyheat.ingest.sniff import FAILURES, Kind, feed_start, sniff
from storyheat.ingest.xmlrepair import rebuild, tidy


@dataclass(frozen=True, slots=True)
class DocumentParams:
    """The largest document that is read. A run takes both from the settings; these are for `parse FILE`."""

    max_bytes: int = 50_000_000
    max_entries: int = NetworkParams().max_entries
    max_date_chars: int = 1_000_000  # of all unusual dates; these take up to two seconds


DEFAULT_PARAMS = DocumentParams()


def parse_document(
    body: bytes,
    *,
    url: str | None = None,
    content_type: str | None = None,
    source_timezone: str | None = None,
    selectors: Selectors | None = None,
    fetched_at: datetime | None = None,
    params: DocumentParams = DEFAULT_PARAMS,
) -> ParsedFeed:
    """Makes a feed of the bytes of a document.

    `url` is where they came from, the base of relative links; `content_type` the header as sent;
    `source_timezone` an IANA name for dates without a zone. `selectors` make entries of an HTML index page, whose
    relative dates ("3 hours ago") count back from `fetched_at`. A feed without entries is a success.
    Raises DocumentError (kind: too_large, empty, html, challenge, not_a_feed, selectors) for what is no feed.
    """
    if len(body) > params.max_bytes:
        raise DocumentError(FailureKind.TOO_LARGE, f"the document has more than {params.max_bytes:,} bytes")
    decoded = decode(body, content_type)
    kind = sniff(decoded.text)
    remarks = list(decoded.remarks)
    if kind is Kind.JSON:
        raw = _json(decoded.text, remarks, params)
    elif kind is Kind.XML_FEED:
        raw = _xml(decoded.text, url, remarks, params)
    elif selectors is not None and kind in (Kind.HTML, Kind.CHALLENGE):
        raw = _page(decoded.text, kind, url, selectors, remarks)
        return _finish(raw, url, source_timezone, remarks, params, fetched_at)
    else:
        failure, message = FAILURES[kind]
        raise DocumentError(failure, message)
    if selectors is not None:
        remarks.append('the address gives a feed, not a page: "kind: auto" reads it without selectors')
    return _finish(raw, url, source_timezone, remarks, params)


def _json(text: str, remarks: list[str], params: DocumentParams) -> RawFeed:
    try:
        raw, more = read_json_feed(text, params.max_entries + 1)
    except NotJsonFeedError as error:
        raise DocumentError(FailureKind.NOT_A_FEED, f"no JSON Feed: {error}") from error
    remarks.extend(more)
    return raw


def _xml(text: str, url: str | None, remarks: list[str], params: DocumentParams) -> RawFeed:
    start = feed_start(text)
    if text[:start].strip():
        remarks.append("text before the feed was skipped")
    tidied, repairs = tidy(text[start:])
    remarks.extend(repairs)
    base = resolve(url, None)
    try:
        return read_feed(tidied.encode(), base, params.max_entries + 1)
    except NotWellFormedError as error:
        remarks.append(f"the XML is broken and was mended ({error})")
    mended, more = rebuild(tidied, params.max_entries + 1)
    remarks.extend(more)
    try:
        return read_feed(mended.encode(), base, params.max_entries + 1)
    except NotWellFormedError as error:
        raise DocumentError(FailureKind.NOT_A_FEED, "the XML is broken beyond repair") from error


def _page(text: str, kind: Kind, url: str | None, selectors: Selectors, remarks: list[str]) -> RawFeed:
    from storyheat.ingest.page_index import NoItemsError, read_index  # loads bs4 (0.1 s), and few feeds are pages

    try:
        raw, more = read_index(text, url, selectors)
    except NoItemsError as error:
        if kind is Kind.CHALLENGE:  # many a real page carries the marks of one too
            raise DocumentError(*FAILURES[kind]) from error
        raise DocumentError(FailureKind.SELECTORS, str(error)) from error
    remarks.extend(more)
    return raw


def _finish(
    raw: RawFeed,
    url: str | None,
    source_timezone: str | None,
    remarks: list[str],
    params: DocumentParams,
    fetched_at: datetime | None = None,
) -> ParsedFeed:
    base = resolve(url, None)
    zone = iana_zone(source_timezone)
    if source_timezone and zone is None:
        remarks.append(f"unknown zone of the source: {source_timezone}")
    if len(raw.entries) > params.max_entries:
        remarks.append(f"only the first {params.max_entries:,} entries were read (network.max_entries)")
    listed = [entry for entry in raw.entries[: params.max_entries] if not is_blank(entry)]
    if len(listed) < min(len(raw.entries), params.max_entries):
        remarks.append("entries without any content were left out")
    listed = _with_dates_to_read(listed, remarks, params)
    day_first = day_first_shown(text for entry in listed for text in (*entry.published, entry.updated) if text)
    site = next((link for link in raw.links if link.rel == "alternate"), None)
    site_url = resolve(site.href, base) if site else None
    return ParsedFeed(
        format=raw.format,
        title=title_text(raw.title.value, raw.title.kind) if raw.title else None,
        site=Url(without_login(site_url)) if site_url else None,
        language=raw.language,
        entries=tuple(
            normalise(
                entry, base=base, source_zone=zone, day_first=day_first, language=raw.language, fetched_at=fetched_at
            )
            for entry in listed
        ),
        remarks=tuple(remarks),
        poll_hint=raw.poll_hint,
        skip_hours=raw.skip_hours,
        skip_days=raw.skip_days,
    )


def _with_dates_to_read(entries: list[RawEntry], remarks: list[str], params: DocumentParams) -> list[RawEntry]:
    """The entries, those without any date behind whose dates it would take too long to read them."""
    kept: list[RawEntry] = []
    longest = DateParams().max_chars
    chars = 0
    for entry in entries:
        dates = (*entry.published, entry.updated or "")
        chars += sum(min(len(date), longest) for date in dates if not is_common(date))
        kept.append(entry if chars <= params.max_date_chars else replace(entry, published=(), updated=None))
    if chars > params.max_date_chars:
        remarks.append(f"only the first {params.max_date_chars:,} characters of unusual dates were read")
    return kept
