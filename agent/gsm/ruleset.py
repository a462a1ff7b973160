"""The rules that execute workflows, and what the command line says about which ones."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from agent.gsm.terms import CONTAINER, EXECUTES_MEMBERS, IS_EXECUTED
from agent.gsm.workflows import GsmWorkflows
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.terms import IRI, TRUE, Triple
from agent.resources import read_bundled

CORE = ("rdfs", "owl", "ldp")
READING = ("aliases", "model", "retrieval")
LIFECYCLE = (
    *READING,
    "sources",
    "completeness",
    "setup",
    "sentries",
    "marks",
    "lifecycle",
    "repair",
)
EVERY = "every"


@cache
def lifecycle_rules() -> Program:
    """Return rules/core and rules/gsm: the lifecycle without any instance to execute."""
    return _rules((*LIFECYCLE, EVERY))


@cache
def reading_rules() -> Program:
    """Return the part of the lifecycle that reads instances, their models and their elements, and sends nothing."""
    return _rules(READING)


def _rules(names: Iterable[str]) -> Program:
    files = [f"rules/core/{name}.n3" for name in CORE] + [f"rules/gsm/{name}.n3" for name in names]
    program = Program()
    for file in files:
        program += read_program(read_bundled(file), source=file, base=f"https://w3id.org/milepost/{file}")
    return program


def workflow_program(
    instances: Mapping[str, str] = {}, containers: Iterable[str] = ()
) -> tuple[Program, GsmWorkflows]:
    """Return the program that executes single ``instances`` and every instance in ``containers``.

    ``instances`` maps IRIs of instances to the containers of their elements; containers end in a slash.
    """
    containers = tuple(containers)
    facts = (
        *_scope(instances),
        *(Triple(IRI(container), EXECUTES_MEMBERS, TRUE) for container in containers),
    )
    program = lifecycle_rules() + Program(facts=facts)
    return program, GsmWorkflows({*containers, *instances.values()}, instances)


def reading_program(instance: str, container: str) -> tuple[Program, GsmWorkflows]:
    """Return the program that reads one ``instance``, its model and its elements, and nothing else."""
    program = reading_rules() + Program(facts=tuple(_scope({instance: container})))
    return program, GsmWorkflows([container], [instance])


def _scope(instances: Mapping[str, str]) -> Iterator[Triple]:
    for instance, container in instances.items():
        yield Triple(IRI(instance), IS_EXECUTED, TRUE)
        yield Triple(IRI(instance), CONTAINER, IRI(container))
