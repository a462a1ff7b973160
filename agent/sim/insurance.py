"""The scenario ``insurance``: more claims than experts, first come, first served or by what a delay would cost."""

import asyncio

from msgspec import Struct

from agent.rdf.terms import IRI
from agent.runtime.report import OVER, StepReport
from agent.schedulers import terms
from agent.schedulers.descriptions import facts_of
from agent.sim.books import Books, table
from agent.sim.claims import Rush
from agent.sim.office import SCHEDULER, Office, open_office
from agent.sim.office_day import Day, close_books
from agent.sim.overtaking import overtakings
from agent.sim.show import Say, Verdict
from agent.vocab import SCHED

TITLE = "insurance: more claims than experts; who comes first decides what the insurance owes for being late."
POLICIES = {"first come": "fifo-policy", "by penalty": "penalty-policy"}
"""What the two runs are called, and the bundled description of the policy of each."""
TOLD = Rush(claims=12, per_second=30.0, experts=1, seed=4, step_s=0.25)
WATCHED = Rush(claims=24, per_second=30.0, experts=2, seed=4, step_s=0.25)
MOST_TOLD = 8
OPEN_PAUSE_S = 1.0


class RushHour(Struct, frozen=True):
    """The show of a ``rush``: the same claims under both policies, or slowly under the second."""

    rush: Rush = TOLD
    open_rush: Rush = WATCHED

    async def perform(self, say: Say, stop: asyncio.Event) -> Verdict:
        """Handle all claims twice and compare what is owed; see ``Show``."""
        rush = self.rush
        say(TITLE)
        say(
            f"{rush.claims} claims come in within {rush.claims / rush.per_second:g} s; experts: {rush.experts}"
        )
        arms: list[Books] = []
        for name, policy in POLICIES.items():
            async with open_office(rush, policy) as office:
                if not await Day(office, stop=stop).run():
                    return Verdict("", is_complete=False)
                arms.append(await close_books(office, name))
                for line in await _told(office, name):
                    say(line)
        say("")
        for line in table(arms):
            say(line)
        return _verdict(*arms)

    async def improvise(self, say: Say, stop: asyncio.Event) -> None:
        """Handle the claims of a bigger rush slowly, and stay open afterwards."""
        async with open_office(self.open_rush, POLICIES["by penalty"]) as office:
            for line in _programme(office):
                say(line)

            async def tell(report: StepReport) -> None:
                say(await _state(office, report))

            if await Day(office, tell, OPEN_PAUSE_S, stop).run():
                for line in table([await close_books(office, "by penalty")]):
                    say(line)
                say("Every claim is closed. Everything can still be read; Ctrl-C ends it.")
                await stop.wait()


async def _told(office: Office, name: str) -> list[str]:
    """Return what made a difference on the day of ``office``, in lines."""
    names = {instance: claim.name for instance, claim in office.processes.items()}
    overtaken = await overtakings(office.files, office.base + SCHEDULER, names)
    lines = [f"  {one}" for one in overtaken[:MOST_TOLD]]
    more = len(overtaken) - MOST_TOLD
    return [
        "",
        f"{name}: {len(overtaken) or 'no'} decisions for a later request",
        *lines,
        *([f"  ... and {more} more"] if more > 0 else []),
    ]


def _verdict(first_come: Books, by_penalty: Books) -> Verdict:
    owed = f"{first_come.penalty:g} owed first come, first served, {by_penalty.penalty:g} by penalty"
    differences: list[str] = []
    if by_penalty.penalty >= first_come.penalty:
        differences.append(f"expected less owed by penalty: {owed}")
    if by_penalty.work_s != first_come.work_s:
        differences.append(
            f"expected equal luck: {first_come.work_s:g} s of work and {by_penalty.work_s:g} s"
        )
    return Verdict(f"every claim closed; {owed}", tuple(differences))


async def _state(office: Office, report: StepReport) -> str:
    queue = f"{office.base}{SCHEDULER}queue/"
    listed = facts_of((await office.files.read(queue))[0])
    waiting = sum(1 for _ in listed.subjects(terms.STATUS, IRI(SCHED + "Pending")))
    open_claims = sum(one.status not in OVER for one in report.instances)
    return f"{office.clock.elapsed():5.2f} s  {open_claims:2} claims open, {waiting:2} of them wait for an expert"


def _programme(office: Office) -> list[str]:
    """Return what a visitor has to know: where everything is, how to join in, how to end it."""
    rush, scheduler = office.rush, office.base + SCHEDULER
    return [
        TITLE,
        "",
        f"  server      {office.base}",
        f"  processes   {office.container}",
        f"  scheduler   {scheduler}",
        "",
        "Look and join in from another terminal:",
        f"  curl {scheduler}queue/        # who waits, with rank and score",
        f"  curl {scheduler}decisions/    # one document per decision; follow one",
        "  curl -X PUT -H 'Content-Type: text/turtle' \\",
        "    -d '<#it> a <https://w3id.org/milepost/scheduling#FifoPolicy> .' \\",
        f"    {scheduler}policy     # from now on: first come, first served",
        "",
        f"{rush.claims} claims come in, {rush.per_second:g} a second, and there are {rush.experts} experts.",
        f"With every step the clock moves {rush.step_s:g} s. Ctrl-C stops everything and forgets it.",
        "",
    ]
