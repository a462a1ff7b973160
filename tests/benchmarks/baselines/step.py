"""The step as both baselines take it: everything anew, plain GETs, the whole fixpoint; then the requests go out.

What is decided and sent, and in which order, is decided by the same code as in Milepost (agent.decide): the baselines
differ in how they read and how they reason.
"""

import asyncio
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from time import perf_counter
from typing import IO, Protocol

import aiohttp

from agent.bench.workflow.changes import Others
from agent.bench.workflow.ledger import Ledger
from agent.bench.workflow.records import Action, Kind, StepRecord, digests, write_line, write_step
from agent.bench.workflow.workload import RULES, STATUS
from agent.decide.bodies import Entity, render
from agent.decide.requests import ground_requests
from agent.decide.updates import UpdateSet, decide_updates
from agent.gsm.question import read_question
from agent.gsm.ruleset import workflow_program
from agent.gsm.terms import (
    ASK,
    BOOLEAN,
    HAS_RESULT,
    IS_EXECUTED,
    IS_INSTANCE_OF,
    IS_RUNNING,
    OF_INSTANCE,
    USES_SENTRY,
)
from agent.messages import Send, Written
from agent.n3.load import read_program
from agent.n3.program import DerivationRule, RequestRule
from agent.rdf.documents import Content
from agent.rdf.terms import IRI, TRUE, XSD_DATETIME, BlankNode, Literal, Term, Triple, document_of
from agent.reason.negation import has_negation, stratify
from agent.resources import read_bundled
from agent.runtime.machine import FRESH_ID, INSTANT, THIS_STEP
from agent.runtime.writing import Writing
from agent.vocab import GSM

CONNECTIONS = 32
_MOST_STEPS = 100
_HAS_STATE, _INACTIVE = IRI(GSM + "hasState"), IRI(GSM + "inactive")


class Interpreter(Protocol):
    """Reads and reasons; everything it knows is of one step."""

    def begin(self) -> None:
        """Forget everything."""

    def read(self, uri: str, body: bytes, media_type: str, etag: str) -> Content:
        """Return what a document says."""

    def add(self, triples: Iterable[Triple]) -> None:
        """Take triples into memory."""

    def saturate(self, rules: Sequence[DerivationRule]) -> None:
        """Apply ``rules`` until nothing is new."""

    def wanted(self, rules: Iterable[RequestRule]) -> set[str]:
        """Return the IRIs that GET rules ask for."""

    def bindings(self, rules: Iterable[RequestRule]) -> Iterator[tuple[RequestRule, Mapping[str, Term]]]:
        """Yield each rule with the bindings of its variables, at least those of its requests."""

    def objects(self, subject: Term, predicate: Term, /) -> Iterable[Term]:
        """Return the objects of the triples with this subject and predicate."""

    def subjects(self, predicate: Term, object_: Term, /) -> Iterable[Term]:
        """Return the subjects of the triples with this predicate and object."""

    def ask(self, text: str, base: str, prefixes: Mapping[str, str]) -> bool:
        """Return the answer to a SPARQL ASK query."""

    @property
    def size(self) -> int:
        """Return how many facts there are."""


class Baseline:
    """A run of W(n) by one ``interpreter`` on the server ``base``; ``out`` gets a line for each step."""

    def __init__(self, interpreter: Interpreter, base: str, ledger: Ledger, out: IO[str]) -> None:
        lifecycle, self._workflows = workflow_program({}, [base + STATUS])
        own = read_program(read_bundled(RULES), source=RULES, base=f"https://w3id.org/milepost/{RULES}")
        self._program = own + lifecycle
        self._positive = [rule for rule in self._program.derivations if not has_negation(rule.body)]
        self._strata = stratify(self._program.derivations)
        self._retrievals = [rule for rule in self._program.requests if rule.is_retrieval]
        self._requests = [rule for rule in self._program.requests if not rule.is_retrieval]
        self._memory = interpreter
        self._base = base
        self._ledger = ledger
        self._out = out
        self._outcomes: dict[str, Content] = {}
        self._last_instant = datetime(2026, 1, 1, tzinfo=UTC)

    async def run(self, idle: int, changes: int, others: Others) -> None:
        """Run to the end and through the steps after that."""
        quiet = 0
        connector = aiohttp.TCPConnector(limit=CONNECTIONS)
        async with aiohttp.ClientSession(connector=connector) as session:
            for number in range(1, _MOST_STEPS):
                self._ledger.go_on_with("read")
                self._ledger.taken()
                since = perf_counter()
                actions = await self._step(session)
                spent, wall_s = self._ledger.taken(), perf_counter() - since
                self._ledger.enter("aside")
                quiet += not actions
                kind: Kind = "work" if not quiet else "idle" if quiet <= idle else "change"
                record = StepRecord(
                    number,
                    kind,
                    len(self._outcomes),
                    len(actions),
                    self._memory.size,
                    wall_s,
                    spent,
                    digests(actions, self._base),
                )
                write_step(self._out, record)
                if idle <= quiet < idle + changes:
                    others.change_one([uri for uri in self._outcomes if self._base + STATUS + "run-" in uri])
                self._ledger.leave()
                if quiet == idle + changes:
                    break
        write_line(self._out, {"end": "quiet", "ended": self._ended()})

    async def _step(self, session: aiohttp.ClientSession) -> list[Action]:
        with self._ledger.during("reason"):
            self._memory.begin()
            self._memory.add(self._given())
            self._memory.saturate(self._positive)
        self._outcomes = {}
        while new := self._new():
            await asyncio.gather(*(self._get(session, uri) for uri in new))
            with self._ledger.during("reason"):
                self._memory.saturate(self._positive)
        with self._ledger.during("reason"):
            self._finish()
        with self._ledger.during("decide"):
            writing = self._decide()
        self._ledger.go_on_with("act")
        await self._send(session, writing)
        return [
            Action(next(iter(one.instances), ""), one.method, one.uri, one.body or b"")
            for one in writing.reports()
        ]

    def _given(self) -> Iterator[Triple]:
        self._last_instant += timedelta(seconds=1)
        yield from self._program.facts
        instant = self._last_instant.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        yield Triple(THIS_STEP, INSTANT, Literal(instant, XSD_DATETIME))
        yield Triple(THIS_STEP, FRESH_ID, Literal(str(uuid.uuid4())))

    def _new(self) -> list[str]:
        with self._ledger.during("reason"):
            wanted = {document_of(iri) for iri in self._memory.wanted(self._retrievals)}
        return sorted(uri for uri in wanted - self._outcomes.keys() if uri.startswith("http"))

    async def _get(self, session: aiohttp.ClientSession, uri: str) -> None:
        async with session.get(uri, headers={"Accept": "text/turtle"}) as answer:
            body = await answer.read()
            answer.raise_for_status()
        with self._ledger.during("parse"):
            content = self._memory.read(uri, body, answer.content_type, answer.headers.get("ETag", ""))
            self._outcomes[uri] = content
            admitted, _ = self._workflows.admit(content)
            self._memory.add(admitted)

    def _finish(self) -> None:
        for stratum in self._strata.before:
            self._memory.saturate([*self._positive, *stratum])
        self._memory.add(list(self._concluded()))
        self._memory.saturate(self._positive)
        for stratum in self._strata.after:
            self._memory.saturate([*self._positive, *stratum])

    def _concluded(self) -> Iterator[Triple]:
        """Yield the results of the sentries that are written as text."""
        general: dict[str, bool] = {}
        for instance in list(self._memory.subjects(IS_RUNNING, TRUE)):
            for root in list(self._memory.objects(instance, IS_INSTANCE_OF)):
                for sentry in list(self._memory.objects(root, USES_SENTRY)):
                    for text in list(self._memory.objects(sentry, ASK)):
                        if self._holds(text, sentry, instance, general):
                            yield from _result(sentry, instance)

    def _holds(self, text: Term, sentry: Term, instance: Term, general: dict[str, bool]) -> bool:
        if not isinstance(text, Literal) or not isinstance(sentry, IRI) or not isinstance(instance, IRI):
            return False
        question = read_question(text.lexical, document_of(sentry.value))
        asked = question.asked(instance.value, "2026-01-01T00:00:00.000Z")
        if asked not in general:
            general[asked] = self._memory.ask(asked, question.base, question.prefixes)
        return general[asked]

    def _decide(self) -> Writing:
        asked, _ = ground_requests(self._memory.bindings(self._requests), self._memory)
        entities: dict[str, Entity] = {}
        unsendable: dict[str, str] = {}
        for request in asked:
            entity = render(request, self._outcomes.get(request.uri))
            if isinstance(entity, Entity):
                entities[request.key] = entity
            else:
                unsendable[request.key] = entity.reason
        updates: UpdateSet = decide_updates(asked, "pick", unsendable)
        return Writing(updates, entities, keep_bodies=True)

    async def _send(self, session: aiohttp.ClientSession, writing: Writing) -> None:
        going = {asyncio.ensure_future(_exchange(session, send)) for send in writing.start()}
        while going:
            done, going = await asyncio.wait(going, return_when=asyncio.FIRST_COMPLETED)
            for answered in done:
                going |= {
                    asyncio.ensure_future(_exchange(session, send))
                    for send in writing.answered(answered.result())
                }

    def _ended(self) -> int:
        instances = self._memory.subjects(IS_EXECUTED, TRUE)
        return sum(_INACTIVE in self._memory.objects(instance, _HAS_STATE) for instance in list(instances))


async def _exchange(session: aiohttp.ClientSession, send: Send) -> Written:
    async with session.request(send.method, send.uri, headers=dict(send.headers), data=send.body) as answer:
        await answer.read()
        return Written(send.id, answer.status)


def _result(sentry: Term, instance: Term) -> Iterator[Triple]:
    node = BlankNode(f"r{abs(hash((sentry, instance)))}", "results")
    yield Triple(sentry, HAS_RESULT, node)
    yield Triple(node, OF_INSTANCE, instance)
    yield Triple(node, BOOLEAN, TRUE)
