"""Reads and writes single headers: freshness, Retry-After, validators, who we are.

Pure: every date is measured against a `now` that the caller gives.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

# Largest delta-seconds a cache has to understand (RFC 9111, 1.2.2); it keeps timedelta from overflowing.
_MOST_SECONDS = 2**31 - 1

# A server's Date this far from our clock says that one of the two is wrong: then Date is not used.
_BELIEVABLE_SKEW = timedelta(days=1)

# A validator is stored and sent back; servers take 8 KiB of headers in all, honest ones use 100 bytes.
_MOST_VALIDATOR_BYTES = 2_048

# One Cache-Control directive: a name, then perhaps a token or a quoted text (which may hold commas).
_DIRECTIVE = re.compile(r'([^\s,;="]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,;"]*)))?')


def fresh_for(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """How long the reply stays fresh, counted from `now`; None: the headers do not say.

    `headers` has lower-case names. `max-age` minus `Age` wins over `Expires`; `no-cache` and
    `no-store` mean zero. Never negative.
    """
    directives = _directives(headers.get("cache-control", ""))
    if "no-cache" in directives or "no-store" in directives:
        return timedelta(0)
    age = _seconds(headers.get("age", "")) or 0
    max_age = _seconds(directives.get("max-age", ""))
    if max_age is not None:
        return timedelta(seconds=max(0, max_age - age))
    expires = headers.get("expires")
    if expires is None:
        return None
    moment = http_date(expires)
    if moment is None:  # "0" and "-1" are common and mean: stale already (RFC 9111, 5.3)
        return timedelta(0)
    return _not_negative(moment - _servers_now(headers, now) - timedelta(seconds=age))


def retry_after(headers: Mapping[str, str], now: datetime) -> timedelta | None:
    """How long the server asks us to stay away, from seconds or a date; None: it does not say."""
    value = headers.get("retry-after", "").strip()
    seconds = _seconds(value)
    if seconds is not None:
        return timedelta(seconds=seconds)
    moment = http_date(value)
    return None if moment is None else _not_negative(moment - _servers_now(headers, now))


def http_date(text: str) -> datetime | None:
    """An HTTP date in any of its three forms as an aware UTC instant, or None."""
    try:
        moment = parsedate_to_datetime(text.strip())
        # A date without a zone is GMT by definition of the header (RFC 9110, 5.6.7).
        aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
        return aware.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def validator(raw_headers: Iterable[tuple[bytes, bytes]], name: bytes) -> str | None:
    """A validator byte for byte, one character a byte; None if absent, empty or of absurd size."""
    value = next((value for key, value in raw_headers if key.lower() == name), b"")
    return value.decode("latin-1") if 0 < len(value) <= _MOST_VALIDATOR_BYTES else None


def validator_bytes(stored: str | None) -> bytes | None:
    """A stored validator as the bytes it came in; None if there is none, or it can be none of ours."""
    if not stored or any(ord(sign) > 0xFF or sign in "\r\n\0" for sign in stored):
        return None
    return stored.encode("latin-1")


def user_agent(version: str, contact: str) -> bytes:
    """`storyheat/<version> (+<contact>)`; of the contact only printable ASCII without brackets is used."""
    cleaned = "".join(sign for sign in contact if " " <= sign <= "~" and sign not in "()").strip().lstrip("+")
    return f"storyheat/{version} (+{cleaned})".encode() if cleaned else f"storyheat/{version}".encode()


def basic_authorization(user: str, password: str) -> bytes:
    """The Authorization header for Basic credentials (RFC 7617, as UTF-8)."""
    return b"Basic " + b64encode(f"{user}:{password}".encode())


def _servers_now(headers: Mapping[str, str], now: datetime) -> datetime:
    """The server's own clock where it is believable: its other dates are relative to it."""
    date = http_date(headers.get("date", ""))
    return date if date is not None and abs(date - now) <= _BELIEVABLE_SKEW else now


def _directives(cache_control: str) -> dict[str, str]:
    """Name → argument ("" if none); of a directive given twice the first counts (RFC 9111, 4.2.1)."""
    found: dict[str, str] = {}
    for match in _DIRECTIVE.finditer(cache_control):
        found.setdefault(match[1].lower(), match[2] or match[3] or "")
    return found


def _seconds(text: str) -> int | None:
    """A whole, non-negative number of seconds (ASCII digits only), capped, or None."""
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()):
        return None
    significant = digits.lstrip("0")
    return _MOST_SECONDS if len(significant) > len(str(_MOST_SECONDS)) else min(int(digits), _MOST_SECONDS)


def _not_negative(span: timedelta) -> timedelta:
    return max(timedelta(0), timedelta(seconds=int(span.total_seconds())))
