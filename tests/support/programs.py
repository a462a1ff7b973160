"""Random programs and worlds over a handful of names, so that rules, data and documents meet often.

They are drawn from a seeded ``Random``, which gives livelier programs than a search does, at a hundredth of its price.
"""

from collections.abc import Mapping, Sequence
from random import Random

from msgspec import Struct

from agent.n3.program import DerivationRule, Pattern, Program, RequestRule, RequestTemplate
from agent.n3.scopes import COLLECT_ALL_IN, FOR_ALL_IN, INCLUDES, NOT_INCLUDES
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    TRUE,
    BlankNode,
    Formula,
    ListTerm,
    Term,
    Triple,
    Variable,
)
from agent.vocab import AG, LIST, LOG, MATH, METHODS, SR, STRING
from tests.support.drawn import DOCUMENTS, NOWHERE, OPEN, PREDICATES, THINGS, VALUES, integer, pattern
from tests.support.quoting import SAYS, draw_cells, draw_quotation, draw_quoting

GET = IRI(METHODS + "GET")
PUT = IRI(METHODS + "PUT")


LISTS: list[Term] = [BlankNode("l0", "lists"), BlankNode("l1", "lists"), RDF_NIL]
NEGATED: list[Term] = [*PREDICATES[:2], IRI(SR + "boolean")]
CONCLUSIONS: list[Term] = [IRI(f"http://w.example/v#q{number}") for number in range(3)]
SENTRY = IRI(SR + "boolean")


class World(Struct, frozen=True):
    """A program, what each document answers (content, or nothing when it is gone or failed), and how a step is run."""

    program: Program
    outcomes: Mapping[str, tuple[Triple, ...] | None]
    protected: frozenset[str]
    concludes: bool

    def document(self, uri: str) -> Sequence[Triple] | None:
        """Return the triples of a document, if it has any."""
        return self.outcomes.get(uri)


# Predicates are things too, so that heads and bodies with a variable predicate meet something.
OBJECTS = THINGS * 4 + VALUES + LISTS + PREDICATES * 3
LIST_PATTERNS: list[Term] = [
    ListTerm(()),
    *(ListTerm((one, other)) for one in [*OPEN[:2], integer(1)] for other in [*OPEN[1:], THINGS[0]]),
]
SUBJECT_PATTERNS = OPEN * 16 + THINGS
OBJECT_PATTERNS = OPEN * 32 + THINGS + VALUES + LISTS + [BlankNode("b", "body")] * 2 + LIST_PATTERNS[:3]
BODY_PREDICATES = (PREDICATES * 6 + CONCLUSIONS + [SENTRY]) * 2 + OPEN
NEGATED_PREDICATES = NEGATED * 5 + OPEN[:1]
FINAL_PREDICATES = (PREDICATES + CONCLUSIONS) * 3 + OPEN[:1]
SCOPES: list[Term] = [BlankNode("scope", "body"), Variable("memory"), integer(1)]


def draw_triple(chance: Random) -> Triple:
    """Draw a triple of data."""
    return Triple(chance.choice(THINGS * 3 + LISTS[:2]), chance.choice(PREDICATES), chance.choice(OBJECTS))


def draw_pattern(chance: Random, predicates: list[Term], linked: list[Term]) -> Pattern:
    """Draw a pattern that data can match, mostly sharing one of the variables ``linked``."""
    subject = chance.choice(linked if linked and chance.random() < 0.6 else SUBJECT_PATTERNS)
    return pattern(subject, chance.choice(predicates), chance.choice(OBJECT_PATTERNS))


def _bound_by(body: Sequence[Pattern]) -> list[Term]:
    """Return the variables that the data patterns of a body bind."""
    found: dict[Term, None] = {}
    for each in body:
        subject, predicate, object_ = each.triple
        terms: tuple[Term, ...] = (subject, predicate, object_)
        if predicate in {NOT_INCLUDES, FOR_ALL_IN}:
            terms = ()
        elif predicate == COLLECT_ALL_IN and isinstance(subject, ListTerm):
            terms = subject.items[2:]
        for term in terms:
            parts = term.items if isinstance(term, ListTerm) else (term,)
            if isinstance(term, Formula) and predicate in {INCLUDES, SAYS}:
                parts = tuple(part for triple in term.triples for part in triple)
            found.update((part, None) for part in parts if isinstance(part, Variable))
    return list(found)


def draw_builtin(chance: Random, body: Sequence[Pattern]) -> Pattern:
    """Draw a builtin whose inputs ``body`` binds; its output may be bound too, or be new."""
    bound = _bound_by(body)
    one, other = chance.choice(bound * 8 + VALUES), chance.choice(bound * 4 + VALUES)
    output = chance.choice([*bound, *OPEN, *VALUES, Variable("n"), Variable("n")])
    pair = ListTerm((one, other))
    if chance.randrange(4) == 0:
        return draw_list_builtin(chance, bound, output)
    return chance.choice(
        [
            pattern(one, IRI(MATH + "lessThan"), other),
            pattern(one, IRI(MATH + "equalTo"), other),
            pattern(one, IRI(LOG + "notEqualTo"), other),
            pattern(one, IRI(LOG + "notEqualTo"), other),
            pattern(one, IRI(LOG + "equalTo"), output),
            pattern(output, IRI(LOG + "equalTo"), one),
            pattern(pair, IRI(MATH + "difference"), output),
            pattern(pair, IRI(MATH + "product"), output),
            pattern(one, IRI(MATH + "negation"), output),
            pattern(one, IRI(MATH + "absoluteValue"), output),
            pattern(one, IRI(MATH + "sum"), output),
            pattern(one, IRI(LIST + "member"), output),
            pattern(one, IRI(LIST + "member"), output),
            pattern(output, IRI(LIST + "in"), one),
            pattern(output, IRI(LIST + "in"), pair),
            pattern(pair, IRI(STRING + "concatenation"), output),
            pattern(one, IRI(LOG + "uri"), output),
            pattern(output, IRI(LOG + "uri"), one),
        ]
    )


def draw_list_builtin(chance: Random, bound: list[Term], output: Term) -> Pattern:
    """Draw a builtin that takes a list apart or makes one; lists of the data are read, also inside its argument."""
    one, other = chance.choice(bound * 4 + VALUES[:1]), chance.choice(bound * 4 + VALUES)
    new = ListTerm((chance.choice([Variable("n"), *OPEN]), chance.choice([Variable("o"), *VALUES])))
    pair, result = ListTerm((one, other)), chance.choice([output, new])
    name = chance.choice(
        ["first", "last", "rest", "length", "iterate", "sort", "removeDuplicates", "firstRest"]
    )
    return chance.choice(
        [
            pattern(one, IRI(LIST + name), result),
            pattern(one, IRI(LIST + name), result),
            pattern(one, IRI(LIST + name), result),
            pattern(pair, IRI(LIST + chance.choice(["append", "remove", "iterate"])), result),
            pattern(pair, IRI(LIST + "append"), result),
            pattern(ListTerm((one, integer(1))), IRI(LIST + "memberAt"), output),
            pattern(result, IRI(LIST + "append"), one),
            pattern(result, IRI(LIST + "firstRest"), pair),
        ]
    )


def draw_negation(chance: Random, body: Sequence[Pattern], predicates: list[Term]) -> Pattern:
    """Draw a negated group with its own variables, those of the body, and sometimes a builtin or another group."""
    bound = _bound_by(body)
    inner = [draw_pattern(chance, predicates, bound) for _ in range(chance.choice([1, 1, 2]))]
    more = chance.randrange(8)
    if more < 2:
        inner.append(draw_builtin(chance, [*body, *inner]))
    elif more == 2:
        nested = draw_pattern(chance, predicates, bound)
        inner.append(pattern(BlankNode("i", "inner"), NOT_INCLUDES, Formula((nested.triple,))))
    group, kind, scope = (
        Formula(tuple(each.triple for each in inner)),
        chance.randrange(8),
        chance.choice(SCOPES),
    )
    if kind == 0:
        names = [term for each in inner for term in each.triple if isinstance(term, Variable)]
        collected = ListTerm((chance.choice([*names, *bound, integer(1)]), group, Variable("l")))
        return pattern(collected, COLLECT_ALL_IN, scope)
    if kind == 1:
        other = draw_pattern(chance, predicates, [*bound, *_bound_by(inner)])
        return pattern(ListTerm((group, Formula((other.triple,)))), FOR_ALL_IN, scope)
    return pattern(scope, NOT_INCLUDES, group)


def draw_body(chance: Random, negated: list[Term]) -> tuple[Pattern, ...]:
    """Draw a body of one to three data patterns, up to two builtins and, given ``negated``, one or two groups."""
    data: list[Pattern] = []
    for _ in range(chance.choice([1, 2, 2, 3])):
        data.append(draw_pattern(chance, BODY_PREDICATES, _bound_by(data)))
    if chance.randrange(3) == 0:
        data += draw_quoting(chance, _bound_by(data))
    if chance.randrange(6) == 0:
        data.append(draw_cells(chance, _bound_by(data)))
    computed = [draw_builtin(chance, data) for _ in range(chance.choice([0, 0, 0, 0, 1, 1, 2]))]
    groups = [draw_negation(chance, data, negated) for _ in range(chance.choice([1, 1, 2]) if negated else 0)]
    body = [*data, *computed, *groups]
    chance.shuffle(body)
    return tuple(body)


def draw_derivation(chance: Random, number: int) -> DerivationRule:
    """Draw a derivation rule, every third one with negation."""
    negates = chance.randrange(3) == 0
    body = draw_body(chance, NEGATED_PREDICATES if negates else [])
    known = _bound_by(body)
    invented: list[Term] = [BlankNode("e", "head"), ListTerm((*known[:1], BlankNode("e", "head")))]
    parts = known * 8 + THINGS + invented
    predicates = (CONCLUSIONS if negates else PREDICATES + CONCLUSIONS[1:]) * 2 + known
    head = [
        pattern(chance.choice(parts), chance.choice(predicates), chance.choice(parts + VALUES))
        for _ in range(chance.choice([1, 1, 2]))
    ]
    return DerivationRule(f"derive{number}", body, tuple(head), NOWHERE)


def draw_request(chance: Random, number: int) -> RequestRule:
    """Draw a PUT rule that may negate."""
    body = draw_body(chance, FINAL_PREDICATES if chance.random() < 0.5 else [])
    known = _bound_by(body) or [integer(1)]
    payload = Formula((Triple(known[0], PREDICATES[0], chance.choice([*known, integer(1)])),))
    annotations = ((IRI(AG + "unit"), chance.choice([*known, integer(1)])),)
    template = RequestTemplate(
        BlankNode("r", "head"), PUT, chance.choice(known), payload, (), annotations, None, NOWHERE
    )
    return RequestRule(f"request{number}", body, (template,), NOWHERE, is_retrieval=False)


def retrieval(
    name: str, body: tuple[Pattern, ...], uri: Term, headers: tuple[tuple[Term, Term], ...] = ()
) -> RequestRule:
    """Return the rule that retrieves ``uri`` with ``headers`` whenever ``body`` holds."""
    template = RequestTemplate(BlankNode("r", "{head}"), GET, uri, None, headers, (), None, NOWHERE)
    return RequestRule(name, body, (template,), NOWHERE, is_retrieval=True)


def draw_retrieval(chance: Random, number: int) -> RequestRule:
    """Draw a GET rule that follows links."""
    body = draw_body(chance, [])
    return retrieval(f"follow{number}", body, chance.choice(_bound_by(body) or [IRI(DOCUMENTS[1])]))


def draw_list(chance: Random) -> tuple[Triple, ...]:
    """Draw the cells of a list, whole, broken or circular."""
    one, other = LISTS[:2]
    members = [chance.choice(THINGS + VALUES) for _ in range(2)]
    end = chance.choice([RDF_NIL, RDF_NIL, RDF_NIL, one, None])
    cells = [
        Triple(one, RDF_FIRST, members[0]),
        Triple(one, RDF_REST, other),
        Triple(other, RDF_FIRST, members[1]),
    ]
    return (*cells, Triple(other, RDF_REST, end)) if end is not None else tuple(cells)


def draw_world(seed: int) -> World:
    """Return the world of ``seed``."""
    chance = Random(seed)
    documents: dict[str, tuple[Triple, ...] | None] = {}
    for uri in DOCUMENTS:
        is_content = chance.random() < 0.75
        documents[uri] = (
            tuple(draw_triple(chance) for _ in range(chance.randrange(12))) if is_content else None
        )
    holder = chance.choice(DOCUMENTS)
    documents[holder] = (*(documents[holder] or ()), *draw_list(chance))
    program = Program(
        (
            *(draw_triple(chance) for _ in range(chance.randint(8, 20))),
            *(draw_quotation(chance) for _ in range(chance.randint(0, 4))),
        ),
        tuple(draw_derivation(chance, number) for number in range(chance.randint(1, 5))),
        (
            retrieval("start", (), IRI(DOCUMENTS[0])),
            *(draw_retrieval(chance, number) for number in range(chance.randrange(3))),
            *(draw_request(chance, number) for number in range(chance.randint(2, 4))),
        ),
    )
    protected = chance.choice([frozenset[str](), frozenset({"http://w.example/v#p1"})])
    return World(program, documents, protected, chance.random() < 0.5)


def holds_for(triples: Sequence[Triple]) -> list[Triple]:
    """Conclude, as a sentry would, that whatever has a first predicate and no second one is true."""
    others = {triple.subject for triple in triples if triple.predicate == PREDICATES[1]}
    found = {triple.subject for triple in triples if triple.predicate == PREDICATES[0]} - others
    return [Triple(subject, SENTRY, TRUE) for subject in found]
