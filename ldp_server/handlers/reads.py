"""GET, HEAD and OPTIONS."""

import asyncio

from aiohttp import web

from ldp_server.caching import ByteCache
from ldp_server.handlers.site import OFF_LOOP, Site, joined
from ldp_server.negotiation import choose_syntax
from ldp_server.paths import is_container
from ldp_server.refusals import problem_of
from ldp_server.representations import write_document, write_listing
from ldp_server.services import Page
from ldp_server.storage.port import Reason, Record, Refusal
from ldp_server.syntaxes import Syntax
from ldp_server.validators import Precondition, entity_tag, read_tags


class Reads:
    """The safe methods on the resources of a site."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._served: ByteCache[tuple[str, str], tuple[str, bytes]] = ByteCache(site.settings.cached_bytes)

    async def get(self, request: web.Request, path: str) -> web.Response:
        """Answer GET and HEAD with the resource in the syntax the client likes best, or 304."""
        state = await self._site.page(path) or await self._site.store.read(path)
        if state is None:
            raise await self._site.missing(path)
        if not Precondition(match=read_tags(joined(request, "If-Match"))).holds(state.version):
            raise problem_of(Refusal(Reason.PRECONDITION, path), self._site.base)
        syntax = choose_syntax(joined(request, "Accept"))
        headers = self._site.headers(path) | {"Vary": "Accept"}
        held = read_tags(joined(request, "If-None-Match"))
        tag = entity_tag(state.version, syntax.short)
        if held is not None and held.names_tag(tag):
            return web.Response(status=304, headers=headers | {"ETag": tag})
        if isinstance(state, Page):
            body = await _write_document(state.text, syntax)
        else:
            tag, body = await self._representation(state, syntax)
        return web.Response(body=body, headers=headers | {"ETag": tag, "Content-Type": syntax.media_type})

    async def options(self, _request: web.Request, path: str) -> web.Response:
        """Answer OPTIONS with the headers of the resource alone."""
        if not await self._site.exists(path):
            raise await self._site.missing(path)
        return web.Response(status=204, headers=self._site.headers(path))

    async def _representation(self, record: Record, syntax: Syntax) -> tuple[str, bytes]:
        """Return the tag and the bytes of a state, of one moment; a listing may be newer than ``record``."""
        tag = entity_tag(record.version, syntax.short)
        key = (record.path, syntax.short)
        if key in self._served and self._served[key][0] == tag:
            return self._served[key]
        if is_container(record.path):
            found = await self._site.store.read_listing(record.path)
            if found is None:
                raise await self._site.missing(record.path)
            record, members = found
            base = self._site.base
            body = await _write_listing(base + record.path, record, [base + name for name in members], syntax)
            tag = entity_tag(record.version, syntax.short)
        else:
            body = await _write_document(record.text, syntax)
        self._served.keep(key, (tag, body), len(record.path) + len(body) + 500)
        return tag, body


async def _write_listing(uri: str, record: Record, members: list[str], syntax: Syntax) -> bytes:
    if len(record.text) + 64 * len(members) < OFF_LOOP:
        return write_listing(uri, record.text, members, syntax)
    return await asyncio.to_thread(write_listing, uri, record.text, members, syntax)


async def _write_document(text: bytes, syntax: Syntax) -> bytes:
    if len(text) < OFF_LOOP:
        return write_document(text, syntax)
    return await asyncio.to_thread(write_document, text, syntax)
