"""The program that ``tests.support.ldp.ldp_process`` runs: ``ldp_process.py FOLDER PORT``."""

import asyncio
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from ldp_server import MemoryStore, open_sqlite_store, serve


async def main(folder: str, port: int) -> None:
    store = MemoryStore() if folder == ":memory:" else open_sqlite_store(Path(folder))
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    async with serve(store, port=port) as server:
        sys.stdout.write(server.base_url + "\n")
        sys.stdout.flush()
        await stopped.wait()
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
