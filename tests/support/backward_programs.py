"""Random backward rules for random programs, which then ask them."""

from collections.abc import Iterable
from random import Random

from msgspec.structs import replace

from agent.n3.program import DerivationRule, Pattern, Program
from agent.n3.scopes import NOT_INCLUDES, SCOPED
from agent.rdf.terms import IRI, Formula, Term
from tests.support.drawn import NOWHERE, PREDICATES
from tests.support.programs import CONCLUSIONS, World, draw_derivation

ASKED: list[Term] = [IRI(f"http://w.example/v#a{number}") for number in range(2)]


def with_backward_rules(world: World, chance: Random) -> World:
    """Return ``world`` with a few backward rules in its program, which the other rules and they themselves ask.

    They negate only if no document is asked for by what they answer.
    """
    program = world.program
    drawn = [draw_derivation(chance, number) for number in range(chance.randint(1, 3))]
    if any(rule.is_retrieval and rule.body for rule in program.requests):
        drawn = [rule for rule in drawn if all(each.triple.predicate not in SCOPED for each in rule.body)]
    backward = [
        DerivationRule(
            f"answer{number}",
            _asking(rule.body, chance),
            tuple(_named(each, chance.choice(ASKED * 4 + PREDICATES[2:])) for each in rule.head),
            NOWHERE,
        )
        for number, rule in enumerate(drawn)
    ]
    return replace(world, program=_with(program, backward, chance))


def _with(program: Program, backward: Iterable[DerivationRule], chance: Random) -> Program:
    return replace(
        program,
        derivations=tuple(replace(rule, body=_asking(rule.body, chance)) for rule in program.derivations),
        requests=tuple(replace(rule, body=_asking(rule.body, chance)) for rule in program.requests),
        backward=tuple(backward),
    )


def _named(each: Pattern, predicate: Term) -> Pattern:
    return replace(each, triple=each.triple._replace(predicate=predicate))


def _asking(body: Iterable[Pattern], chance: Random) -> tuple[Pattern, ...]:
    """Return ``body`` with questions in place of a third of the patterns that match data, also in negated groups."""
    return tuple(_asked(each, chance) for each in body)


def _asked(each: Pattern, chance: Random) -> Pattern:
    group = each.triple.object
    if each.triple.predicate == NOT_INCLUDES and isinstance(group, Formula):
        inner = (_asked(Pattern(triple, NOWHERE), chance).triple for triple in group.triples)
        return replace(each, triple=each.triple._replace(object=Formula(tuple(inner))))
    if each.triple.predicate in {*PREDICATES, *CONCLUSIONS} and chance.randrange(3) == 0:
        return _named(each, chance.choice(ASKED))
    return each
