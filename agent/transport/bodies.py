"""Bodies of answers: received piece by piece, unpacked piece by piece, never beyond a number of bytes."""

import zlib
from collections.abc import Mapping
from typing import Protocol

import aiohttp

_PIECE = 65_536


class BodyError(Exception):
    """A body that is too large, packed in an unknown way, or that broke off; the text is for people."""


class Received(Protocol):
    """An answer of which the head has come."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The header fields, whatever the case of their names."""
        ...

    @property
    def content(self) -> aiohttp.StreamReader:
        """The body as it comes."""
        ...

    def close(self) -> None:
        """Receive no more."""
        ...


def short_body(response: Received, max_bytes: int) -> bytes | None:
    """Return the body of ``response`` if it came together with the head, is not packed and not too large."""
    content = response.content
    if content.is_eof() and content.total_bytes <= max_bytes and "Content-Encoding" not in response.headers:
        return content.read_nowait()
    return None


async def read_body(response: Received, max_bytes: int) -> bytes:
    """Return the body of ``response``, unpacked; BodyError beyond ``max_bytes``, before more is unpacked.

    A body that ends early raises aiohttp's ClientPayloadError, or BodyError if it was packed.
    """
    coding = response.headers.get("Content-Encoding", "").strip().lower()
    unpacked = bytearray()
    inflate = None if coding in ("", "identity") else _Inflater(coding)
    async for piece in response.content.iter_chunked(_PIECE):
        room = max_bytes - len(unpacked)
        unpacked += piece if inflate is None else inflate.feed(piece, room + 1)
        if len(unpacked) > max_bytes:
            response.close()
            raise BodyError(f"larger than {_size(max_bytes)}")
    if inflate is not None and unpacked and not inflate.is_complete:
        raise BodyError("the answer broke off")
    return bytes(unpacked)


class _Inflater:
    """Unpacks gzip and deflate, at most as much as asked for."""

    def __init__(self, coding: str) -> None:
        if coding not in ("gzip", "x-gzip", "deflate"):
            raise BodyError(f"packed as {coding[:40]}, which was not asked for")
        self._zlib = zlib.decompressobj(zlib.MAX_WBITS | 32) if coding != "deflate" else None
        self.is_complete = False

    def feed(self, piece: bytes, most: int) -> bytes:
        """Return what ``piece`` unpacks to, cut after ``most`` bytes; BodyError if it does not."""
        if self._zlib is None:
            # Deflate means zlib by RFC 9110, section 8.4.1.2; some servers send the bare stream, which has another
            # first byte.
            is_wrapped = piece[0] & 0x0F == 8
            self._zlib = zlib.decompressobj(zlib.MAX_WBITS if is_wrapped else -zlib.MAX_WBITS)
        try:
            unpacked = self._zlib.decompress(piece, most)
        except zlib.error as error:
            raise BodyError(f"the answer cannot be unpacked: {error}") from None
        self.is_complete = self._zlib.eof
        return unpacked


def _size(count: int) -> str:
    return f"{count // (1024 * 1024)} MiB" if count % (1024 * 1024) == 0 else f"{count} bytes"
