"""The workloads of the benchmark: as large as they say, the same for the same seed, and with one meaning in two languages."""

from random import Random

import pytest
from rdflib import Graph

from agent.bench.workloads import WORKLOADS, Workload, workloads
from agent.n3.load import read_program
from agent.rdf.documents import parse_document
from agent.runtime.derive import derive

INSTANT = "2026-01-01T00:00:00.000Z"
SMALL = [pytest.param(workload, id=workload.name) for workload in workloads("small")]


def _document(workload: Workload, seed: int) -> str:
    return "".join(f"{' '.join(fact)} .\n" for fact in dict.fromkeys(workload.facts(Random(seed))))


def test_the_full_workloads_have_the_sizes_that_are_known_for_them() -> None:
    counts = {workload.name: sum(1 for _ in workload.facts(Random(1))) for workload in workloads("full")}

    assert tuple(counts) == WORKLOADS
    assert counts.pop("rdfs") in range(95_000, 110_000)
    assert counts == {"taxonomy": 300_001, "join": 50_000, "chain": 500}


@pytest.mark.parametrize("workload", SMALL)
def test_the_same_seed_makes_the_same_facts(workload: Workload) -> None:
    assert _document(workload, 7) == _document(workload, 7)


@pytest.mark.parametrize("name", ["rdfs", "join"])
def test_another_seed_makes_other_facts(name: str) -> None:
    workload = next(each for each in workloads("small") if each.name == name)

    assert _document(workload, 7) != _document(workload, 8)


@pytest.mark.parametrize("workload", SMALL)
def test_what_the_queries_construct_is_what_the_rules_derive(workload: Workload) -> None:
    document = _document(workload, 3)
    facts = parse_document(
        document.encode(), "application/n-triples", "http://example.org/", strict=True
    ).triples
    program = read_program(workload.program(), source="rules.n3", base="http://example.org/")

    derived = set(derive(program, facts, instant=INSTANT).derived)

    constructed = Graph()
    constructed.parse(data=document, format="nt")
    size, grown = len(constructed), True
    while grown:
        before = len(constructed)
        for query in workload.queries():
            constructed += constructed.query(query).graph or Graph()
        grown = len(constructed) > before
    assert len(derived) == len(constructed) - size
    assert derived


def test_the_number_of_conclusions_is_the_known_one_where_there_is_a_formula() -> None:
    counts = {}
    for workload in workloads("small"):
        facts = parse_document(
            _document(workload, 1).encode(), "application/n-triples", "http://example.org/", strict=True
        ).triples
        program = read_program(workload.program(), source="rules.n3", base="http://example.org/")
        counts[workload.name] = len(set(derive(program, facts, instant=INSTANT).derived))

    assert counts["taxonomy"] == 3 * 40
    assert counts["chain"] == 12 * 11 // 2
