"""Start an LDP server for a test, in this process or in one of its own.

In process, on a free port, in memory::

    async with running_ldp() as server:          # server.base_url == "http://127.0.0.1:NNNN/"
        ...

    async with running_ldp(open_sqlite_store(tmp_path)) as server: ...

As a real subprocess on a free port, durable in a folder, that can be killed::

    with ldp_process(tmp_path / "data") as process:   # process.base_url
        process.kill()                                # SIGKILL, no clean end

``Ldp(server)`` is a client for either of the two.

By hand, from the root of the checkout: ``python tests/support/ldp_process.py FOLDER PORT`` (PORT 0: a free
one; the folder ``:memory:`` keeps nothing). The first line it prints is the base URL.
"""

import io
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import aiohttp
from pyoxigraph import CanonicalizationAlgorithm, Dataset, Quad, RdfFormat, parse
from yarl import URL

from ldp_server import Keyring, MemoryStore, RunningServer, Settings, Store, serve

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def running_ldp(
    store: Store | None = None, *, settings: Settings | None = None, tokens: Keyring | None = None
) -> AsyncIterator[RunningServer]:
    held = store or MemoryStore()
    try:
        async with serve(held, port=0, settings=settings, tokens=tokens) as server:
            yield server
    finally:
        await held.close()


@dataclass(frozen=True, slots=True)
class LdpProcess:
    base_url: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(self.base_url.rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextmanager
def ldp_process(folder: Path | str = ":memory:", *, port: int = 0) -> Iterator[LdpProcess]:
    command = [sys.executable, str(ROOT / "tests" / "support" / "ldp_process.py"), str(folder), str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            assert process.stdout is not None
            base_url = process.stdout.readline().strip()
            assert base_url.startswith("http://"), f"the server did not start: {base_url!r}"
            yield LdpProcess(base_url, process)
        finally:
            process.kill()
            process.wait()


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def problem(self) -> dict[str, object]:
        assert self.headers["Content-Type"] == "application/problem+json"
        fields: dict[str, object] = json.loads(self.body)
        return fields


class Ldp:
    """A client that sends a request as it is written here, with the headers ``held``, and returns the whole answer."""

    def __init__(self, server: RunningServer | LdpProcess) -> None:
        self.base = server.base_url.rstrip("/")
        self.held: Mapping[str, str] = {}

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0),
            timeout=aiohttp.ClientTimeout(total=60),
            skip_auto_headers=["Content-Type", "Accept", "User-Agent"],
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._session.close()

    async def send(
        self, method: str, path: str, body: bytes | AsyncIterator[bytes] | None = None, /, **headers: str
    ) -> Answer:
        url = URL(self.base + path, encoded=True)
        data = io.BytesIO(body) if isinstance(body, bytes) else body
        sent = {name: value for name, value in {**self.held, **headers}.items() if value or name == "Host"}
        async with self._session.request(method, url, data=data, headers=sent) as answer:
            return Answer(answer.status, answer.headers, await answer.read())

    async def get(self, path: str, **headers: str) -> Answer:
        return await self.send("GET", path, **headers)

    async def put(
        self, path: str, body: str | bytes, media_type: str = "text/turtle", **headers: str
    ) -> Answer:
        data = body if isinstance(body, bytes) else body.encode()
        return await self.send("PUT", path, data, **{"Content-Type": media_type, **headers})

    async def post(
        self, path: str, body: str | bytes, media_type: str = "text/turtle", **headers: str
    ) -> Answer:
        data = body if isinstance(body, bytes) else body.encode()
        return await self.send("POST", path, data, **{"Content-Type": media_type, **headers})

    async def members(self, path: str) -> list[str]:
        listing = await self.get(path, Accept="application/n-triples")
        assert listing.status == 200
        marker = f"<{self.base}{path}> <http://www.w3.org/ns/ldp#contains> <"
        lines = listing.body.decode().splitlines()
        return [line.removeprefix(marker).removesuffix("> .") for line in lines if line.startswith(marker)]

    async def check_listings(self, path: str = "/") -> int:
        """Assert that everything listed below ``path`` is there, and return how many resources there are."""
        pending, found = [path], 0
        while pending:
            container = pending.pop()
            for member in await self.members(container):
                found += 1
                below = member.removeprefix(self.base)
                assert (await self.get(below)).status == 200, f"{member} is listed and cannot be read"
                if below.endswith("/"):
                    pending.append(below)
        return found

    def graph(self, answer: Answer) -> Dataset:
        """Return the graph of an answer, equal to that of another one if they are isomorphic."""
        assert answer.status == 200
        media_type = RdfFormat.from_media_type(answer.headers["Content-Type"])
        return _canonical(parse(answer.body, media_type, base_iri="http://base-was-needed/"))

    def triples(self, turtle: str) -> Dataset:
        return _canonical(parse(turtle, RdfFormat.TURTLE))

    def lasting(self, answer: Answer) -> dict[str, str]:
        """Return the headers without those that name the moment of the answer."""
        return {name: value for name, value in answer.headers.items() if name != "Date"}


def _canonical(quads: Iterable[Quad]) -> Dataset:
    dataset = Dataset(quads)
    dataset.canonicalize(CanonicalizationAlgorithm.UNSTABLE)
    return dataset
