"""What is written as Notation3 reads back to the same."""

from hypothesis import given, settings

from agent.n3.document import write_statements
from agent.n3.load import read_program
from agent.n3.parser import parse
from agent.n3.program import Program
from agent.n3.programs import write_program
from agent.n3.write import write_triples
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Term, Triple
from tests.support.depth import depth
from tests.support.n3 import BASE, PROGRAM, SOURCE
from tests.support.random_programs import meaning, programs
from tests.support.random_terms import NAMESPACES, TRIPLES


def _read(text: str) -> list[Triple]:
    return [statement.triple for statement in parse(text, source=SOURCE, base=BASE).statements]


def _without_blank_nodes(triples: list[Triple]) -> list[Triple]:
    """Return ``triples`` with one IRI for all blank nodes: blank nodes are renamed and scoped by reading."""

    def plain(term: Term) -> Term:
        match term:
            case BlankNode():
                return IRI("urn:blank")
            case ListTerm(items):
                return ListTerm(tuple(plain(item) for item in items))
            case Formula(inner):
                return Formula(tuple(Triple(*(plain(part) for part in triple)) for triple in inner))
            case _:
                return term

    return [Triple(*(plain(part) for part in triple)) for triple in triples]


@given(TRIPLES)
@settings(max_examples=depth(60, 5000))
def test_written_triples_read_back_to_the_same(triples: list[Triple]) -> None:
    once = _read(write_triples(triples, NAMESPACES))
    assert _without_blank_nodes(once) == _without_blank_nodes(triples)
    twice = _read(write_triples(once, {}))
    assert _read(write_triples(twice, NAMESPACES)) == twice


@given(TRIPLES)
@settings(max_examples=depth(40, 1000))
def test_statements_laid_out_read_back_to_the_same_nodes_included(triples: list[Triple]) -> None:
    once = _read(write_statements(triples, (), NAMESPACES))

    assert _without_blank_nodes(once) == _without_blank_nodes(triples)
    assert _read(write_statements(once, (), {})) == once


@given(programs())
@settings(max_examples=depth(30, 600))
def test_a_written_program_reads_back_to_the_same_program(program: Program) -> None:
    again = read_program(write_program(program), source=SOURCE, base=BASE)

    assert meaning(again) == meaning(program)


def _rewritten(text: str) -> str:
    return write_program(read_program(text, source=SOURCE, base=BASE))


def test_a_written_program_reads_back_to_the_same_rules() -> None:
    program = read_program(PROGRAM, source=SOURCE, base=BASE)
    again = read_program(write_program(program), source=SOURCE, base=BASE)
    assert (len(again.facts), len(again.derivations), len(again.requests)) == (10, 1, 3)
    assert [rule.is_retrieval for rule in again.requests] == [True, False, False]
    once = _rewritten(write_program(program))
    assert _rewritten(once) == once
