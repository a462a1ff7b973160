"""What is there before anything is measured: one document, and containers of a hundred and a thousand."""

from agent.bench.ldp.exchange import Connection
from agent.bench.ldp.operations import DOCUMENT, FOLDERS, NEW, PATCHED, Site, patched, reading, request
from agent.errors import WorldError

_CONTAINER = 'Link: <http://www.w3.org/ns/ldp#BasicContainer>; rel="type"\r\n'


async def prepared(base: str) -> Site:
    """Put everything up at ``base`` and return where it is."""
    site = Site(base.removeprefix("http://").rstrip("/"), {})
    host, _, port = site.authority.rpartition(":")
    async with Connection(host, int(port)) as connection:
        for path in ("/bench/", NEW, *FOLDERS.values()):
            await _done(connection, request(site, "PUT", path, headers=_CONTAINER))
        for path in (DOCUMENT, *map(patched, range(PATCHED)), *_members()):
            await _done(connection, request(site, "PUT", path, reading(0)))
    return site


def _members() -> list[str]:
    return [f"{folder}m{number}" for size, folder in FOLDERS.items() for number in range(size)]


async def _done(connection: Connection, sent: bytes) -> None:
    answer = await connection.exchange(sent)
    if answer.status // 100 != 2:
        line = sent.split(b"\r\n", 1)[0].decode()
        raise WorldError("NET001", f"the server of the benchmark answered {answer.status} to {line}")
