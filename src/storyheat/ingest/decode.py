"""Undoes the content encoding of a reply piece by piece, so that a bomb never gets to unfold.

`zlib` is asked for bounded pieces only: a chunk of 64 KiB from the wire can hold 64 MiB, and the
usual decoders would make all of it at once before anybody could count.
"""

import zlib
from collections.abc import AsyncIterable, Iterator
from typing import Protocol

ACCEPT_ENCODING = "gzip, deflate"  # exactly what `decoder_for` undoes

_PIECE_BYTES = 65_536  # most that is unfolded before the next count

_GZIP_FIRST_BYTE = 0x1F
_GZIP_MAGIC = b"\x1f\x8b"
_ZLIB_HEADER_BYTES = 2
# How a feed or page that was never compressed begins: a tag, a brace, white space, a byte-order mark.
_PLAIN_FIRST_BYTES = frozenset(b"<{ \t\r\n\xef\xfe\xff")


class Undecodable(Exception):
    """The body is not what its Content-Encoding says, or in one that we cannot read."""


class CutShort(Exception):
    """The compressed body ended before its own end mark."""


class TooLarge(Exception):
    """The body is larger than allowed."""


async def decoded_body(chunks: AsyncIterable[bytes], content_encoding: str, max_bytes: int) -> bytes:
    """The decoded body, at most `max_bytes`; what comes and what it unfolds to are both counted.

    Raises `TooLarge`, `Undecodable`, `CutShort`, and what `chunks` raises.
    """
    decoder = decoder_for(content_encoding)
    body = bytearray()
    received = 0
    async for chunk in chunks:
        received += len(chunk)
        if received > max_bytes:  # compression never makes a text longer; this is padding without end
            raise TooLarge
        for piece in decoder.feed(chunk):
            if len(body) + len(piece) > max_bytes:
                raise TooLarge
            body += piece
    decoder.finish()
    return bytes(body)


async def decoded_start(chunks: AsyncIterable[bytes], content_encoding: str, max_bytes: int, body: bytearray) -> None:
    """Fills `body` with the beginning of the decoded body, until `max_bytes` came in or are in it.

    A body that breaks off is no matter. Raises `Undecodable`, and what `chunks` raises; `body` keeps what came.
    """
    decoder = decoder_for(content_encoding)
    received = 0
    async for chunk in chunks:
        received += len(chunk)
        for piece in decoder.feed(chunk):
            body += piece[: max_bytes - len(body)]
            if len(body) >= max_bytes:
                return
        if received >= max_bytes:
            return


class Decoder(Protocol):
    """Takes the bytes of the wire in order and gives the bytes of the document."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The decoded pieces of `data`, each at most 64 KiB if it was compressed. Raises `Undecodable`."""
        ...

    def finish(self) -> None:
        """Says that the last byte came. Raises `CutShort` where more was due."""
        ...


def decoder_for(content_encoding: str) -> Decoder:
    """The decoder for a Content-Encoding header. Raises `Undecodable` for one we never offered."""
    codings = [coding.strip().lower() for coding in content_encoding.split(",")]
    codings = [coding for coding in codings if coding not in {"", "identity"}]
    if not codings:
        return _Plain()
    if codings in (["gzip"], ["x-gzip"]):
        return _Gzip()
    if codings == ["deflate"]:
        return _Deflate()
    shown = "".join(sign for sign in ", ".join(codings)[:40] if sign.isprintable())
    raise Undecodable(f"compressed as {shown}, which was not asked for")


class _Plain:
    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data

    def finish(self) -> None:
        return None


class _Gzip:
    """One or more gzip members; also a plain text that only claims to be gzip, as some servers send."""

    def __init__(self) -> None:
        self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._started = False
        self._plain = False
        self._tail = b""  # what came after a finished member, while too short to tell

    def feed(self, data: bytes) -> Iterator[bytes]:
        if data and not self._started:
            self._started = True
            self._plain = data[0] != _GZIP_FIRST_BYTE and data[0] in _PLAIN_FIRST_BYTES
        if self._plain:
            yield data
            return
        while data:
            if self._inflater.eof:
                data = self._tail + data
                self._tail = b""
                if len(data) < len(_GZIP_MAGIC):
                    self._tail = data
                    return
                if not data.startswith(_GZIP_MAGIC):
                    return  # padding after the last member is allowed and says nothing
                self._inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
            yield from _inflated(self._inflater, data)
            data = self._inflater.unused_data

    def finish(self) -> None:
        if self._started and not self._plain and not self._inflater.eof:
            raise CutShort


class _Deflate:
    """The zlib format as the standard says, or bare deflate as many servers send."""

    def __init__(self) -> None:
        self._head = b""
        self._inflater: zlib._Decompress | None = None

    def feed(self, data: bytes) -> Iterator[bytes]:
        if self._inflater is None:
            self._head += data
            if len(self._head) < _ZLIB_HEADER_BYTES:
                return
            data = self._head
            self._inflater = zlib.decompressobj(zlib.MAX_WBITS if _is_zlib(data) else -zlib.MAX_WBITS)
        if not self._inflater.eof:
            yield from _inflated(self._inflater, data)

    def finish(self) -> None:
        if self._head and (self._inflater is None or not self._inflater.eof):
            raise CutShort


def _is_zlib(head: bytes) -> bool:
    """The two header bytes of RFC 1950: method 8, and a multiple of 31 together."""
    return head[0] & 0x0F == zlib.DEFLATED and int.from_bytes(head[:2], "big") % 31 == 0


def _inflated(inflater: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    try:
        piece = inflater.decompress(data, _PIECE_BYTES)
        while piece:
            yield piece
            # Even with nothing left to read, the window may still hold output.
            piece = b"" if inflater.eof else inflater.decompress(inflater.unconsumed_tail, _PIECE_BYTES)
    except zlib.error:
        raise Undecodable("damaged in its compression") from None
