"""Simulated devices on a free loopback port, for tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import ClientSession, ClientTimeout, web

from agent.sim.building import building
from agent.sim.device_pages import DevicePages
from agent.sim.devices import Devices


@asynccontextmanager
async def served_building() -> AsyncIterator[tuple[DevicePages, ClientSession]]:
    """Serve the building of the fire alarm; the session's paths are relative to it."""
    async with served_devices(building()) as (pages, session):
        yield pages, session


@asynccontextmanager
async def served_devices(devices: Devices) -> AsyncIterator[tuple[DevicePages, ClientSession]]:
    """Serve ``devices``; the session's paths are relative to their server."""
    pages = DevicePages(devices)
    app = web.Application()
    pages.mount(app)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        base = f"http://127.0.0.1:{runner.addresses[0][1]}"
        async with ClientSession(base, timeout=ClientTimeout(total=10)) as session:
            yield pages, session
    finally:
        await runner.cleanup()
