"""The explanation never disagrees: dots equal the step's values, counts equal those of another SPARQL engine."""

import random

import rdflib
from msgspec.structs import replace
from rdflib.plugins.sparql import prepareQuery

from agent.gsm.evaluation import Evaluation
from agent.gsm.question import read_question
from agent.gsm.why.explanation import Part
from agent.gsm.why.pieces import cut, order
from agent.n3.program import Program
from agent.rdf.convert import to_ox_triples
from agent.rdf.terms import IRI, XSD_INTEGER, Literal, Triple
from agent.reason.facts import Facts
from agent.runtime.machine import Machine
from tests.support.depth import depth
from tests.support.gsm import single, small_world
from tests.support.why import HEAD, THIS, asked_on, explained
from tests.support.world import FRESH_ID, INSTANT, FakeWorld

THINGS = tuple(f"http://e/t{number}" for number in range(5))
PROPERTIES = tuple(f"http://e/p{number}" for number in range(3))
VARIABLES = ("?a", "?b", "?c")


def draw_memory(chance: random.Random) -> tuple[Triple, ...]:
    """Return things and integers; rdflib compares texts with numbers, which SPARQL does not."""

    def value() -> IRI | Literal:
        if chance.random() < 0.5:
            return IRI(chance.choice(THINGS))
        return Literal(str(chance.randrange(9)), XSD_INTEGER)

    return tuple(
        {
            Triple(IRI(chance.choice(THINGS)), IRI(chance.choice(PROPERTIES)), value()): None
            for _ in range(chance.randrange(25))
        }
    )


def draw_patterns(chance: random.Random) -> list[str]:
    def term(*, is_object: bool) -> str:
        if chance.random() < 0.7:
            return chance.choice(VARIABLES)
        if is_object and chance.random() < 0.5:
            return str(chance.randrange(9))
        return f"<{chance.choice(THINGS)}>"

    patterns = [
        f"{term(is_object=False)} <{chance.choice(PROPERTIES)}> {term(is_object=True)}"
        for _ in range(chance.randint(1, 4))
    ]
    for _ in range(chance.randrange(3)):
        operator = chance.choice(("<", ">", "=", "!=", ">="))
        filter_ = f"FILTER({chance.choice(VARIABLES)} {operator} {chance.randrange(9)})"
        patterns.insert(chance.randint(0, len(patterns)), filter_)
    return patterns


def count_by_rdflib(memory: tuple[Triple, ...], patterns: list[str]) -> int:
    graph = rdflib.Graph()
    graph.parse(data="\n".join(f"{triple} ." for triple in to_ox_triples(memory)), format="nt")
    body = " ".join(one if one.startswith("FILTER") else f"{one} ." for one in patterns)
    return len(graph.query(prepareQuery(f"SELECT ?milepost ?a ?b ?c WHERE {{ {body} }}")).bindings)


def test_counts_of_random_queries_equal_those_of_rdflib_and_the_stop_equals_the_value() -> None:
    chance = random.Random(20_260_105)
    for _ in range(depth(80, 3000)):
        memory, patterns = draw_memory(chance), draw_patterns(chance)
        body = " ".join(one if one.startswith("FILTER") else f"{one} ." for one in patterns)
        query = f"ASK {{ {body} }}"
        told = asked_on(query, memory, {}, Program())
        holds = count_by_rdflib(memory, patterns) > 0
        facts = Facts()
        for triple in memory:
            facts.add(triple)
        evaluated = Evaluation(facts, {}, INSTANT).holds(
            read_question(f"{HEAD} {query}", "http://w/doc"), THIS
        )

        counted = [part for part in told.parts if part.matches is not None]
        assert [part.kind for part in told.parts] != ["query"], query
        assert [part.matches for part in counted] == [
            count_by_rdflib(memory, shown(told.parts)[: position + 1]) for position in range(len(counted))
        ], (query, memory)
        assert evaluated == holds == (not any(part.stops for part in told.parts)), (query, memory)


def draw_group(chance: random.Random, depth_left: int) -> list[str]:
    """Return the pieces of a group with everything that a group may hold."""
    pieces = [f"{one} ." if not one.startswith("FILTER") else one for one in draw_patterns(chance)]
    for _ in range(chance.randrange(3) if depth_left else 0):
        inner = " ".join(draw_group(chance, depth_left - 1))
        other = " ".join(draw_group(chance, 0))
        piece = chance.choice(
            (
                f"OPTIONAL {{ {inner} }}",
                f"MINUS {{ {inner} }}",
                f"FILTER NOT EXISTS {{ {inner} }}",
                f"FILTER(!EXISTS {{ {inner} }})",
                f"FILTER EXISTS {{ {inner} }}",
                f"{{ {inner} }} UNION {{ {other} }}",
                f"{{ {inner} }}",
                f"VALUES ?a {{ <{chance.choice(THINGS)}> 3 }}",
            )
        )
        pieces.insert(chance.randint(0, len(pieces)), piece)
    return pieces


def test_groups_of_every_kind_add_up_to_the_answer_of_the_whole_query() -> None:
    chance = random.Random(42)
    for _ in range(depth(60, 4000)):
        memory = draw_memory(chance)
        group = " ".join(draw_group(chance, 2))
        question = read_question(f"{HEAD} ASK {{ {group} }}", "http://w/doc")
        assert not question.fault, (group, question.fault)
        facts = Facts()
        for triple in memory:
            facts.add(triple)
        evaluation = Evaluation(facts, {}, INSTANT)

        parts = asked_on(f"ASK {{ {group} }}", memory, {}, Program()).parts

        rows = evaluation.solutions(question, f"SELECT * WHERE {{ {group} }}")
        assert [part.kind for part in parts] != ["query"], (group, memory)
        assert any(part.stops for part in parts) == (not rows), (group, memory)
        assert rows == [] or parts[-1].matches == len(rows), (group, memory)


def shown(parts: tuple[Part, ...]) -> list[str]:
    return [part.text for part in parts]


def test_cut_queries_keep_every_pattern_once() -> None:
    chance = random.Random(7)
    for _ in range(depth(100, 3000)):
        patterns = draw_patterns(chance)
        pieces = cut(
            f"ASK {{ {' '.join(one if one.startswith('FILTER') else f'{one} .' for one in patterns)} }}"
        )
        assert pieces is not None
        assert sorted(one.text for one in pieces.pieces) == sorted(patterns)
        assert sorted(one.text for one in order(pieces.pieces)) == sorted(patterns)


def test_the_values_that_are_shown_are_those_that_the_step_decided_on() -> None:
    chance = random.Random(11)
    for _ in range(depth(8, 400)):
        queries = [draw_query(chance) for _ in range(3)]
        here = small_world(model_of(queries), "")
        here.step(single("i1"))
        here.log.clear()
        here.put(
            "http://w/env",
            chance.choice(("", "<http://e/x> <http://e/p> 1 .", "<http://e/x> <http://e/p> 7 .")),
        )
        if chance.random() < 0.5:
            here.get_faults["http://w/env"] = chance.choice((503, 404, "connection refused", b"<#it"))
        decided = decided_values(here)

        shown_values = {
            sentry.iri: sentry.value
            for element in explained(here, "s").elements
            for check in element.checks
            for sentry in check.sentries
        }
        assert {iri: decided[iri] for iri in shown_values} == shown_values
        assert len(shown_values) == 3


def draw_query(chance: random.Random) -> str:
    return chance.choice(
        (
            "ASK { <http://e/x> <http://e/p> ?v FILTER(?v > 5) }",
            "ASK { FILTER NOT EXISTS { <http://e/x> <http://e/p> 7 } }",
            "ASK { ?thisArtifactInstance ag:hasUnachievedMilestone <#m> }",
            "ASK { ?s <http://e/p> ?v MINUS { ?s <http://e/p> 1 } }",
            "ASK { ?s <http://e/p> }",
            "ASK {}",
        )
    )


def model_of(queries: list[str]) -> str:
    guards = " ".join(
        f"<#g{number}> gsm:hasCondition <#q{number}> . <#q{number}> ag:ask '{query}' ."
        for number, query in enumerate(queries)
    )
    listed = " , ".join(f"<#g{number}>" for number in range(len(queries)))
    return (
        f"<#r> a gsm:Stage ; ag:source <http://w/env> ; gsm:hasChildStage <#s> . "
        f"<#s> a gsm:Stage ; gsm:hasGuard {listed} ; gsm:hasMilestone <#m> . {guards}"
    )


def decided_values(here: FakeWorld) -> dict[str, str]:
    """Return the values that a dry step of the machine reports, by sentry."""
    machine = Machine(replace(single("i1"), dry_run=True), INSTANT, FRESH_ID)
    report = here.drive(machine)
    return {one.sentry: one.value for one in report.sentries}
