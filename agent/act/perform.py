"""Unsafe requests: one Send goes out once, and what became of it is said."""

import asyncio

from agent.messages import NotWritten, Send, Written
from agent.settings import origin_of
from agent.transport.client import Client, NoReplyError


class Performer:
    """Carries out the writes of a step, a bounded number at a time per origin."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._slots: dict[str, asyncio.Semaphore] = {}

    async def send(self, send: Send) -> Written | NotWritten:
        """Send one request and wait for its answer, at most the time-out of the client; never raises for the world.

        307 and 308 are followed with the same method and body; other redirects are the answer. Nothing is repeated
        here: the next step decides again.
        """
        async with self._slot(send.uri):
            try:
                reply = await self._client.request(send.method, send.uri, send.headers, send.body)
            except NoReplyError as error:
                return NotWritten(send.id, error.reason)
        return Written(send.id, reply.status, reply.location(), reply.headers.get("etag", ""))

    def _slot(self, uri: str) -> asyncio.Semaphore:
        try:
            origin = origin_of(uri)
        except ValueError:
            origin = ""
        slot = self._slots.get(origin)
        if slot is None:
            slot = self._slots[origin] = asyncio.Semaphore(self._client.settings.requests_per_host)
        return slot
