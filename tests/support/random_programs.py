"""Hypothesis strategies for programs, as reading a text gives them, and what makes two programs the same."""

from collections.abc import Callable, Iterable
from itertools import count

from hypothesis import strategies as st

from agent.n3.program import DerivationRule, Inconsistency, Pattern, Program, RequestRule, RequestTemplate
from agent.n3.write import BODY_BLANK
from agent.rdf.terms import IRI, BlankNode, Formula, ListTerm, Literal, Term, Triple, Variable
from agent.vocab import AG, LOG, METHODS
from tests.support.drawn import NOWHERE
from tests.support.n3 import BASE
from tests.support.random_terms import LITERALS, NAMES, NAMESPACES, nested

OWN, OUTER = "own", "outer"
_LEAVES = st.one_of(
    NAMES,
    LITERALS,
    st.builds(BlankNode, st.sampled_from("abc"), st.sampled_from([OWN, OWN, OUTER])),
)
_GROUND: st.SearchStrategy[Term] = st.recursive(_LEAVES, nested, max_leaves=6)
_VARIABLES = st.builds(Variable, st.sampled_from(["x", "y", "Z9", "__q_1"]))
_OPEN: st.SearchStrategy[Term] = st.recursive(
    st.one_of(_LEAVES, _VARIABLES, _VARIABLES), nested, max_leaves=6
)
_NOT_INCLUDES = IRI(LOG + "notIncludes")


def _mapped(term: Term, leaf: Callable[[Term, bool], Term], *, quoted: bool = False) -> Term:
    """Return ``term`` with ``leaf`` in place of each of its leaves; it is told whether that is inside a formula."""
    match term:
        case ListTerm(items):
            return ListTerm(tuple(_mapped(item, leaf, quoted=quoted) for item in items))
        case Formula(triples):
            return Formula(
                tuple(Triple(*(_mapped(part, leaf, quoted=True) for part in triple)) for triple in triples)
            )
        case _:
            return leaf(term, quoted)


class _Scopes:
    """Gives each formula blank nodes of its own, whatever labels they were drawn with."""

    def __init__(self) -> None:
        self._formulas = count()

    def owned(self, term: Term, scope: str, outer: str = "") -> Term:
        """Return ``term`` with its own nodes in ``scope`` or that of their formula, the others in ``outer`` if there is one."""
        match term:
            case BlankNode(label, kind):
                return BlankNode(label, scope if kind == OWN or not outer else outer)
            case ListTerm(items):
                return ListTerm(tuple(self.owned(item, scope, outer) for item in items))
            case Formula(triples):
                inner = f"{{{next(self._formulas)}}}"
                return Formula(
                    tuple(Triple(*(self.owned(part, inner, outer) for part in triple)) for triple in triples)
                )
            case _:
                return term


def _with_outer_nodes(triples: list[Triple], outer: str) -> list[Triple]:
    """Return ``triples`` and one more for each node of ``outer`` in them: such a node belongs to the text around."""
    found: dict[Term, None] = {}

    def leaf(term: Term, _: bool) -> Term:
        if isinstance(term, BlankNode) and term.scope == outer:
            found[term] = None
        return term

    for triple in triples:
        for part in triple:
            _mapped(part, leaf)
    return [*triples, *(Triple(node, IRI("http://example.org/ns#is"), node) for node in found)]


def _without_lists(term: Term) -> Term:
    """Return ``term`` with its first member for a list outside formulas: facts spell lists out."""
    while isinstance(term, ListTerm):
        term = term.items[0]
    return term


@st.composite
def _facts(draw: st.DrawFn, scopes: _Scopes) -> tuple[Triple, ...]:
    drawn = draw(st.lists(st.builds(Triple, _GROUND, NAMES, _GROUND), max_size=4))
    return tuple(
        Triple(*(scopes.owned(_without_lists(part), BASE, BASE) for part in triple)) for triple in drawn
    )


def _opened(term: Term, quoted: bool) -> Term:
    is_blank = isinstance(term, BlankNode) and not quoted
    return Variable(f"{BODY_BLANK}{term.label}") if isinstance(term, BlankNode) and is_blank else term


def _opened_group(term: Term, number: int) -> Term:
    def leaf(part: Term, _: bool) -> Term:
        return Variable(f"{BODY_BLANK}{part.label}{number}") if isinstance(part, BlankNode) else part

    return _mapped(term, leaf)


@st.composite
def _body(draw: st.DrawFn, scopes: _Scopes, rule: str) -> list[Triple]:
    drawn = draw(st.lists(st.builds(Triple, _OPEN, NAMES, _OPEN), max_size=3))
    body = [Triple(*(_mapped(scopes.owned(part, rule), _opened) for part in triple)) for triple in drawn]
    for number in range(draw(st.integers(0, 1))):
        group = draw(st.lists(st.builds(Triple, _LEAVES, NAMES, st.one_of(_LEAVES, _VARIABLES)), max_size=2))
        body.append(
            Triple(
                BlankNode("memory", f"{{{rule}}}"),
                _NOT_INCLUDES,
                _opened_group(Formula(tuple(group)), number),
            )
        )
    return body


def _variables(triples: Iterable[Triple]) -> set[str]:
    found: set[str] = set()

    def leaf(term: Term, _: bool) -> Term:
        if isinstance(term, Variable):
            found.add(term.name)
        return term

    for triple in triples:
        if triple.predicate != _NOT_INCLUDES:
            for part in triple:
                _mapped(part, leaf)
    return found


def _bound_only(term: Term, bound: set[str]) -> Term:
    def leaf(part: Term, _: bool) -> Term:
        is_free = isinstance(part, Variable) and (part.name not in bound or part.name.startswith(BODY_BLANK))
        return IRI("http://example.org/ns#free") if is_free else part

    return _mapped(term, leaf)


@st.composite
def _derivation(draw: st.DrawFn, scopes: _Scopes, rule: str) -> DerivationRule:
    body = draw(_body(scopes, rule))
    bound = _variables(body)
    inside = f"{{{rule} head}}"
    head = [
        Triple(*(_bound_only(scopes.owned(part, inside, inside), bound) for part in triple))
        for triple in draw(st.lists(st.builds(Triple, _OPEN, NAMES, _OPEN), min_size=1, max_size=3))
    ]
    return DerivationRule(rule, _patterns(body), _patterns(_with_outer_nodes(head, inside)), NOWHERE)


@st.composite
def _request(draw: st.DrawFn, scopes: _Scopes, rule: str) -> RequestRule:
    body = draw(_body(scopes, rule))
    bound = _variables(body)

    def term(strategy: st.SearchStrategy[Term]) -> Term:
        return _bound_only(scopes.owned(draw(strategy), f"{{{rule} head}}"), bound)

    payload = draw(st.lists(st.builds(Triple, _OPEN, NAMES, _OPEN), max_size=2))
    method = draw(st.sampled_from(["GET", "PUT", "DELETE", "PATCH"]))
    has_body = method in {"PUT", "PATCH"}
    fields = draw(st.lists(st.tuples(LITERALS, LITERALS), max_size=2))
    template = RequestTemplate(
        BlankNode("request", f"{{{rule} head}}"),
        IRI(METHODS + method),
        Variable("x") if "x" in bound else draw(NAMES),
        _bound_only(scopes.owned(Formula(tuple(payload)), ""), bound) if has_body else None,
        tuple((Literal(name.lexical), Literal(value.lexical)) for name, value in fields),
        ((IRI(AG + "unit"), term(st.one_of(NAMES, LITERALS, _VARIABLES))),),
        None,
        NOWHERE,
    )
    return RequestRule(rule, _patterns(body), (template,), NOWHERE, method == "GET")


def _patterns(triples: Iterable[Triple]) -> tuple[Pattern, ...]:
    return tuple(Pattern(triple, NOWHERE) for triple in triples)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Draw a program with facts and rules of all kinds."""
    scopes = _Scopes()
    return Program(
        draw(_facts(scopes)),
        tuple(draw(_derivation(scopes, f"rule {number}")) for number in range(draw(st.integers(0, 2)))),
        tuple(draw(_request(scopes, f"request {number}")) for number in range(draw(st.integers(0, 1)))),
        (),
        NAMESPACES,
        tuple(draw(_derivation(scopes, f"backward {number}")) for number in range(draw(st.integers(0, 2)))),
        tuple(draw(_inconsistency(scopes, f"never {number}")) for number in range(draw(st.integers(0, 1)))),
    )


@st.composite
def _inconsistency(draw: st.DrawFn, scopes: _Scopes, name: str) -> Inconsistency:
    rule = draw(_derivation(scopes, name))
    return Inconsistency(rule.name, rule.body, rule.place)


class _Renaming:
    """Numbers blank nodes, and variables of one rule, in the order of their appearance."""

    def __init__(self) -> None:
        self._numbers: dict[Term, int] = {}

    def __call__(self, term: Term) -> Term:
        return _mapped(term, self._leaf)

    def _leaf(self, term: Term, _: bool) -> Term:
        if not isinstance(term, BlankNode | Variable):
            return term
        number = self._numbers.setdefault(term, len(self._numbers))
        return BlankNode(str(number)) if isinstance(term, BlankNode) else Variable(str(number))


def meaning(program: Program) -> object:
    """Return what is equal for programs that say the same, however rules, variables and blank nodes are called."""
    facts = _Renaming()
    return (
        [tuple(map(facts, triple)) for triple in program.facts],
        [_of_rule(rule.body, rule.head) for rule in program.derivations],
        [_of_request(rule) for rule in program.requests],
        [_of_rule(rule.body, rule.head) for rule in program.backward],
        [_of_rule(rule.body, ()) for rule in program.inconsistencies],
    )


def _of_rule(body: Iterable[Pattern], head: Iterable[Pattern]) -> object:
    renamed = _Renaming()
    return [[tuple(map(renamed, pattern.triple)) for pattern in side] for side in (body, head)]


def _of_request(rule: RequestRule) -> object:
    renamed = _Renaming()
    body = [tuple(map(renamed, pattern.triple)) for pattern in rule.body]
    templates = [
        (
            [
                None if term is None else renamed(term)
                for term in (each.method, each.uri, each.body, each.like)
            ],
            [tuple(map(renamed, pair)) for pair in (*each.headers, *each.annotations)],
        )
        for each in rule.requests
    ]
    return body, templates, rule.is_retrieval
