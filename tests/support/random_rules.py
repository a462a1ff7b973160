"""Random rules of every kind that is kept up to date from step to step, over names few enough to meet often.

``programs`` draws the other constructs: what looks into lists and formulas, and what collects.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from msgspec.structs import replace

from agent.n3.program import DerivationRule, Inconsistency, Pattern, RequestRule, RequestTemplate
from agent.n3.scopes import INCLUDES, NOT_INCLUDES, SCOPED
from agent.rdf.structure import fill_in
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    RDF_TYPE,
    XSD_DATETIME,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
)
from agent.vocab import AG, LOG, MATH, METHODS, RDFS, STRING, TIME
from tests.support.drawn import DOCUMENTS, NOWHERE, OPEN, PREDICATES, THINGS, VALUES, integer, pattern
from tests.support.programs import CONCLUSIONS, LISTS, SENTRY, retrieval

THIS_STEP = IRI(AG + "thisStep")
INSTANT = IRI(AG + "instant")
LINK = IRI("http://w.example/v#link")
PAGES = [*DOCUMENTS, "http://w.example/d3"]
NODES: list[Term] = [*THINGS[:4], IRI(PAGES[3]), IRI(PAGES[3] + "#c")]
CLASSES: list[Term] = [IRI(f"http://w.example/v#C{number}") for number in range(3)]
SUBCLASS, SUBPROPERTY, DOMAIN, RANGE = (
    IRI(RDFS + name) for name in ("subClassOf", "subPropertyOf", "domain", "range")
)
NOON = Literal("2026-01-01T12:00:00.000Z", XSD_DATETIME)
DUE = IRI("http://w.example/v#due")
COUNT = IRI("http://w.example/v#count")

DATA_PREDICATES = PREDICATES * 5 + [LINK] * 4
BODY_PREDICATES = DATA_PREDICATES + [RDF_TYPE] * 2 + OPEN[:2]
SUBJECTS = OPEN * 16 + NODES
OBJECTS = OPEN * 20 + NODES + VALUES + CLASSES
LOCAL: list[Term] = [Variable("u"), Variable("v")]
MEMORY = Variable("memory")
SCOPES: list[Term] = [MEMORY, MEMORY, integer(1)]


@dataclass(frozen=True, slots=True)
class Level:
    """Where a rule stands: the predicates that its groups may negate, that it may read besides data, and conclude.

    Level 0 negates nothing.
    """

    negated: Sequence[Term]
    read: Sequence[Term]
    concluded: Sequence[Term]


LEVELS = [
    Level((), (), [*DATA_PREDICATES, RDF_TYPE]),
    Level(PREDICATES, (), CONCLUSIONS[:1]),
    Level(PREDICATES + CONCLUSIONS[:1] * 3, CONCLUSIONS[:1], CONCLUSIONS[1:2]),
    Level([*PREDICATES[:1], *CONCLUSIONS[:2] * 2, SENTRY], [*CONCLUSIONS[:2], SENTRY], CONCLUSIONS[2:]),
]
LATE = Level((), [*CONCLUSIONS, SENTRY], CONCLUSIONS)
"""A rule without negation that waits for what rules with negation conclude."""

FINAL = Level([*PREDICATES, *CONCLUSIONS, SENTRY, LINK], [*CONCLUSIONS, SENTRY], ())


def variables_bound(body: Iterable[Pattern]) -> list[Term]:
    """Return the variables that the patterns of a body bind, in order, those of groups left out."""
    found: dict[Term, None] = {}
    for each in body:
        if each.triple.predicate == INCLUDES and isinstance(each.triple.object, Formula):
            terms = [part for triple in each.triple.object.triples for part in triple]
        else:
            terms = [] if each.triple.predicate in SCOPED else list(each.triple)
        found.update((term, None) for term in terms if isinstance(term, Variable))
    return list(found)


def draw_data_pattern(chance: Random, linked: Sequence[Term], read: Sequence[Term]) -> Pattern:
    """Draw a pattern that data can match, mostly sharing one of the variables ``linked``."""
    predicate = chance.choice(read if read and chance.random() < 0.25 else BODY_PREDICATES)
    subject = chance.choice(linked if linked and chance.random() < 0.5 else SUBJECTS)
    object_ = chance.choice(linked if linked and chance.random() < 0.15 else OBJECTS)
    if object_ == subject and chance.random() < 0.8:
        object_ = chance.choice([term for term in OPEN if term != subject])
    if predicate == RDF_TYPE and chance.random() < 0.6:
        object_ = chance.choice(CLASSES)
    return pattern(subject, predicate, object_)


def draw_list_walk(chance: Random, linked: Sequence[Term]) -> list[Pattern]:
    """Draw patterns that walk along the cells of a list of the data."""
    cell = chance.choice([*linked, Variable("c")])
    first = pattern(cell, RDF_FIRST, chance.choice([Variable("m"), *OPEN, *VALUES]))
    rest = pattern(cell, RDF_REST, chance.choice([Variable("r"), *OPEN, RDF_NIL]))
    return chance.choice([[first], [rest], [first, rest]])


def draw_comparison(chance: Random, bound: Sequence[Term]) -> Pattern:
    """Draw a builtin that only tests what is bound."""
    name = chance.choice(
        [
            *(MATH + each for each in ("lessThan", "notLessThan", "equalTo", "notEqualTo")),
            *(LOG + each for each in ("equalTo", *["notEqualTo"] * 6)),
            *(STRING + each for each in ("lessThan", "notGreaterThan", "contains")),
        ]
    )
    one, other = (chance.choice([*bound, *bound, *bound, *VALUES, *NODES[:2]]) for _ in range(2))
    return pattern(one, IRI(name), other)


def draw_function(chance: Random, bound: Sequence[Term]) -> Pattern:
    """Draw a builtin whose result is new, or compared with what is bound."""
    one, other = chance.choice(bound), chance.choice([*bound, *VALUES])
    result = chance.choice([Variable("n"), Variable("n"), *bound, *OPEN, integer(2)])
    pair = ListTerm((one, other))
    name, subject = chance.choice(
        [
            (MATH + "sum", pair),
            (MATH + "sum", ListTerm((one, other, integer(1)))),
            (MATH + "product", pair),
            (MATH + "difference", pair),
            (MATH + "absoluteValue", one),
            (MATH + "negation", one),
            (STRING + "concatenation", pair),
            (STRING + "length", one),
            (STRING + "upperCase", one),
            (LOG + "equalTo", one),
            (LOG + "uri", one),
            (LOG + "rawType", one),
            (TIME + "hour", one),
        ]
    )
    return pattern(subject, IRI(name), result)


def draw_clock(chance: Random) -> list[Pattern]:
    """Draw patterns that depend on the instant of the step, as a fact or as builtins tell it."""
    told = pattern(THIS_STEP, INSTANT, Variable("now"))
    now = chance.choice([told] * 9 + [pattern(Literal(""), IRI(TIME + "localTime"), Variable("now"))])
    limits: list[Term] = [NOON, NOON, Variable("due")]
    limit = chance.choice(limits)
    test = pattern(Variable("now"), IRI(STRING + chance.choice(["lessThan", "greaterThan"])), limit)
    known = [pattern(chance.choice(OPEN), DUE, Variable("due"))] if isinstance(limit, Variable) else []
    return chance.choice([[now], [now, *known, test], [now, *known, test]])


def draw_group(chance: Random, bound: Sequence[Term], negated: Sequence[Term]) -> Pattern:
    """Draw a negated group that shares none, one, two, three or more variables with its body."""
    count = chance.choice([0, 1, 1, 1, 2, 2, 3, 4])
    shared = chance.sample(list(bound), min(count, len(bound)))
    parts = shared + LOCAL[: chance.choice([0, 1, 2])] or [NODES[0]]
    first = pattern(chance.choice(parts), chance.choice(negated), chance.choice(parts + VALUES[:2]))
    inner = [first]
    for one, other in zip(shared[::2], [*shared[1::2], chance.choice(LOCAL)], strict=False):
        inner.append(pattern(one, chance.choice(negated), other))
    inner = inner[-max(1, (count + 1) // 2) :]
    if chance.randrange(6) == 0:
        inner.append(draw_comparison(chance, variables_bound(inner) or shared or [integer(1)]))
    if chance.randrange(5) == 0:
        inner.append(draw_group(chance, variables_bound(inner) + shared, negated))
    return pattern(chance.choice(SCOPES), NOT_INCLUDES, Formula(tuple(each.triple for each in inner)))


def draw_body(chance: Random, level: Level) -> tuple[Pattern, ...]:
    """Draw a body of one to three patterns, sometimes builtins and, if the level negates, one or two groups."""
    data: list[Pattern] = []
    for _ in range(chance.choice([1, 1, 2, 2, 2, 3])):
        data.append(draw_data_pattern(chance, variables_bound(data), level.read))
    if chance.randrange(25) == 0:
        data += draw_list_walk(chance, variables_bound(data))
    if chance.randrange(16) == 0:
        data += draw_clock(chance)
    bound = variables_bound(data)
    computed: list[Pattern] = []
    if bound and chance.randrange(5) == 0:
        computed.append(draw_comparison(chance, bound))
    if bound and chance.randrange(7) == 0:
        computed.append(draw_function(chance, bound))
    count = chance.choice([1, 1, 2]) if level.negated else 0
    groups = [draw_group(chance, bound, level.negated) for _ in range(count)]
    body = [*data, *computed, *groups]
    if chance.randrange(20) == 0:
        inside = Formula((data.pop().triple,))
        body = [
            *(each for each in body if each.triple != inside.triples[0]),
            pattern(MEMORY, INCLUDES, inside),
        ]
    chance.shuffle(body)
    return tuple(body)


def draw_level(chance: Random) -> Level:
    """Draw where a derivation rule stands; a few may negate what depends on its own conclusion."""
    if chance.randrange(40) == 0:
        return Level(PREDICATES + CONCLUSIONS, CONCLUSIONS, PREDICATES + CONCLUSIONS)
    return chance.choice([LEVELS[0]] * 7 + [*LEVELS[1:], LEVELS[1], LATE])


def draw_derivation(chance: Random, number: int) -> DerivationRule:
    """Draw a derivation rule whose head may invent nodes, lists and formulas, or conclude with any predicate."""
    level = draw_level(chance)
    body = draw_body(chance, level)
    known = variables_bound(body)
    invented: list[Term] = [BlankNode("e", "{head}"), BlankNode("e", "{head}")]
    if chance.randrange(4) == 0:
        invented.append(ListTerm((*known[:1], BlankNode("f", "{head}"))))
        # One variable at most, else terms double.
        quoted = Triple(chance.choice([*known, NODES[0]]), PREDICATES[0], integer(1))
        invented.append(Formula((quoted,)))
    if chance.randrange(3):
        invented = []
    parts = known * 6 + NODES + invented * 3
    predicates = [*level.concluded] * 4 + (known if chance.randrange(9) == 0 else [])
    head = [_conclusion(chance, parts, chance.choice(predicates)) for _ in range(chance.choice([1, 1, 2]))]
    return DerivationRule(f"derive{number}", body, tuple(head), NOWHERE)


def with_constant_predicates(chance: Random, rule: DerivationRule) -> DerivationRule:
    """Return ``rule`` with a constant for each variable that is a predicate in it: levels of negation need that."""
    values: dict[Term, Term] = {
        each.triple.predicate: chance.choice(PREDICATES)
        for each in (*rule.body, *rule.head)
        if isinstance(each.triple.predicate, Variable)
    }

    def filled(patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
        return tuple(pattern(*(fill_in(term, values.get) for term in each.triple)) for each in patterns)

    return replace(rule, body=filled(rule.body), head=filled(rule.head)) if values else rule


def counting_rule() -> DerivationRule:
    """Return the rule that counts without end once there is a number to count from."""
    subject, count, next_ = Variable("x"), Variable("n"), Variable("m")
    body = (
        pattern(subject, COUNT, count),
        pattern(ListTerm((count, integer(1))), IRI(MATH + "sum"), next_),
    )
    return DerivationRule("count", body, (pattern(subject, COUNT, next_),), NOWHERE)


def _conclusion(chance: Random, parts: Sequence[Term], predicate: Term) -> Pattern:
    objects: Sequence[Term] = (
        CLASSES if predicate == RDF_TYPE and chance.random() < 0.7 else [*parts, *VALUES]
    )
    return pattern(chance.choice(parts), predicate, chance.choice(objects))


def draw_fields(chance: Random, known: Sequence[Term]) -> tuple[tuple[Term, Term], ...]:
    """Draw the header fields of a request: mostly none, sometimes one whose value depends on the body."""
    value = chance.choice([Literal("text/turtle"), Literal("a"), *known])
    fields = [(Literal("Accept"), value), (Literal("X-Key"), integer(1))]
    return tuple(fields[: chance.choice([0, 0, 1, 2])])


def draw_request(chance: Random, number: int) -> RequestRule:
    """Draw a PUT rule; half of them negate."""
    body = draw_body(chance, FINAL if chance.random() < 0.5 else Level((), FINAL.read, ()))
    known = variables_bound(body) or [integer(1)]
    payload = Formula((Triple(known[0], PREDICATES[0], chance.choice([*known, integer(1)])),))
    annotations = ((IRI(AG + "unit"), chance.choice([*known, integer(1)])),)
    template = RequestTemplate(
        BlankNode("r", "{head}"),
        IRI(METHODS + "PUT"),
        chance.choice([*known, IRI(PAGES[1])]),
        payload,
        draw_fields(chance, known),
        annotations,
        None,
        NOWHERE,
    )
    return RequestRule(f"request{number}", body, (template,), NOWHERE, is_retrieval=False)


def draw_inconsistency(chance: Random, number: int) -> Inconsistency:
    """Draw a rule whose head is false."""
    return Inconsistency(f"never{number}", draw_body(chance, chance.choice([FINAL, LATE])), NOWHERE)


def draw_retrievals(chance: Random) -> Iterator[RequestRule]:
    """Draw the GET rules of a program: the first document always, links mostly, and what else the data ask for."""
    yield retrieval("start", (), IRI(PAGES[0]), draw_fields(chance, ()))
    if chance.random() < 0.7:
        link = (pattern(OPEN[0], LINK, OPEN[1]),)
        yield retrieval("follow", link, OPEN[1], draw_fields(chance, OPEN[:2]))
    if chance.randrange(3) == 0:
        concluded = (pattern(OPEN[0], chance.choice([*CONCLUSIONS, CONCLUSIONS[0]]), OPEN[1]),)
        target = chance.choice([*OPEN[:2], IRI(chance.choice(PAGES))])
        yield retrieval("late", concluded, target, draw_fields(chance, OPEN[:2]))
    for number in range(chance.choice([0, 0, 1, 1, 2])):
        body = draw_body(chance, chance.choice([LEVELS[0], LEVELS[0], LATE]))
        target = chance.choice([*variables_bound(body), IRI(chance.choice(PAGES))])
        yield retrieval(f"also{number}", body, target, draw_fields(chance, variables_bound(body)))


def draw_fact(chance: Random) -> Triple:
    """Draw a triple of data."""
    kind = chance.randrange(24)
    node = chance.choice(NODES)
    if kind < 4:
        return Triple(node, LINK, chance.choice(NODES))
    if kind < 6:
        return Triple(node, RDF_TYPE, chance.choice(CLASSES))
    if kind == 6:
        return Triple(node, chance.choice(CONCLUSIONS), chance.choice(NODES))
    if kind == 7:
        return Triple(LISTS[0], RDF_FIRST, chance.choice(VALUES))
    if kind == 8:
        return Triple(LISTS[0], RDF_REST, chance.choice([*LISTS[1:], NODES[0]]))
    if kind == 9:
        return Triple(node, DUE, chance.choice([NOON, integer(1)]))
    objects = NODES * 3 + VALUES + PREDICATES + LISTS[:1]
    return Triple(
        chance.choice([*NODES, *NODES, LISTS[0]]), chance.choice(PREDICATES), chance.choice(objects)
    )


def draw_schema_fact(chance: Random) -> Triple:
    """Draw a triple about classes and properties."""
    properties = [*PREDICATES, LINK]
    one, other = chance.choice(properties), chance.choice(properties)
    return chance.choice(
        [
            Triple(chance.choice(CLASSES), SUBCLASS, chance.choice(CLASSES)),
            Triple(one, SUBPROPERTY, other),
            Triple(one, DOMAIN, chance.choice(CLASSES)),
            Triple(one, RANGE, chance.choice(CLASSES)),
        ]
    )
