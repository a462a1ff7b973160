"""Several agents on one container at the same time. Without a protocol between them nothing is promised about what
they decide, but neither may stumble over the other, and what they leave behind has to be sound."""

import asyncio
from pathlib import Path

from aiohttp import web

from tests.support.command_line import run_milepost
from tests.support.recorded import recorded_server
from tests.support.status import status_of

MODEL = """
<#R> a gsm:Stage ; gsm:hasChildStage <#S> , <#T> ; gsm:hasMilestone <#end> .
<#S> a gsm:Stage ; gsm:hasMilestone <#m> ; gsm:hasGuard [ gsm:hasCondition
    [ ag:ask "ASK { ?thisArtifactInstance ag:hasUnachievedMilestone <#m> }" ] ] ; gsm:hasHttpRequest <#task> .
<#T> a gsm:Stage ; gsm:hasMilestone <#n> ; gsm:hasGuard [ gsm:hasCondition
    [ ag:ask "ASK { ?thisArtifactInstance gsm:hasAchievedMilestone <#m> ; ag:hasUnachievedMilestone <#n> }" ] ] .
<#m> gsm:hasAchievingSentry <#always> . <#n> gsm:hasAchievingSentry <#always> . <#always> ag:ask "ASK {}" .
<#end> gsm:hasAchievingSentry [ ag:ask "ASK { ?thisArtifactInstance gsm:hasAchievedMilestone <#m> , <#n> }" ] .
<#task> http:mthd m:POST ; http:requestURI <BASE/inbox> ; http:body "start" .
"""
ENDED = {"R": "inactive", "S": "inactive", "T": "inactive", "end": "true"}


async def _accept(request: web.Request) -> web.Response:
    await request.read()
    return web.Response(status=202)


async def test_two_agents_on_one_container_bring_its_instances_to_their_end(tmp_path: Path) -> None:
    async with recorded_server() as server:
        server.scripted["/inbox"] = _accept
        await server.put("/model", MODEL)
        names = "ab"
        for name in names:
            await server.put(
                f"/wf/{name}",
                f'<#it> a gsm:ArtifactInstance ; gsm:isInstanceOf <BASE/model#R> ; gsm:hasState gsm:uninitialized ; ex:label "{name}" .',
            )

        done = await asyncio.gather(
            *(
                run_milepost("run", server.base + "/wf/", "--steps", "10", "--interval", "0.05", cwd=tmp_path)
                for _ in range(2)
            )
        )

        assert [(one.code, one.err) for one in done if one.code] == []
        for name in names:
            status = await status_of(server, "/wf/", f"/wf/{name}#it")
            # One agent may open a stage again on what it read before the other achieved its milestone, and take that
            # back as the repair rules say, while the other ends the instance.
            milestones = {milestone: status.pop(milestone) for milestone in ("m", "n")}
            assert status == ENDED
            assert set(milestones.values()) <= {"true", "false"}
            assert f'"{name}"' in await server.get(f"/wf/{name}")
        listing = await server.get("/wf/")
        assert listing.count("#contains>") == len(names) * (1 + 2 + 3)
        assert len(server.sent("POST", "/inbox")) >= len(names)
