"""One stream of server-sent events a client, about as many resources as it likes."""

import asyncio
from collections.abc import Callable

from aiohttp import web

from ldp_server.answers import READ
from ldp_server.faults import Problem
from ldp_server.feeds.events import write_changes, write_pulse, write_ready, write_resync
from ldp_server.feeds.hub import Hub, Subscription
from ldp_server.feeds.topics import read_watch
from ldp_server.handlers.site import Site

_HEADERS = {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "Allow": READ,
}


class Streams:
    """The streams of one site, each as long as the server ``knows`` who asked for it."""

    def __init__(self, site: Site, knows: Callable[[web.BaseRequest], bool]) -> None:
        self._site = site
        self._knows = knows
        self._hub = Hub(site.store.log)
        self._open: dict[Subscription, web.Request] = {}

    async def get(self, request: web.Request, query: str | None) -> web.StreamResponse:
        """Answer GET with a stream that ends when the client leaves or the server stops, other methods with headers."""
        if request.method == "OPTIONS":
            granted = self._site.origins.answer_preflight(request, {"Allow": READ})
            return web.Response(status=204, headers=granted or {"Allow": READ})
        limits = self._site.settings
        watch = read_watch(query, request.headers.get("Last-Event-ID"), self._site.base, limits.max_topics)
        self._admit(request)
        if request.method == "HEAD":
            return web.Response(headers=_HEADERS)
        subscription = self._hub.subscribe(watch.topics, watch.since)
        self._open[subscription] = request
        try:
            return await self._stream(request, subscription)
        finally:
            del self._open[subscription]
            self._hub.leave(subscription)

    async def close(self, _app: web.Application) -> None:
        """End all streams, as the server stops."""
        self._hub.close()

    def _admit(self, request: web.Request) -> None:
        if self._hub.is_closed:
            raise Problem("LDP017", "The server is about to stop.", headers={"Retry-After": "1"})
        limit = self._site.settings.max_streams
        peers = [other.remote for other in self._open.values() if _is_connected(other)]
        if peers.count(request.remote) >= limit:
            raise Problem(
                "LDP063",
                f"{limit} streams are open from this address. Watch several topics with one stream.",
                headers={"Retry-After": "5"},
            )

    async def _stream(self, request: web.Request, subscription: Subscription) -> web.StreamResponse:
        response = web.StreamResponse(headers=_HEADERS)
        try:
            await response.prepare(request)
            await self._write(response, write_ready(subscription.position))
            while not subscription.is_over and _is_connected(request):
                has_pulse = await self._wait(subscription)
                if not self._knows(request):
                    break
                await self._write_next(response, subscription, has_pulse=has_pulse)
            await response.write_eof()
        except (TimeoutError, ConnectionError):
            response.force_close()
            if request.transport is not None:
                request.transport.abort()
        return response

    async def _wait(self, subscription: Subscription) -> bool:
        """Wait for changes; tell whether it is time for a sign of life instead."""
        try:
            async with asyncio.timeout(self._site.settings.stream_pulse_s):
                await subscription.wait()
        except TimeoutError:
            return True
        return False

    async def _write_next(
        self, response: web.StreamResponse, subscription: Subscription, *, has_pulse: bool
    ) -> None:
        changes = subscription.take()
        if changes is None:
            await self._write(response, write_resync(subscription.position))
        elif changes:
            await self._write(response, write_changes(changes, self._site.base))
        elif has_pulse:
            await self._write(response, write_pulse(subscription.position))
        else:
            # A long log is looked through in pieces, and others have their turn between them.
            await asyncio.sleep(0)

    async def _write(self, response: web.StreamResponse, text: bytes) -> None:
        """Send text; who leaves the stream unread for too long loses it."""
        async with asyncio.timeout(self._site.settings.unread_timeout_s):
            await response.write(text)


def _is_connected(request: web.Request) -> bool:
    return request.transport is not None and not request.transport.is_closing()
