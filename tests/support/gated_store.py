"""A store whose writes wait until a test lets them go on."""

import asyncio
from collections.abc import Callable, Sequence

from ldp_server import MemoryStore
from ldp_server.storage import Outcome, Write


class GatedStore(MemoryStore):
    """A store whose commits wait at a gate, as on a slow disk."""

    def __init__(self) -> None:
        super().__init__(first=5)
        self.gate = asyncio.Event()
        self.gate.set()

    def submit(self, writes: Sequence[Write], tell: Callable[[list[Outcome]], None]) -> None:
        asyncio.get_running_loop().create_task(self.gate.wait()).add_done_callback(
            lambda _opened: super(GatedStore, self).submit(writes, tell)
        )
