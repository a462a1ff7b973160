"""A Linked Data Platform server: RDF sources and basic containers over HTTP, in memory or in SQLite.

    store = open_sqlite_store(Path("data"))
    async with serve(store, port=0) as server:
        print(server.base_url)

It can also be part of another aiohttp program: ``create_app(store, base_url=...)``; ``services=`` are resources that do
something (see ``ldp_server.services``).
"""

from ldp_server.app import create_app
from ldp_server.faults import Problem, ServerError
from ldp_server.preferences import Preferences
from ldp_server.services import Done, Page, Service, Writing
from ldp_server.serving import RunningServer, listen, serve
from ldp_server.settings import Settings
from ldp_server.storage import MemoryStore, SqliteStore, Store, open_sqlite_store
from ldp_server.tokens import Keyring, TokenFile, Tokens, add_token, new_token, read_tokens

__all__ = [
    "Done",
    "Keyring",
    "MemoryStore",
    "Page",
    "Preferences",
    "Problem",
    "RunningServer",
    "ServerError",
    "Service",
    "Settings",
    "SqliteStore",
    "Store",
    "TokenFile",
    "Tokens",
    "Writing",
    "add_token",
    "create_app",
    "listen",
    "new_token",
    "open_sqlite_store",
    "read_tokens",
    "serve",
]
