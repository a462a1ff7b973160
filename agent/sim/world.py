"""One simulated world on one port: an LDP server in memory, the devices of a scenario, a model and its instance."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import ClientSession, ClientTimeout, web
from msgspec import Struct

from agent.errors import WorldError
from agent.rdf.documents import parse_document
from agent.rdf.terms import IRI, Triple
from agent.resources import read_bundled
from agent.sim.chronicle import Labels, Status, read_status
from agent.sim.device_pages import DevicePages
from agent.sim.scenario import Scenario
from agent.vocab import GSM, LDP
from ldp_server import MemoryStore, ServerError, create_app, listen

CONTAINER = "runs/"
TURTLE = "text/turtle"
CONTAINER_LINK = f'<{LDP}BasicContainer>; rel="type"'
LONGEST_WAIT_S = 10.0


class World(Struct):
    """A running world. URIs are absolute; ``session`` is the environment's own way into it, not the agent's."""

    base: str
    model: str
    container: str
    instance: str
    labels: Labels
    pages: DevicePages
    session: ClientSession

    async def status(self) -> Status:
        """Return the recorded status of the instance, read from the container now."""
        members = [
            triple.object.value
            for triple in await self._read(self.container)
            if triple.predicate == IRI(LDP + "contains") and isinstance(triple.object, IRI)
        ]
        triples = [triple for member in members for triple in await self._read(member)]
        return read_status(triples, self.instance)

    async def _read(self, uri: str) -> tuple[Triple, ...]:
        async with self.session.get(uri, headers={"Accept": TURTLE}) as answer:
            if answer.status != 200:
                return ()
            return parse_document(await answer.read(), answer.content_type, uri, strict=True).triples


@asynccontextmanager
async def open_world(scenario: Scenario, model: str, port: int = 0) -> AsyncIterator[World]:
    """Serve the world of ``scenario`` with the Turtle text ``model``, and put up an instance that is not set up yet.

    WorldError when the port is taken or the server refuses the model.
    """
    pages = DevicePages(scenario.place())
    store = MemoryStore()

    def build(base: str) -> web.Application:
        app = create_app(store, base_url=base)
        pages.mount(app)
        return app

    try:
        async with (
            listen(build, port=port) as server,
            ClientSession(timeout=ClientTimeout(LONGEST_WAIT_S)) as session,
        ):
            yield await _furnish(server.base_url, scenario, model, pages, session)
    except ServerError as error:
        raise WorldError(error.code, error.message) from None
    finally:
        await store.close()


async def _furnish(
    base: str, scenario: Scenario, model: str, pages: DevicePages, session: ClientSession
) -> World:
    model_uri, container = f"{base}{scenario.name}", f"{base}{CONTAINER}"
    instance = f"{container}{scenario.name}-1"
    await _put(session, model_uri, model)
    for path, file in scenario.documents.items():
        await _put(session, base + path, read_bundled(file))
    await _put(session, container, "", Link=CONTAINER_LINK)
    await _put(
        session,
        instance,
        f"<#it> a <{GSM}ArtifactInstance> ; <{GSM}isInstanceOf> <{model_uri}#{scenario.root}> ;"
        f" <{GSM}hasState> <{GSM}uninitialized> .",
    )
    labels = Labels(frozenset(parse_document(model.encode(), TURTLE, model_uri, strict=True).triples))
    return World(base, model_uri, container, f"{instance}#it", labels, pages, session)


async def _put(session: ClientSession, uri: str, body: str, **headers: str) -> None:
    async with session.put(uri, data=body.encode(), headers={"Content-Type": TURTLE, **headers}) as answer:
        if answer.status >= 300:
            raise WorldError("NET001", f"PUT {uri} was refused with status {answer.status}")
