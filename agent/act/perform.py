"""Unsafe requests: one Send goes out once, and what became of it is said."""

import asyncio
from collections.abc import Callable

from agent.messages import NotWritten, Send, Written
from agent.settings import origin_of
from agent.transport.client import Client, NoReplyError


class Performer:
    """Carries out the writes of a step, a bounded number at a time per origin.

    The step waits for the writes that ``is_awaited`` names (all, if not said) as long as the client does. For others,
    the tasks of workflows, it waits ``step_deadline_s`` of the settings: a dead device holds no step. What is late
    goes on outside the step until ``close``.
    """

    def __init__(self, client: Client, *, is_awaited: Callable[[str], bool] = lambda _: True) -> None:
        self._client = client
        self._is_awaited = is_awaited
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._late: set[asyncio.Task[Written | NotWritten]] = set()

    async def send(self, send: Send) -> Written | NotWritten:
        """Send one request and wait for its answer; never raises for the world.

        307 and 308 are followed with the same method and body; other redirects are the answer. Nothing is repeated
        here: the next step decides again.
        """
        if self._is_awaited(send.uri):
            return await self._exchange(send)
        going = asyncio.ensure_future(self._exchange(send))
        self._late.add(going)
        going.add_done_callback(self._late.discard)
        deadline_s = self._client.settings.step_deadline_s
        answered, _ = await asyncio.wait({going}, timeout=deadline_s)
        if answered:
            return going.result()
        return NotWritten(send.id, f"no answer within {deadline_s:g} s; the step does not wait longer")

    async def close(self) -> None:
        """Give up what is late, and wait until it has ended."""
        late = tuple(self._late)
        for going in late:
            going.cancel()
        await asyncio.gather(*late, return_exceptions=True)

    async def _exchange(self, send: Send) -> Written | NotWritten:
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
