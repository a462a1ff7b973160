"""Non-RDF sources over HTTP: which bodies become one, how it is received, and how it is shown."""

import asyncio
from typing import BinaryIO

from aiohttp import web

from ldp_server.binaries import SHORT_NAME, Binary
from ldp_server.handlers.site import Site, is_held, joined
from ldp_server.kinds import Kind
from ldp_server.links import asks_for_rdf
from ldp_server.negotiation import is_acceptable, not_acceptable, read_media_type, refuse_content_encoding
from ldp_server.ranges import read_range
from ldp_server.receiving import receive_content
from ldp_server.storage.port import Record
from ldp_server.syntaxes import syntax_of
from ldp_server.validators import entity_tag

_PIECE = 256 * 1024
_SHOWN = frozenset({"text/plain", "text/csv", "text/markdown", "application/json"})
"""Types that browsers show without running anything in them, beside pictures, sound and films."""


def content_type_of(request: web.Request) -> str | None:
    """Return the Content-Type of a body that becomes a Non-RDF source, or None: it is RDF, or nothing that is kept.

    RDF media types make RDF sources and all others do not, unless a Link header asks for a kind; RDF that is asked
    for and not sent is refused by who reads it.
    """
    asked = asks_for_rdf(request.headers.getall("Link", []))
    text = request.headers.get("Content-Type", "").strip()
    media = read_media_type(text)
    if media is None or not (text.isascii() and text.isprintable()):
        return None
    is_rdf = syntax_of(media.name) is not None if asked is None else asked
    return None if is_rdf else text


async def read_content(request: web.Request, content_type: str, site: Site) -> Binary:
    """Return the body of a request as content of its type, in a file when it is large; it is the caller's then."""
    refuse_content_encoding(request.headers.get("Content-Encoding"))
    return await receive_content(request, content_type, site.store.contents, site.settings)


async def answer_with_content(
    request: web.Request, record: Record, binary: Binary, site: Site
) -> web.StreamResponse | None:
    """Answer GET and HEAD with content, a part of it, or 304; None if its file has just been removed."""
    accept = joined(request, "Accept")
    media = read_media_type(binary.media_type)
    if media is None or not is_acceptable(media.name, accept):
        raise not_acceptable(binary.media_type)
    tag = entity_tag(record.version, SHORT_NAME)
    headers = site.headers(record.path, Kind.BINARY) | {"Vary": "Accept", "ETag": tag}
    if is_held(request, tag):
        return web.Response(status=304, headers=headers)
    headers |= _content_headers(binary.media_type, media.name)
    part = _range_of(request, binary, tag)
    first, last = part or (0, binary.size - 1)
    headers["Content-Length"] = str(last - first + 1)
    if part is not None:
        headers["Content-Range"] = f"bytes {first}-{last}/{binary.size}"
    status = 200 if part is None else 206
    if not binary.file:
        return web.Response(status=status, headers=headers, body=binary.content[first : last + 1])
    try:
        file = site.store.contents.open(binary.file)
    except FileNotFoundError:
        return None
    with file:
        return await _send(request, web.StreamResponse(status=status, headers=headers), file, first, site)


def _range_of(request: web.Request, binary: Binary, tag: str) -> tuple[int, int] | None:
    is_for_this = request.headers.get("If-Range", tag).strip() == tag
    if request.method != "GET" or not is_for_this:
        return None
    return read_range(joined(request, "Range"), binary.size)


def _content_headers(content_type: str, name: str) -> dict[str, str]:
    """Return the headers that keep content of others from acting as a page of this server in a browser."""
    headers = {"Content-Type": content_type, "Content-Security-Policy": "sandbox", "Accept-Ranges": "bytes"}
    is_shown = name in _SHOWN or (
        name.partition("/")[0] in {"image", "audio", "video"} and not name.endswith("+xml")
    )
    return headers if is_shown else headers | {"Content-Disposition": "attachment"}


async def _send(
    request: web.Request, answer: web.StreamResponse, file: BinaryIO, first: int, site: Site
) -> web.StreamResponse:
    """Send a part of a file piece by piece; a client that does not read is given up, and told by a broken answer."""
    left = int(answer.headers["Content-Length"])
    file.seek(first)
    await answer.prepare(request)
    try:
        while left and request.method == "GET":
            piece = await asyncio.to_thread(file.read, min(left, _PIECE))
            left -= len(piece)
            if not piece:
                raise ConnectionError("the file of a content is shorter than it was")  # noqa: TRY301 ends as if the client had gone
            async with asyncio.timeout(site.settings.unread_timeout_s):
                await answer.write(piece)
        await answer.write_eof()
    except (ConnectionError, TimeoutError):
        answer.force_close()
        if request.transport is not None:
            request.transport.abort()
    return answer
