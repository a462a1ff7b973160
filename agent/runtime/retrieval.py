"""Programs and facts that are named by URL: one GET each, before anything else."""

import asyncio
from collections.abc import Callable

from agent.errors import WorldError
from agent.runtime.advice import UNREACHED, advice_on
from agent.runtime.inputs import Retrieved
from agent.settings import Settings
from agent.transport.client import Client, NoReplyError


def retriever(settings: Settings) -> Callable[[str], Retrieved]:
    """Return a function that fetches a URL which the user named; it runs an event loop of its own."""

    def retrieve(uri: str) -> Retrieved:
        return asyncio.run(_get(uri, settings))

    return retrieve


async def _get(uri: str, settings: Settings) -> Retrieved:
    async with Client(settings) as client:
        client.policy.name(uri)
        try:
            reply = await client.get(uri)
        except NoReplyError as error:
            raise WorldError("NET001", f"{uri} cannot be read: {error.reason}", hint=UNREACHED) from None
    if reply.status != 200:
        message = f"{uri} cannot be read: the server answered {reply.status}"
        raise WorldError("NET002", message, hint=advice_on(reply.status))
    media_type = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    return Retrieved(reply.uri, media_type, reply.body)
