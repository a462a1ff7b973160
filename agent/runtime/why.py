"""Asking why: one step of the real machine on one instance, which reads and decides and sends nothing (ADR 0105)."""

import asyncio
import uuid
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import partial

from msgspec import Struct, field
from msgspec.structs import replace

from agent.clock import WallClock, lexical
from agent.errors import UsageError
from agent.fetch.polling import Sources
from agent.gsm.why.explain import explain
from agent.gsm.why.explanation import Explanation
from agent.gsm.why.snapshot import Heard, History
from agent.messages import Headers
from agent.n3.program import Program
from agent.rdf.terms import IRI, Triple
from agent.runtime.hosts import endpoints_of, uris_of
from agent.runtime.looking import read_outcome, take_step
from agent.runtime.machine import Machine
from agent.runtime.report import StepReport
from agent.runtime.running import RunOrder, plan_of
from agent.runtime.targets import Targets, find_targets
from agent.runtime.why_snapshot import Overhearing
from agent.settings import Settings
from agent.transport.client import Client, Reply


class WhyOrder(Struct, frozen=True):
    """What to ask about: the instance ``uri``, and an ``element`` of its model or, if empty, all of them.

    ``program`` and ``facts`` come on top of the lifecycle, as in a run; ``history`` is what a trace tells.
    """

    uri: str
    element: str = ""
    program: Program = field(default_factory=Program)
    facts: tuple[Triple, ...] = ()
    container: str = ""
    history: History | None = None


async def ask_why(order: WhyOrder, settings: Settings) -> Explanation:
    """Return why things are as they are with the instance, by fresh GETs.

    WorldError if it cannot be read, UsageError if it is no instance or its model has no such element, and what else
    keeps a step from being decided (BudgetError, ProgramError).
    """
    async with _Listening(settings) as client:
        run = RunOrder(
            (order.uri,),
            order.program,
            order.facts,
            dry_run=True,
            keep_grounds=True,
            container=order.container,
        )
        client.policy.name(order.uri, order.container, *uris_of(order.program))
        client.policy.name(*uris_of(Program(facts=order.facts)))
        client.policy.name_endpoints(*endpoints_of((*order.program.facts, *order.facts)))
        targets = await find_targets(run.uris, partial(read_outcome, client), order.container)
        if not targets.instances:
            raise UsageError(
                "USE005",
                f"{order.uri} is a container, not a workflow instance",
                hint="Ask about one of its members; the URI of an instance has a fragment, such as #it.",
            )
        return await _explain(order, run, targets, client)


async def _explain(order: WhyOrder, run: RunOrder, targets: Targets, client: "_Listening") -> Explanation:
    (instance, container), *_ = targets.instances.items()
    plan = plan_of(run, targets, client)
    assert plan.workflows is not None  # noqa: S101  a plan on an instance has them
    workflows = Overhearing(plan.workflows)
    instant = lexical(WallClock().now())
    machine = Machine(replace(plan, workflows=workflows), instant, str(uuid.uuid4()))
    sources = Sources(client, asyncio.get_running_loop().time)
    report = await take_step(machine, client, sources)
    snapshot = replace(
        workflows.snapshot(IRI(instance), container, machine.memory, report),
        heard=client.heard(report),
        program=order.program,
        given=frozenset(order.facts),
        history=order.history,
    )
    return explain(snapshot, order.element)


class _Listening(Client):
    """A client that remembers the last answer to each GET."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._replies: dict[str, Reply] = {}

    async def get(self, uri: str, headers: Headers = (), validator: str = "") -> Reply:
        """GET ``uri`` and remember the answer."""
        reply = await super().get(uri, headers, validator)
        self._replies[uri] = reply
        return reply

    def heard(self, report: StepReport) -> dict[str, Heard]:
        """Return how the documents of the step were answered."""
        return {get.uri: Heard(get.status, get.etag, self._modified(get.uri)) for get in report.gets}

    def _modified(self, uri: str) -> str:
        reply = self._replies.get(uri)
        try:
            when = parsedate_to_datetime(reply.headers.get("last-modified", "")) if reply else None
            return lexical(when.astimezone(UTC)) if when and when.tzinfo else ""
        except (ValueError, OverflowError):
            return ""
