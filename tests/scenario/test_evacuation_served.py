"""The evacuation from its files: ``milepost serve``, devices of somebody else, ``milepost run`` with a program."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from subprocess import Popen
from typing import Literal as OneOf

import pytest
from aiohttp import ClientSession
from msgspec import field

from agent.rdf.terms import Literal
from agent.resources import read_bundled
from agent.sim.devices import Devices, Happening
from agent.sim.evacuation import EXAMPLE, guarded_building
from tests.support.command_line import Done, run_milepost, start_milepost
from tests.support.documents import CHECKOUT
from tests.support.sim import served_devices

TURTLE = {"Content-Type": "text/turtle"}
LIMIT_S = 60.0
SENSORS = {"store-room-thermometer", "people-counter"}
SIREN_ON = Happening("siren", "on", "http")
WAYS_FREE = {
    Happening("north-exit", "unlocked", "http"),
    Happening("south-exit", "unlocked", "http"),
    Happening("exit-lights", "on", "http"),
}
ALL_CLEAR = {Happening("siren", "off", "http"), Happening("exit-lights", "off", "http")}


class WatchedDevices(Devices):
    """Devices that tell when the exits are free."""

    exits_free: asyncio.Event = field(default_factory=asyncio.Event)

    def set(self, name: str, state: Literal, actor: OneOf["script", "http"]) -> None:
        super().set(name, state, actor)
        if all(self.members[f"{side}-exit"].state.lexical == "unlocked" for side in ("north", "south")):
            self.exits_free.set()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Run ``milepost serve`` in a process of its own; its base URL."""
    process: Popen[str] = start_milepost("serve", "--memory", "--port", "0", cwd=tmp_path)
    try:
        assert process.stdout
        yield process.stdout.readline().split()[1].rstrip(",")
    finally:
        process.kill()
        process.communicate()


async def _put_up(base: str, devices: str) -> None:
    """Put the files of the example on the server at ``base``; the devices are served in the folder ``devices``."""
    async with ClientSession(base) as session:
        link = {"Link": '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"'}
        for path, text, headers in (
            ("evacuation", read_bundled(EXAMPLE + "evacuation.ttl"), {}),
            ("building", read_bundled(EXAMPLE + "building.ttl"), {}),
            ("runs/", "", link),
            ("runs/evacuation-1", read_bundled(EXAMPLE + "instance.ttl"), {}),
        ):
            body = text.replace("</devices/", f"<{devices}").encode()
            async with session.put(f"/{path}", data=body, headers={**TURTLE, **headers}) as answer:
                assert answer.status == 201, await answer.text()


async def _run(base: str, tmp_path: Path, *options: str) -> Done:
    instance = f"{base}runs/evacuation-1#it"
    program = str(CHECKOUT / EXAMPLE / "too-hot.n3")
    return await run_milepost("run", instance, "-p", program, "--interval", "0.1", *options, cwd=tmp_path)


async def test_a_hot_room_leads_by_way_of_the_rules_to_an_empty_building_and_the_all_clear(
    server: str, tmp_path: Path
) -> None:
    devices = WatchedDevices(guarded_building().members)
    async with served_devices(devices) as (pages, session):
        async with session.get("/devices/") as listing:
            await _put_up(server, str(listing.url))
        running = asyncio.create_task(_run(server, tmp_path, "--allow-host", "127.0.0.1"))
        async with session.put("/devices/store-room-thermometer", data="70") as answer:
            assert answer.status == 204
        await asyncio.wait_for(devices.exits_free.wait(), LIMIT_S)
        async with session.put("/devices/people-counter", data="0") as answer:
            assert answer.status == 204
        done = await running
    # Doors and sirens say words where thermometers say degrees, and the rule about heat meets both.
    assert (done.code, [line for line in done.err.splitlines() if "warning N3035" not in line]) == (0, [])
    assert done.out.splitlines()[-1].startswith("the workflow has ended")
    told = [event for event in pages.devices.happenings if event.device not in SENSORS]
    assert (told[0], set(told[1:4]), set(told[4:])) == (SIREN_ON, WAYS_FREE, ALL_CLEAR)
