"""Freshness, Retry-After, validators and User-Agent, each as a server may write it."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyheat.ingest.headers import (
    basic_authorization,
    fresh_for,
    http_date,
    retry_after,
    user_agent,
    validator,
    validator_bytes,
)

NOW = datetime(2026, 10, 26, 8, tzinfo=UTC)
HOUR = timedelta(hours=1)
AT_NINE = "Mon, 26 Oct 2026 09:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"cache-control": "public"}, None),
        ({"cache-control": "max-age=3600"}, HOUR),
        ({"cache-control": "MAX-AGE=3600, public"}, HOUR),
        ({"cache-control": 'private="set-cookie, max-age=5", max-age="3600"'}, HOUR),
        ({"cache-control": "max-age=5400", "age": "1800"}, HOUR),
        ({"cache-control": "max-age=60", "age": "1800"}, timedelta(0)),
        ({"cache-control": "max-age=3600", "age": "soon"}, HOUR),
        ({"cache-control": "max-age=3600", "expires": "Mon, 26 Oct 2026 20:00:00 GMT"}, HOUR),
        ({"cache-control": "max-age=3600, max-age=7200"}, HOUR),
        ({"cache-control": "max-age=never"}, None),
        ({"cache-control": "s-maxage=3600"}, None),  # speaks to shared caches
        ({"cache-control": "no-cache, max-age=3600"}, timedelta(0)),
        ({"cache-control": "no-store", "expires": AT_NINE}, timedelta(0)),
        ({"expires": AT_NINE}, HOUR),
        ({"expires": AT_NINE, "age": "600"}, HOUR - timedelta(minutes=10)),
        ({"expires": "0"}, timedelta(0)),
        ({"expires": "Mon, 26 Oct 2020 09:00:00 GMT"}, timedelta(0)),
        # The server's clock is two hours ahead; what it means is one hour.
        ({"expires": "Mon, 26 Oct 2026 11:00:00 GMT", "date": "Mon, 26 Oct 2026 10:00:00 GMT"}, HOUR),
        # A clock a month off is not believed.
        ({"expires": AT_NINE, "date": "Mon, 30 Nov 2026 10:00:00 GMT"}, HOUR),
    ],
)
def test_fresh_for(headers: dict[str, str], expected: timedelta | None) -> None:
    assert fresh_for(headers, NOW) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("7200", 2 * HOUR),
        (" 120 ", timedelta(minutes=2)),
        ("0", timedelta(0)),
        (AT_NINE, HOUR),
        ("Mon, 26 Oct 2026 07:00:00 GMT", timedelta(0)),
        ("-5", None),
        ("1e3", None),
        ("٣", None),
        ("later", None),
        ("", None),
        ("9" * 5000, timedelta(seconds=2**31 - 1)),
    ],
)
def test_retry_after(value: str, expected: timedelta | None) -> None:
    assert retry_after({"retry-after": value}, NOW) == expected


@pytest.mark.parametrize(
    "text",
    ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"],
)
def test_the_three_forms_of_a_date(text: str) -> None:
    assert http_date(text) == datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC)


@given(st.text(), st.text(), st.text(), st.text())
def test_no_header_breaks_us(cache_control: str, age: str, expires: str, date: str) -> None:
    headers = {"cache-control": cache_control, "age": age, "expires": expires, "date": date}
    span = fresh_for(headers, NOW)
    assert span is None or span >= timedelta(0)
    stay_away = retry_after({"retry-after": expires, "date": date}, NOW)
    assert stay_away is None or stay_away >= timedelta(0)


@given(st.binary(min_size=1, max_size=40).filter(lambda raw: not set(raw) & set(b"\r\n\0")))
def test_a_validator_comes_back_byte_for_byte(raw: bytes) -> None:
    assert validator_bytes(validator([(b"ETag", raw)], b"etag")) == raw


def test_validators_that_are_none() -> None:
    assert validator([(b"etag", b"")], b"etag") is None
    assert validator([(b"etag", b"x" * 5000)], b"etag") is None
    assert validator([(b"date", b"x")], b"etag") is None
    assert validator_bytes(None) is None
    assert validator_bytes('"a"\r\nHost: evil.example') is None
    assert validator_bytes("“a”") is None


@pytest.mark.parametrize(
    ("contact", "expected"),
    [
        ("", b"storyheat/1.2"),
        ("  \r\n", b"storyheat/1.2"),
        ("https://reader.example/bot", b"storyheat/1.2 (+https://reader.example/bot)"),
        ("+mail@reader.example", b"storyheat/1.2 (+mail@reader.example)"),
        ("a)\r\nX-Evil: 1 (ä", b"storyheat/1.2 (+aX-Evil: 1)"),
    ],
)
def test_user_agent(contact: str, expected: bytes) -> None:
    assert user_agent("1.2", contact) == expected


def test_basic_authorization() -> None:
    assert basic_authorization("user", "pä:ss") == b"Basic dXNlcjpww6Q6c3M="
