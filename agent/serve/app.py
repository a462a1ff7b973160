"""The server and its schedulers as one application."""

import asyncio
import time
from collections.abc import AsyncIterator

from aiohttp import web
from msgspec import Struct

import ldp_server
from agent.serve.observing import Observer
from agent.serve.schedulers import Schedulers
from agent.serve.sending import Sender
from agent.settings import Settings, origin_of
from ldp_server import Keyring, Store

_OWN_NAME = "schedulers"


class _WithOwn(Struct, frozen=True):
    """The tokens of others, and the one that the schedulers of this process use for its own server (ADR 0135)."""

    others: Keyring
    own: Keyring

    def holder(self, token: str) -> str | None:
        """Return who holds a token, or None."""
        return self.others.holder(token) or self.own.holder(token)


def create_app(
    store: Store,
    *,
    base_url: str,
    settings: ldp_server.Settings | None = None,
    schedulers: Schedulers | None = None,
    tokens: Keyring | None = None,
) -> web.Application:
    """Return the server of ``store`` with schedulers, which work in real time as long as the application runs.

    ``schedulers`` given by the caller are served, and opened and driven by the caller. With ``tokens`` the others send
    to this server with a token that is made here and that nobody else knows. Raises ServerError as
    ``ldp_server.create_app`` does.
    """
    if schedulers is not None:
        return ldp_server.create_app(
            store, base_url=base_url, settings=settings, services=[schedulers], tokens=tokens
        )
    sending, tokens = _admitted(base_url, tokens)
    sender, observer = Sender(sending), Observer(store, base_url.rstrip("/"))
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


def _admitted(base_url: str, tokens: Keyring | None) -> tuple[Settings, Keyring | None]:
    """Return settings to send to the server at ``base_url`` with, and the tokens of this server with the one in these."""
    if tokens is None:
        return Settings(), None
    token, own = ldp_server.new_token(_OWN_NAME)
    credentials = {origin_of(base_url): {"Authorization": f"Bearer {token}"}}
    return Settings(credentials=credentials), _WithOwn(tokens, own)
