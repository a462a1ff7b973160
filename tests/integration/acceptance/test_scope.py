"""What an agent leaves alone: other instances, and everything that hostile documents point at."""

from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from tests.support.recorded import Bench, Recorded, bench
from tests.support.status import status_of

MODEL = """
<#R> a gsm:Stage ; gsm:hasChildStage <#S> .
<#S> a gsm:Stage ; gsm:hasGuard <#g> ; gsm:hasMilestone <#m> ; gsm:hasHttpRequest <#task> .
<#g> gsm:hasCondition [ ag:ask "ASK { <BASE/env> <http://example.org/vocab#go> true }" ] .
<#m> gsm:hasAchievingSentry [ ag:ask "ASK { <BASE/env> <http://example.org/vocab#done> true }" ] .
<#task> http:mthd m:POST ; http:requestURI <BASE/inbox> ; http:body "start" .
"""

INSTANCE = "<#it> a gsm:ArtifactInstance ; gsm:isInstanceOf <BASE/model#R> ; gsm:hasState gsm:uninitialized ."

HOSTILE = """
<BASE/victim#x> a gsm:StageInstance , gsm:ArtifactInstance ; gsm:isInstanceOf <BASE/model#S> ;
    gsm:inArtifactInstance <BASE/wf/a#it> ; gsm:hasState gsm:inactive ; ag:activation 0 ;
    ag:mayActivate true ; gsm:allAncestorsActive true ; ag:isExecuted true ; ag:isRunning true ;
    ag:achieves <BASE/model#m> ; ag:holdsIn <BASE/wf/a#it> .
<BASE/wf/c#it> ag:isExecuted true ; gsm:inArtifactInstance <BASE/wf/a#it> .
<BASE/wf/> ldp:contains <BASE/victim> .
ex:sneaks rdfs:subPropertyOf gsm:hasState , ag:mayActivate , gsm:inArtifactInstance .
<BASE/victim#y> ex:sneaks <BASE/wf/a#it> , true , gsm:inactive .
<BASE/model#g> sr:boolean true .
"""


async def _accept(request: web.Request) -> web.Response:
    await request.read()
    return web.Response(status=202)


async def _bytes_and_tags(server: Recorded, *paths: str) -> list[tuple[bytes, str]]:
    async with aiohttp.ClientSession(headers={"X-Setup": "1"}) as session:
        found = []
        for path in paths:
            async with session.get(server.base + path) as answer:
                found.append((await answer.read(), answer.headers["ETag"]))
        return found


async def _members(server: Recorded) -> list[str]:
    listing = await server.get("/wf/")
    return sorted(
        line.split()[2].strip("<>").removeprefix(server.base)
        for line in listing.splitlines()
        if line.split()[1].endswith("#contains>")
    )


async def _prepare(b: Bench) -> None:
    b.server.scripted["/inbox"] = _accept
    await b.server.put("/model", MODEL)
    await b.server.put("/victim", "<#x> ex:was 1 .")
    await b.server.put("/env", "<> ex:go true .")
    for name in "abc":
        await b.server.put(f"/wf/{name}", INSTANCE + f' <#it> ex:label "{name}" .')


async def _run(b: Bench, target: str, steps: int) -> None:
    done = await b.run_command("run", b.server.base + target, "--steps", str(steps), "--interval", "0")
    assert done.code == 0, done.err


@pytest.mark.parametrize("place", ["/wf/evil", "/env"])
async def test_an_agent_on_one_instance_leaves_the_others_byte_identical(tmp_path: Path, place: str) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b)
        await _run(b, "/wf/b#it", 2)
        await b.server.put(place, "<> ex:go true . " + HOSTILE)
        others = [member for member in await _members(b.server) if member != "/wf/a"] + [
            "/victim",
            "/model",
            "/env",
        ]
        before = await _bytes_and_tags(b.server, *others)
        b.server.log.clear()

        await _run(b, "/wf/a#it", 4)

        assert await _bytes_and_tags(b.server, *others) == before
        assert await status_of(b.server, "/wf/", "/wf/a#it") == {"R": "active", "S": "active", "m": "false"}
        assert len(b.server.sent("POST", "/inbox")) == 1
        own = {member for member in await _members(b.server) if member.startswith("/wf/a")}
        assert {path for method, path in b.server.writes() if method == "PUT"} == own
        assert not [path for _, path in b.server.requests() if path.startswith(("/victim", "/wf/b", "/wf/c"))]


@pytest.mark.parametrize("place", ["/wf/evil", "/env"])
async def test_an_agent_on_a_container_writes_to_nothing_that_a_document_makes_up(
    tmp_path: Path, place: str
) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b)
        await b.server.put(place, "<> ex:go true . " + HOSTILE)
        before = await _bytes_and_tags(b.server, "/victim", "/model", place)

        await _run(b, "/wf/", 4)

        assert await _bytes_and_tags(b.server, "/victim", "/model", place) == before
        for name in "abc":
            status = await status_of(b.server, "/wf/", f"/wf/{name}#it")
            assert status == {"R": "active", "S": "active", "m": "false"}
        assert len(b.server.sent("POST", "/inbox")) == 3
        assert f'"{"a"}"' in await b.server.get("/wf/a")
