"""Serve documents as one would by hand, with aiohttp's router and a commit for each write: ``FILE``.

Bodies are kept as they come: nothing reads the RDF in them, so nothing refuses what is none, and there are no patches.
"""

import sqlite3
import sys
from itertools import count
from pathlib import PurePosixPath

from aiohttp import web

_TURTLE = "text/turtle"


class Documents:
    """Documents by path, in memory for reading and in ``file`` before a write is answered; each has the number of its write."""

    def __init__(self, file: str) -> None:
        self._data = sqlite3.connect(file, isolation_level=None)
        self._data.execute("PRAGMA journal_mode = WAL")
        self._data.execute("PRAGMA synchronous = FULL")
        self._data.execute("CREATE TABLE document (path TEXT PRIMARY KEY, body BLOB NOT NULL)")
        self._found: dict[str, tuple[int, bytes]] = {}
        self._members: dict[str, dict[str, None]] = {}
        self._numbers = count(1)

    async def get(self, request: web.Request) -> web.Response:
        """Answer with a document, or with 304."""
        if request.path not in self._found:
            return web.Response(status=404)
        number, body = self._found[request.path]
        tag = f'"{number}"'
        if request.headers.get("If-None-Match") == tag:
            return web.Response(status=304, headers={"ETag": tag})
        if request.path.endswith("/"):
            members = "".join(f"<> ldp:contains <{member}> .\n" for member in self._members[request.path])
            body = b"@prefix ldp: <http://www.w3.org/ns/ldp#> .\n" + members.encode()
        return web.Response(body=body, headers={"ETag": tag}, content_type=_TURTLE)

    async def put(self, request: web.Request) -> web.Response:
        """Write a document."""
        is_new = request.path not in self._found
        tag = self._write(request.path, await request.read())
        return web.Response(status=201 if is_new else 204, headers={"ETag": tag})

    async def post(self, request: web.Request) -> web.Response:
        """Write a new member."""
        path = f"{request.path}{next(self._numbers)}"
        tag = self._write(path, await request.read())
        return web.Response(status=201, headers={"ETag": tag, "Location": path})

    async def delete(self, request: web.Request) -> web.Response:
        """Remove a document."""
        self._data.execute("DELETE FROM document WHERE path = ?", (request.path,))
        del self._found[request.path]
        self._note_change_above(request.path, gone=True)
        return web.Response(status=204)

    def _write(self, path: str, body: bytes) -> str:
        self._data.execute(
            "INSERT INTO document VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET body = excluded.body",
            (path, body),
        )
        number = next(self._numbers)
        if path not in self._found:
            self._note_change_above(path, gone=False)
        if path.endswith("/"):
            self._members.setdefault(path, {})
        self._found[path] = (number, body)
        return f'"{number}"'

    def _note_change_above(self, path: str, *, gone: bool) -> None:
        container = f"{str(PurePosixPath(path).parent).rstrip('/')}/"
        members = self._members.setdefault(container, {})
        if gone:
            members.pop(path, None)
        else:
            members[path] = None
        self._found[container] = (next(self._numbers), b"")


def main(file: str) -> None:
    """Serve on a free port of this machine until the process ends, and say where."""
    documents = Documents(file)
    app = web.Application()
    everywhere = "/{path:.*}"
    app.add_routes(
        [
            web.get(everywhere, documents.get),
            web.put(everywhere, documents.put),
            web.post(everywhere, documents.post),
            web.delete(everywhere, documents.delete),
        ]
    )
    web.run_app(app, host="127.0.0.1", port=0, access_log=None)


if __name__ == "__main__":
    main(sys.argv[1])
