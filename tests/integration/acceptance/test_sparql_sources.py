"""Workflows whose sentries look at what a SPARQL endpoint says, by the real command line over real sockets."""

from pathlib import Path

import pytest

from tests.support.command_line import Done
from tests.support.ports import free_port
from tests.support.recorded import Bench, bench
from tests.support.sparql_server import Endpoint, Trouble, sparql_endpoint
from tests.support.status import status_of

CONSTRUCT = """PREFIX ex: <http://example.org/vocab#>
    CONSTRUCT { ?room ex:isWarm true ; ex:celsius ?t } WHERE { ?room ex:celsius ?t FILTER (?t > 25) }"""

MODEL = """
<#R> a gsm:Stage ; gsm:hasChildStage <#cool> , <#rest> .
<#cool> a gsm:Stage ; gsm:hasGuard [ gsm:hasCondition <#some-room-is-warm> ] .
<#rest> a gsm:Stage ; gsm:hasGuard [ gsm:hasCondition <#no-room-is-warm> ] .
<#some-room-is-warm> ag:ask "PREFIX ex: <http://example.org/vocab#> ASK { ?room ex:isWarm true }" .
<#no-room-is-warm> ag:ask "PREFIX ex: <http://example.org/vocab#> ASK { FILTER NOT EXISTS { ?room ex:isWarm true } }" .
"""
SOURCE = 'a ag:SparqlSource ; ag:endpoint <ENDPOINT> ; ag:construct """QUERY"""'
WARM = "<http://house/kitchen> <http://example.org/vocab#celsius> 30 . <http://house/attic> <http://example.org/vocab#celsius> 31 ."
MILD = "<http://house/kitchen> <http://example.org/vocab#celsius> 20 ."
NEITHER = {"R": "active", "cool": "inactive", "rest": "inactive"}


async def prepare(b: Bench, endpoint: str, *, model: str, query: str = CONSTRUCT) -> None:
    """Store a model with ``model`` in it and an instance of it; SOURCE in the text is the endpoint's."""

    model = model.replace("SOURCE", SOURCE).replace("ENDPOINT", endpoint).replace("QUERY", query)
    await b.server.put("/model", MODEL + model)
    await b.server.put(
        "/wf/a",
        "<#it> a gsm:ArtifactInstance ; gsm:isInstanceOf <BASE/model#R> ; gsm:hasState gsm:uninitialized .",
    )


async def run(b: Bench, steps: int = 2) -> tuple[Done, dict[str, str]]:
    done = await b.run_command("run", b.server.base + "/wf/a#it", "--steps", str(steps), "--interval", "0")
    assert done.code == 0, done.err
    return done, await status_of(b.server, "/wf/", "/wf/a#it")


IN_MODEL = "<#R> ag:source <#readings> . <#readings> SOURCE ."


async def test_sentries_see_what_the_endpoint_constructs_now(tmp_path: Path) -> None:
    async with bench(tmp_path) as b, sparql_endpoint("localhost") as endpoint:
        await prepare(b, endpoint.url, model=IN_MODEL)
        endpoint.holds(MILD)
        assert (await run(b))[1] == {"R": "active", "cool": "inactive", "rest": "active"}
        endpoint.holds(WARM)
        assert (await run(b, 1))[1] == {"R": "active", "cool": "active", "rest": "active"}
        assert set(endpoint.methods) == {"GET"}


@pytest.mark.parametrize("trouble", ["500", "broken off", "cut"])
async def test_an_endpoint_in_trouble_is_no_absence_and_no_presence(tmp_path: Path, trouble: Trouble) -> None:
    async with bench(tmp_path) as b, sparql_endpoint() as endpoint:
        await prepare(b, endpoint.url, model=IN_MODEL)
        endpoint.holds(WARM)
        endpoint.trouble = trouble
        done, status = await run(b)
        assert status == NEITHER
        assert "is not known" in done.err + done.out
        assert endpoint.url in done.err + done.out


async def test_an_endpoint_that_is_down_is_no_absence(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await prepare(b, f"http://127.0.0.1:{free_port()}/sparql", model=IN_MODEL)
        assert (await run(b))[1] == NEITHER


async def test_a_long_query_is_posted_to_the_endpoint_of_the_model(tmp_path: Path) -> None:
    async with bench(tmp_path) as b, sparql_endpoint("localhost") as endpoint:
        await prepare(b, endpoint.url, model=IN_MODEL, query=CONSTRUCT + " #" + "x" * 2000)
        endpoint.holds(WARM)
        assert (await run(b))[1]["cool"] == "active"
        assert set(endpoint.methods) == {"POST"}


async def test_a_document_that_a_model_reads_cannot_make_the_agent_ask_elsewhere(tmp_path: Path) -> None:
    async with bench(tmp_path) as b, sparql_endpoint("localhost") as endpoint:
        await prepare(b, "http://elsewhere.example/", model="<#R> ag:source <BASE/page> .")
        await b.server.put("/page", _describing(endpoint, CONSTRUCT))
        assert (await run(b))[1] == NEITHER
        assert endpoint.methods == []


async def test_a_document_that_a_model_reads_cannot_make_the_agent_post(tmp_path: Path) -> None:
    async with bench(tmp_path) as b, sparql_endpoint() as endpoint:
        await prepare(b, "http://elsewhere.example/", model="<#R> ag:source <BASE/page> .")
        await b.server.put("/page", _describing(endpoint, CONSTRUCT + " #" + "x" * 2000))
        assert (await run(b))[1] == NEITHER
        assert endpoint.methods == []


def _describing(endpoint: Endpoint, query: str) -> str:
    return "<BASE/page> " + SOURCE.replace("ENDPOINT", endpoint.url).replace("QUERY", query) + " ."
