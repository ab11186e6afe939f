"""From the bytes of a reply to the entries in it: the one entry point for every format."""

from contextlib import suppress
from dataclasses import dataclass

from storyheat.core.dates import slash_order
from storyheat.core.markup import title_text
from storyheat.core.model import FailureKind, ParsedFeed, Url
from storyheat.core.normalise import is_blank, normalise
from storyheat.core.urls import resolve
from storyheat.core.zones import iana_zone
from storyheat.errors import DocumentError
from storyheat.ingest.charset import decode
from storyheat.ingest.feed import NotWellFormedError, RawFeed, read_feed
from storyheat.ingest.jsonfeed import NotJsonFeedError, read_json_feed
from storyheat.ingest.sniff import FAILURES, Kind, feed_start, sniff
from storyheat.ingest.xmlrepair import rebuild, tidy


@dataclass(frozen=True, slots=True)
class DocumentParams:
    """The largest document that is read."""

    max_bytes: int = 50_000_000  # the fetcher's own cap is lower; this one guards `parse FILE`
    max_entries: int = 50_000  # the largest archive met as one feed had 30,000


DEFAULT_PARAMS = DocumentParams()


def parse_document(
    body: bytes,
    *,
    url: str | None = None,
    content_type: str | None = None,
    source_timezone: str | None = None,
    params: DocumentParams = DEFAULT_PARAMS,
) -> ParsedFeed:
    """Makes a feed of the bytes of a document.

    `url` is where they came from, the base of relative links; `content_type` the header as sent;
    `source_timezone` an IANA name for dates without a zone. A feed without entries is a success.
    Raises DocumentError (kind: too_large, empty, html, challenge, not_a_feed) for what is no feed.
    """
    if len(body) > params.max_bytes:
        raise DocumentError(FailureKind.TOO_LARGE, f"the document has more than {params.max_bytes:,} bytes")
    decoded = decode(body, content_type)
    kind = sniff(decoded.text)
    remarks = list(decoded.remarks)
    if kind is Kind.JSON:
        raw = _json(decoded.text)
    elif kind is Kind.XML_FEED:
        raw = _xml(decoded.text, url, remarks)
    else:
        failure, message = FAILURES[kind]
        raise DocumentError(failure, message)
    return _finish(raw, url, source_timezone, remarks, params)


def _json(text: str) -> RawFeed:
    try:
        return read_json_feed(text)
    except NotJsonFeedError as error:
        raise DocumentError(FailureKind.NOT_A_FEED, f"no JSON Feed: {error}") from error


def _xml(text: str, url: str | None, remarks: list[str]) -> RawFeed:
    start = feed_start(text)
    if text[:start].strip():
        remarks.append("text before the feed was skipped")
    tidied, repairs = tidy(text[start:])
    remarks.extend(repairs)
    base = resolve(url, None)
    try:
        return read_feed(tidied.encode(), base)
    except NotWellFormedError as error:
        remarks.append(f"the XML is broken and was mended ({error})")
    rebuilt = rebuild(tidied)
    if rebuilt is not None:
        mended, more = rebuilt
        remarks.extend(more)
        with suppress(NotWellFormedError):
            return read_feed(mended.encode(), base)
    raise DocumentError(FailureKind.NOT_A_FEED, "the XML is broken beyond repair")


def _finish(
    raw: RawFeed, url: str | None, source_timezone: str | None, remarks: list[str], params: DocumentParams
) -> ParsedFeed:
    base = resolve(url, None)
    zone = iana_zone(source_timezone)
    if source_timezone and zone is None:
        remarks.append(f"unknown zone of the source: {source_timezone}")
    if len(raw.entries) > params.max_entries:
        remarks.append(f"only the first {params.max_entries:,} of {len(raw.entries):,} entries were read")
    listed = [entry for entry in raw.entries[: params.max_entries] if not is_blank(entry)]
    if len(listed) < min(len(raw.entries), params.max_entries):
        remarks.append("entries without any content were left out")
    day_first = slash_order([text for entry in listed for text in (*entry.published, entry.updated) if text])
    site = next((link for link in raw.links if link.rel == "alternate"), None)
    site_url = resolve(site.href, base) if site else None
    return ParsedFeed(
        format=raw.format,
        title=title_text(raw.title.value, raw.title.kind) if raw.title else None,
        site=Url(site_url) if site_url else None,
        language=raw.language,
        entries=tuple(normalise(entry, base=base, source_zone=zone, day_first=day_first) for entry in listed),
        remarks=tuple(remarks),
        poll_hint=raw.poll_hint,
        skip_hours=raw.skip_hours,
        skip_days=raw.skip_days,
    )
