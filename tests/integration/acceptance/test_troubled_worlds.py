"""Parts of the world in trouble: the rest goes on in the same steps, and the user is told which part it is."""

import asyncio
from pathlib import Path

import pytest
from aiohttp import web

from tests.support.command_line import Done
from tests.support.recorded import Bench, Handler, bench
from tests.support.status import status_of

GUARD = 'ag:ask "ASK { <BASE/env> <http://example.org/vocab#go> true }"'
MODEL = f"""
<#R> a gsm:Stage ; gsm:hasChildStage <#S> .
<#S> a gsm:Stage ; gsm:hasGuard <#g> ; gsm:hasMilestone <#m> ; gsm:hasHttpRequest <#task> .
<#g> gsm:hasCondition <#going> . <#going> {GUARD} .
<#m> gsm:hasAchievingSentry [ ag:ask "ASK {{ <BASE/env> <http://example.org/vocab#done> true }}" ] .
<#task> http:mthd m:POST ; http:requestURI <BASE/inbox> ; http:body "start" .
"""
OPENED = {"R": "active", "S": "active", "m": "false"}


def answering(status: int, body: bytes = b"", media_type: str = "text/turtle") -> Handler:
    """Return what answers everything in this way."""

    async def answer(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(status=status, body=body, content_type=media_type)

    return answer


async def _hang(_: web.Request) -> web.Response:
    await asyncio.Event().wait()
    return web.Response()


async def _prepare(b: Bench, *instances: str, model: str = MODEL) -> None:
    b.server.scripted["/inbox"] = answering(202)
    await b.server.put("/model", model)
    await b.server.put("/env", "<> ex:go true .")
    for path in instances:
        await _start(b, path)


async def _start(b: Bench, path: str, model: str = "/model") -> None:
    await b.server.put(
        path,
        f"<#it> a gsm:ArtifactInstance ; gsm:isInstanceOf <BASE{model}#R> ; gsm:hasState gsm:uninitialized .",
    )


async def _run(b: Bench, target: str, steps: int) -> Done:
    done = await b.run_command("run", b.server.base + target, "--steps", str(steps), "--interval", "0")
    assert done.code == 0, done.err
    return done


def _told(b: Bench, done: Done) -> list[str]:
    return done.err.replace(b.server.base, "BASE").splitlines()


async def test_an_element_that_cannot_be_read_blocks_its_instance_alone_and_is_named(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b, "/wf/a", "/wf/b")
        await _run(b, "/wf/", 2)
        await b.server.put("/env", "<> ex:done true .")
        element = next(path for method, path in b.server.writes() if method == "PUT" and "/wf/a." in path)

        async def unavailable_once(request: web.Request) -> web.StreamResponse:
            del b.server.scripted[element]
            return web.Response(status=503)

        b.server.scripted[element] = unavailable_once
        done = await _run(b, "/wf/", 2)

        acted = [{request["instance"] for request in step["requests"]} for step in b.trace]
        assert acted == [{b.server.base + "/wf/b#it"}, {b.server.base + "/wf/a#it"}]
        lines = _told(b, done)
        assert lines[1:] == [
            f"BASE{element} is not known: the server answered 503",
            "BASE/wf/a#it is known again",
            f"BASE{element} is known again",
        ]
        assert lines[0] in [
            f"BASE/wf/a#it is blocked: BASE/model#{name} has no status, or not all of it was read"
            for name in ("S", "m")
        ]


async def test_broken_instances_keep_none_of_thirty_from_acting_in_the_same_steps(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        names = [f"i{number}" for number in range(30)]
        await _prepare(b, *(f"/wf/{name}" for name in names))
        b.server.scripted["/wf/i3"] = answering(500)
        b.server.scripted["/wf/i4"] = answering(200, b"\x00\xff", "text/turtle")
        b.server.scripted["/wf/i5"] = answering(200, b"\x00\xff", "application/octet-stream")
        await _start(b, "/wf/i6", model="/no-model")

        done = await _run(b, "/wf/", 3)

        assert [len(step["requests"]) for step in b.trace] == [26 * 3, 26 * 2, 0]
        opened = [await status_of(b.server, "/wf/", f"/wf/{name}#it") for name in ("i0", "i29")]
        assert opened == [OPENED, OPENED]
        assert _told(b, done) == [
            "BASE/no-model is not there: the server answered 404",
            "BASE/wf/i3 is not known: the server answered 500",
            "BASE/wf/i4 is not known: not readable as Turtle: the text is not UTF-8 (line 1)",
            "BASE/wf/i5 is not known: application/octet-stream is no RDF syntax",
            "BASE/wf/i6#it is blocked: BASE/no-model#R is not described, or not all of its description was read",
        ]


async def test_a_device_that_hangs_keeps_other_instances_waiting_for_no_step(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b, "/wf/a")
        silent = MODEL.replace("<BASE/inbox>", "<BASE/dead>").replace(
            "<BASE/env> <http://example.org/vocab#done>", "<BASE/dead/sensor> <http://example.org/vocab#done>"
        )
        await b.server.put("/silent", silent)
        await _start(b, "/wf/z", model="/silent")
        b.server.scripted["/dead"] = b.server.scripted["/dead/sensor"] = _hang

        await _run(b, "/wf/", 2)

        assert await status_of(b.server, "/wf/", "/wf/a#it") == OPENED
        assert await status_of(b.server, "/wf/", "/wf/z#it") == OPENED
        outcomes = {
            request["uri"].removeprefix(b.server.base): request["outcome"]
            for request in b.trace[1]["requests"]
            if request["method"] == "POST"
        }
        assert outcomes == {"/inbox": "confirmed", "/dead": "unknown"}


async def test_a_sentry_that_cannot_be_asked_is_named_once(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b, "/wf/a", "/wf/b", model=MODEL.replace(GUARD, 'ag:ask "ASK { ?x"'))

        done = await _run(b, "/wf/", 4)

        (line,) = _told(b, done)
        assert line.startswith("BASE/model#going is broken, so it never holds: ")


async def test_a_task_that_cannot_be_sent_is_named(tmp_path: Path) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b, "/wf/a", model=MODEL.replace("m:POST", "m:GET"))

        done = await _run(b, "/wf/a#it", 3)

        (line,) = _told(b, done)
        assert line.endswith(
            "warning ASM102  request not sent: BASE/model#task: "
            "a GET changes nothing, so it cannot be asked for by ag:likeRequest"
        )


@pytest.mark.parametrize("target", ["/café/i x#it", "/café/", "/caf%C3%A9/i%20x#it"])
async def test_a_user_may_name_by_an_iri_what_the_server_calls_by_a_uri(tmp_path: Path, target: str) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b, "/caf%C3%A9/i%20x")

        await _run(b, target, 3)

        assert await status_of(b.server, "/caf%C3%A9/", "/caf%C3%A9/i%20x#it") == OPENED


@pytest.mark.parametrize(("also", "steps"), [((), 3), (("/wf/",), 5)])
async def test_a_run_that_is_on_a_container_too_does_not_end_with_an_instance(
    tmp_path: Path, also: tuple[str, ...], steps: int
) -> None:
    async with bench(tmp_path) as b:
        ending = MODEL.replace("<#R> a gsm:Stage ;", "<#R> a gsm:Stage ; gsm:hasMilestone <#m> ;")
        await _prepare(b, "/wf/a", model=ending)
        await b.server.put("/env", "<> ex:done true .")

        uris = [b.server.base + path for path in ("/wf/a#it", *also)]
        done = await b.run_command("run", *uris, "--steps", "5", "--interval", "0")

        assert (done.code, len(b.trace)) == (0, steps), done.out
