"""What a course has in it and what happens in it, so that a test can tell whether random courses are worth running."""

from collections.abc import Iterable, Iterator, Sequence

from agent.n3.builtins.numbers import Value, read_number
from agent.n3.program import DerivationRule, Pattern, Program, Rule
from agent.n3.scopes import COLLECT_ALL_IN, FOR_ALL_IN, INCLUDES, NOT_INCLUDES, SCOPED
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_REST,
    RDF_TYPE,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
    variables_of,
)
from agent.vocab import LOG, MATH, RDFS, STRING, TIME
from tests.support.engines import Found, Outcome
from tests.support.random_worlds import Course, Step


def constructs(program: Program) -> Iterator[str]:
    """Yield the names of what the rules of ``program`` are made of, some several times."""
    rules: tuple[Rule, ...] = (*program.derivations, *program.requests, *program.inconsistencies)
    for each in rules:
        yield from _of_body(each.body)
    for rule in program.derivations:
        yield from _of_head(rule)
        if any(each.triple.predicate == NOT_INCLUDES for each in rule.body):
            yield "negation in a derivation rule"
    for request in program.requests:
        if any(template.headers for template in request.requests):
            yield "fields of a GET rule" if request.is_retrieval else "fields of a request"
        if any(each.triple.predicate == NOT_INCLUDES for each in request.body):
            yield "negation in a request rule"
    if program.backward:
        yield "backward rules"
    if program.inconsistencies:
        yield "inconsistency"
    if any(name.name.startswith("rules/core") for name in program.derivations):
        yield "rules/core"
    if any(fact.predicate == IRI(RDFS + "subClassOf") for fact in program.facts):
        yield "class hierarchy"


def _of_body(body: Sequence[Pattern]) -> Iterator[str]:
    bound = {
        name for each in body if each.triple.predicate not in SCOPED for name in variables_of(each.triple)
    }
    for triple in (each.triple for each in body):
        predicate = triple.predicate
        if isinstance(predicate, Variable):
            yield "variable predicate in a body"
        if predicate == RDF_TYPE:
            yield "type in a body"
        if predicate in {RDF_FIRST, RDF_REST}:
            yield "cell of a list in a body"
        if isinstance(triple.subject, Variable) and triple.subject == triple.object:
            yield "variable repeated in a pattern"
        if predicate == INCLUDES:
            yield "inclusion"
        if predicate in {COLLECT_ALL_IN, FOR_ALL_IN}:
            yield "collection"
        if predicate == NOT_INCLUDES and isinstance(triple.object, Formula):
            yield from _of_group(triple.object, bound)
        if isinstance(predicate, IRI) and predicate not in SCOPED:
            yield from (
                f"builtin of {name}" for name, iri in _BUILTINS.items() if predicate.value.startswith(iri)
            )
            if predicate.value.startswith((MATH, STRING)) and isinstance(triple.subject, ListTerm):
                yield "builtin on a list of variables"


_BUILTINS = {"math": MATH, "string": STRING, "log": LOG, "time": TIME}


def _of_group(group: Formula, bound: set[str]) -> Iterator[str]:
    shared = len(bound & set(variables_of(part for triple in group.triples for part in triple)))
    yield f"negated group that shares {min(shared, 3)} variables"
    if any(triple.predicate == NOT_INCLUDES for triple in group.triples):
        yield "nested negation"


def _of_head(rule: DerivationRule) -> Iterator[str]:
    for each in rule.head:
        if isinstance(each.triple.predicate, Variable):
            yield "variable predicate in a head"
        parts: list[Term] = list(each.triple)
        if any(isinstance(part, BlankNode) and part.is_quoted for part in parts):
            yield "existential head"
        if any(isinstance(part, ListTerm) for part in parts):
            yield "list in a head"
        if any(isinstance(part, Formula) for part in parts):
            yield "formula in a head"


def happenings(course: Course, found: Sequence[Found]) -> Iterator[str]:
    """Yield what happens in the steps of ``course``, which came to ``found``, some things several times."""
    before: Outcome | None = None
    refused = False
    for step, outcome in zip(course.steps, found, strict=True):
        if isinstance(outcome, str):
            refused = True
            yield f"refused: {outcome}"
            continue
        if refused:
            yield "comes right after an error"
            refused = False
        yield from _in_step(course, step, outcome)
        if before is not None:
            yield from _between(before, outcome)
        before = outcome


def _in_step(course: Course, step: Step, outcome: Outcome) -> Iterator[str]:
    if outcome.facts - _stated(course, step, outcome):
        yield "derives"
    numbers = {
        (*triple[:2], v, triple.object) for triple in outcome.facts if (v := _number(triple)) is not None
    }
    if len({number[:3] for number in numbers}) < len(numbers):
        yield "has a number in two forms"
    if outcome.requests:
        yield "requests"
    if outcome.contradictions:
        yield "contradicts"
    if len(outcome.documents) > 1:
        yield "retrieves"
    if any(fields for _, fields in outcome.documents):
        yield "retrieves with fields"
    if step.is_cut:
        yield "is cut"


def _stated(course: Course, step: Step, outcome: Outcome) -> set[Triple]:
    said: Iterable[Triple] = (triple for uri, _ in outcome.documents for triple in step.document(uri))
    return {*course.program.facts, *step.facts, *said}


def _between(before: Outcome, after: Outcome) -> Iterator[str]:
    gone, come = (
        {uri for uri, _ in one.documents} - {uri for uri, _ in other.documents}
        for one, other in ((before, after), (after, before))
    )
    yield from ["retracts a document"] * bool(gone)
    yield from ["retrieves another document"] * bool(come)
    yield from ["loses facts"] * bool(before.facts - after.facts)
    yield from ["loses a request"] * bool(before.requests - after.requests)
    lost_forms = {(*t[:2], v) for t in before.facts - after.facts if (v := _number(t)) is not None}
    if any((*t[:2], _number(t)) in lost_forms for t in after.facts):
        yield "loses one form of a number"
    yield from ["stays the same"] * (before == after)


def _number(triple: Triple) -> Value | None:
    """Return the number that a triple says of its subject, by value."""
    number = read_number(triple.object) if isinstance(triple.object, Literal) else None
    return None if number is None else number.value
