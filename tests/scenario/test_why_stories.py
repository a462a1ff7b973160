"""``milepost why`` on running worlds over real sockets, word for word; the golden texts are in the folder ``why``.

To renew them after a change of words: MILEPOST_RENEW=1 pytest tests/scenario/test_why_stories.py, and read the diff.
"""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import rdflib
from aiohttp import web
from rdflib import RDF, Namespace

import agent
from agent.resources import read_bundled
from agent.runtime.loop import StepTimes
from agent.runtime.report import StepReport
from agent.runtime.running import RunOrder, run_agent
from agent.runtime.trace import TraceWriter
from agent.settings import Settings
from agent.sim.building import DENSE_SMOKE
from agent.sim.fire_alarm import FIRE_ALARM
from agent.sim.world import World, open_world
from agent.vocab import AG, PROV
from tests.support.command_line import Done, milepost, run_milepost
from tests.support.recorded import Handler
from tests.support.why import Building, building, documents_sorted

GOLDEN = Path(__file__).with_name("why")
RENEW = os.environ.get("MILEPOST_RENEW") == "1"
EXPLAINS, PROVENANCE = Namespace(AG), Namespace(PROV)


@pytest.fixture
async def here() -> AsyncIterator[Building]:
    """A building whose instance is set up."""
    async with building() as one:
        yield one


def compare(name: str, text: str) -> None:
    """Assert that ``text`` is the golden file ``name``."""
    golden = GOLDEN / name
    if RENEW:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


async def run_steps(
    instance: str, steps: int, trace: Path | None = None, *, after_first: Callable[[], None] = lambda: None
) -> None:
    """Let the agent take some steps, and write a trace of them."""
    with (trace or Path(os.devnull)).open("w", encoding="utf-8") as stream:
        writer = TraceWriter(stream)

        def on_step(number: int, report: StepReport, times: StepTimes) -> None:
            writer.write(number, report, times.ms)
            if number == 1:
                after_first()

        await run_agent(
            RunOrder((instance,), steps=steps, interval_s=0),
            Settings(),
            on_step=on_step,
            stop=asyncio.Event(),
        )


Why = Callable[..., Awaitable[Done]]


@pytest.fixture
def why(capsys: pytest.CaptureFixture[str]) -> Why:
    """Return the command, run beside the servers of this process."""

    async def ask(*arguments: str) -> Done:
        return await asyncio.to_thread(milepost, capsys, "why", *arguments)

    return ask


async def test_thermometers_that_say_text_are_too_cool_or_refuse_and_a_button_that_fails(
    here: Building, tmp_path: Path, why: Why
) -> None:
    trace = tmp_path / "trace.jsonl"
    broken = here.server.scripted.pop("/dev/button")
    await here.measure("button", '"idle"')
    await run_steps(
        here.instance, 3, trace, after_first=lambda: here.server.scripted.update({"/dev/button": broken})
    )
    here.server.log.clear()

    fresh = await run_milepost("why", here.instance, "ActivateSiren", cwd=tmp_path)
    remembered = await why(here.instance, "ActivateSiren", "--trace", str(trace))
    overview = await why(here.instance)

    assert [(one.code, one.err) for one in (fresh, remembered, overview)] == [(0, "")] * 3
    compare("evacuation-stage.txt", documents_sorted(here.plain(fresh.out)))
    compare("evacuation-after-a-run.txt", documents_sorted(here.plain(remembered.out)))
    compare("evacuation-overview.txt", documents_sorted(here.plain(overview.out)))
    assert here.server.writes() == []


async def test_the_json_form_has_all_fields_and_the_same_values(here: Building, why: Why) -> None:
    await run_steps(here.instance, 1)

    text = (await why(here.instance, "ActivateSiren", "--format", "json")).out

    document: dict[str, Any] = json.loads(text)
    plain = json.loads(here.plain(text))
    plain["documents"].sort(key=lambda one: one["uri"])
    compare("evacuation-stage.json", json.dumps(plain, ensure_ascii=False, indent=2) + "\n")
    hot = document["elements"][0]["checks"][1]["sentries"][0]["asked"][0]["parts"]
    assert [(part["matches"], part["before"], part["stops"]) for part in hot] == [
        (3, 1, False),
        (2, 3, False),
        (0, 2, True),
    ]


async def test_the_rdf_form_parses_and_has_the_counts_and_the_documents(here: Building, why: Why) -> None:
    await run_steps(here.instance, 1)

    text = (await why(here.instance, "ActivateSiren", "--format", "turtle")).out

    graph = rdflib.Graph().parse(data=text, format="turtle")
    explanation = graph.value(None, RDF.type, EXPLAINS.Explanation)
    filters = [
        (graph.value(part, EXPLAINS.matches), graph.value(part, EXPLAINS.matchesBefore))
        for part in graph.subjects(EXPLAINS.kind, rdflib.Literal("filter"))
    ]
    used = {str(uri) for uri in graph.objects(explanation, PROVENANCE.used)}
    failed = {
        str(graph.value(usage, PROVENANCE.entity))
        for usage in graph.subjects(EXPLAINS.outcome, rdflib.Literal("failed"))
    }
    assert graph.value(explanation, EXPLAINS.explains) == rdflib.URIRef(here.instance)
    assert filters == [(rdflib.Literal(0), rdflib.Literal(2))]
    assert len(used) == 10
    assert failed == {f"{here.server.base}/dev/button", here.third}
    assert failed <= used


@pytest.fixture
async def alarm() -> AsyncIterator[World]:
    """The world of the fire alarm."""
    async with open_world(FIRE_ALARM, read_bundled(FIRE_ALARM.model)) as world:
        yield world


def portless(world: World, text: str) -> str:
    """Return ``text`` without what differs between two runs, documents in an order that does not depend on names."""
    text = text.replace(world.base, "http://alarm/")
    for pattern, constant in (
        (r"\d\d:\d\d:\d\dZ", "22:04:11Z"),
        (r"\.[0-9a-f]{16}", ".HASH"),
        (r'ETag "[^"]*"', 'ETag "E"'),
    ):
        text = re.sub(pattern, constant, text)
    return documents_sorted(text)


async def test_the_fire_alarm_is_explained_from_before_it_is_set_up_until_the_siren_is_on(
    alarm: World, why: Why
) -> None:
    told = [await why(alarm.instance)]
    await run_steps(alarm.instance, 2)
    told += [await why(alarm.instance, element) for element in ("start-alarm", "g2", "a door open")]
    alarm.pages.devices.set("smoke", DENSE_SMOKE, "script")
    told.append(await why(alarm.instance, "Start fire alarm"))
    await run_steps(alarm.instance, 1)
    told += [await why(alarm.instance, element) for element in ("start-alarm", "m1")]

    assert {(one.code, one.err) for one in told} == {(0, "")}
    compare("fire-alarm.txt", "----\n".join(portless(alarm, one.out) for one in told))


async def test_what_cannot_be_asked_ends_with_its_own_code_and_no_traceback(
    here: Building, tmp_path: Path, why: Why
) -> None:
    await run_steps(here.instance, 1)
    broken = tmp_path / "broken.jsonl"
    broken.write_text("{}\nnothing\n", encoding="utf-8")

    cases = [
        await why(here.instance, "ActivateSirn"),
        await why(f"{here.server.base}/wf/nobody#it"),
        await why(here.third),
        await why(f"{here.server.base}/wf/"),
        await why(here.instance, "--trace", str(broken)),
        await why(here.instance, "--format", "xml"),
        await why(),
    ]

    assert [(done.code, re.findall(r"error ([A-Z]{3}\d{3})", done.err)) for done in cases] == [
        (2, ["GSM080"]),
        (3, ["NET002"]),
        (3, ["NET001"]),
        (2, ["USE005"]),
        (2, ["USE002"]),
        (2, ["USE001"]),
        (2, ["USE001"]),
    ]
    assert "did you mean ActivateSiren?" in cases[0].err
    assert all(len(done.err.splitlines()) <= 12 and "Traceback" not in done.err for done in cases)


async def test_a_program_that_derives_what_a_guard_asks_is_asked_with_it(
    here: Building, tmp_path: Path, why: Why
) -> None:
    await run_steps(here.instance, 1)
    program = tmp_path / "hot.n3"
    device = f"<{here.server.base}/dev/t1#it>"
    program.write_text(
        "@prefix sosa: <http://www.w3.org/ns/sosa/> .\n"
        f"{{ {device} sosa:hasSimpleResult ?text }} => {{ {device} sosa:hasSimpleResult 51 }} .",
        encoding="utf-8",
    )

    text = (await why(here.instance, "G2", "-p", str(program))).out

    assert text.startswith("Guard G2 is true; stage ActivateSiren is inactive until the next step opens it")
    assert "By " in text
    assert "hot.n3:2" in text
    assert "The next step would send:" in text


async def test_the_function_tells_what_the_command_tells(here: Building, why: Why) -> None:
    await run_steps(here.instance, 1)

    explanation = await asyncio.to_thread(agent.why, here.instance, "G2", data=rdflib.Graph())

    said = (await why(here.instance, "G2")).out
    assert said.startswith(explanation.elements[0].sentence)
    assert [document.uri for document in explanation.documents if document.outcome == "failed"] == sorted(
        [f"{here.server.base}/dev/button", here.third]
    )


async def test_a_document_is_as_old_as_its_server_says_or_was_just_read(here: Building, why: Why) -> None:
    await run_steps(here.instance, 1)

    def dated(modified: str) -> Handler:
        async def answer(_request: web.Request) -> web.StreamResponse:
            said = '<#it> <http://www.w3.org/ns/sosa/hasSimpleResult> "off" .'
            return web.Response(text=said, content_type="text/turtle", headers={"Last-Modified": modified})

        return answer

    here.server.scripted["/dev/siren"] = dated("Thu, 01 Jan 2015 00:00:00 GMT")
    here.server.scripted["/dev/t2"] = dated("the day before yesterday")

    told = json.loads((await why(here.instance, "--format", "json")).out)

    ages = {one["uri"].rpartition("/")[2]: (one["ageOf"], one["ageS"] > 86_400) for one in told["documents"]}
    assert (ages["siren"], ages["t2"]) == (("modified", True), ("read", False))
    assert "changed " in (await why(here.instance)).out
