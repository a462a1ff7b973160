"""What it costs to read the lifecycle rules that come with Milepost, and to reason with them."""

from pytest_benchmark.fixture import BenchmarkFixture

from agent.gsm.ruleset import workflow_program
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.documents import parse_document
from agent.rdf.terms import Triple
from agent.resources import bundled_names, read_bundled
from agent.runtime.derive import derive

INSTANT = "2026-01-01T00:00:00.000Z"
BASE = "http://example.org/"


def _read_all() -> Program:
    program = Program()
    for name in (*bundled_names("rules/core", ".n3"), *bundled_names("rules/gsm", ".n3")):
        program += read_program(read_bundled(name), source=name, base=BASE + name)
    return program


def _world() -> tuple[Triple, ...]:
    """Return the model of the fire alarm and an instance of it that is not set up."""
    model = parse_document(
        read_bundled("rules/examples/fire-alarm/fire-alarm.ttl").encode(),
        "text/turtle",
        BASE + "model",
        strict=True,
    )
    instance = parse_document(
        b"@prefix gsm: <http://purl.org/gsm/vocab#> . <#it> a gsm:ArtifactInstance ; "
        b"gsm:hasState gsm:uninitialized ; gsm:isInstanceOf <model#fire-alarm> .",
        "text/turtle",
        BASE + "instance",
        strict=True,
    )
    return (*model.triples, *instance.triples)


def test_the_bundled_rules_are_read(benchmark: BenchmarkFixture) -> None:
    program = benchmark(_read_all)

    assert len(program.derivations) > 20
    assert len(program.requests) > 5


def test_the_lifecycle_rules_reach_a_fixpoint_over_a_model(benchmark: BenchmarkFixture) -> None:
    program, _ = workflow_program({BASE + "instance#it": BASE})
    world = _world()

    memory = benchmark(lambda: derive(program, world, instant=INSTANT)).triples

    assert len(memory) > len(world) + 20
