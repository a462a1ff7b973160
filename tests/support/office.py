"""The services of the insurance on a server with one claim and its process, for tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from aiohttp import ClientSession, ClientTimeout, web

from agent.rdf.terms import IRI, Literal, Triple
from agent.sim.claim_files import INS, ClaimFiles
from agent.sim.service_quality import Chance, Quality
from agent.sim.services import Services
from agent.sim.virtual_time import VirtualClock
from ldp_server import MemoryStore, create_app, listen

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Desk:
    """Services with a clock; ``base`` ends in a slash."""

    base: str
    services: Services
    clock: VirtualClock
    files: ClaimFiles
    session: ClientSession

    async def order(self, service: str, claim: str, *, prefer: str = "respond-async") -> int:
        """Order ``service`` for the process of ``claim`` and return the status of the answer."""
        body = f"<#order> <{INS}forProcess> <{self.base}processes/{claim}#it> ."
        headers = {"Content-Type": "text/turtle", **({"Prefer": prefer} if prefer else {})}
        uri = f"{self.base}services/{service}"
        async with self.session.post(uri, data=body.encode(), headers=headers) as answer:
            return answer.status

    async def put_up(self, *claims: str) -> None:
        """Put up claims with a process each."""
        for claim in claims:
            await self.files.put(f"{self.base}claims/{claim}", f"<#it> a <{INS}Claim> .")
            await self.files.put(
                f"{self.base}processes/{claim}", f"<#it> <{INS}concerns> </claims/{claim}#it> ."
            )

    async def said_about(self, claim: str) -> dict[str, str]:
        """Return what the document of ``claim`` says in the terms of the insurance, by local name."""
        triples, _ = await self.files.read(f"{self.base}claims/{claim}")
        said: dict[str, str] = {}
        for triple in triples:
            match triple:
                case Triple(_, IRI(name), IRI(value) | Literal(value)) if name.startswith(INS):
                    said[name.removeprefix(INS)] = value.removeprefix(INS)
        return said


@asynccontextmanager
async def open_desk(qualities: dict[str, Quality]) -> AsyncIterator[Desk]:
    """Open services of these qualities, with seed 1, at nine o'clock."""
    clock = VirtualClock(NINE)
    services = Services(clock, Chance(1), qualities)
    store = MemoryStore()

    def build(base: str) -> web.Application:
        app = create_app(store, base_url=base)
        services.mount(app)
        return app

    async with listen(build, port=0) as server, ClientSession(timeout=ClientTimeout(total=20)) as session:
        files = ClaimFiles(session)
        services.open(files)
        yield Desk(server.base_url, services, clock, files, session)
    await store.close()
