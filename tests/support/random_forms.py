"""Values that are written in several forms, like 1, 1.0 and "01", for programs and worlds that were drawn without them.

Builtins take such values for the same and a memory does not. So numbers come, go and stay in one form or another, and
rules compute with them, compare them, and look for what they have computed.
"""

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import TypeVar

from msgspec.structs import replace

from agent.n3.program import DerivationRule, Inconsistency, Pattern, Program, RequestRule
from agent.n3.scopes import NOT_INCLUDES, SCOPED
from agent.rdf.terms import (
    IRI,
    LANG_STRING,
    XSD_BOOLEAN,
    XSD_DATETIME,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
    put_together,
)
from agent.vocab import LOG, MATH, STRING, TIME, XSD
from tests.support.drawn import PREDICATES, integer, pattern
from tests.support.programs import CONCLUSIONS
from tests.support.random_rules import MEMORY, NODES, NOON, variables_bound

R = TypeVar("R", DerivationRule, RequestRule, Inconsistency)


def _typed(datatype: str, *lexicals: str) -> list[Literal]:
    return [Literal(lexical, datatype) for lexical in lexicals]


FORMS: list[list[Literal]] = [
    [*_typed(XSD_INTEGER, "0", "00"), *_typed(XSD_DECIMAL, "0.0", "-0.0"), Literal("0e0", XSD_DOUBLE)],
    [
        *_typed(XSD_INTEGER, "1", "1", "01"),
        *_typed(XSD_DECIMAL, "1.0", "1.0", "1"),
        *_typed(XSD_DOUBLE, "1e0", "1.0E0"),
        Literal("1", XSD + "int"),
        Literal("1", XSD_BOOLEAN),
        Literal("1"),
    ],
    [*_typed(XSD_INTEGER, "2", "+2"), *_typed(XSD_DECIMAL, "2.0", "2"), Literal("2.0E0", XSD_DOUBLE)],
    [NOON, *_typed(XSD_DATETIME, "2026-01-01T12:00:00Z", "2026-01-01T13:00:00+01:00")],
    [Literal("1767268800", XSD_INTEGER), Literal("1767268800.0", XSD_DECIMAL)],
    [Literal("a"), Literal("a", LANG_STRING, "en"), Literal("A", LANG_STRING, "en")],
    _typed(XSD_BOOLEAN, "true", "1"),
    [*_typed(XSD_STRING, "en", "EN")],
]
"""The forms of each value; those that come more often are there more often."""

DRAWN = [0, 1, 1, 1, 2] * 4 + [3, 4, 7]
"""Which of the ``FORMS`` are given to data that had no value: mostly numbers that are computed from each other."""

COMPUTED = IRI("http://w.example/v#computed")
MADE = IRI("http://w.example/d0#made")
SAYS_SO = [*PREDICATES, COMPUTED]
_VALUE_OF = {form: number for number, forms in enumerate(FORMS) for form in forms}
_OPERAND, _RESULT = Variable("operand"), Variable("result")


def in_forms(triples: Iterable[Triple], seed: int, place: str) -> tuple[Triple, ...]:
    """Return ``triples`` with other forms for their values, and values for some of their objects, a few in two forms.

    Wherever a triple is said it gets the same value, at one ``place`` also the same form.
    """
    return tuple(each for triple in triples for each in _in_forms(triple, seed, place))


def _in_forms(triple: Triple, seed: int, place: str) -> Iterator[Triple]:
    text = f"{seed} {triple.subject!r} {triple.predicate!r} {triple.object!r}"
    value, form = Random(text), Random(text + place)
    subject, predicate, object_ = triple
    if predicate in PREDICATES and isinstance(object_, IRI) and value.random() < 0.5:
        # Few things have values, so that one has several that are the same.
        subject = value.choice([subject, *NODES[:2]])
        predicate = value.choice([predicate, PREDICATES[0]])
        object_ = FORMS[value.choice(DRAWN)][0]
    for _ in range(form.choice([1, 1, 2]) if object_ in _VALUE_OF else 1):
        yield Triple(_reformed(subject, form), predicate, _reformed(object_, form))


def _reformed(term: Term, chance: Random) -> Term:
    """Return ``term`` with a form drawn anew for each value in it."""
    results: list[Term] = []
    pending: list[tuple[Term, bool]] = [(term, False)]
    while pending:
        part, parts_done = pending.pop()
        if parts_done:
            put_together(part, results)
        elif isinstance(part, ListTerm | Formula):
            inner = part.items if isinstance(part, ListTerm) else [x for each in part.triples for x in each]
            pending.append((part, True))
            pending += [(each, False) for each in reversed(inner)]
        elif isinstance(part, Literal) and part in _VALUE_OF:
            results.append(chance.choice(FORMS[_VALUE_OF[part]]))
        else:
            results.append(part)
    return results.pop()


def computing(program: Program, chance: Random) -> Program:
    """Return ``program`` with rules that compute with values, compare them, and look for what was computed."""
    return replace(
        program,
        derivations=tuple(_derivation(rule, chance) for rule in program.derivations),
        requests=tuple(_request(rule, chance) for rule in program.requests),
        inconsistencies=tuple(_computing(rule, chance) for rule in program.inconsistencies),
    )


def _derivation(rule: DerivationRule, chance: Random) -> DerivationRule:
    if rule.name.startswith("rules/"):
        return rule
    changed = _computing(rule, chance)
    if changed is rule:
        return rule
    first, *others = changed.head
    subject, predicate, object_ = first.triple
    if chance.random() < 0.5:
        # A rule about nothing else finds something in most steps.
        body = tuple(each for each in changed.body if each not in rule.body)
        subject = chance.choice([term for term in variables_bound(body) if term != _RESULT])
        changed, others = replace(changed, body=body), []
    # What is computed is seldom computed with again, else most programs count without end.
    is_data = predicate not in CONCLUSIONS
    if is_data and (chance.random() < 0.9 or isinstance(predicate, Variable)):
        predicate = COMPUTED
    result = _holding(object_, _result_of(changed.body), chance)
    return replace(changed, head=(pattern(subject, predicate, result), *others))


def _holding(object_: Term, result: Term, chance: Random) -> Term:
    """Return what is concluded of what was computed: itself, or a list or formula with it where ``object_`` is one."""
    kind = (
        type(object_)
        if isinstance(object_, Formula | ListTerm)
        else chance.choice([*[Literal] * 24, Formula, ListTerm])
    )
    if kind is Formula:
        return Formula((Triple(MADE, PREDICATES[0], result),))
    return ListTerm((result, BlankNode("f", "{head}"))) if kind is ListTerm else result


def _request(rule: RequestRule, chance: Random) -> RequestRule:
    changed = _computing(rule, chance)
    if changed is rule or not rule.body:
        return changed
    result = _result_of(changed.body)
    templates = tuple(
        replace(
            template,
            body=None if template.body is None else Formula((Triple(MADE, PREDICATES[0], result),)),
            headers=tuple((name, chance.choice([value, result])) for name, value in template.headers),
        )
        for template in changed.requests
    )
    return replace(changed, requests=templates)


def _result_of(body: Sequence[Pattern]) -> Term:
    """Return what a body has computed, or what it computes with if it computes nothing new."""
    bound = variables_bound(body)
    return _RESULT if _RESULT in bound else _OPERAND


def _computing(rule: R, chance: Random) -> R:
    """Return ``rule`` with a value that it finds, computes with, compares or looks for; often as it is."""
    known = [
        each.triple.subject
        for each in rule.body
        if isinstance(each.triple.subject, Variable) and each.triple.predicate in {*SAYS_SO, *CONCLUSIONS}
    ]
    if not known or chance.random() < 0.4:
        return rule
    subject = chance.choice(known)
    found = pattern(subject, chance.choice([*PREDICATES[:1] * 4, *PREDICATES, COMPUTED]), _OPERAND)
    added: list[Pattern] = [found, *_computed(chance)]
    if chance.random() < 0.3:
        added.append(_compared(chance, [part for part in variables_bound(added) if part != subject]))
    if chance.random() < 0.3 and any(each.triple.predicate in SCOPED for each in rule.body):
        added.append(_negated(chance, subject, _result_of(added)))
    if chance.random() < 0.2:
        # What is computed is known from elsewhere, perhaps in another form.
        added.append(pattern(chance.choice(known), chance.choice(SAYS_SO), _result_of(added)))
    body = [*rule.body, *added]
    chance.shuffle(body)
    return replace(rule, body=tuple(body))


def _value(chance: Random) -> Literal:
    return chance.choice(FORMS[chance.choice(DRAWN)])


def _computed(chance: Random, operand: Term = _OPERAND, result: Term = _RESULT) -> list[Pattern]:
    """Draw patterns that compute with what was found; seldom none, now and then two that give the same thing."""
    pair = ListTerm(tuple(chance.sample([operand, _value(chance)], 2)))
    forth = [
        (MATH + "sum", pair),
        (MATH + "product", pair),
        (MATH + "difference", pair),
        (MATH + "quotient", ListTerm((operand, integer(1)))),
        (MATH + "sum", ListTerm((operand, operand))),
        (MATH + "absoluteValue", operand),
        (MATH + "rounded", operand),
        (MATH + "negation", operand),
        (TIME + "inSeconds", operand),
        (STRING + "concatenation", pair),
        (LOG + "equalTo", operand),
    ]
    taken_apart = [
        (LOG + "langlit", ListTerm((Literal("a"), operand))),
        (LOG + "dtlit", ListTerm((operand, IRI(XSD_DECIMAL)))),
    ]
    back = [(MATH + "negation", operand), (TIME + "inSeconds", operand), (LOG + "equalTo", operand)]
    calls = [
        pattern(subject, IRI(name), result) for name, subject in [*forth * 4, *forth[:5] * 4, *taken_apart]
    ]
    calls += [pattern(result, IRI(name), subject) for name, subject in back * 4]
    return chance.sample(calls, chance.choice([0, 1, 1, 1, 1, 1, 1, 1, 2]))


def _compared(chance: Random, known: Sequence[Term]) -> Pattern:
    names = [MATH + name for name in ("equalTo", "notEqualTo", "lessThan", "notLessThan")]
    name = chance.choice([*names, LOG + "equalTo", LOG + "notEqualTo", STRING + "lessThan"])
    return pattern(chance.choice(known), IRI(name), chance.choice([*known, _value(chance)]))


def _negated(chance: Random, subject: Term, result: Term) -> Pattern:
    """Draw a group that negates what was computed, or computes it again."""
    found = pattern(subject, chance.choice(SAYS_SO), chance.choice([result, result, _value(chance)]))
    inner = [found]
    if chance.random() < 0.4:
        other = Variable("other")
        inner = [pattern(subject, chance.choice(SAYS_SO), other), *_computed(chance, other, result)]
    return pattern(MEMORY, NOT_INCLUDES, Formula(tuple(each.triple for each in inner)))
