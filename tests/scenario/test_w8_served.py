"""W8 by the command line over real sockets: once, three times, and once more while it runs."""

from pathlib import Path
from typing import Any

from aiohttp import web

from agent.resources import read_bundled
from agent.runtime.trace import normalise
from tests.support.ports import free_port
from tests.support.recorded import Bench, Handler, Recorded, bench

WRITES = [17, 2, 2, 2, 2, 3, 4, 2, 2, 2, 4, 1, 2, 2, 3]
"""Writes of one run in each of its acting steps; the sixteenth step is quiet."""


async def _accept(request: web.Request) -> web.Response:
    await request.read()
    return web.Response(status=202)


async def _prepare(server: Recorded, *runs: str) -> None:
    server.scripted["/tasks/"] = _accept
    for name in ("model", "env"):
        await server.put(f"/{name}", read_bundled(f"rules/examples/w8/{name}.ttl"))
    for run in runs:
        await server.put(f"/status/{run}", read_bundled("rules/examples/w8/instance.ttl"))


async def _run(b: Bench) -> list[dict[str, Any]]:
    container = f"{b.server.base}/status/"
    options = ("--until-quiet", "2", "--interval", "0", "--delivery", "parallel")
    done = await b.run_command("run", container, *options)
    assert done.code == 0, done.err
    assert done.err == ""
    return b.trace


def _of(trace: list[dict[str, Any]], run: str) -> list[list[dict[str, Any]]]:
    """Return the requests of one run, step by step, with the rest of each step left out."""
    own = [
        {
            **step,
            "gets": [],
            "facts": 0,
            "requests": [r for r in step["requests"] if f"/status/{run}" in r["instance"]],
        }
        for step in trace
    ]
    return [step["requests"] for step in normalise(own)]


async def test_one_run_makes_fifty_writes_and_three_make_three_times_as_many_in_the_same_steps(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as b:
        await _prepare(b.server, "run-1")
        one = await _run(b)
        assert [len(step["requests"]) for step in one] == [*WRITES, 0, 0]
        assert len(b.server.writes()) == 50
        assert len(b.server.sent("POST", "/tasks/")) == 6

    async with bench(tmp_path) as b:
        await _prepare(b.server, "run-1", "run-2", "run-3")
        three = await _run(b)
        assert [len(step["requests"]) for step in three] == [*(3 * count for count in WRITES), 0, 0]
        assert len(b.server.writes()) == 150
        assert len(b.server.sent("POST", "/tasks/")) == 18


def _with_arrival(server: Recorded, step: int, arrive: Handler) -> None:
    """Let ``arrive`` answer the GET of the container in ``step``; all others are answered as they are."""
    ordinary = server.forward

    async def listing(request: web.Request) -> web.StreamResponse:
        nonlocal step
        step -= 1
        return await (arrive if step == 0 else ordinary)(request)

    server.scripted["/status/"] = listing


async def test_a_run_that_arrives_at_step_seven_runs_fully_and_changes_nothing_for_the_first(
    tmp_path: Path,
) -> None:
    port = free_port()  # one URI for both runs: names of elements depend on it
    async with bench(tmp_path, port) as b:
        await _prepare(b.server, "run-1")
        alone = _of(await _run(b), "run-1")

    async with bench(tmp_path, port) as b:
        await _prepare(b.server, "run-1")

        async def arrive(request: web.Request) -> web.StreamResponse:
            await b.server.put("/status/late", read_bundled("rules/examples/w8/instance.ttl"))
            return await b.server.forward(request)

        _with_arrival(b.server, 8, arrive)  # the first GET looks what the container is, before step 1
        both = await _run(b)

    assert [len(requests) for requests in _of(both, "late")] == [*[0] * 6, *WRITES, 0, 0]
    first = _of(both, "run-1")
    assert first[: len(alone)] == alone
    assert not any(first[len(alone) :])
