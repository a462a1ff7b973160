"""Tasks of a workflow go through the scheduler that the operator names, and nobody else's."""

from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from rdflib import Graph, URIRef

from agent.vocab import HTTP, SCHED
from tests.support.recorded import PREFIXES, Bench, Recorded, bench

MODEL = """
<#R> a gsm:Stage ; gsm:hasChildStage <#S> ; gsm:hasMilestone <#end> .
<#S> a gsm:Stage ; gsm:hasGuard <#g> ; gsm:hasMilestone <#m> ; gsm:hasHttpRequest <#task> .
<#g> gsm:hasCondition [ ag:ask "ASK { ?thisArtifactInstance ag:hasUnachievedMilestone <#m> }" ] .
<#m> gsm:hasAchievingSentry [ ag:ask "ASK { <BASE/env> <http://example.org/vocab#done> true }" ] .
<#end> gsm:hasAchievingSentry [ ag:ask "ASK { ?thisArtifactInstance gsm:hasAchievedMilestone <#m> }" ] .
<#task> http:mthd m:POST ; http:requestURI <BASE/services/expertise> ;
    http:headers ( [ http:fieldName "Content-Type" ; http:fieldValue "text/turtle" ] ) ;
    http:body "<> <http://example.org/vocab#about> <http://purl.org/gsm/vocab#thisArtifactInstance> ." .
"""

INSTANCE = "<#it> a gsm:ArtifactInstance ; gsm:isInstanceOf <BASE/model#R> ; gsm:hasState gsm:uninitialized ."
SCHEDULER = """
@prefix sched: <https://w3id.org/milepost/scheduling#> .
<BASE/schedulers/e/#it> sched:forService <BASE/services/expertise> ; sched:queue <BASE/queue/> .
"""


async def _accept(request: web.Request) -> web.Response:
    await request.read()
    return web.Response(status=202)


async def _prepare(server: Recorded, env: str = "<> ex:done false .") -> None:
    server.scripted["/services/expertise"] = _accept
    await server.put("/model", MODEL)
    await server.put("/env", env)
    await server.put("/wf/a", INSTANCE)


async def _run(b: Bench, *options: str, steps: int = 4) -> None:
    done = await b.run_command(
        "run", f"{b.server.base}/wf/a#it", "--steps", str(steps), "--interval", "0.01", *options
    )
    assert done.code == 0, done.err


def _scheduler(b: Bench) -> str:
    file = b.folder / "scheduler.ttl"
    file.write_text(PREFIXES + SCHEDULER.replace("BASE", b.server.base), encoding="utf-8")
    return str(file)


def _entries(server: Recorded) -> list[Any]:
    return [e for e in server.log if e.method == "PUT" and e.path.startswith("/queue/")]


async def test_a_task_goes_into_the_queue_once_however_often_the_run_is_repeated(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b.server)
        await _run(b, "-i", _scheduler(b))
        await _run(b, "-i", _scheduler(b))
        [entry] = _entries(b.server)
        assert b.server.sent("POST", "/services/expertise") == []
        assert (entry.status, entry.headers["If-None-Match"], entry.headers["Prefer"]) == (
            201,
            "*",
            "respond-async",
        )
        here = b.server.base + entry.path
        graph = Graph().parse(data=entry.body, format="turtle", publicID=here)
        said = {str(p).rpartition("#")[2]: str(o) for p, o in graph.predicate_objects(URIRef(here))}
        assert said["requestURI"] == f"{b.server.base}/services/expertise"
        assert said["mthd"].endswith("#POST")
        assert said["body"] == f"<> <http://example.org/vocab#about> <{b.server.base}/wf/a#it> ."
        assert said["forInstance"] == f"{b.server.base}/wf/a#it"
        assert said["forActivity"] == f"{b.server.base}/model#S"
        assert said["forTask"].startswith(f"{b.server.base}/wf/a.")
        names = {str(o) for o in graph.objects(None, URIRef(HTTP + "fieldName"))}
        assert names == {"Content-Type"}


async def test_a_queue_that_has_the_entry_already_counts_as_done(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b.server, env="<> ex:done false .")
        await _run(b, "-i", _scheduler(b))
        [entry] = _entries(b.server)
        await b.server.put("/env", "<> ex:done true .")
        await _run(b, "-i", _scheduler(b), steps=6)
        assert _entries(b.server) == [entry]
        assert "inactive" in await b.server.get("/wf/a")


async def test_without_a_scheduler_the_task_goes_to_its_service(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b.server)
        await _run(b)
        [task] = b.server.sent("POST", "/services/expertise")
        assert task.body == f"<> <http://example.org/vocab#about> <{b.server.base}/wf/a#it> ."
        assert task.headers["Content-Type"] == "text/turtle"
        assert _entries(b.server) == []


@pytest.mark.parametrize("hostile", ["/env", "/wf/a"])
async def test_no_retrieved_document_can_divert_a_task(tmp_path: Path, hostile: str) -> None:
    async with bench(tmp_path) as b:
        said = f"<#it> <{SCHED}forService> <BASE/services/expertise> ; <{SCHED}queue> <BASE/queue/> ."
        await _prepare(b.server, env=said if hostile == "/env" else "<> ex:done false .")
        if hostile == "/wf/a":
            await b.server.put("/wf/a", INSTANCE + said)
        await _run(b)
        assert len(b.server.sent("POST", "/services/expertise")) == 1
        assert _entries(b.server) == []


async def test_what_another_service_or_a_rule_asks_for_is_not_scheduled(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b.server)
        b.server.scripted["/services/expertise-2"] = _accept
        program = """
        { <BASE/env> ex:done false } => { [] http:mthd m:POST ; http:requestURI <BASE/services/expertise> ; http:body "x" } .
        """
        file = b.folder / "extra.n3"
        file.write_text(PREFIXES + program.replace("BASE", b.server.base), encoding="utf-8")
        await b.server.put("/model", MODEL.replace("services/expertise", "services/expertise-2"))
        await _run(b, "-i", _scheduler(b), "-p", str(file))
        assert len(b.server.sent("POST", "/services/expertise-2")) == 1
        assert {e.body for e in b.server.sent("POST", "/services/expertise")} == {"x"}
        assert _entries(b.server) == []
