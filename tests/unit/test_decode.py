"""Content encodings: what is undone, what is refused, and that nothing unfolds unseen."""

import asyncio
import gzip
import tracemalloc
import zlib
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from storyheat.ingest.decode import CutShort, TooLarge, Undecodable, decoded_body, decoded_start, decoder_for

TEXT = b"<rss>" + b"words " * 5_000 + b"</rss>"
GZIPPED = gzip.compress(TEXT, mtime=0)


def decoded(data: bytes, encoding: str, max_bytes: int = 1_000_000, chunk: int = 65_536) -> bytes:
    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(data), chunk):
            yield data[start : start + chunk]

    return asyncio.run(decoded_body(chunks(), encoding, max_bytes))


def started(data: bytes, encoding: str, max_bytes: int, chunk: int = 1_000) -> bytes:
    async def chunks() -> AsyncIterator[bytes]:
        for start in range(0, len(data), chunk):
            yield data[start : start + chunk]

    body = bytearray()
    asyncio.run(decoded_start(chunks(), encoding, max_bytes, body))
    return bytes(body)


@pytest.mark.parametrize(
    ("data", "encoding", "max_bytes", "expected"),
    [
        (TEXT, "", 100_000, TEXT),
        (TEXT, "", 100, TEXT[:100]),
        (GZIPPED, "gzip", 100_000, TEXT),
        (GZIPPED, "gzip", 100, TEXT[:100]),
        (GZIPPED[:-20], "gzip", 100_000, TEXT),  # cut short, but all of the text was there
        (GZIPPED + bytes(100_000), "gzip", 50_000, TEXT),  # padding without end
    ],
)
def test_the_beginning_of_a_body(data: bytes, encoding: str, max_bytes: int, expected: bytes) -> None:
    assert expected.startswith(started(data, encoding, max_bytes))
    assert len(started(data, encoding, max_bytes)) >= min(len(expected), 100) - 20


def bare_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


@pytest.mark.parametrize("chunk", [1, 7, 65_536])
@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT, ""),
        (TEXT, "identity"),
        (GZIPPED, "gzip"),
        (GZIPPED, "X-GZip"),
        (GZIPPED, "identity, gzip"),
        (gzip.compress(TEXT[:9], mtime=0) + gzip.compress(TEXT[9:], mtime=0), "gzip"),  # two members
        (GZIPPED + b"\0\0\0", "gzip"),  # padded
        (GZIPPED + b"\x1f", "gzip"),
        (TEXT, "gzip"),  # says so, is not
        (zlib.compress(TEXT), "deflate"),
        (zlib.compress(TEXT) + b"more", "deflate"),
        (bare_deflate(TEXT), "deflate"),
    ],
)
def test_decoded(data: bytes, encoding: str, chunk: int) -> None:
    assert decoded(data, encoding, chunk=chunk) == TEXT


@pytest.mark.parametrize("encoding", ["", "gzip", "deflate"])
def test_nothing_is_nothing(encoding: str) -> None:
    assert decoded(b"", encoding) == b""


@pytest.mark.parametrize("encoding", ["br", "zstd", "compress", "gzip, gzip", "gzip, br", "aes128gcm\x1b[2J"])
def test_what_was_not_offered_is_refused(encoding: str) -> None:
    with pytest.raises(Undecodable) as refused:
        decoder_for(encoding)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"(\xb5/\xfd\x04\x00garbage", "gzip"),
        (GZIPPED[:-8] + bytes(8), "gzip"),  # wrong check sum
        (TEXT, "deflate"),
        (zlib.compress(TEXT)[:-4] + b"\0\0\0\0", "deflate"),  # wrong check sum
    ],
)
def test_damage_is_told(data: bytes, encoding: str) -> None:
    with pytest.raises(Undecodable):
        decoded(data, encoding)


@pytest.mark.parametrize(
    ("data", "encoding"),
    [(GZIPPED, "gzip"), (zlib.compress(TEXT), "deflate"), (b"\x78", "deflate")],
)
def test_a_missing_end_is_told(data: bytes, encoding: str) -> None:
    with pytest.raises(CutShort):
        decoded(data[: max(1, len(data) - 9)], encoding)


def test_the_cap_is_exact() -> None:
    assert decoded(GZIPPED, "gzip", max_bytes=len(TEXT)) == TEXT
    with pytest.raises(TooLarge):
        decoded(GZIPPED, "gzip", max_bytes=len(TEXT) - 1)
    with pytest.raises(TooLarge):
        decoded(TEXT, "", max_bytes=len(TEXT) - 1)


def test_padding_without_end_is_too_large() -> None:
    with pytest.raises(TooLarge):
        decoded(gzip.compress(b"<rss/>") + bytes(20_000), "gzip", max_bytes=10_000)


def test_a_bomb_does_not_unfold() -> None:
    bomb = gzip.compress(bytes(100_000_000))  # 97 kB
    tracemalloc.start()
    with pytest.raises(TooLarge):
        decoded(bomb, "gzip", max_bytes=1_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3_000_000


@settings(deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["", "gzip", "deflate"]))
def test_no_body_breaks_us(data: bytes, encoding: str) -> None:
    with suppress(Undecodable, CutShort):
        decoded(data, encoding, chunk=16)
