"""Requests on their way to a service, and what their ends mean."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Literal, TypeAlias

from msgspec import Struct

from agent.messages import Headers
from agent.settings import Settings
from agent.transport.client import Client, NoReplyError, Reply

SHORTEST_PATIENCE_S = 60.0
PATIENCE_FACTOR = 20.0
"""A request has 20 response times, at least a minute, before its answer counts as lost."""
SHORTEST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 60.0

Verdict: TypeAlias = Literal["Done", "Failed", "Again", "Uncertain"]


class Outgoing(Struct, frozen=True):
    """A request to ``uri``, which is ``service`` or below it; its answer counts as lost after ``patience_s`` seconds."""

    service: str
    method: str
    uri: str
    headers: Headers
    body: bytes | None
    patience_s: float


Send: TypeAlias = Callable[[Outgoing], Awaitable[Reply]]
"""Sends a request and returns the answer; NoReplyError if none came."""


class Sender:
    """Sends over HTTP, to the named service and nowhere else: redirects are answers. Close it after use."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._clients: dict[tuple[str, float], Client] = {}
        self._open = AsyncExitStack()
        self._opening = asyncio.Lock()

    async def __call__(self, outgoing: Outgoing) -> Reply:
        """Send ``outgoing``; see ``Send``."""
        client = await self._client(outgoing.service, outgoing.patience_s)
        return await client.request(outgoing.method, outgoing.uri, outgoing.headers, outgoing.body)

    async def close(self) -> None:
        """Close all connections."""
        await self._open.aclose()

    async def _client(self, service: str, patience_s: float) -> Client:
        async with self._opening:
            client = self._clients.get((service, patience_s))
            if client is None:
                settings = replace(self._settings, request_timeout_s=patience_s, max_redirects=0)
                client = await self._open.enter_async_context(Client(settings))
                client.policy.name(service)
                self._clients[service, patience_s] = client
        return client


def patience_s(response_time_s: float) -> float:
    """Return how long the answer to a request is waited for."""
    return max(SHORTEST_PATIENCE_S, PATIENCE_FACTOR * response_time_s)


def pause_s(tries: int) -> float:
    """Return how long a request rests before it is sent again after ``tries`` tries."""
    return min(LONGEST_PAUSE_S, SHORTEST_PAUSE_S * 2.0 ** min(tries - 1, 16))


def may_repeat(method: str, *, honours_key: bool) -> bool:
    """Tell whether sending a request twice does no more than sending it once (RFC 9110, section 9.2.2)."""
    return honours_key or method in {"PUT", "DELETE"}


def judge(end: Reply | NoReplyError, *, is_repeatable: bool) -> Verdict:
    """Return what becomes of a request that ended so.

    What never left is sent again whatever it is. What may have been carried out is sent again only if repeating does no
    harm; otherwise a 5xx has failed, and a lost answer is uncertain.
    """
    if isinstance(end, NoReplyError):
        return "Again" if is_repeatable or not end.was_sent else "Uncertain"
    if end.status < 400 and end.status not in {307, 308}:
        return "Done"
    return "Again" if end.status >= 500 and is_repeatable else "Failed"
