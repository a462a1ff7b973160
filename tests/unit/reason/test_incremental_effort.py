"""A step is never much more work than one that begins with an empty memory, however much it takes back."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import pytest

from agent.n3.builtins import Context
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.terms import IRI, RDF_TYPE, Triple
from agent.reason.incremental.effort import FEW, SHARE
from agent.reason.incremental.run_reasoner import RunReasoner
from agent.resources import read_bundled
from agent.vocab import RDFS

HERE = "http://w.example/"
CONTEXT = Context("2026-01-01T00:00:00.000Z")
SUBCLASS = IRI(RDFS + "subClassOf")
PREFIXES = """@prefix : <http://w.example/> . @prefix log: <http://www.w3.org/2000/10/swap/log#> .
@prefix http: <http://www.w3.org/2011/http#> . @prefix httpm: <http://www.w3.org/2011/http-methods#> .
"""
RING = 2_000
Facts = tuple[Triple, ...]


def rules(text: str) -> Program:
    return read_program(PREFIXES + text, source="rules.n3", base=HERE + "rules.n3")


def iri(name: str) -> IRI:
    return IRI(HERE + name)


def about(predicate: str, pairs: Iterable[tuple[str, str]]) -> Facts:
    return tuple(Triple(iri(one), iri(predicate), iri(other)) for one, other in pairs)


def chain(length: int, cut: int) -> Facts:
    return about("r", ((f"n{k}", f"n{k + 1}") for k in range(length) if k != cut))


def classes(levels: int, depth: int = 10, members: int = 200) -> Facts:
    """Return classes below each other, each with members; the uppermost link is one of ``levels``."""
    links = (Triple(iri(f"c{k}"), SUBCLASS, iri(f"c{k + 1}")) for k in range(levels))
    types = (Triple(iri(f"x{c}-{m}"), RDF_TYPE, iri(f"c{c}")) for c in range(depth) for m in range(members))
    return (*links, *types)


PAIRS = about("p", ((f"a{k}", f"b{k}") for k in range(RING)))
HUB = about("is", [("hub", "on")])
OFF = about("is", [("hub", "off")])
RDFS_RULES = read_program(read_bundled("rules/core/rdfs.n3"), source="rdfs.n3", base=HERE)
CLOSURE = rules("{ ?x :r ?y . ?y :r ?z } => { ?x :r ?z } .")
CONSEQUENCES = """{ ?a :q ?b } => { ?b :s ?a } . { ?b :s ?a } => { ?a :u :v } .
{ ?a :u :v . ?a :p ?b } => { ?b :w ?a } ."""
ON_HUB = rules("{ :hub :is :on . ?a :p ?b } => { ?a :q ?b } ." + CONSEQUENCES)
UNLESS = rules("{ ?a :p ?b . [] log:notIncludes { :hub :is :off } } => { ?a :q ?b } ." + CONSEQUENCES)


class Case(NamedTuple):
    """A change of what is given from one step to the next."""

    program: Program
    before: Facts
    after: Facts


CASES = {
    "a chain is cut in the middle": Case(CLOSURE, chain(90, -1), chain(90, 45)),
    "a chain loses its last link": Case(CLOSURE, chain(90, -1), chain(90, 89)),
    "the uppermost class goes": Case(RDFS_RULES, classes(10), classes(9)),
    "all classes go": Case(RDFS_RULES, classes(10), classes(0)),
    "what supports everything goes": Case(ON_HUB, PAIRS + HUB, PAIRS),
    "what supports everything comes": Case(ON_HUB, PAIRS, PAIRS + HUB),
    "all of it is other than before": Case(
        ON_HUB, PAIRS + HUB, HUB + about("p", ((f"c{k}", f"d{k}") for k in range(RING)))
    ),
    "negation takes everything back": Case(UNLESS, PAIRS, PAIRS + OFF),
    "negation gives everything back": Case(UNLESS, PAIRS + OFF, PAIRS),
}


def step(reasoner: RunReasoner, facts: Facts) -> int:
    """Run a step on what is given and return its work."""
    reasoner.begin(facts, CONTEXT)
    reasoner.finish()
    return reasoner.work


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_change_is_little_more_work_than_beginning_anew(case: Case) -> None:
    kept, anew = RunReasoner(case.program), RunReasoner(case.program)
    step(kept, case.before)
    before = kept.work
    changed, needed = step(kept, case.after), step(anew, case.after)
    assert set(kept.facts) == set(anew.facts)
    assert kept.reason is None
    assert changed <= needed + max(before, needed) // SHARE + FEW


def test_without_a_bound_a_change_can_be_several_times_the_work() -> None:
    case = CASES["all of it is other than before"]
    bold = RunReasoner(case.program, most=lambda size: size)
    step(bold, case.before)
    assert step(bold, case.after) > 1.9 * step(RunReasoner(case.program), case.after)


def read(reasoner: RunReasoner, documents: dict[str, Facts], batches: Sequence[Sequence[str]]) -> int:
    """Run a step that reads documents batch by batch, and return its work."""
    reasoner.begin((), CONTEXT)
    for batch in batches:
        reasoner.answer({uri: documents[uri] for uri in batch})
    reasoner.finish()
    return reasoner.work


def test_documents_that_all_say_something_else_are_little_more_work_than_reading_them_first() -> None:
    count = 40
    uris = [f"{HERE}d{number}" for number in range(count)]
    gets = " ".join(f"{{ }} => {{ [] http:mthd httpm:GET ; http:requestURI <{uri}> }} ." for uri in uris)
    program = rules(gets + "{ ?a :p ?b } => { ?a :q ?b } ." + CONSEQUENCES)

    def said(name: str) -> dict[str, Facts]:
        return {
            uri: about("p", ((f"{name}{n}-{k}", f"b{k}") for k in range(100))) for n, uri in enumerate(uris)
        }

    kept = RunReasoner(program)
    needed = read(kept, said("old"), [uris])
    # Half of what is missing comes at a time, as in a step.
    halves = [uris[:20], uris[20:30], uris[30:35], uris[35:]]
    assert read(kept, said("new"), [uris]) <= 1.2 * needed + FEW
    assert read(kept, said("newer"), halves) <= 1.2 * needed + FEW
    assert read(kept, said("newest"), [[uri] for uri in uris]) <= 1.5 * needed + FEW
