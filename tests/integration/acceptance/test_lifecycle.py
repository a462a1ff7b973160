"""The Guard-Stage-Milestone lifecycle over real sockets: one decision per step, instances kept apart."""

from pathlib import Path
from typing import Any

from aiohttp import web

from tests.support.recorded import Bench, bench
from tests.support.status import status_of

LEAF = """
<#R> a gsm:Stage ; gsm:hasChildStage <#S> .
<#S> a gsm:Stage ; gsm:hasGuard <#g> ; gsm:hasMilestone <#m> ; gsm:hasHttpRequest <#task> .
<#g> gsm:hasCondition [ ag:ask "ASK { <BASE/env> <http://example.org/vocab#go> true }" ] .
<#m> gsm:hasAchievingSentry [ ag:ask "ASK { <BASE/env> <http://example.org/vocab#done> true }" ] .
<#task> http:mthd m:POST ; http:requestURI <BASE/inbox> ; http:body "start" .
"""

NESTED = """
<#R> a gsm:Stage ; gsm:hasChildStage <#P> .
<#P> a gsm:Stage ; gsm:hasChildStage <#C> ; gsm:hasGuard <#gP> ; gsm:hasMilestone <#mP> .
<#C> a gsm:Stage ; gsm:hasGuard <#gC> ; gsm:hasHttpRequest <#task> .
<#gP> gsm:hasCondition [ ag:ask "ASK { <BASE/env> <http://example.org/vocab#go> true }" ] .
<#gC> gsm:hasCondition [ ag:ask "ASK { <BASE/env> <http://example.org/vocab#childMayGo> true }" ] .
<#mP> gsm:hasAchievingSentry [ ag:ask "ASK { <BASE/env> <http://example.org/vocab#done> true }" ] .
<#task> http:mthd m:POST ; http:requestURI <BASE/inbox> ; http:body "child" .
"""

INSTANCE = "<#it> a gsm:ArtifactInstance ; gsm:isInstanceOf <BASE/model#R> ; gsm:hasState gsm:uninitialized ."


async def _accept(request: web.Request) -> web.Response:
    await request.read()
    return web.Response(status=202)


async def _prepare(b: Bench, model: str, *instances: str) -> None:
    b.server.scripted["/inbox"] = _accept
    await b.server.put("/model", model)
    for instance in instances:
        await b.server.put(f"/wf/{instance}", INSTANCE)


async def _run(b: Bench, target: str, steps: int, **env: bool) -> list[dict[str, Any]]:
    """Set the environment to ``env``, run ``steps`` steps on ``target`` and return the trace."""
    facts = " ".join(f"<> ex:{name} {str(value).lower()} ." for name, value in env.items())
    await b.server.put("/env", facts)
    b.server.log.clear()
    done = await b.run_command("run", b.server.base + target, "--steps", str(steps), "--interval", "0")
    assert done.code == 0, done.err
    return b.trace


async def test_reopening_a_leaf_takes_its_milestone_back_and_sends_its_task_in_one_step(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b, LEAF, "a")
        await _run(b, "/wf/a#it", 2, go=True, done=False)
        assert await status_of(b.server, "/wf/", "/wf/a#it") == {"R": "active", "S": "active", "m": "false"}
        await _run(b, "/wf/a#it", 1, go=False, done=True)
        assert await status_of(b.server, "/wf/", "/wf/a#it") == {"R": "active", "S": "inactive", "m": "true"}

        await _run(b, "/wf/a#it", 1, go=True, done=False)

        methods = sorted(method for method, _ in b.server.writes())
        assert methods == ["POST", "PUT", "PUT"]
        assert len(b.server.sent("POST", "/inbox")) == 1
        assert await status_of(b.server, "/wf/", "/wf/a#it") == {"R": "active", "S": "active", "m": "false"}


async def test_a_closing_parent_wins_over_an_opening_child(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b, NESTED, "a")
        await _run(b, "/wf/a#it", 2, go=True, childMayGo=False, done=False)

        trace = await _run(b, "/wf/a#it", 1, go=True, childMayGo=True, done=True)

        assert await status_of(b.server, "/wf/", "/wf/a#it") == {
            "R": "active",
            "P": "inactive",
            "C": "inactive",
            "mP": "true",
        }
        assert b.server.sent("POST", "/inbox") == []
        assert len(trace[0]["clashes"]) == 1


async def test_instances_of_one_model_do_not_touch_each_other(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        own = LEAF.replace(
            "ASK { <BASE/env> <http://example.org/vocab#done> true }",
            "ASK { ?thisArtifactInstance <http://example.org/vocab#ready> true }",
        )
        await _prepare(b, own, "a", "b")
        await b.server.put("/wf/a", INSTANCE + " <#it> ex:ready true .")

        opening = await _run(b, "/wf/", 2, go=True)

        assert [len(step["requests"]) for step in opening] == [6, 4]
        assert len(b.server.sent("POST", "/inbox")) == 2
        before = await status_of(b.server, "/wf/", "/wf/b#it")

        await _run(b, "/wf/", 1, go=False)

        assert await status_of(b.server, "/wf/", "/wf/a#it") == {"R": "active", "S": "inactive", "m": "true"}
        assert (
            await status_of(b.server, "/wf/", "/wf/b#it")
            == before
            == {"R": "active", "S": "active", "m": "false"}
        )
        assert len(b.server.writes()) == 2


async def _unavailable(_: web.Request) -> web.Response:
    return web.Response(status=503)


async def test_a_negation_over_an_unreadable_document_is_not_true(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        negated = LEAF.replace(
            "ASK { <BASE/env> <http://example.org/vocab#go> true }",
            "ASK { <BASE/env> <http://example.org/vocab#go> true "
            "FILTER NOT EXISTS { <BASE/door> <http://example.org/vocab#isOpen> true } }",
        )
        await _prepare(b, negated, "a")
        await b.server.put("/door", "<> ex:isOpen false .")
        b.server.scripted["/door"] = _unavailable

        await _run(b, "/wf/a#it", 3, go=True)
        assert b.server.sent("GET", "/door")
        assert (await status_of(b.server, "/wf/", "/wf/a#it"))["S"] == "inactive"

        del b.server.scripted["/door"]
        await _run(b, "/wf/a#it", 1, go=True)
        assert (await status_of(b.server, "/wf/", "/wf/a#it"))["S"] == "active"


async def test_the_achieved_milestone_of_this_instance_counts_for_it_alone(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        chained = LEAF.replace(
            "gsm:hasChildStage <#S> .",
            "gsm:hasChildStage <#S> , <#T> .\n<#T> a gsm:Stage ; gsm:hasGuard <#gT> .",
        ).replace(
            "ASK { <BASE/env> <http://example.org/vocab#done> true }",
            "ASK { ?thisArtifactInstance <http://example.org/vocab#ready> true }",
        ) + (
            "<#gT> gsm:hasCondition [ a sp:Ask ; sp:where ( [ sp:subject gsm:thisArtifactInstance ;"
            " sp:predicate gsm:hasAchievedMilestone ; sp:object <#m> ] ) ] ."
        )
        await _prepare(b, chained, "a", "b")
        await b.server.put("/wf/a", INSTANCE + " <#it> ex:ready true .")

        await _run(b, "/wf/", 3, go=True)
        await _run(b, "/wf/", 1, go=False)

        assert (await status_of(b.server, "/wf/", "/wf/a#it"))["T"] == "active"
        assert (await status_of(b.server, "/wf/", "/wf/b#it"))["T"] == "inactive"
        assert not [path for _, path in b.server.requests() if "gsm/vocab" in path]
        assert "purl.org" not in str([step["gets"] for step in b.trace])
