"""Start an LDP server for a test, in this process or in one of its own.

In process, on a free port, in memory::

    async with running_ldp() as server:          # server.base_url == "http://127.0.0.1:NNNN/"
        ...

    async with running_ldp(open_sqlite_store(tmp_path)) as server: ...

As a real subprocess on a free port, durable in a folder, that can be killed::

    with ldp_process(tmp_path / "data") as process:   # process.base_url
        process.kill()                                # SIGKILL, no clean end

By hand, from the root of the checkout: ``python tests/support/ldp_process.py FOLDER PORT`` (PORT 0: a free
one; the folder ``:memory:`` keeps nothing). The first line it prints is the base URL.
"""

import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ldp_server import MemoryStore, RunningServer, Settings, Store, serve

ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def running_ldp(
    store: Store | None = None, *, settings: Settings | None = None
) -> AsyncIterator[RunningServer]:
    held = store or MemoryStore()
    try:
        async with serve(held, port=0, settings=settings) as server:
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
