"""The server and its schedulers as one application."""

import asyncio
import time
from collections.abc import AsyncIterator

from aiohttp import web

import ldp_server
from agent.serve.observing import Observer
from agent.serve.schedulers import Schedulers
from agent.serve.sending import Sender
from agent.settings import Settings
from ldp_server import Store


def create_app(
    store: Store,
    *,
    base_url: str,
    settings: ldp_server.Settings | None = None,
    schedulers: Schedulers | None = None,
    tokens: ldp_server.Tokens | None = None,
) -> web.Application:
    """Return the server of ``store`` with schedulers, which work in real time as long as the application runs.

    ``schedulers`` given by the caller are served, and opened and driven by the caller. Raises ServerError as
    ``ldp_server.create_app`` does.
    """
    if schedulers is not None:
        return ldp_server.create_app(
            store, base_url=base_url, settings=settings, services=[schedulers], tokens=tokens
        )
    sender, observer = Sender(Settings()), Observer(store, base_url.rstrip("/"))
    working = Schedulers(store, base_url, now=time.time, send=sender, observe=observer)
    app = ldp_server.create_app(
        store, base_url=base_url, settings=settings, services=[working], tokens=tokens
    )

    async def work(_app: web.Application) -> AsyncIterator[None]:
        stop = asyncio.Event()
        await working.open()
        run = asyncio.create_task(working.run(stop))
        yield
        stop.set()
        await run
        await sender.close()
        await observer.close()

    app.cleanup_ctx.append(work)
    return app
