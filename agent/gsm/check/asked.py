"""What a question asks for: the triple patterns of each of its alternatives, and the constants it compares with."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice, product

import rdflib
from msgspec import Struct
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue

from agent.gsm.algebra import algebra_of
from agent.gsm.question import THIS_VARIABLE, Question
from agent.gsm.terms import RENAMED_QUESTIONS, THIS_INSTANCE
from agent.rdf.rdflib_terms import from_rdflib
from agent.rdf.terms import IRI, BlankNode, Literal, Term, Triple, Variable

MAX_ALTERNATIVES = 16
_THIS = Variable(THIS_VARIABLE)
_RENAMED: dict[Term, Term] = {IRI(name): IRI(ours) for name, ours in RENAMED_QUESTIONS.items()}
_WRAPPERS = frozenset(
    {"AskQuery", "Project", "Distinct", "Reduced", "Slice", "OrderBy", "ToMultiSet", "Filter"}
)
_SIMPLE = _WRAPPERS | {
    *("BGP", "Join", "Union", "TrueFilter", "DatasetClause", "values"),
    *(
        "RelationalExpression",
        "ConditionalAndExpression",
        "ConditionalOrExpression",
        "UnaryMinus",
        "UnaryPlus",
        "Builtin_NOW",
    ),
}

Alternative = tuple[Triple, ...]


class Asked(Struct, frozen=True):
    """One of ``alternatives`` has to hold, each a set of patterns; negation and optional parts are left out.

    ``mentioned`` are all patterns, those of negation too. Blank nodes are variables, the instance that asks is
    ``THIS_INSTANCE``. ``constants`` are what filters compare with. ``is_simple``: there is nothing but patterns and
    comparisons of a variable with a constant.
    """

    alternatives: tuple[Alternative, ...]
    mentioned: frozenset[Triple]
    constants: frozenset[Term]
    is_simple: bool


# Every check asks for all questions in turn: with less room than a model has statements, none would be found again.
@lru_cache(maxsize=10_000)
def read_asked(question: Question) -> Asked | None:
    """Return what ``question``, which has no fault, asks for; nothing if that cannot be told."""
    if question.uses_graphs:
        return None
    algebra = algebra_of(question.text, question.base, question.prefixes)
    if algebra is None:
        return None
    try:
        alternatives = tuple(_alternatives(algebra))
        nodes = list(_nodes(algebra))
    except RecursionError:
        return None
    constants = frozenset(_constants(nodes))
    mentioned = frozenset(_mentioned(nodes))
    is_simple = all(_is_simple(node) for node in nodes)
    return Asked(alternatives, mentioned, constants, is_simple and len(alternatives) < MAX_ALTERNATIVES)


def stumbling_block(text: str) -> int | None:
    """Return the offset of the part of ``text`` from which on it is no query, nothing if that cannot be told."""
    try:
        parseQuery(text)
    except Exception as error:  # noqa: BLE001  the parser raises whatever its grammar actions raise
        return getattr(error, "loc", None)
    return None


def status_patterns(asked: Asked) -> Iterator[Triple]:
    """Yield the patterns about the instance that asks."""
    for alternative in asked.alternatives:
        yield from (triple for triple in alternative if triple.subject == THIS_INSTANCE)


def _alternatives(node: object) -> list[Alternative]:
    if not isinstance(node, CompValue):
        return [()]
    match node.name:
        case "BGP":
            return [tuple(_triple(each) for each in node.triples)]
        case "Join":
            pairs = product(_alternatives(node.p1), _alternatives(node.p2))
            return [one + other for one, other in islice(pairs, MAX_ALTERNATIVES)]
        case "Union":
            return [*_alternatives(node.p1), *_alternatives(node.p2)][:MAX_ALTERNATIVES]
        case "LeftJoin" | "Minus":
            return _alternatives(node.p1)
        case _:
            return _alternatives(node.get("p"))


def _triple(parts: Iterable[object]) -> Triple:
    subject, predicate, object_ = (_term(part) for part in parts)
    return Triple(subject, _RENAMED.get(predicate, predicate), object_)


def _term(part: object) -> Term:
    term = from_rdflib(part, "") if isinstance(part, rdflib.term.Node) else Variable(f"path {part}")
    if term == _THIS:
        return THIS_INSTANCE
    return Variable(f"_{term.label}") if isinstance(term, BlankNode) else term


def _mentioned(nodes: Iterable[CompValue]) -> Iterator[Triple]:
    for node in nodes:
        if node.name in {"BGP", "TriplesBlock"}:
            for run in node.triples:
                flat = list(run)
                for start in range(0, len(flat), 3):
                    yield _triple(flat[start : start + 3])


def _nodes(root: object) -> Iterator[CompValue]:
    pending = [root]
    while pending:
        value = pending.pop()
        if isinstance(value, CompValue):
            yield value
            pending += [part for key, part in value.items() if key != "_vars"]
        elif isinstance(value, list | tuple):
            pending += value


def _constants(nodes: Iterable[CompValue]) -> Iterator[Term]:
    for node in nodes:
        if node.name in {"BGP", "TriplesBlock"}:
            continue
        for part in _flat(value for key, value in node.items() if key not in {"_vars", "triples", "iri"}):
            if isinstance(part, rdflib.Literal | rdflib.URIRef):
                constant = from_rdflib(part, "")
                yield constant
                if node.name == "UnaryMinus" and isinstance(constant, Literal):
                    yield Literal(f"-{constant.lexical}", constant.datatype)


def _flat(values: Iterable[object]) -> Iterator[object]:
    pending = list(values)
    while pending:
        value = pending.pop()
        if isinstance(value, list | tuple):
            pending += value
        else:
            yield value


def _is_simple(node: CompValue) -> bool:
    if node.name == "BGP":
        return not any(isinstance(part, rdflib.paths.Path) for triple in node.triples for part in triple)
    if node.name == "RelationalExpression":
        return any(_is_constant(side) for side in (node.expr, node.other))
    return node.name in _SIMPLE


def _is_constant(side: object) -> bool:
    if isinstance(side, CompValue) and side.name in {"UnaryMinus", "UnaryPlus"}:
        side = side.expr
    return isinstance(side, rdflib.Literal | rdflib.URIRef)
