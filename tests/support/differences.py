"""Where a reasoner and the simple engine differ on a course: the first place, and a smaller course that shows it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from random import Random
from typing import TypeVar

from msgspec.structs import replace

from agent.errors import BudgetError, ProgramError
from agent.n3.program import DerivationRule, Inconsistency, Program, RequestRule
from agent.n3.programs import write_program
from agent.n3.write import Writer
from agent.rdf.terms import Term, Triple, Variable, variables_of
from agent.vocab import KNOWN_PREFIXES
from tests.support.engines import CUT, Driver, Found, MakeReasoner, Outcome, recomputed
from tests.support.random_rules import variables_bound
from tests.support.random_worlds import Course, Step

T = TypeVar("T")
R = TypeVar("R", DerivationRule, RequestRule, Inconsistency)
PREFIXES = {**KNOWN_PREFIXES, "": "http://w.example/v#", "w": "http://w.example/"}
MOST_TRIES = 4_000


@dataclass(frozen=True)
class Difference:
    """What the step ``number`` of a course, counted from 0, comes to by either engine."""

    number: int
    expected: Found
    found: Found


def found_by_reasoner(course: Course, make: MakeReasoner, chance: Random) -> Iterator[Found]:
    """Yield what each step of ``course`` comes to on a reasoner."""
    try:
        driver = Driver(course, make, chance)
    except (BudgetError, ProgramError) as error:
        yield from [error.code] * len(course.steps)
        return
    yield from map(driver.run, course.steps)


def difference(course: Course, make: MakeReasoner, seed: int) -> Difference | None:
    """Return the first step on which a reasoner differs from the simple engine, if there is one."""
    answers = found_by_reasoner(course, make, Random(seed))
    for number, step in enumerate(course.steps):
        try:
            found = next(answers)
        except Exception as fault:  # noqa: BLE001  whatever else a reasoner raises is a difference
            return Difference(number, "no error", f"{type(fault).__name__}: {fault}")
        expected = recomputed(course, step)
        if found not in {CUT, expected}:
            return Difference(number, expected, found)
    return None


def explained(course: Course, found: Difference) -> str:
    """Return the course as somebody can read it, with the first difference at its end."""
    lines = [write_program(replace(course.program, prefixes=PREFIXES))]
    lines += [
        f"# protected: {' '.join(sorted(course.protected)) or 'nothing'}; concludes: {course.concludes}"
    ]
    for number, step in enumerate(course.steps[: found.number + 1]):
        lines += _described(number, step)
    lines += [f"# step {found.number} should be {_named(found.expected)}, and is {_named(found.found)}"]
    if isinstance(found.expected, Outcome) and isinstance(found.found, Outcome):
        lines += _compared(found.expected, found.found)
    return "\n".join(lines)


def _named(found: Found) -> str:
    return found if isinstance(found, str) else f"{len(found.facts)} facts"


def _described(number: int, step: Step) -> Iterator[str]:
    writer = Writer(PREFIXES)
    yield f"# step {number} at {step.instant}{', cut' if step.is_cut else ''}"
    yield from (f"#   given: {writer.triple(triple)}" for triple in step.given)
    for uri, said in sorted(step.said.items()):
        sentences = "nothing" if said is None else " . ".join(map(writer.triple, said))
        yield f"#   <{uri}> says {sentences}"


def _compared(expected: Outcome, found: Outcome) -> Iterator[str]:
    writer = Writer(PREFIXES)
    for field in fields(Outcome):
        wanted, got = getattr(expected, field.name), getattr(found, field.name)
        for sign, parts in (("lacks", wanted - got), ("has too many", got - wanted)):
            yield from (
                f"# {field.name}: {sign} {_said(part, writer)}" for part in sorted(parts, key=repr)[:9]
            )


def _said(part: object, writer: Writer) -> str:
    match part:
        case Triple():
            return writer.triple(part)
        case (str(name), frozenset(binding)):
            terms: Iterable[tuple[str, Term]] = binding
            return f"{name}: " + ", ".join(
                f"?{each} = {writer.term(term)}" for each, term in sorted(terms, key=repr)
            )
        case _:
            return str(part)


def reduced(course: Course, differs: Callable[[Course], bool]) -> Course:
    """Return a course with as little in it as makes ``differs`` true still, found within a bounded number of tries."""
    tries = 0
    progress = True
    while progress:
        progress = False
        for smaller in _smaller(course):
            tries += 1
            if tries > MOST_TRIES:
                return course
            if differs(smaller):
                course, progress = smaller, True
                break
    return course


def _smaller(course: Course) -> Iterator[Course]:
    for steps in _without_one(course.steps):
        yield replace(course, steps=steps)
    for program in _smaller_programs(course.program):
        yield replace(course, program=program)
    for number, step in enumerate(course.steps):
        for less in _smaller_steps(step):
            yield replace(course, steps=(*course.steps[:number], less, *course.steps[number + 1 :]))
    if course.protected:
        yield replace(course, protected=frozenset())
    if course.concludes:
        yield replace(course, concludes=False)


def _without_one(items: Sequence[T]) -> Iterator[tuple[T, ...]]:
    for size in (len(items) // 2, 1):
        for start in range(0, len(items), size or 1):
            if size:
                yield (*items[:start], *items[start + size :])


def _smaller_programs(program: Program) -> Iterator[Program]:
    yield from (replace(program, derivations=rules) for rules in _fewer(program.derivations))
    yield from (replace(program, requests=rules) for rules in _fewer(program.requests))
    yield from (replace(program, inconsistencies=rules) for rules in _fewer(program.inconsistencies))
    yield from (replace(program, backward=rules) for rules in _fewer(program.backward))
    yield from (replace(program, facts=facts) for facts in _without_one(program.facts))


def _fewer(rules: tuple[R, ...]) -> Iterator[tuple[R, ...]]:
    """Yield ``rules`` with one less, or with less in one."""
    yield from _without_one(rules)
    for number in range(len(rules)):
        for less in _smaller_rules(rules[number]):
            yield tuple(chain(rules[:number], [less], rules[number + 1 :]))


def _smaller_rules(rule: R) -> Iterator[R]:
    for body in _without_one(rule.body):
        if _wanted(rule) <= set(variables_bound(body)):
            yield replace(rule, body=body)
    if isinstance(rule, DerivationRule):
        for head in filter(None, _without_one(rule.head)):
            yield replace(rule, head=head)
    if isinstance(rule, RequestRule) and any(template.headers for template in rule.requests):
        yield replace(rule, requests=tuple(replace(template, headers=()) for template in rule.requests))


def _wanted(rule: DerivationRule | RequestRule | Inconsistency) -> set[Term]:
    """Return the variables that the body of ``rule`` must bind."""
    if isinstance(rule, Inconsistency):
        return set()
    if isinstance(rule, DerivationRule):
        return set(map(Variable, variables_of(term for each in rule.head for term in each.triple)))
    parts = [term for each in rule.requests for term in (each.uri, each.body) if term is not None]
    pairs = [pair for each in rule.requests for pair in (*each.headers, *each.annotations)]
    return set(map(Variable, variables_of([*parts, *(term for pair in pairs for term in pair)])))


def _smaller_steps(step: Step) -> Iterator[Step]:
    for given in _without_one(step.given):
        yield replace(step, given=given)
    if step.is_cut:
        yield replace(step, is_cut=False)
    for uri, said in step.said.items():
        yield replace(step, said={each: other for each, other in step.said.items() if each != uri})
        for triples in _without_one(said or ()):
            yield replace(step, said={**step.said, uri: triples})
