"""The rules that execute workflows, and what the command line says about which ones."""

from collections.abc import Iterable, Mapping
from functools import cache

from agent.gsm.terms import CONTAINER, EXECUTES_MEMBERS, IS_EXECUTED
from agent.gsm.workflows import GsmWorkflows
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.terms import IRI, TRUE, Triple
from agent.resources import read_bundled

CORE = ("rdfs", "owl", "ldp")
LIFECYCLE = (
    "aliases",
    "model",
    "retrieval",
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
    names = [f"rules/core/{name}.n3" for name in CORE] + [
        f"rules/gsm/{name}.n3" for name in (*LIFECYCLE, EVERY)
    ]
    program = Program()
    for name in names:
        program += read_program(read_bundled(name), source=name, base=f"https://w3id.org/milepost/{name}")
    return program


def workflow_program(
    instances: Mapping[str, str] = {}, containers: Iterable[str] = ()
) -> tuple[Program, GsmWorkflows]:
    """Return the program that executes single ``instances`` and every instance in ``containers``.

    ``instances`` maps IRIs of instances to the containers of their elements; containers end in a slash.
    """
    containers = tuple(containers)
    facts = [
        *(Triple(IRI(instance), IS_EXECUTED, TRUE) for instance in instances),
        *(Triple(IRI(instance), CONTAINER, IRI(container)) for instance, container in instances.items()),
        *(Triple(IRI(container), EXECUTES_MEMBERS, TRUE) for container in containers),
    ]
    program = lifecycle_rules() + Program(facts=tuple(facts))
    return program, GsmWorkflows({*containers, *instances.values()}, instances)
