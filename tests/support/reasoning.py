"""Programs in N3 text, run by the reasoner, answers as N3-like text: short enough to read in a test."""

from collections.abc import Callable, Iterable

from agent.n3.builtins import Context
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Triple, Variable
from agent.reason.budget import Budget
from agent.reason.facts import Facts
from agent.reason.fixpoint import Reasoner

BASE = "http://e.example/"
PREFIXES = """
@prefix : <http://e.example/#> .
@prefix math: <http://www.w3.org/2000/10/swap/math#> .
@prefix string: <http://www.w3.org/2000/10/swap/string#> .
@prefix log: <http://www.w3.org/2000/10/swap/log#> .
@prefix list: <http://www.w3.org/2000/10/swap/list#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix sr: <http://www.w3.org/2005/sparql-results#> .
@prefix http: <http://www.w3.org/2011/http#> .
@prefix m: <http://www.w3.org/2011/http-methods#> .
"""
CONTEXT = Context("2026-01-01T00:00:00.000Z")


def program(text: str) -> Program:
    """Return the program that ``text`` is, prefixes supplied."""
    return read_program(PREFIXES + text, source="test.n3", base=BASE)


def triples(text: str) -> tuple[Triple, ...]:
    """Return the facts that ``text`` states."""
    return program(text).facts


def iri(name: str) -> IRI:
    """Return the IRI ``:name``."""
    return IRI(f"{BASE}#{name}")


def finished(
    text: str,
    *,
    conclude: Callable[[Facts], Iterable[Triple]] | None = None,
    protected: frozenset[str] = frozenset(),
    budget: Budget | None = None,
) -> Reasoner:
    """Return the reasoner of the program ``text`` with all strata run."""
    reasoner = Reasoner(program(text), CONTEXT, budget, protected=protected)
    reasoner.finish(conclude)
    return reasoner


def short(term: Term) -> str:
    """Return ``term`` as a test writes it."""
    match term:
        case IRI(value):
            return ":" + value.rpartition("#")[2] if value.startswith(BASE + "#") else f"<{value}>"
        case Literal(lexical):
            return lexical
        case BlankNode(label):
            return "_:" + label.partition(".")[0]
        case Variable(name):
            return "?" + name
        case ListTerm(items):
            return "( " + " ".join(map(short, items)) + " )"
        case Formula(inner):
            return "{ " + " . ".join(" ".join(map(short, triple)) for triple in inner) + " }"


def said(reasoner: Reasoner, predicate: str) -> list[str]:
    """Return who has what as ``:predicate``, sorted."""
    found = reasoner.facts.match(None, iri(predicate), None)
    return sorted(f"{short(triple.subject)} {short(triple.object)}" for triple in found)


def asked(reasoner: Reasoner) -> list[str]:
    """Return the bindings of the request rules, sorted."""
    return sorted(
        " ".join(f"{name}={short(binding[name])}" for name in sorted(binding))
        for _, binding in reasoner.request_bindings()
    )
