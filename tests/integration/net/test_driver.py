"""The driver: the machine's instructions over real sockets, every event once, stop requests, faults of our own."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from agent.act.perform import Performer
from agent.errors import BugError
from agent.fetch.pace import Pace
from agent.fetch.polling import Sources
from agent.messages import Answer, Event, Get, Instruction, NoAnswer, NotWritten, Send, Written
from agent.n3.load import read_program
from agent.runtime.driver import World, run_step
from agent.runtime.machine import Machine
from agent.runtime.plan import StepPlan
from agent.runtime.report import StepReport
from agent.settings import Settings
from agent.transport.client import Client
from tests.support.devices import Device, answer, device, half_a_body

PREFIXES = (
    "@prefix http: <http://www.w3.org/2011/http#> . @prefix m: <http://www.w3.org/2011/http-methods#> .\n"
)
PROGRAM = (
    PREFIXES
    + """
{{ [] http:mthd m:GET ; http:requestURI <{base}/a> }}
{{ ?x <http://e/next> ?y }} => {{ [] http:mthd m:GET ; http:requestURI ?y }} .
{{ ?x <http://e/p> ?v }} => {{ [] http:mthd m:PUT ; http:requestURI <{base}/c> ; http:body {{ <#it> <http://e/q> ?v }} }} .
"""
)


@pytest.fixture
async def here() -> AsyncIterator[Device]:
    async with device() as it:
        yield it


@pytest.fixture
async def world() -> AsyncIterator[World]:
    async with Client(Settings(allowed_hosts=frozenset({"127.0.0.1"}), step_deadline_s=0.3)) as client:
        sources = Sources(client, asyncio.get_running_loop().time)
        yield World(sources, Performer(client))
        await sources.close()


def machine(here: Device) -> Machine:
    program = read_program(PROGRAM.format(base=here.base), source="program.n3", base="http://program/")
    return Machine(StepPlan(program), "2024-05-06T07:08:09.000Z", "00000000-0000-4000-8000-000000000000")


class Scripted:
    """A machine that asks for ``first``, then for what ``then`` says; it is over after ``events`` events."""

    def __init__(
        self, first: list[Instruction], events: int, then: Callable[[Event], list[Instruction]]
    ) -> None:
        self.report: StepReport | None = None
        self.events: list[Event] = []
        self._first = first
        self._awaited = events
        self._then = then

    def start(self) -> list[Instruction]:
        return self._first

    def handle(self, event: Event) -> list[Instruction]:
        self.events.append(event)
        if len(self.events) == self._awaited:
            self.report = EMPTY
        return self._then(event)

    def stop(self) -> None:
        if not any(isinstance(event, Written | NotWritten) for event in self.events):
            self.report = EMPTY


def empty_report() -> StepReport:
    empty = Machine(StepPlan(read_program("", source="s", base="http://s/")), "2024-05-06T07:08:09.000Z", "")
    assert empty.start() == []
    assert empty.report is not None
    return empty.report


EMPTY = empty_report()


async def test_a_step_reads_to_the_fixpoint_then_writes(here: Device, world: World) -> None:
    here.does("/a", answer("<#it> <http://e/next> <b> ."))
    here.does("/b", answer("<#it> <http://e/p> 1 ."))
    here.does("/c", answer("", status=201))
    report = await run_step(machine(here), world)
    assert [(get.uri, get.outcome) for get in report.gets] == [
        (here.base + "/a", "content"),
        (here.base + "/b", "content"),
    ]
    assert [(request.method, request.outcome, request.status) for request in report.requests] == [
        ("PUT", "confirmed", 201)
    ]
    assert [(asked.method, asked.path, asked.body) for asked in here.asked] == [
        ("GET", "/a", b""),
        ("GET", "/b", b""),
        ("PUT", "/c", b'<#it> <http://e/q> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'),
    ]


async def test_no_write_leaves_before_the_last_document_is_given_up(here: Device, world: World) -> None:
    here.does("/a", answer("<#it> <http://e/p> 1 ; <http://e/next> <b> , <d> , <e> ."))
    here.does("/b", here.hang())
    here.does("/d", half_a_body())
    here.does("/c", answer("", status=204))
    report = await run_step(machine(here), world)
    assert {get.uri.removeprefix(here.base): (get.outcome, get.reason) for get in report.gets} == {
        "/a": ("content", ""),
        "/b": ("failed", "no answer within 0.3 s"),
        "/d": ("failed", "the answer broke off"),
        "/e": ("gone", ""),
    }
    assert here.asked[-1].method == "PUT"


async def test_a_stop_request_while_reading_writes_nothing(here: Device, world: World) -> None:
    here.does("/a", answer("<#it> <http://e/p> 1 ; <http://e/next> <b> ."))
    here.does("/b", here.hang())
    world.sources.deadline_s = 600.0
    step = asyncio.ensure_future(run_step(machine(here), world))
    while not here.methods("/b"):
        here.arrived.clear()
        await here.arrived.wait()
    world.stop.set()
    report = await step
    assert (report.interrupted, report.requests) == (True, ())
    assert here.methods("/c") == []


async def test_a_stop_request_while_reading_leaves_what_has_not_begun(here: Device) -> None:
    first: list[Instruction] = [Get(here.does(f"/{number}", here.hang())) for number in range(3)]
    settings = Settings(allowed_hosts=frozenset({"127.0.0.1"}), requests_per_host=1, step_deadline_s=600.0)
    async with Client(settings) as client:
        world = World(Sources(client, asyncio.get_running_loop().time), Performer(client))
        script = Scripted(first, 3, lambda _: [])
        step = asyncio.ensure_future(run_step(script, world))
        await here.arrived.wait()
        world.stop.set()
        await step
        here.released.set()
        next_step = Scripted([Get(here.does("/next", answer()))], 1, lambda _: [])
        world.stop.clear()
        await run_step(next_step, world)
    assert (script.events, len(next_step.events)) == ([], 1)
    assert [asked.path for asked in here.asked] == ["/0", "/next"]


async def test_a_stop_request_while_writing_lets_it_finish(here: Device, world: World) -> None:
    here.does("/a", answer("<#it> <http://e/p> 1 ."))
    here.does("/c", here.hang())
    step = asyncio.ensure_future(run_step(machine(here), world))
    while not here.methods("/c"):
        here.arrived.clear()
        await here.arrived.wait()
    world.stop.set()
    done, _ = await asyncio.wait({step}, timeout=0.05)
    assert not done
    here.released.set()
    report = await step
    assert [(request.outcome, request.status) for request in report.requests] == [("confirmed", 200)]
    assert not report.interrupted


async def test_a_stop_request_before_the_step_ends_it_at_once(here: Device, world: World) -> None:
    world.stop.set()
    report = await run_step(machine(here), world)
    assert report.interrupted


async def test_every_instruction_gets_one_event_in_order_of_arrival(here: Device, world: World) -> None:
    slow, quick, put = (
        here.does("/slow", here.hang()),
        here.does("/quick", answer()),
        here.does("/put", answer("", status=204)),
    )
    world.sources.deadline_s = 600.0

    def release_after_two(_event: Event) -> list[Instruction]:
        if len(script.events) == 2:
            here.released.set()
        return []

    first: list[Instruction] = [Get(slow), Get(quick), Send(5, "PUT", put, (), b"")]
    script = Scripted(first, 3, release_after_two)
    assert await run_step(script, world) is script.report
    assert {type(event) for event in script.events[:2]} == {Answer, Written}
    last = script.events[2]
    assert isinstance(last, Answer)
    assert last.uri == slow


async def test_a_fault_of_ours_becomes_an_event() -> None:
    class Broken(Sources):
        def ask(self, get: Get, tell: Callable[[Answer | NoAnswer], None]) -> None:
            raise ZeroDivisionError(f"with {get.uri}")

    class BrokenPerformer(Performer):
        def perform(self, send: Send, tell: Callable[[Written | NotWritten], None]) -> None:
            raise ZeroDivisionError(f"with {send.id}")

    async with Client(Settings()) as client:
        broken = World(Broken(client, asyncio.get_running_loop().time), BrokenPerformer(client))
        script = Scripted([Get("http://h/a"), Send(3, "PUT", "http://h/b", (), b"")], 2, lambda _: [])
        await run_step(script, broken)
    assert script.events == [
        NoAnswer("http://h/a", "a fault in Milepost: ZeroDivisionError: with http://h/a"),
        NotWritten(3, "a fault in Milepost: ZeroDivisionError: with 3"),
    ]


async def test_an_error_of_the_machine_gives_up_what_is_open(here: Device, world: World) -> None:
    def fail(_event: Event) -> list[Instruction]:
        raise BugError("BUG001", "no such thing")

    script = Scripted([Get(here.does("/a", answer())), Get(here.does("/b", here.hang()))], 9, fail)
    world.sources.deadline_s = 600.0
    with pytest.raises(BugError, match="no such thing"):
        await run_step(script, world)
    assert len(script.events) == 1
    running = {str(task.get_coro()) for task in asyncio.all_tasks()}
    assert not [name for name in running if "_Step" in name or "Sources" in name]


async def test_a_machine_that_waits_for_nothing_is_a_bug(world: World) -> None:
    with pytest.raises(BugError, match="the step waits for something that nobody does"):
        await run_step(Scripted([], 1, lambda _: []), world)


async def test_what_the_agent_wrote_is_read_again_whatever_the_pace(here: Device) -> None:
    uri = here.does("/a", answer(etag='"1"'), answer("", status=204), answer("new", etag='"2"'))

    def read_write_read(event: Event) -> list[Instruction]:
        if isinstance(event, Written):
            return [Get(uri)]
        return [Send(1, "PUT", uri, (), b"new")] if len(script.events) == 1 else []

    script = Scripted([Get(uri)], 3, read_write_read)
    async with Client(Settings(allowed_hosts=frozenset({"127.0.0.1"}))) as client:
        sources = Sources(client, asyncio.get_running_loop().time, pace=Pace(min_period_s=3600.0))
        await run_step(script, World(sources, Performer(client)))
    last = script.events[-1]
    assert isinstance(last, Answer)
    assert last.body == b"new"
