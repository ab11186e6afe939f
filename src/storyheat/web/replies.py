"""Replies to whoever may have the same content already: 304 with nothing where that is so."""

from collections import OrderedDict
from collections.abc import Mapping
from datetime import datetime
from email.utils import format_datetime, parsedate_to_datetime
from threading import Lock

from starlette.requests import Request
from starlette.responses import Response

from storyheat.web.cache import Made

MOST_ADDRESSES = 1_000  # whose last change is remembered


def reply(
    request: Request,
    made: Made,
    media_type: str = "text/html",
    since: datetime | None = None,
    more: Mapping[str, str] | None = None,
) -> Response:
    """The content, or word that the copy of whoever asks is still good.

    `since`: when the address got this content; `more`: further headers.
    """
    headers = {"ETag": made.etag, "Cache-Control": "no-cache", **made.headers, **(more or {})}
    if since is not None:
        headers["Last-Modified"] = format_datetime(since, usegmt=True)
    if _is_known(request, made.etag, since):
        return Response(status_code=304, headers=headers)
    return Response(made.body, headers=headers, media_type=media_type)


def _is_known(request: Request, etag: str, since: datetime | None) -> bool:
    """By RFC 9110, 13.2.2: whoever names the content is not asked for its date."""
    if (named := request.headers.get("if-none-match")) is not None:
        tags = [tag.strip().removeprefix("W/") for tag in named.split(",")]
        return etag in tags or "*" in tags
    try:
        had = parsedate_to_datetime(request.headers.get("if-modified-since", ""))
        return since is not None and since <= had
    except (ValueError, TypeError):  # no date; or one without a zone
        return False


class Changes:
    """Since when each address has the content that it has, as far as this server has seen.

    Before it was started, something else may have stood there: what is asked for the first time is new.
    """

    def __init__(self, most: int = MOST_ADDRESSES) -> None:
        self._most = most
        self._seen: OrderedDict[str, tuple[str, datetime]] = OrderedDict()
        self._lock = Lock()

    def since(self, address: str, etag: str, now: datetime) -> datetime:
        """When this content was first seen there; `now`, where it was not there the last time."""
        with self._lock:
            known = self._seen.pop(address, None)
            at = known[1] if known is not None and known[0] == etag else now
            self._seen[address] = (etag, at)
            if len(self._seen) > self._most:
                self._seen.popitem(last=False)
            return at
