"""A step in which nothing is new but its instant costs the same work however much there is."""

import sys
from collections.abc import Callable
from types import FrameType

from agent.n3.builtins import Context
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.terms import IRI, Literal, Triple
from agent.reason.incremental.run_reasoner import RunReasoner
from agent.resources import read_bundled

HERE = "http://w.example/"
PREFIXES = """@prefix : <http://w.example/> . @prefix log: <http://www.w3.org/2000/10/swap/log#> .
@prefix http: <http://www.w3.org/2011/http#> . @prefix httpm: <http://www.w3.org/2011/http-methods#> .
"""
RULES = """{ ?a :in ?b . [] log:notIncludes { ?a :is :gone } } => { ?a :counts true } .
{ ?a :counts true ; :wants ?b . [] log:notIncludes { ?b :counts true } } => { ?a :lacks ?b } .
{ ?a :in ?b } => { [] http:mthd httpm:GET ; http:requestURI ?a } ."""
READS_TIME = "{ ?a :lacks ?b . :now :id ?id } => { ?a :asked ?id } ."


def rules(text: str) -> Program:
    rdfs = read_program(read_bundled("rules/core/rdfs.n3"), source="rdfs.n3", base=HERE)
    return rdfs + read_program(PREFIXES + text, source="rules.n3", base=HERE + "rules.n3")


def iri(name: str) -> IRI:
    return IRI(HERE + name)


def steps(text: str, count: int) -> tuple[RunReasoner, Callable[[int], None]]:
    """Return a reasoner, and what runs step after step on the same documents."""
    named = [iri(f"d{number}") for number in range(count)]
    listed = "".join(f"<{name.value}> :in :all ." for name in named)
    reasoner = RunReasoner(rules(text + listed))
    said = {name.value: (Triple(name, iri("wants"), iri("nothing")),) for name in named}

    def step(number: int) -> None:
        now = (Triple(iri("now"), iri(p), Literal(f"{p}{number}")) for p in ("instant", "id"))
        reasoner.begin(now, Context(f"2026-01-01T00:00:{number:02}.000Z"), dict(said))
        known = reasoner.said
        news = {uri: triples for uri, triples in said.items() if known.get(uri) is not triples}
        if news:
            reasoner.answer(news)
        reasoner.finish()

    return reasoner, step


def calls(act: Callable[[], None]) -> int:
    """Return how many functions in Python ``act`` calls."""
    count = 0

    def note(_: FrameType, event: str, __: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(before)
    return count


def test_a_step_in_which_nothing_is_new_but_its_instant_calls_as_much_for_many_documents_as_for_few() -> None:
    few, of_few = steps(RULES, 3)
    many, of_many = steps(RULES, 30)
    for number in range(3):
        of_few(number)
        of_many(number)
    assert calls(lambda: of_many(3)) == calls(lambda: of_few(3))
    assert (few.work, many.work) == (4, 4)
    assert (few.reason, many.reason) == (None, None)


def test_an_instant_that_a_rule_reads_is_read_anew_in_each_step() -> None:
    kept, of_kept = steps(RULES + READS_TIME, 5)
    for number in range(4):
        of_kept(number)
        anew, of_anew = steps(RULES + READS_TIME, 5)
        of_anew(number)
        assert set(kept.facts) == set(anew.facts)
        assert Triple(iri("d1"), iri("asked"), Literal(f"id{number}")) in kept.facts
    assert kept.reason is None
