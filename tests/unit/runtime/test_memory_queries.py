"""SPARQL over a memory: the answer comes in the format that the name of its file asks for."""

import json

import pytest

from agent.errors import ProgramError
from agent.rdf.terms import IRI, Formula, Literal, Triple
from agent.runtime.queries import answer_query

MEMORY = (
    Triple(IRI("http://e/a"), IRI("http://e/p"), Literal("x")),
    Triple(IRI("http://e/a"), IRI("http://e/says"), Formula(())),
)
SELECT = "SELECT ?s ?o { ?s <http://e/p> ?o }"


@pytest.mark.parametrize(
    ("query", "ending", "answer"),
    [
        (SELECT, "csv", "s,o\r\nhttp://e/a,x\r\n"),
        (SELECT, "tsv", '?s\t?o\n<http://e/a>\t"x"\n'),
        ("CONSTRUCT WHERE { ?s <http://e/p> ?o }", "nt", '<http://e/a> <http://e/p> "x" .\n'),
        ("CONSTRUCT WHERE { ?s <http://e/p> ?o }", "csv", '<http://e/a> <http://e/p> "x" .\n'),
        ("CONSTRUCT WHERE { ?s <http://e/none> ?o }", "nt", ""),
    ],
)
def test_the_ending_chooses_the_format(query: str, ending: str, answer: str) -> None:
    assert answer_query(query, MEMORY, source="q.rq", ending=ending).decode() == answer


@pytest.mark.parametrize("ending", ["csv", "json", "txt"])
def test_a_question_is_answered_in_json_whatever_the_table_format(ending: str) -> None:
    answer = answer_query("ASK { ?s <http://e/p> ?o }", MEMORY, source="q.rq", ending=ending)

    assert json.loads(answer)["boolean"] is True


def test_what_is_no_query_is_told_with_its_file() -> None:
    with pytest.raises(ProgramError, match=r"^q\.rq  error N3001  this is no SPARQL query"):
        answer_query("SELEC", MEMORY, source="q.rq", ending="csv")
