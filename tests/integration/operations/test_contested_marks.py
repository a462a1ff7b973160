"""Marks among others who write: nothing is overwritten, and nobody but the owner of a document sets one."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from aiohttp import web

from tests.support.command_line import run_milepost
from tests.support.recorded import Bench, Handler, Recorded, bench
from tests.support.status import status_of

MODEL = """
<#R> a gsm:Stage ; gsm:hasChildStage <#S> .
<#S> a gsm:Stage ; gsm:hasMilestone <#m> ; gsm:hasHttpRequest <#task> ; gsm:hasGuard [ gsm:hasCondition
    [ ag:ask "ASK { <BASE/env> <http://example.org/vocab#go> true . ?thisArtifactInstance ag:hasUnachievedMilestone <#m> }" ] ] .
<#m> gsm:hasAchievingSentry [ ag:ask "ASK { <BASE/env> <http://example.org/vocab#done> true }" ] .
<#task> http:mthd m:POST ; http:requestURI <BASE/inbox> ; http:body "start" .
"""
INSTANCE = (
    "<#it> a gsm:ArtifactInstance ; gsm:isInstanceOf <BASE/model#R> ; gsm:hasState gsm:uninitialized ; "
    'rdfs:label "mine" .'
)


async def _accept(request: web.Request) -> web.Response:
    await request.read()
    return web.Response(status=202)


async def _prepare(b: Bench, environment: str = "<> ex:go true .") -> str:
    """Store model, environment and instance, and return the IRI of the instance."""
    b.server.scripted["/inbox"] = _accept
    await b.server.put("/model", MODEL)
    await b.server.put("/env", environment)
    await b.server.put("/wf/a", INSTANCE)
    return f"{b.server.base}/wf/a#it"


def _changing(server: Recorded, times: int, change: Callable[[int], Awaitable[None]]) -> Handler:
    """Answer as the container does, but let somebody else change the document just before the first writes."""
    left = [times]

    async def answer(request: web.Request) -> web.StreamResponse:
        if request.method == "PUT" and left[0]:
            left[0] -= 1
            await change(left[0])
        return await server.forward(request)

    return answer


async def test_a_change_by_others_in_between_is_kept_and_the_mark_still_gets_there(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        iri = await _prepare(b)

        async def change(left: int) -> None:
            await b.server.put("/wf/a", INSTANCE + f' <#it> rdfs:comment "theirs {left}" .')

        b.server.scripted["/wf/a"] = _changing(b.server, 2, change)

        done = await run_milepost("pause", iri, cwd=tmp_path)

        assert (done.code, done.out) == (0, f"{iri} is paused\n")
        assert [exchange.status for exchange in b.server.sent("PUT", "/wf/a")] == [412, 412, 204]
        assert all("If-Match" in exchange.headers for exchange in b.server.sent("PUT", "/wf/a"))
        document = await b.server.get("/wf/a")
        assert all(text in document for text in ('"mine"', '"theirs 0"', "isPaused"))


async def test_the_state_is_looked_at_again_after_a_change_by_others(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        iri = await _prepare(b)
        ended = INSTANCE.replace("uninitialized", "inactive")
        b.server.scripted["/wf/a"] = _changing(b.server, 1, lambda _: b.server.put("/wf/a", ended))

        done = await run_milepost("pause", iri, cwd=tmp_path)

        assert (done.code, "it has ended" in done.err) == (1, True)
        assert "isPaused" not in await b.server.get("/wf/a")


async def test_a_document_that_changes_all_the_time_is_given_up_after_some_tries(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        iri = await _prepare(b)

        async def change(left: int) -> None:
            await b.server.put("/wf/a", INSTANCE + f" <#it> ex:n {left} .")

        b.server.scripted["/wf/a"] = _changing(b.server, 1000, change)

        done = await run_milepost("cancel", iri, cwd=tmp_path)

        assert (done.code, "GSM058" in done.err) == (3, True)
        assert 2 <= len(b.server.sent("PUT", "/wf/a")) <= 10
        assert "isCancelled" not in await b.server.get("/wf/a")


async def test_without_a_validator_nothing_is_written(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        iri = await _prepare(b)

        async def bare(request: web.Request) -> web.StreamResponse:
            answer = await b.server.forward(request)
            del answer.headers["ETag"]
            return answer

        b.server.scripted["/wf/a"] = bare

        done = await run_milepost("pause", iri, cwd=tmp_path)

        assert (done.code, "GSM057" in done.err, b.server.writes()) == (1, True, [])


async def test_no_page_but_its_own_marks_an_instance(tmp_path: Path) -> None:
    hostile = """<> ex:go true . <BASE/wf/a#it> ag:isPaused true ; ag:isParked "gotcha" ; ag:isCancelled true ; ex:halts true .
        ex:halts rdfs:subPropertyOf ag:isPaused , ag:isCancelled , ag:isHeld . <BASE/wf/a#it> ag:isHeld true ."""
    async with bench(tmp_path) as b:
        iri = await _prepare(b, hostile)
        await b.run_command("run", iri, "--steps", "2", "--interval", "0")
        assert (await status_of(b.server, "/wf/", "/wf/a#it"))["S"] == "active"
        elements = {get["uri"] for get in b.trace[-1]["gets"] if "/wf/a." in get["uri"]}
        assert len(elements) == 2

        lies = "".join(
            f"<{uri}#it> ag:isRetried true ; ag:isDone true ; ag:retriesAs 9 ." for uri in elements
        )
        await b.server.put("/env", hostile + lies)
        await b.run_command("run", iri, "--steps", "2", "--interval", "0")

        assert [step["requests"] for step in b.trace] == [[], []]
        assert await status_of(b.server, "/wf/", "/wf/a#it") == {"R": "active", "S": "active", "m": "false"}
        assert len(b.server.sent("POST", "/inbox")) == 1


async def test_an_agent_and_people_at_the_same_time_lose_nothing_of_each_other(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        iri = await _prepare(b, "<> ex:go true ; ex:done false .")

        async def people() -> list[int]:
            commands = ("pause", "resume", "pause", "resume")
            return [(await run_milepost(command, iri, cwd=tmp_path)).code for command in commands]

        agent, codes = await asyncio.gather(
            run_milepost("run", iri, "--steps", "24", "--interval", "0.05", cwd=tmp_path), people()
        )
        last = await run_milepost("run", iri, "--steps", "3", "--interval", "0", cwd=tmp_path)

        assert (agent.code, codes, last.code) == (0, [0, 0, 0, 0], 0), agent.err
        assert await status_of(b.server, "/wf/", "/wf/a#it") == {"R": "active", "S": "active", "m": "false"}
        document = await b.server.get("/wf/a")
        assert ('"mine"' in document, "isPaused" in document) == (True, False)
        assert len(b.server.sent("POST", "/inbox")) == 1


async def test_a_server_that_refuses_the_etag_it_gives_is_not_taken_for_a_change_by_others(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as b:
        iri = await _prepare(b)

        async def refusing(request: web.Request) -> web.StreamResponse:
            if request.method == "PUT":
                await request.read()
                return web.Response(status=412)
            return await b.server.forward(request)

        b.server.scripted["/wf/a"] = refusing

        done = await run_milepost("pause", iri, cwd=tmp_path)

        assert (done.code, done.out) == (3, "")
        assert done.err == (
            f"error NET002  PUT {b.server.base}/wf/a was refused 8 times: the server answered 412 to the ETag that it gives\n"
            "  Nobody changed the document; the server or a proxy spoils ETags.\n"
        )
