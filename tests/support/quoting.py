"""Random formulas in data and rules, list patterns, and what looks into formulas, for programs drawn at random."""

from collections.abc import Sequence
from random import Random

from agent.n3.program import Pattern
from agent.n3.scopes import COLLECT_ALL_IN, FOR_ALL_IN, INCLUDES, NOT_INCLUDES
from agent.rdf.terms import IRI, RDF_FIRST, RDF_REST, BlankNode, Formula, ListTerm, Term, Triple, Variable
from agent.vocab import LIST, LOG
from tests.support.drawn import OPEN, PREDICATES, THINGS, VALUES, pattern

SAYS = IRI("http://w.example/v#says")
QUOTED_NODES: list[Term] = [BlankNode(f"q{number}", "data{1}") for number in range(2)]
PATTERN_NODES: list[Term] = [BlankNode(f"q{number}", "rule{1}") for number in range(2)]
PAIRS: list[Term] = [ListTerm((THINGS[0], VALUES[1])), ListTerm((VALUES[1], QUOTED_NODES[0]))]
FORMULA = Variable("f")


def draw_formula(chance: Random, parts: Sequence[Term], size: int) -> Formula:
    """Draw a formula over ``parts`` with at most ``size`` triples."""
    return Formula(
        tuple(
            Triple(chance.choice(parts), chance.choice(PREDICATES[:2]), chance.choice(parts))
            for _ in range(chance.randint(1, size))
        )
    )


def draw_quotation(chance: Random) -> Triple:
    """Draw a triple of data that quotes a formula."""
    parts = THINGS[:2] + VALUES[:2] + QUOTED_NODES + PAIRS
    if chance.randrange(6) == 0:
        parts = [*parts, draw_formula(chance, THINGS[:2] + QUOTED_NODES, 1)]
    return Triple(chance.choice(THINGS), SAYS, draw_formula(chance, parts, 3))


def draw_formula_pattern(chance: Random, bound: Sequence[Term], size: int) -> Formula:
    """Draw a formula with variables, its own blank nodes, lists, and sometimes a formula inside."""
    parts: list[Term] = [
        *OPEN,
        *OPEN,
        *bound,
        *PATTERN_NODES,
        THINGS[0],
        VALUES[1],
        ListTerm((OPEN[0], OPEN[1])),
    ]
    if chance.randrange(6) == 0:
        parts.append(draw_formula(chance, [OPEN[0], OPEN[1], THINGS[0], PATTERN_NODES[0]], 1))
    return draw_formula(chance, parts, size)


def draw_quoting(chance: Random, bound: Sequence[Term]) -> list[Pattern]:
    """Draw patterns of a body that match a quoted formula or look into one."""
    speaker = chance.choice([*OPEN, *bound, THINGS[0]])
    kind = chance.randrange(7)
    if kind == 0:
        return [pattern(speaker, SAYS, draw_formula_pattern(chance, bound, 3))]
    inside = [pattern(speaker, SAYS, FORMULA)]
    groups = [draw_formula_pattern(chance, bound, 2) for _ in range(2)]
    if kind in {1, 2}:
        scoped = pattern(FORMULA, INCLUDES, groups[0])
    elif kind == 3:
        scoped = pattern(FORMULA, NOT_INCLUDES, groups[0])
    elif kind == 4:
        scoped = pattern(ListTerm((groups[0], groups[1])), FOR_ALL_IN, FORMULA)
    elif kind == 5:
        collected = chance.choice(
            [part for part in groups[0].triples[0] if isinstance(part, Variable)] or [*bound, THINGS[0]]
        )
        scoped = pattern(ListTerm((collected, groups[0], Variable("l"))), COLLECT_ALL_IN, FORMULA)
    else:
        both = ListTerm((FORMULA, draw_formula(chance, THINGS[:2] + QUOTED_NODES, 1)))
        inside.append(pattern(both, IRI(LOG + "conjunction"), Variable("g")))
        scoped = pattern(Variable("g"), INCLUDES, groups[0])
    return [*inside, scoped]


def draw_cells(chance: Random, bound: Sequence[Term]) -> Pattern:
    """Draw a pattern that follows a list, of the data or of memory."""
    subject = chance.choice([*bound, *bound, *OPEN[:2], ListTerm((VALUES[1], *bound[:1], THINGS[0]))])
    target = chance.choice([*OPEN, *bound, ListTerm((OPEN[2],)), THINGS[0]])
    return pattern(subject, chance.choice([RDF_FIRST, RDF_REST]), target)


def draw_list_builtin(chance: Random, bound: Sequence[Term]) -> Pattern:
    """Draw a builtin whose result is matched with a list pattern."""
    source = ListTerm((ListTerm((VALUES[1], *bound[:1])), chance.choice([*bound, THINGS[0]])))
    return pattern(source, IRI(LIST + "member"), chance.choice([ListTerm((OPEN[1], OPEN[2])), OPEN[1]]))
