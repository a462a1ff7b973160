"""A world in a dictionary that answers a machine's instructions: documents, containers, writes, faults.

    world = FakeWorld({"http://w/a": "<#it> <http://e/p> 1 ."})
    report = world.step(plan)

Writes are applied at once and seen by the next step. ``gets`` and ``sends`` keep the order of what was asked for;
``log`` has both. The order in which open instructions are answered is an argument, so that tests can vary it.
"""

import hashlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from agent.messages import Answer, Event, Get, Instruction, NoAnswer, NotWritten, Send, Written
from agent.rdf.answers import read_answer
from agent.rdf.documents import Content, parse_document
from agent.rdf.serialise import to_ntriples
from agent.rdf.terms import Triple
from agent.runtime.machine import Machine
from agent.runtime.plan import StepPlan
from agent.runtime.report import StepReport
from agent.vocab import LDP

TURTLE = "text/turtle"
INSTANT = "2024-05-06T07:08:09.000Z"
FRESH_ID = "00000000-0000-4000-8000-000000000000"

Order = Literal["first", "last", "shuffled"]
GetFault = int | str | bytes
SendFault = int | str | None


@dataclass(frozen=True, slots=True)
class Page:
    """A stored document."""

    body: bytes
    media_type: str = TURTLE

    @property
    def etag(self) -> str:
        """A strong validator: equal for equal bytes."""
        return f'"{hashlib.sha256(self.body).hexdigest()[:12]}"'


@dataclass(slots=True)
class FakeWorld:
    """Documents by URI (text is Turtle), and what goes wrong with them.

    ``get_faults``: per URI a status, a reason (no answer), or bytes that are served instead.
    ``send_fault``: given a Send, the status to answer or the reason for no answer, without applying it; None: all well.
    ``redirects``: URI to URI. ``validators``: False serves no ETag.
    ``containers``: URIs that list their members and take POST.
    """

    documents: Mapping[str, str | bytes | Page]
    containers: tuple[str, ...] = ()
    redirects: Mapping[str, str] = field(default_factory=dict)
    get_faults: dict[str, GetFault] = field(default_factory=dict)
    send_fault: Callable[[Send], SendFault] = lambda _: None
    validators: bool = True
    pages: dict[str, Page] = field(default_factory=dict)
    log: list[Instruction] = field(default_factory=list)
    _minted: int = 0

    def __post_init__(self) -> None:
        for uri, document in self.documents.items():
            self.put(uri, document)

    @property
    def gets(self) -> list[str]:
        """The documents asked for, in order."""
        return [instruction.uri for instruction in self.log if isinstance(instruction, Get)]

    @property
    def sends(self) -> list[Send]:
        """The unsafe requests, in order."""
        return [instruction for instruction in self.log if isinstance(instruction, Send)]

    @property
    def wire(self) -> list[tuple[str, str, str]]:
        """Method, URI and body text of the unsafe requests, in order."""
        return [(send.method, send.uri, (send.body or b"").decode()) for send in self.sends]

    def put(self, uri: str, document: str | bytes | Page) -> None:
        """Store a document from outside."""
        if isinstance(document, str):
            document = document.encode()
        self.pages[uri] = document if isinstance(document, Page) else Page(document)

    def triples(self, uri: str) -> frozenset[Triple]:
        """Return what a document says now."""
        outcome = read_answer(self._served(uri))
        assert isinstance(outcome, Content), outcome
        return frozenset(outcome.triples)

    def state(self) -> tuple[tuple[str, str], ...]:
        """Return every document as sorted N-Triples: equal states are equal values."""
        return tuple(
            (uri, "".join(sorted(to_ntriples(self.triples(uri)).splitlines(keepends=True))))
            for uri in sorted({*self.pages, *self.containers})
        )

    def step(
        self,
        plan: StepPlan,
        *,
        order: Order = "first",
        seed: int = 0,
        instant: str = INSTANT,
        fresh_id: str = FRESH_ID,
    ) -> StepReport:
        """Run one step of ``plan`` against this world and return its report."""
        return self.drive(Machine(plan, instant, fresh_id), order=order, seed=seed)

    def drive(self, machine: Machine, *, order: Order = "first", seed: int = 0) -> StepReport:
        """Carry out a machine's instructions until it is over, and check what every step must keep to."""
        chance = random.Random(seed)
        open_instructions = self._noted(machine.start())
        while machine.report is None:
            assert open_instructions, "the machine waits for nothing"
            position = {"first": 0, "last": -1, "shuffled": chance.randrange(len(open_instructions))}[order]
            instruction = open_instructions.pop(position)
            new = self._noted(machine.handle(self.answer(instruction)))
            reads = [one for one in (*open_instructions, *new) if isinstance(one, Get)]
            writes = [one for one in (*open_instructions, *new) if isinstance(one, Send)]
            assert not (reads and writes), "a write left before the last read was answered"
            open_instructions += new
        assert machine.report.failure is not None or machine.report.interrupted or not open_instructions
        return machine.report

    async def run_step(self, machine: Machine) -> StepReport:
        """Drive a machine as the real driver does; for the loop."""
        return self.drive(machine)

    def answer(self, instruction: Instruction) -> Event:
        """Return what the world answers, after doing what was asked."""
        match instruction:
            case Get(uri=uri):
                return self._served(uri)
            case Send() as send:
                fault = self.send_fault(send)
                if isinstance(fault, str):
                    return NotWritten(send.id, fault)
                if fault is not None:
                    return Written(send.id, fault)
                return self._written(send)

    def _noted(self, instructions: list[Instruction]) -> list[Instruction]:
        self.log += instructions
        return list(instructions)

    def _served(self, uri: str) -> Answer | NoAnswer:
        fault = self.get_faults.get(uri)
        match fault:
            case int():
                return Answer(uri, uri, fault, "text/plain", "", b"")
            case str():
                return NoAnswer(uri, fault)
            case bytes():
                return Answer(uri, uri, 200, TURTLE, "", fault)
        final = self.redirects.get(uri, uri)
        page = self._page(final)
        if page is None:
            return Answer(uri, final, 404, "text/plain", "", b"")
        return Answer(uri, final, 200, page.media_type, page.etag if self.validators else "", page.body)

    def _page(self, uri: str) -> Page | None:
        page = self.pages.get(uri)
        if uri not in self.containers:
            return page
        members = [name for name in sorted(self.pages) if _is_member(name, uri)]
        listing = "".join(f"<> <{LDP}contains> <{name}> .\n" for name in members)
        return Page((page.body if page else b"") + listing.encode())

    def _written(self, send: Send) -> Written:
        headers = {name.lower(): value for name, value in send.headers}
        page = self.pages.get(send.uri)
        if headers.get("if-none-match") == "*" and page is not None:
            return Written(send.id, 412)
        if "if-match" in headers and (page is None or headers["if-match"] != page.etag):
            return Written(send.id, 412)
        media_type = headers.get("content-type", "application/octet-stream")
        match send.method:
            case "PUT":
                self.pages[send.uri] = self._page_of(send.uri, send.body or b"", media_type)
                return Written(send.id, 201 if page is None else 205)
            case "POST" if send.uri in self.containers:
                self._minted += 1
                location = f"{send.uri}new{self._minted}"
                self.pages[location] = self._page_of(location, send.body or b"", media_type)
                return Written(send.id, 201, location)
            case "POST":
                return Written(send.id, 202)
            case "DELETE" if page is None:
                return Written(send.id, 400)
            case "DELETE":
                del self.pages[send.uri]
                return Written(send.id, 204)
            case _:
                return Written(send.id, 405)

    @staticmethod
    def _page_of(uri: str, body: bytes, media_type: str) -> Page:
        """Store what was sent; Turtle that does not parse fails the test."""
        if media_type == TURTLE:
            parse_document(body, media_type, uri, strict=True)
        return Page(body, media_type)


def _is_member(uri: str, container: str) -> bool:
    rest = uri.removeprefix(container)
    return rest != uri and bool(rest) and "/" not in rest.rstrip("/")
