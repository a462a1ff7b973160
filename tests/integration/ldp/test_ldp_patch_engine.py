"""Updates that need all of SPARQL, in processes of their own: what they do, what they cannot do, and how they end."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from ldp_server import Settings
from ldp_server.faults import Problem
from ldp_server.patching.engine import Engine, Outcome
from tests.support.ldp import Answer, Ldp, running_ldp

URI = "http://h/d"
LINE = f'<{URI}> <http://e/v> "01"^^<http://www.w3.org/2001/XMLSchema#integer> .'
DOUBLING = " ".join(f"BIND(CONCAT(?x{number}, ?x{number}) AS ?x{number + 1})" for number in range(40))
LARGE = f"INSERT {{ <a> <b> ?z }} WHERE {{ BIND('aaaaaaaa' AS ?x0) {DOUBLING} BIND(STRLEN(?x40) AS ?z) }}"
NUMBERS = " ".join(map(str, range(10)))
PRODUCT = " ".join(f"VALUES ?v{number} {{ {NUMBERS} }}" for number in range(12))
LONG = f"INSERT {{ <a> <b> ?n }} WHERE {{ SELECT (COUNT(*) AS ?n) WHERE {{ {PRODUCT} }} }}"


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    engine = Engine(0.5)
    yield engine
    await engine.close()


async def code_of(engine: Engine, update: str) -> str:
    with pytest.raises(Problem) as problem:
        await engine.carry_out(update, URI, [LINE])
    return problem.value.code


async def test_an_engine_tells_what_changes_and_leaves_literals_alone(engine: Engine) -> None:
    update = "INSERT { ?s <http://e/w> ?n } WHERE { ?s <http://e/v> ?o BIND(?o + 1 AS ?n) FILTER(?o = 1) }"
    inserted = f'<{URI}> <http://e/w> "2"^^<http://www.w3.org/2001/XMLSchema#integer> .'
    assert await engine.carry_out(update, URI, [LINE]) == Outcome([], [inserted])
    assert await engine.carry_out("DELETE WHERE { ?s ?p ?o }", URI, [LINE]) == Outcome([LINE], [])
    assert await engine.carry_out(update, URI, []) == Outcome([], [])


@pytest.mark.parametrize("update", [LARGE, LONG], ids=["large", "long"])
async def test_an_update_without_end_is_ended_and_the_next_one_is_done(engine: Engine, update: str) -> None:
    assert await code_of(engine, update) == "LDP073"
    assert await engine.carry_out("INSERT DATA { <a> <b> <c> }", URI, []) == Outcome(
        [], ["<http://h/a> <http://h/b> <http://h/c> ."]
    )


async def test_an_engine_can_open_neither_connections_nor_files(engine: Engine) -> None:
    """These are refused before they come to an engine; it could not do them either."""
    connected = asyncio.Event()

    async def note(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connected.set()
        writer.close()

    async with await asyncio.start_server(note, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        service = f"INSERT {{ ?s ?p ?o }} WHERE {{ SERVICE <{url}> {{ ?s ?p ?o }} }}"
        for update in (service, f"LOAD <{url}>", "LOAD <file:///etc/hostname>"):
            assert await code_of(engine, update) == "LDP070"
    assert not connected.is_set()


async def test_what_is_no_sparql_is_told_with_its_line(engine: Engine) -> None:
    with pytest.raises(Problem) as problem:
        await engine.carry_out("INSERT DATA {\n <a> <b> . }", URI, [])
    assert (problem.value.code, problem.value.members) == ("LDP070", {"line": 2})
    assert problem.value.detail == "Line 2: this is no SPARQL from column 11 on."


async def test_a_request_that_is_given_up_hinders_no_later_one(engine: Engine) -> None:
    asked = asyncio.ensure_future(engine.carry_out(LONG, URI, [LINE]))
    await asyncio.sleep(0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert await engine.carry_out("INSERT DATA {}", URI, []) == Outcome([], [])


async def update(ldp: Ldp, path: str, text: str) -> Answer:
    return await ldp.send("PATCH", path, text.encode(), **{"Content-Type": "application/sparql-update"})


async def test_updates_with_all_of_sparql_over_http() -> None:
    async with running_ldp(settings=Settings(patch_budget_s=0.5)) as server, Ldp(server) as ldp:
        await ldp.put("/x", "<#it> <http://v/> 01 ; <http://n/> [ <http://n/> 'a' ] .")
        kept = await ldp.get("/x")
        for text, status in ((LONG, 413), ("INSERT {} WHERE { FILTER }", 400), ("oops", 400)):
            assert (await update(ldp, "/x", text)).status == status
        assert ldp.lasting(await ldp.get("/x")) == ldp.lasting(kept)
        text = (
            "DELETE { ?it <http://v/> ?old } INSERT { ?it <http://v/> ?new ; <http://n/> [ <http://of/> ?b ] }"
            " WHERE { ?it <http://v/> ?old ; <http://n/> ?b BIND(?old + 1 AS ?new) FILTER(?old < 5) }"
        )
        assert (await update(ldp, "/x", text)).status == 204
        assert ldp.graph(await ldp.get("/x")) == ldp.triples(
            f"<{ldp.base}/x#it> <http://v/> 2 ; <http://n/> _:b , [ <http://of/> _:b ] . _:b <http://n/> 'a' ."
        )
        assert (
            await update(ldp, "/new", "INSERT { <> <http://v/> ?n } WHERE { BIND(1 AS ?n) }")
        ).status == 201
        await ldp.put("/c/x", "")
        counted = "INSERT { <> <http://v/> ?n } WHERE { SELECT (COUNT(?m) AS ?n) WHERE { ?c <http://www.w3.org/ns/ldp#contains> ?m } }"
        assert (await update(ldp, "/c/", counted)).status == 204
        assert b'<http://v/> "1"' in (await ldp.get("/c/", Accept="application/n-triples")).body
        assert (await update(ldp, "/c/", "DELETE { ?s ?p ?o } WHERE { ?s ?p ?o FILTER(true) }")).problem[
            "code"
        ] == "LDP014"


ADDS_ONE = (
    "DELETE { ?s ?p ?o } INSERT { ?s ?p ?n } WHERE { ?s ?p ?o FILTER(?p = <http://v/>) BIND(?o + 1 AS ?n) }"
)


async def test_updates_with_all_of_sparql_and_others_at_once_add_up() -> None:
    async with running_ldp() as server, Ldp(server) as ldp:
        await ldp.put("/sum", "<#it> <http://v/> 0 .")

        async def insert_one_after_the_other(name: int) -> list[Answer]:
            texts = (f"INSERT DATA {{ <#it> <http://by/{name}> {number} }}" for number in range(100))
            return [await update(ldp, "/sum", text) for text in texts]

        adding = asyncio.gather(*(update(ldp, "/sum", ADDS_ONE) for _ in range(20)))
        inserting = asyncio.gather(*map(insert_one_after_the_other, range(4)))
        answers = [*await adding, *(answer for each in await inserting for answer in each)]
        assert {answer.status for answer in answers} == {204}
        body = (await ldp.get("/sum", Accept="application/n-triples")).body
        assert (b'<http://v/> "20"' in body, body.count(b"\n")) == (True, 401)


async def test_an_update_and_puts_that_come_between_add_up() -> None:
    """An update is worked out on a state; a PUT that comes between is neither overwritten nor forgotten."""
    async with running_ldp() as server, Ldp(server) as ldp:
        await ldp.put("/sum", "<#it> <http://v/> 0 .")

        async def put_one_more() -> int:
            read = await ldp.get("/sum", Accept="application/n-triples")
            number = int(read.body.decode().split('"')[1]) + 1
            tag = read.headers["ETag"]
            return (await ldp.put("/sum", f"<#it> <http://v/> {number} .", **{"If-Match": tag})).status

        async def update_once() -> int:
            return (await update(ldp, "/sum", ADDS_ONE)).status

        updating = asyncio.gather(*(update_once() for _ in range(20)))
        statuses: list[int] = []
        while not updating.done() and len(statuses) < 5_000:
            statuses.append(await put_one_more())
        statuses += await updating
        assert set(statuses) <= {204, 412, 503}
        read = await ldp.get("/sum", Accept="application/n-triples")
        assert int(read.body.decode().split('"')[1]) == statuses.count(204) > 0
