"""The server with the claims' workflows and the experts' scheduler is killed in the middle of a rush.

Server and agent are processes of their own, in real time; services and claims live elsewhere and go on. The scheduler
loses nothing that it accepted, and no appraisal is done twice.
"""

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import Popen

import aiohttp
import pyoxigraph as ox
from aiohttp import ClientSession

from agent.sim.claim_files import INS
from agent.vocab import AG, GSM, SCHED, XSD
from tests.support.bureau import Bureau, open_bureau
from tests.support.command_line import run_milepost, start_milepost
from tests.support.depth import depth
from tests.support.ports import free_port

CLAIMS = depth(5, 60)
EXPERTS = depth(2, 5)
LIMIT_S = depth(140, 1500)
STAGES = ("register", "estimate", "analyse", "request-information", "decide", "appraise")
RDF = {"Content-Type": "text/turtle"}


class Office:
    """The server with the workflows, as a client sees it; it may be gone and come back."""

    def __init__(self, base: str, session: ClientSession) -> None:
        self.base = base
        self._session = session

    async def put(self, path: str, turtle: str, **headers: str) -> None:
        async with self._session.put(self.base + path, data=turtle.encode(), headers=RDF | headers) as answer:
            assert answer.status in {201, 204}, await answer.text()

    async def read(self, uri: str) -> list[ox.Triple]:
        async with self._session.get(uri, headers={"Accept": "application/n-triples"}) as answer:
            return [quad.triple for quad in ox.parse(await answer.read(), format=ox.RdfFormat.N_TRIPLES)]

    async def entries(self) -> dict[str, str]:
        """Return the status of every entry in the experts' queue, by key."""
        said = await self.read(f"{self.base}/schedulers/expertise/queue/")
        return {
            _text(t.subject).rpartition("/")[2]: _text(t.object).removeprefix(SCHED)
            for t in said
            if t.predicate.value == SCHED + "status"
        }

    async def open_instances(self) -> list[str]:
        """Return the instances that have not ended."""
        roots = [f"{self.base}/processes/{_claim(number)}" for number in range(CLAIMS)]
        states = [
            {_text(t.object) for t in await self.read(root) if t.predicate.value == GSM + "hasState"}
            for root in roots
        ]
        return [
            f"{root}#it" for root, state in zip(roots, states, strict=True) if state != {GSM + "inactive"}
        ]


def _text(term: ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple) -> str:
    assert not isinstance(term, ox.Triple)
    return term.value


def _claim(number: int) -> str:
    return f"claim-{number:02}"


@asynccontextmanager
async def _served(folder: Path, port: int) -> AsyncIterator["Popen[str]"]:
    process = start_milepost("serve", "--data", "data", "--port", str(port), cwd=folder)
    try:
        assert process.stdout is not None
        assert "serving" in await asyncio.to_thread(process.stdout.readline)
        yield process
    finally:
        process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.communicate)


async def _furnish(office: Office, bureau: Bureau) -> None:
    basic = {"Link": '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"'}
    await office.put("/processes/", "", **basic)
    await office.put(
        "/schedulers/expertise/",
        f"<#it> a <{SCHED}SchedulerProxy> ; <{SCHED}forService> <{bureau.base}/services/expertise> ;"
        f' <{SCHED}capacity> {EXPERTS} ; <{SCHED}responseTime> "PT0.1S"^^<{XSD}duration> ;'
        f" <{SCHED}honoursIdempotencyKey> true ; <{SCHED}observes> </processes/> ;"
        f" <{SCHED}policy> [ a <{SCHED}SlaPenaltyPolicy> ] .",
    )
    for number in range(CLAIMS):
        model = "liability-claim" if number % 4 == 3 else "comprehensive-claim"
        agreement = ("basic", "regular", "premium", "liability")[number % 4]
        claim = f"{bureau.base}/claims/{_claim(number)}"
        await office.put(
            f"/processes/{_claim(number)}",
            f"<#it> a <{GSM}ArtifactInstance> ; <{GSM}hasState> <{GSM}uninitialized> ;"
            f" <{GSM}isInstanceOf> <{bureau.base}/insurance/{model}#{model}> ;"
            f" <{SCHED}governedBy> <{bureau.base}/insurance/agreements#{agreement}> ;"
            f" <{INS}concerns> <{claim}#it> ; <{AG}source> <{claim}> .",
        )


async def _retry_what_was_never_sent(office: Office, folder: Path) -> None:
    """Retry, as an operator does, the active stages whose task the kill kept the agent from sending."""
    for instance in await office.open_instances():
        for stage in STAGES:
            done = await run_milepost("retry", instance, stage, cwd=folder)
            assert done.code in {0, 1, 2}, done.err  # not active, or a stage of the other model


async def _until_ended(office: Office, bureau: Bureau, folder: Path) -> None:
    """Wait until every instance has ended; where nothing moves for a while, retry what was never sent."""
    seen, still = "", 0
    async with asyncio.timeout(LIMIT_S):
        while remaining := await office.open_instances():
            statuses = await office.entries()
            state = repr((remaining, statuses, bureau.results))
            is_busy = {"Pending", "Running"} & set(statuses.values())
            still = still + 1 if state == seen and not is_busy else 0
            seen = state
            if still > 12:
                await _retry_what_was_never_sent(office, folder)
                still = 0
            await asyncio.sleep(0.25)


async def test_a_kill_in_the_middle_of_a_rush_loses_no_request_and_sends_none_twice(tmp_path: Path) -> None:
    port = free_port()
    facts = tmp_path / "schedulers.ttl"
    async with open_bureau() as bureau, ClientSession(timeout=aiohttp.ClientTimeout(30)) as session:
        office = Office(f"http://127.0.0.1:{port}", session)
        queue = f"{office.base}/schedulers/expertise/queue/"
        facts.write_text(
            f"<{office.base}/schedulers/expertise/#it> <{SCHED}forService> <{bureau.base}/services/expertise> ;"
            f" <{SCHED}queue> <{queue}> .",
            encoding="utf-8",
        )
        async with _served(tmp_path, port):
            await _furnish(office, bureau)
            agent = start_milepost(
                "run", f"{office.base}/processes/", "-i", str(facts), "--interval", "0.1", cwd=tmp_path
            )
            # Its output is read all the time: an agent that prints into a full pipe stands still.
            printed = asyncio.create_task(asyncio.to_thread(agent.communicate))
            await bureau.wait_for_appraisals(max(1, CLAIMS // 4), LIMIT_S)
            accepted = await office.entries()
        try:
            async with _served(tmp_path, port):
                await _until_ended(office, bureau, tmp_path)
                entries = await office.entries()
        finally:
            agent.send_signal(signal.SIGINT)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(asyncio.shield(printed), 30)
            agent.kill()
            await printed

    assert entries.keys() >= accepted.keys()
    assert set(entries.values()) == {"Done"}
    assert {key: bureau.appraised[key] for key in entries} == dict.fromkeys(entries, 1)
    assert bureau.appraised.keys() == entries.keys()
    # What was on its way when the server died may come once more, under its key; the experts see who it is.
    assert sum(count > 1 for count in bureau.calls.values()) <= EXPERTS
    assert bureau.most_busy <= 2 * EXPERTS
    assert {len(said) for said in bureau.results.values()} <= {5, 7}
    assert len(bureau.results) == CLAIMS
