"""Client CPU that one request costs, layer by layer: ``python -m tests.benchmarks.request_costs [--documents N] [--rounds N] [--csv FILE]``.

The server is ours, in memory, in a process of its own. The layers take turns; what counts is the processor time of
this process per request, the lower quartile over the rounds (ADR 0121): on a shared machine the slower ones tell of
the others. Then the same with a stand-in for the network that answers at once: what is left is the work of the agent.
"""

import argparse
import asyncio
import csv
import os
import platform
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import quantiles

import aiohttp

from agent.act.perform import Performer
from agent.fetch.polling import Sources
from agent.messages import Answer, Event, Get, Instruction, Send, Written
from agent.n3.load import read_program
from agent.runtime.driver import World, run_step
from agent.runtime.machine import Machine
from agent.runtime.plan import StepPlan
from agent.runtime.reasoning import Reasoning
from agent.runtime.report import StepReport
from agent.settings import Settings
from agent.transport.client import ACCEPT, Client
from tests.benchmarks.stand_in import StandIn
from tests.support.ldp import ldp_process
from tests.support.telling import answer_to, outcome_of

TURTLE = (("Content-Type", "text/turtle"),)
BODY = (
    b"@prefix gsm: <http://purl.org/gsm/vocab#> .\n"
    b"<#it> a gsm:StageInstance ; gsm:hasState gsm:active ; gsm:isInstanceOf </model#stage> ;\n"
    b"  gsm:inArtifactInstance </instance#it> .\n"
).ljust(300, b"#")
PROGRAM = """
@prefix http: <http://www.w3.org/2011/http#> . @prefix m: <http://www.w3.org/2011/http-methods#> .
{ ?all <http://e/has> ?document } => { [] http:mthd m:GET ; http:requestURI ?document } .
"""
INSTANT, FRESH_ID = "2024-05-06T07:08:09.000Z", "00000000-0000-4000-8000-000000000000"
KINDS = ("GET 200", "GET 304", "PUT")
AT_A_TIME = 32
"""As many as the agent asks one server at a time."""

Work = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Cost:
    """What one request of a kind costs in a layer, in microseconds of processor time."""

    layer: str
    kind: str
    cpu_us: float


class Script:
    """A machine that has its instructions carried out and thinks nothing."""

    def __init__(self, instructions: Sequence[Instruction]) -> None:
        self.report: StepReport | None = None
        self.events: list[Event] = []
        self._instructions = instructions

    def start(self) -> list[Instruction]:
        return list(self._instructions)

    def handle(self, event: Event) -> list[Instruction]:
        self.events.append(event)
        if len(self.events) == len(self._instructions):
            self.report = NOTHING_DONE
        return []

    def stop(self) -> None:
        self.report = NOTHING_DONE


def _nothing_done() -> StepReport:
    machine = Machine(StepPlan(read_program("", source="-", base="http://e/")), INSTANT, FRESH_ID)
    machine.start()
    assert machine.report is not None
    return machine.report


NOTHING_DONE = _nothing_done()


class Layers:
    """The layers over the documents ``uris``: what does all requests of a kind, by layer and kind."""

    def __init__(self, session: aiohttp.ClientSession | None, client: Client, uris: Sequence[str]) -> None:
        self._session = session
        self._client = client
        self._uris = uris
        self._etags: dict[str, str] = {}
        self._performer = Performer(client)
        self._sources = self._new_sources()
        self._driven = World(self._new_sources(), self._performer)
        self._stepping = World(self._new_sources(), self._performer)
        facts = "".join(f"<http://e/all> <http://e/has> <{uri}> .\n" for uri in uris)
        self._plan = StepPlan(read_program(PROGRAM + facts, source="-", base="http://e/"))
        self._reasoning = Reasoning(self._plan)

    @property
    def works(self) -> dict[tuple[str, str], Work]:
        """Return what is measured, in an order that leaves every document as the next one needs it."""
        bare: dict[tuple[str, str], Work] = {}
        if self._session is not None:
            bare = {
                ("aiohttp", "PUT"): partial(self._bare_put, self._session),
                ("aiohttp", "GET 200"): partial(self._bare_get, self._session),
                ("aiohttp", "GET 304"): partial(self._bare_confirm, self._session),
            }
        return {
            **bare,
            ("Client", "GET 200"): self._client_get,
            ("Client", "GET 304"): self._client_confirm,
            ("Client", "PUT"): self._client_put,
            ("Sources", "GET 200"): self._sources_get,
            ("Sources", "GET 304"): self._sources_get,
            ("Performer", "PUT"): self._performer_put,
            ("driver", "GET 200"): self._driver_get,
            ("driver", "GET 304"): self._driver_get,
            ("step", "GET 304"): self._step,
            ("driver", "PUT"): self._driver_put,
        }

    async def _bare_put(self, session: aiohttp.ClientSession) -> None:
        async def put(uri: str) -> None:
            async with session.put(uri, data=BODY, headers=dict(TURTLE)) as response:
                await response.read()
                assert response.status in (200, 201, 204), response.status

        await _each(put, self._uris)

    async def _bare_get(self, session: aiohttp.ClientSession) -> None:
        async def get(uri: str) -> None:
            async with session.get(uri) as response:
                await response.read()
                assert response.status == 200
                self._etags[uri] = response.headers["ETag"]

        await _each(get, self._uris)

    async def _bare_confirm(self, session: aiohttp.ClientSession) -> None:
        async def get(uri: str) -> None:
            async with session.get(uri, headers={"If-None-Match": self._etags[uri]}) as response:
                await response.read()
                assert response.status == 304

        await _each(get, self._uris)

    async def _client_get(self) -> None:
        async def get(uri: str) -> None:
            reply = await self._client.get(uri)
            assert reply.status == 200
            self._etags[uri] = reply.headers["etag"]

        await _each(get, self._uris)

    async def _client_confirm(self) -> None:
        async def get(uri: str) -> None:
            assert (await self._client.get(uri, (), self._etags[uri])).status == 304

        await _each(get, self._uris)

    async def _client_put(self) -> None:
        async def put(uri: str) -> None:
            assert (await self._client.request("PUT", uri, TURTLE, BODY)).status in (200, 204)

        await _each(put, self._uris)

    async def _sources_get(self) -> None:
        async def get(uri: str) -> None:
            answer = await answer_to(self._sources, Get(uri))
            assert isinstance(answer, Answer), answer

        await _each(get, self._uris)

    async def _performer_put(self) -> None:
        async def put(uri: str) -> None:
            outcome = await outcome_of(self._performer, Send(1, "PUT", uri, TURTLE, BODY))
            assert isinstance(outcome, Written), outcome

        await _each(put, self._uris)

    async def _driver_get(self) -> None:
        await self._drive([Get(uri) for uri in self._uris])

    async def _driver_put(self) -> None:
        await self._drive([Send(n, "PUT", uri, TURTLE, BODY) for n, uri in enumerate(self._uris)])

    async def _drive(self, instructions: Sequence[Instruction]) -> None:
        script = Script(instructions)
        await run_step(script, self._driven)
        assert all(isinstance(event, Answer | Written) for event in script.events)

    async def _step(self) -> None:
        machine = Machine(self._plan, INSTANT, FRESH_ID, reasoning=self._reasoning)
        report = await run_step(machine, self._stepping)
        assert [get.outcome for get in report.gets] == ["content"] * len(self._uris)

    def _new_sources(self) -> Sources:
        return Sources(self._client, asyncio.get_running_loop().time)


async def measure(documents: int, rounds: int, *, alone: bool = False) -> list[Cost]:
    """Return what a request costs in every layer, with so many ``documents``, over two ``rounds`` or more.

    ``alone``: without server and sockets, so that only the work of the agent counts.
    """
    taken: dict[tuple[str, str], list[float]] = {}
    async with _alone(documents) if alone else _layers(documents) as layers:
        for number in range(rounds + 1):
            for key, work in layers.works.items():
                before = time.process_time()
                await work()
                if number:  # the first round opens connections and fills what is kept
                    taken.setdefault(key, []).append((time.process_time() - before) / documents * 1e6)
    return [Cost(*key, quantiles(times, n=4, method="inclusive")[0]) for key, times in taken.items()]


def table(costs: Iterable[Cost]) -> str:
    """Return the costs as people read them: a line for each layer, and how much more it is than aiohttp alone."""
    by_key = {(cost.layer, cost.kind): cost.cpu_us for cost in costs}
    lines = [f"{'layer':<10}" + "".join(f"{kind:>16}" for kind in KINDS)]
    for layer in dict.fromkeys(layer for layer, _ in by_key):
        cells = ""
        for kind in KINDS:
            cpu_us = by_key.get((layer, kind))
            bare_us = by_key.get(("aiohttp", kind))
            times = "" if cpu_us is None or bare_us is None else f" ({cpu_us / bare_us:.2f})"
            cells += f"{'' if cpu_us is None else f'{cpu_us:.0f}':>9}{times:7}"
        lines.append(f"{layer:<10}{cells}".rstrip())
    return "\n".join(lines)


def write_csv(costs: Mapping[str, Iterable[Cost]], path: Path) -> None:
    """Write a row for each layer and kind of request, by what it was measured with."""
    with path.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream, lineterminator="\n")
        rows.writerow(("with", "layer", "kind", "cpu_us"))
        for with_what, some in costs.items():
            rows.writerows((with_what, cost.layer, cost.kind, f"{cost.cpu_us:.1f}") for cost in some)


@asynccontextmanager
async def _layers(documents: int) -> AsyncIterator[Layers]:
    async with AsyncExitStack() as stack:
        server = stack.enter_context(ldp_process())
        uris = [f"{server.base_url.rstrip('/')}/d{number}" for number in range(documents)]
        session = await stack.enter_async_context(aiohttp.ClientSession(headers={"Accept": ACCEPT}))
        client = await stack.enter_async_context(Client(Settings(allowed_hosts=frozenset({"127.0.0.1"}))))
        yield Layers(session, client, uris)


@asynccontextmanager
async def _alone(documents: int) -> AsyncIterator[Layers]:
    client = Client(Settings(allowed_hosts=frozenset({"127.0.0.1"})))
    async with client:
        client._plain["127.0.0.1", 80] = StandIn(BODY)  # type: ignore[assignment]  # it has what the client uses of a host
        yield Layers(None, client, [f"http://127.0.0.1/d{number}" for number in range(documents)])
        client._plain.clear()


async def _each(act: Callable[[str], Awaitable[None]], uris: Sequence[str]) -> None:
    """Do something with every URI, as many at a time as the agent does."""
    left = iter(uris)

    async def work() -> None:
        for uri in left:
            await act(uri)

    await asyncio.gather(*(work() for _ in range(AT_A_TIME)))


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description="Client CPU that one request costs, layer by layer.")
    options.add_argument("--documents", type=int, default=100)
    options.add_argument("--rounds", type=int, default=40)
    options.add_argument("--csv", type=Path)
    chosen = options.parse_args(arguments)
    load = os.getloadavg()[0]
    costs = asyncio.run(measure(chosen.documents, chosen.rounds))
    own = asyncio.run(measure(chosen.documents, chosen.rounds, alone=True))
    sys.stdout.write(
        f"Python {platform.python_version()}, aiohttp {aiohttp.__version__}, load {load:.1f}; "
        f"{chosen.documents} documents, {chosen.rounds} rounds\n"
        f"microseconds of client CPU per request (times aiohttp alone)\n{table(costs)}\n\n"
        f"with a stand-in for the network that answers at once\n{table(own)}\n"
    )
    if chosen.csv:
        write_csv({"server": costs, "stand-in": own}, chosen.csv)


if __name__ == "__main__":
    main(sys.argv[1:])
