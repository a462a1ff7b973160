"""Receiving content of any kind: in memory while it is small, else in a file, within its limits."""

import asyncio
import logging

from aiohttp import web

from ldp_server.binaries import Binary
from ldp_server.faults import Problem
from ldp_server.reading import Pieces
from ldp_server.settings import Settings
from ldp_server.storage.contents import ContentFolder, Incoming

LOG = logging.getLogger(__name__)
_PIECE = 256 * 1024


async def receive_content(
    request: web.BaseRequest, content_type: str, contents: ContentFolder, settings: Settings
) -> Binary:
    """Return the whole body as content, or raise LDP006 (too large), LDP019 (too slow), LDP004 (broken off), LDP021.

    What is larger than ``max_inline`` is in a file of ``contents`` when this returns. A body that does not come
    whole leaves no file.
    """
    pieces = Pieces(request, settings, settings.max_content)
    waiting = bytearray()
    while len(waiting) <= settings.max_inline:
        piece = await pieces.next()
        if not piece:
            return Binary(content_type, len(waiting), bytes(waiting))
        waiting += piece
    try:
        incoming = contents.create()
        try:
            await _fill(incoming, waiting, pieces)
        except BaseException:
            incoming.abandon()
            raise
    except OSError as error:
        LOG.critical("the folder of contents takes no file: %s", error)
        detail = "The content could not be stored; nothing of it is kept. The server's log says why."
        raise Problem("LDP021", detail, ends_connection=True) from None
    return Binary(content_type, pieces.size, file=incoming.name)


async def _fill(incoming: Incoming, waiting: bytearray, pieces: Pieces) -> None:
    while piece := await pieces.next():
        waiting += piece
        if len(waiting) >= _PIECE:
            await asyncio.to_thread(incoming.write, bytes(waiting))
            waiting.clear()
    incoming.write(bytes(waiting))
    await asyncio.to_thread(incoming.finish)
