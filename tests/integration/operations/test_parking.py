"""An instance that runs in a circle is parked with the reason, others go on, and it goes on when it is resumed."""

from pathlib import Path

import pyoxigraph as ox
from aiohttp import web

from tests.support.command_line import run_milepost
from tests.support.recorded import Bench, bench
from tests.support.status import status_of

REFIRING = """
<#R> a gsm:Stage ; gsm:hasChildStage <#alarm> .
<#alarm> a gsm:Stage ; gsm:hasGuard <#smoke> ; gsm:hasMilestone <#rung> ; gsm:hasHttpRequest <#task> .
<#smoke> gsm:hasCondition [ ag:ask "ASK { <BASE/env> <http://example.org/vocab#smoke> true QUESTION }" ] .
<#rung> gsm:hasAchievingSentry [ ag:ask "ASK {}" ] .
<#task> http:mthd m:POST ; http:requestURI <BASE/inbox> ; http:body "ring" .
"""
OWN_MILESTONE = ". ?thisArtifactInstance ag:hasUnachievedMilestone <#rung>"
LENGTH = 12


def _chain() -> str:
    """Return a model of stages that open one after the other, two steps each."""
    stages = [
        f"<#R> gsm:hasChildStage <#s{n}> . <#s{n}> a gsm:Stage ; gsm:hasMilestone <#m{n}> ; gsm:hasGuard "
        f'[ gsm:hasCondition [ ag:ask "ASK {{ ?thisArtifactInstance ag:hasUnachievedMilestone <#m{n}> '
        f'{f"; gsm:hasAchievedMilestone <#m{n - 1}>" if n else ""} }}" ] ] .'
        f"<#m{n}> gsm:hasAchievingSentry <#always> ."
        for n in range(LENGTH)
    ]
    return '<#R> a gsm:Stage . <#always> ag:ask "ASK {}" .' + "\n".join(stages)


async def _accept(request: web.Request) -> web.Response:
    await request.read()
    return web.Response(status=202)


async def _prepare(b: Bench, model: str = REFIRING) -> None:
    b.server.scripted["/inbox"] = _accept
    await b.server.put("/refiring", model.replace("QUESTION", ""))
    await b.server.put("/chain", _chain())
    await b.server.put("/env", "<> ex:smoke true .")
    for name, kind in (("a", "refiring"), ("b", "chain")):
        await b.server.put(
            f"/wf/{name}",
            f"<#it> a gsm:ArtifactInstance ; gsm:isInstanceOf <BASE/{kind}#R> ; "
            f'gsm:hasState gsm:uninitialized ; rdfs:label "Fall {name}"@de ; ex:note [ ex:page 3 ] .',
        )


async def _statements(b: Bench) -> set[ox.Quad]:
    """Return what the document of the instance says, with blank nodes named by what is said of them."""
    dataset = ox.Dataset(ox.parse(await b.server.get("/wf/a"), format=ox.RdfFormat.N_TRIPLES))
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return set(dataset)


async def test_a_refiring_instance_is_parked_while_the_one_beside_it_works_to_its_end(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b)

        done = await b.run_command("run", f"{b.server.base}/wf/", "--steps", "30", "--interval", "0")

        assert done.code == 0, done.err
        parked = next(step["step"] for step in b.trace if "held" in step)
        assert parked == 14
        assert done.out.count(f"{b.server.base}/wf/a#it is parked: stage {b.server.base}/refiring#alarm") == 1
        assert done.err.count("GSM061") == done.err.count("GSM060") == 1
        assert done.err.index("GSM061") < done.err.index("GSM060")
        later = [r["instance"] for step in b.trace for r in step["requests"] if step["step"] >= parked]
        assert set(later) == {f"{b.server.base}/wf/b#it"}
        status = await status_of(b.server, "/wf/", "/wf/b#it")
        assert [status[f"m{n}"] for n in range(LENGTH)] == ["true"] * LENGTH
        assert len(b.server.sent("POST", "/inbox")) == 6


async def test_the_reason_stands_on_the_instance_beside_everything_else(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b)
        await b.run_command("run", f"{b.server.base}/wf/a#it", "--interval", "0", "--steps", "1")
        before = await _statements(b)

        done = await b.run_command("run", f"{b.server.base}/wf/a#it", "--interval", "0", "--steps", "40")

        assert done.code == 5
        reason = (
            f"stage {b.server.base}/refiring#alarm was opened 6 times in a row by guard "
            f"{b.server.base}/refiring#smoke, and nothing else changed"
        )
        assert f"error GSM060  the instance is parked: {reason}" in done.err
        assert f"milepost resume {b.server.base}/wf/a#it" in done.err
        after = await _statements(b)
        assert before < after
        assert [(q.predicate.value.rpartition("#")[2], q.object) for q in after - before] == [
            ("isParked", ox.Literal(reason))
        ]
        again = await b.run_command("run", f"{b.server.base}/wf/a#it", "--interval", "0", "--steps", "40")
        assert (again.code, len(b.trace), b.trace[0]["requests"]) == (5, 1, [])


async def test_a_parked_instance_goes_on_when_its_model_is_repaired_and_it_is_resumed(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b)
        await b.run_command("run", f"{b.server.base}/wf/a#it", "--interval", "0", "--steps", "40")
        await b.server.put("/refiring", REFIRING.replace("QUESTION", OWN_MILESTONE))
        b.server.log.clear()

        resumed = await run_milepost("resume", f"{b.server.base}/wf/a#it", cwd=tmp_path)
        done = await b.run_command("run", f"{b.server.base}/wf/a#it", "--until-quiet", "2", "--interval", "0")

        assert (resumed.code, resumed.out) == (0, f"{b.server.base}/wf/a#it goes on\n")
        assert done.code == 0, done.err
        assert "isParked" not in await b.server.get("/wf/a")
        status = await status_of(b.server, "/wf/", "/wf/a#it")
        assert (status["alarm"], status["rung"]) == ("inactive", "true")
        assert len(b.server.sent("POST", "/inbox")) <= 1


async def test_a_dry_run_and_a_resting_instance_park_nothing(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b, REFIRING.replace("QUESTION", OWN_MILESTONE))
        quiet = await b.run_command("run", f"{b.server.base}/wf/", "--steps", "8", "--interval", "0")
        assert (quiet.code, "GSM06" in quiet.err) == (0, False)
        await _prepare(b)
        dry = await b.run_command(
            "run", f"{b.server.base}/wf/a#it", "--dry-run", "--steps", "13", "--interval", "0"
        )
        assert (dry.code, "GSM06" in dry.err) == (0, False)
        assert "isParked" not in await b.server.get("/wf/a")
