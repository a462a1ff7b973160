"""The open insurance: visitors read the queue and change the policy while the claims are handled."""

import asyncio
import re
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path

from aiohttp import ClientSession

from agent.rdf.documents import parse_document
from agent.rdf.terms import IRI, RDF_TYPE
from agent.schedulers import terms
from agent.schedulers.descriptions import facts_of
from tests.support.command_line import command, environment

CHECKOUT = Path(__file__).resolve().parents[2]
FIFO = b"<#it> a <https://w3id.org/milepost/scheduling#FifoPolicy> ."


async def test_a_visitor_changes_the_policy_and_leaves_with_ctrl_c() -> None:
    demo = await asyncio.create_subprocess_exec(
        *command("demo", "--scenario", "insurance"),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
        cwd=CHECKOUT,
        env=environment(),
    )
    try:
        steps = await join_in(demo)
        _, err = await demo.communicate()
    finally:
        if demo.returncode is None:
            demo.kill()
    assert (steps, demo.returncode, err) == (2, 130, b"")


async def join_in(demo: Process) -> int:
    """Change the policy after the first step, press Ctrl-C after the second, and return how many there were."""
    assert demo.stdout is not None
    scheduler, steps = "", 0
    async for line in demo.stdout:
        found = re.match(r"  scheduler +(\S+)", line.decode())
        scheduler = found[1] if found else scheduler
        if not re.match(r" +\d+\.\d+ s +\d+ claims open", line.decode()):
            continue
        steps += 1
        if steps == 1:
            await change_the_policy(scheduler)
        if steps == 2:
            demo.send_signal(signal.SIGINT)
            break
    return steps


async def change_the_policy(scheduler: str) -> None:
    """Do what the hints of the demo say."""
    headers = {"Content-Type": "text/turtle"}
    async with ClientSession() as session:
        async with session.put(f"{scheduler}policy", data=FIFO, headers=headers) as answer:
            assert answer.status == 204
        for page, kind in (("policy", terms.FIFO_POLICY), ("queue/", terms.REQUEST_QUEUE)):
            async with session.get(scheduler + page) as answer:
                said = parse_document(await answer.read(), answer.content_type, scheduler + page, strict=True)
            about = IRI(scheduler + page + ("" if page.endswith("/") else "#it"))
            assert kind in {*facts_of(said.triples).objects(about, RDF_TYPE)}
