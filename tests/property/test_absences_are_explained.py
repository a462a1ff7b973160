"""Of a rule that could have given a triple no explanation says that it fails where it holds, or holds where it fails."""

from collections import Counter
from collections.abc import Iterator
from random import Random

from agent.errors import BudgetError
from agent.n3.program import Program
from agent.rdf.terms import BlankNode, ListTerm, Term, Triple, Variable
from agent.reason.absence import Absence, Attempt, attempts_of
from agent.reason.budget import Budget
from agent.reason.incremental.run_reasoner import RunReasoner
from agent.reason.naive import Oracle
from tests.property.test_runs_are_proved import finished
from tests.support.backward_programs import ASKED
from tests.support.depth import depth
from tests.support.proofs import SPECIAL
from tests.support.random_worlds import Course, Step


def patterns(chance: Random, memory: list[Triple], program: Program) -> Iterator[Triple]:
    """Yield patterns of terms of the memory and of heads, some with variables."""
    heads = [pattern.triple for rule in program.derivations for pattern in rule.head]
    for _ in range(8):
        terms = [chance.choice(memory)[place] for place in range(3)]
        if heads and chance.random() < 0.7:
            head = chance.choice(heads)
            terms = [
                term if isinstance(part, Variable) else part for term, part in zip(terms, head, strict=True)
            ]
        names = chance.choice([("x", "y"), ("x", "x")])
        for place, name in zip((0, 2), names, strict=True):
            if chance.random() < 0.4:
                terms[place] = Variable(name)
        # A blank node in a pattern stands for anything.
        yield Triple(*(Variable(term.label) if isinstance(term, BlankNode) else term for term in terms))


Given = dict[str, set[Triple]]
"""The triples that each rule gives on a memory, by name of the rule."""


def given_by_rules(course: Course, step: Step, memory: list[Triple]) -> Given:
    """Return what an independent engine makes of the rules on ``memory``."""
    oracle = Oracle(course.program, step.context, course.protected, Budget())
    return {
        rule.name: {
            triple
            for found in oracle.instances(rule.body, memory, memory, {})
            for triple in oracle.conclusions(rule, found)
        }
        for rule in course.program.derivations
    }


def faults(absence: Absence, given: Given, memory: list[Triple]) -> Iterator[str]:
    """Yield what is wrong with an explanation, the ones inside it included."""
    pending = [absence]
    while pending:
        one = pending.pop()
        if any(matches(triple, one.pattern) for triple in memory):
            yield f"{one.pattern} is known"
        for attempt in one.attempts:
            gives = any(matches(triple, one.pattern) for triple in given.get(attempt.rule, ()))
            if gives and attempt.kind not in {"nothing", "untried"}:
                yield f"{attempt.rule} gives {one.pattern}"
            yield from _wrong_parts(attempt, memory)
            if attempt.because is not None:
                pending.append(attempt.because)


def _wrong_parts(attempt: Attempt, memory: list[Triple]) -> Iterator[str]:
    values: dict[Term, Term] = {Variable(name): value for name, value in attempt.binding}
    if any(isinstance(term, Variable) and term in values for triple in attempt.held for term in triple):
        yield f"{attempt.rule}: a value is not filled in"
    for said in attempt.held:
        # What backward rules answer is not kept in memory.
        is_plain = not isinstance(said.subject, ListTerm) and said.predicate not in {*SPECIAL, *ASKED}
        if is_plain and said not in memory:
            yield f"{attempt.rule}: {said} is not known"
    failing = attempt.failing if attempt.kind == "pattern" else None
    if failing is not None and any(matches(triple, failing) for triple in memory):
        yield f"{attempt.rule}: {failing} is known"


def matches(triple: Triple, pattern: Triple) -> bool:
    """Tell whether ``triple`` is ``pattern`` for some values of its variables."""
    values: dict[Term, Term] = {}
    return all(
        (values.setdefault(wanted, term) if isinstance(wanted, Variable) else wanted) == term
        for term, wanted in zip(triple, pattern, strict=True)
    )


def check(seed: int) -> Counter[str]:
    """Fail if an explanation in the course of ``seed`` says what is not so; return the kinds of what fails."""
    chance = Random(seed)
    kinds = Counter[str]()
    for course, step, reasoner, _ in finished(seed, RunReasoner):
        memory = list(reasoner.facts)
        given = given_by_rules(course, step, memory)
        for pattern in patterns(chance, memory, course.program):
            try:
                absence = reasoner.why_not(pattern)
            except BudgetError:
                continue
            known = any(matches(triple, pattern) for triple in memory)
            assert (absence is None) == known, f"seed {seed}: {pattern}"
            if absence is not None:
                found = list(faults(absence, given, memory))
                assert found == [], f"seed {seed}: {found}"
                kinds.update(attempt.kind for attempt in attempts_of(absence))
    return kinds


def test_no_body_is_said_to_fail_that_holds() -> None:
    kinds = Counter[str]()
    for seed in range(depth(16, 1_500)):
        kinds += check(seed)
    assert kinds["pattern"] > 50
    assert kinds.keys() >= {"builtin", "group", "head"}


def test_a_term_that_is_no_list_of_the_shape_that_is_written_is_told_as_it_is() -> None:
    assert check(113)["shape"] > 0
