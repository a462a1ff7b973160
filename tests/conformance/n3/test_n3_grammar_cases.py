"""Cases of the N3 grammar, as data: a manifest in the form of the W3C N3 test suite."""

from pathlib import Path

import pyoxigraph
import pytest

from agent.errors import ProgramError
from agent.n3.data_lists import spell_out_lists
from agent.n3.load import read_model
from agent.n3.parser import parse
from agent.n3.write import write_triples
from agent.rdf.terms import IRI, RDF_TYPE

FOLDER = Path(__file__).parent
BASE = "http://example.org/tests/"
MANIFEST = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
TYPES = "https://w3c.github.io/N3/tests/test.n3#"


def _cases(kind: str) -> list[dict[str, str]]:
    """Return the cases of ``kind``: file names by the local name of their predicate."""
    text = (FOLDER / "manifest.ttl").read_text(encoding="utf-8")
    triples = [
        pattern.triple for pattern in read_model(text, source="manifest.ttl", base=f"{BASE}manifest.ttl")
    ]
    members = [
        subject
        for subject, predicate, value in triples
        if (predicate, value) == (RDF_TYPE, IRI(TYPES + kind))
    ]
    return [
        {
            predicate.value.removeprefix(MANIFEST): value.value.removeprefix(BASE)
            for subject, predicate, value in triples
            if subject == member and isinstance(predicate, IRI) and isinstance(value, IRI)
        }
        for member in members
    ]


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("case", _cases("TestN3PositiveSyntax"), ids=lambda case: case["action"])
def test_what_the_grammar_allows_is_read(case: dict[str, str]) -> None:
    assert parse(
        _text(case["action"]), source=case["action"], base=BASE + case["action"], dialect=False
    ).statements


@pytest.mark.parametrize("case", _cases("TestN3NegativeSyntax"), ids=lambda case: case["action"])
def test_what_the_grammar_forbids_is_refused(case: dict[str, str]) -> None:
    with pytest.raises(ProgramError):
        parse(_text(case["action"]), source=case["action"], base=BASE + case["action"], dialect=False)


@pytest.mark.parametrize("case", _cases("TestN3Eval"), ids=lambda case: case["action"])
def test_what_is_read_is_the_graph_that_is_meant(case: dict[str, str]) -> None:
    parsed = parse(_text(case["action"]), source=case["action"], base=BASE + case["action"], dialect=False)
    written = write_triples(pattern.triple for pattern in spell_out_lists(parsed.statements, BASE))
    assert _graph(written, pyoxigraph.RdfFormat.TURTLE) == _graph(
        _text(case["result"]), pyoxigraph.RdfFormat.N_TRIPLES
    )


def _graph(text: str, form: pyoxigraph.RdfFormat) -> pyoxigraph.Dataset:
    graph = pyoxigraph.Dataset(pyoxigraph.parse(text.encode(), format=form))
    graph.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    return graph
