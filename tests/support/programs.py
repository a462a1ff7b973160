"""Random programs and worlds over a handful of names, so that rules, data and documents meet often."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from agent.errors import Place
from agent.n3.program import DerivationRule, Pattern, Program, RequestRule, RequestTemplate
from agent.rdf.terms import (
    IRI,
    RDF_FIRST,
    RDF_NIL,
    RDF_REST,
    TRUE,
    XSD_DECIMAL,
    XSD_INTEGER,
    BlankNode,
    Formula,
    ListTerm,
    Literal,
    Term,
    Triple,
    Variable,
)
from agent.vocab import AG, LIST, LOG, MATH, METHODS, SR, STRING

NOWHERE = Place("random.n3")
GET = IRI(METHODS + "GET")
PUT = IRI(METHODS + "PUT")


def integer(value: int) -> Literal:
    """Return an xsd:integer."""
    return Literal(str(value), XSD_INTEGER)


DOCUMENTS = [f"http://w.example/d{number}" for number in range(4)]
THINGS: list[Term] = [*(IRI(uri) for uri in DOCUMENTS), IRI(DOCUMENTS[0] + "#a"), IRI(DOCUMENTS[1] + "#b")]
VALUES: list[Term] = [integer(0), integer(1), integer(2), Literal("2.0", XSD_DECIMAL), Literal("a")]
LISTS: list[Term] = [BlankNode("l0", "lists"), BlankNode("l1", "lists"), RDF_NIL]
PREDICATES: list[Term] = [IRI(f"http://w.example/v#p{number}") for number in range(4)]
NEGATED: list[Term] = [*PREDICATES[:2], IRI(SR + "boolean")]
CONCLUSIONS: list[Term] = [IRI(f"http://w.example/v#q{number}") for number in range(3)]
SENTRY = IRI(SR + "boolean")
VARIABLES = [Variable(name) for name in "xyzw"]
NOT_INCLUDES = IRI(LOG + "notIncludes")

objects = st.sampled_from(THINGS + VALUES + LISTS)
data_triples = st.builds(Triple, st.sampled_from(THINGS + LISTS[:2]), st.sampled_from(PREDICATES), objects)


@dataclass(frozen=True)
class World:
    """A program, what each document answers (content, or nothing when it is gone or failed), and how a step is run."""

    program: Program
    outcomes: Mapping[str, tuple[Triple, ...] | None]
    protected: frozenset[str]
    concludes: bool

    def document(self, uri: str) -> Sequence[Triple] | None:
        """Return the triples of a document, if it has any."""
        return self.outcomes.get(uri)


def pattern(subject: Term, predicate: Term, object_: Term) -> Pattern:
    """Return a pattern of no particular place."""
    return Pattern(Triple(subject, predicate, object_), NOWHERE)


# One draw from a long list is many times faster than a choice of strategies; variables come often because constants
# make most joins empty.
OPEN: list[Term] = list(VARIABLES)
FIRST_ITEMS: list[Term] = [*OPEN[:2], integer(1)]
SECOND_ITEMS: list[Term] = [*OPEN[1:], THINGS[0]]
LIST_PATTERNS: list[Term] = [
    ListTerm(()),
    *(ListTerm((one, other)) for one in FIRST_ITEMS for other in SECOND_ITEMS),
]
variables = st.sampled_from(OPEN)
subjects = st.sampled_from(OPEN * 6 + THINGS)
pattern_objects = st.sampled_from(
    OPEN * 12 + THINGS + VALUES + LISTS + [BlankNode("b", "body")] * 2 + LIST_PATTERNS
)
body_predicates = st.sampled_from((PREDICATES * 2 + CONCLUSIONS + [SENTRY]) * 2 + OPEN)
negated_predicates = st.sampled_from(NEGATED * 5 + OPEN)
final_predicates = st.sampled_from((PREDICATES + CONCLUSIONS) * 3 + OPEN)


def data_patterns(predicates: st.SearchStrategy[Term]) -> st.SearchStrategy[Pattern]:
    """Return the strategy of patterns that data can match."""
    return st.builds(pattern, subjects, predicates, pattern_objects)


def _bound_by(body: Sequence[Pattern]) -> list[Variable]:
    """Return the variables that the data patterns of a body bind."""
    found: dict[Variable, None] = {}
    for each in body:
        for term in each.triple:
            parts = term.items if isinstance(term, ListTerm) else (term,)
            found.update((part, None) for part in parts if isinstance(part, Variable))
    return list(found)


@st.composite
def builtin_patterns(draw: st.DrawFn, body: Sequence[Pattern]) -> Pattern:
    """Draw a builtin whose inputs ``body`` binds; its output may be bound too, or be new."""
    bound: list[Term] = [*_bound_by(body)]
    inputs = st.sampled_from(bound * 4 + VALUES)
    one, other = draw(inputs), draw(inputs)
    output = draw(st.sampled_from([*bound, *OPEN, *VALUES, Variable("n"), Variable("n")]))
    pair = ListTerm((one, other))
    return draw(
        st.sampled_from(
            [
                pattern(one, IRI(MATH + "lessThan"), other),
                pattern(one, IRI(MATH + "equalTo"), other),
                pattern(one, IRI(LOG + "notEqualTo"), other),
                pattern(one, IRI(LOG + "equalTo"), output),
                pattern(output, IRI(LOG + "equalTo"), one),
                pattern(pair, IRI(MATH + "difference"), output),
                pattern(pair, IRI(MATH + "product"), output),
                pattern(one, IRI(MATH + "negation"), output),
                pattern(one, IRI(MATH + "absoluteValue"), output),
                pattern(one, IRI(MATH + "sum"), output),
                pattern(one, IRI(LIST + "member"), output),
                pattern(output, IRI(LIST + "in"), one),
                pattern(output, IRI(LIST + "in"), pair),
                pattern(pair, IRI(STRING + "concatenation"), output),
                pattern(one, IRI(LOG + "uri"), output),
                pattern(output, IRI(LOG + "uri"), one),
            ]
        )
    )


SCOPES: list[Term] = [BlankNode("scope", "body"), Variable("memory"), integer(1)]


@st.composite
def negated_groups(draw: st.DrawFn, body: Sequence[Pattern], predicates: st.SearchStrategy[Term]) -> Pattern:
    """Draw a negated group with its own variables, those of the body, and sometimes a builtin or another group."""
    inner = [draw(data_patterns(predicates)) for _ in range(draw(st.sampled_from([1, 1, 2])))]
    more = draw(st.integers(0, 7))
    if more < 2:
        inner.append(draw(builtin_patterns([*body, *inner])))
    elif more == 2:
        inner.append(
            pattern(BlankNode("i", "inner"), NOT_INCLUDES, Formula((draw(data_patterns(predicates)).triple,)))
        )
    return pattern(draw(st.sampled_from(SCOPES)), NOT_INCLUDES, Formula(tuple(each.triple for each in inner)))


@st.composite
def bodies(draw: st.DrawFn, *, negates: bool, negated: st.SearchStrategy[Term]) -> tuple[Pattern, ...]:
    """Draw a body of one to three data patterns, up to two builtins and, if it ``negates``, one or two groups."""
    data = [draw(data_patterns(body_predicates)) for _ in range(draw(st.sampled_from([1, 2, 2, 3])))]
    computed = [draw(builtin_patterns(data)) for _ in range(draw(st.sampled_from([0, 0, 0, 1, 1, 2])))]
    groups = [
        draw(negated_groups(data, negated)) for _ in range(draw(st.sampled_from([1, 1, 2])) if negates else 0)
    ]
    return (*groups, *computed, *data) if draw(st.booleans()) else (*data, *computed, *groups)


@st.composite
def head_patterns(draw: st.DrawFn, bound: list[Term], predicates: list[Term]) -> Pattern:
    """Draw a triple of a head: bound variables, constants, now and then an invented node or a list."""
    known = bound or THINGS
    invented: list[Term] = [BlankNode("e", "head"), ListTerm((*bound[:1], BlankNode("e", "head")))]
    parts = known * 8 + THINGS + invented
    predicate = st.sampled_from(predicates * 6 + known)
    return pattern(draw(st.sampled_from(parts)), draw(predicate), draw(st.sampled_from(parts + VALUES)))


@st.composite
def derivations(draw: st.DrawFn, number: int) -> DerivationRule:
    """Draw a derivation rule, every third one with negation."""
    negates = draw(st.integers(0, 2)) == 0
    body = draw(bodies(negates=negates, negated=negated_predicates))
    bound: list[Term] = [*_bound_by([each for each in body if each.triple.predicate != NOT_INCLUDES])]
    predicates = CONCLUSIONS if negates else PREDICATES + CONCLUSIONS[1:]
    head = [draw(head_patterns(bound, predicates)) for _ in range(draw(st.sampled_from([1, 1, 2])))]
    return DerivationRule(f"derive{number}", body, tuple(head), NOWHERE)


@st.composite
def requests(draw: st.DrawFn, number: int, *, is_retrieval: bool) -> RequestRule:
    """Draw a GET rule, or a PUT rule that may negate."""
    negates = not is_retrieval and draw(st.booleans())
    body = draw(bodies(negates=negates, negated=final_predicates))
    bound: list[Term] = [*_bound_by([each for each in body if each.triple.predicate != NOT_INCLUDES])]
    uri = draw(st.sampled_from(bound)) if bound else IRI(DOCUMENTS[1])
    payload = Formula((Triple(uri, PREDICATES[0], draw(st.sampled_from([*bound, integer(1)]))),))
    template = RequestTemplate(
        BlankNode("r", "head"),
        GET if is_retrieval else PUT,
        uri,
        None if is_retrieval else payload,
        (),
        () if is_retrieval else ((IRI(AG + "unit"), draw(st.sampled_from([*bound, integer(1)]))),),
        None,
        NOWHERE,
    )
    return RequestRule(f"request{number}", body, (template,), NOWHERE, is_retrieval)


def bare_get(uri: str) -> RequestRule:
    """Return the rule that always retrieves ``uri``."""
    template = RequestTemplate(BlankNode("r", "head"), GET, IRI(uri), None, (), (), None, NOWHERE)
    return RequestRule(f"get {uri}", (), (template,), NOWHERE, is_retrieval=True)


@st.composite
def data_lists(draw: st.DrawFn) -> tuple[Triple, ...]:
    """Draw the cells of a list, whole, broken or circular."""
    one, other = LISTS[:2]
    members = [draw(st.sampled_from(THINGS + VALUES)) for _ in range(2)]
    end = draw(st.sampled_from([RDF_NIL, RDF_NIL, RDF_NIL, one, None]))
    cells = [
        Triple(one, RDF_FIRST, members[0]),
        Triple(one, RDF_REST, other),
        Triple(other, RDF_FIRST, members[1]),
    ]
    return (*cells, Triple(other, RDF_REST, end)) if end is not None else tuple(cells)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    """Draw a program and its world."""
    documents: dict[str, tuple[Triple, ...] | None] = {}
    for uri in DOCUMENTS:
        is_content = draw(st.integers(0, 3)) > 0
        documents[uri] = tuple(draw(st.lists(data_triples, max_size=6))) if is_content else None
    holder = draw(st.sampled_from(DOCUMENTS))
    documents[holder] = (*(documents[holder] or ()), *draw(data_lists()))
    program = Program(
        tuple(draw(st.lists(data_triples, min_size=2, max_size=8))),
        tuple(draw(derivations(number)) for number in range(draw(st.integers(1, 5)))),
        (
            bare_get(DOCUMENTS[0]),
            *(draw(requests(number, is_retrieval=True)) for number in range(draw(st.integers(0, 2)))),
            *(draw(requests(number + 2, is_retrieval=False)) for number in range(draw(st.integers(1, 2)))),
        ),
    )
    protected = draw(st.sampled_from([frozenset[str](), frozenset({"http://w.example/v#p1"})]))
    return World(program, documents, protected, draw(st.booleans()))


def holds_for(triples: Sequence[Triple]) -> list[Triple]:
    """Conclude, as a sentry would, that whatever has a first predicate and no second one is true."""
    others = {triple.subject for triple in triples if triple.predicate == PREDICATES[1]}
    found = {triple.subject for triple in triples if triple.predicate == PREDICATES[0]} - others
    return [Triple(subject, SENTRY, TRUE) for subject in found]
