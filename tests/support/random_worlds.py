"""Random worlds that change while a program runs: what each document says, step by step, and what is given.

They are drawn from a seeded ``Random``, as single worlds are (``programs``), so that rules, data and documents meet.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from agent.n3.builtins import Context
from agent.n3.load import read_program
from agent.n3.program import Program
from agent.rdf.terms import IRI, RDF_TYPE, XSD_DATETIME, Literal, Triple
from agent.reason.facts import Facts
from agent.resources import read_bundled
from agent.vocab import OWL
from tests.support.backward_programs import with_backward_rules
from tests.support.drawn import PREDICATES, integer
from tests.support.programs import draw_list, draw_world, holds_for
from tests.support.random_forms import computing, in_forms
from tests.support.random_rules import (
    COUNT,
    INSTANT,
    LINK,
    NODES,
    PAGES,
    THIS_STEP,
    counting_rule,
    draw_derivation,
    draw_fact,
    draw_inconsistency,
    draw_request,
    draw_retrievals,
    draw_schema_fact,
    with_constant_predicates,
)

Said = tuple[Triple, ...] | None
"""What a document says: its triples, or nothing when it is gone or could not be read."""

INSTANTS = [f"2026-01-01T{hour:02}:00:00.000Z" for hour in (9, 11, 12, 13, 15)]


class Step(Struct, frozen=True):
    """What is so in one step; a step that is ``cut`` ends before its reading does."""

    instant: str
    given: tuple[Triple, ...]
    said: Mapping[str, Said]
    is_cut: bool = False

    @property
    def context(self) -> Context:
        """Return what builtins know of the step."""
        return Context(self.instant)

    @property
    def facts(self) -> tuple[Triple, ...]:
        """Return the facts that the step begins with."""
        return (*self.given, Triple(THIS_STEP, INSTANT, Literal(self.instant, XSD_DATETIME)))

    def document(self, uri: str) -> Sequence[Triple]:
        """Return the triples of a document."""
        return self.said.get(uri) or ()


class Course(Struct, frozen=True):
    """A program and the steps that it runs through."""

    program: Program
    steps: tuple[Step, ...]
    protected: frozenset[str]
    concludes: bool

    def conclude(self, facts: Facts) -> Iterable[Triple]:
        """Conclude what no rule can, from the memory of a step."""
        return holds_for(list(facts))


@cache
def core_rules(name: str) -> Program:
    """Return the rules of the file ``name`` in rules/core."""
    file = f"rules/core/{name}.n3"
    return read_program(read_bundled(file), source=file, base=f"https://w3id.org/milepost/{file}")


def draw_page(chance: Random, uri: str) -> tuple[Triple, ...]:
    """Draw what a document says; often a link to itself, now and then a list or schema."""
    triples = [draw_fact(chance) for _ in range(chance.randrange(9))]
    if chance.random() < 0.4:
        triples.append(Triple(chance.choice(NODES), LINK, IRI(uri)))
    triples += [Triple(IRI(uri), LINK, IRI(chance.choice(PAGES))) for _ in range(chance.randrange(3))]
    if chance.randrange(8) == 0:
        triples += draw_list(chance)
    if chance.randrange(12) == 0:
        triples.append(draw_schema_fact(chance))
    return tuple(triples)


def _changed(chance: Random, uri: str, now: Said, before: Said) -> Said:
    """Return what a document says in the next step."""
    kind = chance.randrange(20)
    if kind < 8:
        return now
    if kind < 11:
        return None
    if kind < 13:
        return before
    if kind < 15 or not now:
        return draw_page(chance, uri)
    kept = [triple for triple in now if chance.random() < 0.75]
    return (*kept, *(draw_fact(chance) for _ in range(chance.choice([0, 0, 1, 2]))))


def _steps(chance: Random, pages: Sequence[str], first: Mapping[str, Said]) -> Iterator[Step]:
    said = dict(first)
    before = dict.fromkeys(pages, None) | said
    instant = chance.choice(INSTANTS)
    given = tuple(draw_fact(chance) for _ in range(chance.choice([0, 1, 2, 3])))
    for _ in range(chance.choice([3, 3, 4, 4, 5, 8])):
        yield Step(instant, given, dict(said), is_cut=chance.randrange(15) == 0)
        changed = {uri: _changed(chance, uri, said.get(uri), before.get(uri)) for uri in pages}
        before, said = said, changed
        if chance.random() < 0.5:
            instant = chance.choice(INSTANTS)
        if chance.random() < 0.4:
            count = Triple(chance.choice(NODES), COUNT, integer(0))
            given = (
                *given[1:],
                *(chance.choice([draw_fact(chance), count]) for _ in range(chance.choice([0, 1, 2]))),
            )


def _schema(chance: Random) -> Program:
    """Return nothing, or rules of rules/core with a schema that they work on."""
    kind = chance.randrange(12)
    if kind > 2:
        return Program()
    facts = [draw_schema_fact(chance) for _ in range(chance.randint(1, 3))]
    if kind < 2:
        facts.append(Triple(PREDICATES[2], RDF_TYPE, IRI(OWL + "TransitiveProperty")))
        facts.append(Triple(PREDICATES[1], IRI(OWL + "inverseOf"), chance.choice(PREDICATES)))
    program = Program(facts=tuple(facts))
    if kind != 1:
        program += core_rules("rdfs")
    return program if kind == 2 else program + core_rules("owl")


def _exotic(seed: int, chance: Random) -> Course:
    """Draw a program with what is not kept up to date: lists taken apart, formulas looked into, backward rules."""
    world = draw_world(seed)
    if chance.random() < 0.5:
        world = with_backward_rules(world, chance)
    first = dict(world.outcomes)
    return Course(world.program, tuple(_steps(chance, list(first), first)), world.protected, world.concludes)


def _in_several_forms(course: Course, seed: int) -> Course:
    """Return ``course`` with values in several forms, which change from step to step, and rules that compute with them."""
    chance = Random(f"forms {seed}")
    turn = Counter[str]()
    steps: list[Step] = []
    # Their facts are more than those of other courses, so their steps are fewer.
    for step in course.steps[:6]:
        turn.update(place for place in ("given", *step.said) if chance.random() < 0.4)
        said = {
            uri: None if triples is None else in_forms(triples, seed, f"{uri} {turn[uri]}")
            for uri, triples in step.said.items()
        }
        steps.append(replace(step, given=in_forms(step.given, seed, f"given {turn['given']}"), said=said))
    program = computing(course.program, chance)
    facts = in_forms(program.facts, seed, "program")
    return replace(course, program=replace(program, facts=facts), steps=tuple(steps))


def draw_course(seed: int) -> Course:
    """Return the course of ``seed``; two of five have values in several forms."""
    course = _drawn_course(seed)
    return _in_several_forms(course, seed) if seed % 5 in {1, 2} else course


def _drawn_course(seed: int) -> Course:
    chance = Random(seed)
    if chance.randrange(12) == 0:
        return _exotic(seed, chance)
    derivations = [draw_derivation(chance, number) for number in range(chance.randint(2, 6))]
    if chance.random() < 0.7:
        derivations = [with_constant_predicates(chance, rule) for rule in derivations]
    if chance.randrange(20) == 0:
        derivations.append(counting_rule())
    program = Program(
        tuple(draw_fact(chance) for _ in range(chance.randint(4, 14))),
        tuple(derivations),
        (
            *draw_retrievals(chance),
            *(draw_request(chance, number) for number in range(chance.randint(2, 4))),
        ),
        inconsistencies=tuple(
            draw_inconsistency(chance, number) for number in range(chance.choice([0, 1, 2]))
        ),
    )
    first = {uri: draw_page(chance, uri) if chance.random() < 0.8 else None for uri in PAGES}
    protected = chance.choice([frozenset[str](), frozenset({"http://w.example/v#p1"})])
    steps = tuple(_steps(chance, PAGES, first))
    return Course(program + _schema(chance), steps, protected, concludes=chance.random() < 0.5)


def with_given(program: Program, step: Step) -> Program:
    """Return ``program`` with the facts that ``step`` begins with among its own."""
    return replace(program, facts=(*program.facts, *step.facts))
